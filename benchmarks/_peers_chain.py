"""A chain of N uniform bars in the plane, and what other packages integrate it with.

The bars have together the length 1 m and the mass 1 kg, each l = 1/N, m = 1/N, J = m l²/12.  The first is hinged at the
origin.  They start at rest, all horizontal, and fall for one second (g = 9.81).  The measure is the root mean square
error of the N angles at the end.

recursion   the N absolute angles as minimal coordinates; the forces in the hinges solve a block tridiagonal system, so
            a right-hand side costs O(N).  Nothing can drift.  At a tight tolerance this is the reference.
GGL, Gear   all 3 N coordinates (x, y, φ per bar) with 2 N constraints, and as many on velocities; see _peers_model.py.
            Unknowns are ordered by bars, which makes the Jacobian banded.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba import carray, types

from _peers_native import Ida, Native
from _peers_sweep import DRIFT_FREE, MINIMAL, Outcome, Peer, Run, decades, version

GRAVITY = 9.81
END = 1.0
REFERENCES = Path(__file__).parent / "data"
PER_BAR = 10  # unknowns: λ (2), μ (2), x, y, φ, v_x, v_y, ω
BAND = 9  # diagonals above, and below


def sweep_of(n: int, last: float = 8.0) -> list[float]:
    """Tolerances: half decades for short and for very long chains, of which few runs come to an end."""
    return decades(2.0, last, 1.0 if 50 <= n <= 500 else 0.5)


def digits(n: int, y: np.ndarray) -> float:
    """−log10 of the root mean square error of the angles; ``y`` begins with them."""
    return -math.log10(max(float(np.sqrt(np.mean((y[:n] - reference(n)) ** 2))), 1e-16))


@cache
def reference(n: int) -> np.ndarray:
    """Angles at the end: from the file, or integrated and put there."""
    file = REFERENCES / f"pendulum_chain_{n}.json"
    if not file.exists():
        from scipy.integrate import solve_ivp

        right = recursion(n)
        ends = [
            solve_ivp(right, (0.0, END), np.zeros(2 * n), "DOP853", [END], rtol=tolerance, atol=tolerance).y[:n, -1]
            for tolerance in (1e-10, 1e-12)
        ]
        content = {
            "chain": f"{n} bars, total length 1 m, total mass 1 kg, from horizontal at rest, t = {END}",
            "method": "O(N) recursion in absolute angles, DOP853, tolerance 1e-12",
            "difference to tolerance 1e-10": float(np.sqrt(np.mean((ends[0] - ends[1]) ** 2))),
            "angles": [float(f"{angle:.13g}") for angle in ends[1]],
        }
        REFERENCES.mkdir(exist_ok=True)
        file.write_text(json.dumps(content, indent=0) + "\n")
    return np.array(json.loads(file.read_text())["angles"])


# ------------------------------------------------------------------------------------- O(N) recursion


@numba.njit
def _recursion(y: Any, dy: Any, n: int, work: Any) -> None:
    """Angular velocities and accelerations from angles and angular velocities.

    F_i is the force on bar i in its first hinge.  With mobilities P_i = I/m + h²/J n nᵀ of an end by a force there and
    C_i = I/m − h²/J n nᵀ by a force at the other end, n normal to the bar and h half its length, hinge i demands
    (P_{i−1} + P_i) F_i − C_{i−1} F_{i−1} − C_i F_{i+1} = −h (ω_{i−1}² e_{i−1} + ω_i² e_i).
    """
    h, mobility = 0.5 / n, float(n)
    turning = 3.0 * mobility  # h²/J
    for i in range(n):
        c, s, w2 = np.cos(y[i]), np.sin(y[i]), y[n + i] * y[n + i]
        xx, xy, yy = turning * s * s, -turning * c * s, turning * c * c
        d11, d12, d22 = mobility + xx, xy, mobility + yy
        c11, c12, c22 = mobility - xx, -xy, mobility - yy
        r1, r2 = -h * w2 * c, -h * w2 * s
        if i == 0:
            r2 += GRAVITY
        else:
            a11, a12, a22, b11, b12, b22, f1, f2, w_x, w_y = work[i - 1, :10]
            d11, d12, d22 = d11 + 2.0 * mobility - a11, d12 - a12, d22 + 2.0 * mobility - a22
            l11, l12 = a11 * b11 + a12 * b12, a11 * b12 + a12 * b22
            l21, l22 = a12 * b11 + a22 * b12, a12 * b12 + a22 * b22
            d11, d12, d22 = d11 - l11 * a11 - l12 * a12, d12 - l11 * a12 - l12 * a22, d22 - l21 * a12 - l22 * a22
            r1 += l11 * f1 + l12 * f2 - h * w_x
            r2 += l21 * f1 + l22 * f2 - h * w_y
        inverse = 1.0 / (d11 * d22 - d12 * d12)
        work[i, 0], work[i, 1], work[i, 2] = c11, c12, c22
        work[i, 3], work[i, 4], work[i, 5] = d22 * inverse, -d12 * inverse, d11 * inverse
        work[i, 6], work[i, 7] = r1, r2
        work[i, 8], work[i, 9], work[i, 10], work[i, 11] = w2 * c, w2 * s, c, s
    F1 = F2 = 0.0
    for i in range(n - 1, -1, -1):
        r1 = work[i, 6] + work[i, 0] * F1 + work[i, 1] * F2
        r2 = work[i, 7] + work[i, 1] * F1 + work[i, 2] * F2
        f1, f2 = work[i, 3] * r1 + work[i, 4] * r2, work[i, 4] * r1 + work[i, 5] * r2
        dy[i] = y[n + i]
        dy[n + i] = -(turning / h) * (work[i, 10] * (f2 + F2) - work[i, 11] * (f1 + F1))
        F1, F2 = f1, f2


def recursion(n: int) -> Any:
    """The right-hand side as SciPy wants it."""
    work = np.empty((n, 12))

    @numba.njit
    def right(t: float, y: Any, work: Any) -> Any:
        dy = np.empty(2 * n)
        _recursion(y, dy, n, work)
        return dy

    right(0.0, np.zeros(2 * n), work)
    return lambda t, y: right(t, y, work)


def recursive(n: int) -> list[Peer]:
    """The recursion with SciPy's and CyRK's DOP853."""
    from CyRK import nbsolve2_ivp
    from scipy.integrate import ode, solve_ivp

    right, y0 = recursion(n), np.zeros(2 * n)
    signature = types.void(types.CPointer(types.double), types.double, types.CPointer(types.double), types.voidptr)

    @numba.cfunc(signature)
    def derivative(dy: Any, t: float, y: Any, arguments: Any) -> None:
        _recursion(carray(y, 2 * n), carray(dy, 2 * n), n, np.empty((n, 12)))

    def in_python(tolerance: float) -> Run:
        def run() -> Outcome:
            solution = solve_ivp(right, (0.0, END), y0, "DOP853", [END], rtol=tolerance, atol=tolerance)
            return Outcome(solution.y[:, -1], solution.nfev)

        return run

    def in_c(tolerance: float) -> Run:
        def run() -> Outcome:
            solver = ode(right).set_integrator("dop853", rtol=tolerance, atol=tolerance, nsteps=10**7)
            y = solver.set_initial_value(y0, 0.0).integrate(END)
            if not solver.successful():
                raise ArithmeticError("dop853 failed")
            return Outcome(y)

        return run

    def cyrk(method: str, tolerance: float) -> Run:
        end = np.array([END])

        def run() -> Outcome:
            solution = nbsolve2_ivp(
                derivative.address, (0.0, END), y0, method=method, t_eval=end, rtol=tolerance, atol=tolerance
            )
            try:
                if not solution.success:
                    raise ArithmeticError(solution.message)
                return Outcome(solution.y[:, -1].copy(), 0, int(solution.steps_taken))
            finally:
                solution.free()

        run()
        return run

    slow = n > 500
    tolerances = sweep_of(n, 7.0)
    name = "O(N) recursion"
    return [
        Peer(f"{name}, {version('scipy')} solve_ivp DOP853", MINIMAL, in_python, tolerances, slow),
        Peer(f"{name}, {version('scipy')} ode dop853", MINIMAL, in_c, tolerances, slow),
        Peer(f"{name}, {version('CyRK')} DOP853", MINIMAL, partial(cyrk, "DOP853"), tolerances, slow),
        Peer(f"{name}, {version('CyRK')} VERN8", MINIMAL, partial(cyrk, "VERN8"), tolerances, slow),
        Peer(f"{name}, {version('CyRK')} TSIT5", MINIMAL, partial(cyrk, "TSIT5"), tolerances, slow),
    ]


# ------------------------------------------------------------------------------------- GGL and Gear forms


@numba.njit
def _residual(y: Any, yp: Any, z: Any, r: Any, n: int) -> None:
    """F(y, ẏ): per bar two constraints, their rates, kinematics, dynamics.  ``z`` is where the multipliers are.

    Forces are divided by masses, λ by the mass of a bar.
    """
    h = 0.5 / n
    turning = 12.0 * n * n * h  # h m/J
    for i in range(n):
        k = PER_BAR * i
        c, s = np.cos(y[k + 6]), np.sin(y[k + 6])
        a1, a2, b1, b2 = z[k], z[k + 1], z[k + 2], z[k + 3]
        x, yy, v_x, v_y, w = y[k + 4], y[k + 5], y[k + 7], y[k + 8], y[k + 9]
        r[k] += x - h * c
        r[k + 1] += yy - h * s
        r[k + 2] += v_x + h * s * w
        r[k + 3] += v_y - h * c * w
        s1, s2, m1, m2, d1, d2, e1, e2 = a1, a2, b1, b2, a1, a2, b1, b2
        if i + 1 < n:
            j = k + PER_BAR
            s1, s2, m1, m2 = a1 + z[j], a2 + z[j + 1], b1 + z[j + 2], b2 + z[j + 3]
            d1, d2, e1, e2 = a1 - z[j], a2 - z[j + 1], b1 - z[j + 2], b2 - z[j + 3]
            r[j] = -x - h * c
            r[j + 1] = -yy - h * s
            r[j + 2] = -v_x + h * s * w
            r[j + 3] = -v_y - h * c * w
        r[k + 4] = yp[k + 4] - v_x + e1
        r[k + 5] = yp[k + 5] - v_y + e2
        r[k + 6] = yp[k + 6] - w - h * (c * m2 - s * m1)
        r[k + 7] = yp[k + 7] + d1
        r[k + 8] = yp[k + 8] + GRAVITY + d2
        r[k + 9] = yp[k + 9] - turning * (c * s2 - s * s1)


@numba.njit
def _jacobian(y: Any, z: Any, cj: float, cz: float, n: int, rows: Any, columns: Any, values: Any) -> int:
    """∂F/∂y + cj ∂F/∂ẏ as triplets; ``cz`` is the factor of the multipliers, 1 or cj."""
    h = 0.5 / n
    turning = 12.0 * n * n * h
    at = 0

    for i in range(n):
        k = PER_BAR * i
        c, s, w = np.cos(y[k + 6]), np.sin(y[k + 6]), y[k + 9]
        s1, s2, m1, m2 = z[k], z[k + 1], z[k + 2], z[k + 3]
        last = i + 1 == n
        if not last:
            j = k + PER_BAR
            s1, s2, m1, m2 = s1 + z[j], s2 + z[j + 1], m1 + z[j + 2], m2 + z[j + 3]
        for side in range(1 if last else 2):
            j, sign = k + PER_BAR * side, 1.0 - 2.0 * side
            entries = (
                (j, k + 4, sign), (j, k + 6, h * s), (j + 1, k + 5, sign), (j + 1, k + 6, -h * c),
                (j + 2, k + 7, sign), (j + 2, k + 9, h * s), (j + 2, k + 6, h * c * w),
                (j + 3, k + 8, sign), (j + 3, k + 9, -h * c), (j + 3, k + 6, h * s * w),
                (k + 4, j + 2, sign * cz), (k + 5, j + 3, sign * cz),
                (k + 6, j + 2, h * s * cz), (k + 6, j + 3, -h * c * cz),
                (k + 7, j, sign * cz), (k + 8, j + 1, sign * cz),
                (k + 9, j, turning * s * cz), (k + 9, j + 1, -turning * c * cz),
            )  # fmt: skip
            for row, column, value in entries:
                rows[at], columns[at], values[at] = row, column, value
                at += 1
        entries_2 = (
            (k + 4, k + 4, cj), (k + 5, k + 5, cj), (k + 6, k + 6, cj + h * (s * m2 + c * m1)),
            (k + 7, k + 7, cj), (k + 8, k + 8, cj), (k + 9, k + 9, cj),
            (k + 4, k + 7, -1.0), (k + 5, k + 8, -1.0), (k + 6, k + 9, -1.0),
            (k + 9, k + 6, turning * (s * s2 + c * s1)),
        )  # fmt: skip
        for row, column, value in entries_2:
            rows[at], columns[at], values[at] = row, column, value
            at += 1
    return at


def start(n: int, form: str) -> tuple[np.ndarray, np.ndarray]:
    """Consistent y and ẏ at t = 0: the first bar carries half of its weight, and only it turns."""
    angular = np.zeros(2 * n)
    _recursion(np.zeros(2 * n), angular, n, np.empty((n, 12)))
    alpha = angular[n:]
    l = 1.0 / n
    y, yp = np.zeros((n, PER_BAR)), np.zeros((n, PER_BAR))
    y[:, 4] = l * (np.arange(n) + 0.5)
    yp[:, 9] = alpha
    yp[:, 8] = l * (np.cumsum(alpha) - 0.5 * alpha)
    force = yp[:, 8] + GRAVITY  # λ_{i+1} − λ_i, per mass
    vertical = -np.cumsum(force[::-1])[::-1]
    (y if form == "ggl" else yp)[:, 1] = vertical
    return y.ravel(), yp.ravel()


def state(n: int, y: np.ndarray) -> np.ndarray:
    """(φ, ω, x, y, v_x, v_y) from the unknowns, as :func:`drift` and :func:`digits` want it."""
    return np.asarray(y).reshape(n, PER_BAR)[:, [6, 9, 4, 5, 7, 8]].T.ravel()


def drift(n: int, y: np.ndarray) -> tuple[float, float]:
    """max |g| and max |G v| of one state or of several by columns; zero for minimal coordinates, which have neither."""
    if len(y) < 6 * n:
        return 0.0, 0.0
    phi, w, x, yy, v_x, v_y = y.reshape(6, n, -1)
    h = 0.5 / n
    found = []
    for p, along in ((x, np.cos(phi)), (yy, np.sin(phi)), (v_x, -np.sin(phi) * w), (v_y, np.cos(phi) * w)):
        gap = p - h * along
        gap[1:] -= (p + h * along)[:-1]
        found.append(float(np.abs(gap).max()))
    return max(found[:2]), max(found[2:])


def tolerances(n: int, tolerance: float) -> np.ndarray:
    """Absolute tolerances: multipliers do not matter."""
    atol = np.full((n, PER_BAR), tolerance)
    atol[:, :4] = 1e6
    return atol.ravel()


def outside(n: int, positions: bool = False) -> np.ndarray:
    """Which unknowns stay out of the error test: multipliers, and all velocities if it is on ``positions``."""
    unknown = np.arange(PER_BAR)
    return np.tile((unknown < 4) | (positions & (unknown >= 7)), n)


@dataclass(frozen=True)
class _Address:
    """What :class:`Native` needs of a function."""

    address: int
    work_size: int = 1
    keep: Any = None


_ENTRY = types.int32(
    types.int64,
    types.int64,
    types.CPointer(types.CPointer(types.double)),
    types.CPointer(types.CPointer(types.double)),
    types.CPointer(types.double),
)


@cache
def _natives(n: int, form: str) -> tuple[Native, Native]:
    """Residual, and Jacobian into the storage of a banded matrix of SUNDIALS."""
    size, gear = PER_BAR * n, form == "gear"
    high = min(size - 1, 2 * BAND)  # SUNDIALS keeps room for pivoting
    tall = high + BAND + 1

    @numba.cfunc(_ENTRY)
    def residual(request: int, changed: int, given: Any, result: Any, work: Any) -> int:
        y, yp, r = carray(given[0], size), carray(given[1], size), carray(result[0], size)
        r[0] = r[1] = r[2] = r[3] = 0.0
        _residual(y, yp, yp if gear else y, r, n)
        return 0

    rows, columns, values = np.empty(46 * n, np.int32), np.empty(46 * n, np.int32), np.empty(46 * n)
    zero = np.zeros(size)
    count = _jacobian(zero, zero, 1.0, 1.0, n, rows, columns, values)
    place = (columns.astype(np.int64) * tall + rows - columns + high)[:count]

    @numba.cfunc(_ENTRY)
    def jacobian(request: int, changed: int, given: Any, result: Any, work: Any) -> int:
        cj, y, yp = given[0][0], carray(given[1], size), carray(given[2], size)
        J = carray(result[0], size * tall)
        values = np.empty(46 * n)
        unused = np.empty(46 * n, np.int32)
        if gear:
            _jacobian(y, yp, cj, cj, n, unused, unused, values)
        else:
            _jacobian(y, y, cj, 1.0, n, unused, unused, values)
        for k in range(count):
            J[place[k]] = values[k]
        return 0

    return (
        Native(_Address(residual.address, keep=residual), sundials=True),
        Native(_Address(jacobian.address, keep=jacobian), sundials=True),
    )


def ida_from_c(n: int) -> list[Peer]:
    """IDA through its C interface, with its banded solver."""
    from sksundae import SUNDIALS_VERSION

    def prepare(form: str, order: int, positions: bool, tolerance: float) -> Run:
        residual, jacobian = _natives(n, form)
        solver = Ida(residual.address("residual"), jacobian.address("band"), PER_BAR * n, (BAND, BAND))
        y0, yp0 = start(n, form)
        settings: dict[str, Any] = {"algebraic": outside(n, positions)}
        atol = tolerances(n, tolerance)

        def run() -> Outcome:
            ended = solver.solve((0.0, END), y0, yp0, rtol=tolerance, atol=atol, order=order, **settings)
            if ended.flag < 0:
                raise ArithmeticError(f"IDASolve returned {ended.flag}")
            return Outcome(state(n, ended.y), ended.evaluations, ended.steps)

        return run

    peers = []
    for form, title in (("ggl", "GGL form"), ("gear", "Gear form")):
        for order in orders(n):
            for positions in (False, True) if order == 2 else (False,):
                name = f"SUNDIALS {SUNDIALS_VERSION} IDA from C, banded, {title}, order up to {order}"
                name += ", error test on positions" if positions else ""
                peers.append(Peer(name, DRIFT_FREE, partial(prepare, form, order, positions), sweep_of(n), n > 500))
    return peers


def orders(n: int) -> tuple[int, ...]:
    """Limits of the order of IDA: those above 2 are not stable for the fast waves along a long chain.

    They make IDA crawl: order 5 took 131 s for 1000 bars and an error of 1e-2.
    """
    return (2, 3, 5) if n <= 100 else (2,)


def ida_from_python(n: int) -> list[Peer]:
    """IDA as scikit-sundae offers it, with SuperLU_MT."""
    from scipy.sparse import csc_matrix
    from sksundae.ida import IDA

    size = PER_BAR * n
    rows, columns, values = np.empty(46 * n, np.int32), np.empty(46 * n, np.int32), np.empty(46 * n)
    count = _jacobian(np.zeros(size), np.zeros(size), 1.0, 1.0, n, rows, columns, values)
    pattern = csc_matrix((np.ones(count), (rows[:count], columns[:count])), shape=(size, size))
    order_of = np.lexsort((rows[:count], columns[:count]))

    def prepare(order: int, tolerance: float) -> Run:
        def residual(t: float, y: Any, yp: Any, r: Any) -> None:
            r[:4] = 0.0
            _residual(y, yp, y, r, n)

        def jacobian(t: float, y: Any, yp: Any, r: Any, cj: float, JJ: Any) -> None:
            _jacobian(y, y, cj, 1.0, n, rows, columns, values)
            JJ[:] = values[order_of]

        solver = IDA(
            residual,
            jacfn=jacobian,
            linsolver="sparse",
            sparsity=pattern,
            algebraic_idx=np.flatnonzero(outside(n)),
            rtol=tolerance,
            atol=tolerances(n, tolerance),
            max_order=order,
            max_num_steps=10**7,
        )
        y0, yp0 = start(n, "ggl")

        def run() -> Outcome:
            # Three times: only then is the solution not kept at every step.
            solution = solver.solve([0.0, 0.5 * END, END], y0, yp0)
            if not solution.success:
                raise ArithmeticError(solution.message)
            return Outcome(state(n, solution.y[-1]), solution.nfev)

        return run

    name = f"{version('scikit-sundae')} IDA, sparse, GGL form"
    return [
        Peer(f"{name}, order up to {order}", DRIFT_FREE, partial(prepare, order), sweep_of(n), n > 500)
        for order in orders(n)
    ]
