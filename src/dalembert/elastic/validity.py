"""Whether data of a flexible body can be true: checked once, where it is made."""

from __future__ import annotations

import numpy as np

from dalembert.elastic.flexibility import ROUNDING, Flexibility, Reals
from dalembert.elastic.reference import rigid_part
from dalembert.errors import ModelError


def check(body: Flexibility, where: str) -> None:
    """Complain about matrices that are not symmetric or not positive, and about shapes against the reference."""
    S, K, D = body.gram, body.stiffness, body.damping
    for matrix, name in ((S, "gram"), (K, "stiffness"), (D, "damping")):
        size = _scale(matrix)
        if (np.abs(matrix - matrix.T) > ROUNDING * np.outer(size, size)).any():
            i, j = np.unravel_index(int(np.argmax(np.abs(matrix - matrix.T))), matrix.shape)
            raise ModelError(f"{where}: {name} must be symmetric, but entries ({i}, {j}) and ({j}, {i}) differ")
    if not body.mass > 0.0:
        raise ModelError(f"{where}: the mass, gram[0, 0], must be positive, got {body.mass:g}")
    _check_positive(S, f"{where}: gram is no Gram matrix", [_field_name(body, i) for i in range(len(S))])
    names = [mode.name for mode in body.modes]
    _check_positive(D, f"{where}: damping gives energy", names)
    _check_positive(K, f"{where}: stiffness is not positive", names, definite="a motion of them stores no energy")
    # A mode that is a rigid motion, or another one again, makes this singular; so do modes without mass.  A rod without
    # thickness does not resist turning about its own axis.
    rigid = len(body.frame_mass) - body.n
    M = body.frame_mass
    used = [
        i for i in range(len(M)) if i >= rigid or M[i, i] > ROUNDING * max(np.diag(M)[:rigid].max(initial=0.0), 0.0)
    ]
    labels = [f"rigid motion {i + 1}" for i in range(rigid)] + names
    _check_positive(
        M[np.ix_(used, used)], f"{where}: mass matrix is singular", [labels[i] for i in used],
        definite="they depend on each other, or move no mass; remove modes, or choose reference conditions",
    )  # fmt: skip
    for key in ("second_order", "cubic"):
        items = getattr(body, key)
        if items is not None and np.abs(items - items.swapaxes(-1, -2)).max(initial=0.0) > 1e-9 * np.abs(items).max():
            raise ModelError(f"{where}: {key} must be symmetric in its modes")
    _check_reference(body, where)


def _check_reference(body: Flexibility, where: str) -> None:
    t, theta = rigid_part(body, body.reference)
    scale = np.sqrt(np.maximum(np.diag(body.modal_mass), 0.0) / body.mass)  # root mean square of each shape
    length = float(np.sqrt(np.trace(body.second_moment) / body.mass)) or 1.0
    far = np.maximum(np.abs(t).max(axis=0, initial=0.0), length * np.abs(theta).max(axis=0, initial=0.0))
    wrong = np.flatnonzero(far > 1e-6 * scale)
    if len(wrong):
        name = body.modes[wrong[0]].name
        raise ModelError(
            f"{where}: mode '{name}' does not meet the reference condition ({body.reference}); make the data with "
            "Reference('free') and call referred(…), which removes its rigid part"
        )


def _scale(matrix: Reals) -> Reals:
    """Lengths of rows, so that entries with different units can be compared."""
    size = np.sqrt(np.abs(np.diag(matrix)))
    return np.where(size > 0.0, size, 1.0)


def _check_positive(matrix: Reals, complaint: str, names: list[str], definite: str = "") -> None:
    size = _scale(matrix)
    values, vectors = np.linalg.eigh(matrix / np.outer(size, size))
    if not len(values):
        return
    limit = ROUNDING * len(values)
    if values[0] < -limit or (definite and values[0] <= 1e-4 * limit):
        taking = np.abs(vectors[:, 0])
        listed = [names[i] for i in np.argsort(-taking)[:4] if taking[i] > 0.1]
        reason = definite if definite and values[0] >= -limit else f"eigenvalue {values[0]:.3g} with its diagonal one"
        raise ModelError(f"{complaint}: {', '.join(listed)}: {reason}")


def _field_name(body: Flexibility, i: int) -> str:
    d = body.dimension
    if i < 1 + d:
        return "1xyz"[i]
    j, b = divmod(i - 1 - d, d)
    return f"{body.modes[j].name} along {'xyz'[b]}"
