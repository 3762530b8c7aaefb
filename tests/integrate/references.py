"""Problems with a reference that is nearly exact, computed once for all tests of a worker."""

import functools

import dalembert as da

PROBLEMS = {
    "pendulum": (da.problems.pendulum, 1.0),
    "double_pendulum": (da.problems.double_pendulum, 0.5),
    "seven_body": (da.problems.seven_body, 0.004),
}
#: For methods whose errors on the shorter span are too near to rounding.
LONGER = {"longer_seven_body": (da.problems.seven_body, 0.008)}


@functools.cache
def problem_and_reference(name):
    make, t_end = (PROBLEMS | LONGER)[name]
    problem = make()
    start = problem.q0, problem.v0
    reference = da.simulate(problem.equations, (0, t_end), start, method="dop853", rtol=1e-14, atol=1e-15)
    assert reference.success
    return problem, reference
