"""Chosen components of a motion, as polynomials that stand for themselves."""

import pickle

import numpy as np
import pytest

import dalembert as da
from dalembert.solution import Curves
from dalembert.solution.solution_errors import SolutionError, UnknownNameError


@pytest.mark.parametrize("method", ["mexx", "dop853"])
def test_curves_follow_the_motion(method):
    problem = da.problems.pendulum()
    run = da.simulate(problem, (0, 1), method=method, rtol=1e-9, atol=1e-9)
    x, y = run.names["q"]
    names = [y, f"{x}.rate", f"{x}.acceleration", run.names["lam"][0]]
    curves = run.curves(*names)
    t = np.linspace(0, 1, 57)
    motion, found = run.sol(t), curves(t)
    assert list(found) == names
    expected = motion.q[1], motion.v[0], motion.a[0], motion.lam[0]
    for value, exact in zip(found.values(), expected, strict=True):
        assert value == pytest.approx(exact, rel=1e-5, abs=1e-5)
    again = pickle.loads(pickle.dumps(curves))
    assert isinstance(again, Curves) and again(0.3)[y] == curves(0.3)[y]
    assert np.ndim(curves(0.3)[y]) == 0 and names[0] in repr(curves)


def test_curves_of_a_run_that_was_stored(tmp_path):
    problem = da.problems.seven_body()
    run = da.simulate(problem, method="mexx", rtol=1e-7, atol=1e-7)
    run.save(tmp_path / "run.nc")
    t = np.linspace(0, 0.03, 40)
    stored = da.load(tmp_path / "run.nc").curves("beta")
    assert stored(t)["beta"] == pytest.approx(run.curves("beta")(t)["beta"], abs=1e-14)


def test_what_there_is_no_curve_of():
    run = da.simulate(da.problems.pendulum(), (0, 0.1))
    with pytest.raises(UnknownNameError, match="there is no curve called 'z'"):
        run.curves("z")
    with pytest.raises(SolutionError, match="dense_output=True"):
        da.simulate(da.problems.pendulum(), (0, 0.1), dense_output=False).curves("x")
    with pytest.raises(SolutionError, match="outside the run"):
        run.curves(run.names["q"][0])(5.0)
