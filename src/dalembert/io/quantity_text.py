"""From quantities of a model to the formulas that name them in a file."""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from dalembert.errors import ModelError
from dalembert.io import names
from dalembert.io.formula_text import number_text
from dalembert.io.formulas import written_name
from dalembert.io.names import OF_MODEL, parts_of, state_of
from dalembert.model import quantity as quantities
from dalembert.model.bodies import parts
from dalembert.model.bodies.parts import Body, Marker
from dalembert.model.flexible.flexible_body import FlexibleBody
from dalembert.model.joints.joints import JointCoordinate
from dalembert.model.model import Model
from dalembert.model.quantity import Quantity
from dalembert.symbolic import Atom

#: Operators and functions of NumPy, and how they are written: text with places, and how strongly it binds.
_INFIX: dict[Any, tuple[str, int]] = {
    operator.add: (" + ", 2), np.add: (" + ", 2), operator.sub: (" - ", 2), np.subtract: (" - ", 2),
    operator.mul: ("*", 3), np.multiply: ("*", 3), operator.truediv: ("/", 3), np.divide: ("/", 3),
    operator.pow: ("^", 5), np.power: ("^", 5), np.float_power: ("^", 5),
    np.less: (" < ", 1), np.less_equal: (" <= ", 1), np.greater: (" > ", 1), np.greater_equal: (" >= ", 1),
}  # fmt: skip
_CALLED: dict[Any, str] = {
    np.sin: "sin", np.cos: "cos", np.tan: "tan", np.arcsin: "asin", np.arccos: "acos", np.arctan: "atan",
    np.arctan2: "atan2", np.sinh: "sinh", np.cosh: "cosh", np.tanh: "tanh", np.exp: "exp", np.log: "log",
    np.sqrt: "sqrt", np.cbrt: "cbrt", np.abs: "abs", np.sign: "sign", np.floor: "floor", np.hypot: "hypot",
    np.minimum: "min", np.maximum: "max", np.where: "where", operator.matmul: "dot", np.dot: "dot", np.matmul: "dot",
}  # fmt: skip
_WHOLE = 9


