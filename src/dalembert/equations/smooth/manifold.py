"""Local coordinates on the constraint manifold, in the roles that MANPAK's routines have for Rheinboldt and Simeon.

A chart at a base point z₀ has rows P, with [G; P] regular, and the parametrisation φ

    g(t, φ(x)) = 0,     P T₀⁺ (φ(x) − z₀) = x.

| role    |                          | here                                                                     |
|---------|--------------------------|--------------------------------------------------------------------------|
| COBAS   | basis U_p of ker D_p g   | ``basis``: orthonormal in the metric of M_SS, or Euclidean as published   |
| GPHI    | φ(x)                     | ``point(x)``: Newton's iteration with [G; P] of the base, a chord method  |
| DGPHI   | Dφ(x)                    | ``tangent(q)``: [G; P] Dφ = [0; 1]; ``velocity(q, ẋ)``                    |
| D2GPHI  | D²φ(x)(ẋ, ẋ)             | ``bend(q, v)``: [G; P] ζ = [γ; 0], one solution with the contract's γ      |

Fast coordinates are local coordinates by themselves: their rows of P are unit rows, so that U = blockdiag(U_p, 1) does
not span ker G where constraints depend on them (24).  Constraints may depend on time, and T may not be the identity.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dalembert.arguments import instance, listed, one_of, real, reals
from dalembert.equations.contract.equations import Equations
from dalembert.equations.contract.evaluation import Evaluation, normalised
from dalembert.equations.contract.provider import Floats
from dalembert.equations.questions.reduction import along_motion
from dalembert.errors import ConstraintError, EquationsError, StateError

_ITERATIONS = 40


class LocalChart:
    """Local coordinates x near a point of the constraint manifold; those named ``fast`` are among them as they are.

    >>> chart = LocalChart(equations, q0, fast=["rod.q1"])
    >>> q = chart.point(x)
    """

    def __init__(
        self,
        equations: Equations,
        q: Any,
        *,
        t: float = 0.0,
        fast: Sequence[str | int] = (),
        metric: str = "mass",
        parameters: Mapping[str, Any] | None = None,
    ) -> None:
        s = instance(equations, Equations, "LocalChart: equations", EquationsError).sizes
        if s.lam != s.g:
            raise EquationsError(
                f"'{equations.name}' has constraints on velocities alone: local coordinates have positions and "
                "velocities in pairs"
            )
        self.equations, self.t = equations, real(t, f"'{equations.name}': t", StateError)
        one_of(metric, ("mass", "euclidean"), f"'{equations.name}': metric", EquationsError)
        self.p = equations.parameter_vector(parameters)
        base = self._at(self.t, normalised(equations, self.t, equations.vector("q", q), self.p))
        if (np.abs(base.values["g"]) > 1e-7 * base.position_sizes).any():
            i = int(np.argmax(np.abs(base.values["g"]) / base.position_sizes))
            raise ConstraintError(
                f"'{equations.name}': the base point violates the constraint {equations.names['lam'][i]} by "
                f"{base.values['g'][i]:.3g}; take a point of assemble"
            )
        self.q, T = base.q, base.matrix("T")
        self._to_velocities = np.eye(s.v) if equations.unit_T else np.linalg.pinv(T)
        single = isinstance(fast, (str, int, np.integer))
        names = (fast,) if single else listed(fast, f"'{equations.name}': fast", EquationsError)
        places = fast_velocities(base, [equations.index("q", name) for name in names])
        slow = np.setdiff1d(np.arange(s.v), places)
        M = base.matrix("M")[np.ix_(slow, slow)] if metric == "mass" else np.eye(len(slow))
        free = null_space(base.matrix("G")[:, slow], M)
        if free.shape[1] != len(slow) - s.lam:
            raise EquationsError(transversality_text(base, slow))
        #: columns U: x is seen as P of them
        self.basis = np.zeros((s.v, free.shape[1] + len(places)))
        self.basis[slow, : free.shape[1]] = free
        self.basis[places, range(free.shape[1], self.basis.shape[1])] = 1.0
        self.rows = self.basis.T.copy()  # P
        self.rows[: free.shape[1], slow] = free.T @ M
        self._chord = np.linalg.inv(np.concatenate([base.matrix("C"), self.rows]))

    @property
    def size(self) -> int:
        """Number of local coordinates."""
        return self.basis.shape[1]

    def _at(self, t: float, q: Floats, v: Floats | None = None, u: Any = None) -> Evaluation:
        s = self.equations.sizes
        states = self.equations.default("u") if u is None else self.equations.vector("u", u)
        return Evaluation(self.equations, t, q, np.zeros(s.v) if v is None else v, states, self.p)

    def _time(self, t: float | None) -> float:
        return self.t if t is None else real(t, f"'{self.equations.name}': t", StateError)

    def _local(self, x: Any, what: str) -> Floats:
        found = reals(x, f"'{self.equations.name}': {what}", StateError).reshape(-1)
        if found.size != self.size or not np.isfinite(found).all():
            raise StateError(f"'{self.equations.name}': {what} must be {self.size} finite numbers, got {found}")
        return found

    def local(self, q: Any) -> Floats:
        """x of a point q."""
        return self.rows @ (self._to_velocities @ (self.equations.vector("q", q) - self.q))

    def point(self, x: Any, t: float | None = None) -> Floats:
        """q = φ(x) at the instant t (of the base, if left away)."""
        wanted, t, q = self._local(x, "x"), self._time(t), np.array(self.q)
        last = np.inf
        for _ in range(_ITERATIONS):
            at = self._at(t, q)
            missing = np.concatenate([at.values["g"], self.local(q) - wanted])
            step = at.times("T", -self._chord @ missing)
            q = normalised(self.equations, t, q + step, self.p)
            size = at.scales.largest(step, self.q)
            if size <= 1e-15 or (size <= 1e-12 and size > 0.3 * last):
                return q
            if not size < 4.0 * last:
                break
            last = size
        raise ConstraintError(
            f"'{self.equations.name}': no point of the constraints was found for these local coordinates; they are too "
            "far from the base point: make a chart nearer to it"
        )

    def _seen(self, at: Evaluation) -> Floats:
        """[G; P T₀⁺ T] at a point."""
        turned = self.rows if self.equations.unit_T else self.rows @ self._to_velocities @ at.matrix("T")
        return np.concatenate([at.matrix("G"), turned])

    def _solved(self, matrix: Floats, right: Floats) -> Floats:
        try:
            found = np.asarray(np.linalg.solve(matrix, right), dtype=float)
        except np.linalg.LinAlgError:
            raise ConstraintError(
                f"'{self.equations.name}': these local coordinates do not serve at q, which is too far from the base "
                "point, or where constraints lose rank: make a chart nearer to it"
            ) from None
        return found

    def tangent(self, q: Any, t: float | None = None) -> Floats:
        """Dφ at a point: velocities by local rates, (n_v, size)."""
        at = self._at(self._time(t), self.equations.vector("q", q))
        right = np.concatenate([np.zeros((self.equations.sizes.lam, self.size)), np.eye(self.size)])
        return self._solved(self._seen(at), right)

    def rates(self, q: Any, v: Any) -> Floats:
        """ẋ of velocities v."""
        at = self._at(self.t, self.equations.vector("q", q))
        return self._seen(at)[self.equations.sizes.lam :] @ self.equations.vector("v", v)

    def velocity(self, q: Any, rates: Any, t: float | None = None) -> Floats:
        """v = Dφ ẋ + φ_t."""
        at = self._at(self._time(t), self.equations.vector("q", q))
        return self._solved(self._seen(at), np.concatenate([-at.values["gI"], self._local(rates, "rates")]))

    def bend(self, q: Any, v: Any, t: float | None = None) -> Floats:
        """ζ = D²φ(ẋ, ẋ) + 2 Dφ_t ẋ + φ_tt: accelerations where ẍ = 0."""
        at = self._at(self._time(t), self.equations.vector("q", q), self.equations.vector("v", v))
        return self._solved(self._seen(at), np.concatenate([at.values["gamma"], -self._turning(at)]))

    def _turning(self, at: Evaluation) -> Floats:
        """P T₀⁺ Ṫ v."""
        if self.equations.unit_T:
            return np.zeros(self.size)
        return self.rows @ self._to_velocities @ along_motion(at, np.zeros(len(at.v)))[0] @ at.v

    def acceleration(self, q: Any, v: Any, u: Any = None, t: float | None = None) -> tuple[Floats, Floats]:
        """ẍ and λ from the local equations (25), (M Dφ, Gᵀ)(ẍ, λ) = f − M ζ."""
        q, v = self.equations.vector("q", q), self.equations.vector("v", v)
        at = self._at(self._time(t), q, v, u)
        M = at.matrix("M")
        right = at.values["f"] - M @ self.bend(q, v, t)
        found = self._solved(np.concatenate([M @ self.tangent(q, t), at.matrix("G").T], axis=1), right)
        return found[: self.size], found[self.size :]


def null_space(G: Floats, M: Floats) -> Floats:
    """Columns U with G U = 0 and Uᵀ M U = 1."""
    import scipy.linalg

    more = 1e-12 * max(float(np.max(np.abs(np.diag(M)), initial=0.0)), 1e-300)
    root = np.linalg.cholesky(M + more * np.eye(len(M))) if len(M) else M
    if not len(G):
        return np.linalg.inv(root).T
    scaled = scipy.linalg.solve_triangular(root, G.T, lower=True)  # L⁻¹ Gᵀ: its columns are rows of different units
    size = np.linalg.norm(scaled, axis=0)
    U, values, _ = np.linalg.svd(scaled / np.where(size > 0, size, 1.0))
    rank = int(np.sum(values > 1e-9))
    return np.asarray(scipy.linalg.solve_triangular(root.T, U[:, rank:], lower=False))


def fast_velocities(point: Evaluation, places: Sequence[int]) -> Any:
    """Velocities that are the rates of some coordinates; an error where there are none."""
    T, found = point.matrix("T"), []
    for i in places:
        (columns,) = np.nonzero(T[i])
        if len(columns) != 1 or T[i, columns[0]] != 1.0:
            raise EquationsError(
                f"'{point.equations.name}': the coordinate {point.equations.names['q'][i]} has no velocity of its own; "
                "only coordinates whose rate is a velocity can be fast"
            )
        found.append(int(columns[0]))
    return np.array(found, dtype=np.int64)


def transversality_text(point: Evaluation, slow: Any) -> str:
    """What violates condition (7), row by row."""
    equations, G = point.equations, point.matrix("G")
    size = np.linalg.norm(G * point.scales.v, axis=1)
    own = np.linalg.norm((G * point.scales.v)[:, slow], axis=1)
    names = equations.names["lam"]
    only_fast = [names[k] for k in range(len(G)) if own[k] <= 1e-9 * max(size[k], 1e-300)]
    if only_fast:
        return (
            f"'{equations.name}': {', '.join(only_fast)} hold{'s' * (len(only_fast) == 1)} fast coordinates only, so "
            "that no motion is left when these are locked; call some of these coordinates slow"
        )
    rows = G[:, slow] / np.where(own > 0, own, 1.0)[:, None]
    U, values, _ = np.linalg.svd(rows * point.scales.v[slow])
    part = np.max(np.abs(U[:, int(np.sum(values > 1e-9 * values[0])) :]), axis=1, initial=0.0)
    involved = [names[k] for k in range(len(G)) if part[k] > 1e-3]
    return (
        f"'{equations.name}': {', '.join(involved) or 'the constraints'} depend on each other when fast coordinates "
        "are locked; call some of the coordinates that they move slow"
    )
