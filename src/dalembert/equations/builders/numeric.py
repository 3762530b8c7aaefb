"""Black-box functions: parts of the equations that cannot be traced are called back at every evaluation.

What can be traced is compiled as ever; derivatives of the rest are finite differences.  Slower by orders of magnitude
than traced equations, and less exact, but the same contract.
"""

from __future__ import annotations

import ctypes
import inspect
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.equations.contract.convention import INPUTS, OUTPUTS
from dalembert.equations.contract.equations import Equations, Sizes
from dalembert.equations.contract.provider import Floats, Pattern, Provider
from dalembert.errors import EquationsError

_STEP = float(np.finfo(float).eps) ** (1 / 3)
#: For second differences: rounding and truncation balance here.
_SECOND_STEP = float(np.finfo(float).eps) ** (1 / 4)
#: Functions that are differentiated twice, or are nobody's argument.
_DERIVED = ("nonholonomic", "normalize")

ENTRY = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_int64, ctypes.c_int64, ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_void_p),
    ctypes.c_void_p,
)  # fmt: skip


def numeric(function: Callable[..., Any]) -> Numeric:
    """Mark a function for :func:`trace` that works with numbers only: ``trace(f=numeric(my_force), …)``.

    It receives plain arrays under the same names and may do anything that Python can.  It is called at every
    evaluation; derivatives of it are finite differences.
    """
    return Numeric(function)


class Numeric:
    """A function that is called with numbers; made by :func:`numeric`."""

    def __init__(self, function: Callable[..., Any]) -> None:
        if not callable(function):
            raise EquationsError(f"numeric(…) needs a function, got {function!r}")
        self.function = function
        self.arguments = frozenset(inspect.signature(function).parameters)


class Callback:
    """An entry that calls Python; an exception is kept, and raised again outside of the compiled code.

    Threads that run at the same time each keep their own.
    """

    def __init__(self, sizes: Sizes, evaluate: Callable[[int, dict[str, Floats]], Mapping[int, Floats]]) -> None:
        self._raised = threading.local()
        self.in_sizes = counts = (sizes.p, 1, sizes.q, sizes.v, sizes.u, sizes.lam, sizes.v, sizes.g)

        def entry(request: int, changed: int, inputs: Any, outputs: Any, work: Any) -> int:
            try:
                point = {key: np.array(array_at(inputs[k], counts[k])) for k, key in enumerate(INPUTS)}
                for k, values in evaluate(request, point).items():
                    array_at(outputs[k], values.size)[:] = values.reshape(-1)
            except BaseException as error:
                vars(self._raised)["error"] = error
                return 1
            return 0

        self.entry = ENTRY(entry)

    def raise_pending(self) -> None:
        """Raise what was raised behind the entry since the last call."""
        if (error := vars(self._raised).pop("error", None)) is not None:
            raise error

    @property
    def address(self) -> int:
        """Good as long as this object lives."""
        return int(ctypes.cast(self.entry, ctypes.c_void_p).value or 0)


@dataclass(frozen=True)
class PythonProvider(Provider):
    """A provider whose entry calls Python; its owner is a :class:`Callback`."""

    @classmethod
    def of(cls, program: str, owner: Callback, out_sizes: Sequence[int], patterns: Mapping[str, Pattern]) -> Provider:
        """A program behind a callback."""
        return cls(program, owner.address, 0, owner.in_sizes, tuple(out_sizes), patterns, owner)

    def raise_pending(self) -> None:
        self.owner.raise_pending()


def array_at(address: int | None, size: int) -> NDArray[np.float64]:
    """The numbers at an address, not copied."""
    if not size or not address:
        return np.zeros(size)
    return np.ctypeslib.as_array(ctypes.cast(address, ctypes.POINTER(ctypes.c_double)), (size,))


