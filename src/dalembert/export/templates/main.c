/*
 * @name@_main.c: makes @NAME@_STEPS steps and prints the outputs as lines of numbers with commas between them.
 *
 *     cc -std=c99 -O2 -o @name@_main @name@_main.c @sources@ -lm
 */
#include <stdio.h>

#include "@name@.h"

#ifndef @NAME@_STEPS
#define @NAME@_STEPS 1000L
#endif

static void print_line(const @name@_state *state, const @name@_outputs *outputs)
{
    (void)printf("%.17g", state->t);
@print_fields@
    (void)printf("\n");
}

int main(void)
{
    static @name@_state state;
%if inputs
    @name@_inputs inputs;
%end
    @name@_outputs outputs;
    long step;
    int status = @name@_init(&state, NULL);
%if inputs
    @name@_default_inputs(&inputs);
%end
    (void)printf("t@csv_names@\n");
    if (status == @NAME@_OK) {
        @name@_read(&state, &outputs);
        print_line(&state, &outputs);
    }
    for (step = 0L; step < @NAME@_STEPS && status == @NAME@_OK; ++step) {
        status = @name@_step(&state, @inputs_argument@&outputs);
        if (status == @NAME@_OK) {
            print_line(&state, &outputs);
        }
    }
    if (status != @NAME@_OK) {
        (void)fprintf(stderr, "@name@: status %d at t = %g\n", status, state.t);
    }
    return status;
}
