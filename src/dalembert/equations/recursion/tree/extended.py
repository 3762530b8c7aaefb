"""Elements on the extended vectors of a tree: poses and twists of its bodies, then coordinates of its joints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dalembert.equations.builders.elements import Elements
from dalembert.equations.recursion.tree.links import Link, Tree
from dalembert.symbolic import array, eye, zeros

_POSE, _TWIST = ("x", "y", "z", "p0", "p1", "p2", "p3"), ("vx", "vy", "vz", "wx", "wy", "wz")


def _label(tree: Tree, i: int) -> str:
    return tree.links[i].name or f"link{i}"


def joint_names(tree: Tree, further: int = 0) -> dict[str, list[str]]:
    """Names of the coordinates and velocities of the joints, from those of the links; none where these are not
    different."""
    q: list[str] = []
    v: list[str] = []
    for i, link in enumerate(tree.links):
        label, joint = _label(tree, i), link.joint
        if joint.n_v == 1:
            q.append(label)
            v.append(f"{label}.rate")
        else:
            q += [f"{label}.{key}" for key in _POSE[7 - joint.n_q :]]
            v += [f"{label}.{key}" for key in _TWIST[6 - joint.n_v :]]
    q += [f"further{k}" for k in range(further)]
    return {"q": q, "v": v} if len(set(q)) == len(q) and len(set(v)) == len(v) else {}


def _rates(q: Any) -> Any:
    """½ L(p)ᵀ of ṗ = ½ L(p)ᵀ ω."""
    p0, p1, p2, p3 = q
    return 0.5 * array([[-p1, -p2, -p3], [p0, -p3, p2], [p3, p0, -p1], [-p2, p1, p0]])


def _pose_rates(q: Any) -> Any:
    T = zeros((7, 6))
    T[:3, :3] = eye(3)
    T[3:, 3:] = _rates(q[3:])
    return T


def extended(
    name: str,
    links: Sequence[Link],
    *,
    further: Sequence[str] = (),
    states: Sequence[str] = (),
    parameters: Mapping[str, Any] | None = None,
    breaks: Sequence[float] = (),
) -> Elements:
    """Empty elements with the extended vectors of a tree, for :class:`~dalembert.equations.recursion.Recursion`.

    Body b (the b-th link that carries one) has coordinates 7 b … 7 b + 6, centre of mass in world axes and Euler
    parameters, and velocities 6 b … 6 b + 5, of the centre of mass in world axes and of rotation in own axes.  Those of
    the joints follow in the order of the links, then the coordinates ``further``, which elements must own.
    """
    tree = Tree(tuple(links), name)
    n = len(tree.bodies)
    labels = [f"body{b}" for b in range(n)]
    elements = Elements(
        name,
        coordinates=[f"{label}.{key}" for label in labels for key in _POSE]
        + [f"joint{k}" for k in range(tree.n_q)]
        + list(further),
        velocities=[f"{label}.{key}" for label in labels for key in _TWIST] + [f"rate{k}" for k in range(tree.n_v)],
        states=list(states) or None,
        parameters=parameters,
        breaks=breaks,
    )
    if n:
        places = np.arange(7 * n).reshape(n, 7), np.arange(6 * n).reshape(n, 6)
        elements.add("pose", coordinates=places[0], velocities=places[1], T=_pose_rates)
    plain, turned = [], []
    for i, link in enumerate(tree.links):
        joint, q, v = link.joint, 7 * n + tree.q_places[i], 6 * n + tree.v_places[i]
        count = joint.parameters if joint.has_parameters else joint.n_v
        plain += [[q + k, v + k] for k in range(count)]
        if joint.has_parameters:
            turned.append([*range(q + count, q + count + 4), *range(v + count, v + count + 3)])
    if plain:
        pairs = np.array(plain)
        elements.add("joint", coordinates=pairs[:, :1], velocities=pairs[:, 1:], T=lambda: eye(1))
    if turned:
        listed = np.array(turned)
        elements.add("turning joint", coordinates=listed[:, :4], velocities=listed[:, 4:], T=_rates)
    return elements
