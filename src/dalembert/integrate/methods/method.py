"""The protocol of a method: what it is, its options, its slots and its kernels.

A method is a frozen object whose fields are its options.  It supplies its mathematics; step control, Newton's
iteration, projection, events, dense output and restart are the frame's (:mod:`~dalembert.integrate.frame.advance`) and
know no method by name.  The page "Extending dalembert" shows one that is written outside of this package.
"""

from __future__ import annotations

import abc
import inspect
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass, replace
from functools import cache, cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dalembert.arguments import named, refuse_unknown, shown
from dalembert.equations.contract.borders import LEAST
from dalembert.equations.contract.equations import Equations, Sizes
from dalembert.equations.contract.provider import Provider
from dalembert.errors import DalembertError, SimulationError
from dalembert.integrate.frame.baumgarte import Baumgarte
from dalembert.integrate.frame.controllers import Controller, FixedStep
from dalembert.integrate.frame.cubic import cubic
from dalembert.integrate.frame.memory import Memory
from dalembert.integrate.frame.method_layout import MethodLayout
from dalembert.integrate.implicit.implicit_memory import ImplicitMemory
from dalembert.integrate.implicit.jacobian import Jacobian, chosen_jacobian, jacobian_programs
from dalembert.integrate.implicit.layout import FirstColumns, lay_out_implicit
from dalembert.integrate.implicit.newton import Newton
from dalembert.integrate.implicit.renewal import KEEP_JACOBIAN
from dalembert.integrate.implicit.updates import adopt_jacobian
from dalembert.native.kernel import Kernel

#: Meanings of options that methods on the stabilised index-2 form have in common.
JACOBIAN_OPTION = (
    'Jacobian(…), or "exact", "dense", "grouped", "estimated"; "auto": exact where derivatives are known, else '
    "differences by the pattern that is known, or estimated where black boxes fill it"
)
NEWTON_OPTION = "limit and tolerance of Newton's iteration: Newton(…)"


def option(default: Any, meaning: str) -> Any:
    """A field of a method: an option with its default and what it does."""
    return field(default=default, metadata={"meaning": meaning})


@cache
def _arguments_of(kind: type) -> list[str] | None:
    """Names of the options of a kind of methods; None if it takes any."""
    known = list(inspect.signature(kind.__init__).parameters.values())[1:]  # type: ignore[misc]
    takes_any = any(one.kind is inspect.Parameter.VAR_KEYWORD for one in known)
    return None if takes_any else [one.name for one in known]


