"""The two stiff systems of a thesis as other integrators see them: IDA on constrained forms, CVODE on minimal ones.

    D. Negrut, On the implicit integration of differential-algebraic equations of multibody dynamics, PhD thesis, The
    University of Iowa, 1998: the double pendulum of section 5.1, started from rest, over 2 s, and the vehicle of
    sections 5.2 and 5.3 on its bump, over 4 s.

All functions are machine code that our own symbolic engine has made, so that integrators are compared, not models.

constrained   coordinates x, velocities v, multipliers λ, μ in the forms of Gear, Gupta and Leimkuhler, and of Gear
              (_peers_model.py), with exact Jacobians without the terms in μ, which is zero but for errors.  Pendulum:
              6 coordinates, 4 constraints.  Vehicle: the 34 coordinates of the tree of Table 5, with Rodrigues
              parameters instead of Euler's, and the 16 constraints of cut joints; the locked rack belongs to the
              chassis.
minimal       no constraint is left.  Pendulum: the two angles.  Vehicle: pose of the chassis and rotations of the upper
              arms, 18 coordinates; all others follow from the constraints by Newton's method within the right-hand
              side, wheel by wheel, beginning where the last evaluation ended.  Stiff forces are nearly linear in
              either, so this is the form that suits a multistep method best.  Differences serve CVODE as Jacobian: for
              the vehicle an exact one takes as long (it needs the derivatives of all accelerations).
"""

from __future__ import annotations

import abc
import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

import dalembert as da
import dalembert.symbolic as sym
from _baselines import gcc
from _peers_native import Cvode, Ida, Native, SundialsRun, folder
from dalembert.equations.contract.elimination import explicit
from dalembert.equations.contract.expressions import Expressions
from dalembert.problems import mechanisms
from dalembert.problems.mechanisms.vehicles import hard_points

Array = np.ndarray
WIDE = 1e12  # a tolerance that no multiplier exceeds
FORMS = ("GGL", "Gear")
LARGE = 40  # unknowns from which on LAPACK is faster than the linear solver of SUNDIALS


@dataclass(frozen=True)
class Measured:
    """What a run came to: CPU seconds of the integration alone, what is observed at all instants, and the work."""

    seconds: float
    seen: Array
    steps: int
    evaluations: int
    jacobians: int


Run = Callable[[], Measured]


class StiffSystem(abc.ABC):
    """A system with the instants at which solutions are compared, and what is seen of it there.

    What is seen are positions, then as many velocities.
    """

    name: str
    span: tuple[float, float]
    instants: tuple[float, ...]
    #: of other integrators; ours see the bump coming
    max_step = np.inf

    @abc.abstractmethod
    def constrained(self, form: str) -> Callable[[float], Run]:
        """IDA with a form of the equations; the argument is the tolerance."""

    @abc.abstractmethod
    def minimal(self) -> Callable[[float], Run]:
        """CVODE."""

    def measured(self, run: SundialsRun, see: Callable[[Array], Array]) -> Measured:
        """What a run of SUNDIALS came to, seen from its own state."""
        if run.flag < 0 or len(run.states) != len(self.instants):
            raise ArithmeticError(f"the integrator returned {run.flag}")
        seen = np.array([see(y) for y in run.states])
        return Measured(run.seconds, seen, run.steps, run.evaluations, run.jacobians)


# ---------------------------------------------------------------------------------------------------- constrained forms


