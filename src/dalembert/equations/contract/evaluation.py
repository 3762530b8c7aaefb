"""Everything that the equations say at one point, in numbers: the quantities of the contract, and the exact derivatives
of all residuals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.arguments import shown
from dalembert.equations.contract.equations import Equations
from dalembert.equations.contract.provider import Floats, Ints, Pattern
from dalembert.equations.contract.scales import EMPTY, Scales, bent, row_scales, scales_at, units_of_rows
from dalembert.errors import EquationsError, NotFiniteError, StateError, suggestion

if TYPE_CHECKING:
    from dalembert.equations.contract.rank import RowRank

#: Systems with more unknowns (velocities and multipliers) are not factorised dense.
LARGEST_DENSE = 800
#: Corrections of implicit invariants until they are settled, and how small these are then beside the coordinates.
_RESTORATIONS, _RESTORED = 30, 1e-12
#: Rows with an entry above this are not empty, whatever the size of the model.
_PERHAPS_EMPTY = 1e-6
#: Vectors with the names of their rows, and matrices; each before those that are made of it.
NAMED_QUANTITIES = (
    ("T", ""), ("M", ""), ("g", "lam"), ("G", ""), ("f", "v"), ("gI", "lam"), ("gamma", "lam"), ("d", "u"),
)  # fmt: skip
_QUANTITIES = ("T", "M", "f", "G", "gI", "g", "gamma", "d", "F", "C")


def sparse_matrix(pattern: Pattern, values: Floats) -> Any:
    """A SciPy matrix, by columns."""
    import scipy.sparse

    return scipy.sparse.csc_array((values, (pattern.rows, pattern.columns)), pattern.shape)


def _without_noise(pattern: Pattern, values: Floats, noise: Callable[[], Floats | float]) -> Floats:
    """Rows of constraints that are empty but for rounding, exactly empty: brought to the length of others, they would
    count as constraints of their own.  ``noise`` gives what rounding may leave of each entry; it is asked where rows
    are small."""
    size = np.zeros(pattern.shape[0])
    np.maximum.at(size, pattern.rows, np.abs(values))
    empty = size <= EMPTY * size.max(initial=0.0)
    if (size < _PERHAPS_EMPTY).any():
        more = np.zeros(pattern.shape[0])
        np.maximum.at(more, pattern.rows, np.abs(values) > noise())
        empty |= more == 0.0
    return np.where(empty[pattern.rows], 0.0, values)


class Evaluation:
    """Quantities of the contract at one point, evaluated together, with finite values or an error.

    Forces that depend on multipliers are taken at ``lam``; without it at zero, or where they have no value there, as
    laws of creep that divide by the normal force, at the reactions of the motion without them.
    """

    def __init__(
        self, equations: Equations, t: float, q: Floats, v: Floats, u: Floats, p: Floats, lam: Floats | None = None
    ) -> None:
        self.equations, self.t, self.q, self.v, self.u, self.p = equations, t, q, v, u, p
        self.given, self.lam = lam, np.zeros(equations.sizes.lam) if lam is None else lam
        provider = equations.program("contract")
        self.patterns = provider.patterns
        self.values = found = provider(_QUANTITIES, self._inputs(self.lam))
        if lam is None and found["F"].size and not self.usable(found):
            self._begin_with_reactions()
        if all(np.isfinite(values).all() for name, values in found.items() if name not in ("F", "C")):
            for name in ("G", "C"):
                if np.isfinite(found[name]).all():
                    found[name] = _without_noise(self.patterns[name], found[name], partial(self._noise, name))
            return
        if (blamed := equations.blame(self._inputs(self.lam))) is not None:
            raise blamed
        where = f"at t = {t:.6g}; look at the function" if t else "at the start; look at the function"
        for name, rows in NAMED_QUANTITIES:
            bad = np.flatnonzero(~np.isfinite(found[name]))
            if bad.size and rows:
                raise EquationsError(
                    f"'{equations.name}': {name}[{bad[0]}] ({equations.names[rows][bad[0]]}) is {found[name][bad[0]]} "
                    f"{where} {name}, or start elsewhere"
                )
            if bad.size:
                i, j = self.patterns[name].rows[bad[0]], self.patterns[name].columns[bad[0]]
                raise EquationsError(
                    f"'{equations.name}': {name}[{i}, {j}] is {found[name][bad[0]]} {where} {name}, or start elsewhere"
                )

    def elsewhere(
        self, q: Floats, *, t: float | None = None, v: Floats | None = None, u: Floats | None = None
    ) -> Evaluation:
        """The same at another point, where sizes are the same too."""
        time, velocities, states = self.t if t is None else t, self.v if v is None else v, self.u if u is None else u
        found = Evaluation(self.equations, time, q, velocities, states, self.p, self.given)
        found.scales = self.scales
        return found

    def _inputs(self, lam: Floats) -> dict[str, Floats]:
        return {"p": self.p, "t": np.array([self.t]), "q": self.q, "v": self.v, "u": self.u, "lam": lam}

    def _noise(self, name: str) -> Floats | float:
        """What rounding may leave of entries of G or C, where a description knows which are lengths and which
        angles."""
        powers, scales = self.equations.powers_of_length, self.equations.known_scales(self.p)
        if powers is None or scales is None or not scales.length:
            return 0.0
        pattern = self.patterns[name]
        exponents = np.array(powers.lam, dtype=float)[pattern.rows] - np.array(powers.v, dtype=float)[pattern.columns]
        return np.where(np.isnan(exponents), 0.0, EMPTY * scales.length ** np.nan_to_num(exponents))

    @property
    def large(self) -> bool:
        """Whether matrices are to be factorised sparse."""
        return self.equations.sizes.v + self.equations.sizes.lam > LARGEST_DENSE

    def matrix(self, name: str) -> Floats:
        """A matrix of the contract, dense."""
        return self.patterns[name].dense(self.values[name])

    def sparse(self, name: str) -> Any:
        """A matrix of the contract, sparse."""
        return sparse_matrix(self.patterns[name], self.values[name])

    def times(self, name: str, x: Floats) -> Floats:
        """A matrix of the contract times a vector."""
        pattern = self.patterns[name]
        result = np.zeros(pattern.shape[0])
        np.add.at(result, pattern.rows, self.values[name] * x[pattern.columns])
        return result

    def row_sizes(self, name: str, x: Floats | float = 1.0) -> Floats:
        """Sums of |entry · x| over the rows of a matrix: what a residual is to be compared with."""
        pattern = self.patterns[name]
        result = np.zeros(pattern.shape[0])
        factors = x[pattern.columns] if isinstance(x, np.ndarray) else x
        np.add.at(result, pattern.rows, np.abs(self.values[name] * factors))
        return result

    def forces(self, lam: Floats) -> dict[str, Floats]:
        """f, F and d with other multipliers."""
        return self.equations.program("contract")(["f", "F", "d"], self._inputs(lam))

    @staticmethod
    def usable(values: Mapping[str, Floats]) -> bool:
        """Whether f, F and d are finite."""
        return all(np.isfinite(values[name]).all() for name in ("f", "F", "d"))

    def _begin_with_reactions(self) -> None:
        """Multipliers at which forces that depend on them have values."""
        from dalembert.equations.questions.dynamics import first_multipliers

        if all(np.isfinite(self.values[name]).all() for name in ("M", "G", "gamma")):
            lam = first_multipliers(self)
            if lam is not None:
                self.lam = lam
                self.values |= self.forces(lam)

    def gamma(self, v: Floats) -> Floats:
        """γ with other velocities."""
        return self.equations.program("contract")(["gamma"], {**self._inputs(self.lam), "v": v})["gamma"]

    @cached_property
    def scales(self) -> Scales:
        """Sizes of coordinates and displacements."""
        return scales_at(self)

    @cached_property
    def dependent(self) -> list[int]:
        """Rows of G that depend on others here."""
        from dalembert.equations.contract.rank import dependent_rows

        return self.rank.dependent if dependent_rows(self.matrix("G"), row_scales(self)) else []

    @cached_property
    def rank(self) -> RowRank:
        """The rank of G.  Rows that depend on others nearly, and next to here do not, are close to a singular position
        but count; those that do so all along the motion are redundant but for inexact data."""
        from dalembert.equations.contract.checks import lasting_rows
        from dalembert.equations.contract.rank import row_rank

        found = row_rank(self.matrix("G"), row_scales(self))
        if found.weak_rank == found.rank:
            return found
        counting = len(found.values) - len(lasting_rows(self, found.dependent, found))
        return replace(found, rank=min(found.weak_rank, max(found.rank, counting)))

    @cached_property
    def metric(self) -> Floats:
        """Weights of velocities: the diagonal of M; what has no mass moves freely, but not without reason."""
        M, weight = self.patterns["M"], np.zeros(self.equations.sizes.v)
        on_diagonal = M.rows == M.columns
        weight[M.rows[on_diagonal]] = self.values["M"][on_diagonal]
        square = self.scales.v**2
        return np.maximum(weight, 1e-8 * max(float(np.max(weight * square, initial=0.0)), 1e-300) / square)

    def scaled_entries(self, name: str) -> Floats:
        """Entries of a matrix of constraints as it acts on displacements of the sizes that there are."""
        return self.values[name] * self.scales.v[self.patterns[name].columns]

    def scaled(self, name: str) -> Floats:
        """The whole matrix of these entries."""
        return self.patterns[name].dense(self.scaled_entries(name))

    @cached_property
    def position_sizes(self) -> Floats:
        """By how much displacements of the sizes that there are change the position constraints: what their residuals
        are to be compared with; for those that nothing changes their unit."""
        steps = self.scales.v
        size = self.row_sizes("C", steps) + (bent(self, steps, 1) if self.equations.sizes.g else 0.0)
        units = self._known_units
        if units is not None and (empty := size <= EMPTY * units).any():
            return np.where(empty, units, size)
        return size if size.all() else np.where(size > 0.0, size, units_of_rows(self, "C"))

    @property
    def _known_units(self) -> Floats | None:
        """The length of the model for position constraints that are lengths, 1 for others; None where it is not
        known."""
        powers = self.equations.powers_of_length
        if powers is None or not self.scales.length:
            return None
        units: Floats = self.scales.length ** np.nan_to_num(powers.lam[: self.equations.sizes.g])
        return units

    @property
    def drive_rate(self) -> float:
        """How fast constraints move by themselves, beside displacements of the sizes that there are: an inverse
        time."""
        steps = self.row_sizes("G", self.scales.v)
        return float(np.max(np.abs(self.values["gI"]) / np.where(steps > 0, steps, np.inf), initial=0.0))

    @property
    def pull(self) -> float:
        """Largest acceleration that a single force would give, beside displacements of the sizes that there are: the
        square of an inverse time."""
        return self.scales.rate(self.values["f"] / self.metric)

    def velocity_sizes(self, v: Floats) -> Floats:
        """Sizes of the velocity constraints: their own terms, and those that velocities as fast as the fastest would
        have, or as those that forces would lead to."""
        rate = max(self.scales.rate(v), self.drive_rate, self.pull**0.5)
        return self.row_sizes("G", v) + np.abs(self.values["gI"]) + rate * self.row_sizes("G", self.scales.v)

    def directions(self, rates: Sequence[tuple[str, int]]) -> Floats:
        """Rows δ ↦ the rates that :func:`rate_index` names, (len(rates), n_v)."""
        rows = np.zeros((len(rates), self.equations.sizes.v))
        pattern = self.patterns["T"]
        for row, (key, i) in zip(rows, rates, strict=True):
            if key == "v":
                row[i] = 1.0
            else:
                here = pattern.rows == i
                row[pattern.columns[here]] = self.values["T"][here]
        return rows


def rate_index(equations: Equations, name: str | int) -> tuple[str, int]:
    """What a name of a velocity means: ("v", k), or ("q", i) for the rate of a coordinate, called x or x.rate, that is
    no velocity by itself."""
    v, q = equations.names["v"], equations.names["q"]
    if isinstance(name, (int, np.integer)):
        return "v", equations.index("v", name)
    named = getattr(name, "name", name)  # quantities of models have names
    if not isinstance(named, str):
        raise StateError(f"'{equations.name}' has no velocity {shown(name)}; {suggestion(name, (*v, *q))}")
    name = named
    if name in v:
        return "v", v.index(name)
    if name.removesuffix(".rate") in q:
        i = q.index(name.removesuffix(".rate"))
        return ("v", i) if equations.unit_T else ("q", i)
    raise StateError(f"'{equations.name}' has no velocity '{name}'; {suggestion(name, (*v, *q))}")


def rate_name(equations: Equations, rate: tuple[str, int]) -> str:
    """The name behind :func:`rate_index`."""
    key, i = rate
    return equations.names["v"][i] if key == "v" else f"{equations.names['q'][i]}.rate"


def normalised(equations: Equations, t: float, q: Floats, p: Floats) -> Floats:
    """q with its invariants restored, where it has some."""
    if not equations.normalizes:
        return q
    program, found = equations.program("contract"), q
    for _ in range(_RESTORATIONS if equations.iterates_normal else 1):
        before, found = found, program(["qn"], {"p": p, "t": np.array([t]), "q": found})["qn"]
        if not np.max(np.abs(found - before) / (1.0 + np.abs(before)), initial=0.0) > _RESTORED:
            break
    else:
        if equations.iterates_normal:
            _complain_of_auxiliary(equations, before, found)
    bad = np.flatnonzero(~np.isfinite(found))
    if bad.size:
        names = ", ".join(equations.names["q"][i] for i in bad[:4])
        raise StateError(
            f"'{equations.name}': {names} cannot be normalised at the start; give values (four Euler parameters must "
            "not all be zero, auxiliary variables must be near a solution of their equations)"
        )
    return np.array(found)


def _complain_of_auxiliary(equations: Equations, before: Floats, found: Floats) -> None:
    """Auxiliary variables that Newton's method does not settle."""
    i = int(np.argmax(np.abs(found - before)))
    raise StateError(
        f"'{equations.name}': the auxiliary variable {equations.names['q'][i]} does not settle, the last corrections "
        f"lead from {before[i]:.6g} to {found[i]:.6g}; start nearer to where its equations have a solution"
    )


