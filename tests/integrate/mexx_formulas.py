"""The formulas of mexx, section 2, written once more, in extended precision and without any cleverness.

One step of a system with everything in it: kinematics q̇ = T v, a mass matrix and constraints that depend on time and
position, forces that depend on the multiplier, an external state.  Its true motion comes by another road: Gragg's
extrapolation of the index-1 form.
"""

from itertools import pairwise

import mpmath
import numpy as np

import dalembert as da

mp = mpmath.MPContext()  # of our own: the shared one belongs to all tests
mp.dps = 60
SEQUENCE = (2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 24, 32)

# A bead on an ellipse that breathes, in coordinates whose velocities are scaled; a motor pulls at it. cos, sin and exp
# are those of the numbers at hand. ``friction``: how strongly forces depend on the reaction.


def system(friction, fn):
    """Functions of the contract for atoms (fn = NumPy) or numbers of mpmath."""

    def T(q):
        return [[1, 0], [fn.sin(q[0]) / 5, 1 + q[1] * q[1] / 10]]

    def M(t, q):
        return [[2 + fn.cos(q[0]) / 2, q[1] / 10], [q[1] / 10, 1 + t / 5]]

    def f(t, q, v, lam, u):
        drag = friction * lam[0] * (1 + lam[0] / 20)
        return [u[0] - v[0] * v[1] / 4 - drag * v[0] / 3, -3 - fn.sin(t) - drag]

    def g(t, q):
        return [q[0] * q[0] + q[1] * q[1] / 2 - 1 - fn.sin(t) / 4]

    def d(t, q, v, lam, u):
        return [-2 * u[0] + q[0] * v[1] + lam[0] / 10]

    return T, M, f, g, d


def traced(friction):
    """The same system for the integrator."""
    T, M, f, g, d = system(friction, np)
    return da.trace(
        T=lambda q: np.array(T(q)), M=lambda t, q: np.array(M(t, q)), g=lambda t, q: np.array(g(t, q)),
        f=lambda t, q, v, lam, u: np.array(f(t, q, v, lam, u)), d=lambda t, q, v, lam, u: np.array(d(t, q, v, lam, u)),
        n_q=2, n_v=2, n_u=1, name="bead",
    )  # fmt: skip


