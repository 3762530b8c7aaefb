"""Rolling without slipping, and blades: constraints on velocities that no position constraint stands for.

Multipliers are the components of the force that the constraint exerts on the wheel, ball or blade.
"""

from __future__ import annotations

from typing import Any

from dalembert.model.bodies.parts import Marker
from dalembert.model.constraints.constraints import Constraint
from dalembert.model.element import Row, Site
from dalembert.model.frames import Frame
from dalembert.symbolic import sqrt


class KnifeEdge(Constraint):
    """No velocity along the y axis of a marker, as seen from the body that it moves on."""

    kind = "knife edge"
    moving_rows = ("y",)

    def velocity_constraints(self, at: Site) -> list[Any]:
        A, B = at.frames
        return [-A.velocity_of(B).dot(B.y)]


class RollingDisc(Constraint):
    """A thin disc about the z axis of a marker rolls on the xy plane of another, upright or tilted.

    With the normal n of the plane and the axle a, both unit vectors, and s = |a × n|, the centre is above the point of
    contact by r u with u = (n − (n·a) a)/s, so that its height is r n·u = r s.  The point of the disc that is in
    contact has the velocity v + w × (−r u) relative to the plane: none along t = (a × n)/s, the direction in which the
    disc rolls, and none across it.  Its component along n is the rate of the height of contact.
    """

    kind = "rolling disc"
    rows = ("normal",)
    moving_rows = ("along", "across")

    def __init__(self, name: str, plane: Marker, wheel: Marker, radius: Any) -> None:
        super().__init__(name, (plane, wheel), data={"radius": radius})

    def _contact(self, at: Site) -> tuple[Frame, Any, Any, Any]:
        """Frame of the plane, tilt s, t/s scaled as a × n, velocity of the disc at the contact."""
        A, B = at.frames
        n, a = A.z.express(), B.z
        cosine = n.dot(a)
        s = sqrt(1.0 - cosine * cosine)
        up = (n - a * cosine) / s
        slip = A.velocity_of(B) - A.turning_of(B).cross(up) * at.data.radius
        return A, s, a.cross(n) / s, slip

    def constraints(self, at: Site) -> list[Row]:
        A, s, _, slip = self._contact(at)
        return [Row(at.data.radius * s - A.to(at.frames[1]).dot(A.z), -slip.dot(A.z))]

    def velocity_constraints(self, at: Site) -> list[Any]:
        A, _, t, slip = self._contact(at)
        return [-slip.dot(t), -slip.dot(A.z.cross(t))]


class RollingBall(Constraint):
    """A ball about the origin of a marker rolls on the xy plane of another; it may spin about the normal."""

    kind = "rolling ball"
    rows = ("normal",)
    moving_rows = ("x", "y")

    def __init__(self, name: str, plane: Marker, ball: Marker, radius: Any) -> None:
        super().__init__(name, (plane, ball), data={"radius": radius})

    def constraints(self, at: Site) -> list[Row]:
        A, B = at.frames
        return [Row(at.data.radius - A.to(B).dot(A.z), -A.velocity_of(B).dot(A.z))]

    def velocity_constraints(self, at: Site) -> list[Any]:
        A, B = at.frames
        slip = A.velocity_of(B) - A.turning_of(B).cross(A.z) * at.data.radius
        return [-slip.dot(A.x), -slip.dot(A.y)]


class RollingWheel(Constraint):
    """In the plane: a wheel about the origin of a marker rolls on the x axis of another, on the side of its y axis.

    x + r φ is constant; where the constant is known this is a position constraint, otherwise one on velocities.
    """

    kind = "rolling disc"

    def __init__(self, name: str, line: Marker, wheel: Marker, radius: Any, offset: Any) -> None:
        known = offset is not None
        super().__init__(
            name, (line, wheel), data={"radius": radius, **({"offset": offset} if known else {})}, variant=known
        )
        self.rows, self.moving_rows = (("normal", "along"), ()) if known else (("normal",), ("along",))

    def constraints(self, at: Site) -> list[Row]:
        A, B = at.frames
        rows = [Row(at.data.radius - A.to(B).dot(A.y), -A.velocity_of(B).dot(A.y))]
        if not self.moving_rows:
            angle = B.angle - A.angle
            rows.append(Row(at.data.offset - A.to(B).dot(A.x) - at.data.radius * angle, self._slip(at)))
        return rows

    def velocity_constraints(self, at: Site) -> list[Any]:
        return [self._slip(at)] if self.moving_rows else []

    def _slip(self, at: Site) -> Any:
        A, B = at.frames
        turning = A.turning_of(B).dot(A.z)
        return -A.velocity_of(B).dot(A.x) - at.data.radius * turning