class QuantityText:
    """Formulas of quantities; ``point_name`` gives the name of a marker on its body, ``atom_text`` the formula of
    parameters."""

    def __init__(
        self, model: Model, point_name: Callable[[Marker], str], atom_text: Callable[[Any], str],
        table_name: Callable[[Any], str],
    ) -> None:  # fmt: skip
        self.model, self.point_name, self.atom_text, self.table_name = model, point_name, atom_text, table_name

    def of(self, quantity: Any, where: str) -> Any:
        """A formula, or a list of them where the quantity is one."""
        build = getattr(quantity, "_build", None)
        if isinstance(build, partial) and build.func is quantities._applied and build.args[0] is quantities._array:
            return [self.of(one, where) for one in build.args[1]]
        return self._text(quantity, where, 0)

    def _text(self, item: Any, where: str, least: int) -> str:
        text, level = self._level(item, where)
        return text if level >= least else f"({text})"

    def _level(self, item: Any, where: str) -> tuple[str, int]:
        if isinstance(item, Atom):
            return self.atom_text(item), 0
        if not isinstance(item, Quantity):
            value = float(item)
            return number_text(value), _WHOLE if value >= 0.0 else 4
        named = self._named(item)
        if named is not None:
            return named, _WHOLE
        build = item._build
        if isinstance(build, partial) and build.func is quantities._applied:
            return self._operation(build.args[0], build.args[1], where)
        if isinstance(build, partial) and build.func is quantities._part:
            return self._entry(build.args[0], build.args[1], where), _WHOLE
        raise ModelError(f"{where} is {item!r}, which a model file has no formula for")

    def _operation(self, function: Any, arguments: Any, where: str) -> tuple[str, int]:
        if function is operator.neg:
            return f"-{self._text(arguments[0], where, 4)}", 4
        if function in _INFIX:
            sign, level = _INFIX[function]
            left = self._text(arguments[0], where, level + (level in (1, 5)))
            right = self._text(arguments[1], where, level + 1)
            return left + sign + (f"({right})" if right.startswith("-") else right), level
        listed = ", ".join(self._text(one, where, 0) for one in arguments)
        if function in _CALLED:
            return f"{_CALLED[function]}({listed})", _WHOLE
        if hasattr(function, "digest"):
            return f"{self.table_name(function)}({listed})", _WHOLE
        raise ModelError(f"{where} uses {getattr(function, '__name__', function)!r}, which no formula has")

    def _entry(self, quantity: Any, index: Any, where: str) -> str:
        """One component, by its letter or its number."""
        owner = self._text(quantity, where, _WHOLE)
        if isinstance(index, (int, np.integer)) and quantity.labels:
            return f"{owner}.{written_name(quantity.labels[int(index)])}"
        if isinstance(index, (int, np.integer)):
            return f"{owner}[{int(index)}]"
        if isinstance(index, tuple) and all(isinstance(one, (int, np.integer)) for one in index):
            return owner + "".join(f"[{int(one)}]" for one in index)
        if isinstance(index, tuple) and len(index) == 2 and index[0] == slice(None):
            return f"column({owner}, {int(index[1])})"
        raise ModelError(f"{where} takes the part {index!r} of something, which no formula can")

    # --------------------------------------------------------------------------------------------------- by name

    def _named(self, item: Quantity) -> str | None:
        """Name of a quantity that the model has, with dots."""
        if isinstance(item, JointCoordinate):
            return self._coordinate(item)
        build = item._build
        if isinstance(build, partial) and build.func is names.of_scene:
            return ".".join(build.args)
        if isinstance(build, operator.attrgetter) and item.name == "t":
            return "t"
        owner = getattr(build, "__self__", None)
        if isinstance(owner, JointCoordinate):
            single = len(owner.joint.own_coordinates) == 1
            return f"{written_name(owner.joint.name)}.rate" if single else f"{self._coordinate(owner)}.rate"
        if isinstance(build, partial) and build.func is parts._of_frame:
            marker = build.args[0]
            body = marker.body
            point = self.point_name(marker)
            start = written_name(body.name) + (f".{written_name(point)}" if point else "")
            return self._among(marker, start, item)
        owners: list[Any] = [*self.model.bodies, *self.model.elements]
        for one in owners:
            found = self._among(one, written_name(one.name), item)
            if found is None and isinstance(one, FlexibleBody):
                found = _amplitude(one, item)
            if found is not None:
                return found
        for name in OF_MODEL:
            if _same(getattr(self.model, name)._build, build):
                return f"model.{name}"
        return None

    def _coordinate(self, item: JointCoordinate) -> str:
        return f"{written_name(item.joint.name)}.{written_name(item.label)}"

    def _among(self, owner: Any, start: str, item: Quantity) -> str | None:
        for name in parts_of(owner):
            try:
                other = state_of(owner, name) if name in getattr(owner, "states", ()) else getattr(owner, name)
            except (AttributeError, ModelError):
                continue
            if isinstance(other, Quantity) and not isinstance(owner, Body) and _same(other._build, item._build):
                return f"{start}.{written_name(name)}"
            if isinstance(owner, Body) and name == "kinetic_energy" and _same(other._build, item._build):
                return f"{start}.{name}"
        return None


def _amplitude(body: FlexibleBody, item: Quantity) -> str | None:
    """Name of the amplitude of a mode, or of its rate."""
    for mode in body.modes:
        name = f"{written_name(body.name)}.{written_name(mode)}"
        if _same(body.mode(mode)._build, item._build):
            return name
        if _same(body.mode_rate(mode)._build, item._build):
            return f"{name}.rate"
    return None


def _same(a: Any, b: Any) -> bool:
    """Whether two builders of quantities do the same."""
    if isinstance(a, partial) and isinstance(b, partial):
        return (
            _same(a.func, b.func)
            and len(a.args) == len(b.args)
            and all(_same(x, y) for x, y in zip(a.args, b.args, strict=True))
            and a.keywords == b.keywords
        )
    if isinstance(a, (operator.methodcaller, operator.attrgetter)):
        return type(a) is type(b) and repr(a) == repr(b)
    if isinstance(a, (list, tuple)) and type(a) is type(b):
        return len(a) == len(b) and all(_same(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, Quantity) and isinstance(b, Quantity):
        return a is b or _same(a._build, b._build)
    if isinstance(a, Atom) or isinstance(b, Atom):
        return a is b
    try:
        return bool(a is b or a == b)
    except Exception:  # of objects that cannot be compared, such as arrays
        return False
