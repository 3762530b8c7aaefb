/*
 * @name@: @title@
 *
 * A simulation with steps of one size: @method@.
 * Written by dalembert @version@; do not edit, export again.
 *
 * Equations of motion, with y = (q, v, u):
 *
 *     q' = T v,   M v' = f - G^T lambda,   G v + gI = 0,   g = 0,   u' = d
 *
 * C99 and libm, nothing else: no allocation, no recursion, no variables outside of functions (constant tables alone),
 * loops with constant bounds.  All memory is in @name@_state, which belongs to the caller: several simulations may run
 * beside each other, each with a state of its own.
 *
 *     @name@_state state;
%if inputs
 *     @name@_inputs inputs;
%end
 *     @name@_outputs outputs;
 *     int status = @name@_init(&state, NULL);
%if inputs
 *     @name@_default_inputs(&inputs);
%end
 *     while (status == @NAME@_OK) {
%if inputs
 *         inputs.@first_input@ = ...;
%end
 *         status = @name@_step(&state, @inputs_argument@&outputs);
 *     }
 *
 * Numbers are in the units of the model, angles in radians; comments name units where they are known.
 */
#ifndef @NAME@_H
#define @NAME@_H

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------------------------------------------- sizes */

@sizes@

/* ------------------------------------------------------------------------------------------- how a call ended */

enum {
@codes@
};

/* -------------------------------------------------------------------------- places in vectors of the state */

@places@
@input_struct@
@output_struct@

/* ---------------------------------------------------------------------------------------------------- state */

typedef struct {
    /* What the simulation goes on from.  After a change by hand call @name@_restart. */
@begins@

    /* What follows from it. */
@follows@

    /* Kept for the next step, or scratch; not to be changed. */
@scratch@
} @name@_state;

/* -------------------------------------------------------------------------------------------------- functions */

%if p
/* Parameters as the model has them. */
extern const double @name@_default_parameters[@NAME@_N_P];

%end
/* The start: parameters (@parameters_hint@), time, state, projected onto the constraints. */
int @name@_init(@name@_state *state, const double *parameters);

/* To be called after state->t, state->y or state->p were changed: projects, and finds rates and multipliers. */
int @name@_restart(@name@_state *state);

%if inputs
/* Inputs as the model has them at the start. */
void @name@_default_inputs(@name@_inputs *inputs);

%end
/*
 * One step of size @NAME@_STEP@held@.
 * Outputs are those at its end; NULL where they are not wanted.  Returns one of the codes above; a step that fails
 * leaves time, y, rates and multipliers as they were, and outputs untouched.
 */
int @name@_step(@name@_state *state, @inputs_parameter@@name@_outputs *outputs);

/* Outputs where the simulation stands. */
void @name@_read(@name@_state *state, @name@_outputs *outputs);

#ifdef __cplusplus
}
#endif

#endif
