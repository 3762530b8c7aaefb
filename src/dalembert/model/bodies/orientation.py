"""Constant rotations of frames, as numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.arguments import real, reals, shown
from dalembert.errors import ModelError
from dalembert.model.frames import atoms_or_numbers, objects_of
from dalembert.symbolic import Atom, arctan2

#: Axes of frames whose z axis is a coordinate axis: a cyclic change of names, without sines that nearly vanish.
_CYCLIC = {
    (0, 0, 1): np.eye(3),
    (1, 0, 0): np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]),
    (0, 1, 0): np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]),
}
_LETTERS = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
#: Half a turn about x: a joint that is passed from its second body to its first turns about −z.
HALF_TURN = np.diag([1.0, -1.0, -1.0])


def axis_vector(axis: Any, where: str) -> Any:
    """A unit vector from three numbers or one of the letters x, y, z (with a minus in front, perhaps)."""
    if isinstance(axis, str) and axis.lstrip("-") in _LETTERS:
        sign = -1.0 if axis.startswith("-") else 1.0
        return sign * np.array(_LETTERS[axis.lstrip("-")]) + 0.0
    try:
        vector = reals(axis, where, ModelError)
    except ModelError:
        vector = np.zeros(0)
    size = float(np.linalg.norm(vector)) if vector.shape == (3,) else 0.0
    if not 0.0 < size < np.inf:
        raise ModelError(f"{where}: an axis must be three numbers, not all zero, or 'x', 'y', 'z'; got {shown(axis)}")
    return vector / size


def frame_along(axis: Any, where: str) -> Any:
    """Rotation matrix whose third column is the axis."""
    z = axis_vector(axis, where)
    for sign in (1.0, -1.0):
        known = _CYCLIC.get(tuple(sign * z))
        if known is not None:
            return known if sign > 0 else known @ HALF_TURN
    x = np.cross(z, np.eye(3)[int(np.argmin(np.abs(z)))])
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])


def about_z(angle: Any) -> Any:
    """Rotation in the plane; of an atom too."""
    if isinstance(angle, Atom):
        c, s = np.cos(angle), np.sin(angle)
    else:
        c, s = np.cos(float(angle)), np.sin(float(angle))
        # Quarter turns are meant exactly.
        c, s = (0.0 if abs(x) < 1e-15 else float(x) for x in (c, s))
    return atoms_or_numbers([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def rotation_given(rotation: Any, angle: Any, axis: Any, where: str) -> Any:
    """Rotation matrix from a matrix, Euler parameters, an angle about z, or the direction of the z axis."""
    given = [value is not None for value in (rotation, angle, axis)]
    if sum(given) > 1:
        raise ModelError(f"{where}: give one of rotation, angle and axis")
    if axis is not None:
        return frame_along(axis, where)
    if angle is not None:
        return about_z(angle if isinstance(angle, Atom) else real(angle, f"{where}: angle", ModelError))
    if rotation is None:
        return np.eye(3)
    items = objects_of(rotation, f"{where}: rotation")
    if items.shape == ():
        raise ModelError(f"{where}: rotation is a matrix or four Euler parameters; for an angle write angle={rotation}")
    if items.shape == (4,):
        return from_euler_parameters(reals(rotation, f"{where}: rotation", ModelError), where)
    if items.shape != (3, 3):
        raise ModelError(
            f"{where}: rotation must be a 3×3 matrix or four Euler parameters, got the shape {items.shape}"
        )
    if not any(isinstance(item, Atom) for item in items.flat):
        reals(rotation, f"{where}: rotation", ModelError, finite=True)
    R = atoms_or_numbers(items)
    if R.dtype == float:
        error = float(np.abs(R.T @ R - np.eye(3)).max())
        if not error < 1e-9 or np.linalg.det(R) < 0:
            raise ModelError(f"{where}: the matrix is no rotation; its columns must be orthogonal unit vectors")
    return R


def from_euler_parameters(p: Any, where: str = "rotation") -> Any:
    """Rotation matrix of Euler parameters, scalar first; any length is divided out."""
    size = float(np.linalg.norm(p))
    if not 0.0 < size < np.inf:
        raise ModelError(f"{where}: Euler parameters must be four finite numbers, not all zero")
    p0, e = p[0] / size, np.asarray(p[1:], dtype=float) / size
    E = np.array([[0.0, -e[2], e[1]], [e[2], 0.0, -e[0]], [-e[1], e[0], 0.0]])
    return np.eye(3) + 2.0 * (p0 * E + E @ E)


def to_euler_parameters(R: Any) -> Any:
    """Euler parameters of a rotation matrix, scalar first and not negative (Shepperd: the largest is taken first)."""
    squares = np.array([
        1 + R[0, 0] + R[1, 1] + R[2, 2], 1 + R[0, 0] - R[1, 1] - R[2, 2],
        1 - R[0, 0] + R[1, 1] - R[2, 2], 1 - R[0, 0] - R[1, 1] + R[2, 2],
    ])  # fmt: skip
    k = int(np.argmax(squares))
    p = np.empty(4)
    if k == 0:
        p[:] = squares[0], R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]
    else:
        i, j, m = k - 1, k % 3, (k + 1) % 3
        p[0] = R[m, j] - R[j, m]
        p[1 + i], p[1 + j], p[1 + m] = squares[k], R[i, j] + R[j, i], R[m, i] + R[i, m]
    p /= np.linalg.norm(p)
    return p if p[0] >= 0 else -p


def angle_of(R: Any) -> Any:
    """Angle of a rotation about z."""
    if isinstance(R[1][0], Atom) or isinstance(R[0][0], Atom):
        return arctan2(R[1][0], R[0][0])
    return float(np.arctan2(float(R[1][0]), float(R[0][0])))
