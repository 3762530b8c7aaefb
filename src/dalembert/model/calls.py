"""What a model was built of: the calls of its builders with their arguments, as a model file says them again."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from dalembert.arguments import shown
from dalembert.errors import ModelError, suggestion
from dalembert.model.description import Description

M = TypeVar("M", bound=type[Description])
#: Methods that add something under a name; builders of joints, forces and so on are found by their classes.
_OWN = ("body", "sensor", "input")


@dataclass(frozen=True, eq=False)
class BuilderCall:
    """One call: the method, its arguments by name, and the bodies and elements that it made."""

    kind: str
    arguments: dict[str, Any]
    made: tuple[str, ...]


def builder_methods(model: type[Description]) -> dict[str, Callable[..., Any]]:
    """All methods that add something under a name, by name."""
    found: dict[str, Callable[..., Any]] = {}
    for room in model.__mro__:
        for name, method in vars(room).items():
            if name.startswith("_") or not inspect.isfunction(method) or name in found:
                continue
            if name in _OWN if room is Description else _takes_name(method) and issubclass(room, Description):
                found[name] = method
    return found


def _takes_name(method: Callable[..., Any]) -> bool:
    return list(inspect.signature(method).parameters)[:2] == ["self", "name"]


def records_calls(model: M) -> M:
    """A class of models whose builders remember what they were called with, in ``calls``."""
    for name, method in builder_methods(model).items():
        setattr(model, name, _recorded(name, method))
    return model


def _without_self(signature: inspect.Signature) -> str:
    """What a builder takes, as a user writes it."""
    taken = [one.replace(annotation=one.empty) for one in list(signature.parameters.values())[1:]]
    return str(inspect.Signature(taken))


def _recorded(kind: str, method: Callable[..., Any]) -> Callable[..., Any]:
    signature = inspect.signature(method)
    takes_any = any(one.kind is inspect.Parameter.VAR_KEYWORD for one in signature.parameters.values())

    @functools.wraps(method)
    def build(self: Description, *arguments: Any, **options: Any) -> Any:
        if self.building:  # a builder that uses another one
            return method(self, *arguments, **options)
        if not takes_any and (unknown := [key for key in options if key not in signature.parameters]):
            named = list(signature.parameters)[1:]
            raise ModelError(f"m.{kind} has no argument '{unknown[0]}'; {suggestion(unknown[0], named, len(named))}")
        if arguments and not isinstance(arguments[0], str) and "name" not in options:
            raise ModelError(
                f"m.{kind}: the name comes first, a text: m.{kind}('…', …); got {shown(arguments[0])} in its place"
            )
        try:
            signature.bind(self, *arguments, **options)
        except TypeError as error:
            raise ModelError(f"m.{kind}{_without_self(signature)}: {error}") from None
        self.building = True
        bodies, elements = len(self.bodies), len(self.elements)
        try:
            made = method(self, *arguments, **options)
        finally:
            self.building = False
        given = dict(signature.bind(self, *arguments, **options).arguments)
        del given["self"]
        new = [body.name for body in self.bodies[bodies:]] + [one.name for one in self.elements[elements:]]
        self.calls[given.pop("name")] = BuilderCall(kind, given, tuple(new))
        return made

    return build
