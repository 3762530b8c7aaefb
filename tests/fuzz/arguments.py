"""Garbage as arguments: everything public is called with one or more arguments that make no sense.

Run by hand::

    python tests/fuzz/arguments.py --cases 10000 --seed 1

A call must work, or end in an error of the package that names the argument or the culprit.  It must not end in a bare
error of Python from inside of the package, hang, crash, or ask for memory without end.  Valid calls stand in
``argument_examples.py``; case number i of a seed is always the same.
"""

from __future__ import annotations

import argparse
import datetime
import inspect
import itertools
import json
import os
import random
import re
import resource
import select
import signal
import subprocess
import sys
import traceback
import types
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))  # as in the tests, where this is run by hand

from fuzz.argument_examples import EXAMPLES, Call, World

import dalembert as da
from dalembert.errors import DalembertError

PACKAGE = str(Path(da.__file__).parent) + os.sep
#: Seconds that one call may take, and bytes that a worker may address.
PATIENCE, MEMORY = 20, 6 << 30

# ------------------------------------------------------------------------------------------------------------ garbage


class Raises:
    """An object whose conversions raise."""

    def __init__(self, error: type[Exception]) -> None:
        self.error = error

    def _raise(self, *_: Any, **__: Any) -> Any:
        raise self.error("no conversion")

    __array__ = __len__ = __float__ = __int__ = __index__ = __iter__ = __bool__ = _raise
    __repr__ = lambda self: "<Raises>"  # noqa: E731


class Endless:
    """A sequence without end."""

    def __getitem__(self, index: Any) -> float:
        return 1.0

    def __repr__(self) -> str:
        return "<Endless>"


class Pretender:
    """An object with the names of others, and nothing behind them."""

    name = "pretender"

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Pretender()

    def __repr__(self) -> str:
        return "<Pretender>"


def _generator() -> Iterator[float]:
    yield from (1.0, 2.0, 3.0)


def _cycle() -> list[Any]:
    found: list[Any] = []
    found.append(found)
    return found


