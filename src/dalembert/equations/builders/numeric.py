"""Black-box functions: parts of the equations that cannot be traced are called back at every evaluation.

What can be traced is compiled as ever; derivatives of the rest are finite differences.  Slower by orders of magnitude
than traced equations, and less exact, but the same contract.
"""

from __future__ import annotations

import copy
import functools
import inspect
import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from dalembert.arguments import reals, shown
from dalembert.equations.builders.callback import Callback, PythonProvider
from dalembert.equations.builders.differencing import (
    STEP,
    dense_pattern,
    difference,
    differences,
    grouped_differences,
    groups_of,
    mask_of,
    pattern_of,
)
from dalembert.equations.contract.borders import Borders
from dalembert.equations.contract.convention import IMPLICIT, IMPLICIT_OUTPUT, OUTPUTS
from dalembert.equations.contract.equations import Equations, Sizes
from dalembert.equations.contract.pickling import check_picklable
from dalembert.equations.contract.provider import Floats, Ints, Pattern, Provider, products
from dalembert.equations.contract.scales import Scales
from dalembert.errors import DalembertError, EquationsError, lacks_value, suggestion

#: For second differences: rounding and truncation balance here.
_SECOND_STEP = float(np.finfo(float).eps) ** (1 / 4)
#: Functions that are differentiated twice, or are nobody's argument.
_DERIVED = ("nonholonomic", "normalize")
#: Arguments that derivatives are taken by.
_UNKNOWNS = ("q", "v", "u", "lam")
#: Part of the largest change of a row, and of the row itself, that is rounding.
_NOISE, _ROUNDING = 1e-8, 1e3 * float(np.finfo(float).eps)


def numeric(function: Callable[..., Any], *, depends: Mapping[str, Any] | None = None) -> Numeric:
    """Mark a function for :func:`trace` that works with numbers only: ``trace(f=numeric(my_force), …)``.

    It receives plain arrays under the same names and may do anything that Python can.  It is called at every
    evaluation; derivatives of it are finite differences.

    :param depends: of f, d and g, which rows depend on which entries of an argument: matrices of truth values by the
        names of arguments, ``{"q": np.eye(n), "v": np.eye(n)}``; all rows depend on all entries of arguments that are
        left away.  Fewer evaluations are needed then for a Jacobian.  It is checked at the start of a run
    """
    return Numeric(function, depends)


class Numeric:
    """A function that is called with numbers; made by :func:`numeric`."""

    def __init__(self, function: Callable[..., Any], depends: Mapping[str, Any] | None = None) -> None:
        if not callable(function):
            raise EquationsError(f"numeric(…) needs a function, got {shown(function)}")
        self.function = function
        try:
            self.__signature__ = inspect.signature(function)  # looked at in each call, and slow to find
        except Exception:  # of objects that are no functions
            raise EquationsError(f"numeric(…) needs a function with named arguments, got {shown(function)}") from None
        self.arguments = frozenset(self.__signature__.parameters)
        known = [name for name in _UNKNOWNS if name in self.arguments]
        #: which rows depend on which entries of an argument, as far as that is declared
        self.depends = declared_dependence(depends, known, "numeric(…)", EquationsError)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.function(*args, **kwargs)


