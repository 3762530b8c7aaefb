"""Builder for large systems: each type of element is traced and compiled once, and looped over its instances.

Compile time does not depend on the number of instances, the cost of an evaluation grows in proportion to it, and the
matrices carry their sparse structure.  The home of absolute coordinates.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dalembert.equations.element_layout import Ints, Kind, assemble_program
from dalembert.equations.equations import Equations, Sizes
from dalembert.equations.expressions import Expressions
from dalembert.equations.provider import Provider
from dalembert.equations.trace import Parameters, checked_names, checked_parameters, symbols_for, traced
from dalembert.errors import EquationsError
from dalembert.symbolic import zeros

Function = Callable[..., Any]


class Elements:
    """Collects elements over common coordinates; :meth:`equations` puts them together.

    ::

        chain = da.Elements("chain", coordinates=["x1", "y1", "phi1", …], parameters={"g": 9.81})
        chain.add("link", coordinates=[[0, 1, 2], [3, 4, 5]], M=…, f=…, data={"m": 1.0, "J": [0.1, 0.2]})
        chain.add("hinge", coordinates=[[0, 1, 2, 3, 4, 5]], g=…, data={"half": 0.5})
        equations = chain.equations()

    The functions see the local coordinates ``q`` and velocities ``v`` of an instance, ``t``, its own multipliers
    ``lam``, and ``p`` with its data and the common parameters.  What several elements say about the same coordinates is
    added.
    """

    def __init__(
        self, name: str, *, coordinates: Sequence[str] | int, parameters: Mapping[str, Any] | None = None
    ) -> None:
        self.name = name
        listed = (
            [f"q{i}" for i in range(coordinates)]
            if isinstance(coordinates, (int, np.integer))
            else [str(c) for c in coordinates]
        )
        if not listed or len(set(listed)) != len(listed):
            raise EquationsError(f"'{name}': coordinates need different names, at least one")
        self.coordinates = tuple(listed)
        self._common = checked_parameters(name, parameters)
        for key, value in self._common.items():
            if not isinstance(value, (int, float, np.number)):
                raise EquationsError(f"'{name}': the common parameter '{key}' must be one number, got {value!r:.80}")
        self._parameters: dict[str, Any] = dict(self._common)
        self._kinds: list[Kind] = []
        self._names: list[str] = []
        self._row_names: list[str] = []

    def add(
        self,
        name: str,
        *,
        coordinates: ArrayLike,
        M: Function | None = None,
        f: Function | None = None,
        g: Function | None = None,
        data: Mapping[str, Any] | None = None,
    ) -> None:
        """Add a type of element with all its instances.

        :param coordinates: (instances, k) numbers of the global coordinates that each instance sees as its local ones
        :param M: mass matrix (k, k); ``f``: forces (k,); ``g``: position constraints (any number)
        :param data: values of an instance's parameters: a number for all instances, or one per instance
        """
        label = f"'{self.name}', element '{name}'"
        if name in self._names:
            raise EquationsError(f"{label} is there already; choose another name, or add all instances at once")
        places = self._checked_places(label, coordinates)
        count, k = places.shape
        columns, values, at = self._checked_data(label, name, data, count)
        inputs = symbols_for(Sizes(k, k, 0, 0, 0, 0), values, label)
        p = Parameters(dict(zip(values, inputs["p"], strict=True)))
        still = {"t": inputs["t"][0], "q": inputs["q"], "p": p}
        rows = zeros((0,)) if g is None else traced(f"{label}: function g", g, still, (None,))
        graph = inputs["t"][0].graph
        m = len(rows)
        inputs |= {
            "lam": graph.variables("lam", m) if m else zeros((0,)),
            "mu": graph.variables("mu", m) if m else zeros((0,)),
        }
        moving = {**still, "v": inputs["v"], "lam": inputs["lam"]}
        expressions = Expressions(
            graph,
            inputs,
            M=zeros((k, k)) if M is None else traced(f"{label}: function M", M, still, (k, k)),
            f=zeros((k,)) if f is None else traced(f"{label}: function f", f, moving, (k,)),
            g=rows,
        )
        kind = Kind(name, expressions, places, columns, len(self._row_names))
        self._kinds.append(kind)
        self._names.append(name)
        self._parameters |= at
        self._row_names += [f"{name}[{i}].{row}" for i in range(count) for row in range(m)]

    def _checked_places(self, label: str, coordinates: ArrayLike) -> Ints:
        try:
            places = np.asarray(coordinates)
            if places.ndim != 2 or not places.size or not np.issubdtype(places.dtype, np.integer):
                raise ValueError
        except ValueError:
            raise EquationsError(f"{label}: coordinates must be whole numbers of shape (instances, k)") from None
        bad = (places < 0) | (places >= len(self.coordinates))
        if bad.any():
            i, j = np.argwhere(bad)[0]
            raise EquationsError(
                f"{label}: instance {i} refers to coordinate {places[i, j]}, but there are {len(self.coordinates)}"
            )
        ordered = np.sort(places, axis=1)
        twice = np.argwhere(ordered[:, 1:] == ordered[:, :-1])
        if len(twice):
            raise EquationsError(f"{label}: instance {twice[0][0]} names coordinate {ordered[tuple(twice[0])]} twice")
        return places.astype(np.int64)

    def _checked_data(
        self, label: str, name: str, data: Mapping[str, Any] | None, count: int
    ) -> tuple[Ints, dict[str, float], dict[str, Any]]:
        """Places of local parameters among all, local names, and new parameters."""
        offsets: dict[str, int] = {}
        at = 0
        for key, value in self._parameters.items():
            offsets[key] = at
            at += int(np.size(value))
        columns: list[Ints] = []
        local: dict[str, float] = {}
        new: dict[str, Any] = {}
        for key, value in (data or {}).items():
            try:
                values = np.asarray(value, dtype=float)
            except (TypeError, ValueError):
                raise EquationsError(f"{label}: data '{key}' must be numbers, got {value!r:.80}") from None
            if values.shape not in ((), (count,)):
                raise EquationsError(
                    f"{label}: data '{key}' must be one number, or {count} for its {count} instances; got the shape "
                    f"{values.shape}"
                )
            if not key.isidentifier() or key in self._common:
                raise EquationsError(f"{label}: data '{key}' must be an identifier that is no common parameter")
            new[f"{name}.{key}"] = float(values) if values.shape == () else values
            local[key] = 0.0
            columns.append(at + (np.zeros(count, dtype=np.int64) if values.shape == () else np.arange(count)))
            at += values.size
        for key in self._common:
            local[key] = 0.0
            columns.append(np.full(count, offsets[key]))
        return (
            np.stack(columns, axis=1).astype(np.int64) if columns else np.zeros((count, 0), dtype=np.int64), local, new
        )  # fmt: skip

    def equations(self) -> Equations:
        """The equations of motion of all elements together."""
        if not self._kinds:
            raise EquationsError(f"'{self.name}' has no elements yet; add some first")
        heavy = np.zeros(len(self.coordinates), dtype=bool)
        for kind in self._kinds:
            heavy[kind.coordinates.ravel()] = True
        if not heavy.all():
            raise EquationsError(
                f"'{self.name}': no element refers to the coordinate {self.coordinates[int(np.argmin(heavy))]}"
            )
        n = len(self.coordinates)
        names = checked_names(
            self.name,
            {"q": self.coordinates, "lam": self._row_names},
            {"q": n, "v": n, "lam": len(self._row_names), "u": 0},
        )
        return Assembled(self.name, tuple(self._kinds), names, dict(self._parameters))


class Assembled(Equations):
    """Equations put together from elements; made by :class:`Elements`."""

    def __init__(
        self, name: str, kinds: tuple[Kind, ...], names: Mapping[str, tuple[str, ...]], parameters: Mapping[str, Any]
    ) -> None:
        self.name, self.kinds, self.names, self.parameters, self.breaks = name, kinds, names, parameters, ()
        n, m = len(names["q"]), len(names["lam"])
        total = sum(int(np.size(value)) for value in parameters.values())
        self.sizes = Sizes(n, n, m, m, 0, total)
        self.rows, self.full_rows = tuple(range(m)), m
        self.unit_T = self.C_is_G = True
        self.normalizes = False
        self._programs: dict[str, Provider] = {}

    def __reduce__(self) -> Any:
        return Assembled, (self.name, self.kinds, dict(self.names), dict(self.parameters))

    def lacks(self, program: str) -> str:
        return "it is put together from elements" if program in ("explicit", "rate") else ""

    def restricted(self, rows: Sequence[int]) -> Equations:
        if tuple(rows) == self.rows:
            return self
        raise EquationsError(f"'{self.name}': constraints of elements cannot be switched one by one; use trace instead")

    def program(self, name: str) -> Provider:
        if name not in self._programs:
            if reason := self.lacks(name):
                raise EquationsError(f"'{self.name}' has no program '{name}': {reason}")
            self._programs[name] = assemble_program(self, name)
        return self._programs[name]
