"""Runs against published, closed-form and recomputed solutions of the problems of the library."""

import numpy as np
import pytest

import dalembert as da


def run(problem, t_end, method, rtol, atol, **options):
    start = problem.q0, problem.v0
    options = {"dense_output": False, "max_steps": 100_000} | options
    found = da.simulate(problem.equations, (0, t_end), start, method=method, rtol=rtol, atol=atol, **options)
    assert found.outcome == "finished" and found.t[-1] == t_end, found.message
    return found


def digits(found, reference, name):
    """Correct digits of the largest component of a quantity at the end."""
    value = getattr(reference, name)
    error = np.abs(getattr(found, name)[:, -1] - value).max() / np.abs(value).max()
    return -np.log10(max(error, 1e-17))


def agrees(found, reference, less=0.0):
    """Whether all known quantities have all trusted digits, or ``less`` fewer."""
    for name in ("q", "v", "a", "lam"):
        if getattr(reference, name) is not None:
            assert digits(found, reference, name) > reference.trusted(name) - less - 0.3, name
    return True


@pytest.mark.parametrize("method,rtol", [("dop853", 1e-13), ("radau9", 1e-13), ("radau13", 1e-14)])
def test_seven_body_mechanism_to_twelve_digits(method, rtol):
    problem = da.problems.seven_body()
    found = run(problem, 0.03, method, rtol, 0.1 * rtol)
    recomputed, published = problem.references[1:]
    for name in ("q", "v", "lam"):
        assert digits(found, recomputed, name) > 12
    assert digits(found, recomputed, "a") > 11.3 and agrees(found, published)


def test_andrews_mechanism_of_the_iftomm_library():
    problem = da.problems.a03()
    found = run(problem, 0.05, "dop853", 1e-13, 1e-14)
    assert agrees(found, problem.reference())
    beta, rr = found.q[0, -1], problem.p.rr
    assert rr * np.array([np.cos(beta), np.sin(beta)]) == pytest.approx([-0.0052085047, 0.0046766953], abs=1e-10)


@pytest.mark.parametrize("method", ["dop853", "radau9", "radau13"])
@pytest.mark.parametrize("name", ["pendulum", "double_pendulum"])
def test_pendulums(name, method):
    problem = da.problems.get(name)
    found = run(problem, problem.span[1], method, 1e-14, 1e-15)
    assert agrees(found, problem.reference(), less=1.0)


@pytest.mark.parametrize("method,rtol", [("radau", 1e-10), ("radau9", 1e-10), ("radau13", 1e-10)])
def test_stiff_double_pendulum(method, rtol):
    """Eigenvalues of −1e5: an explicit method needs 16 000 steps for one second."""
    problem = da.problems.stiff_double_pendulum()
    for t_end in (1.0, 2.0):
        found = run(problem, t_end, method, rtol, 0.1 * rtol)
        assert digits(found, problem.reference(t_end), "q") > 11 and digits(found, problem.reference(t_end), "v") > 10
        assert found.statistics.steps < {"radau": 3000, "radau9": 400, "radau13": 250}[method]


@pytest.mark.parametrize("method", ["radau9", "radau13"])
def test_stiff_double_pendulum_from_rest_has_the_values_that_the_thesis_implies(method):
    """All 16, as close as the instants are printed: to half a unit of their last digit.

    What is computed is a thousand times closer to the solution than the values can be told from, 1e-10 beside 1e-7.
    """
    problem = da.problems.stiff_double_pendulum(start="rest")
    found = da.simulate(problem, method=method, rtol=1e-11, atol=1e-12)
    assert digits(found, problem.reference(), "q") > 10.7 and digits(found, problem.reference(), "v") > 9.7
    assert len(problem.observations) == 16
    for one in problem.observations:
        ((name, value),) = one.values.items()
        point = found.sol(one.t)
        ours, slope = (point.q[2], point.v[2]) if name == "theta1" else (point.v[2], point.a[2])
        assert abs(ours - value) <= one.within * abs(slope) + 1e-7, one


@pytest.mark.parametrize("stiffness", ["linear", "nonlinear"])
@pytest.mark.parametrize(
    "method,rtol,atol", [("dop853", 1e-12, 1e-15), ("radau9", 1e-9, 1e-12), ("radau13", 1e-9, 1e-12)]
)
def test_slider_crank(method, rtol, atol, stiffness):
    """Vibrations hundreds of times faster than the crank, with amplitudes from 1e-4 down to 1e-6 and no damping.

    The start is projected onto the constraints, so the reference is the one for the projected start.
    """
    problem = da.problems.slider_crank(stiffness=stiffness)
    found, reference = run(problem, 0.1, method, rtol, atol), problem.references[0]
    assert np.abs(found.q[:, -1] / reference.q - 1).max() < 1e-8  # each component for itself, the elastic ones too
    assert np.abs(found.v[:, -1] / reference.v - 1).max() < 1e-6
    assert digits(found, reference, "q") > 13 and digits(found, reference, "v") > 11
    assert digits(found, reference, "a") > 8.5 and digits(found, reference, "lam") > 8.5
    assert not np.allclose(
        found.v[:, -1], problem.references[1].v, rtol=0, atol=1e-7
    )  # the start as printed is another


