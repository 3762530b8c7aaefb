"""Quasi-static deformations of fast coordinates, (17) and (27), and the next step of their expansion.

    K q^a = ν,    K w^a = ν̇                                  at points of the rigid limit, ν that lock the coordinates
    K q   = K q^a − (M a − f + Gᵀλ)_F                        refined: at points with q^a, ẇ^a and slow motion that fits

The second line is one more step of the outer expansion (12): it adds inertia, gyroscopic forces and curvature of the
strain energy of the deformation itself, and leaves an error of the order ε⁶ in q where slow coordinates are known.

Points are brought back to the constraints with fast values fixed, and of the slow ones only what constraints need:
nothing moves along them at the base point, where coordinates are measured by their own inertias, the diagonal of M_SS.
(The projection in the metric of M over all coordinates moves q against its stiffness: Fig. 3 b.  For the same reason
the coupling in M_SS is left out: slow modes of an elastic body, which constraints do not touch, stay as they are.)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dalembert.equations.contract.provider import Floats
from dalembert.equations.smooth.factored import Factored, times
from dalembert.equations.smooth.locked import Locked, force_rates, locked_at, walked
from dalembert.equations.smooth.many_points import Contract, Points
from dalembert.errors import ConstraintError

_ITERATIONS = 25
#: Differences of order 4: weights of first derivatives at −2 … 2 times the step.
_CENTRAL = np.array([1.0, -8.0, 0.0, 8.0, -1.0]) / 12.0
#: Steps of differences, in units of the time that the motion has.
_STEP = 0.01


@dataclass(frozen=True, eq=False)
class Stiff:
    """What deformations follow from: the contract and the compliance."""

    contract: Contract
    compliance: Floats  # K⁻¹

    def locked(self, at: Points) -> Locked:
        """The motion with fast coordinates locked."""
        return locked_at(self.contract, at)

    def deformation(self, at: Points, rates: str | float, pace: float) -> tuple[Floats, Floats]:
        """q^a and w^a at points of the rigid limit; ``rates`` are "exact", "central" differences, or forward ones of a
        given step; ``pace`` is the inverse time of the motion."""
        found = self.locked(at)
        q = found.nu @ self.compliance.T
        if rates == "exact":
            return q, force_rates(self.contract, at, found) @ self.compliance.T
        if rates == "central":
            h = _STEP / pace
            away = zip((-2, -1, 1, 2), _CENTRAL[[0, 1, 3, 4]], strict=True)
            return q, sum((weight / h * self._at_distance(at, k * h) for k, weight in away), np.zeros_like(q))
        h = float(rates)
        return q, (self._at_distance(at, h) - q) / h

    def _at_distance(self, at: Points, h: float) -> Floats:
        return self.locked(walked(self.contract, at, h, self.locked)).nu @ self.compliance.T

    # ------------------------------------------------------------------------------------ back to the constraints

    def returned(self, at: Points, q_fast: Floats, v_fast: Floats) -> Points:
        """Points of the constraints with these fast values; of the rest only what constraints need."""
        contract, division = self.contract, self.contract.division
        q, v = np.array(at.q), np.array(at.v)
        q[:, division.fast_q] = q_fast
        v[:, division.fast] = v_fast
        s = contract.equations.sizes
        if not s.g and not s.lam:
            return Points(at.t, q, v, at.u)
        base, inertia = contract.constraints(at, still=True), contract.inertia(at)
        inertia = np.maximum(inertia, 1e-8 * inertia.max(axis=1, initial=0.0)[:, None])

        def along(name: str, rows: Floats) -> Callable[[Floats], Floats]:
            """δ_S with rows δ_S = −residual, and U_Sᵀ D_SS δ_S = 0 at the base point, D the diagonal of M."""
            across = np.swapaxes(base[name], 1, 2) / inertia[:, :, None]  # D⁻¹ C_Sᵀ
            matrix = Factored(contract.equations.name, at.t, rows @ across)
            return lambda residual: times(across, matrix.solve(-residual))

        slow = contract.slow_coordinates
        sizes = np.max(np.abs(at.q), axis=0) + 1e-12
        sizes = np.maximum(sizes, np.max(sizes) * 1e-6)[slow]
        last, moved = np.inf, None
        for _ in range(_ITERATIONS):
            if not s.g:
                break
            point = Points(at.t, q, v, at.u)
            # Deformations are small, so that the matrix of the first step serves the others (chord Newton) as long as
            # these become much smaller.
            if moved is None:
                here = contract.constraints(point)
                residual, moved = here["g"], along("C", here["C"])
            else:
                residual = contract.positions(point)
            step = contract.slow_step(point, moved(residual))
            q[:, slow] += step
            q[:, slow] = contract.normalised(point)[:, slow]
            size = float(np.max(np.abs(step) / sizes, initial=0.0))
            # Steps become smaller by about the same factor: the next one would be size²/last.
            if size <= 1e-14 or (size <= 1e-11 and size > 0.1 * last) or (last < np.inf and size**2 <= 1e-14 * last):
                break
            if size > 0.1 * last:
                moved = None
            last = size
        else:
            raise ConstraintError(
                f"'{contract.equations.name}': deformed points cannot be brought back to the constraints by slow "
                "coordinates; deformations are too large, or the mechanism is near a singular position"
            )
        if s.lam:
            here = contract.constraints(Points(at.t, q, v, at.u))
            v[:, division.slow] += along("G", here["G"])(here["gv"])
        return Points(at.t, q, v, at.u)

    # ------------------------------------------------------------------------------------------------- refinement

    def refined(self, at: Points, rates: str | float, pace: float) -> tuple[Floats, Floats]:
        """q and w with one more step of the expansion, at points of the slow motion with fast coordinates zero."""
        h = _STEP / pace
        steps = range(-4, 5)
        away = [at if k == 0 else walked(self.contract, at, k * h, self.locked) for k in steps]
        found = [self.deformation(one, rates, pace) for one in away]
        refined = []
        for k in range(2, 7):
            q, w = found[k]
            second = sum((weight / h * found[k - 2 + j][1] for j, weight in enumerate(_CENTRAL)), np.zeros_like(q))
            point = self.returned(away[k], q, w)
            motion = locked_at(self.contract, point, second)
            refined.append(q + motion.nu @ self.compliance.T)  # ν has −grad W(q) in it: ν = K (q_new − q)
        w = sum((weight / h * one for one, weight in zip(refined, _CENTRAL, strict=True)), np.zeros_like(refined[2]))
        return refined[2], w
