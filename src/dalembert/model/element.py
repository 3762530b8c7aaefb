"""What joints, constraints and forces have in common: markers, coordinates of joints, data, states; and the site where
an element meets the motion."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from dalembert.arguments import listed, named, real, reals
from dalembert.equations.builders.trace import call_by_name
from dalembert.errors import DalembertError, ModelError, suggestion
from dalembert.model.bodies.parts import Marker
from dalembert.model.frames import Frame
from dalembert.model.quantity import Quantity, quantities_in
from dalembert.symbolic import Graph, Vector

if TYPE_CHECKING:
    from dalembert.equations.contract.guards import Guard
    from dalembert.equations.contract.provider import Floats
    from dalembert.model.formulate.scene import Scene
    from dalembert.model.joints.joints import JointCoordinate


class Row(NamedTuple):
    """A position constraint: an expression that shall vanish, and its time derivative, which is linear in v."""

    value: Any
    rate: Any


class FixedFrame(NamedTuple):
    """A frame in the world as numbers: rotation, place."""

    R: Any
    r: Any


class FixedSite(NamedTuple):
    """What an element sees before a motion begins, as numbers: frames, data, instant, parameters, excitations."""

    frames: Sequence[FixedFrame]
    data: Any
    t: float
    p: Any
    w: Any
    label: str

    def call(self, law: Callable[..., Any], **values: Any) -> Any:
        """A law of the user, called with those of t, p, w and the given values that its arguments name."""
        return call_by_name(self.label, law, {"t": self.t, "p": self.p, "w": self.w, **values})


class Data:
    """Data of an element as attributes: ``at.data.stiffness``."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.__dict__.update(values)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"there is no data '{name}'; {suggestion(name, self.__dict__)}")


class Inputs(Data):
    """Excitations as attributes: ``w.road``."""

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(
            f"the model has no input '{name}'; {suggestion(name, self.__dict__)}. m.input('{name}', …) declares it"
        )


@dataclass(frozen=True, eq=False)
class Site:
    """What an element sees of a motion: its frames, coordinates, states, multipliers and data, as atoms of one
    graph."""

    graph: Graph
    planar: bool
    t: Any
    p: Any
    frames: Sequence[Frame] = ()
    values: Sequence[Any] = ()
    rates: Sequence[Any] = ()
    data: Any = field(default_factory=lambda: Data({}))
    u: Any = ()
    lam: Any = ()
    label: str = "element"
    #: excitations of the model by name
    w: Any = field(default_factory=lambda: Data({}))
    #: what quantities see: the whole model, or as much of it as is on the graph
    scene: Any = None
    #: auxiliary variables
    s: Any = ()

    def call(self, law: Callable[..., Any], **values: Any) -> Any:
        """A law of the user, called with those of t, p, w and the given values that its arguments name."""
        try:
            return call_by_name(self.label, law, {"t": self.t, "p": self.p, "w": self.w, **values})
        except DalembertError:
            raise
        except Exception as error:  # a function of the user may raise anything
            raise ModelError(f"{self.label}: its function raised {type(error).__name__}: {error}") from error


