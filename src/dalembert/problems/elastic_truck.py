"""The truck of Rheinboldt and Simeon with an elastic loading area, in dimensions and first frequency; data assumed.

The truck with engine and seat (:mod:`dalembert.problems.surrogate_truck`) with a second rear axle (8), a load (9), and
a loading area (5) of plane-stress triangles.  Points of it are r = r_5 + R(φ_5)(X + u): with η = X + u of all nodes,
the consistent mass M̂ of the mesh, J a quarter turn, and d = ∫ η dm,

    M = [ m 1       R J d     R ∫Φ     ]      f = [ φ̇² R d − 2 φ̇ R J ∫Φ u̇ + m g   ]
        [ .         ηᵀ M̂ η    (J η)ᵀ M̂ ]          [ −2 φ̇ ηᵀ M̂ u̇ + (R J d)·g       ]
        [ .         .         M̂        ]          [ M̂ (φ̇² η − 2 φ̇ J u̇) + (R∫Φ)ᵀ g − K u ]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from dalembert.arguments import real, whole
from dalembert.problems.planar_truck import BodyMotion, Force, air_spring, arm, linear, outline, resultants
from dalembert.problems.problem import Points, Problem, ProblemError, Reference, polyline, scipy_module
from dalembert.problems.surrogate_truck import ASSUMED, KEPT, MEASURED, measured, product, step

Floats = npt.NDArray[np.float64]

STORY = """\
A truck with three axles drives over a rough road. Its loading area is an elastic plate of 99 free nodes, hinged to the
chassis behind and carried by a spring in front; the load is pinned to it and rests on a roller. Chassis, cabin, engine,
seat, axles and load are rigid. The dimensions are those of Rheinboldt and Simeon, 8 rigid bodies with 16 coordinates,
198 elastic coordinates, 5 constraints and 100.43 rad/s as the first frequency of the elastic body; mesh, material, load
and road were never published and are assumed here, so that results are comparable with none published. Linear triangles
are too stiff in bending: the same plate has 73.7 rad/s with quadratic ones.
"""

CITATION = """\
Dimensions: W. C. Rheinboldt, B. Simeon, On computing smooth solutions of DAE's for elastic multibody systems, section \
5. Data: assumed, after E. Eich-Soellner, C. Führer, Numerical Methods in Multibody Dynamics, Teubner 1998.
"""

RIGID = (
    "z1", "z2", "phi2", "z3", "z4", "phi4", "x5", "z5", "phi5", "z6", "phi6", "z7", "z8", "x9", "z9", "phi9",
)  # fmt: skip
X5, Z5, PHI5, X9, Z9, PHI9 = (RIGID.index(name) for name in ("x5", "z5", "phi5", "x9", "z9", "phi9"))
N_RIGID = len(RIGID)

#: Cells of the loading area along x and z, its corners from the centre of gravity of loading area and load, its width
#: and mass; E makes the first frequency 100.43 rad/s with these triangles.
CELLS, LEFT, RIGHT, BOTTOM, TOP, WIDTH = (33, 2), -2.6, 3.2, -0.75, -0.40, 2.4
AREA_MASS, YOUNG, POISSON = 3515.0, 1.5822389465e10, 0.3
CLAMPED_COLUMN = 6
#: Where that centre of gravity is in the equilibrium.
CENTRE = (-1.46, 2.9)


@dataclass(frozen=True, eq=False)
class LoadingArea:
    """Nodes from the origin of the body frame, the middle of the clamped section; matrices, two rows per node."""

    X: Floats  # (n, 2)
    triangles: npt.NDArray[np.int64]
    M: Floats
    K: Floats
    free: npt.NDArray[np.int64]  # rows of nodes that are not clamped
    origin: tuple[float, float]  # from the centre of gravity of loading area and load

    def node(self, x: float, z: float) -> int:
        """The node nearest to a place from the centre of gravity."""
        return int(np.argmin(np.hypot(*(self.X + self.origin - (x, z)).T)))

    @cached_property
    def places(self) -> dict[int, int]:
        """Rows that are not clamped → places among the coordinates of the truck."""
        return {int(row): N_RIGID + k for k, row in enumerate(self.free)}


def triangle(corners: Floats, thickness: float, density: float) -> tuple[Floats, Floats]:
    """Consistent mass and plane-stress stiffness of the linear triangle."""
    (x1, y1), (x2, y2), (x3, y3) = corners
    area = 0.5 * ((x2 - x1) * (y3 - y1) - (x3 - x1) * (y2 - y1))
    b, c = np.array([y2 - y3, y3 - y1, y1 - y2]), np.array([x3 - x2, x1 - x3, x2 - x1])
    B = np.zeros((3, 6))
    B[0, 0::2], B[1, 1::2], B[2, 0::2], B[2, 1::2] = b, c, c, b
    B /= 2.0 * area
    elastic = YOUNG / (1.0 - POISSON**2) * np.array([[1, POISSON, 0], [POISSON, 1, 0], [0, 0, 0.5 * (1 - POISSON)]])
    mass = density * thickness * area / 12.0 * np.kron(np.ones((3, 3)) + np.eye(3), np.eye(2))
    return mass, thickness * area * B.T @ elastic @ B


@cache
def loading_area() -> LoadingArea:
    """The mesh, cells divided by diagonals from lower left to upper right."""
    (nx, nz) = CELLS
    places = [(x, z) for x in np.linspace(LEFT, RIGHT, nx + 1) for z in np.linspace(BOTTOM, TOP, nz + 1)]
    corner = np.add.outer((nz + 1) * np.arange(nx), np.arange(nz)).ravel()
    a, b, c, d = corner, corner + nz + 1, corner + nz + 2, corner + 1
    triangles = np.concatenate([np.column_stack([a, b, c]), np.column_stack([a, c, d])])
    X = np.array(places)
    n = 2 * len(X)
    M, K = np.zeros((n, n)), np.zeros((n, n))
    density = AREA_MASS / ((RIGHT - LEFT) * (TOP - BOTTOM) * WIDTH)
    for nodes in triangles:
        rows = np.column_stack([2 * nodes, 2 * nodes + 1]).ravel()
        mass, stiffness = triangle(X[nodes], WIDTH, density)
        M[np.ix_(rows, rows)] += mass
        K[np.ix_(rows, rows)] += stiffness
    clamped = (nz + 1) * CLAMPED_COLUMN + np.arange(nz + 1)
    free = np.setdiff1d(np.arange(n), np.concatenate([2 * clamped, 2 * clamped + 1]))
    origin = X[clamped].mean(axis=0)
    return LoadingArea(X - origin, triangles, M, K, free, (float(origin[0]), float(origin[1])))


def times(matrix: Floats, x: Any) -> Any:
    """Matrix times vector with what is not zero, so that atoms are few."""
    found = []
    for row in matrix:
        (columns,) = np.nonzero(row)
        found.append(
            sum((row[j] * x[j] for j in columns[1:]), row[columns[0]] * x[columns[0]]) if len(columns) else 0.0
        )
    return np.array(found)


class Area:
    """The loading area as a body: inertia and forces on (x5, z5, φ5) and on elastic coordinates x, u = B x."""

    def __init__(self, area: LoadingArea, modes: int = 0) -> None:
        n, free = len(area.X), area.free
        self.area = area
        fields = np.zeros((2, 2 * n))  # rigid displacements along x and z
        fields[0, 0::2], fields[1, 1::2] = 1.0, 1.0
        M, MX = area.M[np.ix_(free, free)], (area.M @ area.X.ravel())[free]
        K = area.K[np.ix_(free, free)]
        B = np.eye(len(free)) if not modes else scipy_module("linalg").eigh(K, M, subset_by_index=(0, modes - 1))[1]
        self.B = B
        self.mass = float(fields[0] @ area.M @ fields[0])
        self.C = (fields @ area.M)[:, free] @ B  # ∫Φ dm
        self.d0 = fields @ area.M @ area.X.ravel()
        self.XMX = float(area.X.ravel() @ area.M @ area.X.ravel())
        self.MX, self.JMX = B.T @ MX, B.T @ turned(MX)
        # M̂ is the same for x and z, so that M̂ J = J M̂
        self.M, self.JM, self.K = (_clean(B.T @ matrix @ B) for matrix in (M, turned(M), K))

    def inertia(self, phi: Any, x: Any) -> tuple[Any, Any, Any, Any]:
        """R J d, ηᵀM̂η, R∫Φ and (Jη)ᵀM̂."""
        c, s = np.cos(phi), np.sin(phi)
        dx, dz = self.d0[0] + self.C[0] @ x, self.d0[1] + self.C[1] @ x
        RC = np.stack([c * self.C[0] - s * self.C[1], s * self.C[0] + c * self.C[1]])
        turning = self.XMX + 2 * (self.MX @ x) + x @ times(self.M, x)
        return (-s * dx - c * dz, c * dx - s * dz), turning, RC, self.JMX + times(self.JM, x)

    def forces(self, phi: Any, turn: Any, x: Any, rate: Any, p: Any) -> tuple[Any, Any, Any, Any]:
        """Inertial forces, weights, stiffness and damping βK on x5, z5, φ5 and x."""
        (jx, jz), _, RC, _ = self.inertia(phi, x)
        Mrate = times(self.M, rate)
        flow = RC[0] @ rate, RC[1] @ rate  # R ∫Φ u̇
        inertial = turn**2 * (self.MX + times(self.M, x)) - 2 * turn * times(self.JM, rate)
        return (
            turn**2 * jz + 2 * turn * flow[1],
            -(turn**2) * jx - 2 * turn * flow[0] - self.mass * p.g,
            -2 * turn * (self.MX @ rate + x @ Mrate) - p.g * jz,
            inertial - times(self.K, x + p.beta * rate) - p.g * RC[1],
        )

    def shapes(self, node: int) -> list[list[tuple[int, float]]]:
        """For x and z of a node: places among the coordinates of the truck, and what each moves it."""
        found = []
        for row in (2 * node, 2 * node + 1):
            at = self.area.places.get(row)
            entries = self.B[at - N_RIGID] if at is not None else np.zeros(0)
            found.append([(N_RIGID + int(k), float(entries[k])) for k in np.flatnonzero(entries)])
        return found

    def point(self, q: Any, v: Any, node: int) -> tuple[BodyMotion, tuple[Any, Any]]:
        """Motion of a node as that of a body without rotation, and η."""
        (ux, uz), (rx, rz) = (
            [sum(value * of[place] for place, value in row) for row in self.shapes(node)] for of in (q, v)
        )
        ex, ez = self.area.X[node, 0] + ux, self.area.X[node, 1] + uz
        c, s, turn = np.cos(q[PHI5]), np.sin(q[PHI5]), v[PHI5]
        ax, az = c * ex - s * ez, s * ex + c * ez
        motion = BodyMotion(
            q[X5] + ax, q[Z5] + az, 0.0, v[X5] - turn * az + c * rx - s * rz, v[Z5] + turn * ax + s * rx + c * rz
        )
        return motion, (ex, ez)


def turned(rows: Floats) -> Floats:
    """J applied to the rows of all nodes."""
    found = np.empty_like(rows)
    found[0::2], found[1::2] = -rows[1::2], rows[0::2]
    return found


def _clean(matrix: Floats) -> Floats:
    """Without entries that are rounding errors."""
    return np.where(np.abs(matrix) > 1e-14 * np.abs(matrix).max(), matrix, 0.0)


@cache
def body(modes: int = 0) -> Area:
    """The loading area with displacements of its nodes as coordinates, or with the lowest modes."""
    return Area(loading_area(), modes)


def area_of(q: Any) -> Area:
    """The same by the number of coordinates of the truck."""
    n = len(q) - N_RIGID
    return body(0 if n == len(loading_area().free) else n)


@cache
def nodes() -> SimpleNamespace:
    """Nodes of the hinge, of the pin and the roller that carry the load, and of the spring; and free ones to look at,
    near the hinge and at the front end."""
    area = loading_area()
    found = SimpleNamespace(
        hinge=area.node(-1.61, BOTTOM), pin=area.node(-1.8, TOP), roller=area.node(1.6, TOP),
        spring=area.node(2.44, BOTTOM), front=area.node(RIGHT, BOTTOM),
    )  # fmt: skip
    found.near_hinge = found.hinge - (CELLS[1] + 1)
    return found


REAR = 0.65  # half the distance of the rear axles
FORCES = ("10", "80", "30", "12", "82", "23", "24", "42", "25", "26", "62", "47")
#: Springs of the two rear suspensions carry the same load, or statics would not say how it is shared.
SHARED = ("12", "82")
DATA = {key: value for key, value in (KEPT | ASSUMED | MEASURED).items() if key not in ("m5", "I5", "x5", "delay")} | {
    "m1": 725.0, "m8": 725.0, "a1": KEPT["a12"] - REAR, "a8": KEPT["a12"] + REAR,
    "m9": 8000.0, "I9": 20982.0,
}  # fmt: skip


def M(q: Any, p: Any) -> Any:
    own = area_of(q)
    (jx, jz), turning, RC, across = own.inertia(q[PHI5], q[N_RIGID:])
    inertias = [
        p.m1, p.m2, p.I2, p.m3, p.m4, p.I4, own.mass, own.mass, turning, p.m6, p.I6, p.m7, p.m8, p.m9, p.m9, p.I9,
    ]  # fmt: skip
    n = len(q)
    found = np.zeros((n, n), dtype=np.result_type(np.asarray(q).dtype, np.asarray(turning).dtype))
    found[range(N_RIGID), range(N_RIGID)] = inertias
    for row, values in ((X5, RC[0]), (Z5, RC[1]), (PHI5, across)):
        found[row, N_RIGID:] = found[N_RIGID:, row] = values
    found[X5, PHI5] = found[PHI5, X5] = jx
    found[Z5, PHI5] = found[PHI5, Z5] = jz
    found[N_RIGID:, N_RIGID:] = own.M
    return found


def road(t: Any, p: Any) -> Any:
    """Heights of the road under the three wheels, from behind, and their rates."""
    rows = [road_under(at, t, p) for at in (p.a1, p.a8, p.a23)]
    return np.array([height for height, _ in rows] + [rate for _, rate in rows])


def road_under(at: Any, t: Any, p: Any) -> tuple[Any, Any]:
    """Height of the road under a wheel that stands at x, and its rate."""
    since = np.maximum(t - (p.a23 - at) / p.speed, 0.0)
    fade, fade_rate = step(since / p.fade)
    return product((fade, fade_rate / p.fade), measured(since, p))


def kinks(at: float, p: Any) -> tuple[float, ...]:
    """Instants at which that is not smooth."""
    delay = (p.a23 - at) / p.speed
    return (delay, delay + p.fade)


def frames(q: Any, v: Any, w: Any, p: Any) -> dict[int, BodyMotion]:
    """Bodies by number; 10, 80 and 30 are the road under the wheels, 25 the node on the spring."""
    z1, z2, phi2, z3, z4, phi4, x5, z5, phi5, z6, phi6, z7, z8, x9, z9, phi9 = q[:N_RIGID]
    dz1, dz2, dphi2, dz3, dz4, dphi4, dx5, dz5, dphi5, dz6, dphi6, dz7, dz8, dx9, dz9, dphi9 = v[:N_RIGID]
    cabin = p.a24 - p.b24
    return {
        10: BodyMotion(p.a1, w[0], dz=w[3]),
        80: BodyMotion(p.a8, w[1], dz=w[4]),
        30: BodyMotion(p.a23, w[2], dz=w[5]),
        1: BodyMotion(p.a1, z1, dz=dz1),
        8: BodyMotion(p.a8, z8, dz=dz8),
        2: BodyMotion(0.0, z2, phi2, dz=dz2, dphi=dphi2),
        3: BodyMotion(p.a23, z3, dz=dz3),
        4: BodyMotion(cabin, z4, phi4, dz=dz4, dphi=dphi4),
        5: BodyMotion(x5, z5, phi5, dx5, dz5, dphi5),
        6: BodyMotion(p.x6, z6, phi6, dz=dz6, dphi=dphi6),
        7: BodyMotion(cabin + p.seat, z7, dz=dz7),
        9: BodyMotion(x9, z9, phi9, dx9, dz9, dphi9),
        25: area_of(q).point(q, v, nodes().spring)[0],
    }


def elements(p: Any) -> Sequence[Force]:
    """All force elements, in the order of FORCES; each has the force F at the length l."""
    o, h2 = (0.0, 0.0), p.h2

    def around(name: str, k: Any, d: Any) -> Any:
        return linear(k, d, getattr(p, f"F{name}") - k * getattr(p, f"l{name}"))

    def half(name: str) -> Any:
        law = air_spring(2.0 * getattr(p, f"F{name}"), p.d12, p)
        return lambda length, rate: 0.5 * law(length, rate)

    return [
        Force(10, o, 1, o, around("10", 0.5 * p.k10, 0.5 * p.d10)),
        Force(80, o, 8, o, around("80", 0.5 * p.k10, 0.5 * p.d10)),
        Force(30, o, 3, o, around("30", p.k30, p.d30)),
        Force(1, o, 2, (p.a1, p.h1), half("12")),
        Force(8, o, 2, (p.a8, p.h1), half("82")),
        Force(3, o, 2, (p.a23, p.h1), air_spring(p.F23, p.d23, p)),
        Force(2, (p.a24, h2), 4, (p.b24, p.h3), around("24", p.k24, p.d24)),
        Force(2, (p.a42, h2), 4, (p.b42, p.h3), around("42", p.k42, p.d42)),
        Force(2, (p.a25, h2), 25, o, around("25", p.k25, p.d25)),
        Force(2, (p.x6 - p.mount, h2), 6, (-p.mount, 0.0), around("26", p.k6, p.d6)),
        Force(2, (p.x6 + p.mount, h2), 6, (p.mount, 0.0), around("62", p.k6, p.d6)),
        Force(4, (p.seat, 0.0), 7, o, around("47", p.k7, p.d7)),
    ]


def generalized(q: Any, F: dict[int, list[Any]]) -> tuple[list[Any], dict[int, Any]]:
    """Resultants on bodies and on the node of the spring → forces on rigid coordinates, and on some elastic ones."""
    (x, z, m) = (0, 1, 2)
    own = area_of(q)
    _, (ex, ez) = own.point(q, q, nodes().spring)
    c, s = np.cos(q[PHI5]), np.sin(q[PHI5])
    Fx, Fz = F[25][x], F[25][z]
    moment = (c * ex - s * ez) * Fz - (s * ex + c * ez) * Fx
    rigid = [
        F[1][z], F[2][z], F[2][m], F[3][z], F[4][z], F[4][m], F[5][x] + Fx, F[5][z] + Fz, F[5][m] + moment,
        F[6][z], F[6][m], F[7][z], F[8][z], F[9][x], F[9][z], F[9][m],
    ]  # fmt: skip
    elastic: dict[int, Any] = {}
    for row, force in zip(own.shapes(nodes().spring), (c * Fx + s * Fz, c * Fz - s * Fx), strict=True):
        for place, value in row:
            elastic[place] = elastic.get(place, 0.0) + value * force
    return rigid, elastic


def f(q: Any, v: Any, w: Any, p: Any) -> Any:
    rigid, on_nodes = generalized(q, resultants(frames(q, v, w, p), elements(p)))
    on_x, on_z, on_phi, on_u = area_of(q).forces(q[PHI5], v[PHI5], q[N_RIGID:], v[N_RIGID:], p)
    weights = [p.m1, p.m2, 0.0, p.m3, p.m4, 0.0, 0.0, 0.0, 0.0, p.m6, 0.0, p.m7, p.m8, 0.0, p.m9, 0.0]
    total = [force - weight * p.g for force, weight in zip(rigid, weights, strict=True)]
    for place, force in ((X5, on_x), (Z5, on_z), (PHI5, on_phi)):
        total[place] = total[place] + force
    elastic = list(on_u)
    for place, force in on_nodes.items():
        elastic[place - N_RIGID] = elastic[place - N_RIGID] + force
    return np.array([*total, *elastic])


def joints(q: Any, p: Any) -> Any:
    """The area is hinged to the chassis; the load is pinned to it, and rests on a roller."""
    own, at = area_of(q), nodes()
    chassis, load = BodyMotion(0.0, q[1], q[2]), BodyMotion(q[X9], q[Z9], q[PHI9])
    still = 0.0 * q
    hinge, pin, roller = (own.point(q, still, node)[0] for node in (at.hinge, at.pin, at.roller))
    ax, az = arm(chassis, (p.ac1, p.ac2))
    px, pz = arm(load, (p.px, p.pz))
    rx, rz = arm(load, (p.rx, p.rz))
    c, s = np.cos(q[PHI5]), np.sin(q[PHI5])  # the roller lets the load slide along the area
    across = c * (load.z + rz - roller.z) - s * (load.x + rx - roller.x)
    return np.array([
        hinge.x - chassis.x - ax, hinge.z - chassis.z - az, load.x + px - pin.x, load.z + pz - pin.z, across
    ])  # fmt: skip


ROWS = ["hinge.x", "hinge.z", "pin.x", "pin.z", "roller.z"]


def at_rest(data: dict[str, Any], modes: int) -> tuple[dict[str, Any], Floats, Floats]:
    """Nominal forces, lengths and places, coordinates and multipliers of the equilibrium: all bodies level, the loading
    area bent by weight and load.

    Forces depend on places of bent nodes, and these on the forces, by a factor of 1e-4: they are iterated.
    """
    area, own, at = loading_area(), body(modes), nodes()
    first = [
        0.5,
        2.0,
        0.0,
        0.5,
        2.9,
        0.0,
        CENTRE[0] + area.origin[0],
        CENTRE[1] + area.origin[1],
        0.0,
        2.3,
        0.0,
        3.4,
        0.5,
    ]
    load = CENTRE[0] - own.mass * 0.3 / data["m9"], CENTRE[1] + own.mass * 0.575 / data["m9"]
    q = np.array([*first, *load, 0.0, *np.zeros(len(own.K))])
    no_motion, flat = np.zeros(len(q)), np.zeros(6)
    parameters = dict(data)
    for _ in range(5):
        hinge, pin, roller, spring = (
            own.point(q, no_motion, node)[0] for node in (at.hinge, at.pin, at.roller, at.spring)
        )
        parameters |= {
            "ac1": hinge.x, "ac2": hinge.z - q[1], "a25": spring.x,
            "px": pin.x - load[0], "pz": pin.z - load[1], "rx": roller.x - load[0], "rz": roller.z - load[1],
        }  # fmt: skip
        none: dict[str, Any] = {f"F{name}": 0.0 for name in FORCES}
        laws = elements(SimpleNamespace(**none, **({f"l{name}": 1.0 for name in FORCES} | parameters)))
        bodies = frames(q, no_motion, flat, SimpleNamespace(**parameters))
        columns: dict[str, Any] = {}
        for name, element in zip(FORCES, laws, strict=True):
            P, Q = (arm(bodies[i], point) for i, point in ((element.first, element.P), (element.second, element.Q)))
            A, B = bodies[element.first], bodies[element.second]
            parameters[f"l{name}"] = float(np.hypot(B.x + Q[0] - A.x - P[0], B.z + Q[1] - A.z - P[1]))
            unit, _ = generalized(q, resultants(bodies, [element._replace(law=lambda length, rate: 1.0)]))
            columns[SHARED[0] if name in SHARED else name] = np.array(unit) + columns.get(SHARED[0], 0.0) * (
                name in SHARED
            )
        p = SimpleNamespace(**parameters)
        G = np.column_stack([joints(q + 1e-30j * e, p).imag / 1e-30 for e in np.eye(len(q))])
        without = SimpleNamespace(**parameters, **none)
        # Air springs have a force at their nominal length that F = 0 leaves zero.
        weights = f(q, no_motion, flat, without)
        *forces, l1, l2, l3, l4, l5 = np.linalg.solve(
            np.column_stack([*columns.values(), -G[:, :N_RIGID].T]), -weights[:N_RIGID]
        )
        found = {f"F{name}": float(force) for name, force in zip(columns, forces, strict=True)}
        found[f"F{SHARED[1]}"] = found[f"F{SHARED[0]}"]
        lam = np.array([l1, l2, l3, l4, l5])
        left = f(q, no_motion, flat, SimpleNamespace(**parameters, **found)) - G.T @ lam
        q[N_RIGID:] += np.linalg.solve(own.K, left[N_RIGID:])
    return parameters | found, q, lam


def sketch(t: Any, q: Any, p: Any) -> dict[str, Points]:
    """Chassis, cabin, loading area, load, engine, seat, and axles with their suspensions."""
    own, area = area_of(q), loading_area()
    bodies = frames(q, q * 0.0, road(t, p), p)
    edge = [*range(0, len(area.X), CELLS[1] + 1), *range(len(area.X) - 1, 0, -CELLS[1] - 1), 0]
    places = [own.point(q, q * 0.0, node)[0] for node in edge]
    parts = {
        "chassis": outline(q, bodies[2], (p.a52, 0.0), (p.a42, 0.0)),
        "cabin": outline(q, bodies[4], (p.b24, 0.0), (p.b42, 0.0), (p.b42, 1.5), (p.b24, 1.5), (p.b24, 0.0)),
        "loading area": polyline(q, *((place.x, place.z) for place in places)),
        "load": outline(q, bodies[9], (p.px, p.pz), (p.rx, p.rz), (p.rx, 0.6), (p.px, 0.6), (p.px, p.pz)),
        "engine": outline(q, bodies[6], (-0.4, 0.0), (0.4, 0.0), (0.4, 0.3), (-0.4, 0.3), (-0.4, 0.0)),
        "seat": outline(q, bodies[7], (-0.2, 0.5), (-0.2, 0.0), (0.2, 0.0)),
    }
    for wheel, axle, x, name in ((10, 1, p.a1, "last"), (80, 8, p.a8, "rear"), (30, 3, p.a23, "front")):
        top = arm(bodies[2], (x, p.h1))
        ends = [(bodies[i].x, bodies[i].z) for i in (wheel, axle)]
        parts[f"{name} axle"] = polyline(q, *ends, (bodies[2].x + top[0], bodies[2].z + top[1]))
    return parts


def elastic_coordinates() -> list[str]:
    """Names of the displacements: "x17" and "z17" of node 17, counted from 1, upwards and then forwards."""
    return [f"{'xz'[row % 2]}_{row // 2 + 1}" for row in loading_area().free.tolist()]


def elastic_truck(beta: float = 0.0, modes: int = 0) -> Problem:
    """Truck with an elastic loading area on a rough road, 4 s: 16 rigid and 198 elastic coordinates, 5 constraints.

    ``beta`` is the damping of the structure, D = βK, in s; with ``modes`` the lowest eigenmodes of the structure take
    the place of the displacements of its nodes.  It starts in equilibrium.
    """
    beta = real(beta, "Problem 'elastic_truck': beta", ProblemError)
    whole(modes, "Problem 'elastic_truck': modes", ProblemError, least=0, most=100)
    parameters, q, lam = at_rest(DATA | {"beta": beta}, modes)
    delays = [(DATA["a23"] - parameters[name]) / DATA["speed"] for name in ("a1", "a8")]
    rest = Reference(
        0.0, q=q, v=np.zeros(len(q)), a=np.zeros(len(q)), lam=lam, digits=12, source="equilibrium, by statics"
    )
    return Problem(
        "elastic_truck",
        title="Planar truck with an elastic loading area",
        story=STORY,
        citation=CITATION,
        coordinates=[*RIGID, *([f"mode{k + 1}" for k in range(modes)] if modes else elastic_coordinates())],
        constraints=ROWS,
        parameters=parameters,
        functions={
            "M": M,
            "f": f,
            "g": joints,
            "w": road,
            "breaks": tuple(sorted([*delays, DATA["fade"], *(delay + DATA["fade"] for delay in delays)])),
        },
        span=(0.0, 4.0),
        q0=q,
        v0=np.zeros(len(q)),
        references=(rest,),
        sketch=sketch,
    )
