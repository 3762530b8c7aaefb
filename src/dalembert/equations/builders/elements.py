"""Builder for large systems: each type of element is traced and compiled once, and looped over its instances.

Compile time does not depend on the number of instances, the cost of an evaluation grows in proportion to it, and the
matrices carry their sparse structure.  The home of absolute coordinates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dalembert.arguments import LONGEST_LIST, function, instance, listed, mapping, reals, text, texts, whole, wholes
from dalembert.equations.builders.contraction import ContractedFormulas
from dalembert.equations.builders.element_checks import (
    check_system,
    checked_expressions,
    checked_places,
    checked_row_names,
)
from dalembert.equations.builders.element_layout import Ints, Kind, assemble_program
from dalembert.equations.builders.element_types import Formulas
from dalembert.equations.builders.trace import (
    checked_breaks,
    checked_names,
    checked_parameters,
    named_parameters,
    symbols_for,
    traced,
)
from dalembert.equations.contract.borders import Borders, all_atoms, beyond_table, borders_of, chooses
from dalembert.equations.contract.equations import Equations, Sizes
from dalembert.equations.contract.expressions import Expressions
from dalembert.equations.contract.provider import Floats, Provider
from dalembert.errors import DalembertError, EquationsError, suggestion
from dalembert.symbolic import Atom, zeros

Function = Callable[..., Any]


class Elements:
    """Collects elements over common coordinates; :meth:`equations` puts them together.

    ::

        chain = da.Elements("chain", coordinates=["x1", "y1", "phi1", …], parameters={"g": 9.81})
        chain.add("link", coordinates=[[0, 1, 2], [3, 4, 5]], M=…, f=…, data={"m": 1.0, "J": [0.1, 0.2]})
        chain.add("hinge", coordinates=[[0, 1, 2, 3, 4, 5]], g=…, data={"half": 0.5})
        equations = chain.equations()

    The functions see the local coordinates ``q`` and velocities ``v`` of an instance, its external states ``u``, ``t``,
    its own multipliers ``lam``, and ``p`` with its data and the common parameters.  What several elements say about the
    same coordinates is added.

    Without ``velocities`` these are the rates of the coordinates.  With them q̇ = T v, and each coordinate has one
    owner: the element whose row of T is the global one.

    :param coordinates: names, or how many
    :param velocities: names of the velocities, where T is not the identity
    :param states: names of external states
    :param parameters: names and default values of numbers or arrays that all elements see
    :param breaks: instants at which something is not smooth; steps end there
    """

    def __init__(
        self,
        name: str,
        *,
        coordinates: Sequence[str] | int,
        velocities: Sequence[str] | int | None = None,
        states: Sequence[str] | int | None = None,
        parameters: Mapping[str, Any] | None = None,
        breaks: Sequence[float] = (),
    ) -> None:
        self.name = text(name, "Elements: name", EquationsError)
        self.coordinates = _names(name, "coordinates", "q", coordinates)
        self.unit_T = velocities is None
        self.velocities = None if velocities is None else _names(name, "velocities", "v", velocities)
        self.states = () if states is None else _names(name, "states", "u", states)
        self.breaks = checked_breaks(name, breaks)
        self._common = checked_parameters(name, parameters)
        self._parameters: dict[str, Any] = dict(self._common)
        self._kinds: list[Kind] = []
        self._row_names: list[Any] = []

    def add(
        self,
        name: str,
        *,
        coordinates: ArrayLike | None,
        velocities: ArrayLike | None = None,
        states: ArrayLike | None = None,
        M: Function | None = None,
        f: Function | None = None,
        g: Function | None = None,
        nonholonomic: Function | None = None,
        T: Function | None = None,
        normalize: Function | None = None,
        d: Function | None = None,
        own: Sequence[int] | None = None,
        data: Mapping[str, Any] | None = None,
        row_names: Sequence[Sequence[str]] | None = None,
    ) -> None:
        """Add a type of element with all its instances.

        :param coordinates: (instances, k) numbers of the global coordinates that each instance sees as its local ones
        :param velocities: the same for velocities, where they are not the rates of the coordinates
        :param states: the same for external states
        :param M: mass matrix (k, k); ``f``: forces (k,); ``g``: position constraints (any number)
        :param nonholonomic: further constraints on velocities, linear in ``v``
        :param T: local kinematics q̇ = T v; needed where coordinates and velocities differ and there are constraints
        :param normalize: local coordinates with their invariants restored
        :param d: rates of the external states, (k,)
        :param own: numbers of those local coordinates whose rows of ``T`` and ``normalize`` are the global ones; all of
            them if one of these is given
        :param data: values of an instance's parameters: a number for all instances, or one per instance
        :param row_names: for each instance the names of its constraints
        """
        label = self._label(name)
        places = self._checked_places(label, coordinates, velocities, states)
        data = mapping({} if data is None else data, f"{label}: data", EquationsError)
        for key in data:
            if not isinstance(key, str) or not key.isidentifier() or key in self._common:
                raise EquationsError(f"{label}: data '{key}' must be an identifier that is no common parameter")
        self._checked_data(label, name, list(data or {}), data, len(places[0]))
        functions = {"M": M, "f": f, "g": g, "nonholonomic": nonholonomic, "T": T, "normalize": normalize, "d": d}
        for key, item in functions.items():
            if item is not None:
                function(item, f"{label}: {key}", EquationsError)
        if own is None:
            own = tuple(range(places[0].shape[1])) if T is not None or normalize is not None else ()
        self.add_expressions(
            name, self._traced(label, functions, places, list(data or {})), coordinates=places[0],
            velocities=None if self.unit_T else places[1], states=places[2], own=own, data=data, row_names=row_names,
        )  # fmt: skip

    def _traced(
        self, label: str, functions: Mapping[str, Function | None], places: tuple[Ints, Ints, Ints], data: Sequence[str]
    ) -> Expressions:
        """The functions of a type, called with the symbols of one instance: constraints first, as their number is that
        of the multipliers."""
        k_q, k_v, k_u = (part.shape[1] for part in places)
        known = {**dict.fromkeys(data, 0.0), **self._common}
        inputs = symbols_for(Sizes(k_q, k_v, 0, 0, k_u, 0), known, label)
        graph = inputs["t"][0].graph
        still = {"t": inputs["t"][0], "q": inputs["q"], "p": named_parameters(known, inputs["p"])}

        def made(key: str, values: Mapping[str, Any], *shape: int | None) -> Any:
            function = functions[key]
            return None if function is None else traced(f"{label}: function {key}", function, values, shape)

        rows, moving = made("g", still, None), made("nonholonomic", {**still, "v": inputs["v"]}, None)
        m, further = (0 if found is None else len(found) for found in (rows, moving))
        inputs |= {
            "lam": graph.variables("lam", m + further) if m + further else zeros((0,)),
            "mu": graph.variables("mu", m) if m else zeros((0,)),
        }
        values = {**still, "v": inputs["v"], "lam": inputs["lam"], "u": inputs["u"] if k_u else None}
        mass, forces = made("M", still, k_v, k_v), made("f", values, k_v)
        return Expressions(
            graph,
            inputs,
            M=zeros((k_v, k_v)) if mass is None else mass,
            f=zeros((k_v,)) if forces is None else forces,
            g=zeros((0,)) if rows is None else rows,
            T=made("T", still, k_q, k_v),
            nonholonomic=moving,
            d=made("d", values, k_u),
            normal=made("normalize", still, k_q),
        )

    def add_expressions(
        self,
        name: str,
        expressions: Expressions,
        *,
        coordinates: ArrayLike | None,
        velocities: ArrayLike | None = None,
        states: ArrayLike | None = None,
        own: Sequence[int] = (),
        data: Mapping[str, Any] | Sequence[Any] | None = None,
        row_names: Sequence[Sequence[str]] | None = None,
    ) -> None:
        """Add a type of element whose equations are atoms already: for builders of models.

        :param expressions: the equations in local coordinates, on a graph of the type's own
        :param coordinates: (instances, k) numbers of the global coordinates that each instance sees as its local ones;
            ``velocities``, ``states``: the same for velocities and external states
        :param own: numbers of the local coordinates whose rows of T and of the normaliser are the global ones
        :param data: values of the parameters in ``expressions.inputs["p"]``, by the names of these symbols (``m`` for
            ``p.m``), or in their order: a number for all instances, or one per instance; those that are left must be
            common parameters
        :param row_names: for each instance the names of its constraints, holonomic ones first
        """
        label = self._label(name)
        places = self._checked_places(label, coordinates, velocities, states)
        instance(expressions, Expressions, f"{label}: expressions", EquationsError)
        own = wholes(own, f"{label}: own", EquationsError, ndim=1).tolist()
        expressions = checked_expressions(label, expressions, places, own, self.unit_T)
        count, m = len(places[0]), len(expressions.inputs["lam"])
        symbols = [str(symbol.name).removeprefix("p.") for symbol in expressions.inputs["p"]]
        if data is not None and not isinstance(data, Mapping):
            data = listed(data, f"{label}: data", EquationsError)
            if len(data) > len(symbols):
                raise EquationsError(f"{label}: {len(data)} data are given for {len(symbols)} parameters")
            data = dict(zip(symbols, data, strict=False))
        columns, new = self._checked_data(label, name, symbols, data, count)
        names = checked_row_names(label, name, row_names, count, m)
        formulas = Formulas(name, expressions, tuple(int(i) for i in own), self.unit_T)
        rows = np.zeros((count, m), dtype=np.int64)  # numbered when all types are known
        self._kinds.append(Kind(formulas, *places, columns, rows))
        self._parameters |= new
        self._row_names.append(names)

    def add_contraction(
        self, name: str, formulas: ContractedFormulas, *, coordinates: ArrayLike, velocities: ArrayLike | None = None
    ) -> None:
        """Add a type of element that has a balance of forces with matrices of its own, and no constraints: for builders
        of models; places as in :meth:`add_expressions`."""
        label = self._label(name)
        places = self._checked_places(label, coordinates, velocities, None)
        instance(formulas, ContractedFormulas, f"{label}: formulas", EquationsError)
        checked_expressions(label, formulas.expressions, places, (), self.unit_T)
        symbols = [str(symbol.name).removeprefix("p.") for symbol in formulas.expressions.inputs["p"]]
        count = len(places[0])
        columns, _ = self._checked_data(label, name, symbols, None, count)
        self._kinds.append(Kind(formulas, *places, columns, np.zeros((count, 0), dtype=np.int64)))
        self._row_names.append(checked_row_names(label, name, None, count, 0))

    def _label(self, name: str) -> str:
        text(name, f"'{self.name}': the name of an element", EquationsError)
        label = f"'{self.name}', element '{name}'"
        if any(kind.name == name for kind in self._kinds):
            raise EquationsError(f"{label} is there already; choose another name, or add all instances at once")
        return label

    def _checked_places(
        self, label: str, coordinates: ArrayLike | None, velocities: ArrayLike | None, states: ArrayLike | None
    ) -> tuple[Ints, Ints, Ints]:
        if self.velocities is None and velocities is not None:
            raise EquationsError(
                f"{label}: velocities are the rates of the coordinates here; name them in Elements(…, velocities=…) to "
                "have others"
            )
        q, v, u = checked_places(
            label,
            {"coordinates": coordinates, "velocities": velocities, "states": states},
            (self.coordinates, self.velocities or (), self.states),
        )
        return q, q if self.velocities is None else v, u

    def _checked_data(
        self, label: str, name: str, symbols: Sequence[str], data: Mapping[str, Any] | None, count: int
    ) -> tuple[Ints, dict[str, Any]]:
        """Places of local parameters among all, (instances, parameters), and new parameters."""
        offsets: dict[str, int] = {}
        at = 0
        for key, value in self._parameters.items():
            for k, place in enumerate(np.ndindex(np.shape(value))):
                offsets[key + (str(list(place)) if place else "")] = at + k
            at += int(np.size(value))
        common = {key for key in offsets if key.split("[")[0] in self._common}
        found: dict[str, Ints] = {}
        new: dict[str, Any] = {}
        for key, value in (data or {}).items():
            values = reals(value, f"{label}: data '{key}'", EquationsError)
            if values.shape not in ((), (count,)):
                raise EquationsError(
                    f"{label}: data '{key}' must be one number, or {count} for its {count} instances; got the shape "
                    f"{values.shape}"
                )
            if key not in symbols:
                raise EquationsError(f"{label}: data '{key}' is no parameter of it; {suggestion(key, symbols)}")
            new[f"{name}.{key}"] = float(values) if values.shape == () else values
            found[key] = at + (np.zeros(count, dtype=np.int64) if values.shape == () else np.arange(count))
            at += values.size
        for key in symbols:
            if key not in found:
                if key not in common:
                    raise EquationsError(
                        f"{label}: the parameter '{key}' is neither among its data nor among the common parameters"
                    )
                found[key] = np.full(count, offsets[key])
        columns = [found[key] for key in symbols]
        return np.stack(columns, axis=1).astype(np.int64) if columns else np.zeros((count, 0), dtype=np.int64), new

    def equations(self) -> Equations:
        """The equations of motion of all elements together."""
        if not self._kinds:
            raise EquationsError(f"'{self.name}' has no elements yet; add some first")
        velocities = self.coordinates if self.velocities is None else self.velocities
        check_system(self.name, self._kinds, self.coordinates, velocities, self.states, self.unit_T)
        # Constraints on positions come first, whatever the order of the types.
        numbered = [np.zeros_like(kind.rows) for kind in self._kinds]
        names: list[str] = []
        for on_positions in (True, False):
            for kind, rows, own_names in zip(self._kinds, numbered, self._row_names, strict=True):
                m = kind.position_rows.shape[1]
                part = slice(0, m) if on_positions else slice(m, None)
                rows[:, part] = len(names) + np.arange(rows[:, part].size).reshape(rows[:, part].shape)
                names += own_names[:, part].ravel().tolist()
        kinds = tuple(replace(kind, rows=rows) for kind, rows in zip(self._kinds, numbered, strict=True))
        sizes = {"q": len(self.coordinates), "v": len(velocities), "lam": len(names), "u": len(self.states)}
        given = {"q": self.coordinates, "lam": names, "u": self.states}
        if self.velocities is not None:
            given["v"] = self.velocities
        return Assembled(
            self.name, kinds, checked_names(self.name, given, sizes), dict(self._parameters), self.breaks, self.unit_T
        )


def _names(name: str, what: str, letter: str, given: Sequence[str] | int) -> tuple[str, ...]:
    if isinstance(given, (int, np.integer)):
        count = whole(given, f"'{name}': {what}", EquationsError, least=0, most=LONGEST_LIST)
        names = tuple(f"{letter}{i}" for i in range(count))
    else:
        names = texts(given, f"'{name}': {what}", EquationsError)
    if not names or len(set(names)) != len(names):
        raise EquationsError(f"'{name}': {what} need different names, at least one")
    return names


class Assembled(Equations):
    """Equations put together from elements; made by :class:`Elements`."""

    def __init__(
        self,
        name: str,
        kinds: tuple[Kind, ...],
        names: Mapping[str, tuple[str, ...]],
        parameters: Mapping[str, Any],
        breaks: tuple[float, ...],
        unit_T: bool,
        rows: tuple[int, ...] | None = None,
        full_rows: int | None = None,
    ) -> None:
        self.name, self.kinds, self.names, self.parameters, self.breaks = name, kinds, names, parameters, breaks
        n = {key: len(names[key]) for key in ("q", "v", "lam", "u")}
        n_g = sum(kind.position_rows.size for kind in kinds)
        total = sum(int(np.size(value)) for value in parameters.values())
        self.sizes = Sizes(n["q"], n["v"], n["lam"], n_g, n["u"], total)
        self.rows = tuple(range(n["lam"])) if rows is None else rows
        self.full_rows = n["lam"] if full_rows is None else full_rows
        self.unit_T, self.C_is_G = unit_T, True
        self.normalizes = any(kind.formulas.normalised for kind in kinds)

    def __reduce__(self) -> Any:
        return Assembled, (
            self.name, self.kinds, dict(self.names), dict(self.parameters), self.breaks, self.unit_T, self.rows,
            self.full_rows,
        )  # fmt: skip

    def lacks(self, program: str) -> str:
        lacking = ("explicit", "rate", "directional", "excited", "imex")
        return "it is put together from elements" if program in lacking else ""

    @property
    def timed_constraints(self) -> Mapping[int, tuple[str, ...]]:
        rows = [
            int(row)
            for kind in self.kinds
            for local in kind.formulas.expressions.timed_constraints()
            for row in kind.position_rows[:, local]
        ]
        return dict.fromkeys(sorted(rows), ())

    def with_rows(self, rows: tuple[int, ...]) -> Equations:
        number = np.full(self.sizes.lam, -1, dtype=np.int64)
        number[list(rows)] = np.arange(len(rows))
        names = {**self.names, "lam": tuple(self.names["lam"][i] for i in rows)}
        return Assembled(
            self.name, tuple(part for kind in self.kinds for part in kind.restricted(number)), names,
            self.parameters, self.breaks, self.unit_T, tuple(self.rows[i] for i in rows), self.full_rows,
        )  # fmt: skip

    def make_borders(self, least: int) -> Borders:
        """Those of each type, for all of its instances."""
        inputs = self.namespace()[1]
        found = []
        for kind in self.kinds:
            local = borders_of(_right_sides(kind), kind.formulas.expressions.inputs, least)
            if not local.choices:
                continue
            for i in range(kind.count):
                symbols = {symbol.name: inputs[key][place] for symbol, key, place in _symbols_of(kind, i)}
                found.append(local.placed(inputs, symbols))
        return Borders(inputs, least=least).joined(found)

    def blame(self, point: Mapping[str, Floats]) -> DalembertError | None:
        """An error that names a table without a value at a point."""
        for kind in self.kinds:
            atoms = _right_sides(kind)
            if not chooses(atoms):
                continue
            for i in range(kind.count):
                values = {symbol: float(point[key][place]) for symbol, key, place in _symbols_of(kind, i)}
                if (found := beyond_table(f"'{self.name}': {kind.name}", atoms, values)) is not None:
                    return found
        return None

    def make_program(self, name: str) -> Provider:
        return assemble_program(self, name)


def _right_sides(kind: Kind) -> list[Atom]:
    x = kind.formulas.expressions
    return all_atoms(x.T, x.M, x.f, x.g, x.nonholonomic, x.d)


def _symbols_of(kind: Kind, i: int) -> Iterator[tuple[Atom, str, int]]:
    """Symbols of a type, and what they are for one of its instances: the vector, and the place there."""
    inputs = kind.formulas.expressions.inputs
    for key in ("p", "t", "q", "v", "u", "lam"):
        for symbol, place in zip(inputs[key], kind.places(key)[i], strict=True):
            yield symbol, key, int(place)