class Element:
    """Something that acts between bodies: a joint, a constraint, a force, a controller.

    A subclass says what it does in terms of a :class:`Site`; the formulations do the rest.  ``data`` are numbers (or
    expressions of the model's parameters) that may differ between elements of one type; everything else that makes
    a difference to the formulas belongs in ``variant``.
    """

    #: word for messages
    kind = "element"
    #: names of the rows of position constraints, and of further velocity constraints
    rows: tuple[str, ...] = ()
    moving_rows: tuple[str, ...] = ()
    #: names of auxiliary variables, and where they are looked for; as many equations follow them from the motion
    auxiliary: Mapping[str, float] = MappingProxyType({})
    #: rows and auxiliary variables that are lengths: 1, or angles or cosines: 0; by their names, of others that is not
    #: known
    powers_of_length: Mapping[str, float] = MappingProxyType({})
    #: names of external states and their values at the start
    states: Mapping[str, float]
    #: whether rates of its rows may jump, which is an impulse
    impulse = False

    def __init__(
        self,
        name: str,
        markers: Sequence[Marker] = (),
        coordinates: Sequence[JointCoordinate] = (),
        data: Mapping[str, Any] | None = None,
        states: Mapping[str, float] | None = None,
        variant: Hashable = (),
        breaks: Sequence[float] = (),
    ) -> None:
        where = f"{self.kind} '{name}'"
        self.name = name
        self.markers = listed(markers, f"{where}: markers", ModelError)
        self.coordinates = listed(coordinates, f"{where}: coordinates", ModelError)
        self.data: dict[str, Any] = named(data, f"{where}: data", ModelError)
        self.states = {
            key: real(value, f"{where}: state '{key}'", ModelError)
            for key, value in named(states, f"{where}: states", ModelError).items()
        }
        self.variant = variant
        self.breaks = tuple(reals(breaks, f"{where}: breaks", ModelError, ndim=1, finite=True).tolist())

    def __repr__(self) -> str:
        return f"<{type(self).__name__} '{self.name}'>"

    def measured(
        self, what: Callable[[Site], Any], name: str, part: int | None = None, labels: Sequence[str] = ()
    ) -> Quantity:
        """A quantity of this element: a method of a site, or one ``part`` of what that gives."""
        return Quantity(partial(_at_site, self, what, part), name, labels)

    @property
    def power(self) -> Quantity:
        """Power that a force or a moment puts into the motion; its integral is measured by :meth:`Model.work`."""
        if self.rows or self.moving_rows:
            raise ModelError(
                f"{self.label} is a constraint: its power is that of its force along what it drives, such as "
                "drive.force * joint.rate"
            )
        return self.measured(self._power_at, f"power of {self.name}")

    def _power_at(self, at: Site) -> Any:
        """Sum of the products of forces and velocities."""
        return sum((_product(force, velocity) for force, velocity in self.powers(at)), 0.0)

    @property
    def asked_quantities(self) -> list[Quantity]:
        """Quantities of the model that its laws are or ask for; formulas differ with them, so they are in
        ``variant``."""
        return quantities_in(self.variant)

    @property
    def label(self) -> str:
        """Kind and name, for messages."""
        return f"{self.kind} '{self.name}'"

    # Each of these has atoms of the site's graph as its result.

    def constraints(self, at: Site) -> list[Row]:
        """Position constraints."""
        return []

    def velocity_constraints(self, at: Site) -> list[Any]:
        """Further constraints, linear in the velocities."""
        return []

    def auxiliary_equations(self, at: Site) -> list[Any]:
        """What vanishes where the auxiliary variables ``at.s`` are right; equation k is solved for variable k, in
        their order, so that their matrix must have no small pivots."""
        return []

    def find_auxiliary(self, at: FixedSite) -> Sequence[float]:
        """Auxiliary variables at the start: a global search, in numbers, if the values in ``auxiliary`` are not good
        enough for Newton's method."""
        return tuple(self.auxiliary.values())

    def tracks(self, measured: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Points in the world over time that belong to no body, as data of a ``PointTrack``, from what sensors have
        measured, by their names, components before instants."""
        return []

    def surfaces(self) -> list[tuple[Any, Any, Callable[[], Any]]]:
        """What it looks like: bodies, or the ground, each with what is seen and a function that gives its triangles in
        the axes of the body. What several elements have in common, such as a rail, is one object, and drawn once."""
        return []

    def units(self) -> dict[str, str]:
        """Units of what is measured at it beyond coordinates and reactions, by the name of the quantity without its
        own, "1" for pure numbers; of vectors with different units those of the components, "creepages.phi"."""
        return {}

    def powers(self, at: Site) -> list[tuple[Any, Any]]:
        """Pairs of a force and a velocity, a moment and an angular velocity, or two scalars, whose products are the
        power that the element puts into the motion."""
        return []

    def conditions(self, at: Site) -> list[tuple[Any, str]]:
        """Values that must be positive at a start, each with what is wrong where it is not, and the remedy."""
        return []

    def viscous(self, at: Site) -> list[tuple[Any, Any]]:
        """Stiff viscous parts of its powers, for implicit–explicit methods: pairs of k rates r, linear in the
        velocities, and a k × k matrix C, such that the forces −C r along r are among the powers."""
        return []

    def guards(self, scene: Scene) -> list[Guard]:
        """Conditions without which the element says nothing any more."""
        return []

    @classmethod
    def remark(cls, t: Floats, s: Mapping[str, Floats]) -> str:
        """What elements of this kind notice in a motion: instants, and their auxiliary variables by their labels.
        Sentences with a blank before them."""
        return ""

    def state_rates(self, at: Site) -> list[Any]:
        """Derivatives of the external states."""
        return []

    def potential(self, at: Site) -> Any:
        """Potential energy, as far as the forces have one."""
        return 0.0


def _product(force: Any, velocity: Any) -> Any:
    return force.dot(velocity) if isinstance(force, Vector) else force * velocity


def _at_site(element: Element, what: Callable[[Site], Any], part: int | None, scene: Scene) -> Any:
    found = what(scene.site(element))
    return found if part is None else found[part]
