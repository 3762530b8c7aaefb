"""Degrees of freedom, and constraints that say the same: counted by rank, named by what depends on what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dalembert.equations.contract.checks import dependent_rows_sparse, lasting_rows
from dalembert.equations.contract.equations import Equations
from dalembert.equations.contract.evaluation import Evaluation, normalised, sparse_matrix
from dalembert.equations.contract.rank import GAP, dependent_rows, rank_of
from dalembert.equations.contract.scales import row_scales
from dalembert.equations.questions.dynamics import vectors

#: Rows of length one take part in a dependency where their factor is larger.
_PART = 1e-7


@dataclass(frozen=True)
class Mobility:
    """Degrees of freedom of some equations at one configuration."""

    name: str
    #: independent directions that the constraints on positions leave
    dof: int
    #: independent velocities: fewer, where there are nonholonomic constraints
    velocity_dof: int
    #: constraints without which nothing would change, one for each dependency
    redundant: tuple[str, ...]
    #: for each of them, the smallest set of constraints that depend on each other
    dependencies: tuple[tuple[str, ...], ...]
    #: constraints that depend on others at this configuration only, as at a dead centre
    momentary: tuple[str, ...]
    #: singular values of the constraints, without units, the smallest that counts and the largest that does not
    gap: tuple[float, float] = (np.nan, np.nan)
    #: constraints that nearly depend on each other, so that the rank is uncertain
    uncertain: tuple[str, ...] = ()

    def __repr__(self) -> str:
        lines = [f"Mobility of '{self.name}': {self.dof} degrees of freedom"]
        if self.velocity_dof != self.dof:
            lines[0] += f", {self.velocity_dof} independent velocities"
        if self.redundant:
            lines.append(f"{len(self.redundant)} redundant constraints, one of each line:")
            lines += [f"  {row}: depends with {', '.join(x for x in rows if x != row) or 'nothing: it is empty'}"
                      for row, rows in zip(self.redundant, self.dependencies, strict=True)]  # fmt: skip
        if self.momentary:
            lines.append(f"dependent at this configuration only: {', '.join(self.momentary)}")
        if self.uncertain:
            lines.append(
                f"the rank is uncertain: {', '.join(self.uncertain)} nearly depend on each other (the smallest "
                f"singular value that counts is {self.gap[0]:.3g}, the largest that does not {self.gap[1]:.3g})"
            )
        return "\n".join(lines)


def degrees_of_freedom(equations: Equations, q: Any, *, t: float, parameters: Mapping[str, Any] | None) -> Mobility:
    """See :meth:`Equations.degrees_of_freedom`."""
    s, names = equations.sizes, equations.names["lam"]
    (q,) = vectors(equations, q=q)
    p = equations.parameter_vector(parameters)
    point = Evaluation(equations, t, normalised(equations, t, q, p), np.zeros(s.v), np.zeros(s.u), p)
    found = None
    if point.large:
        # Whether rank is missing at this configuration only is not asked of large systems.
        dependent = lasting = dependent_rows_sparse(point, "G") if s.lam else []
        on_positions = dependent_rows_sparse(point, "C") if s.g else []
    else:
        found = rank_of(point)
        dependent = found.dependent
        lasting = lasting_rows(point, dependent, found) if dependent else []
        on_positions = dependent_rows(point.matrix("C"), row_scales(point, "C"))
    below = 0.0 if found is None else np.nan_to_num(found.gap[1])
    sets = dependencies(point, lasting, max(_PART, GAP * below))
    momentary = tuple(names[i] for i in dependent if i not in lasting) if len(lasting) < len(dependent) else ()
    return Mobility(
        equations.name,
        s.v - s.g + len(on_positions),
        s.v - s.lam + len(dependent),
        tuple(names[i] for i in lasting),
        tuple(tuple(names[i] for i in rows) for rows in sets),
        momentary,
        *(() if found is None else (found.gap, tuple(names[i] for i in found.doubtful))),
    )


def dependencies(point: Evaluation, dependent: Sequence[int], part: float) -> list[tuple[int, ...]]:
    """For each dependent row the independent ones that it is a combination of with larger factors, with itself.

    The combination is unique, so no part of the set is dependent by itself.
    """
    pattern = point.patterns["G"]
    kept = np.setdiff1d(np.arange(pattern.shape[0]), dependent)
    if not dependent or not kept.size:
        return [(row,) for row in dependent]
    G = sparse_matrix(pattern, point.scaled_entries("G")) if point.large else point.scaled("G")
    size = np.sqrt(np.asarray((G * G).sum(axis=1)).reshape(-1))
    scale = 1.0 / np.where(size > 0, size, 1.0)
    if not point.large:
        G = scale[:, None] * G
        weights = np.linalg.lstsq(G[kept].T, G[list(dependent)].T, rcond=1e-9)[0]
    else:
        import scipy.sparse
        import scipy.sparse.linalg

        G = scipy.sparse.csr_array(scipy.sparse.diags_array(scale) @ G)
        basis, right = G[kept], G[list(dependent)].T.toarray()
        factors = scipy.sparse.linalg.splu(scipy.sparse.csc_array(basis @ basis.T))
        weights = factors.solve(basis @ right)
        weights += factors.solve(basis @ (right - basis.T @ weights))
    return [tuple(sorted([int(row), *kept[np.abs(weights[:, k]) > part].tolist()])) for k, row in enumerate(dependent)]
