"""Functions that misbehave at some evaluation: NaN, infinities, exceptions, wrong shapes and types.

A random function of a random system misbehaves at its k-th evaluation, once or from then on, with a random method.  The
run must end with an error or a status that names the function, and keep what was computed; a value that is not finite
at a single trial point must not be noticed at all: the step is made again.

    python tests/fuzz/misbehaving_functions.py --cases 1000 --seed 1
"""

from __future__ import annotations

import functools
import inspect
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))  # as in the tests, where this is run by hand

from fuzz import watchdog

import dalembert as da
from dalembert.errors import DalembertError, raised_by
from dalembert.model.model import Model

END = 1.5
OPTIONS = {"rtol": 1e-6, "atol": 1e-8, "max_steps": 3000}
#: Runs agree with the undisturbed one to this, as far as they went; tolerances are a thousandth of it.
#: All but those that need derivatives of functions that are called back, or would take too many steps.
METHODS = [
    name
    for name in da.methods()
    if name not in ("trapezoidal", "hht", "generalised_alpha", "imex", "euler", "linear_euler", "linear_trapezoidal")
    and "descriptor" not in name
]
AGREES = 1e-3
#: What a function does, and whether a run may go on after it.
NUMBERS = {"nan": np.nan, "inf": np.inf, "-inf": -np.inf}
EXCEPTIONS = (ZeroDivisionError, MemoryError, StopIteration, RecursionError, KeyError, KeyboardInterrupt)
SHAPES = ("longer", "scalar", "none", "text", "complex", "ragged")


class Misbehaving:
    """A function of numbers that misbehaves at one of its evaluations, or from there on."""

    def __init__(self, function, how=None, at=0, lasts=False):
        self.function, self.how, self.at, self.lasts = function, how, at, lasts
        self.calls = 0
        self.__signature__ = inspect.signature(function)
        self.__name__ = function.__name__

    def __call__(self, **arguments):
        good = self.function(**arguments)
        self.calls += 1  # not where it is only traced
        if self.how is None or (self.calls < self.at if self.lasts else self.calls != self.at):
            return good
        if isinstance(self.how, type):
            raise self.how("misbehaved")
        if self.how in NUMBERS:
            return self._changed(good, NUMBERS[self.how])
        flat = np.ravel(np.asarray(good, dtype=float))
        return {
            "longer": np.append(flat, 0.0), "scalar": np.zeros((1, 1, 2)), "none": None, "text": "misbehaved",
            "complex": flat + 1j, "ragged": [[1.0], [1.0, 2.0]],
        }[self.how]  # fmt: skip

    @staticmethod
    def _changed(good, value):
        if isinstance(good, float):
            return value
        bad = np.array(good, dtype=float)
        bad[(0,) * bad.ndim] = value
        return bad


# ------------------------------------------------------------------------------------- a pendulum with a filter


def M():
    return np.array([[1.0, 0.0], [0.0, 1.0]])


def f(q, v, u):
    return np.array([0.3 * u[0] - 0.1 * v[0], -9.81 - 0.1 * v[1]])


def f_rough(v, lam):
    return np.array([-0.2 * v[0] * np.sqrt(1.0 + lam[0] * lam[0]), -9.81])


def g(q):
    return np.array([q[0] * q[0] + q[1] * q[1] - 1.0])


def T(q):
    return np.array([[1.0, 0.0], [0.0, 1.0]])


def d(t, v, u):
    return np.array([v[0] - u[0] + np.sin(3.0 * t)])


def crossing(q, v):
    return float(q[1] + 0.8)


def bounce(q, v):
    return da.Change(u=[0.0])


def speed(v):
    return float(v[0] ** 2 + v[1] ** 2)


def push(values, rates):
    return np.array([-0.5 * rates[0] - values[0]])


START = [0.8, -0.6], [0.3, 0.4], [0.2]


def build(which, misbehaves, options):
    """Equations, a start, and options of a run in which a function is replaced."""
    if which == "numeric force":
        m = Model("swing", plane="xy", gravity=(0.0, -9.81))
        rod = m.body("rod", mass=1.0, inertia=0.1, com=(0.5, 0.0))
        A = m.revolute("A", m.ground, rod)
        A.start |= {"angle": 0.4}
        m.numeric_force("push", A.angle, misbehaves)
        equations = m.equations(options.pop("coordinates"))
        return equations, equations.assemble(), options
    functions = {"M": M, "f": f, "g": g, "T": T, "d": d}
    if which in functions:
        functions[which] = da.numeric(misbehaves)
    elif which == "f_rough":
        functions["f"] = da.numeric(misbehaves)
    elif which == "event":
        options["events"] = [da.Event(misbehaves, name="crossing", **options.pop("event"))]
    elif which == "action":
        options["events"] = [da.Event(crossing, name="crossing", action=misbehaves)]
    elif which == "output":
        options["outputs"] = {"speed": misbehaves}
    else:
        options[which] = lambda *told: misbehaves(told=told)
    equations = da.trace(n_q=2, n_u=1, name="pendulum", **functions)
    return equations, START, options


