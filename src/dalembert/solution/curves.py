"""Some components of a motion as functions of time, apart from everything else: for plots, tables, other programs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from dalembert.arguments import instance, listed, reals, same_length, texts, whole
from dalembert.errors import suggestion
from dalembert.solution.dense_output import Array, DenseOutput, nested
from dalembert.solution.solution_errors import SolutionError, UnknownNameError


class Curves:
    """Piecewise polynomials of chosen components, by name; made by ``Solution.curves``.

    ``curves(t)`` gives a dict of arrays.  The polynomials are those of the dense output as they are: between the steps
    they satisfy constraints as well as the tolerance asks for, where ``sol.sol(t)`` projects.
    """

    def __init__(self, dense: DenseOutput, names: Sequence[str], columns: Sequence[int]) -> None:
        """``columns`` count the components of (q, v, u, a, λ)."""
        instance(dense, DenseOutput, "Curves: dense", SolutionError)
        self.names = texts(names, "Curves: names", SolutionError)
        n_y = dense.coefficients.shape[2]
        places = [
            whole(column, "Curves: columns", SolutionError, least=0, most=n_y + dense.sizes.n_v + dense.sizes.n_lam - 1)
            for column in listed(columns, "Curves: columns", SolutionError)
        ]
        same_length("Curves", SolutionError, names=self.names, columns=places)
        parts = []
        algebraic = dense.algebraic if dense.algebraic is not None else dense.with_algebraic().algebraic
        for column in places:
            if column < n_y:
                parts.append(dense.coefficients[:, :, column])
            elif algebraic is not None:
                parts.append(algebraic[:, :, column - n_y])
            else:
                raise SolutionError(f"Curves: '{self.names[len(parts)]}': the run has no accelerations and multipliers")
        self.t = dense.t
        longest = max((part.shape[1] for part in parts), default=1)
        padded = [np.pad(part, ((0, 0), (0, longest - part.shape[1]))) for part in parts]
        #: coefficients of the nested form, shape (n_steps, K, n)
        self.coefficients: Array = np.stack(padded, axis=2) if parts else np.zeros((dense.n_steps, 1, 0))

    def __call__(self, t: ArrayLike) -> dict[str, Array]:
        """Values at time ``t``, a number or an array of shape ``(n,)``."""
        times = reals(t, "Curves: t", SolutionError)
        if times.ndim > 1:
            raise SolutionError(f"Curves: t must be a number or have shape (n,); got shape {times.shape}.")
        bare = DenseOutput(self.t, self.coefficients, (len(self.names), 0, 0, 0))
        k, theta = bare.locate(np.atleast_1d(times))
        values = nested(self.coefficients, theta, k)
        return {name: row if times.ndim else row[0] for name, row in zip(self.names, values, strict=True)}

    def __repr__(self) -> str:
        return f"Curves({', '.join(self.names)}; {len(self.t) - 1} steps, t = {self.t[0]:g} … {self.t[-1]:g})"


def chosen_columns(asked: Sequence[str], known: Sequence[str]) -> list[int]:
    """Places of names among those of (q, v, u, a, λ)."""
    for name in texts(asked, "Solution: names of curves", UnknownNameError):
        if known.count(name) != 1:
            reason = suggestion(str(name), known) if name not in known else "the name stands for several components"
            raise UnknownNameError(f"there is no curve called '{name}'; {reason}")
    return [known.index(name) for name in asked]
