"""Frequencies and damping of a mechanism along a motion: a Campbell diagram.

At each instant the equations are linearised with the motion frozen.  Oscillations are followed from instant to instant
by what is nearest in the plane of eigenvalues, where lines may cross.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dalembert.arguments import reals
from dalembert.equations.contract.provider import Floats
from dalembert.errors import StateError

if TYPE_CHECKING:
    from dalembert.equations.contract.equations import Equations


@dataclass(frozen=True, eq=False)
class Campbell:
    """Oscillations along a motion, a row for each; NaN where there is none.

    :param t: instants
    :param eigenvalues: those with positive imaginary part, (n, n_t)
    """

    t: Floats
    eigenvalues: NDArray[np.complex128]

    @property
    def frequencies(self) -> Floats:
        """In Hz, of the free oscillation: |eigenvalue| / 2π, (n, n_t)."""
        return np.asarray(np.abs(self.eigenvalues) / (2.0 * np.pi))

    @property
    def damping(self) -> Floats:
        """Ratios ζ, (n, n_t)."""
        return np.asarray(-self.eigenvalues.real / np.abs(self.eigenvalues))

    def __repr__(self) -> str:
        return f"<Campbell: {len(self.eigenvalues)} oscillations at {len(self.t)} instants>"


def _check_times(equations: Equations, run: Any, times: Any) -> None:
    """Complain about instants that are none of a run's."""
    instants = reals(times, f"'{equations.name}': times", StateError, finite=True)
    known = np.asarray(getattr(run, "t", ()))
    if known.size and known.dtype == float and not ((known.min() <= instants) & (instants <= known.max())).all():
        raise StateError(f"'{equations.name}': times must lie in the run, from {known.min():g} to {known.max():g}")


def campbell(equations: Equations, run: Any, times: Any, parameters: Mapping[str, Any] | None, side: str) -> Campbell:
    """See :meth:`Equations.campbell`."""
    from scipy.optimize import linear_sum_assignment

    from dalembert.equations.smooth.smooth_motion import points_of

    if times is not None:
        _check_times(equations, run, times)
    points = points_of(run, times, equations)
    if not len(points.t):
        raise StateError(f"'{equations.name}': a run with at least one instant is needed")
    rows: list[list[complex]] = []
    for k, t in enumerate(points.t):
        found = equations.linearise(
            points.q[k], points.v[k], points.u[k], t=float(t), parameters=parameters, side=side
        ).eigenvalues
        values = sorted((complex(one) for one in found if one.imag > 1e-9 * (1.0 + abs(one))), key=abs)
        if not k:
            rows = [[value] for value in values]
            continue
        last = np.array([next((x for x in reversed(row) if np.isfinite(x)), 0.0) for row in rows], dtype=complex)
        distances = np.abs(last[:, None] - np.array(values, dtype=complex)[None]) / (1.0 + np.abs(last[:, None]))
        pairs = dict(zip(*linear_sum_assignment(distances), strict=True)) if values and rows else {}
        taken = set(pairs.values())
        for i, row in enumerate(rows):
            row.append(values[pairs[i]] if i in pairs else complex(np.nan, np.nan))
        rows += [[complex(np.nan, np.nan)] * k + [value] for j, value in enumerate(values) if j not in taken]
    return Campbell(points.t, np.array(rows, dtype=complex).reshape(len(rows), len(points.t)))
