"""Rotations from a base to its child: the matrix, and the angular velocity that belongs to it.

``matrix`` is R_PC of parent P and child C: its columns are the axes of C in the components of P, ``r_P = R_PC @ r_C``.
Angular velocity and acceleration are w_PC_C and its derivative: of the child relative to the parent, in components of
the child.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dalembert.errors import SymbolicError
from dalembert.symbolic.atom import Atom, AtomArray, array, graph_of
from dalembert.symbolic.calculus import time_derivative
from dalembert.symbolic.functions import cos, sin, sqrt
from dalembert.symbolic.graph import Graph
from dalembert.symbolic.mechanics.components import CYCLIC, cross, frozen, numbers, scalar, scalars


class Rotation:
    """A rotation matrix given as such."""

    def __init__(self, matrix: AtomArray, angular_velocity: AtomArray | None = None) -> None:
        self.matrix = frozen(matrix)
        self._given = angular_velocity

    def angular_velocity(self) -> AtomArray:
        """w_PC_C.  Found when it is asked for: a rotation of symbols without rates is good for statics."""
        return self._given if self._given is not None else self._own_angular_velocity()

    def angular_acceleration(self) -> AtomArray:
        """Time derivative of the components w_PC_C."""
        if self._given is not None:
            rate: AtomArray = time_derivative(self._given)
            return rate
        return self._own_angular_acceleration()

    def _own_angular_velocity(self) -> AtomArray:
        # [w]× = Rᵀ Ṙ, of which three entries are enough.
        R, dR = self.matrix, time_derivative(self.matrix)
        return array([R[:, k] @ dR[:, j] for _, j, k in CYCLIC])

    def _own_angular_acceleration(self) -> AtomArray:
        rate: AtomArray = time_derivative(self._own_angular_velocity())
        return rate


class AxisAngle(Rotation):
    """Rotation by ``angle`` about the unit vector ``axis`` (railway paper, eq. (1))."""

    def __init__(self, axis: AtomArray, angle: Atom) -> None:
        self.axis, self.angle = axis, angle
        self.cosine, self.sine = _cos_sin(angle)
        super().__init__(_rodrigues(axis, self.cosine, self.sine))

    def _own_angular_velocity(self) -> AtomArray:
        # w = φ̇ n + sin φ ṅ - (1 - cos φ) n × ṅ in the child's components; what remains of it for an axis that is
        # constant is φ̇ n, because the graph drops terms with ṅ = 0.
        n, dn = self.axis, time_derivative(self.axis)
        w: AtomArray = self.angle.dt * n + self.sine * dn - (1.0 - self.cosine) * cross(n, dn)
        return w


class EulerParameters(Rotation):
    """Rotation by Euler parameters p = (cos φ/2, n sin φ/2): scalar first.

    With ``unit`` their length is taken to be 1 and the caller sees to it; otherwise it is divided out.
    """

    def __init__(self, p: AtomArray, unit: bool, angular_velocity: AtomArray | None = None) -> None:
        self.p, self.unit = p, unit
        self._scale: Any = 2.0 if unit else 2.0 / (p @ p)
        super().__init__(self._matrix(), angular_velocity)

    def _matrix(self) -> AtomArray:
        # R = 1 + s (p0 [e]× + [e]×[e]×) with e = (p1, p2, p3), s = 2/|p|²: 12 products and 12 sums.
        p0, e, double = self.p[0], self.p[1:], self._scale * self.p[1:]
        R = np.empty((3, 3), dtype=object).view(AtomArray)
        for i, j, k in CYCLIC:
            R[i, i] = 1.0 - (double[j] * e[j] + double[k] * e[k])
            R[i, j], R[j, i] = double[i] * e[j] - double[k] * p0, double[i] * e[j] + double[k] * p0
        return R

    def _own_angular_velocity(self) -> AtomArray:
        w: AtomArray = self._scale * (_L(self.p) @ time_derivative(self.p))  # w = 2 L(p) ṗ
        return w

    def _own_angular_acceleration(self) -> AtomArray:
        if not self.unit:
            return super()._own_angular_acceleration()
        # L(ṗ) ṗ = 0 identically; differentiating w would write these terms and could not cancel them all.
        rate: AtomArray = self._scale * (_L(self.p) @ time_derivative(time_derivative(self.p)))
        return rate


def _L(p: AtomArray) -> AtomArray:
    p0, p1, p2, p3 = p
    return array([[-p1, p0, p3, -p2], [-p2, -p3, p0, p1], [-p3, p2, -p1, p0]])


def euler_parameter_rates(p: Any, w: Any) -> AtomArray:
    """ṗ = ½ L(p)ᵀ w for the angular velocity ``w`` in components of the turned base.

    The kinematics q̇ = T v of a body whose velocities are w instead of ṗ:

    >>> g = Graph()
    >>> p, w = g.variables("p", 4), g.variables("w", 3)
    >>> for symbol, rate in zip(p, euler_parameter_rates(p, w)):
    ...     _ = g.variable(symbol.name, rate=rate)
    """
    graph = graph_of(p, w, where="euler_parameter_rates")
    p = scalars(graph, p, (4,), "euler_parameter_rates: Euler parameters p")
    w = scalars(graph, w, (3,), "euler_parameter_rates: angular velocity w")
    rates: AtomArray = 0.5 * (_L(p).T @ w)
    return rates


def unit_axis(graph: Graph, axis: Any, unit: bool, where: str) -> AtomArray:
    """``axis`` as a unit vector; an expression is taken as it stands if ``unit`` says that its length is 1."""
    items = scalars(graph, axis, (3,), f"{where}: axis")
    values = numbers(items)
    if values is not None:
        length = math.hypot(*values)
        if not (0.0 < length < math.inf):
            shown = ", ".join(f"{value:g}" for value in values)
            raise SymbolicError(f"{where}: axis must be finite and not zero, got ({shown})")
        return scalars(graph, values / length, (3,), where)
    return items if unit else frozen(items / sqrt(items @ items))


def rotation_matrix(graph: Graph, matrix: Any, where: str) -> AtomArray:
    """``matrix`` as 3×3 atoms; numbers must form a rotation."""
    items = scalars(graph, matrix, (3, 3), f"{where}: matrix")
    R = numbers(items)
    if R is not None:
        error = np.abs(R.T @ R - np.eye(3)).max()
        if not error < 1e-9:
            raise SymbolicError(f"{where}: the matrix is no rotation, |Rᵀ R - 1| reaches {error:.2g}; "
                                "its columns must be orthogonal unit vectors")  # fmt: skip
        if np.linalg.det(R) < 0.0:
            raise SymbolicError(f"{where}: the matrix is a reflection, det R = -1; exchange two of its columns")
    return items


def _cos_sin(angle: Atom) -> tuple[Atom, Atom]:
    c, s = cos(angle), sin(angle)
    if c.value is not None and min(abs(c.value), abs(s.value)) < 1e-15:
        # Quarter turns, as between the axes of many joints: π/2 has no exact float, and the 6e-17 in place of a
        # zero would be multiplied and added in every change of base.
        return scalar(angle.graph, round(c.value), "cos"), scalar(angle.graph, round(s.value), "sin")
    return c, s


def _rodrigues(n: AtomArray, c: Atom, s: Atom) -> AtomArray:
    """R = c 1 + s [n]× + (1 - c) n nᵀ.

    About a coordinate axis the graph leaves only four entries, ±s and c.  About another constant axis this takes 19
    operations, and 15 for each vector that is carried over; a constant rotation, a turn about z and the constant
    rotation back would take 36 for each of the five vectors that a recursive formulation carries.
    """
    t, sn = (1.0 - c) * n, s * n
    R = np.empty((3, 3), dtype=object).view(AtomArray)
    for i, j, k in CYCLIC:
        square = n[i].value * n[i].value if n[i].value is not None else None
        # With numbers as in n² + c (1 - n²) an axis of exactly 0 or 1 leaves c or 1.
        R[i, i] = t[i] * n[i] + c if square is None else square + c * (1.0 - square)
        R[i, j], R[j, i] = t[i] * n[j] - sn[k], t[i] * n[j] + sn[k]
    return R
