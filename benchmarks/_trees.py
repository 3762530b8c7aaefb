"""Descriptions of the mechanisms of models.py: one list of numbers per mechanism, from which ours and all others build.

A mechanism is a tree of links that turn about the z axes of their frames.  The frame of a link stands in that of its
parent at ``offset``, turned by the constant matrix ``rotation`` and then by the angle of the joint about the new z
axis.  Mass, centre of mass and the inertia about the centre of mass are in the axes of the link.

general chain   offsets, axes, centres of mass and inertias in general position; nothing is zero.  For timing functions.
arm             the seven joints of _chains.py, with right angles and many zeros.
hanging chain   together 10 m long and 10 kg, whatever the number of links; the axes of the joints alternate, so that
                the chain bends in all directions and does not twist.  It starts at rest, tilted and bent in two planes,
                and swings for one second, in which its end moves by 3.7 m.  For simulations: the motion is regular (a
                change at the start is not amplified), and nearly the same for all numbers of links.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import _chains as chains

GRAVITY = 9.81  # against the z axis of the world
END = 1.0  # s
LENGTH = 10.0  # m, of the hanging chain, and its mass in kg
REFERENCES = Path(__file__).parent / "data"


@dataclass(frozen=True)
class Link:
    """A link and the joint that carries it; plain numbers, in the units of the SI."""

    parent: int  # number of the link before it, -1 for the ground; smaller than its own
    rotation: list[list[float]]  # constant turn: components in the frame of the parent from those before the joint
    offset: list[float]  # origin of the joint, in the frame of the parent
    mass: float
    com: list[float]
    inertia: list[list[float]]  # about the centre of mass


@dataclass(frozen=True)
class Tree:
    """A mechanism."""

    name: str
    links: Sequence[Link]
    tip: list[float]  # a point of the last link that is looked at
    start: list[float]  # angles of the joints before a simulation; they are at rest

    @property
    def size(self) -> int:
        return len(self.links)


def as_chain(tree: Tree) -> chains.Chain:
    """The same in the form of _chains.py, whose algorithms are for chains."""
    assert all(link.parent == i - 1 for i, link in enumerate(tree.links))
    links = [chains.link_of(x.rotation, x.offset, x.mass, x.com, x.inertia) for x in tree.links]
    return chains.Chain(links, [0, 0, GRAVITY])


# ----------------------------------------------------------------------------- mechanisms


def turn(axis: int, angle: float) -> list[list[float]]:
    """Rotation matrix about x, y or z."""
    c, s = math.cos(angle), math.sin(angle)
    j, k = (axis + 1) % 3, (axis + 2) % 3
    R = [[float(a == b) for b in range(3)] for a in range(3)]
    R[j][j], R[j][k], R[k][j], R[k][k] = c, -s, s, c
    return R


def general_chain(n: int, seed: int = 1) -> Tree:
    """``n`` links in general position; shorter ones are the beginnings of longer ones."""
    number = random.Random(seed).uniform

    def vector(size: float) -> list[float]:
        return [number(-size, size) for _ in range(3)]

    links = []
    for i in range(n):
        a, b, c = vector(1.0)
        rotation = chains.product(chains.product(turn(0, a), turn(1, b)), turn(2, c))
        # Second moments of mass S make an inertia tr(S) 1 - S that a body can have.
        B = [vector(1.0) for _ in range(3)]
        S = chains.symmetric(lambda j, k: 0.05 * chains.dot(B[j], B[k]) + (0.1 if j == k else 0.0))
        trace = S[0][0] + S[1][1] + S[2][2]
        inertia = chains.symmetric(lambda j, k: (trace if j == k else 0.0) - S[j][k])
        links.append(Link(i - 1, rotation, vector(0.5), number(1.0, 3.0), vector(0.3), inertia))
    return Tree(f"spatial chain of {n} links", links, [0.0, 0.0, 0.0], [0.0] * n)


def arm() -> Tree:
    """The arm of _chains.py, back from moments about the joints to inertias about centres of mass."""
    links = []
    for i, link in enumerate(chains.arm().links):
        com, inertia = chains.central_inertia(link)
        rounded = [[round(x, 12) for x in row] for row in inertia]  # the numbers of the table there
        links.append(Link(i - 1, link.E, link.p, link.m, [round(x, 12) for x in com], rounded))
    return Tree("seven-joint arm", links, [0.0, 0.0, 0.126], [0.0] * len(links))


def hanging_chain(n: int) -> Tree:
    """``n`` links along their x axes; the angles that tilt and bend it at the start add up alike for all ``n``."""
    l = m = LENGTH / n
    com = [0.5 * l, 0.05 * l, -0.04 * l]
    moments = [[0.03, 0.005, 0.004], [0.005, 0.09, -0.003], [0.004, -0.003, 0.1]]
    inertia = [[m * l**2 * a for a in row] for row in moments]
    down: chains.Matrix = [[0, 0, 1], [0, 1, 0], [-1, 0, 0]]  # x axis downwards
    across: chains.Matrix = [[1, 0, 0], [0, 0, -1], [0, 1, 0]]  # quarter turns about x
    back: chains.Matrix = [[1, 0, 0], [0, 0, 1], [0, -1, 0]]
    links = [Link(-1, down, [0.0, 0.0, 0.0], m, com, inertia)]
    for i in range(1, n):
        links.append(Link(i - 1, across if i % 2 else back, [l, 0.0, 0.0], m, com, inertia))
    start = []
    for i in range(n):
        s = math.pi * (i + 0.5) / n
        start.append((0.9 * math.sin(s) if i % 2 else 1.2 * math.cos(s)) * 2.0 / n)
    start[0] += 0.5
    start[1] -= 0.3
    return Tree(f"hanging chain of {n} links", links, [l, 0.0, 0.0], start)


def point(n: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Angles, velocities and torques at which functions are evaluated."""
    q, v, tau = np.random.default_rng(seed).uniform(-1.0, 1.0, (3, n))
    return q, v, tau