@dataclass(frozen=True)
class Constrained:
    """ẋ = B v and the equations of motion, as atoms of x and v."""

    graph: sym.Graph
    x: Any
    v: Any
    B: Any  # None: the identity
    M: Any
    f: Any
    g: Any
    G: Any

    @property
    def size(self) -> int:
        return len(self.x) + len(self.v) + 2 * len(self.g)

    @cached_property
    def multipliers(self) -> Array:
        """Which unknowns are."""
        return np.arange(self.size) >= len(self.x) + len(self.v)

    def functions(self, form: str) -> tuple[Native, Native]:
        """F(y, ẏ) and ∂F/∂y + c ∂F/∂ẏ in machine code; y = (x, v, λ, μ), or their integrals in the form of Gear."""
        graph, n_x, n_v, n_g = self.graph, len(self.x), len(self.v), len(self.g)
        xp, vp, c = graph.variables("xp", n_x), graph.variables("vp", n_v), graph.variable("c")
        lam, mu = graph.variables("lam", n_g), graph.variables("mu", n_g)
        place = graph.variables("place", 2 * n_g)  # multipliers, or their rates, which are not asked for
        drift = sym.array(self.G.T @ mu)
        move = sym.array(self.v - drift)
        rows = [
            sym.array(xp - (move if self.B is None else self.B @ move)),
            sym.array(self.M @ vp - self.f + self.G.T @ lam),
            self.g,
            sym.array(self.G @ self.v),
        ]
        F = sym.array([entry for row in rows for entry in row])
        still = sym.array(sym.substitute(F, dict.fromkeys(mu, 0.0)))
        by_state = sym.jacobian(still, sym.array([*self.x, *self.v]))
        by_rates = sym.jacobian(F, sym.array([*xp, *vp]))
        by_multipliers = sym.jacobian(F, sym.array([*lam, *mu]))
        J = np.hstack([by_state + c * by_rates, by_multipliers if form == "GGL" else c * by_multipliers])
        y, other = [*self.x, *self.v], [*lam, *mu]
        inputs = {
            "y": sym.array([*y, *(other if form == "GGL" else place)]),
            "yp": sym.array([*xp, *vp, *(place if form == "GGL" else other)]),
        }
        return (
            Native(sym.compile(F, inputs, name="residual"), sundials=True),
            Native(sym.compile(sym.array(J).T, {"c": sym.array([c]), **inputs}, name="jacobian"), sundials=True),
        )

    def start(self, form: str, x: Array, xp: Array, v: Array, a: Array, lam: Array) -> tuple[Array, Array]:
        """Consistent y and ẏ."""
        none = np.zeros(2 * len(self.g))
        other = np.concatenate([lam, np.zeros(len(self.g))])
        own, rate = (other, none) if form == "GGL" else (none, other)
        return np.concatenate([x, v, own]), np.concatenate([xp, a, rate])


def _by_ida(
    system: StiffSystem, equations: Constrained, form: str, start: tuple[Array, Array], see: Callable[[Array], Array]
) -> Callable[[float], Run]:
    residual, jacobian = equations.functions(form)
    size = equations.size
    solver = Ida(residual.address("residual"), jacobian.address("jacobian"), size, lapack=size > LARGE)
    solver.code = residual, jacobian

    def prepare(tolerance: float) -> Run:
        def run() -> Measured:
            ended = solver.solve(
                system.span, *start, rtol=tolerance, atol=np.where(equations.multipliers, WIDE, tolerance),
                algebraic=equations.multipliers if form == "GGL" else None, max_step=system.max_step,
                instants=system.instants,
            )  # fmt: skip
            return system.measured(ended, see)

        return run

    return prepare


def _by_cvode(
    system: StiffSystem, rate: Native, jacobian: Native | None, start: Array, see: Callable[[Array], Array]
) -> Callable[[float], Run]:
    address = 0 if jacobian is None else jacobian.address("rate_jacobian")
    solver = Cvode(rate.address("rate"), address, len(start), lapack=len(start) > LARGE)
    solver.code = rate, jacobian

    def prepare(tolerance: float) -> Run:
        def run() -> Measured:
            if isinstance(rate.function, _Closed):
                rate.function.begin()
            ended = solver.solve(
                system.span, start, rtol=tolerance, atol=tolerance, max_step=system.max_step, instants=system.instants
            )
            return system.measured(ended, see)

        return run

    return prepare


# ------------------------------------------------------------------------------------------------------------- pendulum


