/*
 * @name@_timing.c: times of single steps, by the monotonic clock of POSIX: median, p99, p99.99, worst, histogram.
 *
 * For figures that mean something, pin the process to a core that is idle, at a clock rate that does not change.
 */
#define _POSIX_C_SOURCE 199309L

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "@name@.h"

#ifndef @NAME@_STEPS
#define @NAME@_STEPS 20000L
#endif
#define WARM_UP 1000L
#define BINS 24

static long durations[@NAME@_STEPS];

static int compare(const void *left, const void *right)
{
    const long a = *(const long *)left;
    const long b = *(const long *)right;
    return (a > b) - (a < b);
}

static double quantile(double part)
{
    long place = (long)(part*(double)@NAME@_STEPS);
    if (place > @NAME@_STEPS - 1L) {
        place = @NAME@_STEPS - 1L;
    }
    return 1e-3*(double)durations[place];
}

static void print_histogram(void)
{
    long first = 0L;
    long limit = 125L;
    int bin;
    for (bin = 0; bin < BINS; ++bin) {
        long last = first;
        while (last < @NAME@_STEPS && durations[last] < limit) {
            ++last;
        }
        if (last > first) {
            (void)printf("below %10.3f us: %ld steps\n", 1e-3*(double)limit, last - first);
        }
        first = last;
        limit *= 2L;
    }
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
    for (step = -WARM_UP; step < @NAME@_STEPS && status == @NAME@_OK; ++step) {
        struct timespec before;
        struct timespec after;
        (void)clock_gettime(CLOCK_MONOTONIC, &before);
        status = @name@_step(&state, @inputs_argument@&outputs);
        (void)clock_gettime(CLOCK_MONOTONIC, &after);
        if (step >= 0L) {
            durations[step] = (long)(after.tv_sec - before.tv_sec)*1000000000L + (after.tv_nsec - before.tv_nsec);
        }
    }
    if (status != @NAME@_OK) {
        (void)fprintf(stderr, "@name@: status %d at t = %g\n", status, state.t);
        return status;
    }
    qsort(durations, (size_t)@NAME@_STEPS, sizeof durations[0], compare);
    (void)printf("steps   %ld\n", @NAME@_STEPS);
    (void)printf("median  %.3f us\n", quantile(0.5));
    (void)printf("p99     %.3f us\n", quantile(0.99));
    (void)printf("p99.99  %.3f us\n", quantile(0.9999));
    (void)printf("worst   %.3f us\n", quantile(1.0));
%if projects
    (void)printf("worst projection: %d iterations\n", state.worst_iterations);
%end
    print_histogram();
    return 0;
}
