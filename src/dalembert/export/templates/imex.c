%if uses_step
static const double step_size[1] = {@NAME@_STEP};

%end
%if lam
/* Sizes of velocities, by which columns are compared. */
@velocity_size@
/* Places of the entries of G. */
@G_places@
%if own_C
/* Places of the entries of C. */
@C_places@
%end
%end
%if auxiliary
/* Sizes of the blocks of auxiliary variables, their places in q, sizes of themselves. */
@auxiliary_places@
%end
%if T_pattern
/* Places of the entries of T. */
@T_places@
%end
/* ------------------------------------------------------------------------------------------ what formulas give */

%if has_constants
/* What depends on parameters and the size of the step alone. */
static void parameters_changed(@name@_state *state)
{
@constant_calls@
}

%end
%if normalizes
/* Invariants of coordinates, as norms of Euler parameters, restored. */
static void normalise(@name@_state *state, double t, double *q)
{
    int i;
@normal_calls@
    for (i = 0; i < @NAME@_N_Q; ++i) {
        q[i] = state->normal[i];
    }
}

%end
%if projects
/* Residuals of the position constraints@and_auxiliary@. */
static void residuals_at(@name@_state *state, double t, const double *q)
{
@residual_calls@
}

%end
%if constrained
/* Constraints and their matrices. */
static void constraints_at(@name@_state *state, double t, const double *q)
{
@constraint_calls@
}

%end
/*
 * Accelerations and multipliers of the step that goes on from y, railway (37) for a = (v1 - v0)/h:
 *
 *     (M + h C) a + G^T lambda = f,   G a = gamma
 *
 * solved in the formulas.  Forces see the multipliers in state->lambda.@after_constraints@
 */
static void solve_step(@name@_state *state, double t, const double *y)
{
%if copies_v
    int i;
%end
@solve_calls@
%if copies_v
    for (i = 0; i < @NAME@_N_Q; ++i) {
        state->end_rate[i] = y[@NAME@_N_Q + i];
    }
%end
}

%if inputs
/* The same after new inputs, with all that does not depend on them as it was evaluated at the end of the last step. */
static void inputs_changed(@name@_state *state)
{
    const double *const y = state->y;
    const double t = state->t;
    int i;
@input_calls@
    for (i = @NAME@_N_Q; i < @NAME@_N_Y; ++i) {
        state->rate[i] = state->end_rate[i];
    }
%if lam
    for (i = 0; i < @NAME@_N_LAMBDA; ++i) {
        state->lambda[i] = state->end_lambda[i];
    }
%end
%if second_rates
    for (i = 0; i < @NAME@_N_Q; ++i) {
        state->second_rate[i] = state->end_second_rate[i];
    }
%end
}

%end
%if lam
/* --------------------------------------------------------------------------------------- dependent velocities */

/* Divides a row by its largest entry. */
static void normalise_row(double *row)
{
    double largest = 0.0;
    int j;
    for (j = 0; j < @NAME@_N_V; ++j) {
        const double size = fabs(row[j]);
        if (size > largest) {
            largest = size;
        }
    }
    if (largest > 0.0) {
        for (j = 0; j < @NAME@_N_V; ++j) {
            row[j] /= largest;
        }
    }
}

/*
 * Chooses m columns by full pivoting, and the order of rows in which they are eliminated; railway, after (37).
 * Columns that are independent have the place -1.  Returns 0 if rows depend on each other.
 */