def declared_dependence(
    given: Mapping[str, Any] | None, known: Sequence[str], what: str, error: type[DalembertError]
) -> dict[str, NDArray[np.bool_]]:
    """Matrices of truth values by the names of arguments."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise error(f"{what}: depends must be matrices by the names of arguments, {{'q': …}}; got {shown(given)}")
    found = {}
    for name, matrix in given.items():
        if name not in known:
            raise error(f"{what}: depends names '{name!s:.40}'; {suggestion(name, known)}")
        plain = matrix.toarray() if callable(getattr(matrix, "toarray", None)) else matrix
        found[name] = reals(plain, f"{what}: depends['{name}']", error, ndim=2) != 0.0
    return found


def undeclared(
    function: Callable[[Floats], Floats], x: Floats, sizes: Floats, declared: NDArray[np.bool_]
) -> tuple[int, int] | None:
    """A row that changes with an entry of x though that is not declared; None if there is none.  Differences are taken
    by all entries, so that rounding of each row is known by its changes."""
    before = function(x)
    steps = _SECOND_STEP * np.maximum(sizes, np.abs(x))
    changes = np.zeros(declared.shape)
    for j, step in enumerate(steps):
        changes[:, j] = np.abs(_aside(function, x, j, step, before) - before)
    noise = _NOISE * np.max(changes, axis=1, initial=0.0) + _ROUNDING * np.abs(before)
    wrong = np.argwhere((changes > noise[:, None]) & ~declared)
    return (int(wrong[0, 0]), int(wrong[0, 1])) if len(wrong) else None


def _aside(function: Callable[[Floats], Floats], x: Floats, j: int, step: float, before: Floats) -> Floats:
    """The function beside x, on the side where it has values; those at x where it has none on both."""
    for way in (step, -step):
        moved = np.array(x)
        moved[j] += way
        try:
            found = function(moved)
        except Exception as error:
            if not lacks_value(error):  # a run need not come where it has none
                raise
            continue
        if np.isfinite(found).all():
            return found
    return before


def numeric_equations(given: Mapping[str, Any], **options: Any) -> Equations:
    """Equations of which some functions are :class:`Numeric`; the options are those of :func:`trace`."""
    from dalembert.equations.builders.trace import trace

    n_q, n_v, n_u, name = options["n_q"], options["n_v"], options["n_u"], options["name"]
    black = {key: value for key, value in given.items() if isinstance(value, Numeric)}
    for key in ("G", "gI", "w", "nonholonomic", "normalize"):
        if key in black:
            advice = "write it with NumPy's operations" if key in _DERIVED else "make what needs it numeric instead"
            raise EquationsError(f"'{name}': {key} cannot be a numeric function; {advice}")
    placeholders: dict[str, Any] = {
        "M": lambda: np.eye(n_v), "f": lambda: np.zeros(n_v), "T": lambda: np.eye(n_q, n_v), "d": lambda: np.zeros(n_u)
    }  # fmt: skip
    if "g" in black:
        n_g = _size_of_g(name, black["g"], n_q, given["w"], options["parameters"])
        placeholders["g"] = lambda: np.zeros(n_g)
    traced = {key: placeholders[key] if key in black else value for key, value in given.items()}
    return WithCallbacks(trace(**traced, **options), black)


def _size_of_g(name: str, g: Numeric, n_q: int, w: Any, parameters: Mapping[str, Any]) -> int:
    from dalembert.equations.builders.trace import Parameters, call_by_name, named_parameters, symbols_for, traced

    point = {"t": 0.0, "q": np.full(n_q, 0.5), "p": Parameters(parameters)}
    if w is not None:
        atoms = symbols_for(Sizes(0, 0, 0, 0, 0, 0), parameters, name)
        known = {"t": atoms["t"][0], "p": named_parameters(parameters, atoms["p"])}
        point["w"] = np.zeros(len(traced(f"'{name}': function w", w, known, (None,))))
    try:
        values = call_by_name("g", g.function, point)
    except Exception as error:
        raise EquationsError(f"'{name}': function g failed when its number of rows was asked for: {error}") from error
    return int(np.size(values))


class WithCallbacks(Equations):
    """Traced equations in which some quantities come from Python functions."""

    #: whether the functions add to what is traced; otherwise they stand in its place
    adds = False

    def __init__(self, base: Equations, black: Mapping[str, Numeric]) -> None:
        self.base, self.black = base, dict(black)
        self.name, self.sizes, self.names = base.name, base.sizes, base.names
        self.parameters, self.breaks = base.parameters, base.breaks
        self.rows, self.full_rows = base.rows, base.full_rows
        self.unit_T = base.unit_T and "T" not in black
        self.C_is_G = base.C_is_G
        self.normalizes, self.iterates_normal = base.normalizes, base.iterates_normal
        self._check_shapes()
        #: what a description knows of sizes, with some parameters
        self.described_scales: Callable[[Floats], Scales | None] = lambda p: None

    def _check_shapes(self) -> None:
        """Of matrices that declare which rows depend on what."""
        for key, function in self.black.items():
            if function.depends and key not in ("f", "d", "g"):
                raise EquationsError(f"'{self.name}': depends is for f, d and g, not for {key}; leave it away")
            for name, matrix in function.depends.items():
                shape = self._row_number(key), getattr(self.sizes, name)
                if matrix.shape != shape:
                    raise EquationsError(
                        f"'{self.name}': depends['{name}'] of function {key} must have the shape {shape}, rows by "
                        f"entries of {name}; got {matrix.shape}"
                    )

    def _row_number(self, key: str) -> int:
        return {"M": self.sizes.v, "f": self.sizes.v, "g": self.sizes.g, "T": self.sizes.q, "d": self.sizes.u}[key]

    def misdeclared(self, point: Mapping[str, Floats]) -> DalembertError | None:
        sizes = self.difference_sizes(point)
        for key, function in self.black.items():
            w = self.excitations(key, point) if function.depends else None
            for name, matrix in function.depends.items():
                moved = functools.partial(self._changed, key, point, w, name)
                found = undeclared(moved, point[name], sizes[name], matrix)
                if found is not None:
                    i, j = found
                    row, entry = self.names[{"f": "v", "d": "u", "g": "lam"}[key]][i], self.names[name][j]
                    return EquationsError(
                        f"'{self.name}': row {i} ({row}) of function {key} depends on {name}[{j}] ({entry}), which its "
                        f"depends does not say; add that entry, or leave depends['{name}'] away"
                    )
        return None

    def known_scales(self, p: Floats) -> Scales | None:
        return self.described_scales(p)

    def difference_sizes(self, point: Mapping[str, Floats]) -> dict[str, Floats]:
        """Sizes of unknowns that differences are taken with: those of the description, velocities in the time scale of
        gravity or of the motion; 1 where nobody knows."""
        found = {name: np.ones(n) for name, n in self._column_counts().items()}
        known = self.known_scales(point["p"])
        if known is not None:
            rate = max(known.rate(point["v"]), known.gravity**0.5 or 1.0)
            found |= {"q": known.q, "v": rate * known.v}
        return found

    @property
    def parts(self) -> tuple[Any, Any]:
        """What they are made from."""
        return self.base, self.black

    def __reduce__(self) -> Any:
        for key, function in self.black.items():
            check_picklable(function, f"'{self.name}': {key}", EquationsError)
        return type(self), self.parts

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        # Functions need not be found by their names here, as in a pickle.
        return type(self)(*copy.deepcopy(self.parts, memo))

    def lacks(self, program: str) -> str:
        listed = ", ".join(self.black)
        solved = ("explicit", "rate", "reduced", "directional", "excited", "imex")
        return f"{listed} is called back in Python" if program in solved else ""

    def with_rows(self, rows: tuple[int, ...]) -> Equations:
        raise EquationsError(f"'{self.name}': constraints cannot be switched where functions are called back in Python")

    def make_borders(self, least: int) -> Borders:
        return self.base.borders(least)

    def blame(self, point: Mapping[str, Floats]) -> DalembertError | None:
        """An error that names what is to blame among what is known as atoms."""
        return self.base.blame(point)

    def make_program(self, name: str) -> Provider:
        return self._contract() if name == "contract" else self._implicit()

    # ------------------------------------------------------------------------------------------- black-box functions

    def value(self, key: str, point: Mapping[str, Floats], w: Floats | None = None) -> Floats:
        """A black-box function at a point, with its shape checked; ``w`` are the excitations, if it asks for them."""
        from dalembert.equations.builders.trace import call_by_name, named_parameters

        s = self.sizes
        values: dict[str, Any] = {name: point[name] for name in ("q", "v", "u", "lam")}
        values |= {"t": float(point["t"][0]), "p": named_parameters(self.parameters, point["p"]), "w": w}
        given = call_by_name(f"function {key} of '{self.name}'", self.black[key], values)
        if type(given) is np.ndarray and given.dtype == float:
            result = given
        else:
            result = reals(given, f"'{self.name}': the result of function {key}", EquationsError)
        shape = {"M": (s.v, s.v), "f": (s.v,), "g": (s.g,), "T": (s.q, s.v), "d": (s.u,)}[key]
        if result.shape != shape:
            raise EquationsError(f"'{self.name}': function {key} must return the shape {shape}, got {result.shape}")
        return result

    def excitations(self, key: str, point: Mapping[str, Floats]) -> Floats | None:
        """What a black-box function sees of w."""
        return self.base.program("contract")(["w"], point)["w"] if "w" in self.black[key].arguments else None

    def dependence(self, key: str) -> Iterable[tuple[Sequence[int], Mapping[str, Sequence[int]]]]:
        """Rows of a black-box vector, and the entries of "q", "v", "u", "lam" that they may depend on."""
        rows, depends = self._row_number(key), self.black[key].depends
        others = [name for name in self.arguments(key) if name not in depends]
        yield range(rows), {name: range(getattr(self.sizes, name)) for name in others}
        for name, matrix in depends.items():
            yield from (([i], {name: np.flatnonzero(row).tolist()}) for i, row in enumerate(matrix))

    def arguments(self, key: str) -> list[str]:
        """Unknowns among the declared arguments of a black-box function."""
        return [name for name in _UNKNOWNS if name in self.black[key].arguments]

    # ------------------------------------------------------------------------------------------------------ programs

    @property
    def moved(self) -> bool:
        """Whether C, and what follows from it, is made of differences."""
        return "g" in self.black or "T" in self.black

    @property
    def patterns(self) -> Mapping[str, Pattern]:
        """Patterns of the matrices of the contract; black ones are dense."""
        return self.kept("patterns", self._patterns)

    def _patterns(self) -> Mapping[str, Pattern]:
        s = self.sizes
        found = dict(self.base.program("contract").patterns)
        for key, dense, shape in (
            ("M", "M" in self.black, (s.v, s.v)), ("T", "T" in self.black, (s.q, s.v)),
            ("F", "f" in self.black and "lam" in self.arguments("f"), (s.v, s.lam)),
        ):  # fmt: skip
            if dense:
                found[key] = dense_pattern(*shape)
        if self.moved:
            C = (self.gradient.astype(int) @ mask_of(found["T"]).astype(int)) > 0
            found["C"], found["G"] = pattern_of(C), pattern_of(np.concatenate([C, mask_of(found["G"])[s.g :]]))
        return found

    @property
    def gradient(self) -> NDArray[np.bool_]:
        """Which constraints on positions may depend on which coordinates: all on all, unless they say so."""
        return self.kept("gradient", self._gradient)

    def _gradient(self) -> NDArray[np.bool_]:
        declared = self.black["g"].depends.get("q") if "g" in self.black else None
        return np.ones((self.sizes.g, self.sizes.q), dtype=bool) if declared is None else declared

    def _contract(self) -> Provider:
        names, patterns = OUTPUTS["contract"], self.patterns
        sizes = dict(zip(names, self.base.program("contract").out_sizes, strict=True))
        sizes |= {key: len(pattern.rows) for key, pattern in patterns.items()}

        def evaluate(request: int, point: dict[str, Floats]) -> dict[int, Floats]:
            asked = {k: name for k, name in enumerate(names) if request >> k & 1 and sizes[name]}
            values = _Quantities(self, point, asked.values())
            return {k: values[name] for k, name in asked.items()}

        return PythonProvider.of(
            "contract", Callback(self.sizes, evaluate), [sizes[name] for name in names], patterns
        )  # fmt: skip

    def _implicit(self) -> Provider:
        names, pattern = OUTPUTS["implicit"], self._jacobian_pattern()

        def evaluate(request: int, point: dict[str, Floats]) -> dict[int, Floats]:
            result = {}
            if request & ~IMPLICIT.jacobian:
                values = self._rows(point)
                result = {k: values[name] for k, name in enumerate(names[:-1]) if request >> k & 1}
            if request & IMPLICIT.jacobian:
                result[IMPLICIT_OUTPUT.jacobian] = self._jacobian(point, pattern)
            return result

        sizes = [*self._row_counts().values(), len(pattern.rows)]
        return PythonProvider.of(
            "implicit", Callback(self.sizes, evaluate), sizes, {"jacobian": pattern}, exact=False
        )  # fmt: skip

    def _row_counts(self) -> dict[str, int]:
        s = self.sizes
        return {"qdot": s.q, "residual": s.v, "g": s.g, "gv": s.lam, "d": s.u}

    def _column_counts(self) -> dict[str, int]:
        s = self.sizes
        return {"q": s.q, "v": s.v, "a": s.v, "lam": s.lam, "mu": s.g, "u": s.u}

    def _rows(self, point: Mapping[str, Floats]) -> dict[str, Floats]:
        """Rows of the program "implicit": each black-box function is called once, and all that is traced comes from one
        call."""
        v, a, lam, mu = (point[key] for key in ("v", "a", "lam", "mu"))
        found = _Quantities(self, point, ("T", "M", "f", "G", "C", "g", "gI", "d"))
        return {
            "qdot": found.times("T", v - found.transposed_times("C", mu)),
            "residual": found.times("M", a) - found["f"] + found.transposed_times("G", lam),
            "g": found["g"],
            "gv": found.times("G", v) + found["gI"],
            "d": found["d"],
        }

    # ------------------------------------------------------------------------------------------------------ Jacobian

    def _jacobian_pattern(self) -> Pattern:
        """Entries of what is traced, with dense blocks where black-box functions enter."""
        s, given = self.sizes, self.base.program("implicit").patterns["jacobian"]
        first_row, first_column = _starts(self._row_counts()), _starts(self._column_counts())
        coordinates, constraints = self._drift[:2]
        keys = [given.columns * given.shape[0] + given.rows]
        keys.append((first_column["mu"] + constraints) * given.shape[0] + first_row["qdot"] + coordinates)

        def block(
            row: str, column: str, rows: Sequence[int] | None = None, columns: Sequence[int] | None = None
        ) -> None:
            i = np.asarray(range(self._row_counts()[row]) if rows is None else rows, dtype=np.int64)
            j = np.asarray(range(self._column_counts()[column]) if columns is None else columns, dtype=np.int64)
            keys.append(((first_column[column] + j[:, None]) * given.shape[0] + first_row[row] + i).reshape(-1))

        for key, row in (("f", "residual"), ("d", "d"), ("g", "g")):
            if key in self.black:
                for rows, entries in self.dependence(key):
                    for column, places in entries.items():
                        block(row, column, rows, places)
        if "M" in self.black:
            for column in ("a", *self.arguments("M")):
                block("residual", column)
        if "T" in self.black:
            for column in ("v", *self.arguments("T")):
                block("qdot", column)
        if self.moved and s.g:
            C, by_q = mask_of(self.patterns["C"]), self.gradient
            if not self.unit_T:  # T may bring any coordinate in
                by_q = np.ones_like(by_q)
            for i in range(s.g):
                moves, of = np.flatnonzero(C[i]).tolist(), np.flatnonzero(by_q[i]).tolist()
                block("residual", "q", moves, of)
                block("residual", "lam", moves, [i])
                block("gv", "q", [i], of)
                block("gv", "v", [i], moves)
                block("qdot", "q", coordinates[constraints == i].tolist(), of)
        listed = np.unique(np.concatenate(keys))
        return Pattern(given.shape, listed % given.shape[0], listed // given.shape[0])

    def _jacobian(self, point: dict[str, Floats], pattern: Pattern) -> Floats:
        if set(self.black) <= {"f", "d"}:
            return self._traced_jacobian(point, pattern)
        unknowns = self._column_counts()

        def stacked(x: Floats) -> Floats:
            parts = np.split(x, np.cumsum(list(unknowns.values()))[:-1])
            return np.concatenate(list(self._rows({**point, **dict(zip(unknowns, parts, strict=True))}).values()))

        matrix = differences(stacked, np.concatenate([point[key] for key in unknowns]))
        return matrix[pattern.rows, pattern.columns]

    @property
    def _drift(self) -> tuple[Ints, Ints, Ints, Ints]:
        """Products that make up T Cᵀ: coordinate, constraint, entry of T, entry of C."""
        return self.kept("drift", lambda: products(self.patterns["T"], self.patterns["C"]))

    def _traced_jacobian(self, point: dict[str, Floats], pattern: Pattern) -> Floats:
        """Exact derivatives of what is traced, with differences of forces and external dynamics added to them.

        The derivative of −T Cᵀμ with respect to q is left away: μ vanishes in the solution.
        """
        base = self.base.program("implicit")
        given, n = base.patterns["jacobian"], pattern.shape[0]
        keys, result = pattern.columns * n + pattern.rows, np.zeros(len(pattern.rows))
        first_row, first_column = _starts(self._row_counts()), _starts(self._column_counts())
        at_rest = {**point, "mu": np.zeros(self.sizes.g)}
        result[np.searchsorted(keys, given.columns * n + given.rows)] = base(["jacobian"], at_rest)["jacobian"]
        # Some builders have −(∂g/∂q)ᵀμ in the rates of coordinates, which is as good, but not what the rows here have.
        result[(pattern.columns >= first_column["mu"]) & (pattern.columns < first_column["u"])] = 0.0
        coordinates, constraints, in_T, in_C = self._drift
        values, sizes = _Quantities(self, point, ("T", "C")), self.difference_sizes(point)
        drift_at = np.searchsorted(keys, (first_column["mu"] + constraints) * n + first_row["qdot"] + coordinates)
        np.subtract.at(result, drift_at, values["T"][in_T] * values["C"][in_C])
        for key, row, sign in (("f", "residual", -1.0), ("d", "d", 1.0)):
            if key not in self.black:
                continue
            w = self.excitations(key, point)
            rows_of: dict[tuple[str, int], set[int]] = {}
            for rows, entries in self.dependence(key):
                for name, places in entries.items():
                    for i in places:
                        rows_of.setdefault((name, i), set()).update(rows)
            for (name, i), found in rows_of.items():
                moved = functools.partial(self._changed, key, point, w, name)
                change = difference(moved, point[name], i, float(sizes[name][i]))
                listed = np.array(sorted(found), dtype=np.int64)
                column = (first_column[name] + i) * n + first_row[row]
                result[np.searchsorted(keys, column + listed)] += sign * change[listed]
        return result

    def _changed(self, key: str, point: Mapping[str, Floats], w: Floats | None, name: str, x: Floats) -> Floats:
        return self.value(key, {**point, name: x}, w)


class _Quantities:
    """Quantities of the contract at one point, matrices by their entries; all that is traced comes from one call."""

    def __init__(self, equations: WithCallbacks, point: Mapping[str, Floats], names: Iterable[str]) -> None:
        self._equations, self._point = equations, point
        asked = tuple(names)
        wanted = equations.kept(
            ("traced", asked), lambda: sorted({found for name in asked for found in self._traced(name)})
        )  # fmt: skip
        self._given = equations.base.program("contract")(wanted, point) if wanted else {}
        self._found: dict[str, Floats] = {}

    def _traced(self, name: str) -> set[str]:
        """Traced quantities that one is made of."""
        x, s = self._equations, self._equations.sizes
        further = {name} if s.lam > s.g else set()  # rows of constraints on velocities
        if name in x.black:
            return ({name} if x.adds else set()) | ({"w"} if "w" in x.black[name].arguments else set())
        if name in ("C", "G", "gamma") and x.moved:
            black = [key for key in ("g", "T") if key in x.black and "w" in x.black[key].arguments]
            return {*(() if "T" in x.black else ("T",)), *further, *(("w",) if black else ())}
        return further if name == "gI" and "g" in x.black else {name}

    def __getitem__(self, name: str) -> Floats:
        """A vector, or the entries of a matrix in its pattern."""
        if name not in self._found:
            self._found[name] = self._evaluated(name)
        return self._found[name]

    def _evaluated(self, name: str) -> Floats:
        x, point = self._equations, self._point
        if name in x.black:
            found = x.value(name, point, self._given.get("w"))
            if x.adds:
                found = found + self._given[name]
            return found if name not in x.patterns else found.T.reshape(-1)
        if name == "F" and "f" in x.black and "lam" in x.arguments("f"):
            w = x.excitations("f", point)
            F = differences(lambda lam: x.value("f", {**point, "lam": lam}, w), point["lam"])
            return (F + x.base.program("contract").patterns["F"].dense(self._given["F"])).T.reshape(-1)
        if name in ("C", "G") and x.moved:
            matrix, pattern = self._with_further("G", self._C) if name == "G" else self._C, x.patterns[name]
            return matrix[pattern.rows, pattern.columns]
        if name == "gI" and "g" in x.black:
            return self._with_further("gI", difference(lambda t: self._of("g", t=t), point["t"], 0))
        if name == "gamma" and x.moved:
            rows = self._second_rate()
            return np.concatenate([rows, self._further_gamma()]) if "T" in x.black else self._with_further(name, rows)
        return self._given[name]

    def _with_further(self, name: str, rows: Floats) -> Floats:
        """Rows of constraints on positions, and below them the traced ones of others."""
        s, pattern = self._equations.sizes, self._equations.base.program("contract").patterns.get(name)
        if s.lam == s.g:
            return rows
        given = self._given[name] if pattern is None else pattern.dense(self._given[name])
        return np.concatenate([rows, given[s.g :]])

    @functools.cached_property
    def _C(self) -> Floats:
        gradient = self._equations.gradient
        groups = self._equations.kept("groups of g", lambda: groups_of(gradient))
        found = grouped_differences(lambda q: self._of("g", q=q), self._point["q"], gradient, groups)
        return found @ self._matrix("T", self["T"])

    def _matrix(self, name: str, values: Floats) -> Floats:
        return self._equations.patterns[name].dense(values)

    def _of(self, name: str, **changed: Floats) -> Floats:
        """A quantity at another point."""
        return _Quantities(self._equations, {**self._point, **changed}, [name])[name]

    def _second_rate(self) -> Floats:
        """−d²g/dt² without accelerations: second difference of g along q(s) = q + s T v + s²/2 Ṫ v."""
        q, v, t = self._point["q"], self._point["v"], self._point["t"]
        rate = self.times("T", v)
        s = _SECOND_STEP / max(1.0, float(np.max(np.abs(rate), initial=0.0)))
        ahead, behind = (self._matrix("T", self._of("T", q=q + h * rate, t=t + h)) @ v for h in (s, -s))
        bend = (ahead - behind) / (2 * s)
        ends = [self._of("g", q=q + h * rate + s * s / 2 * bend, t=t + h) for h in (s, -s)]
        return -(ends[0] - 2 * self._of("g") + ends[1]) / s**2

    def _further_gamma(self) -> Floats:
        """−d(G v + gI)/dt of the constraints on velocities along q̇ = T v, where T is not traced."""
        q, v, t = self._point["q"], self._point["v"], self._point["t"]
        base, rate = self._equations.base.program("contract"), self.times("T", v)
        h = STEP / max(1.0, float(np.max(np.abs(rate), initial=0.0)))
        ends = []
        for step in (h, -h):
            found = base(["G", "gI"], {**self._point, "q": q + step * rate, "t": t + step})
            ends.append((base.patterns["G"].dense(found["G"]) @ v + found["gI"])[self._equations.sizes.g :])
        return -(ends[0] - ends[1]) / (2 * h)

    def times(self, name: str, x: Floats) -> Floats:
        """A matrix times a vector."""
        pattern = self._equations.patterns[name]
        return np.bincount(pattern.rows, self[name] * x[pattern.columns], pattern.shape[0]).astype(float)

    def transposed_times(self, name: str, x: Floats) -> Floats:
        """The transpose of a matrix times a vector; what does not count is not evaluated."""
        pattern = self._equations.patterns[name]
        if not x.any():
            return np.zeros(pattern.shape[1])
        return np.bincount(pattern.columns, self[name] * x[pattern.rows], pattern.shape[1]).astype(float)


def _starts(counts: Mapping[str, int]) -> dict[str, int]:
    """First numbers of vectors that stand one after the other."""
    return dict(zip(counts, itertools.accumulate(counts.values(), initial=0), strict=False))