Garbage = Callable[[World, random.Random], Any]
GARBAGE: dict[str, Garbage] = {
    "None": lambda w, r: None,
    "nan": lambda w, r: float("nan"),
    "inf": lambda w, r: r.choice([float("inf"), -float("inf")]),
    "-1": lambda w, r: -1,
    "0": lambda w, r: 0,
    "0.0": lambda w, r: 0.0,
    "1.5": lambda w, r: 1.5,
    "7": lambda w, r: 7,
    "huge int": lambda w, r: r.choice([2**70, -(2**70), 10**400]),
    "large float": lambda w, r: r.choice([1e300, -1e300, 1e-320, 1e18]),
    "bool": lambda w, r: r.choice([True, False]),
    "complex": lambda w, r: 1j,
    "string": lambda w, r: r.choice(["", " ", "x", "a.b", "a/b\x00", "né ☃", "'\"<&>", "1.0", "\n", "q", "\ud800"]),
    "bytes": lambda w, r: b"\xff\x00",
    "empty list": lambda w, r: [],
    "empty tuple": lambda w, r: (),
    "numbers": lambda w, r: [1.0] * r.choice([1, 2, 3, 4, 7]),
    "ints": lambda w, r: list(range(r.choice([1, 2, 3]))),
    "nans": lambda w, r: np.full(r.choice([1, 2, 3, 6]), np.nan),
    "lists": lambda w, r: [[1.0, 2.0], [3.0, 4.0]],
    "ragged": lambda w, r: [[1.0], [2.0, 3.0]],
    "cycle": lambda w, r: _cycle(),
    "strings": lambda w, r: r.choice([["a", "b"], ("x",), ["x", "x"], ["", "."]]),
    "nones": lambda w, r: [None] * r.choice([1, 2, 3]),
    "array": lambda w, r: np.ones(r.choice([(), (1,), (3,), (2, 3), (0,), (1, 1, 1), (3, 3), (6, 6)])),
    "object array": lambda w, r: np.array([None, "x", 1.0], dtype=object),
    "complex array": lambda w, r: np.array([1j, 2.0]),
    "string array": lambda w, r: np.array(["a", "b"]),
    "int array": lambda w, r: np.array([-1, 2**62]),
    "structured array": lambda w, r: np.zeros(2, dtype=[("a", float), ("b", int)]),
    "long array": lambda w, r: np.zeros(10_000),
    "wide array": lambda w, r: np.broadcast_to(1.0, (1 << 20, 1 << 20)),
    "masked array": lambda w, r: np.ma.masked_array([1.0, 2.0], [True, False]),
    "numpy scalar": lambda w, r: r.choice([np.float32(2), np.int8(-3), np.True_, np.float64("nan"), np.str_("x")]),
    "datetime": lambda w, r: datetime.datetime(2020, 1, 1),
    "datetime64": lambda w, r: np.datetime64("2020-01-01"),
    "dict": lambda w, r: r.choice([{}, {"a": 1}, {1: "a"}, {"x": None}, {None: 2.0}, {"k": "no"}]),
    "set": lambda w, r: {1, 2, 3},
    "generator": lambda w, r: _generator(),
    "range": lambda w, r: range(3),
    "endless": lambda w, r: Endless(),
    "slice": lambda w, r: slice(None),
    "ellipsis": lambda w, r: ...,
    "module": lambda w, r: np,
    "function": lambda w, r: r.choice([lambda: 1.0, lambda a, b, c, d: a, lambda *args: 1.0, lambda **kwargs: None]),
    "function of t": lambda w, r: r.choice([lambda t: "x", lambda t: None, lambda t: [1.0, [2.0]], lambda t: np.nan]),
    "function of q": lambda w, r: r.choice([lambda q: q, lambda q: None, lambda q: {}, lambda q: np.ones((3, 3))]),
    "builtin": lambda w, r: r.choice([len, print, np.sin, max]),
    "class": lambda w, r: r.choice([int, dict, da.Model, da.Equations, da.State, da.Event, da.Radau]),
    "object": lambda w, r: object(),
    "pretender": lambda w, r: Pretender(),
    "raises": lambda w, r: Raises(r.choice([TypeError, ValueError, RuntimeError, KeyError])),
    "exception": lambda w, r: ValueError("x"),
    "path": lambda w, r: r.choice([Path("/"), Path("/no/such/place"), Path("")]),
    "other body": lambda w, r: w.other.one,
    "other marker": lambda w, r: w.other.a,
    "other joint": lambda w, r: w.other.turn,
    "other coordinate": lambda w, r: w.other.slide.displacement,
    "other quantity": lambda w, r: w.other.a.position,
    "other model": lambda w, r: w.other.m,
    "other parameter": lambda w, r: w.other.m.p.k,
    "other atom": lambda w, r: da.symbolic.Graph().coordinate("foreign"),
    "atoms": lambda w, r: w.xyz,
    "atom": lambda w, r: w.x,
    "equations": lambda w, r: w.equations["traced"],
    "state": lambda w, r: w.starts["traced"],
    "run": lambda w, r: w.run,
    "event": lambda w, r: da.Event(lambda t: t - 1.0),
    "method": lambda w, r: da.Radau(),
    "used name": lambda w, r: r.choice(["turn", "one", "ground", "pin", "m", "t"]),
}  # fmt: skip


# -------------------------------------------------------------------------------------------------------------- cases


@dataclass
class Case:
    """One call with garbage in it."""

    name: str
    call: Call
    #: names of the arguments that were replaced, and what by
    replaced: dict[str, str] = field(default_factory=dict)
    given: list[Any] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{self.name}({', '.join(f'{key}={value}' for key, value in self.replaced.items())})"


