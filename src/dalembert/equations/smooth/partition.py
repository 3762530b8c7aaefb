"""Partition of a system into slow and fast coordinates, and its smooth motion.

W. C. Rheinboldt, B. Simeon: On computing smooth solutions of DAE's for elastic multibody systems.  Fast coordinates are
those that a stiff strain energy W keeps near zero, such as deformations of elastic bodies; numbers of equations here
are those of that paper.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from dalembert.arguments import flag, instance, listed, real, reals, shown
from dalembert.equations.contract.equations import Equations
from dalembert.equations.contract.evaluation import Derivatives, Evaluation
from dalembert.equations.contract.provider import Floats
from dalembert.equations.questions.reduction import rate_along, reduce
from dalembert.equations.smooth.deformation import Stiff
from dalembert.equations.smooth.manifold import LocalChart, fast_velocities, null_space, transversality_text
from dalembert.equations.smooth.many_points import Contract, Division, Points
from dalembert.equations.smooth.rigid_limit import (
    locked_equations,
    moving_parts,
    slaved_equations,
    stiffness_atoms,
)
from dalembert.equations.smooth.smooth_motion import SmoothMotion, elastodynamics, points_of
from dalembert.errors import EquationsError, StateError
from dalembert.instant import State

Names = Sequence[str | int]


class Partition:
    """Equations with some coordinates called fast.

    :param equations: any equations of motion
    :param fast: names or numbers of fast coordinates; those of flexible bodies if left away
    :param stiffness: D²W(0) of the strain energy alone, a matrix, or the diagonal of one; if left away that of flexible
        bodies, or −∂f/∂q of the fast coordinates at rest, which must be constant.  Springs on fast coordinates do not
        belong to it.
    :param parameters: values that differ from the defaults of the equations
    """

    def __init__(
        self,
        equations: Equations,
        fast: Names | None = None,
        *,
        stiffness: Any = None,
        parameters: Mapping[str, Any] | None = None,
    ) -> None:
        self.equations = instance(equations, Equations, "Partition: equations", EquationsError)
        self.p = equations.parameter_vector(parameters)
        self._parameters = {} if parameters is None else dict(parameters)
        places = _places(equations, equations.fast if fast is None else fast)
        stiffness = _of_strain_energy(equations, places) if stiffness is None else stiffness
        slow = [i for i in range(equations.sizes.q) if i not in set(places)]
        names = equations.names["q"]
        #: names of fast and of slow coordinates
        self.fast, self.slow = tuple(names[i] for i in places), tuple(names[i] for i in slow)
        self.fast_q, self.slow_q = np.array(places, dtype=np.int64), np.array(slow, dtype=np.int64)
        # Where the stiffness is given and rates are velocities, no point is needed at which all forces have values.
        self.fast_v = np.array(places) if equations.unit_T else fast_velocities(self._any_point(), places)
        self.slow_v = np.setdiff1d(np.arange(equations.sizes.v), self.fast_v)
        self._given = None if stiffness is None else _given_stiffness(equations, stiffness, len(places))
        #: D²W(0)
        self.stiffness = self._checked(self._found_stiffness(self._any_point()) if self._given is None else self._given)
        division = Division(self.slow_v, self.fast_v, self.fast_q)
        compliance = np.asarray(np.linalg.inv(self.stiffness), dtype=float)
        self._stiff = Stiff(Contract(equations, self.p, division), compliance)

    def __repr__(self) -> str:
        return f"<Partition of '{self.equations.name}': slow {', '.join(self.slow)}; fast {', '.join(self.fast)}>"

    # ------------------------------------------------------------------------------------------------- the equations

    @cached_property
    def rigid(self) -> Equations:
        """The rigid limit (2): the equations with fast coordinates locked at zero."""
        return locked_equations(self.equations, self.fast_q.tolist(), self.fast_v.tolist())

    @cached_property
    def slaved(self) -> Equations:
        """The slow system with fast coordinates slaved to it by (17): slow coordinates to the fourth order in ε."""
        return slaved_equations(self.equations, self.fast_q.tolist(), self.fast_v.tolist(), self._given)

    def chart(self, q: Any, t: float = 0.0, metric: str = "mass") -> LocalChart:
        """Local coordinates (24) at a point, fast coordinates among them as they are."""
        return LocalChart(self.equations, q, t=t, fast=self.fast_q.tolist(), metric=metric, parameters=self._parameters)

    def check(self, q: Any, t: float = 0.0) -> None:
        """Raise an error that names the rows, unless condition (7) holds: constraints stay independent where fast
        coordinates are locked at this position, or state."""
        q, t = (q.q, q.t) if isinstance(q, State) else (self.equations.vector("q", q), t)
        point = self._evaluation(
            real(t, f"'{self.equations.name}': t", StateError), q, np.zeros(self.equations.sizes.v)
        )
        G, M = point.matrix("G")[:, self.slow_v], point.matrix("M")[np.ix_(self.slow_v, self.slow_v)]
        if null_space(G, M).shape[1] != len(self.slow_v) - len(G):
            raise EquationsError(transversality_text(point, self.slow_v))

    def frequencies(self, q: Any = None, t: float = 0.0) -> Floats:
        """Frequencies ω of the fast coordinates by themselves, ω² M q = K q, rising (9)."""
        import scipy.linalg

        t = real(t, f"'{self.equations.name}': t", StateError)
        place = self._locked(self.equations.default("q") if q is None else self.equations.vector("q", q))
        M = self._evaluation(t, place, np.zeros(self.equations.sizes.v)).matrix("M")
        return np.sqrt(scipy.linalg.eigh(self.stiffness, M[np.ix_(self.fast_v, self.fast_v)], eigvals_only=True))

    @classmethod
    def proposed(
        cls,
        equations: Equations,
        state: State,
        elastic: Names | None = None,
        *,
        ratio: float = 20.0,
        pace: float | None = None,
        stiffness: Any = None,
        parameters: Mapping[str, Any] | None = None,
    ) -> Partition:
        """A partition by frequencies: of the ``elastic`` coordinates those are fast that oscillate at least ``ratio``
        times as fast as the rigid limit and its drives.

        The error of quasi-static deformations is about 3 to 10 over the square of that ratio.  Coordinates that mass or
        stiffness couple stay together.  ``pace`` replaces the largest frequency of the rigid limit and of its drives.
        """
        whole = cls(equations, elastic, stiffness=stiffness, parameters=parameters)
        state = instance(state, State, f"'{equations.name}': state", StateError, "as assemble returns it")
        pace = whole.pace(state) if pace is None else real(pace, f"'{equations.name}': pace", EquationsError)
        ratio = real(ratio, f"'{equations.name}': ratio", EquationsError)
        M = whole._evaluation(state.t, whole._locked(state.q), np.zeros(equations.sizes.v)).matrix("M")
        own = M[np.ix_(whole.fast_v, whole.fast_v)]
        chosen: list[int] = []
        for group in _coupled(np.abs(own) + np.abs(whole.stiffness) > 0.0):
            inside = np.ix_(group, group)
            squares = np.linalg.eigvals(np.linalg.solve(own[inside], whole.stiffness[inside]))
            if np.sqrt(np.min(squares.real)) >= ratio * pace:
                chosen += group
        if not chosen:
            raise EquationsError(
                f"'{equations.name}': none of the coordinates {', '.join(whole.fast)} is {ratio:g} times as fast as "
                f"the rigid limit ({pace:.6g} rad/s); all of them are slow, or ask for a smaller ratio"
            )
        kept = sorted(chosen)
        K = None if whole._given is None else whole._given[np.ix_(kept, kept)]
        return cls(equations, [whole.fast[i] for i in kept], stiffness=K, parameters=parameters)

    def pace(self, state: State) -> float:
        """How fast the rigid limit moves and oscillates at a point, an inverse time."""
        state = instance(state, State, f"'{self.equations.name}': state", StateError, "as assemble returns it")
        q, v = self._locked(state.q), np.array(state.v)
        v[self.fast_v] = 0.0
        point = self._evaluation(state.t, q, v, state.u)
        at = Points(np.array([state.t]), q[None], v[None], np.asarray(state.u)[None])
        found = self._stiff.locked(at)
        moving = np.zeros(len(v))
        moving[self.slow_v] = found.a[0, self.slow_v]
        frequencies = np.zeros(1)
        if len(self.slow_v) > self.equations.sizes.lam:
            frequencies = np.abs(np.linalg.eigvals(reduce(point, locked=self.fast_q.tolist()).A).imag)
        return max(rate_along(point, moving), float(np.max(frequencies, initial=0.0)))

    # -------------------------------------------------------------------------------------------- smooth motion

    def start(
        self,
        q: Any = None,
        v: Any = None,
        u: Any = None,
        *,
        t: float = 0.0,
        rates: str | float = "auto",
        refined: bool = False,
        held: Names = (),
    ) -> State:
        """Start values on the smooth motion (27), near slow coordinates ``q``, ``v``; what is given of the fast ones
        does not matter.

        ``rates`` of the deformation are "exact" (for expressions), by "central" differences, or by forward ones, of a
        step h as in the paper.  ``refined`` takes one more step of the expansion.
        """
        state = q if isinstance(q, State) else None
        given = (state.q, state.v, state.u) if state is not None else (q, v, u)
        values = [
            None if value is None else self.equations.vector(key, value)
            for key, value in zip("qvu", given, strict=True)
        ]
        place = self._locked(self.equations.default("q") if values[0] is None else values[0])
        speed = np.zeros(self.equations.sizes.v) if values[1] is None else values[1]
        speed[self.fast_v] = 0.0
        kept = [held] if isinstance(held, (str, int)) else listed(held, "held", StateError)
        keep: list[str | int] = [*(_place_held(self.equations, name) for name in kept), *self.fast]
        flag(refined, f"'{self.equations.name}': refined", EquationsError)
        t = state.t if state is not None else real(t, f"'{self.equations.name}': t", StateError)
        self.check(place, t)
        rigid = self.equations.assemble(place, speed, values[2], t=t, held=keep, parameters=self._parameters)
        at = Points(np.array([rigid.t]), rigid.q[None], rigid.v[None], rigid.u[None])
        found = self._smooth(at, rates, refined, lambda: self.pace(rigid))
        return found.state(0)

    def motion(
        self, run: Any, times: Any = None, *, rates: str | float = "auto", refined: bool = False
    ) -> SmoothMotion:
        """Smooth motion along a run of :attr:`rigid` (or :attr:`slaved`): deformations, slow coordinates that fit,
        accelerations and multipliers, at its own instants or at ``times``.

        ``run`` is what ``simulate`` or ``kinematics`` leave.  With modes that were left out as fast coordinates this is
        the static correction of a reduced model.
        """
        flag(refined, f"'{self.equations.name}': refined", EquationsError)
        at = self._whole(points_of(run, times, self.rigid))
        return self._smooth(at, rates, refined, lambda: self._pace_of(at))

    def elastodynamics(self, run: Any, times: Any = None, q: Any = None, rate: Any = None) -> tuple[Floats, Floats]:
        """Fast coordinates and their rates by the linear theory of elastodynamics (23), along a run of the rigid limit,
        for contrast: its frequencies are those of the bodies by themselves, not those of the coupled system."""
        at = self._whole(points_of(run, times, self.rigid))
        nu = np.concatenate([self._stiff.locked(part).nu for part in self._stiff.contract.parts(at)])
        M = self._stiff.contract.at(at[0:1])["M"][0][np.ix_(self.fast_v, self.fast_v)]
        n = len(self.fast)
        begin = [np.zeros(n) if x is None else reals(x, "elastodynamics: q", StateError).reshape(-1) for x in (q, rate)]
        if any(len(x) != n for x in begin):
            raise StateError(f"'{self.equations.name}': elastodynamics begins with {n} fast coordinates and rates")
        return elastodynamics(at.t, nu, M, self.stiffness, begin[0], begin[1])

    # --------------------------------------------------------------------------------------------------- internal

    def _smooth(self, at: Points, rates: str | float, refined: bool, pace_of: Callable[[], float]) -> SmoothMotion:
        how = self._rates(rates)
        pace = pace_of() if refined or how == "central" else 0.0  # differences are taken by it
        deform = self._stiff.refined if refined else self._stiff.deformation
        parts = self._stiff.contract.parts(at)
        found = [self._stiff.returned(part, *deform(part, how, pace)) for part in parts]
        return SmoothMotion.joined(found, self.equations, self.p)

    def _rates(self, rates: Any) -> str | float:
        if isinstance(rates, str):
            if rates == "auto":
                return "exact" if self._stiff.contract.exact else "central"
            if rates == "exact" and not self._stiff.contract.exact:
                raise EquationsError(
                    f"'{self.equations.name}' has no exact rates of forces, as it is not made of expressions; ask for "
                    "rates='central'"
                )
            if rates in ("exact", "central"):
                return rates
        if isinstance(rates, (int, float, np.number)) and not isinstance(rates, bool) and np.isfinite(rates) and rates:
            return float(rates)
        raise EquationsError(
            f"'{self.equations.name}': rates must be 'auto', 'exact', 'central' or the step of forward differences, "
            f"got {shown(rates)}"
        )

    def _pace_of(self, at: Points) -> float:
        """The largest at some of the points; differences of refinements are taken by it."""
        chosen = np.unique(np.linspace(0, len(at) - 1, 5).astype(int))
        none = np.zeros(0)
        return max(self.pace(State(float(at.t[k]), at.q[k], at.v[k], none, none, at.u[k])) for k in chosen)

    def _whole(self, rigid: Points) -> Points:
        """Points of the rigid limit with fast coordinates zero."""
        n, s = len(rigid), self.equations.sizes
        q, v = np.zeros((n, s.q)), np.zeros((n, s.v))
        q[:, self.slow_q], v[:, self.slow_v] = rigid.q, rigid.v
        return Points(rigid.t, q, v, rigid.u)

    def _locked(self, q: Floats) -> Floats:
        q = np.array(q)
        q[self.fast_q] = 0.0
        return q

    def _any_point(self) -> Evaluation:
        return self._evaluation(0.0, self._locked(self.equations.default("q")), np.zeros(self.equations.sizes.v))

    def _evaluation(self, t: float, q: Floats, v: Floats, u: Any = None) -> Evaluation:
        return Evaluation(self.equations, t, q, v, self.equations.default("u") if u is None else u, self.p)

    def _found_stiffness(self, at: Evaluation) -> Floats:
        """−∂f/∂q at rest; an error where that depends on more than parameters."""
        equations, x = self.equations, self.equations.innermost.expressions
        if x is not None and (
            moving := moving_parts(x, stiffness_atoms(x, self.fast_q.tolist(), self.fast_v.tolist()))
        ):
            listed_names = ", ".join(sorted({str(atom) for atom in moving})[:4])
            raise EquationsError(
                f"'{equations.name}': the stiffness of {', '.join(self.fast)} depends on {listed_names}; give that of "
                "the strain energy alone, stiffness=…"
            )
        s = equations.sizes
        found = []
        for shift in (0.0, 0.1):  # without expressions, at a second place that has nothing to do with the first
            q = at.q + np.where(np.isin(np.arange(s.q), self.slow_q), shift * at.scales.q, 0.0)
            still = np.zeros(s.v), np.zeros(s.v), np.zeros(s.lam)
            derivatives = Derivatives(equations, at.t, q, *still, at.u, self.p)
            found.append(derivatives.block("residual", "q")[np.ix_(self.fast_v, self.fast_q)])
            if x is not None:
                return found[0]
        if np.max(np.abs(found[1] - found[0])) > 1e-6 * np.max(np.abs(found[0])):
            raise EquationsError(
                f"'{equations.name}': the stiffness of {', '.join(self.fast)} depends on the position; give that of "
                "the strain energy alone, stiffness=…"
            )
        return found[0]

    def _checked(self, K: Floats) -> Floats:
        """Symmetric and positive definite, or an error that names a coordinate."""
        size = float(np.max(np.abs(K)))
        if not np.max(np.abs(K - K.T)) <= 1e-8 * size:
            i, j = np.unravel_index(int(np.argmax(np.abs(K - K.T))), K.shape)
            raise EquationsError(
                f"'{self.equations.name}': the stiffness is not symmetric, between {self.fast[i]} and {self.fast[j]}; "
                "give that of the strain energy, stiffness=…"
            )
        root = np.sqrt(np.abs(np.diag(K)))
        scaled = K / np.outer(root, root) if (root > 0).all() else K
        values, vectors = np.linalg.eigh(0.5 * (scaled + scaled.T))
        if not values[0] > 1e-12 * values[-1]:
            worst = self.fast[int(np.argmin(root)) if not (root > 0).all() else int(np.argmax(np.abs(vectors[:, 0])))]
            raise EquationsError(
                f"'{self.equations.name}': the fast coordinate {worst} has no stiffness of its own: D²W is not "
                "positive definite; call it slow"
            )
        return 0.5 * (K + K.T)


def partition_of(equations: Equations, smooth: Any, parameters: Mapping[str, Any] | None) -> Partition:
    """What ``smooth=`` of ``assemble`` stands for: True, names of fast coordinates, or a partition."""
    if isinstance(smooth, Partition):
        return smooth
    return Partition(equations, None if smooth is True else smooth, parameters=parameters)


def _of_strain_energy(equations: Equations, places: Sequence[int]) -> Any:
    """D²W of some coordinates, where a description knows the strain energy of all of them; else None."""
    names = [equations.names["q"][i] for i in places]
    if equations.fast_stiffness is None or not set(names) <= set(equations.fast):
        return None
    at = [equations.fast.index(name) for name in names]
    return equations.fast_stiffness[np.ix_(at, at)]


def _place_held(equations: Equations, item: Any) -> int:
    try:
        return equations.index("q", item)
    except StateError as error:
        raise StateError(f"held: {error}") from None


def _places(equations: Equations, fast: Any) -> list[int]:
    single = isinstance(fast, (str, int, np.integer))
    items = (fast,) if single else listed(fast, f"'{equations.name}': fast", EquationsError)
    places = [equations.index("q", item) for item in items]
    if not places:
        raise EquationsError(
            f"'{equations.name}' has no flexible bodies that would say which coordinates are fast; name them: "
            "Partition(equations, fast=[…])"
        )
    if len(set(places)) != len(places):
        raise EquationsError(f"'{equations.name}': fast coordinates are named twice: {shown(items)}")
    return sorted(places)


def _given_stiffness(equations: Equations, stiffness: Any, n: int) -> Floats:
    K = reals(stiffness, f"'{equations.name}': stiffness", EquationsError, finite=True)
    K = np.diag(K) if K.ndim == 1 else K
    if K.shape != (n, n):
        raise EquationsError(f"'{equations.name}': stiffness must be a {n} × {n} matrix or its diagonal, got {K.shape}")
    return np.array(K, dtype=float)


def _coupled(pattern: Any) -> list[list[int]]:
    """Groups of coordinates that a symmetric pattern connects."""
    left, groups = set(range(len(pattern))), []
    while left:
        group, front = set(), {min(left)}
        while front:
            group |= front
            front = {j for i in front for j in np.flatnonzero(pattern[i]).tolist()} - group
        groups.append(sorted(group))
        left -= group
    return groups