class Pendulum(StiffSystem):
    """The stiff double pendulum; seen are its two angles and their rates."""

    name = "stiff double pendulum, 2 s"
    span = (0.0, 2.0)
    instants = (0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0)

    def __init__(self) -> None:
        self.problem = da.problems.stiff_double_pendulum(start="rest")
        self.equations = self.problem.equations
        self.start = self.problem.q0, self.problem.v0

    def see(self, q: Array, v: Array) -> Array:
        """Angles and rates."""
        return np.concatenate([q[[2, 5]], v[[2, 5]]])

    @cached_property
    def _atoms(self) -> Expressions:
        """With numbers for parameters."""
        found: Expressions = self.equations.expressions
        values = dict(zip(found.inputs["p"], self.equations.parameter_vector(), strict=True))
        M, f, g = (sym.array(sym.substitute(value, values)) for value in (found.M, found.f, found.g))
        return replace(found, M=M, f=f, g=g)

    @cached_property
    def in_angles(self) -> da.Equations:
        """Ours on the two angles, as a user would write them who knows that they suffice."""
        M, f, p = self.problem.functions["M"], self.problem.functions["f"], self.problem.p

        def motions(q: Any) -> Any:
            (c1, c2), (s1, s2) = np.cos(q), np.sin(q)
            return np.array([
                [-p.L1 * s1, 0.0], [p.L1 * c1, 0.0], [1.0, 0.0],
                [-2 * p.L1 * s1, -p.L2 * s2], [2 * p.L1 * c1, p.L2 * c2], [0.0, 1.0],
            ])  # fmt: skip

        def bend(q: Any, v: Any) -> Any:
            (c1, c2), (s1, s2), (w1, w2) = np.cos(q), np.sin(q), v * v
            return np.array([
                -p.L1 * c1 * w1, -p.L1 * s1 * w1, 0.0,
                -2 * p.L1 * c1 * w1 - p.L2 * c2 * w2, -2 * p.L1 * s1 * w1 - p.L2 * s2 * w2, 0.0,
            ])  # fmt: skip

        def forces(q: Any, v: Any) -> Any:
            N, places, rates = motions(q), np.array([0, 0, q[0], 0, 0, q[1]]), np.array([0, 0, v[0], 0, 0, v[1]])
            return N.T @ (f(places, rates, p) - M(p) @ bend(q, v))

        return da.trace(M=lambda q: motions(q).T @ M(p) @ motions(q), f=forces, n_q=2, name="angles")

    def constrained(self, form: str) -> Callable[[float], Run]:
        x = self._atoms
        q, v = x.inputs["q"], x.inputs["v"]
        equations = Constrained(x.graph, q, v, None, x.M, x.f, x.g, x.G)
        at = self.equations.assemble(*self.start)
        start = equations.start(form, self.start[0], self.start[1], self.start[1], at.a, at.lam)
        return _by_ida(self, equations, form, start, lambda y: self.see(y[:6], y[6:12]))

    def minimal(self) -> Callable[[float], Run]:
        x = self._atoms
        y = x.graph.variables("y", 4)
        theta, rate = y[:2], y[2:]
        (c1, c2), (s1, s2) = (sym.cos(theta[0]), sym.cos(theta[1])), (sym.sin(theta[0]), sym.sin(theta[1]))
        L1, L2 = self.problem.p.L1, self.problem.p.L2
        places = sym.array([L1 * c1, L1 * s1, theta[0], 2 * L1 * c1 + L2 * c2, 2 * L1 * s1 + L2 * s2, theta[1]])
        N = sym.jacobian(places, theta)
        bend = sym.directional_derivative(sym.array(N @ rate), theta, rate)
        here = dict(zip(x.inputs["q"], places, strict=True)) | dict(zip(x.inputs["v"], N @ rate, strict=True))
        M, f = (sym.array(sym.substitute(value, here)) for value in (x.M, x.f))
        A, b = sym.array(N.T @ M @ N), sym.array(N.T @ (f - M @ bend))
        determinant = A[0, 0] * A[1, 1] - A[0, 1] * A[1, 0]
        a = [(A[1, 1] * b[0] - A[0, 1] * b[1]) / determinant, (A[0, 0] * b[1] - A[1, 0] * b[0]) / determinant]
        right = sym.array([*rate, *a])
        inputs = {"y": y}
        native = Native(sym.compile(right, inputs, name="rate"), sundials=True)
        jacobian = Native(sym.compile(sym.jacobian(right, y).T, inputs, name="jacobian"), sundials=True)
        q, v = self.start
        return _by_cvode(self, native, jacobian, np.concatenate([q[[2, 5]], v[[2, 5]]]), lambda y: y)


# -------------------------------------------------------------------------------------------------------------- vehicle

