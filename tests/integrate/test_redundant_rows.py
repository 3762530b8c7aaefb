"""Overconstrained mechanisms: redundant constraints whose rows have to be left out by turns, and multipliers that they
share."""

from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

import dalembert as da
from dalembert.equations import Equations
from dalembert.integrate.run import remedies
from dalembert.problems.mechanisms import bricard

#: The linkage comes back to its start after 2.77 s; rows are exchanged after 1.36 s and 1.84 s.
SPAN, FIRST, STEPS = (0.0, 3.0), (0.0, 1.6), 600
METHODS = ("dop853", "mexx", "radau")


@cache
def linkage(coordinates):
    example = bricard()
    builder = "elements" if coordinates == "absolute" else "symbolic"
    example.model.sensor("energy", example.conserved["energy"])
    equations = example.model.equations(coordinates=coordinates, builder=builder)
    return equations, example.assemble(equations)


@pytest.fixture
def choose(monkeypatch):
    """Make checks leave out a certain row, as another order of rows or other rounding might."""
    found = Equations.check

    def leave_out(row):
        def check(self, *arguments, **options):
            made = found(self, *arguments, **options)
            rows = tuple(i for i in range(self.sizes.lam) if i != row)
            return replace(made, rows=rows, dependent=(row,))

        monkeypatch.setattr(Equations, "check", check)

    return leave_out


def simulate(coordinates, method="dop853", span=SPAN, rtol=1e-6, **options):
    equations, start = linkage(coordinates)
    return da.simulate(
        equations, span, start, method=method, rtol=rtol, atol=1e-2 * rtol, redundant="accept",
        solver="sparse" if method == "radau" else "dense", **{"max_steps": STEPS, **options},
    )  # fmt: skip


def possible(coordinates):
    """Rows that may be left out at the start: those that take part in the dependency."""
    equations, start = linkage(coordinates)
    G = equations.evaluate("G", t=0.0, q=start.q)
    G = G / np.linalg.norm(G, axis=1)[:, None]
    return np.flatnonzero(np.abs(np.linalg.svd(G)[0][:, -1]) > 1e-3).tolist()


def closure(equations, run):
    """The largest residual of all constraints, those left out too."""
    return max(np.abs(equations.evaluate("g", t=t, q=q)).max() for t, q in zip(run.t, run.q.T, strict=True))


def check_multipliers(coordinates, t, q, lam):
    """Multipliers have no part along the dependency of the rows."""
    equations, _ = linkage(coordinates)
    for instant, place, found in zip(t, q.T, lam.T, strict=True):
        G = equations.evaluate("G", t=instant, q=place)
        dependency = np.linalg.svd(G)[0][:, -1]
        assert abs(dependency @ found) < 1e-7 * np.linalg.norm(found)


@pytest.mark.parametrize(("first", "every", "rtol"), [(0, 7, 1e-6), (1, 7, 1e-4), (2, 7, 1e-9)])
def test_a_run_passes_whatever_row_it_begins_without(choose, first, every, rtol):
    steps = []
    for row in possible("absolute")[first::every]:
        choose(row)
        run = simulate("absolute", rtol=rtol)
        assert run.success and run.t[-1] == SPAN[1], run.message
        assert closure(linkage("absolute")[0], run) < 1e-7
        steps.append(run.statistics.steps)
    # With rows that are never exchanged most of these runs creep or fail after a tenth of the span.
    assert max(steps) < 4 * min(steps) and len(steps) > 3


@cache
def exact(times):
    """Places of a joint at some instants, in the coordinates with the fewest constraints."""
    run = simulate("relative", span=FIRST, rtol=1e-11, t_eval=np.array(times))
    return np.array([run[f"P3 position.{axis}"] for axis in "xyz"])


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
def test_all_methods_exchange_rows_and_say_so(choose, coordinates, method):
    equations, _ = linkage(coordinates)
    times = tuple(np.linspace(*FIRST, 17).tolist())
    places = exact(times)
    row = equations.index("lam", "P5.xz" if coordinates == "relative" else "P2.xz")
    choose(row)
    run = simulate(coordinates, method, FIRST, rtol=1e-8, t_eval=np.array(times))
    assert run.success and run.t[-1] == FIRST[1]
    assert "Redundant constraints were left out by turns" in run.message
    assert f"instead of {equations.names['lam'][row]} from t = " in run.message
    assert closure(equations, run) < 1e-7
    assert np.ptp(run["energy"]) < 1e-4
    check_multipliers(coordinates, run.t, run.q, run.lam)
    # The motion is that of the linkage, whatever the coordinates and rows.
    assert np.abs(np.array([run[f"P3 position.{axis}"] for axis in "xyz"]) - places).max() < 1e-3


