"""Forces of a model, as methods."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from dalembert.arguments import flag, mapping, shown
from dalembert.errors import ModelError
from dalembert.model.bodies.parts import Body, Marker
from dalembert.model.forces.drive_builders import DriveBuilders
from dalembert.model.forces.forces import AppliedForce, AppliedTorque, ScalarForce, UserForce
from dalembert.model.forces.gear_mesh import GearMesh
from dalembert.model.forces.laws import (
    Law,
    Path,
    Sees,
    coordinate_of,
    coordinate_path,
    is_number,
    marker_of,
    matrix,
    number,
    two_markers,
)
from dalembert.model.forces.numeric_forces import NumericForce
from dalembert.model.forces.springs import Bushing, GearSpring, Spring
from dalembert.model.joints.joints import Joint, JointCoordinate


class ForceBuilders(DriveBuilders):
    """Forces between bodies and along coordinates of joints, in SI units.

    Where a *law* is asked for, it is a number, a parameter (``m.p.k``) or a function, called once with expressions for
    those quantities that its arguments name: always ``t``, ``p`` (parameters) and ``w`` (inputs), and what each method
    lists; write it with NumPy's functions.  A law can also be a table: a pair (x, y) of rows of numbers, joined by
    cubics that do not overshoot and continued along their end tangents, or what :func:`table` gives for other wishes.
    It is over the first quantity that the method lists, over ``t`` where a law has components; ``{"rate": (x, y)}``
    names another one, ``{("angle", "rate"): (x, y, z)}`` two with z[i, j] = f(x[i], y[j]).  Where a method
    has ``sees={"name": item}``, its laws may also ask for further quantities under names of your choice: of a joint or
    coordinate ``name`` and ``name_rate``; of a body or marker its place ``name``, ``name_velocity``, ``name_rotation``
    and ``name_angular_velocity``, in the plane also ``name_angle``; of any other quantity its value ``name``.  A
    quantity can be a law by itself: ``m.torque("servo", A, k * (target - A.angle))``.

    Angles count turns.  What is returned has quantities for sensors, such as ``force``.
    """

    # ------------------------------------------------------------------------------------------------------ springs

    def spring(
        self,
        name: str,
        first: Any,
        second: Any,
        stiffness: Any = 0.0,
        damping: Any = 0.0,
        *,
        length: Any = None,
        force: Any = 0.0,
        potential: Any = None,
        implicit: bool = False,
    ) -> Spring:
        """Spring, damper and any other force along the line between two markers.

        They are pulled together by stiffness·(distance − length) + damping·rate + force.

        :param length: natural length; needed where there is a stiffness
        :param damping: a number, or a table of the force over the rate
        :param force: a preload, or a law of ``length`` and ``rate`` (of the distance), or a table over the distance
        :param potential: of a force that is a function, if it has one: a law of ``length``, for the energy
        :param implicit: whether the damping is stiff: implicit–explicit methods take it at the end of a step

        The direction is lost where both points coincide, and the force is then not finite; only a spring of natural
        length 0 without damping and further force acts through zero length.
        """
        where = f"spring '{name}'"
        markers = two_markers(first, second, where)
        if length is None:
            if not is_number(stiffness, 0.0):
                raise ModelError(f"{where}: give length=, its natural length in metres")
            if all(is_number(one, 0.0) for one in (damping, force)):
                raise ModelError(
                    f"{where} has no force: give stiffness= and length=, its natural length in metres, damping= or "
                    "force="
                )
            length = 0.0
        return self._spring(
            name, Path("distance", "length", markers), stiffness, damping, length, force, potential, implicit
        )

    def joint_spring(
        self,
        name: str,
        on: Any,
        stiffness: Any = 0.0,
        damping: Any = 0.0,
        *,
        natural: Any = 0.0,
        force: Any = 0.0,
        potential: Any = None,
        implicit: bool = False,
    ) -> Spring:
        """Spring, damper and any other force along a coordinate of a joint.

        Against the growing coordinate acts stiffness·(coordinate − natural) + damping·rate + force.

        :param on: a coordinate, or a joint that has only one
        :param force: a preload, or a law of ``displacement`` (or ``angle``) and ``rate``, or a table over it
        :param potential: of a force that is a function, if it has one: a law of ``displacement`` (or ``angle``)
        :param implicit: whether the damping is stiff: implicit–explicit methods take it at the end of a step
        """
        path = coordinate_path(on, f"spring '{name}'")
        return self._spring(name, path, stiffness, damping, natural, force, potential, implicit)

    def torsion_spring(
        self,
        name: str,
        on: Any,
        stiffness: Any = 0.0,
        damping: Any = 0.0,
        *,
        natural: Any = 0.0,
        torque: Any = 0.0,
        potential: Any = None,
        implicit: bool = False,
    ) -> Spring:
        """Spring, damper and any other torque on an angle.

        Against the growing angle acts stiffness·(angle − natural) + damping·rate + torque.

        :param on: the angle of a joint, or a joint that has only one; in a planar model also a pair of bodies or
            markers, whose angle is that of the second relative to the first
        :param natural: angle at which the spring is at rest
        :param torque: a preload, or a law of ``angle`` and ``rate``, or a table over the angle
        :param potential: of a torque that is a function, if it has one: a law of ``angle``
        :param implicit: whether the damping is stiff: implicit–explicit methods take it at the end of a step
        """
        path = self._turning(on, f"spring '{name}'")
        return self._spring(name, path, stiffness, damping, natural, torque, potential, implicit)

    def _spring(
        self,
        name: str,
        path: Path,
        stiffness: Any,
        damping: Any,
        natural: Any,
        force: Any,
        potential: Any,
        implicit: bool,
    ) -> Spring:
        where = f"spring '{name}'"
        law = Law.of(force, where, "force", (path.argument, "rate"), argument=path.argument)
        energy = None if potential is None else Law.of(potential, where, "potential", (path.argument,))
        if energy is not None and not (law.is_function and energy.is_function):
            raise ModelError(f"{where}: a potential is a function that belongs to a force that is a function too")
        return self.add(
            Spring(
                name,
                path,
                number(stiffness, where, "stiffness"),
                self._damping(damping, where, path.argument),
                number(natural, where, f"natural {path.argument}"),
                law,
                energy,
                flag(implicit, f"{where}: implicit", ModelError),
            )
        )

    def gear_spring(
        self,
        name: str,
        first: Any,
        second: Any,
        ratio: Any,
        stiffness: Any = 0.0,
        damping: Any = 0.0,
        *,
        offset: Any = 0.0,
        torque: Any = 0.0,
        implicit: bool = False,
    ) -> GearSpring:
        """Compliance of a gear, belt or shaft between two coordinates of joints.

        The deflection is first − ratio·second − offset; against it acts stiffness·deflection + damping·rate + torque on
        the first coordinate, and ratio times the opposite on the second.

        :param ratio: velocity of the first over that of the second where nothing yields; negative for outer gears
        :param torque: a law of ``deflection`` and ``rate``, or a table, such as one that is zero within the backlash
        :param implicit: whether the damping is stiff: implicit–explicit methods take it at the end of a step
        """
        where = f"gear spring '{name}'"
        a, b = coordinate_of(first, where), coordinate_of(second, where)
        if a is b:
            raise ModelError(f"{where} acts between {a.name} and itself; it needs two coordinates")
        law = Law.of(torque, where, "torque", ("deflection", "rate"), argument="deflection")
        data = {"ratio": ratio, "stiffness": stiffness, "offset": offset}
        numbers = {key: number(value, where, key) for key, value in data.items()}
        stiff = flag(implicit, f"{where}: implicit", ModelError)
        return self.add(GearSpring(name, a, b, numbers, self._damping(damping, where, "deflection"), law, stiff))

    def gear_mesh(
        self,
        name: str,
        first: Any,
        second: Any,
        at: Any,
        radii: Mapping[Any, Any],
        stiffness: Any,
        damping: Any = 0.0,
        *,
        pressure: Any = 0.0,
    ) -> GearMesh:
        """Teeth that yield: a force between two gears at their pitch point, which loads their bearings.

        The deflection of the teeth is x = Σ radius·angle; (stiffness·x + damping·ẋ)·cos(pressure) acts on the first
        gear along z of the pitch point, in the plane along y, and against it on the second. A radius has the sign with
        which its angle moves the teeth of the first gear against the axis, or those of the second along it.

        :param at: the pitch point with its axes, on the housing or whatever else carries both gears
        :param radii: {coordinate: radius}: angles of joints with the radii of the gears that they turn, in m
        :param pressure: angle of pressure, rad
        """
        where = f"gear mesh '{name}'"
        gears = two_markers(first, second, where)
        turned = {
            coordinate_of(key, where, angle=True): number(value, where, "a radius")
            for key, value in mapping(radii, f"{where}: radii", ModelError).items()
        }
        if not turned:
            raise ModelError(f"{where} needs the angles of its gears: radii={{joint.angle: 0.1, …}}")
        if len(turned) < len(radii):
            raise ModelError(f"{where} names an angle twice, as itself and by its joint; give it one radius")
        data = {
            "stiffness": number(stiffness, where, "stiffness"), "damping": number(damping, where, "damping"),
            "cosine": np.cos(number(pressure, where, "pressure")),
        }  # fmt: skip
        return self.add(GearMesh(name, *gears, marker_of(at, where), turned, data))

    def _damping(self, damping: Any, where: str, argument: str) -> Law:
        """A number, or a table of the force over the rate."""
        law = Law.of(damping, where, "damping", ("rate", argument), argument="rate")
        if law.is_function:
            raise ModelError(f"{where}: damping must be a number or a table over the rate; a function is a force=")
        return law

    def bushing(
        self,
        name: str,
        first: Any,
        second: Any,
        stiffness: Any,
        damping: Any = None,
        *,
        preload: Any = None,
        implicit: bool = False,
    ) -> Bushing:
        """Elastic and damping forces in all directions between two markers.

        With the displacement x of the second marker relative to the first, in the axes of the first, three components
        of its place and three of its rotation vector, whose length is the angle and whose direction is the axis, the
        forces −(stiffness x + damping ẋ + preload) act along ẋ.  The rotation vector is exact for large angles up to
        half a turn, where it ends.  In a planar model x is (x, y, angle), and the angle counts turns.

        :param stiffness: six numbers or a 6×6 matrix (in the plane three, or 3×3); ``damping`` the same, none if left
            away; ``preload``: six (three) numbers.  A matrix that is not symmetric is taken as it is: its other part
            has no potential.
        :param implicit: whether the damping is stiff: implicit–explicit methods take it at the end of a step
        """
        where = f"bushing '{name}'"
        a, b = two_markers(first, second, where)
        size = 3 if self.planar else 6
        nothing = np.zeros(size)
        data = {
            "stiffness": matrix(stiffness, size, where, "stiffness"),
            "damping": matrix(nothing if damping is None else damping, size, where, "damping"),
            "preload": Law.of(nothing if preload is None else preload, where, "preload", (), size=size).given,
        }
        if callable(data["preload"]):
            raise ModelError(f"{where}: preload must be {size} numbers")
        return self.add(Bushing(name, a, b, data, flag(implicit, f"{where}: implicit", ModelError)))

    # ---------------------------------------------------------------------------------------------- applied forces

    def force(
        self,
        name: str,
        on: Any,
        force: Any,
        *,
        frame: Any = "world",
        reaction: Any = None,
        sees: Mapping[str, Any] | None = None,
    ) -> Any:
        """A force.

        :param on: a marker or body, which the force has components for; or a displacement of a joint, or a pair of
            markers: then it is one number in the direction of the growing displacement, or pushing them apart
        :param force: components (two in the plane), or a law that returns them, of ``position``, ``velocity`` (in the
            axes of the world), ``rotation`` (matrix) and ``angular_velocity`` (in those of the marker; a number in the
            plane), in the plane also ``angle``; or a law of ``displacement`` or ``length`` and ``rate``
        :param frame: axes of the components: "world", "body" (those of the marker itself), or those of another marker
        :param reaction: a body that the opposite force acts on, in the same line; nothing if left away
        """
        where = f"force '{name}'"
        seen = Sees(sees, where)
        path = self._line(on, where, angle=False)
        if path is not None:
            if not isinstance(frame, str) or frame != "world" or reaction is not None:
                raise ModelError(f"{where} acts along {path.argument}, where frame and reaction have no meaning")
            return self.add(ScalarForce(name, path, self._scalar_law(force, where, "force", path, seen), seen))
        marker = marker_of(on, where)
        law = self._vector_law(force, where, "force", seen, 2 if self.planar else 3)
        axes = self._frame(frame, marker, where)
        return self.add(AppliedForce(name, marker, law, axes, self._reaction(reaction, marker, where), seen))

    def torque(
        self,
        name: str,
        on: Any,
        torque: Any,
        *,
        frame: Any = None,
        reaction: Any = None,
        sees: Mapping[str, Any] | None = None,
    ) -> Any:
        """A torque: ``m.torque("motor", A, lambda t, angle, rate, p: p.stall - p.slope * rate)``.

        :param on: an angle of a joint, or a joint that has only one; or a body or marker; or a pair of bodies, of which
            the second gets the torque and the first its reaction
        :param torque: one number in the direction of the growing angle, or a law of ``angle`` and ``rate``, on angles
            of joints and in the plane; on bodies in space three components, or a law of ``position``, ``velocity``,
            ``rotation`` and ``angular_velocity`` as for forces
        :param frame: in space, axes of the components: "world" (unless ``on`` is a pair, where it is the first marker),
            "body" (those of the marker itself), or those of another marker
        :param reaction: a body that the opposite torque acts on; nothing if left away
        """
        where = f"torque '{name}'"
        seen = Sees(sees, where)
        if self.planar or isinstance(on, (Joint, JointCoordinate)):
            if frame is not None or (reaction is not None and not isinstance(on, (Body, Marker))):
                raise ModelError(f"{where} acts on an angle, where frame and reaction have no meaning")
            if isinstance(on, (Body, Marker)):
                on = (self.ground if reaction is None else reaction, on)
            path = self._turning(on, where)
            return self.add(
                ScalarForce(name, path, self._scalar_law(torque, where, "torque", path, seen), seen, "torque")
            )
        if isinstance(on, (tuple, list)) and len(on) == 2:
            if reaction is not None:
                raise ModelError(f"{where}: the reaction acts on the first of the pair; leave reaction away")
            other, marker = two_markers(on[0], on[1], where)
            reacting: Marker | None = other
            frame = other if frame is None else frame
        else:
            marker = marker_of(on, where)
            reacting = self._reaction(reaction, marker, where)
        law = self._vector_law(torque, where, "torque", seen, 3)
        axes = self._frame("world" if frame is None else frame, marker, where)
        return self.add(AppliedTorque(name, marker, law, axes, reacting, seen))

    def _frame(self, frame: Any, marker: Marker, where: str) -> Any:
        if isinstance(frame, str):
            if frame not in ("world", "body"):
                raise ModelError(f"{where}: frame must be 'world', 'body' or a marker, got {shown(frame)}")
            return "own" if frame == "body" else frame
        found = marker_of(frame, where)
        return "own" if found is marker else found

    def _reaction(self, reaction: Any, marker: Marker, where: str) -> Marker | None:
        return None if reaction is None else two_markers(marker, reaction, where)[1]

    # ------------------------------------------------------------------------------------------------- written by users

    def user_force(
        self, name: str, on: Any, function: Callable[..., Any], *, potential: Callable[..., Any] | None = None
    ) -> UserForce:
        """A force in terms of frames: the function returns pairs of a force and a velocity, a moment and an angular
        velocity, or a scalar force and a rate, whose products are the power put into the motion::

            def magnet(A, B, t, p):
                r = A.to(B)
                F = (p.strength / r.dot(r) ** 1.5) * r
                return [(F, A.velocity), (-F, B.velocity)]

            m.user_force("magnet", [body.at(0, 0), m.ground.at(1, 0)], magnet)

        :param on: markers or bodies, which arrive as :class:`Frame`, and coordinates of joints, which arrive with
            ``value`` and ``rate``: as the arguments in this order, besides ``t``, ``p`` and ``w``
        :param potential: function of the same that returns the potential energy, if there is one
        """
        return self.add(UserForce(name, on, function, potential))

    def numeric_force(
        self, name: str, on: Any, function: Callable[..., Any], *, depends: Mapping[str, Any] | None = None
    ) -> NumericForce:
        """A black box: a Python function that is called with numbers at every evaluation.

        :param on: markers or bodies, and coordinates of joints
        :param function: it asks by the names of its arguments for ``t``, ``p``, ``w``; of the n markers for
            ``positions`` and ``velocities``, (n, 3) or (n, 2) in the axes of the world, ``rotations`` (n, 3, 3) or in
            the plane ``angles`` (n,), ``angular_velocities`` (n, 3) in the axes of the world or (n,); of the k
            coordinates for ``values`` and ``rates``, (k,).  It returns the forces on the markers, (n, 3) or (n, 2) in
            the axes of the world, or with coordinates alone the forces along them, (k,); or a dictionary of "forces",
            "torques" and "along"
        :param depends: on which markers or coordinates the force on each of them depends, matrices of truth values by
            the names of arguments: rows are the markers and coordinates, columns those that the argument is of,
            ``{"values": np.eye(k)}``; by what is left away each force depends on all.  Fewer evaluations are needed
            then for a Jacobian.  It is checked at the start of a run

        Slower by orders of magnitude than traced forces; derivatives are finite differences, so it should be smooth.
        """
        return self.add(NumericForce(name, on, function, depends))