@dataclass(frozen=True, kw_only=True)
class Method(abc.ABC):
    """A method with its options; subclasses say what it is.

    Kernels take the memory of a run, ``memory`` or what it extends, and say by a number how they ended:

    ``begin``
        after a start, a jump, a break: there is no history; None if the method needs none
    ``attempt``
        one step of size ``h`` from ``y0``: leaves ``y1`` and ``error``; neither ``y0`` nor the history is touched, so
        that a failed attempt needs no undoing
    ``accepted``
        the step counts, ``y1`` is projected and perhaps cut short by an event: fold it into the history; or None
    ``confirm``
        whether the step may count, now that the rates at its end are known; or None.  A status other than OK lets it be
        attempted again
    ``interpolate``
        nested coefficients of the dense output between ``y0`` and ``y1``, in ``coef``; unless a method has its own, the
        cubic polynomial through both ends with their rates
    """

    controller: Controller | None = option(None, "control of the step size; None for the method's own")

    def __new__(cls, *given: Any, **options: Any) -> Self:
        """The object, before its options are set: one that it does not have is refused by name."""
        if options and (known := _arguments_of(cls)) is not None:
            refuse_unknown(options, known, cls.__name__, SimulationError)
        return super().__new__(cls)

    #: what it is called; methods of one family may have several names
    name: ClassVar[str]
    memory: ClassVar[type[Memory]] = Memory
    begin: ClassVar[Kernel | None] = None
    attempt: ClassVar[Kernel]
    accepted: ClassVar[Kernel | None] = None
    confirm: ClassVar[Kernel | None] = None
    interpolate: ClassVar[Kernel] = cubic
    #: takes the derivatives that an estimate of their pattern has left, where the option ``jacobian`` asks for one
    adopt: ClassVar[Kernel] = adopt_jacobian
    #: programs that it needs besides those of the formalism, and the formalism that it prefers: "explicit", "contract",
    #: or "own" where its layout has kernels for rates and projections
    programs: ClassVar[tuple[str, ...]] = ()
    formalism: ClassVar[str] = "explicit"
    #: which equations it discretises
    form: ClassVar[str] = "accelerations and multipliers of G v̇ = γ (index 1)"
    #: whether the first step after an event or a break is chosen anew, as the size in use is not good for it
    starts_small: ClassVar[bool] = False
    #: whether the ends of its steps may be moved onto the constraints
    projects: ClassVar[bool] = True
    #: whether its dense output begins with the rates of the motion; where it does not, an event that acts early in a
    #: step is found again in a shorter one
    dense_slopes: ClassVar[bool] = True
    #: parts of a step, at its start and at its end, where it may not evaluate right sides, but for the start itself
    unseen: ClassVar[tuple[float, float]] = (0.0, 0.0)

    #: whether attempts that are rejected for a jump of right sides make the next one end there: for methods to which a
    #: new beginning costs nothing
    aims: ClassVar[bool] = False

    @property
    def least_borders(self) -> int:
        """Arguments with so many borders are looked at: single ones too where right sides may not be seen, or where
        steps end at jumps."""
        return 1 if self.aims or any(self.unseen) else LEAST

    def __post_init__(self) -> None:
        if self.controller is not None and not isinstance(self.controller, Controller):
            raise SimulationError(f"{type(self).__name__}: controller must be a Controller, got {self.controller!r}")
        if self.controller is not None and self.controller.for_implicit and not self.implicit:
            raise SimulationError(f"{type(self.controller).__name__} control is for implicit methods")
        try:
            hash(self)
        except TypeError:
            raise SimulationError(
                f"{type(self).__name__}: options must be numbers, texts, tuples or frozen objects, got {self}"
            ) from None
        self.check()

    def check(self) -> None:
        """Raise an error that names an option whose value is not possible."""
        return

    # ------------------------------------------------------------------------------------------------ what it is

    @property
    @abc.abstractmethod
    def title(self) -> str:
        """One line that says what it is."""

    @property
    @abc.abstractmethod
    def order(self) -> int:
        """Order of q, v and u at the ends of steps; the highest of a method that chooses it."""

    @property
    def orders(self) -> tuple[int, int]:
        """Lowest and highest order."""
        return self.order, self.order

    @property
    @abc.abstractmethod
    def error_order(self) -> int:
        """Order of the result that the error estimate belongs to: the error behaves like the next power of h."""

    @property
    def dense_order(self) -> int:
        """Order between the ends of steps."""
        return min(3, self.order)

    @property
    def coefficients(self) -> int:
        """Coefficients of y in the dense output."""
        return 4

    @property
    def algebraic_coefficients(self) -> int:
        """Coefficients of accelerations and multipliers in the dense output, where a method has its own."""
        return 0

    @property
    def newton(self) -> Newton | None:
        """Constants of its iteration, of an implicit method."""
        return None

    @property
    def strategy(self) -> str | Jacobian:
        """How an implicit method finds its Jacobian: a Jacobian(…), or a short name for one."""
        return "auto"

    @property
    def own_update(self) -> str:
        """What is done with the Jacobian for another α if ``strategy`` leaves it to the method: "none", "partitioned",
        "extended" as in Jacobian(…), or "auto": K and M are kept."""
        return "auto"

    @property
    def iterated(self) -> float:
        """Part of the usual tolerance of Newton's iteration that it asks for."""
        return 1.0

    @property
    def keep_rate(self) -> float:
        """Rate of convergence up to which derivatives are kept."""
        return KEEP_JACOBIAN

    @property
    def implicit(self) -> bool:
        """Whether it solves nonlinear equations in each step."""
        return self.newton is not None

    @property
    def own_controller(self) -> Controller:
        """Control of the step size unless the user gives another one."""
        return Controller(safety=0.9, shrink=0.2, grow=5.0)

    @property
    def steps_alike(self) -> bool:
        """Whether all steps have one size, which the method or ``first_step`` must say."""
        return False

    @property
    def fixed_size(self) -> float | None:
        """The size of all steps, if the method or its controller says it."""
        return self.controller.size if isinstance(self.controller, FixedStep) else None

    @cached_property
    def settings(self) -> Mapping[str, float]:
        """Real slots of a run that control its steps."""
        own = self.own_controller
        limits = {"safety": own.safety or 0.9, "shrink": own.shrink or 0.2, "grow": own.grow or 5.0}
        return limits | (self.controller or own).settings(self.error_order)

    @cached_property
    def uncontrolled(self) -> Self:
        """The same method without a controller of the user: what the layout of its memory depends on."""
        return self if self.controller is None else replace(self, controller=None)

    @cached_property
    def control(self) -> Kernel:
        """The kernel of its controller."""
        return (self.controller or self.own_controller).kernel

    # -------------------------------------------------------------------------------------------------- its memory

    def lacks(self, formalism: str) -> str:
        """Why a formalism does not serve it; nothing if it does."""
        return ""

    def pattern_shape(self, equations: Equations) -> tuple[int, int]:
        """Rows and columns of a Jacobian whose pattern is estimated."""
        s = equations.sizes
        return s.q + s.v + s.g + s.lam + s.u, FirstColumns.of(s).end

    def programs_of(self, equations: Equations) -> tuple[str, ...]:
        """Programs that it needs of some equations, besides those of the formalism."""
        if "implicit" not in self.programs or self.newton is None:
            return self.programs
        chosen = chosen_jacobian(self.strategy, equations.program("implicit"), self.own_update)
        return *self.programs, *(name for name in jacobian_programs(chosen) if not equations.lacks(name))

    def lay_out(self, equations: Equations, providers: Mapping[str, Provider], solver: str) -> MethodLayout:
        """What its memory begins with, for some equations; unless a method with an iteration says otherwise, that of
        the stabilised index-2 form."""
        if self.newton is None:
            return MethodLayout()
        if not ("implicit" in providers and issubclass(self.memory, ImplicitMemory)):
            raise SimulationError(
                f"method '{self.name}' has an iteration (newton): it needs the program \"implicit\" among its "
                "programs, and a memory that extends ImplicitMemory"
            )
        return lay_out_implicit(equations, providers, self.strategy, solver, self.own_update)

    def values(self, sizes: Sizes) -> Mapping[str, int]:
        """Whole numbers that slots of its memory begin with."""
        return {}

    def table(self) -> NDArray[np.float64]:
        """Coefficients, which its kernels find in ``tableau``."""
        return np.zeros(0)

    # -------------------------------------------------------------------------------------------------- its options

    @classmethod
    def options(cls) -> Iterator[Field[Any]]:
        """Its options: fields with their defaults and, in the metadata, meanings."""
        return (item for item in fields(cls))

    def stored(self) -> dict[str, Any]:
        """Family and options as plain data, for a checkpoint."""
        return {"family": _family(type(self)), "options": _plain(self)}

    @classmethod
    def families(cls) -> dict[str, type[Method]]:
        """All families of this package and those that this process knows besides, by module and name of their classes;
        of those that were defined twice the last one."""
        from dalembert.integrate.methods import registry

        registry.all_methods()
        return {_family(kind): kind for kind in _subclasses(cls)}

    @classmethod
    def restored(cls, stored: Mapping[str, Any]) -> Method:
        """The method that :meth:`stored` described."""
        stored = named(stored, "the stored method", SimulationError)
        if not {"family", "options"} <= stored.keys() or not isinstance(stored["options"], Mapping):
            raise SimulationError(f"the stored method must have a family and options, got {shown(stored)}")
        family = cls.families().get(str(stored["family"]))
        if family is None:
            raise SimulationError(
                f"the run was made with the method '{stored['family']!s:.80}', which is not known here; give it: "
                "resume(…, method=…)"
            )
        try:
            return family(**_built(family, stored["options"]))
        except DalembertError:
            raise
        except Exception as error:  # options from a file can make a method stumble anywhere
            raise SimulationError(
                f"the options of the stored method '{family.__name__}' are not possible: {error}"
            ) from error