RATE = " rate"  # sensors of velocities are called after those of places
_CLOSING = r"""
#include <math.h>
#include <stdint.h>
typedef int (*Entry)(int64_t, int64_t, const double *const *, double *const *, double *);
static Entry closing, moving;
static double *closing_work, *moving_work, dependent[16];

void set_up(Entry close, double *close_work, Entry move, double *move_work, const double *start) {
    closing = close, closing_work = close_work, moving = move, moving_work = move_work;
    for (int i = 0; i < 16; ++i) dependent[i] = start[i];
}
/* Dependent coordinates by Newton's method, then the rates of the independent ones. */
int evaluate(int64_t request, int64_t changed, const double *const *in, double *const *out, double *work) {
    double correction[16], size = 1.0;
    const double *positions[] = {in[0], dependent}, *all[] = {in[0], dependent};
    double *corrections[] = {correction};
    for (int iteration = 0; size > 1e-9; ++iteration) {  /* quadratic convergence leaves rounding */
        closing(0, 0, positions, corrections, closing_work);
        size = 0.0;
        for (int i = 0; i < 16; ++i) {
            dependent[i] -= correction[i];
            size = fmax(size, fabs(correction[i]));
        }
        if (iteration == 20 || !(size < 1.0)) return 1;
    }
    return moving(0, 0, all, out, moving_work);
}
"""