def _dense(rows: int, columns: int) -> Pattern:
    i, j = np.meshgrid(np.arange(rows), np.arange(columns), indexing="ij")
    return Pattern((rows, columns), i.T.reshape(-1).astype(np.int64), j.T.reshape(-1).astype(np.int64))


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

    def __init__(self, base: Equations, black: Mapping[str, Numeric]) -> None:
        self.base, self.black = base, dict(black)
        self.name, self.sizes, self.names = base.name, base.sizes, base.names
        self.parameters, self.breaks, self.rows, self.full_rows = (
            base.parameters,
            base.breaks,
            base.rows,
            base.full_rows,
        )
        self.unit_T = base.unit_T and "T" not in black
        self.C_is_G = base.C_is_G
        self.normalizes = base.normalizes

    def __reduce__(self) -> Any:
        return WithCallbacks, (self.base, self.black)

    def lacks(self, program: str) -> str:
        listed = ", ".join(self.black)
        return f"{listed} is called back in Python" if program in ("explicit", "rate") else ""

    def with_rows(self, rows: tuple[int, ...]) -> Equations:
        raise EquationsError(f"'{self.name}': constraints cannot be switched where functions are called back in Python")

    def make_program(self, name: str) -> Provider:
        return self._contract() if name == "contract" else self._implicit()

    # ---------------------------------------------------------------------------------------------------- quantities

    def _value(self, key: str, point: Mapping[str, Floats]) -> Floats:
        """A black-box function at a point, with its shape checked."""
        from dalembert.equations.builders.trace import call_by_name, named_parameters

        s = self.sizes
        values: dict[str, Any] = {name: point[name] for name in ("q", "v", "u", "lam")}
        values |= {"t": float(point["t"][0]), "p": named_parameters(self.parameters, point["p"])}
        if "w" in self.black[key].arguments:
            values["w"] = self.base.program("contract")(["w"], point)["w"]
        result = np.asarray(
            call_by_name(f"'{self.name}': function {key}", self.black[key].function, values), dtype=float
        )
        shape = {"M": (s.v, s.v), "f": (s.v,), "g": (s.g,), "T": (s.q, s.v), "d": (s.u,)}[key]
        if result.shape != shape:
            raise EquationsError(f"'{self.name}': function {key} must return the shape {shape}, got {result.shape}")
        return result

    def _quantity(self, name: str, point: dict[str, Floats]) -> Floats:
        """A quantity of the contract, dense."""
        s = self.sizes
        if name in self.black:
            return self._value(name, point)
        if name == "F" and "f" in self.black:
            if "lam" not in self.black["f"].arguments:
                return np.zeros((s.v, s.lam))
            return _differences(lambda x: self._value("f", {**point, "lam": x}), point["lam"])
        moved = "g" in self.black or "T" in self.black
        if name in ("C", "G") and moved:
            C_q = _differences(lambda x: self._quantity("g", {**point, "q": x}), point["q"])
            C = C_q @ self._quantity("T", point)
            if name == "C" or s.lam == s.g:
                return C
            G = self._from_base("G", point)
            return np.concatenate([C, G[s.g :]])
        if name == "gI" and "g" in self.black:
            rate = _differences(lambda x: self._quantity("g", {**point, "t": x}), point["t"])[:, 0]
            return np.concatenate([rate, self._from_base("gI", point)[s.g :]])
        if name == "gamma" and moved:
            return np.concatenate([self._second_rate(point), self._from_base("gamma", point)[s.g :]])
        return self._from_base(name, point)

    def _second_rate(self, point: dict[str, Floats]) -> Floats:
        """−d²g/dt² without accelerations: second difference of g along q(s) = q + s T v + s²/2 Ṫ v."""
        v, t = point["v"], point["t"]
        rate = self._quantity("T", point) @ v
        s = _SECOND_STEP / max(1.0, float(np.max(np.abs(rate), initial=0.0)))
        ahead, behind = ({**point, "q": point["q"] + sign * s * rate, "t": t + sign * s} for sign in (1, -1))
        bend = (self._quantity("T", ahead) @ v - self._quantity("T", behind) @ v) / (2 * s)
        ends = [
            self._quantity("g", {**point, "q": point["q"] + sign * s * rate + s * s / 2 * bend, "t": t + sign * s})
            for sign in (1, -1)
        ]
        return -(ends[0] - 2 * self._quantity("g", point) + ends[1]) / s**2

    def _from_base(self, name: str, point: Mapping[str, Floats]) -> Floats:
        provider = self.base.program("contract")
        values = provider([name], point)[name]
        return provider.patterns[name].dense(values) if name in provider.patterns else values

    # ------------------------------------------------------------------------------------------------------ programs

    def _contract(self) -> Provider:
        s = self.sizes
        names = OUTPUTS["contract"]
        base = self.base.program("contract")
        patterns = dict(base.patterns)
        moved = "g" in self.black or "T" in self.black
        for key, changed, shape in (
            ("M", "M" in self.black, (s.v, s.v)), ("T", "T" in self.black, (s.q, s.v)), ("G", moved, (s.lam, s.v)),
            ("C", moved, (s.g, s.v)),
            ("F", "f" in self.black and "lam" in self.black["f"].arguments, (s.v, s.lam)),
        ):  # fmt: skip
            if changed:
                patterns[key] = _dense(*shape)
        sizes = dict(zip(names, base.out_sizes, strict=True))
        sizes |= {key: len(pattern.rows) for key, pattern in patterns.items()}

        def evaluate(request: int, point: dict[str, Floats]) -> dict[int, Floats]:
            result: dict[int, Floats] = {}
            for k, name in enumerate(names):
                if request >> k & 1 and sizes[name]:
                    values = self._quantity(name, point)
                    result[k] = values[patterns[name].rows, patterns[name].columns] if name in patterns else values
            return result

        return PythonProvider.of("contract", Callback(s, evaluate), [sizes[name] for name in names], patterns)

    def _implicit(self) -> Provider:
        s = self.sizes
        names = OUTPUTS["implicit"]
        counts = {"qdot": s.q, "residual": s.v, "g": s.g, "gv": s.lam, "d": s.u}
        unknowns = ("q", "v", "a", "lam", "mu", "u")
        total = s.q + 2 * s.v + s.lam + s.g + s.u
        pattern = _dense(sum(counts.values()), total)

        def rows(point: dict[str, Floats]) -> dict[str, Floats]:
            T, M, f, G, C, g, gI, d = (self._quantity(key, point) for key in ("T", "M", "f", "G", "C", "g", "gI", "d"))
            return {
                "qdot": T @ (point["v"] - C.T @ point["mu"]),
                "residual": M @ point["a"] - f + G.T @ point["lam"],
                "g": g,
                "gv": G @ point["v"] + gI,
                "d": d,
            }

        def stacked(x: Floats, point: dict[str, Floats]) -> Floats:
            parts = np.split(x, np.cumsum([len(point[key]) for key in unknowns])[:-1])
            return np.concatenate(list(rows({**point, **dict(zip(unknowns, parts, strict=True))}).values()))

        def evaluate(request: int, point: dict[str, Floats]) -> dict[int, Floats]:
            values = rows(point)
            result = {k: values[name] for k, name in enumerate(names[:-1]) if request >> k & 1}
            if request >> (len(names) - 1) & 1:
                x = np.concatenate([point[key] for key in unknowns])
                matrix = _differences(lambda y: stacked(y, point), x)
                result[len(names) - 1] = matrix[pattern.rows, pattern.columns]
            return result

        sizes = [*counts.values(), len(pattern.rows)]
        return PythonProvider.of("implicit", Callback(s, evaluate), sizes, {"jacobian": pattern})


def _differences(function: Callable[[Floats], Floats], x: Floats) -> Floats:
    """Jacobian by central differences."""
    columns = []
    for i in range(len(x)):
        h = _STEP * max(1.0, abs(float(x[i])))
        ahead, behind = np.array(x), np.array(x)
        ahead[i] += h
        behind[i] -= h
        columns.append((function(ahead) - function(behind)) / (ahead[i] - behind[i]))
    rows = len(columns[0]) if columns else len(function(x))
    return np.stack(columns, axis=1) if columns else np.zeros((rows, 0))