def look_on(told):
    return 0.0


FUNCTIONS = {
    "M": M, "f": f, "f_rough": f_rough, "g": g, "T": T, "d": d, "event": crossing, "action": bounce, "output": speed,
    "monitor": look_on, "progress": look_on, "numeric force": push,
}  # fmt: skip
NAMED = {
    "f_rough": "function f", "event": "crossing", "action": "crossing", "output": "speed", "numeric force": "push",
}  # fmt: skip


def run(which, misbehaves, settings, **more):
    options = {key: dict(value) if isinstance(value, dict) else value for key, value in settings.items()}
    equations, start, options = build(which, misbehaves, options)
    return equations, options, da.simulate(equations, (0.0, END), start, **{**OPTIONS, **options, **more})


def frozen(settings):
    return tuple((key, tuple(value.items()) if isinstance(value, dict) else value) for key, value in settings.items())


@functools.cache
def reference(which, settings):
    """The run as it should be, with the evaluations of the function that it takes, and those of its start."""
    thawed = {key: dict(value) if isinstance(value, tuple) and key == "event" else value for key, value in settings}
    whole = Misbehaving(FUNCTIONS[which])
    solution = run(which, whole, thawed)[2]
    assert solution.success and solution.t[-1] == END, solution.message
    first = Misbehaving(FUNCTIONS[which])
    run(which, first, thawed, max_steps=0)
    return solution, whole.calls, first.calls


def agrees(solution, expected):
    at_events = np.array([event.t for event in expected.events])  # where there are two states
    apart = np.abs(solution.t[:, None] - at_events).min(axis=1, initial=1.0) > AGREES
    for key in ("q", "v", "u"):
        values = getattr(solution, key)
        assert np.isfinite(values).all(), key
        error = np.abs(values - getattr(expected.sol(solution.t), key))[:, apart].max(initial=0.0)
        assert error < AGREES, (key, error)


def numeric_case(rng):
    which = str(rng.choice(list(FUNCTIONS)))
    settings = {"method": str(rng.choice(METHODS))}
    if rng.random() < 0.3:
        settings["t_eval"] = (0.0, 0.4, 0.7, END)
    if which == "event":
        settings["event"] = {"direction": int(rng.integers(-1, 2))}
    if which == "numeric force":
        settings["coordinates"] = str(rng.choice(["relative", "absolute"]))
    expected, calls, at_start = reference(which, frozen(settings))
    looks_on, acts = which in ("monitor", "progress"), which == "action"
    kinds = [*EXCEPTIONS] if looks_on else [*EXCEPTIONS, *SHAPES] if acts else [*NUMBERS, *EXCEPTIONS, *SHAPES]
    how = kinds[rng.integers(len(kinds))]
    at = int(rng.integers(1, calls + 1)) if rng.random() < 0.7 else int(rng.integers(1, min(calls, at_start + 30) + 1))
    misbehaves = Misbehaving(FUNCTIONS[which], how, at, lasts=bool(rng.random() < 0.4))
    case = (which, settings, how, at, calls, misbehaves.lasts)
    try:
        return judged(case, which, settings, how, at, at_start, misbehaves, expected)
    except AssertionError as error:
        raise AssertionError(*case, *error.args) from error