class Vehicle(StiffSystem):
    """The vehicle with stiff bushings on its bump; seen are the places of the centre of its chassis and of its hubs."""

    name = "HMMWV14 with stiff bushings, 4 s"
    span = (0.0, 4.0)
    #: while the front wheels are on the bump and after, the same for the rear ones, and when it has calmed down
    instants = (0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 4.0)
    max_step = 0.05  # half of the time on the bump, which steps must not pass over
    WHEELS = ("RF", "LF", "RR", "LR")
    SENSORS = ("ride", *(f"{corner} hub" for corner in WHEELS))

    def __init__(self) -> None:
        self.example = mechanisms.hmmwv14(stiff=True)
        model = self.example.model
        hubs = [model[f"{corner} wheel"].at(hard_points(corner)["wheel"]) for corner in self.WHEELS]
        for name, marker in zip(self.SENSORS, (model["chassis"].com, *hubs), strict=True):
            model.sensor(f"{name}{RATE}", marker.velocity)
        self.equations = model.equations()
        state = self.example.assemble(self.equations)
        self.start = state.q, state.v

    def see(self, q: Array, v: Array) -> Array:
        """Places and velocities of the centre of the chassis and of the hubs."""
        sizes = self.equations.sizes
        point = {key: np.zeros((1, getattr(sizes, size))) for key, size in (("lam", "lam"), ("a", "v"), ("u", "u"))}
        point |= {"t": np.zeros((1, 1)), "mu": np.zeros((1, sizes.g)), "q": q[None], "v": v[None]}
        point["p"] = self.equations.parameter_vector()[None]
        found = self.equations.sensors.at(point)
        return np.concatenate([found[f"{name}{kind}"][0] for kind in ("", RATE) for name in self.SENSORS])

    # --------------------------------------------------------------------------------------------------- coordinates

    @cached_property
    def _original(self) -> Expressions:
        found: Expressions = self.equations.innermost.expressions
        return found

    @cached_property
    def _names(self) -> tuple[list[str], list[str]]:
        """Of x: those of q, Rodrigues parameters for Euler's; of v.  Without the rack."""
        q = [name for name in self.equations.names["q"] if not name.startswith("rack") and not name.endswith(".p0")]
        return q, [name for name in self.equations.names["v"] if not name.startswith("rack")]

    @cached_property
    def _parameters(self) -> dict[Any, float]:
        return dict(zip(self._original.inputs["p"], self.equations.parameter_vector(), strict=True))

    @cached_property
    def constrained_equations(self) -> Constrained:
        """In x and v."""
        old, (names, rates) = self._original, self._names
        graph = old.graph
        x, v = graph.variables("x", len(names)), graph.variables("w", len(rates))
        at = dict(zip(names, x, strict=True))
        here: dict[Any, Any] = dict(self._parameters)
        for name, symbol in zip(self.equations.names["q"], old.inputs["q"], strict=True):
            owner, _, part = name.rpartition(".")
            if name.startswith("rack"):
                here[symbol] = 0.0
            elif part in ("p0", "p1", "p2", "p3"):
                half = [0.5 * at[f"{owner}.p{k}"] for k in (1, 2, 3)]
                scale = 1.0 / sym.sqrt(1.0 + half[0] ** 2 + half[1] ** 2 + half[2] ** 2)
                here[symbol] = scale if part == "p0" else scale * half[int(part[1]) - 1]
            else:
                here[symbol] = at[name]
        own = dict(zip(rates, v, strict=True))
        here |= {
            symbol: own.get(name, 0.0) for name, symbol in zip(self.equations.names["v"], old.inputs["v"], strict=True)
        }
        kept_v = [i for i, name in enumerate(self.equations.names["v"]) if name in own]
        kept_g = [i for i, name in enumerate(self.equations.names["lam"]) if not name.startswith("rack")]
        turned = sym.array(sym.substitute(old.q_rate, here))
        rate = dict(zip(self.equations.names["q"], turned, strict=True))
        moves = []
        for name in names:  # of p = (1, ρ/2)/|…|: ρ̇ = 2 (ṗ_k p_0 − p_k ṗ_0)/p_0²
            owner, _, part = name.rpartition(".")
            if part in ("p1", "p2", "p3"):
                p0 = here[old.inputs["q"][self.equations.names["q"].index(f"{owner}.p0")]]
                moves.append((2.0 * rate[name] - at[name] * rate[f"{owner}.p0"]) / p0)
            else:
                moves.append(rate[name])
        G = sym.array(sym.substitute(old.G, here))[np.ix_(kept_g, kept_v)]
        M = sym.array(sym.substitute(old.M, here))[np.ix_(kept_v, kept_v)]
        f, g = (sym.array(sym.substitute(value, here)) for value in (old.f, old.g))
        B = sym.jacobian(sym.array(moves), v)
        return Constrained(graph, x, v, B, M, f[kept_v], g[kept_g], G)

    def _x(self, q: Array) -> Array:
        """Coordinates of the peers."""
        at = dict(zip(self.equations.names["q"], q, strict=True))
        return np.array(
            [2.0 * at[n] / at[f"{n[:-1]}0"] if n[-2:] in ("p1", "p2", "p3") else at[n] for n in self._names[0]]
        )

    def _q(self, x: Array) -> Array:
        """Ours."""
        at = dict(zip(self._names[0], x, strict=True)) | {"rack guide.displacement": 0.0}
        for name in self.equations.names["q"]:
            if name.endswith(".p0"):
                p = np.array([1.0, *(0.5 * at[f"{name[:-1]}{k}"] for k in (1, 2, 3))])
                at |= {f"{name[:-1]}{k}": value for k, value in enumerate(p / np.linalg.norm(p))}
        return np.array([at[name] for name in self.equations.names["q"]])

    def _v(self, v: Array) -> Array:
        at = dict(zip(self._names[1], v, strict=True))
        return np.array([at.get(name, 0.0) for name in self.equations.names["v"]])

    @cached_property
    def _start(self) -> tuple[Array, Array, Array, Array, Array]:
        """x, ẋ, v, v̇, λ."""
        e, (q, v) = self.constrained_equations, self.start
        at = self.example.assemble(self.equations)
        x = self._x(q)
        w = np.array([v[self.equations.names["v"].index(name)] for name in self._names[1]])
        a = np.array([at.a[self.equations.names["v"].index(name)] for name in self._names[1]])
        B = sym.compile(sym.array(e.B @ e.v), {"x": e.x, "v": e.v}, name="moves")
        return x, np.asarray(B(x, w)), w, a, np.array(at.lam[1:])

    def constrained(self, form: str) -> Callable[[float], Run]:
        e = self.constrained_equations
        n = len(e.x)
        start = e.start(form, *self._start)
        return _by_ida(self, e, form, start, lambda y: self.see(self._q(y[:n]), self._v(y[n : 2 * n])))

    def minimal(self) -> Callable[[float], Run]:
        e, (names, rates) = self.constrained_equations, self._names
        free_x = [i for i, name in enumerate(names) if name.startswith("chassis") or "upper hinge" in name]
        free_v = [i for i, name in enumerate(rates) if name.startswith("chassis") or "upper hinge" in name]
        wheels = [
            (
                [i for i, name in enumerate(names) if name.startswith(corner) and i not in free_x],
                [i for i, name in enumerate(rates) if name.startswith(corner) and i not in free_v],
                [4 * k + i for i in range(4)],
            )
            for k, corner in enumerate(self.WHEELS)
        ]
        bound = [i for places, _, _ in wheels for i in places]
        d = e.x[bound]
        by_x = sym.jacobian(e.g, e.x)
        corrections = [entry for places, _, rows in wheels for entry in _solved(by_x[np.ix_(rows, places)], e.g[rows])]
        y = e.graph.variables("y", 36)
        z = dict(zip([*e.x[free_x], *e.v[free_v]], y, strict=True))
        closing = sym.compile(sym.array(sym.substitute(sym.array(corrections), z)), {"y": y, "d": d}, name="closing")
        motion = e.v.copy()
        for _, columns, rows in wheels:
            right = [sum((e.G[i, j] * e.v[j] for j in free_v), 0.0) for i in rows]
            for j, value in zip(columns, _solved(e.G[np.ix_(rows, columns)], right), strict=True):
                motion[j] = -value
        full = Expressions(
            e.graph, {**self._original.inputs, "q": e.x, "v": e.v, "lam": self._original.inputs["lam"][1:],
                      "mu": self._original.inputs["mu"][1:], "a": self._original.inputs["a"][1:]},
            M=e.M, f=e.f, g=e.g, T=e.B, G_given=e.G,
        )  # fmt: skip
        solved = explicit(full)
        rows = [*(solved["qdot"][i] for i in free_x), *(solved["a"][i] for i in free_v)]
        known = {e.v[j]: motion[j] for _, columns, _ in wheels for j in columns}
        right = sym.array(sym.substitute(sym.array(sym.substitute(sym.array(rows), known)), z))
        moving = sym.compile(right, {"y": y, "d": d}, name="moving")
        everything = sym.array([*d, *(sym.substitute(motion[j], z) for _, columns, _ in wheels for j in columns)])
        whole = sym.compile(everything, {"y": y, "d": d}, name="whole")
        x0, _, v0, _, _ = self._start
        evaluation = _Closed(closing, moving, x0[bound])
        start = np.concatenate([x0[free_x], v0[free_v]])

        def see(y: Array) -> Array:
            x, v, dependent = np.empty(len(names)), np.empty(len(rates)), x0[bound].copy()
            for _ in range(20):
                dependent -= closing(y, dependent)
            found = np.asarray(whole(y, dependent))
            x[free_x], x[bound] = y[:18], dependent
            v[free_v], v[[j for _, columns, _ in wheels for j in columns]] = y[18:], found[16:]
            return self.see(self._q(x), self._v(v))

        return _by_cvode(self, Native(evaluation, sundials=True), None, start, see)