class Derivatives:
    """Residuals of the implicit form and their exact derivatives at one point.

    Rows: qdot = T v, residual = M a − f + Gᵀλ, g, gv = G v + gI, d; columns: q, v, a, lam, u.
    """

    def __init__(
        self, equations: Equations, t: float, q: Floats, v: Floats, a: Floats, lam: Floats, u: Floats, p: Floats
    ) -> None:
        s = equations.sizes
        provider = equations.program("implicit")
        self.values = provider(
            ("qdot", "residual", "g", "gv", "d", "jacobian"),
            {"p": p, "t": np.array([t]), "q": q, "v": v, "u": u, "lam": lam, "a": a, "mu": np.zeros(s.g)},
        )
        self._pattern = provider.patterns["jacobian"]
        jacobian = self.values["jacobian"]
        bad = np.flatnonzero(~np.isfinite(jacobian))
        rows = {"qdot": s.q, "residual": s.v, "g": s.g, "gv": s.lam, "d": s.u}
        columns = {"q": s.q, "v": s.v, "a": s.v, "lam": s.lam, "mu": s.g, "u": s.u}
        self._rows, self._columns = _ranges(rows), _ranges(columns)
        if bad.size:
            row, column = int(self._pattern.rows[bad[0]]), int(self._pattern.columns[bad[0]])
            what = next(key for key, (start, end) in self._rows.items() if start <= row < end)
            by, (start, _) = next(item for item in self._columns.items() if item[1][0] <= column < item[1][1])
            label = equations.names["v" if by == "a" else by][column - start]
            raise NotFiniteError(
                f"the derivative of {what} with respect to {label}",
                f"'{equations.name}': the derivative of {what} with respect to {label} is {jacobian[bad[0]]} here; "
                "look for a square root of zero, or start elsewhere",
            )

    @property
    def places(self) -> tuple[Ints, Ints]:
        """Rows and columns of the entries of ``values["jacobian"]``."""
        return self._pattern.rows, self._pattern.columns

    def row_range(self, row: str) -> tuple[int, int]:
        """First row of a residual, and the first after it."""
        return self._rows[row]

    def column_range(self, column: str) -> tuple[int, int]:
        """First column of a vector, and the first after it."""
        return self._columns[column]

    def sparse(self, row: str, column: str) -> Any:
        """One block, sparse."""
        (first, last), (left, right) = self._rows[row], self._columns[column]
        rows, columns = self._pattern.rows, self._pattern.columns
        here = (rows >= first) & (rows < last) & (columns >= left) & (columns < right)
        pattern = Pattern((last - first, right - left), rows[here] - first, columns[here] - left)
        return sparse_matrix(pattern, self.values["jacobian"][here])

    def block(self, row: str, column: str) -> Floats:
        """One block, dense."""
        return np.asarray(self.sparse(row, column).toarray())


def _ranges(sizes: Mapping[str, int]) -> dict[str, tuple[int, int]]:
    ends = np.cumsum(list(sizes.values())).tolist()
    return {key: (end - size, end) for (key, size), end in zip(sizes.items(), ends, strict=True)}