def test_slider_crank_to_nine_digits():
    """Positions and multipliers, each component for itself, and seven digits of the smallest velocities.

    Constraints that hold to 1e-16 move elastic coordinates of 1e-6 by 1e-10 of their size in every step, and elastic
    forces with them. The explicit method has nine digits all the same; the stiff one, in a fifth of its steps, eight.
    """
    problem = da.problems.slider_crank()
    reference = problem.references[0]
    fine, stiff = run(problem, 0.1, "dop853", 1e-12, 1e-14), run(problem, 0.1, "radau13", 1e-9, 1e-11)
    for found, error in ((fine, 1e-9), (stiff, 1e-8)):
        assert np.abs(found.q[:, -1] / reference.q - 1).max() < error
        assert np.abs(found.lam[:, -1] / reference.lam - 1).max() < error
    assert np.abs(fine.v[:, -1] / reference.v - 1).max() < 1e-7
    assert np.abs(stiff.v[:, -1] / reference.v - 1).max() < 1e-7
    assert stiff.statistics.steps < 2000


def test_slider_crank_follows_slow_motion_with_large_steps():
    """What stiff methods are for: at moderate tolerances the vibrations do not limit the steps."""
    problem = da.problems.slider_crank()
    found = run(problem, 0.1, "radau", 1e-4, 1e-4)
    assert found.statistics.steps < 250
    assert found.q[:3, -1] == pytest.approx(problem.references[0].q[:3], abs=1e-6)
    assert found.q[3:, -1] == pytest.approx(problem.references[0].q[3:], rel=0.02)
    assert run(problem, 0.1, "dop853", 1e-4, 1e-4).statistics.steps > 2 * found.statistics.steps


@pytest.mark.parametrize("variant", ["joint", "unconstrained"])
@pytest.mark.parametrize("springs", ["linear", "air", "both"])
@pytest.mark.parametrize("method,rtol,less", [("dop853", 1e-11, 0.5), ("radau9", 1e-10, 2.0)])
def test_truck(variant, springs, method, rtol, less):
    problem = da.problems.truck(variant=variant, springs=springs)
    for t_end in (5.0, 10.0):
        found = run(problem, t_end, method, rtol, 0.1 * rtol)
        assert agrees(found, problem.reference(t_end), less)
        assert set(problem.equations.breaks) <= set(found.t.tolist())


@pytest.mark.parametrize(
    "method,rtol,error", [("dop853", 1e-13, 1e-11), ("radau9", 1e-11, 1e-11), ("dopri5", 1e-10, 1e-6)]
)
def test_simple_pendulum_of_the_iftomm_library(method, rtol, error):
    problem = da.problems.a01()
    found = run(problem, 20.0, method, rtol, 0.1 * rtol, t_eval=[1.0, 5.0, 10.0, 20.0], dense_output=True)
    q, v = problem.exact(found.t)
    assert found.q == pytest.approx(q, abs=error) and found.v == pytest.approx(v, abs=10 * error)
    for k, t in enumerate((1.0, 5.0, 10.0)):
        assert found.q[:, k] == pytest.approx(problem.reference(t).q, abs=max(error, 1e-9))
    energy = [problem.invariant(t, q, v, problem.p) for t, q, v in zip(found.t, found.q.T, found.v.T, strict=True)]
    assert np.abs(energy).max() < 10 * error


@pytest.mark.parametrize("n", [2, 40])
def test_four_bars_through_singular_positions(n):
    """All bars on one line twice per turn, where the constraints lose rank: the motion stays on its branch for 20 s."""
    problem = da.problems.a02(n)
    found = run(problem, 20.0, "dop853", 1e-6, 1e-8)
    q, v = problem.exact(found.t)
    assert np.abs(found.q - q).max() < 1e-3 and np.abs(found.v - v).max() < 1e-2
    energy = [problem.invariant(t, q, v, problem.p) for t, q, v in zip(found.t, found.q.T, found.v.T, strict=True)]
    assert np.ptp(energy) < 1e-4 * (2 * n + 1) * 9.81
    for t in (1.0, 5.0, 10.0, 20.0):
        reference = problem.reference(t)
        assert reference.q == pytest.approx(problem.exact(t)[0], abs=1e-8)


def test_chain_of_bars_keeps_its_energy():
    problem = da.problems.pendulum_chain(8, t_end=0.5)
    found = run(problem, 0.5, "dop853", 1e-9, 1e-11)
    energy = [problem.invariant(t, q, v, problem.p) for t, q, v in zip(found.t, found.q.T, found.v.T, strict=True)]
    assert np.ptp(energy) < 1e-8
    other = run(problem, 0.5, "radau9", 1e-9, 1e-11)
    assert other.q[:, -1] == pytest.approx(found.q[:, -1], abs=1e-7)
