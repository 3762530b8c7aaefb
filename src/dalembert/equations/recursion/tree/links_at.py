"""What the links of a tree do at one point of a motion: poses, velocities, accelerations, wrenches of the joints."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.equations.contract.convention import IMPLICIT, INPUTS
from dalembert.equations.contract.provider import Floats
from dalembert.equations.recursion.passes.workspace import ENTRY
from dalembert.equations.recursion.tree.record import FIRST_CONSTANT, constant, record

if TYPE_CHECKING:
    from dalembert.equations.recursion.programs.recursion import Recursion


@dataclass(frozen=True, eq=False)
class LinkStates:
    """Rows are links in their order, vectors have world axes."""

    R: Floats  # (n, 3, 3)
    p: Floats  # (n, 4), Euler parameters
    r: Floats  # origins
    omega: Floats
    velocity: Floats  # of the origins
    alpha: Floats
    acceleration: Floats  # of the origins
    com: Floats  # centres of mass
    #: (n, 6): moment about the origin, then force, that the joint exerts on the link: reactions and drives together
    wrench: Floats
    bodies: Any  # links that carry bodies

    def extended(self) -> tuple[Floats, Floats, Floats]:
        """Poses, twists and accelerations of the bodies, as elements see them; those of the joints come after them."""
        b = self.bodies
        arm, omega = self.com[b] - self.r[b], self.omega[b]
        into = np.swapaxes(self.R[b], 1, 2)
        X = np.concatenate([self.com[b], self.p[b]], axis=1)
        V = np.concatenate([self.velocity[b] + np.cross(omega, arm), _times(into, omega)], axis=1)
        turning = np.cross(self.alpha[b], arm) + np.cross(omega, np.cross(omega, arm))
        A = np.concatenate([self.acceleration[b] + turning, _times(into, self.alpha[b])], axis=1)
        return X.reshape(-1), V.reshape(-1), A.reshape(-1)


def _times(matrices: Floats, vectors: Floats) -> Floats:
    return np.einsum("nij,nj->ni", matrices, vectors)


def links_at(
    recursion: Recursion, t: float, q: Any, v: Any, a: Any, lam: Any, u: Any, parameters: Mapping[str, Any] | None
) -> LinkStates:
    """See :meth:`Recursion.links_at`."""
    s, tree = recursion.sizes, recursion.tree
    provider = recursion.program("implicit")
    # Each thread has a workspace of its own.
    own: dict[str, Any] = vars(recursion.kept("workspaces of links_at", threading.local))
    if "work" not in own:
        own["work"] = provider.workspace()
    work = own["work"]
    inputs = {"p": recursion.parameter_vector(parameters), "t": np.array([float(t)]), "mu": np.zeros(s.g)}
    for key, value in (("q", q), ("v", v), ("lam", lam), ("u", u)):
        inputs[key] = recursion.vector(key, np.zeros(getattr(s, key)) if value is None else value)
    inputs["a"] = recursion.vector("v", np.zeros(s.v) if a is None else a)
    entries = [np.ascontiguousarray(inputs[key]) for key in INPUTS]
    outputs = [np.zeros(max(1, size)) for size in provider.out_sizes]
    tables = [np.array([array.ctypes.data for array in arrays], dtype=np.int64) for arrays in (entries, outputs)]
    if ENTRY(provider.address)(IMPLICIT.residual, 0, tables[0].ctypes.data, tables[1].ctypes.data, work.ctypes.data):
        provider.raise_pending()
    records = work.values_of_links.reshape(-1, record.end)[tree.records]

    def field(start: int, size: int) -> Floats:
        return np.array(records[:, start : start + size])

    R, r = field(record.R, 9).reshape(-1, 3, 3), field(record.POSITION, 3)
    constants = work.constants[FIRST_CONSTANT:].reshape(-1, constant.end)[tree.records - 1]
    centres = constants[:, constant.CENTRE : constant.CENTRE + 3]
    gravity = work.constants[:3]
    return LinkStates(
        R, field(record.P, 4), r, field(record.OMEGA, 3), field(record.VELOCITY, 3), field(record.ALPHA, 3),
        field(record.ACCELERATION, 3) + gravity, r + _times(R, centres), field(record.MOMENT, 6), tree.bodies,
    )  # fmt: skip
