"""Runs that are made again: the same results, bit for bit, in the memory of an earlier one."""

from __future__ import annotations

import gc
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import dalembert as da
from dalembert.errors import DalembertError
from dalembert.integrate.run.prepared import MOST_PREPARED
from dalembert.integrate.run.records import Recorder


def pendulum() -> da.Equations:
    return da.trace(
        M=lambda p: np.diag([p.m, p.m]), f=lambda p: np.array([0.0, -p.m * p.g]),
        g=lambda q, p: np.array([q @ q - p.L**2]),
        n_q=2, parameters={"m": 1.0, "L": 2.0, "g": 9.81}, name="pendulum",
    )  # fmt: skip


START = (np.array([2.0, 0.0]), np.array([0.0, 0.0]))


def same(one: da.Solution, other: da.Solution) -> None:
    for key in ("t", "q", "v", "a", "lam"):
        assert np.array_equal(getattr(one, key), getattr(other, key)), key
    assert one.statistics == other.statistics and one.message == other.message


@pytest.mark.parametrize("method", ["auto", "dop853", "dopri5", "mexx", "radau"])
def test_a_run_that_is_made_again_is_the_same(method: str) -> None:
    eqs = pendulum()
    runs = [da.simulate(eqs, (0.0, 1.0), START, method=method) for _ in range(6)]
    assert all(one.beginning.point is not None for one in eqs.kept("prepared runs", dict).values())
    fresh = da.simulate(pendulum(), (0.0, 1.0), START, method=method)
    for run in runs:
        same(run, fresh)
    assert np.array_equal(runs[0].sol(0.37).q, runs[3].sol(0.37).q)  # earlier results keep their own
    assert np.array_equal(runs[0].sol(0.37).lam, runs[5].sol(0.37).lam)
    assert runs[5].parameters == fresh.parameters == {"m": 1.0, "L": 2.0, "g": 9.81}
    longer = [da.resume(run, until=1.5) for run in (runs[0], runs[5])]
    same(*longer)


def test_what_was_said_about_the_start_is_said_again() -> None:
    eqs, beside = pendulum(), (np.array([2.01, 0.0]), np.zeros(2))
    runs = [da.simulate(eqs, (0.0, 0.5), beside, rtol=1e-16, t_eval=(0.0, 0.2, 0.5)) for _ in range(6)]
    for run in runs:
        same(run, runs[0])
        assert "The start was moved onto the constraints: q0 by -0.01." in run.message
        assert run.message.count("rtol = 1e-15 was used") == 1 and run.t.tolist() == [0.0, 0.2, 0.5]


def test_functions_of_the_user_are_called_in_each_run() -> None:
    count = [0]

    def force(q: np.ndarray) -> np.ndarray:
        count[0] += 1
        return -q

    eqs = da.trace(M=lambda: np.eye(2), f=da.numeric(force), n_q=2, name="oscillator")
    calls = []
    for _ in range(6):
        before = count[0]
        da.simulate(eqs, (0.0, 0.5), START, method="dopri5")
        calls.append(count[0] - before)
    assert calls[1] > 0 and set(calls[1:]) == {calls[1]}
    assert all(one.beginning.point is None for one in eqs.kept("prepared runs", dict).values())


def test_runs_by_turns_have_a_memory_of_their_own() -> None:
    eqs, methods = pendulum(), ["auto", "dop853", "radau9", "bdf"]
    fresh = [da.simulate(pendulum(), (0.0, 1.0), START, method=method) for method in methods]
    for _ in range(4):
        for method, wanted in zip(methods, fresh, strict=True):
            same(da.simulate(eqs, (0.0, 1.0), START, method=method), wanted)
    memories = [one.beginning.idle[0] for one in eqs.kept("prepared runs", dict).values()]
    assert len({id(one) for one in memories}) == len(methods)


def test_what_is_different_is_not_taken_for_the_same() -> None:
    eqs = pendulum()
    q, v = np.array([2.0, 0.0]), np.zeros(2)
    first = da.simulate(eqs, (0.0, 1.0), (q, v))
    q[:] = 0.0, -2.0  # the same arrays with other numbers
    v[:] = 1.0, 0.0
    second = da.simulate(eqs, (0.0, 1.0), (q, v))
    assert not np.allclose(first.q[:, -1], second.q[:, -1])
    heavy = da.simulate(eqs, (0.0, 1.0), START, parameters={"g": 1.6})
    assert not np.allclose(first.q[:, -1], heavy.q[:, -1])
    same(da.simulate(eqs, (0.0, 1.0), START, parameters={"g": 1.6}), heavy)
    tight = da.simulate(eqs, (0.0, 1.0), START, rtol=1e-10)
    assert tight.statistics.steps > first.statistics.steps
    assert da.simulate(eqs, (0.0, 1.0), START, dense_output=False).sol is None
    at = da.simulate(eqs, (0.0, 1.0), START, t_eval=(0.0, 0.25, 1.0))
    assert at.t.tolist() == [0.0, 0.25, 1.0]
    same(da.simulate(eqs, (0.0, 1.0), START), first)


