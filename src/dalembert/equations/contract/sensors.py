"""Sensors: functions of the motion, traced and compiled together, evaluated at many instants."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from dalembert.equations.builders.trace import call_by_name
from dalembert.equations.contract.convention import INPUTS
from dalembert.equations.contract.keeping import Keeper
from dalembert.equations.contract.provider import Floats
from dalembert.symbolic import AtomArray, CompiledFunction, array, compile

Function = Callable[..., Any]


def with_turns(t: Floats, angle: Floats, rate: Floats) -> Floats:
    """An angle that is known within ±π at rising or falling instants, with its turns counted: the rates say how far it
    goes between them, up to half a turn."""
    grown = np.concatenate([[0.0], np.cumsum(0.5 * (rate[1:] + rate[:-1]) * np.diff(t))])[: len(angle)]
    away = angle - grown
    return grown + np.unwrap(away)


#: Instants that compiled functions are called with at once: runs may have millions.
_AT_ONCE = 65536


class _Program(NamedTuple):
    """Sensors that are compiled together: their columns among the values, and their shapes."""

    function: CompiledFunction
    places: tuple[tuple[str, slice, tuple[int, ...]], ...]


class Sensors:
    """Functions by name, of arguments named among ``values``; ``inputs`` are the symbols that these are made of.

    One program for all shares what they have in common and is compiled in a fraction of the time.  What is shared
    decides on the rounding; sensors named in ``apart`` get a program of their own and leave the digits of the others
    as they are.
    """

    def __init__(
        self,
        functions: Mapping[str, Function],
        values: Mapping[str, Any],
        inputs: Mapping[str, Any],
        later: Mapping[str, Function] | None = None,
        turning: Mapping[str, str] | None = None,
        apart: Collection[str] = (),
    ) -> None:
        self.functions = dict(functions)
        own = {name: rate for name, rate in (turning or {}).items() if name in self.functions}
        #: angles that are known within ±π alone, and the names of their rates, by which turns are counted
        self.turning = own
        #: further ones, which are traced and compiled when one of them is asked for
        self.later = Sensors(later, values, inputs, turning=turning, apart=apart) if later else None
        self._apart = [name for name in self.functions if name in apart]
        self._values, self._inputs = values, {key: inputs[key] for key in INPUTS}
        #: what those have raised that cannot be traced or compiled
        self.errors: dict[str, Exception] = {}
        self._kept = Keeper()

    def at(self, point: Mapping[str, Floats]) -> dict[str, Floats]:
        """Values of all sensors that could be compiled, at the instants of a point: arrays by the names of inputs, one
        row for each instant."""
        found: dict[str, Floats] = {}
        n = len(point["t"])
        for program in self._kept("programs", self._programs):
            parts = [
                np.asarray(program.function.map(*(point[key][first : first + _AT_ONCE] for key in INPUTS))["out"])
                for first in range(0, max(n, 1), _AT_ONCE)
            ]
            values = parts[0] if len(parts) == 1 else np.concatenate(parts)
            found |= {name: values[:, place].reshape(n, *shape) for name, place, shape in program.places}
        for name, rate in self.turning.items():
            if name in found and rate in found:
                found[name] = with_turns(point["t"][:, 0], found[name], found[rate])
        return found

    def _programs(self) -> list[_Program]:
        together = [name for name in self.functions if name not in self._apart]
        return [*self._compiled(self._traced(together)), *self._compiled(self._traced(self._apart))]

    def _traced(self, names: Sequence[str]) -> dict[str, AtomArray]:
        traced: dict[str, AtomArray] = {}
        for name in names:
            try:
                traced[name] = array(call_by_name(f"output '{name}'", self.functions[name], self._values))
            except Exception as error:
                self.errors[name] = error
        return traced

    def _compiled(self, traced: Mapping[str, AtomArray]) -> list[_Program]:
        """Where there is something that cannot be compiled, halves are tried until that stands alone."""
        names = list(traced)
        if not names:
            return []
        try:
            flat = array([atom for name in names for atom in traced[name].reshape(-1)])
            function = compile({"out": flat}, self._inputs, name="outputs")
        except Exception as error:
            if len(names) == 1:
                self.errors[names[0]] = error
                return []
        else:
            ends = [0, *itertools.accumulate(traced[name].size for name in names)]
            places = [slice(*pair) for pair in itertools.pairwise(ends)]
            shapes = [traced[name].shape for name in names]
            return [_Program(function, tuple(zip(names, places, shapes, strict=True)))]
        half = len(names) // 2
        parts = ({name: traced[name] for name in chosen} for chosen in (names[:half], names[half:]))
        return [program for part in parts for program in self._compiled(part)]