static int choose_columns(@name@_state *state, const double *values, const int *rows, const int *columns,
                          int entries, int m, int *row_place, int *column_place)
{
    double *const work = state->partition_work;
    int pivot;
    int i;
    int j;
    int k;
    for (k = 0; k < m*@NAME@_N_V; ++k) {
        work[k] = 0.0;
    }
    for (k = 0; k < entries; ++k) {
        work[rows[k]*@NAME@_N_V + columns[k]] = values[k]*velocity_size[columns[k]];
    }
    for (i = 0; i < m; ++i) {
        row_place[i] = -1;
        normalise_row(work + i*@NAME@_N_V);
    }
    for (j = 0; j < @NAME@_N_V; ++j) {
        column_place[j] = -1;
    }
    for (pivot = 0; pivot < m; ++pivot) {
        double best = 0.0;
        int at = -1;
        int to = -1;
        for (i = 0; i < m; ++i) {
            for (j = 0; j < @NAME@_N_V; ++j) {
                const double size = fabs(work[i*@NAME@_N_V + j]);
                if (row_place[i] < 0 && column_place[j] < 0 && size > best) {
                    best = size;
                    at = i;
                    to = j;
                }
            }
        }
        if (at < 0) {
            return 0;
        }
        row_place[at] = pivot;
        column_place[to] = pivot;
        for (i = 0; i < m; ++i) {
            if (row_place[i] < 0) {
                const double factor = work[i*@NAME@_N_V + to]/work[at*@NAME@_N_V + to];
                if (factor != 0.0) {
                    for (j = 0; j < @NAME@_N_V; ++j) {
                        work[i*@NAME@_N_V + j] -= factor*work[at*@NAME@_N_V + j];
                    }
                }
            }
        }
    }
    return 1;
}

/* Where entries of the matrix stand in that of the dependent columns, -1 for none. */
static void set_places(const int *rows, const int *columns, int entries, int m, const int *row_place,
                       const int *column_place, int *places)
{
    int k;
    for (k = 0; k < entries; ++k) {
        const int j = column_place[columns[k]];
        places[k] = (j < 0) ? -1 : row_place[rows[k]]*m + j;
    }
}

/* L U of the dependent columns; 0 if a pivot is much smaller than it was when they were chosen, which is now if fresh. */
static int factorise(const double *values, const int *places, int entries, int m, double *factors, double *chosen,
                     int fresh)
{
    int i;
    int j;
    int k;
    for (k = 0; k < m*m; ++k) {
        factors[k] = 0.0;
    }
    for (k = 0; k < entries; ++k) {
        if (places[k] >= 0) {
            factors[places[k]] = values[k];
        }
    }
    for (k = 0; k < m; ++k) {
        const double pivot = factors[k*m + k];
        if (fresh != 0) {
            chosen[k] = fabs(pivot);
        }
        if (!(fabs(pivot) > @shrunk@*chosen[k])) {
            return 0;
        }
        for (i = k + 1; i < m; ++i) {
            if (factors[i*m + k] != 0.0) {
                const double part = factors[i*m + k]/pivot;
                factors[i*m + k] = part;
                for (j = k + 1; j < m; ++j) {
                    factors[i*m + j] -= part*factors[k*m + j];
                }
            }
        }
    }
    return 1;
}

/* x of the dependent columns, in the order of pivots. */
static void solve_dependent(const double *factors, const int *row_place, int m, const double *right, double *x)
{
    int i;
    int j;
    for (i = 0; i < m; ++i) {
        x[row_place[i]] = right[i];
    }
    for (i = 0; i < m; ++i) {
        double total = x[i];
        for (j = 0; j < i; ++j) {
            total -= factors[i*m + j]*x[j];
        }
        x[i] = total;
    }
    for (i = m - 1; i >= 0; --i) {
        double total = x[i];
        for (j = i + 1; j < m; ++j) {
            total -= factors[i*m + j]*x[j];
        }
        x[i] = total/factors[i*m + i];
    }
}

