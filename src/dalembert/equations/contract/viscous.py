"""Stiff viscous parts of the forces, which implicit–explicit methods take at the end of a step.

A part is a force −C r along rates r = J v + b(t, q) that are linear in the velocities; f, which is complete, contains
−Jᵀ C r.  C is k × k and need not be symmetric; it may depend on everything, velocities and multipliers among them: it
is a secant, evaluated at the start of a step (railway (29)–(34)).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dalembert.errors import EquationsError
from dalembert.symbolic import Atom, AtomArray, array, evaluate, jacobian, substitute, symbols, zeros

#: Points at which declared parts are looked for in f.
_TRIALS = 4
#: Without what is declared, forces may change with the velocities by this part of what they do with it.
_LEFT = 0.9


@dataclass(frozen=True)
class ViscousPart:
    """Forces −C r along some rates; ``label`` says whose they are, J are the derivatives of the rates by v."""

    label: str
    rates: AtomArray
    C: AtomArray
    J: AtomArray

    def without(self, dropped: Mapping[Any, Any]) -> ViscousPart:
        """With numbers in place of some symbols, as of multipliers that are zero."""
        return replace(self, C=array(substitute(self.C, dropped)))

    @property
    def forces(self) -> AtomArray:
        """−Jᵀ C r, its part of f."""
        return array(-(self.J.T @ (self.C @ self.rates)))


def viscous_part(label: str, rates: Any, C: Any, v: AtomArray) -> ViscousPart:
    """A part from what was declared; complains about shapes, and about rates that are not linear in v."""
    found, matrix = array(rates), array(C)
    if found.ndim != 1 or matrix.shape != (len(found), len(found)):
        raise EquationsError(
            f"{label}: a viscous part is a pair of k rates and a k × k matrix, got the shapes {found.shape} and "
            f"{matrix.shape}"
        )
    J = array(jacobian(found, v, mode="shortest"))
    if set(v) & _symbols(J):
        raise EquationsError(f"{label}: rates of its viscous part must be linear in the velocities")
    return ViscousPart(label, found, matrix, J)


def check_viscous(parts: Sequence[ViscousPart], f: AtomArray, inputs: Mapping[str, AtomArray]) -> None:
    """Refuse a part that f does not contain: taken away, f must depend less on the velocities than it does with it.

    ``f`` are the forces of whatever has declared the parts.  It is looked at some points; those where something is
    not finite say nothing.
    """
    if not parts:
        return
    values = array([*f, *(one for part in parts for one in part.forces)])
    n, numbers, v = len(f), np.random.default_rng(15), set(inputs["v"])
    point = {}
    for one in sorted(_symbols(values), key=lambda atom: atom.name):  # moving, and then at rest
        drawn = 0.2 + 0.6 * numbers.random(_TRIALS)
        point[one] = np.concatenate([drawn, 0.0 * drawn if one in v else drawn])
    if not point:
        return
    at = np.broadcast_to(np.asarray(evaluate(values, point), dtype=float).T, (2 * _TRIALS, len(values)))
    moving, resting = at[:_TRIALS], at[_TRIALS:, :n]
    seen = np.isfinite(moving).all(axis=1) & np.isfinite(resting).all(axis=1)
    changes, found = moving[:, :n] - resting, moving[:, n:].reshape(_TRIALS, len(parts), n)
    whole = found.sum(axis=1)
    for j, part in enumerate(parts):
        own, others = found[seen, j], whole[seen] - found[seen, j]
        if not own.any():
            continue
        # With the other parts taken away this one must be what is left, in the main.
        rest = changes[seen] - others
        if not np.abs(rest - own).sum() <= _LEFT * np.abs(rest).sum():
            raise EquationsError(
                f"{part.label}: its viscous part is not in its forces; f must contain −Jᵀ C r, as complete as without "
                "it. Look at the sign and at the size of C"
            )


def viscosity(parts: Sequence[ViscousPart], v: AtomArray) -> AtomArray:
    """Σ Jᵀ C J of all parts, (n_v, n_v)."""
    total = zeros((len(v), len(v)))
    for part in parts:
        J = part.J
        columns = [j for j in range(len(v)) if any(not entry == 0 for entry in J[:, j])]
        CJ = part.C @ J[:, columns]
        symmetric = all(part.C[k, m] == part.C[m, k] for k in range(len(J)) for m in range(k))
        for i in columns:
            for b, j in enumerate(columns):
                if symmetric and j < i:  # the same atoms, so that eliminations see the symmetry too
                    continue
                entry = sum((J[k, i] * CJ[k, b] for k in range(len(J)) if not J[k, i] == 0), 0.0)
                total[i, j] = total[i, j] + entry
                if symmetric and j > i:
                    total[j, i] = total[j, i] + entry
    return total


def _symbols(values: Any) -> set[Any]:
    atoms = [value for value in np.asarray(values, dtype=object).flat if isinstance(value, Atom)]
    return set(symbols(atoms)) if atoms else set()
