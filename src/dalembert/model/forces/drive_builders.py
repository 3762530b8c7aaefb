"""Roads, friction, motors and controllers of a model, as methods."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dalembert.arguments import flag, named, real, shown
from dalembert.errors import ModelError
from dalembert.model.description import Description
from dalembert.model.forces.actuators import PID, Actuator, DCMotor
from dalembert.model.forces.friction import Contact, Friction, JointFriction
from dalembert.model.forces.laws import (
    Law,
    Path,
    Sees,
    coordinate_path,
    is_number,
    marker_of,
    number,
    positive,
    two_markers,
)
from dalembert.model.forces.slip_tyres import SlipParameters, SlipTyre
from dalembert.model.forces.tyres import Tyre, directions_of
from dalembert.model.joints.joints import Joint, JointCoordinate


class DriveBuilders(Description):
    """What rolls, rubs and drives."""

    def _line(self, on: Any, where: str, angle: bool | None) -> Path | None:
        """The scalar that a force acts along, if there is one."""
        if isinstance(on, (Joint, JointCoordinate)):
            return coordinate_path(on, where, angle)
        if isinstance(on, (tuple, list)) and len(on) == 2:
            return Path("distance", "length", two_markers(on[0], on[1], where))
        return None

    def _scalar(self, on: Any, where: str) -> Path:
        """The scalar that a force acts along, which must be there."""
        path = self._line(on, where, angle=None)
        if path is None:
            raise ModelError(f"{where}: a joint, a coordinate or a pair of markers is needed, got {shown(on)}")
        return path

    def _turning(self, on: Any, where: str) -> Path:
        """The angle that a torque acts on."""
        if isinstance(on, (tuple, list)) and len(on) == 2:
            if not self.planar:
                raise ModelError(f"{where}: two bodies in space have no angle; give a joint, or use bushing or torque")
            return Path("turn", "angle", two_markers(on[0], on[1], where))
        return coordinate_path(on, where, angle=True)

    def _scalar_law(self, given: Any, where: str, what: str, path: Path, seen: Sees, more: Sequence[str] = ()) -> Law:
        known = self._known(where, (path.argument, "rate", *more), seen)
        return Law.of(given, where, what, known, argument=more[0] if more else path.argument)

    def _vector_law(self, given: Any, where: str, what: str, seen: Sees, size: int) -> Law:
        known = ["position", "velocity", "rotation", "angular_velocity", *(["angle"] if self.planar else [])]
        return Law.of(given, where, what, self._known(where, known, seen), argument="t", size=size)

    def _known(self, where: str, names: Sequence[str], seen: Sees) -> list[str]:
        for name in seen.names:
            if name in names:
                raise ModelError(f"{where}: the name '{name}' in sees has a meaning already; choose another")
        return [*names, *seen.names]

    # -------------------------------------------------------------------------------------------- roads and friction

    def tyre(
        self,
        name: str,
        wheel: Any,
        radius: Any,
        stiffness: Any,
        damping: Any = 0.0,
        *,
        road: Any = 0.0,
        lifts: bool = True,
        damps_rise: bool = True,
        up: Any = None,
        implicit: bool = False,
    ) -> Tyre:
        """A tyre as vertical spring and damper between the centre of a wheel and the road below it.

        :param wheel: marker at the centre of the wheel; ``radius`` of the tyre when it carries nothing
        :param road: height of the road: a number, a law of ``x`` (in space also ``y``), or a table over x, in space
            also over both: ``{("x", "y"): (x, y, heights)}``.  x is
            measured along the horizontal; in space along the x axis of the world as far as that is horizontal
        :param lifts: whether the tyre leaves the road instead of pulling
        :param damps_rise: whether the damper feels the road rise below the rolling wheel, or the velocity of the wheel
            alone, as for roads with vertical walls
        :param up: direction of the vertical; against gravity unless given
        :param implicit: whether the damping is stiff: implicit–explicit methods take it at the end of a step
        """
        where = f"tyre '{name}'"
        marker = marker_of(wheel, where)
        directions = directions_of(up, self.gravity, self.planar, where)
        law = Law.of(road, where, "road", ("x",) if self.planar else ("x", "y"), argument="x")
        data = {
            "radius": number(radius, where, "radius", 0.0),
            "stiffness": number(stiffness, where, "stiffness"),
            "damping": number(damping, where, "damping"),
        }
        leaves = flag(lifts, f"{where}: lifts", ModelError)
        rise = flag(damps_rise, f"{where}: damps_rise", ModelError)
        stiff = flag(implicit, f"{where}: implicit", ModelError)
        return self.add(Tyre(name, marker, data, law, directions, leaves, rise, implicit=stiff))

    def slip_tyre(
        self,
        name: str,
        wheel: Any,
        radius: Any,
        stiffness: Any,
        damping: Any = 0.0,
        *,
        lateral: Mapping[str, Any],
        longitudinal: Mapping[str, Any] | None = None,
        law: str = "tanh",
        velocity: Any = None,
        road: Any = 0.0,
        damps_rise: bool = True,
        up: Any = None,
        implicit: bool = False,
    ) -> SlipTyre:
        """A tyre that carries, as :meth:`tyre` does, and holds the wheel sideways and along by slip, within friction.

        :param wheel: marker at the centre of the wheel, whose z axis is the axle; ``radius`` of the tyre when it
            carries nothing
        :param stiffness: with ``damping`` of the vertical spring and damper, which never pull
        :param lateral: parameters of the lateral force by name, each a number, a parameter of the model, or a law of
            the ``load``; of "tanh" ``stiffness`` (at no slip, in N per unit of slip, here N/rad) and ``mu``
            (friction); of "tmeasy" also ``peak_slip``, where ``mu`` is reached, and ``sliding_slip``, from where on it
            is ``sliding_mu``.  ``relaxation``, in metres, may be added: slip then follows as a state
        :param longitudinal: the same for the longitudinal force of a wheel that spins; without it the wheel rolls
            freely, and need not have a joint to spin in
        :param law: "tanh": F = μ F_z tanh(C α/(μ F_z)), slips combined within the ellipse of friction; "tmeasy": slope,
            maximum and sliding, combined by normalised slips
        :param velocity: speed of travel below which slips are those of a damper, so that they are finite at standstill
        :param road: as for :meth:`tyre`, with ``damps_rise`` and ``up``
        :param implicit: whether damping and slip are stiff: implicit–explicit methods take them at the end of a step,
            slip by its secant, which at low speed is that of a stiff damper
        """
        where = f"slip tyre '{name}'"
        marker = marker_of(wheel, where)
        if self.planar:
            raise ModelError(f"{where} needs space; in a planar model use tyre, and a force for the wheel's drive")
        sides = [
            None if given is None else SlipParameters(side, given, law, where)
            for side, given in (("lateral", {} if lateral is None else lateral), ("longitudinal", longitudinal))
        ]
        data = {
            "radius": positive(radius, where, "radius"),
            "stiffness": positive(stiffness, where, "stiffness"),
            "damping": number(damping, where, "damping", 0.0),
            "velocity": self._velocity(velocity, where),
        }
        height = Law.of(road, where, "road", ("x", "y"), argument="x")
        rise = flag(damps_rise, f"{where}: damps_rise", ModelError)
        directions = directions_of(up, self.gravity, False, where)
        assert sides[0] is not None
        stiff = flag(implicit, f"{where}: implicit", ModelError)
        return self.add(SlipTyre(name, marker, data, height, directions, rise, law, sides[0], sides[1], stiff))

    def contact(
        self,
        name: str,
        ball: Any,
        plane: Any,
        stiffness: Any,
        damping: Any = 0.0,
        *,
        radius: Any = 0.0,
        mu: Any = 0.0,
        velocity: Any = None,
    ) -> Contact:
        """A ball (or point) pushed out of the half space below the xy plane of a marker, in a planar model below its x
        axis; with Coulomb friction.

        :param ball: marker at the centre; ``radius``: of the ball
        :param stiffness: with ``damping`` of the normal force, which never pulls
        :param mu: coefficient of friction, also a law of ``speed``, that of sliding, or a table over it
        :param velocity: of sliding, below which friction is regularised
        """
        where = f"contact '{name}'"
        a, b = two_markers(ball, plane, where)
        data = {
            "radius": number(radius, where, "radius", 0.0),
            "stiffness": number(stiffness, where, "stiffness"),
            "damping": number(damping, where, "damping"),
        }
        if is_number(mu, 0.0):
            return self.add(Contact(name, a, b, data, None))
        law = self._coefficient(mu, where)
        return self.add(Contact(name, a, b, data | {"velocity": self._velocity(velocity, where)}, law))

    def friction(
        self,
        name: str,
        on: Any,
        limit: Any = None,
        *,
        velocity: Any = None,
        stiction: Any = None,
        stribeck: Any = None,
        mu: Any = None,
        radius: Any = None,
        thrust_radius: Any = None,
        length: Any = None,
        sees: Mapping[str, Any] | None = None,
    ) -> Any:
        """Dry friction, regularised: it creeps instead of sticking, with F = −limit·tanh(speed/velocity).

        Of a known size:

        :param on: a coordinate of a joint, or a joint that has only one; or a pair of markers, along their line
        :param limit: force or torque of sliding friction, a law of ``speed`` (the size of the rate), ``rate``, and
            ``displacement``, ``angle`` or ``length``; a table is over the speed
        :param velocity: of sliding, in m/s or rad/s, below which friction is regularised
        :param stiction: force or torque at the beginning of motion, which fades as exp(−(speed/stribeck)²)

        In proportion to the reactions of a joint, which then stays out of the tree, because its multipliers are needed:

        :param on: a revolute, prismatic, cylindrical, spherical or (spatial) planar joint
        :param mu: coefficient of friction, also a law of ``speed``, that of sliding, or a table over it
        :param velocity: of sliding in m/s, also in bearings
        :param radius: of the bearing or ball; ``thrust_radius`` of a revolute joint: mean radius of a collar that bears
            the axial force
        :param length: of a guide, whose ends bear tilting moments; without it these cause no friction

        Forces then depend on multipliers, not linearly: methods that solve for accelerations by straight-line code
        (the program "explicit") are not available, all others are.
        """
        where = f"friction '{name}'"
        speed = self._velocity(velocity, where)
        if (mu is None) is (limit is None):
            raise ModelError(f"{where}: give either limit=, a force or torque, or mu=, for friction by reactions")
        sizes = {"radius": radius, "thrust_radius": thrust_radius, "length": length}
        if mu is not None:
            if not isinstance(on, Joint) or stiction is not None or stribeck is not None or sees is not None:
                raise ModelError(f"{where}: mu= needs a joint, and has no stiction, stribeck or sees")
            return self._friction_by_reactions(name, on, mu, speed, sizes)
        for key, value in sizes.items():
            if value is not None:
                raise ModelError(f"{where}: {key} belongs to mu=, friction by reactions")
        path = self._scalar(on, where)
        return self._friction_of_size(name, path, limit, speed, stiction, stribeck, Sees(sees, where))

    def _friction_by_reactions(
        self, name: str, joint: Joint, mu: Any, speed: Any, sizes: Mapping[str, Any]
    ) -> JointFriction:
        """In a joint, in proportion to its own reactions."""
        where = f"friction '{name}'"
        if joint not in self.elements:
            raise ModelError(f"{where}: {joint.label} belongs to another model")
        data = {key: None if value is None else positive(value, where, key) for key, value in sizes.items()}
        found = JointFriction(name, joint, self._coefficient(mu, where), {"velocity": speed, **data})
        self.claim(name, where)
        return found

    def _friction_of_size(
        self, name: str, path: Path, limit: Any, speed: Any, stiction: Any, stribeck: Any, seen: Sees
    ) -> Friction:
        """Along a scalar, of a known size."""
        where = f"friction '{name}'"
        if (stiction is None) is not (stribeck is None):
            raise ModelError(f"{where}: stiction= and stribeck=, the velocity at which it fades, belong together")
        static = None if stiction is None else self._scalar_law(stiction, where, "stiction", path, seen, ("speed",))
        fading = None if stribeck is None else positive(stribeck, where, "stribeck")
        law = self._scalar_law(limit, where, "limit", path, seen, ("speed",))
        for key, one in (("limit", law), ("stiction", static)):
            self._resists(one, where, key)
        return self.add(Friction(name, path, law, seen, speed, static, fading))

    def _coefficient(self, mu: Any, where: str) -> Law:
        law = Law.of(mu, where, "mu", ("speed",), argument="speed")
        self._resists(law, where, "mu")
        return law

    def _resists(self, law: Law | None, where: str, what: str) -> None:
        """Complain about a negative number, with which friction would push."""
        if law is not None and law.data(what):
            number(law.given, where, what, 0.0)

    def _velocity(self, velocity: Any, where: str) -> Any:
        if velocity is None:
            raise ModelError(f"{where}: give velocity=, the speed below which it is regularised")
        return positive(velocity, where, "velocity")

    # ------------------------------------------------------------------------------------------ motors and controllers

    def actuator(
        self,
        name: str,
        on: Any,
        force: Any,
        *,
        states: Mapping[str, float] | None = None,
        rates: Callable[..., Any] | None = None,
        sees: Mapping[str, Any] | None = None,
    ) -> Actuator:
        """A force or torque with states of its own: a motor, a controller, a hydraulic cylinder.

        It acts in the direction in which a coordinate grows, or pushes two markers apart::

            m.actuator("cylinder", (frame.at(0, 0), arm.at(1, 0)), lambda pressure, p: p.area * pressure,
                       states={"pressure": 2e5},
                       rates=lambda pressure, rate, w, p: p.bulk / p.volume * (w.valve - p.area * rate))

        :param on: a coordinate of a joint, a joint that has only one, or a pair of markers
        :param force: a law of ``angle``, ``displacement`` or ``length``, ``rate``, and the states by name
        :param states: names, and values at the start
        :param rates: function of the same that returns the rates of the states: in their order, or by name
        """
        where = f"actuator '{name}'"
        path = self._scalar(on, where)
        seen = Sees(sees, where)
        given = named(states, f"{where}: states", ModelError)
        values = {key: real(value, f"{where}: state '{key}'", ModelError) for key, value in given.items()}
        known = self._known(where, (path.argument, "rate"), seen)
        for key in values:
            if not key.isidentifier() or key in (*known, "t", "p", "w"):
                raise ModelError(f"{where}: '{key}' cannot be the name of a state; choose another")
        if bool(values) is not (rates is not None):
            raise ModelError(f"{where}: states= and rates=, a function for their rates, belong together")
        known += list(values)
        law = Law.of(force, where, "force", known, argument=path.argument)
        if rates is not None and not Law.of(rates, where, "rates", known).is_function:
            raise ModelError(f"{where}: rates must be a function")
        return self.add(Actuator(name, path, law, values, rates, seen))

    def dc_motor(
        self,
        name: str,
        on: Any,
        voltage: Any,
        *,
        resistance: Any,
        constant: Any,
        inductance: Any = 0.0,
        ratio: Any = 1.0,
        current: float = 0.0,
    ) -> DCMotor:
        """A DC motor on a joint: torque ratio·constant·current, inductance·d(current)/dt = voltage − resistance·current
        − constant·ratio·rate.

        :param voltage: a law of ``angle``, ``rate`` and ``current``; a table is over t
        :param constant: of the motor, in N m/A = V s/rad; ``ratio``: turns of the motor per turn of the joint
        :param inductance: without it there is no state, and the voltage cannot depend on the current
        :param current: at the start
        """
        where = f"DC motor '{name}'"
        path = coordinate_path(on, where)
        inductive = not is_number(inductance, 0.0)
        data = {
            "resistance": positive(resistance, where, "resistance"),
            "constant": number(constant, where, "constant"),
            "ratio": number(ratio, where, "ratio"),
        }
        if inductive:
            data["inductance"] = positive(inductance, where, "inductance")
        known = (path.argument, "rate", *(["current"] if inductive else []))
        law = Law.of(voltage, where, "voltage", known, argument="t")
        start = float(number(current, where, "current")) if inductive else None
        return self.add(DCMotor(name, path, data, law, start))

    def pid(self, name: str, on: Any, target: Any, *, kp: Any, ki: Any = 0.0, kd: Any = 0.0, filter: Any = 0.0) -> PID:
        """A controller that holds a coordinate at a target: kp·e + ki·∫e dt + kd·ė with the error e = target − value.

        Its output is the quantity ``force`` of the element, its states are ``name.integral`` and, with a filter,
        ``name.derivative``.  For limits of the output write an :meth:`actuator` with states of its own.

        :param on: a coordinate of a joint, a joint that has only one, or a pair of markers (their distance)
        :param target: a law of ``t``, ``w`` and ``p``; a table is over t
        :param filter: time constant of a low-pass filter in the derivative; none if zero
        """
        where = f"controller '{name}'"
        path = self._scalar(on, where)
        law = Law.of(target, where, "target", (), argument="t")
        data = {key: number(value, where, key) for key, value in (("kp", kp), ("ki", ki), ("kd", kd))}
        filtered = not is_number(filter, 0.0)
        if filtered:
            data["filter"] = positive(filter, where, "filter")
        return self.add(PID(name, path, law, data, filtered))