def test_multipliers_are_continuous_where_rows_are_exchanged(choose):
    choose(linkage("absolute")[0].index("lam", "P2.xz"))
    run = simulate("absolute", rtol=1e-8, span=(0.0, 3.0))
    at = float(run.message.split("from t = ")[1].split(" ")[0])
    k = int(np.argmin(np.abs(run.t - at)))
    before, after = run.sol(run.t[k] - 1e-9).lam, run.sol(run.t[k] + 1e-9).lam
    assert np.abs(after - before).max() < 1e-4 * np.abs(before).max()
    times = np.linspace(0.0, 3.0, 31)
    point = run.sol(times)
    check_multipliers("absolute", times, point.q, point.lam)
    asked = simulate("absolute", rtol=1e-8, span=(0.0, 3.0), t_eval=times)
    assert asked.lam == pytest.approx(point.lam, rel=1e-6, abs=1e-6 * np.abs(point.lam).max())


@pytest.mark.parametrize("method", METHODS)
def test_resumed_runs_exchange_the_same_rows(choose, method):
    choose(linkage("absolute")[0].index("lam", "P2.xz"))
    equations, span = linkage("absolute")[0], FIRST
    whole = simulate("absolute", method, span)
    at = float(whole.message.split("from t = ")[1].split(" ")[0])
    k = int(np.argmin(np.abs(whole.t - at)))
    for steps in (k - 1, k, k + 1):
        part = da.resume(simulate("absolute", method, span, max_steps=steps), equations, max_steps=2)
        run = da.resume(part, equations)
        assert run.message == whole.message
        for name in ("t", "q", "v", "lam"):
            assert np.array_equal(getattr(run, name), getattr(whole, name))


def test_events_see_shared_multipliers_and_go_on_where_rows_are_exchanged(choose):
    equations, _ = linkage("absolute")
    row = equations.index("lam", "P2.xz")
    velocity = da.Event(lambda v: v[0], name="turns")
    force = da.Event(lambda lam: lam[row] + 10.0, name="force")
    free = simulate("absolute", rtol=1e-8, events=[force, velocity], span=(0.0, 3.0))
    choose(row)
    run = simulate("absolute", rtol=1e-8, events=[force, velocity], span=(0.0, 3.0))
    assert "instead of P2.xz" in run.message
    for found, expected in zip(run.t_events, free.t_events, strict=True):
        assert len(found) == len(expected) > 0
        assert found == pytest.approx(expected, abs=1e-4)


def test_rows_that_cannot_be_judged_are_not_looked_at_in_every_step(choose, monkeypatch):
    asked = []
    monkeypatch.setattr(remedies, "best_rows", lambda *arguments: asked.append(arguments))
    choose(linkage("absolute")[0].index("lam", "P2.xz"))
    run = simulate("absolute", span=(0.0, 3.0), max_steps=400)
    assert 0 < len(asked) < 0.5 * run.statistics.steps


def loop(name, places, axes):
    """Rods from hinge to hinge; the ground is the last one."""
    m = da.Model(name, gravity=(0.0, -3.0, -9.0))
    last = m.ground.at(*places[0])
    for i, (a, b) in enumerate(pairwise(places)):
        rod = m.body(f"rod{i}", mass=1.0, inertia=(0.02, 0.03, 0.04), com=(b - a) / 2, position=a)
        m.revolute(f"P{i}", last, rod.at(0, 0, 0), axis=axes[i])
        last = rod.at(*(b - a))
    m.revolute(f"P{len(places) - 1}", last, m.ground.at(*places[-1]), axis=axes[-1], cut=True)
    m.sensor("energy", m.energy)
    return m


def bennett(first=1.1):
    """Four hinges that are askew: lengths opposite to each other are equal, and as the sines of their twists."""
    a, b, alpha = 1.0, 0.7, 0.9
    beta = np.arcsin(b / a * np.sin(alpha))
    second = 2 * np.arctan(np.sin((beta + alpha) / 2) / np.sin((beta - alpha) / 2) / np.tan(first / 2))
    at = [np.eye(4)]
    for k, angle in enumerate((first, second, -first)):
        length, twist = (b, beta) if k % 2 else (a, alpha)
        c, s, C, S = np.cos(angle), np.sin(angle), np.cos(twist), np.sin(twist)
        step = [[c, -s * C, s * S, length * c], [s, c * C, -c * S, length * s], [0, S, C, 0], [0, 0, 0, 1]]
        at.append(at[-1] @ np.array(step))
    return loop("Bennett", [F[:3, 3] for F in at], [F[:3, 2] for F in at])


