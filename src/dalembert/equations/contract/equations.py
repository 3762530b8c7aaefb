"""The contract in the middle: one frozen object that every integrator sees, whatever built it.

q̇ = T(t,q) v
M(t,q) v̇ = f(t,q,v,λ,u,w) − G(t,q)ᵀ λ
0 = G(t,q) v + gI(t,q)
0 = g(t,q)
u̇ = d(t,q,v,λ,u,w),   w = w(t)                       mexx (1.1)
"""

from __future__ import annotations

import abc
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from dalembert.arguments import flag, known_name, listed, one_of, real, reals, shown, whole
from dalembert.equations.contract.borders import LEAST, Borders, apart
from dalembert.equations.contract.convention import OUTPUTS
from dalembert.equations.contract.keeping import Keeper
from dalembert.equations.contract.provider import Floats, Provider
from dalembert.equations.contract.sampling import Sampler, instants
from dalembert.errors import DalembertError, EquationsError, StateError, some, suggestion
from dalembert.instant import State

#: Names of the vectors that the contract is about.
_VECTORS = ("q", "v", "lam", "g", "u", "p")
_REAL = np.dtype(np.float64)

if TYPE_CHECKING:
    from dalembert.equations.contract.checks import Check
    from dalembert.equations.contract.expressions import Expressions
    from dalembert.equations.contract.guards import Guard
    from dalembert.equations.contract.scales import Scales
    from dalembert.equations.contract.sensors import Sensors
    from dalembert.equations.contract.switching import Stop
    from dalembert.equations.questions.campbell import Campbell
    from dalembert.equations.questions.kinematics import Kinematics
    from dalembert.equations.questions.linearisation import Linearisation
    from dalembert.equations.questions.mobility import Mobility

_Value = TypeVar("_Value")


@dataclass(frozen=True)
class Sizes:
    """Numbers of coordinates, velocities, multipliers, position constraints, external states, parameters."""

    q: int
    v: int
    lam: int
    g: int
    u: int
    p: int


@dataclass(frozen=True)
class PowersOfLength:
    """For each constraint and each velocity 1 if it is a length (per time), 0 if it is an angle or a ratio, NaN if that
    is not known."""

    lam: tuple[float, ...]
    v: tuple[float, ...]


def _frozen(value: Any) -> Any:
    """A number as it is, arrays and lists as copies that cannot be written to."""
    if isinstance(value, (list, tuple)):
        return tuple(_frozen(item) for item in value)
    if isinstance(value, np.ndarray):
        value = np.array(value)
        value.setflags(write=False)
    return value


