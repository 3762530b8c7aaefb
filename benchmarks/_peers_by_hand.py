"""The seven-body mechanism as a user of an ODE solver would write it: by hand, in Numba, solved by Gaussian
elimination.

M, f, G and γ as in Hairer & Wanner II, VII.7; the 13 x 13 system of index 1 is solved with row pivoting in plain loops,
which for this size are faster than LAPACK.  CyRK and SciPy integrate it.
"""

from __future__ import annotations

from functools import partial
from math import cos, sin, sqrt
from typing import Any

import numba
import numpy as np
from numba import carray, types

import _peers_model as model
from _peers_sweep import DRIFT_PRONE, Outcome, Peer, Run, decades, version

P = model.PARAMETERS
# fmt: off
m1, m2, m3, m4, m5, m6, m7, mom, c0, l0 = P.m1, P.m2, P.m3, P.m4, P.m5, P.m6, P.m7, P.mom, P.c0, P.l0
I1, I2, I3, I4, I5, I6, I7 = P.I1, P.I2, P.I3, P.I4, P.I5, P.I6, P.I7
xa, ya, xb, yb, xc, yc, d, da, e, ea, rr, ra = P.xa, P.ya, P.xb, P.yb, P.xc, P.yc, P.d, P.da, P.e, P.ea, P.rr, P.ra
ss, sa, sb, sc, sd, ta, tb, u, ua, ub, zf, zt, fa = (
    P.ss, P.sa, P.sb, P.sc, P.sd, P.ta, P.tb, P.u, P.ua, P.ub, P.zf, P.zt, P.fa
)
# fmt: on
ROOM = np.zeros((13, 13)), np.zeros(13)  # for the linear system; lives as long as the process


@numba.njit(error_model="numpy", fastmath={"contract"})
def derivative(dy: Any, y: Any, A: Any, b: Any) -> None:
    """ẏ = (v, v̇); A and b are room for the linear system."""
    be, th, ga, ph, de, om, ep = y[0], y[1], y[2], y[3], y[4], y[5], y[6]
    bp, tp, gp, pp, dp, op, up = y[7], y[8], y[9], y[10], y[11], y[12], y[13]
    sibe, cobe, siga, coga = sin(be), cos(be), sin(ga), cos(ga)
    side, code, siep, coep = sin(de), cos(de), sin(ep), cos(ep)
    sith, coth, siph, coph, siom, coom = sin(th), cos(th), sin(ph), cos(ph), sin(om), cos(om)
    sibeth, cobeth = sin(be + th), cos(be + th)
    siphde, cophde = sin(ph + de), cos(ph + de)
    siomep, coomep = sin(om + ep), cos(om + ep)
    for i in range(13):
        for j in range(13):
            A[i, j] = 0.0
    A[0, 0] = m1 * ra * ra + m2 * (rr * rr - 2 * da * rr * coth + da * da) + I1 + I2
    A[1, 0] = A[0, 1] = m2 * (da * da - da * rr * coth) + I2
    A[1, 1] = m2 * da * da + I2
    A[2, 2] = m3 * (sa * sa + sb * sb) + I3
    A[3, 3] = m4 * (e - ea) ** 2 + I4
    A[4, 3] = A[3, 4] = m4 * ((e - ea) ** 2 + zt * (e - ea) * siph) + I4
    A[4, 4] = m4 * (zt * zt + 2 * zt * (e - ea) * siph + (e - ea) ** 2) + m5 * (ta * ta + tb * tb) + I4 + I5
    A[5, 5] = m6 * (zf - fa) ** 2 + I6
    A[6, 5] = A[5, 6] = m6 * ((zf - fa) ** 2 - u * (zf - fa) * siom) + I6
    A[6, 6] = m6 * ((zf - fa) ** 2 - 2 * u * (zf - fa) * siom + u * u) + m7 * (ua * ua + ub * ub) + I6 + I7
    xd, yd = sd * coga + sc * siga + xb, sd * siga - sc * coga + yb
    length = sqrt((xd - xc) ** 2 + (yd - yc) ** 2)
    force = -c0 * (length - l0) / length
    fx, fy = force * (xd - xc), force * (yd - yc)
    b[0] = mom - m2 * da * rr * tp * (tp + 2 * bp) * sith
    b[1] = m2 * da * rr * bp * bp * sith
    b[2] = fx * (sc * coga - sd * siga) + fy * (sd * coga + sc * siga)
    b[3] = m4 * zt * (e - ea) * dp * dp * coph
    b[4] = -m4 * zt * (e - ea) * pp * (pp + 2 * dp) * coph
    b[5] = -m6 * u * (zf - fa) * up * up * coom
    b[6] = m6 * u * (zf - fa) * op * (op + 2 * up) * coom
    for k in range(3):
        A[7 + 2 * k, 0], A[7 + 2 * k, 1] = -rr * sibe + d * sibeth, d * sibeth
        A[8 + 2 * k, 0], A[8 + 2 * k, 1] = rr * cobe - d * cobeth, -d * cobeth
    A[7, 2], A[8, 2] = -ss * coga, -ss * siga
    A[9, 3], A[9, 4] = -e * cophde, -e * cophde + zt * side
    A[10, 3], A[10, 4] = -e * siphde, -e * siphde - zt * code
    A[11, 5], A[11, 6] = zf * siomep, zf * siomep - u * coep
    A[12, 5], A[12, 6] = -zf * coomep, -zf * coomep - u * siep
    for i in range(7):
        for k in range(7, 13):
            A[i, k] = A[k, i]
    x2 = rr * cobe * bp * bp - d * cobeth * (bp + tp) ** 2
    y2 = rr * sibe * bp * bp - d * sibeth * (bp + tp) ** 2
    b[7] = x2 - ss * siga * gp * gp
    b[8] = y2 + ss * coga * gp * gp
    b[9] = x2 - e * siphde * (pp + dp) ** 2 - zt * code * dp * dp
    b[10] = y2 + e * cophde * (pp + dp) ** 2 - zt * side * dp * dp
    b[11] = x2 - zf * coomep * (op + up) ** 2 - u * siep * up * up
    b[12] = y2 - zf * siomep * (op + up) ** 2 + u * coep * up * up
    for k in range(13):
        best = k
        for i in range(k + 1, 13):
            if abs(A[i, k]) > abs(A[best, k]):
                best = i
        if best != k:
            for j in range(k, 13):
                A[k, j], A[best, j] = A[best, j], A[k, j]
            b[k], b[best] = b[best], b[k]
        inverse = 1.0 / A[k, k]
        for i in range(k + 1, 13):
            if A[i, k] != 0.0:
                factor = A[i, k] * inverse
                for j in range(k + 1, 13):
                    A[i, j] -= factor * A[k, j]
                b[i] -= factor * b[k]
    for i in range(12, -1, -1):
        total = b[i]
        for j in range(i + 1, 13):
            total -= A[i, j] * b[j]
        b[i] = total / A[i, i]
    for i in range(7):
        dy[i], dy[7 + i] = y[7 + i], b[i]