def _parameters(function: Callable[..., Any]) -> tuple[list[str], list[str]]:
    """Names of positional parameters, with those of a variable list at the end, and names of all that have one."""
    listed = list(inspect.signature(function).parameters.values())
    kinds = inspect.Parameter
    order = [p.name for p in listed if p.kind in (kinds.POSITIONAL_ONLY, kinds.POSITIONAL_OR_KEYWORD)]
    order += [p.name for p in listed if p.kind is kinds.VAR_POSITIONAL] * 20
    return order, [p.name for p in listed if p.kind in (kinds.KEYWORD_ONLY, kinds.POSITIONAL_OR_KEYWORD)]


def _inside(value: Any, garbage: Any, rng: random.Random) -> Any:
    """A container with garbage in one place of it; None if it is none."""
    if isinstance(value, dict) and value:
        key = rng.choice(list(value))
        try:
            return {garbage: value[key]} if rng.random() < 0.3 else {**value, key: garbage}
        except Exception:
            return None
    if isinstance(value, (list, tuple)) and value:
        items = list(value)
        place = rng.randrange(len(items))
        deeper = _inside(items[place], garbage, rng) if rng.random() < 0.5 else None
        items[place] = garbage if deeper is None else deeper
        return items if isinstance(value, list) else tuple(items)
    return None


def case_of(world: World, seed: int, number: int) -> Case:
    """The case of a number."""
    rng = random.Random(f"{seed}:{number}")
    world.renew()
    name = rng.choices(NAMES, WEIGHTS)[0]
    valid = rng.choice(EXAMPLES[name])(world, rng.randrange(21))
    order, named = _parameters(valid.function)
    args, kwargs = list(valid.args), dict(valid.kwargs)
    places: list[int | str] = [*range(len(args)), *kwargs]
    places += [key for key in named if key not in kwargs and key not in order[: len(args)]]
    case = Case(name, valid)
    for place in rng.sample(places, min(len(places), rng.choice([1, 1, 1, 2, 3]))):
        kind = rng.choice(list(GARBAGE))
        garbage = GARBAGE[kind](world, rng)
        old = args[place] if isinstance(place, int) else kwargs.get(place)
        nested = _inside(old, garbage, rng) if rng.random() < 0.3 else None
        value = garbage if nested is None else nested
        if isinstance(place, int):
            args[place] = value
            shown = order[place] if place < len(order) else str(place)
        else:
            kwargs[place] = value
            shown = place
        case.replaced[shown] = kind if nested is None else f"… {kind} …"
        case.given.append(garbage)
    case.call = Call(valid.function, tuple(args), kwargs, valid.follow)
    return case


# ------------------------------------------------------------------------------------------------------------- judging


class Hang(BaseException):
    """A call that did not come to an end."""


def _growing(items: list[Any]) -> Iterator[Any]:
    """Items of a list that grows on the way."""
    at = 0
    while at < len(items):
        yield items[at]
        at += 1


def _words(case: Case) -> list[str]:
    """What a message may name: arguments, strings among them, the function and its owner."""
    found = {case.name.split(".")[-1].strip("_"), case.name.split(".")[0]}
    found |= {part for word in found for part in (word.replace("_", " "), *word.split("_"))}
    for key in case.replaced:
        found |= {"centre of mass"} if key == "com" else set()
        found |= {key, key.replace("_", " "), *key.split("_"), key.removesuffix("s")}
        found |= {"input", "output"} if key in ("arguments", "functions") else set()  # as compiled functions call them
    owner = getattr(case.call.function, "__self__", None)
    found |= {str(getattr(owner, "name", "")), *(f"function {key}" for key in case.call.kwargs)}
    pending: list[Any] = [*case.call.args, *case.call.kwargs.values()]
    for item in itertools.islice(_growing(pending), 60):
        if isinstance(item, str):
            found |= {item, f"'{item}'"}
        elif isinstance(item, dict):
            pending += [*item, *item.values()]
        elif isinstance(item, (list, tuple)) and len(item) < 20:
            pending += item
        elif isinstance(getattr(item, "name", None), str):
            found |= {item.name, f"'{item.name}'"}
    # What was given, or its class, names the culprit too.
    given = list(case.given)
    for item in case.given:
        if isinstance(item, (list, tuple)) or (isinstance(item, np.ndarray) and 0 < item.ndim and item.size < 20):
            given.extend(item)
    found |= {type(item).__name__ for item in given} | {str(getattr(item, "__name__", "")) for item in given}
    for item in given:
        try:
            found.add(repr(item)[:20])
        except Exception:  # a list that no one can print
            continue
    return [word for word in found if len(word) > 1 or word in case.replaced]