def test_wrong_options_are_refused_after_right_ones_too() -> None:
    eqs = pendulum()
    da.simulate(eqs, (0.0, 1.0), START)
    for wrong in (
        {"dense_output": 1}, {"rtol": True}, {"max_steps": -1}, {"min_step": "0"}, {"progress": 3}, {"solver": "none"}
    ):  # fmt: skip
        with pytest.raises(DalembertError):
            da.simulate(eqs, (0.0, 1.0), START, **wrong)
    with pytest.raises(DalembertError, match="needs a start: "):
        da.simulate(eqs, (0.0, 1.0))


def test_only_some_beginnings_are_kept_and_runs_can_be_extended() -> None:
    eqs = pendulum()
    for k in range(3 * MOST_PREPARED):
        da.simulate(eqs, (0.0, 0.1 + 0.1 * k), START)
    assert len(eqs.kept("prepared runs", dict)) == MOST_PREPARED
    first, second = (da.simulate(eqs, (0.0, 1.0), START) for _ in range(2))
    longer = da.resume(first, until=2.0)
    assert longer.t[-1] == 2.0 and np.array_equal(da.resume(second, until=2.0).q, longer.q)


def test_a_run_within_a_run_has_a_memory_of_its_own() -> None:
    eqs = pendulum()
    wanted = da.simulate(eqs, (0.0, 1.0), START)
    inner: list[da.Solution] = []

    def progress(t: float, statistics: object) -> None:
        inner.append(da.simulate(eqs, (0.0, 1.0), START))

    same(da.simulate(eqs, (0.0, 1.0), START, progress=progress), wanted)
    for run in inner:
        same(run, wanted)


@pytest.mark.parametrize("method", ["radau", "rodas5p", "dop853"])
def test_elements_write_again_what_is_constant(method: str) -> None:
    chain = da.problems.pendulum_chain(4)
    runs = [da.simulate(chain, (0.0, 0.1), method=method, rtol=rtol) for rtol in (1e-5, 1e-5, 1e-6, 1e-5)]
    assert runs[0].message == "The run reached the end of its span, t = 0.1."
    for again in (runs[1], runs[3]):
        same(again, runs[0])


def test_memory_goes_on_to_runs_from_elsewhere() -> None:
    eqs = pendulum()
    starts = [(np.array([2.0 * np.sin(x), -2.0 * np.cos(x)]), np.zeros(2)) for x in (0.3, 1.2)]
    for method in ("auto", "radau", "bdf"):
        for start in starts:
            for parameters in (None, {"g": 1.6}):
                run = da.simulate(eqs, (0.0, 1.0), start, method=method, parameters=parameters)
                same(run, da.simulate(pendulum(), (0.0, 1.0), start, method=method, parameters=parameters))


def test_parts_that_are_made_later_are_those_of_the_run() -> None:
    eqs = pendulum()
    first = da.simulate(eqs, (0.0, 1.0), START)
    second = da.simulate(eqs, (0.0, 2.0), START, rtol=1e-9)  # in the memory of the first
    assert first.statistics.steps == first.t.size - 1 and second.statistics.steps == second.t.size - 1
    assert first.sol.n_steps == first.t.size - 1 and "t = 1." in first.message and "t = 2." in second.message
    third = pickle.loads(pickle.dumps(da.simulate(eqs, (0.0, 1.0), START)))
    same(third, first)
    assert third.sol(0.5).q == pytest.approx(first.sol(0.5).q, abs=1e-6)  # without equations nothing is projected
    fourth = da.simulate(eqs, (0.0, 1.0), START)
    fourth.sol = None  # what is given takes the place of what would be made
    assert pickle.loads(pickle.dumps(fourth)).sol is None
    with pytest.raises(AttributeError, match="a solution has no 'mesage'; did you mean 'message'"):
        _ = first.mesage  # type: ignore[attr-defined]


def test_first_points_hold_no_results() -> None:
    eqs = pendulum()
    for _ in range(4):
        da.simulate(eqs, (0.0, 1.0), START)
    (prepared,) = eqs.kept("prepared runs", dict).values()
    point = prepared.beginning.point
    recorders = [one for one in gc.get_objects() if type(one) is Recorder]  # isinstance asks dead proxies
    kept = [one for one in recorders if any(one is held for held in gc.get_referents(vars(point), point._parts))]
    assert len(kept) == 1 and len(kept[0].times) == 1 and not kept[0].coefficients


def test_threads_begin_at_the_same_point() -> None:
    eqs = pendulum()
    wanted, *_ = (da.simulate(eqs, (0.0, 1.0), START) for _ in range(4))
    with ThreadPoolExecutor(4) as pool:
        runs = list(pool.map(lambda _: da.simulate(eqs, (0.0, 1.0), START), range(24)))
        points = list(pool.map(lambda run: run.sol(0.37).lam, runs))
    for run, lam in zip(runs, points, strict=True):
        same(run, wanted)
        assert np.array_equal(lam, wanted.sol(0.37).lam)