def _family(kind: type) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"


def _plain(item: Any) -> dict[str, Any]:
    """Fields of a dataclass that differ from their defaults, nested ones by their names."""
    found: dict[str, Any] = {}
    for one in fields(item):
        value = getattr(item, one.name)
        if one.default is not MISSING and value == one.default:
            continue
        if is_dataclass(value) and not isinstance(value, type):
            value = {"kind": type(value).__name__, **_plain(value)}
        found[one.name] = _plain_value(value)
    return found


def _plain_value(value: Any) -> Any:
    """As JSON keeps it."""
    if isinstance(value, np.generic):
        return value.item()
    return [_plain_value(item) for item in value] if isinstance(value, tuple) else value


def _subclasses(kind: type[Any]) -> Iterator[type[Any]]:
    for one in kind.__subclasses__():
        yield one
        yield from _subclasses(one)


def _built(family: type[Method], options: Mapping[str, Any]) -> dict[str, Any]:
    known = (Baumgarte, Jacobian, Newton, Controller, *_subclasses(Controller))
    kinds: dict[str, Any] = {kind.__name__: kind for kind in known}
    found = {}
    for name, value in options.items():
        if name not in {item.name for item in family.options()}:
            raise SimulationError(f"the stored method has an option '{name}', which {family.__name__} does not know")
        if isinstance(value, Mapping):
            rest = dict(value)
            kind = str(rest.pop("kind", ""))
            if kind not in kinds:
                raise SimulationError(
                    f"the stored method has {name} '{kind}', which is not known here; give the method: "
                    "resume(…, method=…)"
                )
            value = kinds[kind](**rest)
        found[name] = tuple(value) if isinstance(value, list) else value
    return found
