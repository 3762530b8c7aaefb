"""Velocities that the description gives to bodies and joints, in loops: what nobody gave does not hold them back.

The nearest motion to the description that constraints allow, measured by M, counts bodies which nobody said anything
about as bodies at rest.  Here velocities and rates that were given are met as nearly as constraints allow; whatever
freedom is left is the nearest to the description.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from dalembert.equations import State
from dalembert.equations.contract.evaluation import Evaluation
from dalembert.equations.contract.provider import Floats
from dalembert.equations.questions.assembly import inverse_root
from dalembert.model.bodies.parts import Body
from dalembert.model.starting.start import Start

if TYPE_CHECKING:
    from dalembert.model.formulate.mechanism import Mechanism

#: A given velocity has come out if it is so near, relative to the largest that was given.
_MET = 1e-9
#: Directions count as dependent below this part of the largest.
_RANK = 1e-9
#: What rounding leaves of a sum, relative to the sum of sizes.
_ROUNDING = 1e-14


class GivenVelocities:
    """What was given: velocities of bodies, and rates of joints by ``start=``."""

    def __init__(self, mechanism: Mechanism, begin: Start) -> None:
        self.mechanism, self.begin = mechanism, begin
        self.bodies: list[Body] = [
            body
            for body in mechanism.layout.bodies
            if body.start_velocity is not None or body.start_angular_velocity is not None
        ]
        #: joints and their coordinates; what ``assemble`` was asked for is held anyway
        self.rates = [
            (coordinate, coordinate.joint.start[f"{coordinate.label}.rate"])
            for coordinate in mechanism.joint_coordinates
            if f"{coordinate.label}.rate" in coordinate.joint.start and coordinate.rate.name not in begin.values
        ]
        arms = [np.linalg.norm(begin.number(marker.r)) for joint in begin.joints for marker in joint.markers]
        #: metres that a radian stands for
        self.length = float(max(arms, default=0.0)) or 1.0

    def __bool__(self) -> bool:
        return bool(self.bodies or self.rates)

    @property
    def targets(self) -> Floats:
        """Everything that was given, in m/s."""
        found: list[float] = []
        for body in self.bodies:
            at = self.begin.given(body)
            found += [] if body.start_velocity is None else at.v.tolist()
            found += [] if body.start_angular_velocity is None else (self.length * (at.R.T @ at.w)).tolist()
        return np.array([*found, *(self._unit(one.is_angle) * float(rate) for one, rate in self.rates)])

    def at(self, q: Floats, v: Floats) -> Floats:
        """The same with other coordinates and velocities."""
        there = self.begin.placed_at(self.mechanism.layout, q, v)
        found: list[float] = []
        for body in self.bodies:
            at = there.bodies[body.name]
            found += [] if body.start_velocity is None else at.v.tolist()
            found += [] if body.start_angular_velocity is None else (self.length * (at.R.T @ at.w)).tolist()
        rates = (self._unit(one.is_angle) * there.joint_coordinate(one.joint, one.label)[1] for one, _ in self.rates)
        return np.array([*found, *rates])

    def _unit(self, is_angle: bool) -> float:
        return self.length if is_angle else 1.0

    def met(
        self,
        state: State,
        v0: Floats,
        kept: Sequence[str],
        asked: Sequence[Callable[[Floats], float]],
        p: Floats,
    ) -> Floats | None:
        """Velocities that meet what was given, where those of a state do not; None if they do.

        ``kept`` velocities stay, as do numbers ``asked`` for, linear functions of the velocities; v0 is the
        description's.
        """
        targets, now = self.targets, self.at(state.q, state.v)
        away = targets - now
        if not np.abs(away).max() > _MET * np.abs(targets).max():
            return None
        mechanism = self.mechanism
        point = Evaluation(mechanism.active, state.t, state.q, state.v, state.u, p)
        if point.large:
            return None
        columns = [mechanism.index("v", name) for name in kept]
        free = np.delete(np.arange(len(state.v)), np.array(columns, dtype=int))
        if not free.size:
            return None
        units = np.eye(len(state.v))[free]
        given = np.column_stack([self.at(state.q, state.v + one) - now for one in units])
        if (np.abs(away) <= _ROUNDING * (np.abs(given) @ np.abs(state.v[free]))).all():
            return None
        rates = np.array([[row(state.v + one) - row(state.v) for one in units] for row in asked]).reshape(-1, free.size)
        root = inverse_root(point, free)  # in these directions M is one
        fixed = np.concatenate([point.matrix("G")[:, free], rates]) @ root
        size = np.linalg.norm(fixed, axis=1)
        fixed = fixed[size > 0.0] / size[size > 0.0, None]
        allowed = root @ _null_space(fixed)  # motions that constraints allow
        change, left = given @ allowed, np.linalg.solve(root, (v0 - state.v)[free])
        inverse = _inverse(change, float(np.linalg.norm(given @ root, 2)))
        # What is given does not say everything: the rest is nearest to the description.
        nearest = np.linalg.solve(root, allowed).T @ left
        step = inverse @ away + nearest - inverse @ (change @ nearest)
        v = np.array(state.v)
        v[free] += allowed @ step
        return v


def _inverse(matrix: Floats, size: float) -> Floats:
    """The pseudo-inverse; directions that matter less than rounding beside a ``size`` count as none."""
    U, sizes, V = np.linalg.svd(matrix, full_matrices=False)
    some = sizes > _RANK * size
    return np.asarray((V[some].T / sizes[some]) @ U[:, some].T)


def _null_space(rows: Floats) -> Floats:
    """Orthonormal directions that rows do not see."""
    n = rows.shape[1]
    if not len(rows):
        return np.eye(n)
    _, sizes, V = np.linalg.svd(rows)
    return np.ascontiguousarray(V[int((sizes > _RANK * sizes.max(initial=0.0)).sum()) :].T)