/* Factors of the constraints as they were evaluated last, in a partition that is chosen anew if it no longer serves. */
static int factorise_constraints(@name@_state *state, int anew)
{
    int good = 0;
%if own_C
    if (anew == 0) {
        good = factorise(state->C, state->C_partition, @n_C@, @n_g@, state->C_factors, state->C_pivots, 0);
    }
    if (good == 0) {
        good = choose_columns(state, state->C, C_rows, C_columns, @n_C@, @n_g@, state->C_row_place,
                              state->C_column_place);
        if (good != 0) {
            set_places(C_rows, C_columns, @n_C@, @n_g@, state->C_row_place, state->C_column_place,
                       state->C_partition);
            good = factorise(state->C, state->C_partition, @n_C@, @n_g@, state->C_factors, state->C_pivots, 1);
        }
    }
    if (good == 0) {
        state->partitioned = 0;
        return @NAME@_SINGULAR;
    }
    good = 0;
%end
    if (anew == 0) {
        good = factorise(state->G, state->G_partition, @n_G@, @NAME@_N_LAMBDA, state->G_factors, state->G_pivots, 0);
    }
    if (good == 0) {
        ++state->partitions;
        good = choose_columns(state, state->G, G_rows, G_columns, @n_G@, @NAME@_N_LAMBDA, state->G_row_place,
                              state->G_column_place);
        if (good != 0) {
            set_places(G_rows, G_columns, @n_G@, @NAME@_N_LAMBDA, state->G_row_place, state->G_column_place,
                       state->G_partition);
            good = factorise(state->G, state->G_partition, @n_G@, @NAME@_N_LAMBDA, state->G_factors, state->G_pivots, 1);
        }
    }
    state->partitioned = good;
    return (good != 0) ? @NAME@_OK : @NAME@_SINGULAR;
}

%end
%if positions
/* --------------------------------------------------------------------------------------------------- projection */

/* q + T delta with C_d delta_d = -g, railway (40), by the factors at hand. */
static void correct_positions(@name@_state *state, double *q)
{
    int j;
%if T_pattern
    int k;
%end
    solve_dependent(state->@C@_factors, state->@C@_row_place, @n_g@, state->g, state->dependent);
    for (j = 0; j < @NAME@_N_V; ++j) {
        const int place = state->@C@_column_place[j];
        state->moved[j] = (place >= 0) ? -state->dependent[place] : 0.0;
    }
%if T_pattern
    for (j = 0; j < @NAME@_N_Q; ++j) {
        state->correction[j] = 0.0;
    }
    for (k = 0; k < @n_T@; ++k) {
        state->correction[T_rows[k]] += state->T[k]*state->moved[T_columns[k]];
    }
    for (j = 0; j < @NAME@_N_Q; ++j) {
        q[j] += state->correction[j];
    }
%else
    for (j = 0; j < @NAME@_N_Q; ++j) {
        q[j] += state->moved[j];
    }
%end
}

%end
%if auxiliary
/* Signs of the pivots of auxiliary variables at a start. */
static void note_signs(@name@_state *state)
{
    int first = 0;
    int at = 0;
    int block;
    for (block = 0; block < @n_blocks@; ++block) {
        const int n = block_size[block];
        int i;
        for (i = 0; i < n; ++i) {
            state->block_signs[first + i] = state->hs[at + i*n + i];
        }
        first += n;
        at += n*n;
    }
    state->signs_known = 1;
}

/*
 * s - h_s^-1 h block by block, railway (39), by the factors that were evaluated last.
 *
 * Along a motion no pivot changes its sign, unless a solution ends, as where the point of a contact jumps.  There
 * corrections are short, and follow the signs that pivots had: down to the next minimum of the gap.
 */
static void correct_auxiliary(@name@_state *state, double *q)
{
    int first = 0;
    int at = 0;
    int block;
    for (block = 0; block < @n_blocks@; ++block) {
        const int n = block_size[block];
        const double *const factors = state->hs + at;
        double *const b = state->h + first;
        double longest = 0.0;
        double part;
        int i;
        int j;
        for (i = 0; i < n; ++i) {
            for (j = 0; j < i; ++j) {
                b[i] -= factors[i*n + j]*b[j];
            }
        }
        for (i = n - 1; i >= 0; --i) {
            double inverse;
            double size;
            for (j = i + 1; j < n; ++j) {
                b[i] -= factors[i*n + j]*b[j];
            }
            inverse = factors[i*n + i];
            b[i] *= (inverse*state->block_signs[first + i] >= 0.0) ? inverse : -inverse;
            size = fabs(b[i])/auxiliary_size[first + i];
            if (size > longest || size != size) {
                longest = size;
            }
        }
        part = (longest <= @stride@) ? 1.0 : @stride@/longest;
        for (i = 0; i < n; ++i) {
            q[auxiliary_place[first + i]] -= part*b[i];
        }
        first += n;
        at += n*n;
    }
}

