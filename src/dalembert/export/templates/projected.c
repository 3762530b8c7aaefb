%if compares
/* Sizes of coordinates, which corrections are compared with. */
@coordinate_size@
%end
%if positions
/* A quadratic iteration leaves the square of its last correction. */
static const double last_correction = @last_correction@;

%end
/* ------------------------------------------------------------------------------------------ what formulas give */

%if iterates_multipliers
/*
 * Rates of y, and multipliers: M a + G^T lambda = f, G a = gamma, solved in the formulas.  mexx (3.1)
 * f is replaced by its tangent at the last multipliers, until these are settled; if they never are, none is found.
 */
%else
/* Rates of y, and multipliers: M a + G^T lambda = f, G a = gamma, solved in the formulas.  mexx (3.1) */
%end
static void rates_at(@name@_state *state, double t, const double *y, double *rates@lam_parameter@)
{
%if iterates_multipliers
    int settled = 0;
    int iteration;
    int i;
    for (i = 0; i < @NAME@_N_LAMBDA; ++i) {
        state->guess[i] = (fabs(state->lambda[i]) <= DBL_MAX) ? state->lambda[i] : 0.0;
    }
    for (iteration = 0; iteration < @multiplier_iterations@ && settled == 0; ++iteration) {
        double change = 0.0;
        double size = 1e-300;
@rate_calls@
        for (i = 0; i < @NAME@_N_LAMBDA; ++i) {
            const double moved = fabs(lambda[i] - state->guess[i]);
            const double found = fabs(lambda[i]);
            change = (moved > change || moved != moved) ? moved : change;
            size = (found > size) ? found : size;
            state->guess[i] = lambda[i];
        }
        settled = (change <= @settled@*size);
    }
    if (settled == 0) {
        lambda[0] = HUGE_VAL;
    }
%else
%if copies_v
    int i;
%end
@rate_calls@
%end
%if copies_v
    for (i = 0; i < @NAME@_N_Q; ++i) {
        rates[i] = y[@NAME@_N_Q + i];
    }
%end
}

%if normalizes
%if iterates_normal
/*
 * Invariants of coordinates restored: norms of Euler parameters, and auxiliary variables s of h(q, s) = 0 by Newton's
 * method.
 */
static int normalise(@name@_state *state, double t, double *q)
{
    int iteration;
    for (iteration = 0; iteration < @restorations@; ++iteration) {
        double largest = 0.0;
        int i;
@normal_calls@
        for (i = 0; i < @NAME@_N_Q; ++i) {
            const double size = fabs(state->normal[i] - q[i])/(coordinate_size[i] + fabs(q[i]));
            if (size > largest || size != size) {
                largest = size;
            }
        }
        for (i = 0; i < @NAME@_N_Q; ++i) {
            q[i] = state->normal[i];
        }
        if (largest <= @restored@) {
            return @NAME@_OK;
        }
        if (!(largest <= DBL_MAX)) {
            break;
        }
    }
    return @NAME@_AUXILIARY_FAILED;
}
%else
/* Invariants of coordinates, as norms of Euler parameters, restored. */
static int normalise(@name@_state *state, double t, double *q)
{
    int i;
@normal_calls@
    for (i = 0; i < @NAME@_N_Q; ++i) {
        q[i] = state->normal[i];
    }
    return @NAME@_OK;
}
%end

%end
%if positions
/* Largest entry of a correction, from the sizes of the coordinates; NaN stays. */
static double relative_size(const double *q, const double *correction)
{
    double largest = 0.0;
    int i;
    for (i = 0; i < @NAME@_N_Q; ++i) {
        const double size = fabs(correction[i])/(coordinate_size[i] + fabs(q[i]));
        if (size > largest || size != size) {
            largest = size;
        }
    }
    return largest;
}

/* Moves q onto g = 0, orthogonally in the metric of M.  mexx (2.9), (2.11) */
static int project_positions(@name@_state *state, double t, double *q)
{
    double before = HUGE_VAL;
    int status = @NAME@_PROJECTION_FAILED;
    int iteration;
    for (iteration = 1; iteration <= @NAME@_MOST_ITERATIONS; ++iteration) {
        double size;
        int i;
@position_calls@
        size = relative_size(q, state->correction);
        state->iterations = iteration;
        if (!(size < 2.0*before)) {
            break;
        }
        for (i = 0; i < @NAME@_N_Q; ++i) {
            q[i] += state->correction[i];
        }
%if iterates_normal
        if (normalise(state, t, q) != @NAME@_OK) {
            status = @NAME@_AUXILIARY_FAILED;
            break;
        }
%end
        if (size <= last_correction) {
            status = @NAME@_OK;
            break;
        }
        before = size;
    }
    if (state->iterations > state->worst_iterations) {
        state->worst_iterations = state->iterations;
    }
    return status;
}

%end
%if lam
/* Moves v onto G v + gI = 0, orthogonally in the metric of M.  mexx (2.12) */
static void project_velocities(@name@_state *state, double t, double *y)
{
    double *const v = y + @NAME@_N_Q;
    int i;
@velocity_calls@
    for (i = 0; i < @NAME@_N_V; ++i) {
        v[i] += state->velocity_correction[i];
    }
%if positions
    for (i = 0; i < @n_g@; ++i) {
        const double residual = fabs(state->residual[i]);
        if (residual > state->worst_residual) {
            state->worst_residual = residual;
        }
    }
%end
}

%end
/* Projects state->end, and finds its rates and multipliers. */
static int complete(@name@_state *state, double t)
{
    double *const y = state->end;
    int status = @NAME@_OK;
%if normalizes
    status = normalise(state, t, y);
%end
%if positions
    if (status == @NAME@_OK) {
        status = project_positions(state, t, y);
    }
%end
    if (status == @NAME@_OK) {
%if lam
        project_velocities(state, t, y);
%end
        rates_at(state, t, y, state->end_rate@end_lam@);
    }
    return status;
}

%if inputs
/* Rates and multipliers where the simulation stands, with new inputs. */
static void inputs_changed(@name@_state *state)
{
    rates_at(state, state->t, state->y, state->rate@state_lam@);
}

%end