def _raised_by_user(error: BaseException) -> bool:
    """Whether a function of the user failed; conversions that fail are the business of the package."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return Path(last.filename).parent == Path(__file__).parent and last.name != "_raise"


def judge(case: Case) -> str | None:
    """A sentence about what is wrong, with the place that it came from; None if all is well."""
    try:
        case.call.follow(case.call.function(*case.call.args, **case.call.kwargs))
    except DalembertError as error:
        message = str(error).lower()
        if not any(word.lower() in message for word in _words(case)):
            return f"names nobody: {_place(error)} {type(error).__name__}: {error!s:.150}"
        return None
    except Hang as error:
        return f"hangs: {_place(error)}"
    except BaseException as error:
        frames = traceback.extract_tb(error.__traceback__)
        if isinstance(error, TypeError) and not any(frame.filename.startswith(PACKAGE) for frame in frames):
            return None  # Python's own complaint about the call
        if isinstance(error, TypeError) and _is_call_error(case, error):
            return None
        if isinstance(error, OSError) and error.filename is not None:
            return None  # a file that is not there: the operating system names it
        if _raised_by_user(error):
            return None
        if isinstance(error, KeyboardInterrupt):
            raise
        return f"bare {type(error).__name__}: {_place(error)} {error!s:.120}"
    return None


def _is_call_error(case: Case, error: TypeError) -> bool:
    """Whether Python complains about the arguments of a public callable in the frame that calls it: a generated
    ``__init__``, or options that are handed on."""
    return bool(
        re.search(r"unexpected keyword argument|required positional argument|required keyword", str(error))
    ) and (len(traceback.extract_tb(error.__traceback__)) <= 3)


def _place(error: BaseException) -> str:
    """The innermost line of the package."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename.startswith(PACKAGE)]
    return f"{frames[-1].filename.removeprefix(PACKAGE)}:{frames[-1].lineno}" if frames else "outside"


def run_cases(world: World, seed: int, numbers: Iterator[int] | range, report: Callable[..., None]) -> None:
    """Run cases, with a watchdog, telling the beginning and the end of each."""

    def bark(*_: Any) -> None:
        raise Hang

    signal.signal(signal.SIGALRM, bark)
    for number in numbers:
        report("begin", number)
        case = case_of(world, seed, number)
        signal.setitimer(signal.ITIMER_REAL, PATIENCE)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = judge(case)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        report("end", number, str(case), found)


# ------------------------------------------------------------------------------------------ what must be in the table