# ------------------------------------------------------------------------------- kinematics


def error_of(tree: Tree, points: np.ndarray, expected: np.ndarray) -> float:
    """Largest distance of joints and tip from where they should be at the end, over the largest way from the start."""
    start = joint_points(tree, np.array(tree.start))
    way = np.linalg.norm(expected - start, axis=1).max()
    return float(np.linalg.norm(points - expected, axis=1).max() / way)


def frames(tree: Tree, q: np.ndarray) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Rotation matrices and origins of the frames of all links in the world."""
    R: list[np.ndarray] = []
    r: list[np.ndarray] = []
    for link, angle in zip(tree.links, q, strict=True):
        R_before, r_before = (np.eye(3), np.zeros(3)) if link.parent < 0 else (R[link.parent], r[link.parent])
        r.append(r_before + R_before @ np.array(link.offset, dtype=float))
        R.append(R_before @ np.array(link.rotation, dtype=float) @ np.array(turn(2, float(angle))))
    return R, r


def joint_points(tree: Tree, q: np.ndarray) -> np.ndarray:
    """Origins of all joints after the first, and the tip, in the world: (n, 3)."""
    R, r = frames(tree, q)
    return np.array([*r[1:], r[-1] + R[-1] @ np.array(tree.tip)])


def points_of_bodies(tree: Tree, poses: np.ndarray) -> np.ndarray:
    """The same from poses of bodies (n, 7): centre of mass in the world, Euler parameters with the scalar first."""
    found = []
    for i, link in enumerate(tree.links):
        following = tree.links[i + 1].offset if i + 1 < tree.size else tree.tip
        arm = np.array(following, dtype=float) - np.array(link.com)
        found.append(poses[i, :3] + rotation_of(poses[i, 3:]) @ arm)
    return np.array(found)


def rotation_of(p: np.ndarray) -> np.ndarray:
    """Rotation matrix of Euler parameters, which are normalised."""
    w, x, y, z = p / np.linalg.norm(p)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