%end
%if projects
/* Largest size of an entry; NaN stays. */
static double largest_of(const double *values, int count)
{
    double largest = 0.0;
    int i;
    for (i = 0; i < count; ++i) {
        const double size = fabs(values[i]);
        if (size > largest || size != size) {
            largest = size;
        }
    }
    return largest;
}

/* Dependent coordinates onto g = 0: with the factors of the step before, then with new ones where that does not do. */
static int project_positions(@name@_state *state, double t, double *q)
{
%if auxiliary
%else
    double before = HUGE_VAL;
%end
    int status = @NAME@_PROJECTION_FAILED;
    int iteration;
    state->iterations = 0;
    if (state->partitioned != 0) {
        residuals_at(state, t, q);
        ++state->iterations;
%if auxiliary
        correct_auxiliary(state, q);
%end
%if positions
        correct_positions(state, q);
%end
    }
    for (iteration = 0; iteration <= @more_iterations@; ++iteration) {
        double size = 0.0;
%if auxiliary
        double auxiliary;
%end
%if positions
        double position;
%end
        constraints_at(state, t, q);
%if auxiliary
        if (state->signs_known == 0) {
            note_signs(state);
        }
        auxiliary = largest_of(state->h, @n_s@);
        size = auxiliary;
%end
%if positions
        position = largest_of(state->g, @n_g@);
        if (position > size || position != position) {
            size = position;
        }
%end
        if (size <= @tolerance@) {
            if (size > state->worst_residual) {
                state->worst_residual = size;
            }
            status = @NAME@_OK;
            break;
        }
%if auxiliary
        if (iteration == @more_iterations@ || !(size < HUGE_VAL)) {
            status = (auxiliary <= @tolerance@) ? @NAME@_PROJECTION_FAILED : @NAME@_AUXILIARY_FAILED;
            break;
        }
%else
        if (iteration == @more_iterations@ || !(size < 2.0*before)) {
            break;
        }
        before = size;
%end
        ++state->iterations;
%if auxiliary
        if (auxiliary > @tolerance@) {
            correct_auxiliary(state, q);
        }
%end
%if predicted_by_differences
        if (iteration > 0 && auxiliary > @tolerance@) {
            state->rates_known = 0;  /* so far off the prediction was: rates before tell nothing any more */
        }
%end
%if positions
        if (position > @tolerance@) {
            if (factorise_constraints(state, state->partitioned == 0) != @NAME@_OK) {
                status = @NAME@_SINGULAR;
                break;
            }
            correct_positions(state, q);
        }
%end
    }
    if (state->iterations > state->worst_iterations) {
        state->worst_iterations = state->iterations;
    }
    return status;
}

%end
%if lam
/* Dependent velocities onto G v + gI = 0, railway (18), with factors at the new place. */
static void project_velocities(@name@_state *state, double *v)
{
    int j;
    int k;
    for (j = 0; j < @NAME@_N_LAMBDA; ++j) {
        state->velocity_residual[j] = state->gI[j];
    }
    for (k = 0; k < @n_G@; ++k) {
        state->velocity_residual[G_rows[k]] += state->G[k]*v[G_columns[k]];
    }
    solve_dependent(state->G_factors, state->G_row_place, @NAME@_N_LAMBDA, state->velocity_residual, state->dependent);
    for (j = 0; j < @NAME@_N_V; ++j) {
        const int place = state->G_column_place[j];
        if (place >= 0) {
            v[j] -= state->dependent[place];
        }
    }
}

