/* ---------------------------------------------------------------------------------- the linearly implicit step */

/* Entries of the derivatives that stand in the matrix of a step: places, rows, columns, factors. */
@K_places@
@K_factors@
/* Those of M. */
@mass_places@
/* Sizes of unknowns: q, v, mu, lambda, u. */
@unknown_size@
/* Makes an entry of the matrix, and notes how large it is beside the size of its unknown. */
static void enter(@name@_state *state, int row, int column, double value)
{
    const double size = fabs(value)*unknown_size[column];
    state->matrix[row*@n_x@ + column] += value;
    if ((column < @at_g@ || column >= @at_u@) && size > state->row_factor[row]) {
        state->row_factor[row] = size;
    }
}

/*
 * alpha diag(1, M, 0, 0, 1) + K at the start of the step, alpha = 1/(theta h), theta = @theta@.
 * Returns 0 if a derivative is not finite.
 */
static int fill_matrix(@name@_state *state)
{
    const double *const y = state->y;
    const double t = state->t;
    double total = 0.0;
    int i;
@derivative_calls@
    for (i = 0; i < @n_entries@; ++i) {
        total += fabs(state->derivative[i]);
    }
    if (!(total <= DBL_MAX)) {
        return 0;
    }
    for (i = 0; i < @n_x@*@n_x@; ++i) {
        state->matrix[i] = 0.0;
    }
    for (i = 0; i < @n_x@; ++i) {
        state->row_factor[i] = 0.0;
    }
    for (i = 0; i < @n_K@; ++i) {
        enter(state, K_rows[i], K_columns[i], K_factors[i]*state->derivative[K_source[i]]);
    }
    for (i = 0; i < @n_mass@; ++i) {
        const double value = @alpha@*state->derivative[mass_source[i]];
        enter(state, @NAME@_N_Q + mass_rows[i], @NAME@_N_Q + mass_columns[i], value);
    }
    for (i = 0; i < @NAME@_N_Q; ++i) {
        enter(state, i, i, @alpha@);
    }
%if n_u
    for (i = @at_u@; i < @n_x@; ++i) {
        enter(state, i, i, @alpha@);
    }
%end
    for (i = 0; i < @n_x@; ++i) {
        state->row_factor[i] = (state->row_factor[i] > 0.0) ? 1.0/state->row_factor[i] : 1.0;
    }
    return 1;
}

/* L U of the matrix; pivots are the largest ones, seen from the sizes of their rows.  Returns 0 if there is none. */
static int factorise(@name@_state *state)
{
    double *const A = state->matrix;
    int k;
    for (k = 0; k < @n_x@; ++k) {
        double *const row = A + k*@n_x@;
        double largest = 0.0;
        int chosen = k;
        int i;
        int j;
        for (i = k; i < @n_x@; ++i) {
            const double size = fabs(A[i*@n_x@ + k])*state->row_factor[i];
            if (size > largest) {
                largest = size;
                chosen = i;
            }
        }
        if (!(largest > 0.0)) {
            return 0;
        }
        state->exchanged[k] = chosen;
        if (chosen != k) {
            double *const other = A + chosen*@n_x@;
            state->row_factor[chosen] = state->row_factor[k];
            for (j = 0; j < @n_x@; ++j) {
                const double value = row[j];
                row[j] = other[j];
                other[j] = value;
            }
        }
        row[k] = 1.0/row[k];
        for (i = k + 1; i < @n_x@; ++i) {
            double *const below = A + i*@n_x@;
            if (below[k] != 0.0) {
                const double factor = below[k]*row[k];
                below[k] = factor;
                for (j = k + 1; j < @n_x@; ++j) {
                    below[j] -= factor*row[j];
                }
            }
        }
    }
    return 1;
}

/* Replaces a right-hand side by the solution. */
static void solve(const @name@_state *state, double *x)
{
    const double *const A = state->matrix;
    int i;
    int k;
    for (k = 0; k < @n_x@; ++k) {
        const double value = x[state->exchanged[k]];
        x[state->exchanged[k]] = x[k];
        x[k] = value;
    }
    for (i = 1; i < @n_x@; ++i) {
        double sum = x[i];
        for (k = 0; k < i; ++k) {
            sum -= A[i*@n_x@ + k]*x[k];
        }
        x[i] = sum;
    }
    for (i = @n_x@ - 1; i >= 0; --i) {
        double sum = x[i];
        for (k = i + 1; k < @n_x@; ++k) {
            sum -= A[i*@n_x@ + k]*x[k];
        }
        x[i] = sum*A[i*@n_x@ + i];
    }
}

/* y1 from y0 and the increments of an unknown x = (q, v, mu, lambda, u). */
static void advance(@name@_state *state, const double *x)
{
    int i;
    for (i = 0; i < @at_g@; ++i) {
        state->end[i] = state->y[i] + x[i];
    }
%if n_u
    for (i = 0; i < @n_u@; ++i) {
        state->end[@at_g@ + i] = state->y[@at_g@ + i] + x[@at_u@ + i];
    }
%end
}

/* E y'/theta - F(t1, y0, y', lambda): rows of differential equations, then g and G v + gI at t1. */
static void right_side(@name@_state *state, double t)
{
    const double *const y = state->y;
    double *const x = state->increment;
    int i;
@residual_calls@
    for (i = 0; i < @n_x@; ++i) {
        x[i] = 0.0;
    }
    for (i = 0; i < @n_mass@; ++i) {
        const double a = state->rate[@NAME@_N_Q + mass_columns[i]];
        x[@NAME@_N_Q + mass_rows[i]] += state->derivative[mass_source[i]]*a;
    }
    for (i = @NAME@_N_Q; i < @at_u@; ++i) {
        x[i] = x[i]/@theta@ - state->rows[i];
    }
    for (i = 0; i < @NAME@_N_Q; ++i) {
        x[i] = state->rate[i]/@theta@ - (state->rate[i] - state->rows[i]);
    }
%if n_u
    for (i = 0; i < @n_u@; ++i) {
        const double rate = state->rate[@at_g@ + i];
        x[@at_u@ + i] = rate/@theta@ - (rate - state->rows[@at_u@ + i]);
    }
%end
}

%if remains
/* What the step leaves of the constraints, of the size h^2: its part of the increments is taken away. */
static void take_remainder(@name@_state *state, double t)
{
    const double *const y = state->end;
    double *const x = state->remainder;
    int i;
@remainder_calls@
    for (i = 0; i < @n_x@; ++i) {
        x[i] = (i < @at_g@ || i >= @at_u@) ? 0.0 : -state->rows[i];
    }
    solve(state, x);
    for (i = 0; i < @n_x@; ++i) {
        x[i] += state->increment[i];
    }
}

%end
/* state->end from state->y: one matrix, one tangent. */
static int attempt(@name@_state *state)
{
    const double t = state->t + @NAME@_STEP;
%if positions
    int i;
    for (i = 0; i < @positions@; ++i) {
        state->mu[i] = 0.0;
    }
%end
    if (fill_matrix(state) == 0) {
        return @NAME@_NOT_FINITE;
    }
    if (factorise(state) == 0) {
        return @NAME@_SINGULAR;
    }
    right_side(state, t);
    solve(state, state->increment);
    advance(state, state->increment);
%if remains
    take_remainder(state, t);
    advance(state, state->remainder);
%end
    return @NAME@_OK;
}
