"""Quantities at single states: interpreted at first, compiled with buffers of their own where asked for again."""

from __future__ import annotations

import threading
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.equations.contract.keeping import MAKING
from dalembert.equations.contract.provider import Floats
from dalembert.instant import State
from dalembert.model.quantity import Quantity
from dalembert.symbolic import array, compile, evaluate, substitute
from dalembert.symbolic.compiler.bound import BoundCall

if TYPE_CHECKING:
    from dalembert.model.formulate.mechanism import Mechanism

#: Times that a quantity is interpreted before it is compiled, and quantities that are kept.
_INTERPRETED, _MOST = 2, 256
_VECTORS = ("q", "v", "a", "lam", "u")


def _atoms(mechanism: Mechanism, quantity: Quantity) -> Any:
    with MAKING:
        return quantity.build(mechanism.scene)


class QuantityValues(threading.local):
    """What one thread has asked for of a mechanism."""

    def __init__(self, mechanism: Mechanism) -> None:
        self._mechanism = mechanism
        self._asked: dict[Hashable, int] = {}
        self._compiled: dict[Hashable, BoundCall] = {}

    def at(self, quantity: Quantity, state: State, p: Floats) -> Any:
        """The value: a number or an array."""
        key = quantity.key
        call = self._compiled.get(key)
        if call is not None:
            given = call.inputs
            try:
                given["p"][:], given["t"][0] = p, state.t
                for name in _VECTORS:
                    given[name][:] = getattr(state, name)
            except (TypeError, ValueError):  # of another size: the slow road says which
                return self._interpreted(quantity, state, p)
            call()
            found = call.outputs["value"]
            return float(found) if found.ndim == 0 else found.copy()
        times = self._asked.get(key, 0)
        if times < _INTERPRETED:
            if len(self._asked) > _MOST:
                self._asked.clear()
            self._asked[key] = times + 1
            return self._interpreted(quantity, state, p)
        if len(self._compiled) > _MOST:
            self._compiled.clear()
        self._compiled[key] = self._compile(quantity)
        return self.at(quantity, state, p)

    def _compile(self, quantity: Quantity) -> BoundCall:
        mechanism = self._mechanism
        inputs = mechanism.namespace()[1]
        names = ("p", "t", *_VECTORS)
        value = array(_atoms(mechanism, quantity))
        active = set(inputs["lam"])
        dropped = {symbol: 0.0 for symbol in mechanism.scene.inputs["lam"] if symbol not in active}
        value = array(substitute(value, dropped)) if dropped else value
        return compile({"value": value}, {key: inputs[key] for key in names}, name="quantity").bound()

    def _interpreted(self, quantity: Quantity, state: State, p: Floats) -> Any:
        mechanism = self._mechanism
        inputs = mechanism.namespace()[1]
        point: dict[str, Any] = {"p": p, "t": [mechanism._instant(state.t)]}
        for name in _VECTORS:
            point[name] = mechanism.vector("v" if name == "a" else name, getattr(state, name))
        known = dict.fromkeys(mechanism.scene.inputs["lam"], 0.0)  # of rows that are not active
        known |= {
            symbol: float(value)
            for key, numbers in point.items()
            for symbol, value in zip(inputs[key], np.asarray(numbers), strict=True)
        }
        return evaluate(array(_atoms(mechanism, quantity)), known)