class Equations(abc.ABC):
    """Equations of motion, frozen and compiled on demand.

    Made by :func:`dalembert.trace`, :class:`dalembert.Elements` or a model.  ``sizes`` and ``names`` describe the
    vectors; ``parameters`` are the default values, which a run may override without recompiling; ``breaks`` are
    instants at which the right sides are not smooth.
    """

    name: str
    sizes: Sizes
    names: Mapping[str, tuple[str, ...]]
    breaks: tuple[float, ...]
    #: rows of the constraints of the full system that this one keeps, and how many that has
    rows: tuple[int, ...]
    full_rows: int
    unit_T: bool  # q̇ = v
    C_is_G: bool  # the first rows of G are (∂g/∂q) T
    normalizes: bool  # q has invariants that are restored before projecting
    #: whether these are implicit, so that they are restored again and again until they are settled
    iterates_normal: bool = False
    #: places in q of auxiliary variables, block by block
    auxiliary_places: tuple[tuple[int, ...], ...] = ()
    #: where such variables are coordinates like others: velocity k of a block and the constraint that says what it is,
    #: both by their places; eliminated in this order, pivots are safe
    auxiliary_chains: tuple[tuple[tuple[int, int], ...], ...] = ()
    #: the equations that these describe further, as those of a model do; None if there are no others
    inner: Equations | None = None
    #: the equations as atoms, where they are known so
    expressions: Expressions | None = None
    #: which constraints and velocities are lengths and which angles, where that is known
    powers_of_length: PowersOfLength | None = None
    #: names of constraints whose rate may jump at breaks, which is an impulse
    impulsive: frozenset[str] = frozenset()
    #: names of coordinates that stand for deformations, where a description knows them
    fast: tuple[str, ...] = ()
    #: second derivatives of their strain energy at rest, where a description knows them
    fast_stiffness: Floats | None = None
    _parameters: Mapping[str, Any]

    @property
    def auxiliary_velocities(self) -> list[int]:
        """Places in v of velocities of auxiliary variables: they have no inertia and follow from the others."""
        return [velocity for chain in self.auxiliary_chains for velocity, _ in chain]

    @property
    def excitation_names(self) -> tuple[str, ...]:
        """Names of the excitations w that the program "excited" knows, numbered unless a description has others."""
        if self.lacks("excited"):
            return ()
        return tuple(f"w{i}" for i in range(self.program("excited").patterns["by_excitation"].shape[1] // 2))

    @property
    def timed_constraints(self) -> Mapping[int, tuple[str, ...]]:
        """Constraints on positions that depend on time by themselves, with the names of the excitations in them where
        these are known; none where the equations cannot tell."""
        x = self.innermost.expressions
        if x is None:
            return {} if self.inner is None else self.innermost.timed_constraints
        names = self.excitation_names
        return {k: tuple(names[i] for i in numbers) for k, numbers in x.timed_constraints().items()}

    @property
    def parameters(self) -> Mapping[str, Any]:
        """Default values; they cannot be changed, as compiled code and results rely on them."""
        return self._parameters

    @parameters.setter
    def parameters(self, values: Mapping[str, Any]) -> None:
        self._parameters = MappingProxyType({key: _frozen(value) for key, value in values.items()})

    # ------------------------------------------------------------------------------------------- programs and modes

    def program(self, name: str) -> Provider:
        """One of the compiled programs "contract", "explicit", "rate", "implicit", "reduced", "directional", "excited",
        "imex"; compiled when it is first asked for."""
        if not isinstance(name, str):
            raise EquationsError(f"'{self.name}' has no program {shown(name)}; {suggestion(name, OUTPUTS)}")
        return self.kept(("program", name), lambda: self._checked_program(name))

    def restricted(self, rows: Sequence[int]) -> Equations:
        """The system with only some of its rows of constraints active; a mode that comes back has its programs."""
        n_lam, what = self.sizes.lam, f"'{self.name}': rows"
        if type(rows) is tuple and rows == tuple(range(n_lam)):
            return self
        keep = tuple(whole(i, what, EquationsError) for i in listed(rows, what, EquationsError))
        if keep and not n_lam:
            raise EquationsError(f"'{self.name}' has no constraints; rows must be empty, got {keep}")
        if list(keep) != sorted(set(keep)) or not all(0 <= i < n_lam for i in keep):
            raise EquationsError(f"'{self.name}': rows must be rising numbers of its {n_lam} constraints, got {keep}")
        if len(keep) == n_lam:
            return self
        return self.kept(("rows", keep), lambda: self.with_rows(keep))

    @abc.abstractmethod
    def lacks(self, program: str) -> str:
        """Why there is no such program; empty if there is."""

    @abc.abstractmethod
    def make_program(self, name: str) -> Provider:
        """Compile a program that these equations do not lack; asked for once, by :meth:`program`."""

    @abc.abstractmethod
    def with_rows(self, rows: tuple[int, ...]) -> Equations:
        """The system with some rows of constraints, not all, in their order; asked for once, by :meth:`restricted`."""

    def _checked_program(self, name: str) -> Provider:
        if name not in OUTPUTS:
            raise EquationsError(f"'{self.name}' has no program '{name}'; {suggestion(name, OUTPUTS)}")
        if reason := self.lacks(name):
            raise EquationsError(f"'{self.name}' has no program '{name}': {reason}")
        return self.make_program(name)

    # ------------------------------------------------------------------------------------- what a description adds

    @property
    def sensors(self) -> Sensors | None:
        """Functions of the motion that are measured in every run; None without a description that has some."""
        return None

    def known_scales(self, p: Floats) -> Scales | None:
        """Sizes of coordinates and displacements with these parameters, where a description knows what they stand
        for."""
        return None

    @property
    def switches(self) -> Sequence[Stop]:
        """Stops: constraints that hold only while something rests on them."""
        return ()

    @property
    def samplers(self) -> Sequence[Sampler]:
        """What changes external states at instants of a fixed distance: sampled controllers."""
        return ()

    @property
    def guards(self) -> Sequence[Guard]:
        """Conditions without which the equations say nothing any more; runs end where one is lost."""
        return ()

    def remark(self, t: Floats, q: Floats) -> str:
        """What a description notices in a motion, positions at these instants in columns, that its equations do not
        say: sentences with a blank before them."""
        return ""

    @property
    def inactive(self) -> tuple[str, ...]:
        """Names of the multipliers of constraints that do not hold at first."""
        return ()

    def function_of(self, item: Any) -> Any:
        """What a user gives as a function of the motion, as one: itself, unless a description knows it, such as a
        quantity of a model."""
        return item

    def misdeclared(self, point: Mapping[str, Floats]) -> DalembertError | None:
        """An error that names a function which depends on what was declared that it does not, at the inputs of a
        program; None if there is none."""
        return None

    def blame(self, point: Mapping[str, Floats]) -> DalembertError | None:
        """An error that names what in a description is to blame for values that are not finite at a point, the inputs
        of a program; None where nobody knows."""
        return None

    def jumping(self, before: Mapping[str, Floats], after: Mapping[str, Floats]) -> str:
        """What in a description changes most between two points side by side, by its name; nothing where nobody
        knows."""
        return ""

    def powers(self, point: Mapping[str, Floats]) -> dict[str, float]:
        """The power of each force in a description, by its name, at the inputs of a program; nothing where nobody
        knows."""
        return {}

    def bending(
        self, before: Mapping[str, Floats], here: Mapping[str, Floats], after: Mapping[str, Floats]
    ) -> dict[str, Floats | None]:
        """Laws with a corner at the middle of three points side by side, by the names that a description knows: how
        fast the path of each grows with the velocities, or None for a law without a path."""
        return {}

    def stepping(
        self,
        far: tuple[Mapping[str, Floats], Mapping[str, Floats]],
        near: tuple[Mapping[str, Floats], Mapping[str, Floats]],
    ) -> tuple[str, ...]:
        """Laws that jump at a point: they change between points on both sides of it, and as much between nearer ones;
        by the names that a description knows."""
        return ()

    def reactive(self) -> str:
        """What depends on multipliers, in words."""
        rows = self.program("contract").patterns["F"].rows
        return f"f ({', '.join(self.names['v'][i] for i in sorted(set(rows.tolist()))[:4])})"

    def lines(self, t: Any, q: Any, parameters: Mapping[str, Any] | None = None) -> dict[str, Floats] | None:
        """A drawing at the instants ``t``: lines by name, of shape (n_t, n_points, 2 or 3); None where nobody knows
        what the coordinates stand for."""
        return None

    def portrait(self, t: Any, q: Any, parameters: Mapping[str, Any] | None = None) -> dict[str, Any] | None:
        """Poses of bodies at the instants ``t``, shapes, joints, springs and forces, as plain data; None where nobody
        knows what the coordinates stand for."""
        return None

    @property
    def units(self) -> Mapping[str, str]:
        """Units by the names of coordinates, velocities, multipliers and sensors, where a description knows them."""
        return {}

    def prescribed_at(self, t: float, p: Floats) -> dict[str, float]:
        """Functions of time that stand for coordinates and velocities, by name: values at an instant."""
        return {}

    def owner_of_velocity(self, i: int) -> str:
        """What a velocity belongs to, for messages: a body and its joint, where a description knows them."""
        return ""

    def largest_motion(self, t: float, q: Floats, v: Floats, p: Floats) -> float | None:
        """The largest of some velocities, of bodies beside the length of the model and of their rotations, whatever the
        coordinates are; None where no description knows the bodies."""
        return None

    def gimbal_lock(self, q: Floats, direction: Floats) -> str:
        """Why velocities in a direction move nothing: angles about axes that have come into line; empty if there are
        none, or where a description does not know."""
        return ""

    @property
    def innermost(self) -> Equations:
        """The equations that descriptions are wrapped around, or these themselves."""
        return self if self.inner is None else self.inner.innermost

    # ------------------------------------------------------------------------------------------ what is kept with them

    def kept(self, key: Hashable, make: Callable[[], _Value]) -> _Value:
        """What is derived from these equations and lives as long as they do: ``make()`` when it is first asked for.

        It is made once, whichever thread comes first, and not pickled.  Keys are those of whoever makes the value, such
        as ``("layout", …)``.
        """
        keeper: Keeper | None = self.__dict__.get("_keeper")
        if keeper is None:
            keeper = self.__dict__.setdefault("_keeper", Keeper())  # one of several threads wins
        return keeper(key, make)

    def __getstate__(self) -> Any:
        return {key: value for key, value in self.__dict__.items() if key != "_keeper"}

    def __repr__(self) -> str:
        s = self.sizes
        return (
            f"<{type(self).__name__} '{self.name}': {s.q} coordinates, {s.v} velocities, {s.lam} constraints "
            f"({s.g} on positions), {s.u} external states>"
        )

    # --------------------------------------------------------------------------------------------------- evaluation

    def parameter_vector(self, overrides: Mapping[str, Any] | None = None) -> Floats:
        """All parameters as one array, with some values replaced."""
        if overrides is not None and not isinstance(overrides, Mapping):
            raise EquationsError(f"'{self.name}': parameters must be a dictionary by name; got {shown(overrides)}")
        if not overrides:
            return self.kept("parameters", lambda: self._vector_of(self.parameters)).copy()
        values = dict(self.parameters)
        for key, value in overrides.items():
            if not isinstance(key, str) or key not in values:
                raise EquationsError(f"'{self.name}' has no parameter '{key!s:.40}'; {suggestion(str(key), values)}")
            given = self._as_numbers(key, value)
            if given.shape != np.shape(values[key]):
                raise EquationsError(
                    f"'{self.name}': parameter '{key}' has the shape {np.shape(values[key])}, got {given.shape}"
                )
            values[key] = given
        return self._vector_of(values)

    def _vector_of(self, values: Mapping[str, Any]) -> Floats:
        flat = [np.ravel(self._as_numbers(key, value)) for key, value in values.items()]
        vector = np.concatenate(flat) if flat else np.zeros(0)
        if not np.isfinite(vector).all():
            bad = next(key for key, value in values.items() if not np.isfinite(np.asarray(value, dtype=float)).all())
            raise EquationsError(f"'{self.name}': parameter '{bad}' is not finite: {values[bad]}")
        return vector

    def _as_numbers(self, key: str, value: Any) -> Floats:
        return reals(value, f"'{self.name}': parameter '{key}'", EquationsError)

    def evaluate(
        self,
        *names: str,
        t: float | None = None,
        q: Any,
        v: ArrayLike | None = None,
        lam: ArrayLike | None = None,
        u: ArrayLike | None = None,
        parameters: Mapping[str, Any] | None = None,
    ) -> Any:
        """Quantities of the contract at one point: ``M, G = eqs.evaluate("M", "G", t=0.0, q=q)``; matrices are
        dense."""
        provider = self.program("contract")
        if isinstance(q, State):
            lam = q.lam if lam is None else lam
        q, v, u, t = self._at(q, v, u, t)
        for name in names:
            if not isinstance(name, str) or name not in OUTPUTS["contract"]:
                known = suggestion(name, OUTPUTS["contract"])
                raise EquationsError(f"'{self.name}' has no quantity {shown(name)}; {known}")
        inputs = {"p": self.parameter_vector(parameters), "t": np.array([self._instant(t)])}
        for key, value in (("q", q), ("v", v), ("lam", lam), ("u", u)):
            inputs[key] = self.vector(key, np.zeros(getattr(self.sizes, key)) if value is None else value)
        found = provider(names, inputs)
        shaped = tuple(
            provider.patterns[name].dense(found[name]) if name in provider.patterns else found[name] for name in names
        )
        return shaped[0] if len(shaped) == 1 else shaped

    @property
    def _other_size(self) -> str:
        """Why vectors of equations of the same thing may have other sizes."""
        return ""

    def vector(self, key: str, value: Any) -> Floats:
        """``value`` as a vector of the size of ``key`` ("q", "v", "lam", "u"), or an error that says what is wrong."""
        size = self._size(key)
        if type(value) is np.ndarray and value.dtype is _REAL and value.shape == (size,) and np.isfinite(value).all():
            return value.copy()  # as almost always
        if not isinstance(value, np.ndarray):
            if isinstance(value, State):
                value = getattr(value, key)
            if isinstance(value, Mapping):
                return self._by_name(key, value)
        array = reals(value, f"'{self.name}': {key}", StateError, wanted=f"{size} numbers").reshape(-1)
        if array.size != size:
            raise StateError(
                f"'{self.name}': {key} must have {size} entries, got {array.size}"
                f"{'; they are ' + some(self.names[key]) if size else ''}{self._other_size}"
            )
        if not np.isfinite(array).all():
            i = int(np.flatnonzero(~np.isfinite(array))[0])
            raise StateError(f"'{self.name}': {key}[{i}] ({self.names[key][i]}) is {array[i]}")
        return np.array(array)

    def default(self, key: str) -> Floats:
        """Where values of "q", "v" or "u" start that are not given: zeros, unless a description knows better."""
        return np.zeros(self._size(key))

    def _size(self, key: str) -> int:
        """Size of a vector of the contract."""
        size: int = getattr(self.sizes, known_name(key, _VECTORS, f"'{self.name}': the vector", StateError))
        return size

    @staticmethod
    def _at(q: Any, v: Any, u: Any, t: Any) -> tuple[Any, Any, Any, Any]:
        """What was given, with velocities, external states and the instant of a :class:`State` where they are left
        away."""
        if not isinstance(q, State):
            return q, v, u, 0.0 if t is None else t
        return q.q, q.v if v is None else v, q.u if u is None else u, q.t if t is None else t

    def named(self, state: State, parameters: Mapping[str, Any] | None) -> State:
        """A state that answers by the names of these equations, with these parameters."""
        return replace(state, _values=partial(self.value_at, parameters=parameters))

    def value_at(self, item: Any, state: State, parameters: Mapping[str, Any] | None = None) -> Any:
        """A coordinate, velocity, multiplier, external state or sensor at a state, by its name."""
        from dalembert.equations.questions.measuring import measured, measured_at

        name = item if isinstance(item, str) else getattr(item, "name", None)
        for key in ("q", "v", "u", "lam"):
            if name in self.names[key]:
                return getattr(state, key)[self.names[key].index(name)]
        if not isinstance(name, str):
            raise StateError(f"'{self.name}': entries of a state have names, such as 'A.angle'; got {shown(item)}")
        found = measured_at(self, measured(self, name), state, self.parameter_vector(parameters))
        return found[0] if len(found) == 1 else found

    def _instant(self, t: Any) -> float:
        """An instant that a user gives."""
        return real(t, f"'{self.name}': t", StateError)

    def _redundancy(self, redundant: Any) -> str:
        """What is done with redundant constraints."""
        if not isinstance(redundant, str) or redundant not in ("refuse", "accept"):
            raise EquationsError(f"'{self.name}': redundant must be 'refuse' or 'accept', got {shown(redundant)}")
        return redundant

    def _side(self, side: Any) -> str:
        """Which slope counts at corners of laws."""
        return one_of(side, ("mean", "above", "below"), f"'{self.name}': side", EquationsError)

    def _by_name(self, key: str, values: Mapping[str, float]) -> Floats:
        array = np.array(self.default(key))
        for name, value in values.items():
            i = self.index(key, name)
            array[i] = real(value, f"'{self.name}': {key} '{name}'", StateError)
        return self.vector(key, array)

    def index(self, key: str, name: str | int) -> int:
        """Number of a coordinate, velocity, ... by its name."""
        known_name(key, self.names, f"'{self.name}': the vector", StateError)
        if isinstance(name, (int, np.integer)) and not isinstance(name, bool):
            if not 0 <= name < len(self.names[key]):
                raise StateError(f"'{self.name}': there is no {key}[{name}]; there are {len(self.names[key])}")
            return int(name)
        if not isinstance(name, str) or name not in self.names[key]:
            given = name if isinstance(name, str) else shown(name)
            raise StateError(f"'{self.name}' has no {key} '{given}'; {suggestion(name, self.names[key])}")
        return self.names[key].index(name)

    def namespace(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Symbols to trace further functions with, such as events: by the names of arguments, and as inputs of a
        program."""
        from dalembert.equations.builders.trace import named_parameters, symbols_for

        inputs = symbols_for(self.sizes, self.parameters, self.name)
        values = {key: inputs[key] for key in ("q", "v", "u", "lam", "a")}
        return {**values, "t": inputs["t"][0], "p": named_parameters(self.parameters, inputs["p"])}, inputs

    # ------------------------------------------------------------------------------------- what is not smooth

    def borders(self, least: int = LEAST) -> Borders:
        """What right sides choose by: tables, comparisons, whole numbers; as far as they are known as atoms. What the
        motion is compared with counts where there are ``least`` borders of one argument, or more."""
        return self.kept(("borders", least), lambda: self.make_borders(least))

    def make_borders(self, least: int) -> Borders:
        """Searched for once."""
        return Borders(self.namespace()[1], least=least)

    def all_breaks(self, span: tuple[float, float], p: Floats) -> tuple[float, ...]:
        """Instants at which right sides are not smooth: those that were told, and within a span those that are
        found."""
        found = self.borders().instants(span, p, self.name)
        return apart(sorted({*self.breaks, *found, *instants(self.samplers, span)}))

    # ------------------------------------------------------------------------------------------- start of a motion

    def assemble(
        self,
        q: Any = None,
        v: Any = None,
        u: Any = None,
        *,
        t: float | None = None,
        held: Sequence[str | int] = (),
        held_velocities: Sequence[str | int] | None = None,
        parameters: Mapping[str, Any] | None = None,
        redundant: str = "refuse",
        lam: Any = None,
        smooth: Any = False,
    ) -> State:
        """Consistent start near ``q``, ``v``: closes the loops, or says which constraint cannot be met.

        Coordinates that are ``held`` (names or numbers) keep the values given, as do their rates, or instead of these
        the ``held_velocities``; the others move as little as possible, measured by M.  Accelerations and multipliers
        follow.  ``redundant="accept"`` allows constraints that say the same; multipliers are then those of the smallest
        norm.  Where forces depend on multipliers, these are looked for from ``lam`` on; if it is left away, from zero
        or the reactions of the motion without such forces.  ``smooth`` starts on the smooth motion: True, names of fast
        coordinates, or a :class:`~dalembert.Partition`.
        """
        from dalembert.equations.questions.assembly import assemble

        q, v, u, t = self._at(q, v, u, t)
        t, redundant = self._instant(t), self._redundancy(redundant)
        found = assemble(
            self, q, v, u, t=t, held=held, held_velocities=held_velocities, parameters=parameters, redundant=redundant,
            lam=lam, smooth=smooth,
        )  # fmt: skip
        return self.named(found, parameters)

    def equilibrium(
        self,
        q: Any = None,
        v: Any = None,
        u: Any = None,
        *,
        velocities: Mapping[str, float | None] | None = None,
        held: Sequence[str | int] = (),
        stable: bool = False,
        t: float | None = None,
        parameters: Mapping[str, Any] | None = None,
        redundant: str = "refuse",
        side: str = "mean",
    ) -> State:
        """Static equilibrium near ``q``, with all constraints met and external states at rest; or a steady motion.

        Coordinates that are ``held`` keep the values given, as if they were locked: their own balance is not asked for.
        With ``stable=True`` it is searched for in the direction in which forces pull, and one that is not stable is an
        error; otherwise the equilibrium next to ``q`` is found, whatever it is.

        ``velocities`` ask for a steady motion, such as rolling or the precession of a top: for each independent
        velocity its constant value, or None where it is to be found, near that of ``v``.  The others follow from the
        constraints; all accelerations of those that are named vanish.  ``side`` says which slope counts at corners of
        laws, as in :meth:`linearise`.
        """
        from dalembert.equations.questions.statics import equilibrium

        q, v, u, t = self._at(q, v, u, t)
        t, redundant = self._instant(t), self._redundancy(redundant)
        flag(stable, f"'{self.name}': stable", EquationsError)
        found = equilibrium(
            self, q, v, u, velocities=velocities, held=held, stable=stable, t=t, parameters=parameters,
            redundant=redundant, side=self._side(side),
        )  # fmt: skip
        return self.named(found, parameters)

    def check(
        self,
        q: Any,
        v: Any = None,
        u: Any = None,
        *,
        t: float | None = None,
        parameters: Mapping[str, Any] | None = None,
        redundant: str = "refuse",
        lam: Any = None,
    ) -> Check:
        """Symmetry of M, rank of G, definiteness of M where motion is possible, finite values; raises with the
        culprit."""
        from dalembert.equations.contract.checks import check

        # The same start is checked again and again in studies of tolerances, methods and events.
        q, v, u, t = self._at(q, v, u, t)
        t, redundant = self._instant(t), self._redundancy(redundant)
        # What has another size is no start, and may be anything.
        expected = zip((q, v, u), (self.sizes.q, self.sizes.v, self.sizes.u), strict=True)
        arrays = [
            value for value, size in expected
            if isinstance(value, np.ndarray) and value.dtype == float and value.shape == (size,)
        ]  # fmt: skip
        lam = None if lam is None else self.vector("lam", lam)
        further = () if lam is None else (lam,)
        key = (
            t, redundant, self.parameter_vector(parameters).tobytes(), *(one.tobytes() for one in (*arrays, *further)),
        )  # fmt: skip
        last: list[tuple[Any, Check]] = self.kept("last check", list)
        if len(arrays) == 3:
            for known, found in last:
                if known == key:
                    return found
        found = check(self, q, v, u, t=t, parameters=parameters, redundant=redundant, lam=lam)
        last[:] = [(key, found)]
        return found

    # ------------------------------------------------------------------------------------------------ what can be asked

    def degrees_of_freedom(
        self, q: Any = None, *, t: float | None = None, parameters: Mapping[str, Any] | None = None
    ) -> Mobility:
        """Degrees of freedom at ``q``, of positions and of velocities, and redundant constraints by name."""
        from dalembert.equations.questions.mobility import degrees_of_freedom

        q, _, _, t = self._at(q, None, None, t)
        return degrees_of_freedom(self, q, t=self._instant(t), parameters=parameters)

    def forward_dynamics(
        self,
        q: Any,
        v: Any = None,
        u: Any = None,
        *,
        t: Any = None,
        parameters: Mapping[str, Any] | None = None,
        redundant: str = "refuse",
        lam: Any = None,
    ) -> tuple[Floats, Floats]:
        """Accelerations and multipliers ``(a, lam)`` of given positions and velocities, or of a :class:`State` at its
        instant; where forces depend on multipliers, these are looked for from ``lam`` on, as in :meth:`assemble`.

        Of many points in one call, columns of q and v with instants ``t``, a solution, or a list of states, the answers
        are columns too."""
        from dalembert.equations.questions.dynamics import forward_dynamics
        from dalembert.equations.questions.many_states import at_each, is_many

        redundant = self._redundancy(redundant)
        if is_many(q):
            return at_each(
                self.name,
                lambda q, t, v, u: self.forward_dynamics(q, v, u, t=t, parameters=parameters, redundant=redundant),
                q, t, v=v, u=u,
            )  # fmt: skip
        q, v, u, t = self._at(q, v, u, t)
        return forward_dynamics(self, q, v, u, t=self._instant(t), parameters=parameters, redundant=redundant, lam=lam)

    def inverse_dynamics(
        self,
        q: Any,
        v: Any = None,
        a: Any = None,
        u: Any = None,
        *,
        actuated: Sequence[str | int] | None = None,
        t: Any = None,
        parameters: Mapping[str, Any] | None = None,
    ) -> tuple[Floats, Floats]:
        """Forces that the accelerations ``a`` need, and multipliers: ``(forces, lam)`` of M a = f − Gᵀλ + forces.

        ``actuated`` names the velocities, or coordinates, that forces act on (all if left away); there is one force for
        each.  Where several would do, they are the smallest.  A :class:`State` is taken with its velocities and its
        instant, and with its accelerations unless others are given; many points as in :meth:`forward_dynamics`.
        """
        from dalembert.equations.questions.dynamics import inverse_dynamics
        from dalembert.equations.questions.many_states import at_each, is_many

        if is_many(q):
            return at_each(
                self.name,
                lambda q, t, v, a, u: self.inverse_dynamics(
                    q, v, a, u, actuated=actuated, t=t, parameters=parameters
                ),
                q, t, v=v, a=a, u=u,
            )  # fmt: skip
        a = q.a if isinstance(q, State) and a is None else a
        q, v, u, t = self._at(q, v, u, t)
        return inverse_dynamics(self, q, v, a, u, actuated=actuated, t=self._instant(t), parameters=parameters)

    def kinematics(
        self,
        times: ArrayLike,
        q: Any = None,
        u: Any = None,
        *,
        parameters: Mapping[str, Any] | None = None,
        redundant: str = "refuse",
    ) -> Kinematics:
        """Positions, velocities and accelerations of a mechanism whose constraints leave no freedom, from ``q`` near
        its first position on, and the multipliers that the motion needs: those of drives are driving forces."""
        from dalembert.equations.questions.kinematics import kinematics

        return kinematics(self, times, q, u, parameters=parameters, redundant=self._redundancy(redundant))

    def campbell(
        self, run: Any, times: Any = None, *, parameters: Mapping[str, Any] | None = None, side: str = "mean"
    ) -> Campbell:
        """Frequencies and damping ratios of the mechanism along a motion, linearised at each instant.

        :param run: a solution of these equations; ``times``: instants of its dense output instead of its own
        :param side: which slope counts at corners of laws, as in :meth:`linearise`
        """
        from dalembert.equations.questions.campbell import campbell

        return campbell(self, run, times, parameters, side)

    def linearise(
        self,
        state: Any,
        v: Any = None,
        u: Any = None,
        *,
        t: float | None = None,
        independent: Sequence[str | int] = (),
        inputs: Sequence[str | int] = (),
        outputs: Any = (),
        parameters: Mapping[str, Any] | None = None,
        redundant: str = "refuse",
        side: str = "mean",
    ) -> Linearisation:
        """Linear system about an equilibrium or a steady motion: ``state``, or ``q`` with ``v``.

        Constraints, also nonholonomic ones, are solved for independent coordinates and velocities; ``independent``
        names those that shall be among them.  ``inputs`` are velocities or coordinates that forces act along,
        parameters, or inputs of a model; ``outputs`` are names of rows or sensors, quantities, or functions of the
        motion.  The result has the matrices A, B, C, D of
        ż = A z + B τ, y = C z + D τ, eigenvalues, frequencies, damping ratios and mode shapes.

        Where a law has a corner at the state, as a damper that resists more in one direction, the ``side`` decides:
        "mean" of the slopes on both sides, with a warning that names the law, or the slope "above" or "below", where
        the path of the law, or without one the first unknown that it depends on, grows or shrinks.
        """
        from dalembert.equations.questions.linearisation import linearise

        return linearise(
            self, state, v, u, t=None if t is None else self._instant(t), independent=independent, inputs=inputs,
            outputs=outputs, parameters=parameters, redundant=self._redundancy(redundant), side=self._side(side),
        )  # fmt: skip
