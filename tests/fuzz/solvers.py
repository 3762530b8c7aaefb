"""Random mechanisms with near-singular constraints and unlike masses: `auto` takes hardly more steps than `dense`.

There are a few models with joints, loops and springs, whose masses, lengths and places are parameters, drawn over
orders of magnitude; loops are closed where the bodies stand.  A case fails if the solver that `auto` takes needs more
than 1.5 times the steps of `solver="dense"`, but for the few steps that a change of the solver costs.

    python tests/fuzz/solvers.py --cases 10000 --seed 1
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

sys.path.insert(0, str(Path(__file__).parents[1]))  # as in the tests, where this is run by hand

from fuzz import watchdog

import dalembert as da
from dalembert.errors import ConstraintError

FORMULATIONS = (("absolute", "elements"), ("absolute", "symbolic"), ("relative", "recursion"), ("relative", "symbolic"))
#: Parents of bodies, pairs of bodies that loops tie, plane or space; the ground is -1.
TOPOLOGIES = (
    ((-1, 0, 1), ((2, -1),), True),
    ((-1, 0, 1, 2), ((3, -1),), True),
    ((-1, 0, 0, -1, 1), ((-1, 4), (3, 1)), True),
    ((-1, 0, 1, 2, 3, 4), ((2, -1), (5, 0)), True),
    ((-1, 0, 1), ((2, -1),), False),
    ((-1, 0, 1, 1), ((3, -1),), False),
)
#: Joints in space in turn, and the turn of their markers on the first body.
KINDS = ("revolute", "spherical")
TURN = Rotation.from_euler("xyz", (0.7, 0.4, 0.2))
#: The bar, and the steps that a change of the solver costs.
MOST, MORE = 1.5, 3
MAX_STEPS = 2000
METHODS = ("dop853", "dop853", "dopri5", "adams")


class Mechanism:
    """A model with parameters for all of its numbers, and where its bodies stand."""

    def __init__(self, topology: int) -> None:
        self.parents, self.loops, self.planar = TOPOLOGIES[topology]
        self.n = 2 if self.planar else 3
        gravity = (0.0, -9.81, 0.0)[: self.n]
        self.model = m = da.Model("random", gravity=gravity, **({"plane": "xy"} if self.planar else {}))
        #: names of numbers by what they are
        self.kinds: dict[str, str] = {}
        self.bodies = [m.ground]
        for i, parent in enumerate(self.parents):
            inertia = self._number("inertia") if self.planar else [self._number(f"inertia{k}") for k in range(3)]
            body = m.body(f"b{i}", mass=self._number("mass"), inertia=inertia, com=self._place(f"com{i}"))
            self.bodies.append(body)
            first = self.bodies[parent + 1].at(
                *self._place(f"first{i}"), **({} if self.planar else {"rotation": TURN.as_matrix()})
            )
            getattr(m, self.joint_kind(i))(f"j{i}", first, body.at(*self._place(f"second{i}")))
        for i, pair in enumerate(self.loops):
            ends = (self.bodies[k + 1].at(*self._place(f"loop{i}_{k}")) for k in pair)
            m.coincident(f"loop{i}", *ends)
        for i in range(2):
            ends = (self.bodies[k].at(*self._place(f"spring{i}_{k}")) for k in (i, -1 - i))
            m.spring(f"spring{i}", *ends, self._number("stiffness"), length=self._number("length"))

    def joint_kind(self, i: int) -> str:
        return "revolute" if self.planar else KINDS[i % 2]

    def _number(self, kind: str, name: str = "") -> Any:
        name = name or f"{kind}_{len(self.kinds)}"
        self.kinds[name] = kind
        self.model.parameters(**{name: 0.1 + 0.01 * len(self.kinds)})
        return getattr(self.model.p, name)

    def _place(self, name: str) -> list[Any]:
        return [self._number("place", f"{name.replace('-', 'g')}_{k}") for k in range(self.n)]

    def drawn(self, rng: np.random.Generator) -> tuple[dict[str, float], list[Rotation], list[np.ndarray]]:
        """Parameters, and turns and places of all bodies, the ground first."""
        spread = rng.uniform(0.0, 4.0)
        thin = 10.0 ** -rng.uniform(0.0, 5.0) if rng.random() < 0.6 else 1.0  # bodies that are nearly lines
        largest = {"mass": 10.0, "stiffness": 300.0, "length": 1.0}
        p: dict[str, float] = {}
        for name, kind in self.kinds.items():
            size = largest.get(kind, 1.0) * 10.0 ** rng.uniform(-spread, 0.0)
            across = thin if name[-2:] in ("_1", "_2") else 1.0
            p[name] = float(across * rng.uniform(-0.7, 0.7) if kind == "place" else size)
        for i in range(len(self.parents)):  # three inertias of a body that can be
            names = [name for name in p if name.startswith("inertia")][3 * i : 3 * i + 3]
            if not self.planar:
                p.update(zip(names, p[names[0]] * rng.uniform(1.0, 1.9, 3), strict=True))
        line = 10.0 ** -rng.uniform(1.0, 5.0) if rng.random() < 0.4 else 0.0  # all joints are nearly in line
        self.own = [self._own_turn(rng, i, line) for i in range(len(self.parents))]
        turns, places = [Rotation.identity()], [np.zeros(3)]
        for i, parent in enumerate(self.parents):
            turn = turns[parent + 1] * (Rotation.identity() if self.planar else TURN) * self.own[i]
            at = places[parent + 1] + turns[parent + 1].apply(self._at(p, f"first{i}"))
            turns.append(turn)
            places.append(at - turn.apply(self._at(p, f"second{i}")))
        for i, (first, second) in enumerate(self.loops):
            at = places[first + 1] + turns[first + 1].apply(self._at(p, f"loop{i}_{first}"))
            there = turns[second + 1].inv().apply(at - places[second + 1])
            p.update((f"loop{i}_{str(second).replace('-', 'g')}_{k}", float(there[k])) for k in range(self.n))
        return p, turns, places

    def _own_turn(self, rng: np.random.Generator, i: int, line: float) -> Rotation:
        """Of a joint: any, or nearly in line."""
        angle = line * rng.uniform(-1, 1) + rng.choice((0.0, np.pi)) if line else rng.uniform(-3, 3)
        if self.joint_kind(i) == "revolute":
            return Rotation.from_rotvec((0.0, 0.0, angle))
        direction = rng.normal(size=3)
        return Rotation.from_rotvec(angle * direction / np.linalg.norm(direction))

    def _at(self, p: dict[str, float], name: str) -> np.ndarray:
        found = np.zeros(3)
        found[: self.n] = [p[f"{name.replace('-', 'g')}_{k}"] for k in range(self.n)]
        return found

    def coordinates(
        self, equations: Any, p: dict[str, float], turns: list[Rotation], places: list[np.ndarray]
    ) -> np.ndarray:
        """q in relative or absolute coordinates."""
        known = dict(self._relative())
        if set(equations.names["q"]) <= known.keys():
            return np.array([known[name] for name in equations.names["q"]])
        return np.array(list(self._absolute(p, turns, places)))

    def _relative(self) -> Iterator[tuple[str, float]]:
        turned = {-1: 0.0}
        for i, turn in enumerate(self.own):
            angle = float(turn.as_rotvec()[2])
            turned[i] = turned[self.parents[i]] + angle
            yield from ((f"j{i}.angle", angle), (f"b{i}.turned", turned[i]))
            yield from ((f"j{i}.p{k}", value) for k, value in enumerate(turn.as_quat()[[3, 0, 1, 2]]))

    def _absolute(self, p: dict[str, float], turns: list[Rotation], places: list[np.ndarray]) -> Iterator[float]:
        for i, (turn, place) in enumerate(zip(turns[1:], places[1:], strict=True)):
            yield from (place + turn.apply(self._at(p, f"com{i}")))[: self.n]
            yield from [turn.as_rotvec()[2]] if self.planar else turn.as_quat()[[3, 0, 1, 2]]


@cache
def mechanism(topology: int) -> Mechanism:
    return Mechanism(topology)


@cache
def equations_of(topology: int, formulation: int):
    coordinates, builder = FORMULATIONS[formulation]
    return mechanism(topology).model.equations(coordinates, builder=builder)


def case(seed: int, number: int) -> str:
    """One case; what came of it in a few words."""
    told, _ = compared(seed, number)
    return told


def compared(seed: int, number: int) -> tuple[str, tuple[int, int] | None]:
    """What came of a case, and the steps of both runs."""
    rng = np.random.default_rng([seed, number])
    topology, formulation = int(rng.integers(len(TOPOLOGIES))), int(rng.integers(len(FORMULATIONS)))
    made, equations = mechanism(topology), equations_of(topology, formulation)
    parameters, turns, places = made.drawn(rng)
    q = made.coordinates(equations, parameters, turns, places)
    G = equations.evaluate("G", q=q, parameters=parameters)
    v = rng.uniform(-2.0, 2.0, equations.sizes.v)
    v -= np.linalg.pinv(G) @ (G @ v)
    rtol = 10.0 ** rng.uniform(-10.0, -5.0)
    atol = rtol * 10.0 ** rng.uniform(-2.0, 0.0)
    span, method = (0.0, float(rng.uniform(0.05, 0.5))), METHODS[rng.integers(len(METHODS))]
    options = {"method": method, "rtol": rtol, "atol": atol, "parameters": parameters}
    try:
        reference = da.simulate(equations, span, (q, v), solver="dense", max_steps=MAX_STEPS, **options)
    except ConstraintError:
        return "refused", None
    if reference.outcome != "finished":
        return f"dense: {reference.outcome}", None
    most = int(MOST * reference.statistics.steps) + MORE
    run = da.simulate(equations, span, (q, v), max_steps=most + 1, **options)
    steps = run.statistics.steps, reference.statistics.steps
    what = (
        f"{FORMULATIONS[formulation]}, topology {topology}, {method}, rtol {rtol:.1e}, atol {atol:.1e}, steps {steps}"
    )
    assert run.outcome == "finished" and steps[0] <= most, (what, run.message)
    return "changed" if "had lost digits" in run.message else "same", steps


if __name__ == "__main__":
    watchdog.main(__file__, case, patience=300.0)