def sarrus():
    """Two legs of three parallel hinges each, across each other: the rod between them goes straight up and down."""
    places = [[0, 0.5, 0], [0, 0.9, 0.4], [0, 0.5, 0.8], [0.5, 0, 0.8], [0.9, 0, 0.4], [0.5, 0, 0]]
    return loop("Sarrus", np.array(places), [(1, 0, 0)] * 3 + [(0, 1, 0)] * 3)


def parallelogram(angle=1.0):
    """A beam on three parallel bars of the same length."""
    m = da.Model("parallelogram", plane="xy", gravity=(0, -9.81))
    beam = m.body("beam", mass=2.0, inertia=0.5, com=(1.0, 0.0))
    for i in range(3):
        bar = m.body(f"bar{i}", mass=1.0, inertia=0.1, com=(0.5, 0))
        m.revolute(f"A{i}", m.ground.at(float(i), 0), bar.at(0, 0), start=angle)
        m.revolute(f"B{i}", bar.at(1, 0), beam.at(float(i), 0), start=-angle)
    m.sensor("left", beam.at(0, 0).position)
    m.sensor("right", beam.at(2, 0).position)
    m.sensor("energy", m.energy)
    return m


def made(model, coordinates):
    return model.equations(coordinates=coordinates, builder="elements" if coordinates == "absolute" else "recursion")


@pytest.mark.parametrize(
    ("make", "redundant", "span"),
    # The legs of Sarrus' linkage are stretched after 0.62 s, the parallelogram is flat after 0.52 s: ranks are lost.
    [(bennett, 3, 2.0), (sarrus, 1, 0.4), (parallelogram, 1, 0.4)],
)
def test_overconstrained_mechanisms_move_with_one_degree_of_freedom_and_keep_their_energy(make, redundant, span):
    for coordinates, methods in (("absolute", ["dop853"]), ("relative", METHODS)):
        equations = made(make(), coordinates)
        start = equations.assemble(redundant="accept")
        found = equations.degrees_of_freedom(start.q)
        assert (found.dof, len(found.redundant), found.momentary) == (1, redundant, ())
        for method in methods:
            run = da.simulate(
                equations, (0.0, span), start, method=method, rtol=1e-8, atol=1e-10,
                redundant="accept", solver="dense",
            )  # fmt: skip
            assert run.success, run.message
            assert closure(equations, run) < 1e-10
            assert np.ptp(run["energy"]) < 1e-4 and np.abs(run.q[:, -1] - run.q[:, 0]).max() > 0.1


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
def test_three_parallel_bars_pass_their_flat_position(coordinates):
    """All bars along one line: there the beam could turn as well, for an instant."""
    equations = made(parallelogram(0.1), coordinates)
    start = equations.assemble(redundant="accept")
    times = np.linspace(0.0, 0.5, 11)
    options = {"rtol": 1e-8, "atol": 1e-10, "redundant": "accept", "t_eval": times}
    run = da.simulate(equations, (0.0, 0.5), start, method="mexx", **options)
    assert run.success and closure(equations, run) < 1e-10 and np.ptp(run["energy"]) < 1e-4
    # The bars turn as one, (3 (I + m/4) + 2 m) φ¨ = −(3/2 + 2) m g cos φ, and the beam does not turn.
    one = da.trace(M=lambda: np.array([[3 * (0.1 + 0.25) + 2.0]]), f=lambda q: [-3.5 * 9.81 * np.cos(q[0])], n_q=1)
    turned = da.simulate(one, (0.0, 0.5), ([0.1], [0.0]), rtol=1e-11, atol=1e-13, t_eval=times).q[0]
    assert turned[-1] < -0.5
    for end in ("left", "right"):
        assert run[f"{end}.y"] == pytest.approx(np.sin(turned), abs=1e-5)


@pytest.mark.parametrize("angle", [1e-3, 1e-4, 1e-6, 0.0])
def test_close_to_the_flat_position_no_row_is_left_out_for_good_but_one(angle):
    for coordinates in ("relative", "absolute"):
        equations = made(parallelogram(angle), coordinates)
        found = equations.degrees_of_freedom(equations.start()[0])
        assert len(found.redundant) == len(found.momentary) == 1 and found.dof == 2
        assert bool(found.uncertain) == (angle > 0.0)
        start = equations.assemble(redundant="accept")
        run = da.simulate(equations, (0.0, 0.5), start, redundant="accept", solver="dense", max_steps=500)
        # It comes through, or says what is in the way; the bars never turn apart.
        assert closure(equations, run) < 1e-10 and np.ptp(run["energy"]) < 1e-4
        assert run.success or "lose rank" in run.message or "onto the constraints" in run.message