%end
/* Projects state->end, and finds rates and multipliers of the step that goes on from there. */
static int complete(@name@_state *state, double t)
{
    double *const y = state->end;
    int status = @NAME@_OK;
%if normalizes
    normalise(state, t, y);
%end
%if projects
    status = project_positions(state, t, y);
%end
%if velocities_alone
    constraints_at(state, t, y);
%end
%if lam
    if (status == @NAME@_OK) {
        status = factorise_constraints(state, @anew@);
    }
    if (status == @NAME@_OK) {
        project_velocities(state, y + @NAME@_N_Q);
    }
%end
%if auxiliary_alone
    if (status == @NAME@_OK) {
        state->partitioned = 1;  /* there are factors for the next step */
    }
%end
    if (status == @NAME@_OK) {
        solve_step(state, t, y);
    }
    return status;
}

%if lags
/* Multipliers that forces depend on, iterated at a start until they have settled, as far as they do. */
static void settle_multipliers(@name@_state *state)
{
    int iteration;
    for (iteration = 0; iteration < @first_iterations@; ++iteration) {
        double change = 0.0;
        double size = 0.0;
        int i;
        solve_step(state, state->t, state->y);
        for (i = 0; i < @NAME@_N_LAMBDA; ++i) {
            const double found = fabs(state->end_lambda[i]);
            const double moved = fabs(state->lambda[i] - state->end_lambda[i]);
            size = (found > size) ? found : size;
            change = (moved > change) ? moved : change;
            state->lambda[i] = state->end_lambda[i];
        }
        if (!(change > @settled@*size)) {
            break;
        }
    }
}

%end
%if recovers
/* After a step that has failed: what does not depend on inputs, as it is where the simulation stands. */
static void recover(@name@_state *state)
{
%if constrained
    constraints_at(state, state->t, state->y);
%end
    solve_step(state, state->t, state->y);
}

%end
%if predicted_by_differences
/* s + h s' + h^2/2 s'' of auxiliary variables, with s'' from the difference of s' over the step before. */
static void predict(@name@_state *state)
{
    const double h = @NAME@_STEP;
    int i;
    if (state->rates_known == 0 || state->t > state->rates_time) {  /* a step that is tried again has the same start */
        for (i = 0; i < @n_s@; ++i) {
            state->rates_before[i] = state->rates_latest[i];
            state->rates_latest[i] = state->rate[auxiliary_place[i]];
        }
        state->rates_time = state->t;
        state->rates_known = (state->rates_known == 0) ? 1 : 2;
    }
    if (state->rates_known == 2) {
        for (i = 0; i < @n_s@; ++i) {
            const double change = state->rates_latest[i] - state->rates_before[i];
            state->end[auxiliary_place[i]] = state->y[auxiliary_place[i]] + h*state->rates_latest[i] + 0.5*h*change;
        }
    }
}

%end
/* state->end from state->y: v1 = v0 + h a, q1 = q0 + h T v0 + @weight@ h^2 T a, railway (38)@update_note@. */
static int attempt(@name@_state *state)
{
    const double h = @NAME@_STEP;
    const double weight = @weight@*h*h;
    const double *const a = state->rate + @NAME@_N_Q;
    int i;
    for (i = 0; i < @NAME@_N_Y; ++i) {
        state->end[i] = state->y[i] + h*state->rate[i];
    }
    for (i = 0; i < @NAME@_N_Q; ++i) {
        state->end[i] += weight*@second_rate@;
    }
%if predicted_by_differences
    predict(state);
%end
%if not_predicted
    for (i = 0; i < @n_s@; ++i) {
        state->end[auxiliary_place[i]] = state->y[auxiliary_place[i]];
    }
%end
@unused_a@    return @NAME@_OK;
}