class Formulas:
    """One step from (t, q, v, u) on the constraints, with the true λ; numbers are those of mpmath."""

    def __init__(self, friction, modified=True):
        self.friction, self.modified = friction, modified
        self.T, self.M, self.f, self.g, self.d = system(friction, mp)

    def G(self, t, q):
        """(∂g/∂q) T, and ∂g/∂t."""
        gradient = mp.matrix([[2 * q[0], q[1]]])
        return gradient * mp.matrix(self.T(q)), mp.matrix([-mp.cos(t) / 4])

    def F(self, t, q, v, lam, u):
        slope = self.friction * (1 + lam[0] / 10)
        return mp.matrix([[-slope * v[0] / 3], [-slope]])

    def solve(self, t, q, top, bottom, F=None):
        G, _ = self.G(t, q)
        right = G.T if F is None else G.T - F
        K = mp.matrix(3, 3)
        M = self.M(t, q)
        for i in range(2):
            for j in range(2):
                K[i, j] = M[i][j]
            K[i, 2], K[2, i] = right[i], G[i]
        x = mp.lu_solve(K, mp.matrix([*top, bottom]))
        return x[:2], [x[2]]

    def rates(self, t, q, v, u):
        """q̇, a, u̇, λ of the index-1 form; γ as the derivative of G v + gI along the motion at constant v."""
        qdot = mp.matrix(self.T(q)) * mp.matrix(v)

        def level(s):
            G, gI = self.G(t + s, [q[0] + s * qdot[0], q[1] + s * qdot[1]])
            return (G * mp.matrix(v))[0] + gI[0]

        gamma = -mp.diff(level, 0)
        lam = [mp.mpf(0)]
        for _ in range(60):
            F = self.F(t, q, v, lam, u)
            f = self.f(t, q, v, lam, u)
            a, new = self.solve(t, q, [f[i] - F[i] * lam[0] for i in range(2)], gamma, F)
            done = abs(new[0] - lam[0]) < mp.mpf(10) ** (5 - mp.dps)
            lam = new
            if done:
                break
        return [qdot[0], qdot[1]], list(a), [mp.mpf(x) for x in self.d(t, q, v, lam, u)], lam

    def line(self, t0, y0, lam0, H, n):
        """(2.1) or (2.2): the end, and of each small step ẏ_n and λ_{n+1}."""
        q, v, u, lam, h = y0[:2], y0[2:4], y0[4:], lam0, H / n
        F0 = self.F(t0, q, v, lam, u) if self.modified else mp.matrix(2, 1)
        rows = []
        for i in range(n):
            f = self.f(t0 + i * h, q, v, lam, u)
            qdot = mp.matrix(self.T(q)) * mp.matrix(v)
            q = [q[k] + h * qdot[k] for k in range(2)]
            t = t0 + (i + 1) * h
            _, gI = self.G(t, q)
            M = mp.matrix(self.M(t, q)) * mp.matrix(v)
            top = [M[k] + h * f[k] - F0[k] * h * lam[0] for k in range(2)]
            new, h_lam = self.solve(t, q, top, -gI[0], F0)
            a = [(new[k] - v[k]) / h for k in range(2)]
            v, lam = list(new), [h_lam[0] / h]
            udot = self.d(t, q, v, lam, u)
            u = [u[0] + h * udot[0]]
            rows.append([*qdot, *a, *udot, *lam])
        return [*q, *v, *u], rows

    def project(self, t, y):
        """(2.9) and (2.12)."""
        q, v = y[:2], y[2:4]
        M, T = mp.matrix(self.M(t, q)), mp.matrix(self.T(q))
        G, _ = self.G(t, q)
        direction = T * mp.lu_solve(M, G.T)
        s = mp.findroot(lambda s: self.g(t, [q[k] + s * direction[k] for k in range(2)])[0], 0)
        q = [q[k] + s * direction[k] for k in range(2)]
        _, gI = self.G(t, q)
        w = mp.matrix(self.M(t, q)) * mp.matrix(v)
        v, _ = self.solve(t, q, list(w), -gI[0])
        return [*q, *v, *y[4:]]

    def step(self, t0, y0, H, order):
        """The projected end, and polynomials for y and z = (a, λ) as functions of θ."""
        qdot, a, udot, lam = self.rates(t0, y0[:2], y0[2:4], y0[4:])
        lines = [self.line(t0, y0, lam, H, n) for n in SEQUENCE[:order]]
        table = []
        for j, (end, _) in enumerate(lines):  # (2.6)
            row = [end]
            for k in range(j):
                factor = mp.mpf(SEQUENCE[j]) / SEQUENCE[j - k - 1] - 1
                row.append([x + (x - b) / factor for x, b in zip(row[k], table[j - 1][k], strict=True)])
            table.append(row)
        y1 = self.project(t0 + H, table[-1][-1])
        qdot1, a1, udot1, lam1 = self.rates(t0 + H, y1[:2], y1[2:4], y1[4:])
        rows = [rows for _, rows in lines]
        total = min(order + 3, 2 * order)
        left = [self.difference(rows, k, H, False) for k in range(1, total // 2 + 1)]
        right = [self.difference(rows, k, H, True) for k in range(1, total - total // 2 + 1)]
        y = [
            hermite([y0[i], [*qdot, *a, *udot][i] * H, *(x[i] * H ** (k + 2) for k, x in enumerate(left))],
                    [y1[i], [*qdot1, *a1, *udot1][i] * H, *(x[i] * H ** (k + 2) for k, x in enumerate(right))])
            for i in range(5)
        ]  # fmt: skip
        place = (2, 3, 5)  # of a and λ in a row
        z = [
            hermite([[*a, *lam][i], *(x[place[i]] * H ** (k + 1) for k, x in enumerate(left))],
                    [[*a1, *lam1][i], *(x[place[i]] * H ** (k + 1) for k, x in enumerate(right))])
            for i in range(3)
        ]  # fmt: skip
        return y1, y, z

    @staticmethod
    def difference(rows, k, H, right):
        """(2.14), (2.15): the k-th divided difference of each line, extrapolated by repeated elimination."""
        found = []
        for j in range(k, len(rows) + 1):
            line, h = rows[j - 1], H / SEQUENCE[j - 1]
            part = line[-k - 1 :] if right else line[: k + 1]
            while len(part) > 1:
                part = [[(b - a) / h for a, b in zip(*pair, strict=True)] for pair in pairwise(part)]
            found.append(part[0])
        for depth in range(1, len(found)):
            for j in range(len(found) - 1, depth - 1, -1):
                factor = mp.mpf(SEQUENCE[k - 1 + j]) / SEQUENCE[k - 1 + j - depth] - 1
                found[j] = [x + (x - b) / factor for x, b in zip(found[j], found[j - 1], strict=True)]
        return found[-1]

    def truth(self, t0, y0, H, theta):
        """The motion at t0 + θ H: extrapolated midpoint rule on the index-1 form, far below all errors of interest."""
        T, n_lines = theta * H, 12
        table = []
        for j in range(1, n_lines + 1):
            n, y = 4 * j, list(y0)
            h = T / n
            rate = lambda t, y: [x for part in self.rates(t, y[:2], y[2:4], y[4:])[:3] for x in part]  # noqa: E731
            before, y = y, [a + h * b for a, b in zip(y, rate(t0, y), strict=True)]
            for i in range(1, n):
                before, y = y, [a + 2 * h * b for a, b in zip(before, rate(t0 + i * h, y), strict=True)]
            row = [y]
            for k in range(j - 1):
                factor = (mp.mpf(j) / (j - k - 1)) ** 2 - 1
                row.append([x + (x - b) / factor for x, b in zip(row[k], table[-1][k], strict=True)])
            table.append(row)
        y = table[-1][-1]
        _, a, _, lam = self.rates(t0 + T, y[:2], y[2:4], y[4:])
        return y, [*a, *lam]


def hermite(left, right):
    """The polynomial on [0, 1] with these derivatives at its ends, by solving for its coefficients."""
    n = len(left) + len(right)
    A, b = mp.matrix(n, n), mp.matrix(n, 1)
    for k, value in enumerate(left):
        A[k, k], b[k] = mp.factorial(k), value
    for k, value in enumerate(right):
        for power in range(k, n):
            A[len(left) + k, power] = mp.ff(power, k)
        b[len(left) + k] = value
    coefficients = list(mp.lu_solve(A, b))
    return lambda theta: mp.polyval(coefficients[::-1], theta)