class _Closed:
    """A right-hand side that finds dependent coordinates, as :class:`_peers_native.Native` wants it."""

    work_size = 1

    def __init__(self, closing: Any, moving: Any, start: Array) -> None:
        source = folder() / "closing.c"
        source.write_text(_CLOSING)
        gcc(source, source.with_suffix(".so"), "-O2")
        library = ctypes.CDLL(str(source.with_suffix(".so")))
        self._work = [np.zeros(max(1, function.work_size)) for function in (closing, moving)]
        self._functions = closing, moving
        data = [array.ctypes.data for array in (*self._work, start)]
        addresses = closing.address, data[0], moving.address, data[1], data[2]
        self._start, self._library = start, library
        self._parts = [ctypes.c_void_p(address) for address in addresses]
        self.begin()
        self.address = ctypes.cast(library.evaluate, ctypes.c_void_p).value

    def begin(self) -> None:
        """Dependent coordinates of the start: a run that has failed may have left others."""
        self._library.set_up(*self._parts)


def _solved(A: Any, b: Sequence[Any]) -> list[Any]:
    """Solution of a few linear equations on atoms, pivots on the diagonal."""
    A, b = [list(row) for row in A], list(b)
    n = len(b)
    for k in range(n):
        for i in range(k + 1, n):
            factor = A[i][k] / A[k][k]
            for j in range(k + 1, n):
                A[i][j] = A[i][j] - factor * A[k][j]
            b[i] = b[i] - factor * b[k]
    for k in range(n - 1, -1, -1):
        for j in range(k + 1, n):
            b[k] = b[k] - A[k][j] * b[j]
        b[k] = b[k] / A[k][k]
    return b
