"""Constraints of a model, as methods."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dalembert.arguments import flag, real, reals, shown, texts
from dalembert.errors import ModelError
from dalembert.model.bodies.parts import Body, Marker
from dalembert.model.constraints import constraints, drives, point_curves, rolling
from dalembert.model.constraints.constraints import Constraint
from dalembert.model.constraints.drives import Prescription
from dalembert.model.description import Description
from dalembert.model.forces.laws import Law, Table, coordinate_of, marker_of, number, positive, two_markers
from dalembert.model.joints.joints import JointCoordinate


class ConstraintBuilders(Description):
    """Constraints that are no joints.

    What a constraint exerts is its ``force``, a quantity for sensors: one component per row.
    """

    # --------------------------------------------------------------------------------------- drives and couplings

    def drive(
        self, name: str, driven: Any, law: Any, *, breaks: Sequence[float] = (), impulse: bool = False
    ) -> Constraint:
        """Prescribe a coordinate of a joint, or the distance of two markers, as a function of time (rheonomic).

        :param driven: a coordinate such as ``A.angle``, a joint that has only one, or a pair of markers
        :param law: a function of ``t`` (and ``p``, ``w``) with two derivatives; a number; or a table (t, values)
        :param breaks: further instants at which a derivative of the law jumps, if there are any: those of tables,
            comparisons, ``minimum``, ``%`` and ``floor`` of time are found
        :param impulse: what a jump of its rate means: velocities change at once by an impulse that the drive exerts,
            M Δv = −Gᵀ Λ.  Otherwise such a law is refused when it is simulated, as is any whose value jumps

        The ``force`` of a drive is the moment or force that it needs; that of a distance is the tension.
        """
        where = f"drive '{name}'"
        if isinstance(driven, (tuple, list)) and len(driven) == 2:
            self._not_driven(name, driven)
            return self.distance(name, driven[0], driven[1], law, breaks=breaks, impulse=impulse)
        coordinate = coordinate_of(driven, where)
        self._not_driven(name, coordinate)
        made = Law.of(law, where, "its law", (), argument="t")
        return self.add(drives.Drive(name, coordinate, made, breaks, flag(impulse, f"{where}: impulse", ModelError)))

    def prescribe(self, name: str, driven: Any, law: Any, *, breaks: Sequence[float] = ()) -> Prescription:
        """A coordinate of a joint that is a function of time, and no unknown: it has no velocity and no multiplier.

        In relative coordinates on one graph (``builder="symbolic"``), where the joint is in the tree; elsewhere it is
        a drive, a constraint with the same motion, and ``equations.how.why`` says so.

        :param driven: a coordinate such as ``A.angle``, or a joint that has only one; ``A.prescribe(law)`` is the same,
            with a name made of that of the coordinate
        :param law: a function of ``t`` (and ``p``, ``w``) with two derivatives; a number; or a table (t, values)
        :param breaks: further instants at which the second derivative of the law jumps, as for :meth:`drive`

        ``force`` is the moment or force that the motion needs, from the balance of all others.
        """
        where = f"prescribed motion '{name}'"
        coordinate = coordinate_of(driven, where)
        self._not_driven(name, coordinate)
        made = Law.of(law, where, "its law", (), argument="t")
        return self.add(Prescription(name, coordinate, made, breaks))

    def _not_driven(self, name: str, driven: Any) -> None:
        """Complain about a second drive of the same thing."""
        for other in self.elements:
            if isinstance(other, drives.Drive) and other.coordinates == (driven,):
                raise ModelError(
                    f"{driven.name} is driven twice, by '{other.name}' and by '{name}'; remove one of the drives, "
                    "or make one law of both"
                )
            if isinstance(other, constraints.Distance) and isinstance(driven, (tuple, list)):
                if {_place(marker) for marker in other.markers} == {_place(marker_of(item, name)) for item in driven}:
                    raise ModelError(
                        f"the distance of the same two points is given twice, by '{other.name}' and by '{name}'; "
                        "remove one of them"
                    )

    def coupling(self, name: str, coordinates: Any, relation: Any = 0.0) -> Constraint:
        """Couple coordinates of joints.

        Linear: ``coupling("c", {A.angle: 2.0, B.displacement: -1.0}, 0.3)`` means 2·angle − displacement = 0.3.
        Any other: ``coupling("c", [A.angle, B.angle], lambda a, b: b - np.sin(a))`` means f(a, b) = 0; the function
        has the coordinates as its arguments, in this order, and may ask for ``t``, ``p`` and ``w`` besides.
        """
        where = f"coupling '{name}'"
        if isinstance(coordinates, Mapping):
            factors = {
                coordinate_of(key, where): number(value, where, "a factor") for key, value in coordinates.items()
            }
            if len(factors) < len(coordinates):
                raise ModelError(f"{where} names a coordinate twice, as itself and by its joint; give it one factor")
            if not factors:
                raise ModelError(f"{where} needs coordinates, such as {{A.angle: 1.0, B.angle: -2.0}}")
            if callable(relation):
                raise ModelError(f"{where}: give a list of coordinates with a function, or factors with a number")
            return self.add(drives.Coupling(name, factors, number(relation, where, "the constant")))
        if not isinstance(coordinates, (list, tuple)) or not callable(relation):
            raise ModelError(
                f"{where} needs {{coordinate: factor, …}} and a number, or [coordinate, …] and a function of them"
            )
        listed = [coordinate_of(item, where) for item in coordinates]
        arguments = drives.coordinate_arguments(relation, where)
        if len(arguments) != len(listed):
            raise ModelError(
                f"{where} has {len(listed)} coordinates, but its function has the arguments ({', '.join(arguments)}); "
                "they must be as many"
            )
        return self.add(drives.CurvedCoupling(name, listed, relation))

    def gear(self, name: str, first: Any, second: Any, ratio: Any, offset: Any = 0.0) -> Constraint:
        """Gear between two joints: angle₁ = ratio · angle₂ + offset.

        The ratio is that of the angular velocities, first to second; it is negative where wheels mesh outside.  Both
        angles are relative to the first bodies of the joints: usually one housing, or the carrier of a planetary gear.
        """
        where = f"gear '{name}'"
        a, b = coordinate_of(first, where, angle=True), coordinate_of(second, where, angle=True)
        if a is b:
            raise ModelError(f"{where} couples {a.name} with itself; it needs two joints")
        factors = {a: 1.0, b: -_nonzero(ratio, where, "the ratio")}
        return self.add(drives.Gear(name, factors, number(offset, where, "the offset")))

    def rack_and_pinion(self, name: str, pinion: Any, rack: Any, radius: Any, offset: Any = 0.0) -> Constraint:
        """Rack and pinion: displacement = radius · angle + offset; a negative radius for a rack on the other side."""
        where = f"rack and pinion '{name}'"
        angle, displacement = coordinate_of(pinion, where, angle=True), coordinate_of(rack, where, angle=False)
        factors = {displacement: 1.0, angle: -_nonzero(radius, where, "the radius")}
        return self.add(drives.RackAndPinion(name, factors, number(offset, where, "the offset")))

    # -------------------------------------------------------------------------------------- points and directions

    def distance(
        self,
        name: str,
        first: Any,
        second: Any,
        length: Any,
        *,
        breaks: Sequence[float] = (),
        impulse: bool = False,
    ) -> Constraint:
        """Massless rod between the points of two markers (Φss): a number, or a function of ``t`` (``p``, ``w``).

        Its ``force`` is the tension.  ``breaks`` and ``impulse`` are as for :meth:`drive`.  The length must stay
        positive; for points that coincide see :meth:`coincident`.
        """
        where = f"distance '{name}'"
        a, b = two_markers(first, second, where)
        law = Law.of(length, where, "its length", (), argument="t")
        if not law.is_function and not law.is_table:
            positive(length, where, "its length")
        return self.add(constraints.Distance(name, a, b, law, breaks, flag(impulse, f"{where}: impulse", ModelError)))

    def coincident(self, name: str, first: Any, second: Any) -> Constraint:
        """The points of two markers are the same (Φs): a ball joint without coordinates, in the plane a pin."""
        return self.add(constraints.Coincident(name, *two_markers(first, second, f"coincident points '{name}'")))

    def perpendicular(self, name: str, first: Any, second: Any) -> Constraint:
        """The z axes of two markers are perpendicular (Φd1); ``body.at(0, 0, 0, axis=…)`` gives them directions."""
        return self._of_axes(constraints.Perpendicular, name, first, second)

    def parallel(self, name: str, first: Any, second: Any) -> Constraint:
        """The z axes of two markers are parallel (Φd1 twice)."""
        return self._of_axes(constraints.Parallel, name, first, second)

    def _of_axes(self, kind: type[Constraint], name: str, first: Any, second: Any) -> Constraint:
        where = f"{kind.kind} '{name}'"
        if self.planar:
            raise ModelError(f"{where}: all z axes are parallel in the plane; use orientation, which locks an angle")
        return self.add(kind(name, two_markers(first, second, where)))

    def orientation(self, name: str, first: Any, second: Any) -> Constraint:
        """Two markers have parallel axes, all three (Φd1 three times); in the plane, the same angle."""
        return self.add(constraints.Orientation(name, *two_markers(first, second, f"orientation lock '{name}'")))

    def point_on_line(self, name: str, line: Any, point: Any) -> Constraint:
        """The point of a marker stays on the z axis of another (in-line; Φd2 twice); in the plane on its x axis."""
        return self.add(constraints.PointOnLine(name, *two_markers(line, point, f"point on a line '{name}'")))

    def point_on_plane(
        self,
        name: str,
        plane: Any,
        point: Any,
        height: Any = 0.0,
        *,
        breaks: Sequence[float] = (),
        impulse: bool = False,
    ) -> Constraint:
        """The point of a marker stays in the xy plane of another (in-plane; Φd2), or at a height over it: a number, or
        a function of ``t`` (``p``, ``w``), as of a stamp that moves it.  ``breaks`` and ``impulse`` are as for
        :meth:`drive`."""
        where = f"point on a plane '{name}'"
        if self.planar:
            raise ModelError(f"{where} needs space; in a planar model use point_on_line")
        markers = two_markers(plane, point, where)
        law = Law.of(height, where, "the height", (), argument="t")
        jumps = flag(impulse, f"{where}: impulse", ModelError)
        return self.add(constraints.PointOnPlane(name, *markers, law, breaks, jumps))

    def point_on_curve(
        self,
        name: str,
        frame: Any,
        point: Any,
        *,
        y: Any = None,
        z: Any = None,
        implicit: Any = None,
        curve: Any = None,
        points: Any = None,
        parameter: Any = None,
        start: float | None = None,
        between: tuple[float, float] | None = None,
        up: Any = (0.0, 0.0, 1.0),
    ) -> Constraint:
        """The point of a marker stays on a curve (or surface) that is fixed in the frame of another.

        The curve is given in one of these forms:

        - ``y=lambda x: …``, in space with ``z=lambda x: …`` too: a curve that does not turn back in x;
        - ``implicit=lambda x, y: …``: F = 0; in space ``lambda x, y, z: …`` for a surface, two of them for a curve;
        - ``points=[…]``: a cubic spline through points; where x does not grow from point to point it is a curve of s,
          the length of the polygon through them;
        - ``curve=lambda s: (x, y)``, in space with three components.  s is an auxiliary variable, the foot of the
          point on the curve.  It is looked for from ``start`` on, or by a search ``between`` two values.  In space the
          tangent must never have the direction ``up``;
        - ``curve`` or ``points`` with ``parameter=`` a coordinate of a joint as s.

        Functions may ask for ``t``, ``p`` and ``w`` besides.
        """
        where = f"point on a curve '{name}'"
        a, b = two_markers(frame, point, where)
        size = 2 if self.planar else 3
        graph = y is not None or z is not None
        if sum((graph, implicit is not None, curve is not None, points is not None)) != 1:
            raise ModelError(f"{where}: give one of y (and z), implicit, curve and points")
        if parameter is not None and curve is None and points is None:
            raise ModelError(f"{where}: a parameter belongs to curve=… or points=…")
        if implicit is not None:
            functions = tuple(implicit) if isinstance(implicit, (list, tuple)) else (implicit,)
            if not 1 <= len(functions) < size:
                raise ModelError(f"{where}: implicit needs {'one function' if size == 2 else 'one or two functions'}")
            for function in functions:
                Law.of(_function(function, where, "implicit"), where, "implicit", "xyz"[:size])
            return self.add(point_curves.OnSurface(name, a, b, functions))
        if graph:
            laws = {key: law for key, law in (("y", y), ("z", z)) if law is not None}
            if "z" in laws and self.planar:
                raise ModelError(f"{where}: there is no z in a planar model")
            for key, law in laws.items():
                rows = isinstance(law, (tuple, list, Mapping))
                made = Law.of(law if rows else _function(law, where, key), where, key, ("x",), argument="x")
                if isinstance(made.given, Table):
                    laws[key] = made.given.polynomial
            return self.add(point_curves.OnGraph(name, a, b, laws))
        if parameter is None:
            up = None if self.planar else self.vector(up, f"{where}: up")
            begin = None if start is None else real(start, f"{where}: start", ModelError)
            if curve is None and not point_curves.turns_back(points, size, where):
                return self.add(point_curves.OnGraph(name, a, b, point_curves.graphs_through(points, size, where)))
            if curve is None:
                tables = point_curves.curve_through(points, size, where)
                ends = float(tables[0].breaks[0]), float(tables[0].breaks[-1])
                return self.add(point_curves.FootOnCurve(name, a, b, tables, begin, ends, up))
            Law.of(_function(curve, where, "curve"), where, "curve", ("s",))
            span = None if between is None else _span(between, where)
            return self.add(point_curves.FootOnCurve(name, a, b, curve, begin, span, up))
        chosen = coordinate_of(parameter, where)
        if curve is None:
            return self.add(
                point_curves.OnParametricCurve(name, a, b, point_curves.curve_through(points, size, where), chosen)
            )
        Law.of(_function(curve, where, "curve"), where, "curve", ("s",))
        return self.add(point_curves.OnParametricCurve(name, a, b, curve, chosen))

    # ------------------------------------------------------------------------------------------ rolling and blades

    def knife_edge(self, name: str, blade: Any, on: Any = None) -> Constraint:
        """A blade: no velocity of the marker's point along its y axis, relative to the ground or the body ``on``."""
        return self.add(rolling.KnifeEdge(name, self._on(on, blade, f"knife edge '{name}'")))

    def rolling_disc(self, name: str, wheel: Any, radius: Any, on: Any = None, *, offset: Any = None) -> Constraint:
        """A thin disc rolls without slipping, upright or tilted, on the xy plane of ``on`` (the ground's unless given).

        :param wheel: marker at the centre; its z axis is the axle
        :param offset: only in the plane, where a wheel rolls on the x axis of ``on``: the constant of
            x + radius · angle, with which rolling is a position constraint; without it the wheel may start anywhere

        Components of ``force`` on the disc: ``normal``, ``along`` the way that it rolls, and ``across``.
        """
        where = f"rolling disc '{name}'"
        plane, marker = self._on(on, wheel, where)
        r = positive(radius, where, "the radius")
        if self.planar:
            constant = None if offset is None else number(offset, where, "the offset")
            return self.add(rolling.RollingWheel(name, plane, marker, r, constant))
        if offset is not None:
            raise ModelError(f"{where}: rolling in space is nonholonomic and has no offset")
        return self.add(rolling.RollingDisc(name, plane, marker, r))

    def rolling_ball(self, name: str, ball: Any, radius: Any, on: Any = None) -> Constraint:
        """A ball rolls without slipping on the xy plane of ``on`` (the ground's unless given), free to spin about the
        normal.  Components of ``force`` on the ball: ``normal``, ``x``, ``y`` in the axes of ``on``."""
        where = f"rolling ball '{name}'"
        if self.planar:
            raise ModelError(f"{where} needs space; in a planar model use rolling_disc")
        return self.add(rolling.RollingBall(name, *self._on(on, ball, where), positive(radius, where, "the radius")))

    def _on(self, on: Any, moving: Any, where: str) -> tuple[Marker, Marker]:
        return two_markers(self.ground if on is None else on, moving, where)

    # ---------------------------------------------------------------------------------------------- of the user

    def constraint(
        self, name: str, function: Callable[..., Any], rows: Sequence[str] = ("value",), **parts: Any
    ) -> Constraint:
        """A position constraint of your own: a function of markers and coordinates that shall vanish.

        ::

            m.constraint("slot", lambda pin, slot: slot.to(pin).dot(slot.y), pin=rod.at(1, 0), slot=m.ground.at(0, 0))

        Markers arrive as frames (:class:`Frame`: ``x``, ``y``, ``z``, ``to``, ``position``, ``rotation`` …),
        coordinates as numbers; ``t``, ``p`` and ``w`` may be asked for besides.  ``rows`` names the components of the
        result.  Rates are derived, unless the function returns :class:`Row` with a shorter form.
        """
        return self.add(constraints.Written(name, *self._written(name, function, parts, False), _rows(rows, name)))

    def velocity_constraint(
        self, name: str, function: Callable[..., Any], rows: Sequence[str] = ("value",), **parts: Any
    ) -> Constraint:
        """A constraint of your own that is linear in the velocities, as nonholonomic ones are.

        ::

            m.velocity_constraint("blade", lambda skate: skate.velocity.dot(skate.y), skate=sledge.at(0, 0))

        As :meth:`constraint`; the rate of a coordinate ``a`` is ``a_rate``.
        """
        given = self._written(name, function, parts, True)
        return self.add(constraints.WrittenOnVelocities(name, *given, _rows(rows, name)))

    def _written(
        self, name: str, function: Any, parts: Mapping[str, Any], rates: bool
    ) -> tuple[Callable[..., Any], dict[str, Marker | JointCoordinate]]:
        where = f"constraint '{name}'"
        if not parts:
            raise ModelError(f"{where} needs markers or coordinates: constraint(name, function, a=body.at(0, 0), …)")
        found: dict[str, Marker | JointCoordinate] = {}
        known: list[str] = []
        for key, item in parts.items():
            if key in ("t", "p", "w"):
                raise ModelError(f"{where}: '{key}' is not free as a name; choose another")
            marker = isinstance(item, (Marker, Body))
            found[key] = marker_of(item, where) if marker else coordinate_of(item, where)
            known += [key] if marker or not rates else [key, f"{key}_rate"]
        Law.of(_function(function, where, "function"), where, "function", known)
        return function, found


def _place(marker: Marker) -> tuple[str, tuple[Any, ...]]:
    """Body and point: the same for markers at the same place."""
    return marker.body.name, tuple(marker.r)


def _nonzero(value: Any, where: str, what: str) -> Any:
    found = number(value, where, what)
    if isinstance(found, float) and found == 0.0:
        raise ModelError(f"{where}: {what} must not be zero")
    return found


def _function(value: Any, where: str, what: str) -> Any:
    if not callable(value):
        raise ModelError(f"{where}: {what} must be a function, got {shown(value)}")
    return value


def _rows(rows: Any, name: str) -> tuple[str, ...]:
    names = (rows,) if isinstance(rows, str) else texts(rows, f"constraint '{name}': rows", ModelError)
    if not names or len(set(names)) != len(names):
        raise ModelError(
            f"constraint '{name}': rows must be different names, one for each component; got {shown(rows)}"
        )
    return names


def _span(between: Any, where: str) -> tuple[float, float]:
    """Two values in their order."""
    found = reals(between, f"{where}: between", ModelError, ndim=1, finite=True)
    if found.shape != (2,) or not found[0] < found[1]:
        raise ModelError(f"{where}: between must be two rising values of s, got {shown(between)}")
    return float(found[0]), float(found[1])