def peers() -> list[Peer]:
    """CyRK and SciPy on this function."""
    from CyRK import nbsolve2_ivp
    from scipy.integrate import solve_ivp

    y0, _ = model.start("ode")
    at_A, at_b = int(ROOM[0].ctypes.data), int(ROOM[1].ctypes.data)
    doubles = types.CPointer(types.float64)

    @numba.extending.intrinsic
    def pointer(typing: Any, address: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.inttoptr(arguments[0], context.get_value_type(doubles))

        return doubles(types.int64), generate

    @numba.cfunc(types.void(doubles, types.float64, doubles, types.voidptr), error_model="numpy")
    def for_cyrk(dy: Any, t: float, y: Any, arguments: Any) -> None:
        A, b = carray(pointer(at_A), (13, 13)), carray(pointer(at_b), (13,))
        derivative(carray(dy, (14,)), carray(y, (14,)), A, b)

    @numba.njit
    def for_scipy(t: float, y: Any) -> Any:
        dy = np.empty(14)
        derivative(dy, y, np.empty((13, 13)), np.empty(13))
        return dy

    def cyrk(tolerance: float) -> Run:
        def run() -> Outcome:
            solution = nbsolve2_ivp(for_cyrk.address, model.SPAN, y0, method="DOP853", rtol=tolerance, atol=tolerance)
            try:
                if not solution.success:
                    raise ArithmeticError(solution.message)
                return Outcome(solution.y[:, -1].copy(), 0, int(solution.steps_taken))
            finally:
                solution.free()

        run()
        return run

    def scipy(method: str, tolerance: float) -> Run:
        def run() -> Outcome:
            solution = solve_ivp(for_scipy, model.SPAN, y0, method=method, rtol=tolerance, atol=tolerance)
            if not solution.success:
                raise ArithmeticError(solution.message)
            return Outcome(solution.y[:, -1], int(solution.nfev), solution.t.size - 1, lambda: solution.y)

        run()
        return run

    found = [Peer(f"{version('CyRK')}, DOP853, index-1 ODE by hand in Numba", DRIFT_PRONE, cyrk, decades(4.0, 13.0))]
    for method in ("DOP853", "LSODA"):
        name = f"{version('scipy')}, solve_ivp {method}, index-1 ODE by hand in Numba"
        found.append(Peer(name, DRIFT_PRONE, partial(scipy, method), decades(4.0, 11.0)))
    return found