#: What is called by the package, or by authors of methods and elements with objects of the package, not with data.
PROTOCOL = re.compile(
    r"""^(
    .*\.(attempt|begin|accepted|adopt|confirm|interpolate|memory|kernel|settings|values|table|families|options|check
        |lay_out|pattern_shape|programs_of|lacks)
    | (Element|Joint)\.(measured|constraints|velocity_constraints|powers|state_rates|potential|between|relative_motion
        |auxiliary_equations|conditions|find_auxiliary|guards|remark|surfaces|tracks|units
        |viscous)
    | Body\.(alike|frame_at|guards|place_from|place_of|inertia_pairs|kinetic_energy_at|momentum_at
        |potential_energy_at|powers|remarks)
    | Newton\.tolerance_for | Quantity\.build | Site(\.call)? | Custom\.enter | Controller | Method
    | Model\.(formulated|frozen|frozen_anew|layout|parameter_numbers|parameter_symbol)
    | (Equations|Mechanism)\.(all_breaks|assembled|begin|bending|blame|borders|driven_at|kept|known_scales|lacks
      |make_borders|gimbal_lock|jumping|largest_motion|make_program|misdeclared|named|namespace|owner_of_velocity|powers
      |prescribed_at|reactive|remark|stepping|value_at|with_rows)
    | Equations | Mechanism
    | linalg\.(History|Mode|Plan|Structure(\.\w+)?|plan_of|factor_solver|solve_solver|own_part|pattern_of_[FGM])
    | Graph\.(add|add_table|apply|constant|declare|div|handle|is_symbol|leaf|mul|piece|power|rate|reachable|sub|symbol
             |symbols_of|value|where)                                                          # handles of the graph
    | (Base|Point)\.recursion | Base | Atom | AtomArray | CompiledFunction | Atom\.\w+ | AtomArray\.\w+
    | (Axes|Coefficients|Creepages|Ellipse|Irregularity|Jump|LoadedPatch|Profile|SegmentEnd|Touch|WheelsetTouch)
    | Profile\.curvature | Pair\.side | \w+\.(plan|ends|curvature)                      # on atoms and on arrays
    | (CreepLaw|Linear|VermeulenJohnson|ShenHedrickElkins)(\.\w+)? | (Polach|Fastsim)\.\w+
    | \w+\.(count|index|add_note|with_traceback) | .*Error
    )$""",
    re.VERBOSE,
)


def public_names() -> set[str]:
    """Names of all public functions, classes and methods, as in the table of examples."""
    import importlib

    modules = [
        "dalembert", "dalembert.elastic", "dalembert.equations", "dalembert.integrate", "dalembert.io",
        "dalembert.linalg", "dalembert.model",
        "dalembert.problems", "dalembert.problems.mechanisms", "dalembert.rail", "dalembert.report",
        "dalembert.solution", "dalembert.symbolic", "dalembert.symbolic.mechanics",
    ]  # fmt: skip
    found: dict[int, str] = {}
    for module in modules:
        listed = importlib.import_module(module)
        for name in listed.__all__:
            item = getattr(listed, name)
            if callable(item) and not isinstance(item, types.ModuleType) and id(item) not in found:
                part = module.split(".")[-1]
                prefixed = part in ("linalg", "problems", "mechanics", "mechanisms", "rail", "symbolic") and not (
                    inspect.isclass(item) and part != "linalg"
                )
                found[id(item)] = f"{part}.{name}" if prefixed else name
                if inspect.isclass(item):
                    for key in dir(item):
                        value = inspect.getattr_static(item, key)
                        if not key.startswith("_") and callable(getattr(value, "__func__", value)):
                            if getattr(getattr(value, "__func__", value), "__module__", "").startswith("dalembert"):
                                found[hash((item, key))] = f"{found[id(item)]}.{key}"
    return set(found.values())


def missing_names() -> list[str]:
    """Public callables that have no example, and are no part of a protocol."""
    subclasses = {"Mechanism": "Equations", "Mesh": "Shape"}
    methods = (
        "Adams", "Bdf", "ChartBdf", "ChartRungeKutta", "Descriptor", "Dop853", "Dopri5", "ExplicitEuler",
        "HalfExplicit", "Imex", "LinearlyImplicitEuler", "LinearlyImplicitTrapezoidal", "Mexx", "Newmark", "Radau",
        "Rosenbrock", "Sdirk",
    )  # fmt: skip
    known = set(EXAMPLES)
    found = []
    for name in sorted(public_names()):
        owner, _, method = name.rpartition(".")
        general = f"{subclasses.get(owner, 'Method' if owner in methods else owner)}.{method}"
        if name not in known and general not in known and f"symbolic.{name}" not in known and not PROTOCOL.match(name):
            found.append(name)
    return found


NAMES = sorted(name for name, makers in EXAMPLES.items() if makers)
#: Doors with much behind them come up more often.
WEIGHTS = [8 if name in ("simulate", "trace", "resume") else 2 + len(EXAMPLES[name]) for name in NAMES]

# ------------------------------------------------------------------------------------------------------------- workers