def judged(case, which, settings, how, at, at_start, misbehaves, expected):
    name = NAMED.get(which, f"function {which}")
    raises = isinstance(how, type)
    try:
        equations, options, solution = run(which, misbehaves, settings)
    except (Exception, KeyboardInterrupt) as error:
        carried = getattr(error, "solution", None)
        if which in ("monitor", "progress"):
            assert type(error) is how and carried is not None and which in carried.message.lower()
            agrees(carried, expected)
            return "exception of one that looks on"
        # Nothing was computed yet.
        assert at <= at_start, (f"lost: {at_start} evaluations belong to the start", error)
        if raises:
            found = error.__cause__ if isinstance(error, RuntimeError) and error.__cause__ else error
            assert type(found) is how or how.__name__ in str(error), error
            assert how is KeyboardInterrupt or name.split()[-1] in raised_by(error) + str(error), error
        else:
            assert isinstance(error, DalembertError), error
            assert name.split()[-1] in str(error) or f"{which}[" in str(error), error
        return "error at the start"
    if solution.t.size > 1 or solution.success:
        agrees(solution, expected)
    if solution.success:
        assert solution.t[-1] == END
        if which == "output":
            missing = how in SHAPES or raises
            assert ("is missing" in solution.message) == missing or how in ("longer", "scalar"), solution.message
            return "output that fails"
        if misbehaves.calls < at:
            return "never evaluated so often"
        assert how in NUMBERS, solution.message
        between = np.linspace(0.0, END, 23)
        misbehaves.how = None
        assert np.abs(solution.sol(between).q - expected.sol(between).q).max() < AGREES
        return "recovered"
    assert solution.status < 0 and solution.message
    if how is KeyboardInterrupt:
        assert solution.outcome == "interrupted", solution.message
        if solution.checkpoint is not None and not misbehaves.lasts and which not in ("monitor", "progress"):
            again = {key: options[key] for key in ("events",) if key in options}
            rest = da.resume(solution, equations, **again)
            assert rest.success, rest.message
            agrees(rest, expected)
            return "interrupted and resumed"
        return "interrupted"
    if raises or how in SHAPES:
        assert solution.outcome == "function failed", (solution.outcome, solution.message)
        assert name.split()[-1] in solution.message, solution.message
        return "function failed"
    on_the_motion = at <= at_start or "the state at t = " in solution.message  # of t_eval
    assert misbehaves.lasts or on_the_motion, f"one value that is not finite has ended the run: {solution.message}"
    assert solution.outcome in ("not finite", "bad start") or on_the_motion, (solution.outcome, solution.message)
    return "not finite"


# ---------------------------------------------------------------------------------- traced functions with an end


def singular(kind, left):
    """Next to nothing while ``left`` is positive; no finite number afterwards."""
    return 1e-9 * (np.sqrt(left) if kind == "root" else np.log(left) if kind == "log" else 1.0 / np.sqrt(left))


def traced_case(rng):
    which = str(rng.choice(["M", "f", "g", "T", "d", "event", "output"]))
    kind = str(rng.choice(["root", "log", "inverse"]))
    method = str(rng.choice(METHODS))
    at = float(rng.uniform(0.3, 1.2))
    functions = {"M": M, "f": f, "g": g, "T": T, "d": d}
    options = {}

    def bad(name):
        original = functions[name]
        arguments = list(inspect.signature(original).parameters)

        def function(**given):
            known = original(**{key: given[key] for key in arguments})
            return known + np.ones(known.shape) * singular(kind, given["p"].at - given["t"])

        parameters = [inspect.Parameter(key, inspect.Parameter.KEYWORD_ONLY) for key in {*arguments, "p", "t"}]
        function.__signature__ = inspect.Signature(sorted(parameters, key=lambda one: one.name))
        return function

    if which in functions:
        functions[which] = bad(which) if which != "M" else lambda t, p: M() * (1.0 + singular(kind, p.at - t))
    elif which == "event":
        options["events"] = [da.Event(lambda t, q, p: q[1] + 0.8 + singular(kind, p.at - t), name="crossing")]
    else:
        options["outputs"] = {"speed": lambda t, p: singular(kind, p.at - t)}
    equations = da.trace(n_q=2, n_u=1, name="ending", parameters={"at": 1.0}, **functions)
    solution = da.simulate(
        equations, (0.0, END), START, method=method, parameters={"at": at}, **OPTIONS, **options
    )  # fmt: skip
    case = (which, kind, method, at, solution.message)
    for values in (solution.q, solution.v, solution.u):
        assert np.isfinite(values).all(), case
    if which == "output":
        assert solution.success and not np.isfinite(solution["speed"]).all(), case
        return "traced output"
    assert not solution.success and solution.status < 0, case
    assert 0.5 * at < solution.t[-1] <= at * (1.0 + 1e-12), (*case, solution.t[-1])
    assert np.isfinite(solution.sol(0.5 * solution.t[-1]).q).all(), case
    return f"traced: {solution.outcome}"


def case(seed, number):
    """One case; what came of it in a few words."""
    np.seterr(all="ignore")
    rng = np.random.default_rng([seed, number])
    return traced_case(rng) if rng.random() < 0.2 else numeric_case(rng)


if __name__ == "__main__":
    watchdog.main(__file__, case)
