/*
 * @name@.c: the step, its projection, start and outputs.  See @name@.h.
 *
 * Formulas stand in @name@_*_part*.c@tables_note@.
 * Written by dalembert @version@; do not edit, export again.
 *
@sources_note@
 */
#include "@name@.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

#include "@name@_internal.h"

%if p
const double @name@_default_parameters[@NAME@_N_P] = {
@default_parameters@
};

%end
%if inputs
static const double default_input[@NAME@_N_INPUTS] = {
@default_input@
};

%end
static const double start[@NAME@_N_Y] = {
@start@
};


@method_text@
/* -------------------------------------------------------------------------------------------------- functions */

/* Whether rates and multipliers at the end are finite. */
static int all_finite(const @name@_state *state)
{
    double total = 0.0;
    int i;
    for (i = 0; i < @NAME@_N_Y; ++i) {
        total += fabs(state->end_rate[i]);
    }
%if lam
    for (i = 0; i < @NAME@_N_LAMBDA; ++i) {
        total += fabs(state->end_lambda[i]);
    }
%end
    return total <= DBL_MAX;
}

/* The simulation stands at state->end. */
static void accept(@name@_state *state, double t)
{
    int i;
    state->t = t;
    for (i = 0; i < @NAME@_N_Y; ++i) {
        state->y[i] = state->end[i];
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

/* Projects and evaluates state->end, and goes there if all is well. */
static int settle(@name@_state *state, double t)
{
    int status = complete(state, t);
    if (status == @NAME@_OK && !all_finite(state)) {
        status = @NAME@_NOT_FINITE;
    }
    if (status == @NAME@_OK) {
        accept(state, t);
    }
    return status;
}

int @name@_init(@name@_state *state, const double *parameters)
{
    int i;
%if p
    for (i = 0; i < @NAME@_N_P; ++i) {
        state->p[i] = (parameters == NULL) ? @name@_default_parameters[i] : parameters[i];
    }
%else
    (void)parameters;
%end
    for (i = 0; i < @NAME@_N_Y; ++i) {
        state->y[i] = start[i];
    }
%if inputs
    for (i = 0; i < @NAME@_N_INPUTS; ++i) {
        state->input[i] = default_input[i];
    }
%end
@init_lines@
    state->t = @NAME@_START_TIME;
    state->steps = 0UL;
    return @name@_restart(state);
}

int @name@_restart(@name@_state *state)
{
    int status;
    int i;
    for (i = 0; i < @NAME@_N_Y; ++i) {
        state->end[i] = state->y[i];
    }
%if begins_anew
@again_lines@
%end
%if has_constants
    parameters_changed(state);
%end
    status = settle(state, state->t);
%if lags
    if (status == @NAME@_OK) {
        settle_multipliers(state);
        accept(state, state->t);
    }
%end
    return status;
}

%if inputs
void @name@_default_inputs(@name@_inputs *inputs)
{
@default_inputs@
}

%end
int @name@_step(@name@_state *state, @inputs_parameter@@name@_outputs *outputs)
{
    int status;
%if inputs
@take_inputs@
    inputs_changed(state);
%end
    status = attempt(state);
    if (status == @NAME@_OK) {
        status = settle(state, state->t + @NAME@_STEP);
    }
    if (status == @NAME@_OK) {
        ++state->steps;
        if (outputs != NULL) {
            @name@_read(state, outputs);
        }
    }
%if recovers
    else {
        recover(state);
    }
%end
    return status;
}

void @name@_read(@name@_state *state, @name@_outputs *outputs)
{
    double values[@n_outputs@];
@read_calls@
@read_fields@
}