def _worker(seed: int, first: int, last: int, names: str) -> None:
    """Run cases in this process and print a line about each."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    lines = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what calls print, or monitors show, is nobody's concern

    def report(*parts: Any) -> None:
        lines.write(json.dumps(parts) + "\n")

    world = World()
    os.chdir(world.folder)  # where names of files lead
    compiled = (
        "simulate", "Radau", "Mexx", "Dop853", "FixedStep", "Gustafsson", "Descriptor", "Newmark", "Rosenbrock",
        "Sdirk", "Adams", "Bdf", "HalfExplicit", "Dopri5",
    )  # fmt: skip
    for name in (*compiled, "TreeDynamics.inverse_dynamics_derivatives"):  # kernels may have to be compiled first
        if re.search(names, name):
            valid = EXAMPLES[name][0](world, 0)
            valid.follow(valid.function(*valid.args, **valid.kwargs))
    run_cases(world, seed, range(first, last), report)


def campaign(cases: int, seed: int, names: str = "", show: bool = False) -> dict[str, list[str]]:
    """Run cases in worker processes; complaints, with the cases that led to them."""
    found: dict[str, list[str]] = defaultdict(list)
    first = 0
    while first < cases:
        command = [sys.executable, __file__, "--worker", "--seed", str(seed), "--first", str(first), "--names", names]
        command += ["--cases", str(cases)]
        errors = None if show else subprocess.DEVNULL
        worker = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True)
        assert worker.stdout is not None
        current = None
        while True:
            # The first line may have to wait for the compiler.
            ready, _, _ = select.select([worker.stdout], [], [], (3 if first else 60) * PATIENCE)
            line = worker.stdout.readline() if ready else ""
            if not line:
                break
            what, number, *rest = json.loads(line)
            if what == "begin":
                current = number
            else:
                current, first = None, number + 1
                if rest[1]:
                    found[rest[1]].append(f"{number}: {rest[0]}")
        if worker.poll() is None and not ready:
            worker.kill()
        code = worker.wait()
        worker.stdout.close()
        if code == 1:
            raise RuntimeError("the fuzzer itself failed")
        if current is not None:
            found[f"crash or hang of the process ({code})"].append(f"{current}")
            first = current + 1
        elif first < cases:
            raise RuntimeError(f"worker ended with {code} after case {first}")
    return found


def main() -> int:
    """Run by hand."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the first case, where a worker goes on")
    parser.add_argument("--names", default="", help="only what has a name like this regular expression")
    parser.add_argument("--worker", action="store_true", help="run in this process")
    parser.add_argument("--only", type=int, help="one case, with its traceback")
    options = parser.parse_args()
    WEIGHTS[:] = [weight * bool(re.search(options.names, name)) for name, weight in zip(NAMES, WEIGHTS, strict=True)]
    if options.worker:
        _worker(options.seed, options.first, options.cases, options.names)
        return 0
    if options.only is not None:
        case = case_of(World(), options.seed, options.only)
        print(case, case.call.args, case.call.kwargs)
        case.call.follow(case.call.function(*case.call.args, **case.call.kwargs))
        return 0
    found = campaign(options.cases, options.seed, options.names, show=True)
    grouped = Counter({re.sub(r"(:\d+ ).*", r"\1", text): 0 for text in found})
    texts: dict[str, list[str]] = defaultdict(list)
    for text, cases in found.items():
        key = re.sub(r"(:\d+) .*", r"\1", text)
        grouped[key] += len(cases)
        texts[key] += [f"{case} | {text.removeprefix(key)}" for case in cases]
    for key, count in sorted(grouped.items(), key=lambda item: -item[1]):
        if count:
            print(f"{count:5d}  {key}")
            for text in texts[key][:4]:
                print(f"         {text}")
    bad = sum(len(cases) for cases in found.values())
    print(f"{bad} of {options.cases} cases are bad, in {sum(1 for c in grouped.values() if c)} places")
    return 1 if bad else 0


if __name__ == "__main__":
    raise SystemExit(main())
