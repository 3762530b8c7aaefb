"""A second road to the motion of a problem: its functions called with numbers, no atoms and no compiled code."""

from __future__ import annotations

import inspect
from types import SimpleNamespace

import numpy as np


def call(function, **arguments):
    return np.asarray(function(**{name: arguments[name] for name in inspect.signature(function).parameters}))


STEPS = {"carriage": 2e-4}  # of differences along the motion: its wheels have flanges that rise within 8 mm


class Plain:
    """M, f, g, G, γ of a problem at numbers; derivatives of g by complex steps."""

    def __init__(self, problem):
        self.problem, self.n = problem, len(problem.coordinates)
        #: number of constraints of one instance of each element
        self.rows = {
            element.name: call(element.g, t=0.0, q=problem.q0[where], p=p).size if element.g else 0
            for element, where, p in self._instances()
        }

    def M(self, t, q):
        if not self.problem.elements:
            return call(self.problem.functions["M"], t=t, q=q, p=self.problem.p)
        M = np.zeros((self.n, self.n))
        for element, where, p in self._instances():
            if element.M:
                M[np.ix_(where, where)] += call(element.M, t=t, q=q[where], p=p)
        return M

    def f(self, t, q, v, lam=None):
        functions, p = self.problem.functions, self.problem.p
        if not self.problem.elements:
            w = call(functions["w"], t=t, p=p) if "w" in functions else None
            return call(functions["f"], t=t, q=q, v=v, w=w, lam=lam, p=p)
        f, at = np.zeros(self.n, dtype=float if lam is None else lam.dtype), 0
        for element, where, p in self._instances():
            own = None if lam is None else lam[at : at + self.rows[element.name]]
            at += self.rows[element.name]
            if element.f:
                f[where] += call(element.f, t=t, q=q[where], v=v[where], lam=own, p=p)
        return f

    def g(self, t, q):
        if not self.problem.elements:
            g = self.problem.functions.get("g")
            return np.zeros(0) if g is None else call(g, t=t, q=q, p=self.problem.p)
        rows = [call(e.g, t=t, q=q[where], p=p) for e, where, p in self._instances() if e.g]
        return np.concatenate(rows)

    def G(self, t, q):
        h = 1e-30
        return np.column_stack([self.g(t, q + 1j * h * e).imag / h for e in np.eye(self.n)])

    def rate(self, t, q, v):
        """ġ = G v + gI."""
        h = 1e-30
        return self.g(t + 1j * h, q + 1j * h * v).imag / h

    def gamma(self, t, q, v):
        """−(d/ds)² g(t + s, q + s v), by differences of fourth order."""
        h = STEPS.get(self.problem.name, 2e-3) / max(1.0, np.abs(v).max())
        along = {s: self.rate(t + s * h, q + s * h * v, v) for s in (-2, -1, 1, 2)}
        return -(along[-2] - 8 * along[-1] + 8 * along[1] - along[2]) / (12 * h)

    def motion(self, t, q, v):
        """Accelerations and multipliers."""
        M, G = self.M(t, q), self.G(t, q)
        m = len(G)
        if m == 0:
            return np.linalg.solve(M, self.f(t, q, v)), np.zeros(0)
        gamma, lam, h = self.gamma(t, q, v), np.zeros(m), 1e-30
        for _ in range(20):  # Newton's method, as f may be any function of λ
            F = np.column_stack([self.f(t, q, v, lam + 1j * h * unit).imag / h for unit in np.eye(m)])
            K = np.block([[M, G.T - F], [G, np.zeros((m, m))]])
            f = self.f(t, q, v, lam)
            x = np.linalg.solve(K, np.concatenate([f - F @ lam, gamma]))
            before, lam = lam, x[self.n :]
            small = np.abs(lam - before).max() <= 1e-13 * np.abs(lam).max()
            if small or np.array_equal(self.f(t, q, v, lam), f):
                return x[: self.n], lam
        raise ArithmeticError("no multipliers were found")

    def rhs(self, t, y):
        q, v = y[: self.n], y[self.n :]
        return np.concatenate([v, self.motion(t, q, v)[0]])

    def _instances(self):
        for element in self.problem.elements:
            for i, where in enumerate(element.coordinates):
                data = {key: np.broadcast_to(value, len(element.coordinates))[i] for key, value in element.data.items()}
                yield element, np.array(where), SimpleNamespace(**vars(self.problem.p), **data)
