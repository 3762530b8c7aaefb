"""Stops: one-sided constraints g ≤ 0, impacts on them with restitution, rest on them and release.

A stop is a row of the constraints that holds only while something rests on it; its multiplier λ ≥ 0 is the force of the
stop.  An impact changes velocities at once.  Impulses Λ act along all rows that hold and the row that is hit,

    ( M  Gᵀ ) (v⁺ − v⁻)   ( 0     )
    ( G  0  ) (   Λ   ) = ( ġ⁺ − ġ⁻ ),    ġ = G v + gI,

with ġ⁺ = −e ġ⁻ for the row that is hit (Newton's law) and ġ⁺ = 0 for those that hold: the projection of velocities of
mexx (2.12), with another right-hand side.  A stop on which something rests pushes and never pulls: one that would have
to pull, Λ < 0 or λ < 0, lets go.  One that is touched but bears no force does not hold in an impact; it is hit in its
turn, one after the other, as the balls of a cradle are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dalembert.equations.contract.equations import Equations
from dalembert.equations.contract.evaluation import Evaluation, sparse_matrix
from dalembert.equations.contract.provider import Floats
from dalembert.equations.contract.rank import dependent_rows
from dalembert.equations.questions.dynamics import solution
from dalembert.errors import ConstraintError, EquationsError
from dalembert.instant import State
from dalembert.symbolic import Atom, evaluate

if TYPE_CHECKING:
    from dalembert.equations.questions.kinematics import Kinematics
    from dalembert.equations.questions.linearisation import Linearisation
    from dalembert.equations.questions.mobility import Mobility

#: A start may be beyond a stop by this part of the sizes that there are, which is rounding or the tolerance of an
#: assembly.
BEYOND = 1e-8
#: Penetrations up to this part of them are contact.
CONTACT = 1e-12
#: Bounces whose flight takes less than this part of the run, or that are lower than so many times CONTACT, are rest.
_SHORT_FLIGHT, _LOW_FLIGHT = 1e-6, 100.0
#: After so many impacts in a row at one instant, for each stop that is touched, what still approaches stays.
_ROUNDS = 50
#: Parts of what they are made of below which rates, forces and inverse masses are rounding.
_ROUNDING = 1e-11
#: Stops that bear less than this part of the forces at play are touched, nothing rests on them.
_BEARS = 1e-6
_ITERATIONS = 30


@dataclass(frozen=True, eq=False)
class Stop:
    """A stop of a mechanism.

    :param name: that its impacts have as events; releases are "name.release"
    :param row: name of the multiplier of its constraint
    :param penetration: gives the value g of the row, as atoms of ``equations.namespace()``; it is negative where the
        stop is not touched
    :param restitution: e, a number or an expression of the parameters
    :param rest: whether bounces may come to an end; a number: slower impacts do not rebound
    """

    name: str
    row: str
    penetration: Callable[[], Any]
    restitution: Any = 0.0
    rest: bool | float = True


class Beyond(NamedTuple):
    """How far a position is beyond a stop, negative where there is room; and the size that this is compared with."""

    by: float
    scale: float

    @property
    def counts(self) -> bool:
        """Whether it is more than rounding and tolerances explain."""
        return self.by > BEYOND * self.scale

    @property
    def contact(self) -> float:
        """Penetrations up to this are contact."""
        return max(CONTACT * self.scale, 2.0 * self.by)


def beyond_stops(equations: Equations, t: float, q: Floats, p: Floats) -> dict[str, Beyond]:
    """How far a position is beyond each stop, by the names of their rows."""
    s, rows = equations.sizes, {name: equations.index("lam", name) for name in equations.inactive}
    point = Evaluation(equations, t, q, np.zeros(s.v), np.zeros(s.u), p)
    return {name: Beyond(float(point.values["g"][i]), float(point.position_sizes[i])) for name, i in rows.items()}


class Contacts:
    """The stops of some equations: what an impact, or a force that turns, does to velocities and to rows that hold.

    ``duration`` is that of the run: what happens in a tiny part of it is not followed.
    """

    def __init__(self, equations: Equations, stops: Sequence[Stop], duration: float) -> None:
        self.equations, self.stops = equations, tuple(stops)
        self.rows = [equations.index("lam", stop.row) for stop in self.stops]
        self._shortest = _SHORT_FLIGHT * duration

    def restitution(self, k: int, p: Floats) -> float:
        """e of a stop."""
        value = self.stops[k].restitution
        if isinstance(value, Atom):
            symbols = self.equations.namespace()[1]["p"]
            value = evaluate(value, dict(zip(symbols, p.tolist(), strict=True)))
        e = float(value)
        if not 0.0 <= e <= 1.0:
            raise EquationsError(f"'{self.stops[k].name}': restitution must be between 0 and 1, got {e:g}")
        return e

    # ----------------------------------------------------------------------------------------------------- what happens

    def impact(
        self, hit: int, t: float, q: Floats, v: Floats, u: Floats, p: Floats, held: Sequence[int]
    ) -> tuple[Floats, tuple[int, ...], list[int], Floats]:
        """Velocities after the impact on a stop and whatever it sets off, the rows that hold then, other stops that
        were hit, and the impulses of all rows, M (v⁺ − v⁻) = −Gᵀ Λ."""
        here = _Instant(Evaluation(self.equations, t, q, v, u, p))
        fixed, resting = self._apart(held)
        others: set[int] = set()
        impulse = np.zeros(self.equations.sizes.lam)
        touched = self._touched(here, [hit, *resting])
        resting = self._bearing(here, fixed, resting)
        rounds = _ROUNDS * len(touched)
        first: int | None = hit
        for count in range(10 * rounds):
            k = self._approaching(here, v, [k for k in touched if k not in resting], first)
            first = None
            if k is None:
                break
            w = here.rates(v)[self.rows[k]]
            e = self.restitution(k, p)
            if count == rounds and not here.independent(self.rows[k], fixed):
                raise EquationsError(
                    f"'{self.stops[k].name}' is in the way of a motion that constraints or drives prescribe; no impact "
                    "can change it"
                )
            # Where stops throw something to and fro without end, it stays.
            if count >= rounds or self._ends(here, k, w, e, fixed, resting):
                e = 0.0
                resting = [*resting, k] if self.stops[k].rest is not False else resting
            elif w <= 0.0:
                continue  # it is on its way already
            v, resting = self._after(here, v, k, e, fixed, resting, impulse)
            others |= {k} - {hit}
        after = _Instant(Evaluation(self.equations, t, q, v, u, p))
        return v, self._holding(after, fixed, self._at_rest(after, touched, resting)), sorted(others), impulse

    def release(
        self, pulling: int, t: float, q: Floats, v: Floats, u: Floats, p: Floats, held: Sequence[int]
    ) -> tuple[int, ...]:
        """The rows that hold after a stop has been let go."""
        here = _Instant(Evaluation(self.equations, t, q, v, u, p))
        fixed, resting = self._apart(held)
        touched = self._at_rest(here, self._touched(here, resting), resting)
        return self._holding(here, fixed, [k for k in touched if k != pulling])

    def _apart(self, held: Sequence[int]) -> tuple[list[int], list[int]]:
        """Rows of other constraints that hold, and stops on which something rests."""
        resting = [k for k, row in enumerate(self.rows) if row in held]
        return [row for row in held if row not in self.rows], resting

    def _bearing(self, here: _Instant, fixed: list[int], resting: list[int]) -> list[int]:
        """Of the stops that hold those that bear a force."""
        rows = self._rows(fixed, resting)
        a, lam = here.motion(rows)
        forces = lam[len(fixed) :] * here.scale[rows[len(fixed) :]]
        return [k for k, force in zip(resting, forces, strict=True) if force > _BEARS * here.force_size(a)]

    def _touched(self, here: _Instant, known: Iterable[int]) -> list[int]:
        near = [k for k, row in enumerate(self.rows) if here.point.values["g"][row] >= -CONTACT * here.wide[row]]
        return list(dict.fromkeys([*known, *near]))

    def _approaching(self, here: _Instant, v: Floats, stops: Sequence[int], first: int | None) -> int | None:
        """The stop that is approached fastest, if there is one; first of all the one that was found to be hit."""
        if first is not None and first in stops:
            return first
        rates, noise = here.rates(v), here.noise(v)
        found = [k for k in stops if rates[self.rows[k]] > noise[self.rows[k]]]
        return max(found, key=lambda k: rates[self.rows[k]], default=None)

    def _ends(self, here: _Instant, k: int, w: float, e: float, fixed: list[int], resting: list[int]) -> bool:
        """Whether an impact with the speed w is the last one."""
        rest = self.stops[k].rest
        if rest is False:
            return False
        if rest is not True and 0.0 < w <= rest:
            return True
        # The force that drives it against the stop, as an acceleration, and the flight that would follow.
        push = here.accelerations(self._rows(fixed, resting))[self.rows[k]]
        speed = e * w if w > 0.0 else -w
        if push <= here.rounding[self.rows[k]]:
            return False
        lowest = _LOW_FLIGHT * CONTACT * here.wide[self.rows[k]]
        return 2.0 * speed <= push * self._shortest or speed * speed <= 2.0 * lowest * push

    def _rows(self, fixed: list[int], resting: Iterable[int]) -> list[int]:
        return [*fixed, *(self.rows[k] for k in resting)]

    def _after(
        self, here: _Instant, v: Floats, k: int, e: float, fixed: list[int], resting: list[int], impulse: Floats
    ) -> tuple[Floats, list[int]]:
        """Velocities after one impact, and the stops on which something still rests; adds to the impulses."""
        kept = [j for j in resting if j != k]
        while True:
            rows = [self.rows[k], *self._rows(fixed, kept)]
            jump = -here.rates(v)[rows]
            jump[0] *= 1.0 + e
            change, impulses = here.impact(rows, jump)
            # Impulses are compared in the units of momentum.
            pulls = impulses[1 + len(fixed) :] * here.scale[rows[1 + len(fixed) :]]
            worst = int(np.argmin(pulls)) if kept else -1
            if worst < 0 or pulls[worst] >= -1e-9 * np.max(np.abs(impulses * here.scale[rows])):
                impulse[rows] += impulses
                return v + change, [*kept, k] if k in resting else kept
            del kept[worst]

    def _at_rest(self, here: _Instant, touched: Sequence[int], resting: Sequence[int]) -> list[int]:
        """Stops with nothing approaching or leaving them."""
        rates, noise = here.rates(here.point.v), here.noise(here.point.v)
        return [
            k
            for k in touched
            if k in resting or (self.stops[k].rest is not False and abs(rates[self.rows[k]]) <= noise[self.rows[k]])
        ]

    def _holding(self, here: _Instant, fixed: list[int], touched: Sequence[int]) -> tuple[int, ...]:
        """Rows that hold, of stops those that have to push.

        Rows that others imply are left out, and then one by one those that would pull; one that is driven into its stop
        thereby comes back, once.
        """
        holding: list[int] = []
        for k in touched:
            if here.independent(self.rows[k], self._rows(fixed, holding)):
                holding.append(k)
        left = [k for k in touched if k not in holding]
        back: set[int] = set()
        while True:
            rows = self._rows(fixed, holding)
            a, lam = here.motion(rows)
            forces = lam[len(fixed) :] * here.scale[rows[len(fixed) :]]
            worst = int(np.argmin(forces)) if holding else -1
            if worst >= 0 and forces[worst] < -_ROUNDING * here.force_size(a):
                left.append(holding.pop(worst))
                continue
            pushed = here.accelerations(rows)
            driven = [k for k in left if k not in back and pushed[self.rows[k]] > here.rounding[self.rows[k]]]
            driven = [k for k in driven if here.independent(self.rows[k], rows)]
            if not driven:
                return tuple(sorted(rows))
            back.add(driven[0])
            left.remove(driven[0])
            holding.append(driven[0])


class _Instant:
    """The equations at one instant, with any choice of active rows."""

    def __init__(self, point: Evaluation) -> None:
        self.point = point
        values = point.values
        #: size of the entries of a row of G
        self.scale = _largest(point)
        #: what penetrations are compared with
        self.wide = point.position_sizes
        #: accelerations of rows below this are rounding
        self.rounding = _ROUNDING * (np.abs(values["gamma"]) + point.row_sizes("G", self._free()))
        self._motions: dict[tuple[int, ...], tuple[Floats, Floats]] = {}

    def _free(self) -> Floats:
        """Sizes of accelerations: forces against the diagonal of M."""
        return np.abs(self.point.values["f"]) / self.point.metric

    def rates(self, v: Floats) -> Floats:
        """ġ = G v + gI of all rows."""
        return self.point.times("G", v) + self.point.values["gI"]

    def noise(self, v: Floats) -> Floats:
        """Rates below these are rounding."""
        return _ROUNDING * (self.point.row_sizes("G", v) + np.abs(self.point.values["gI"])) + 1e-300

    def force_size(self, a: Floats) -> float:
        """Size of the forces at play, in the units of G λ."""
        return float(np.max(np.abs(self.point.values["f"]) + np.abs(self.point.times("M", a)), initial=1e-300))

    def accelerations(self, rows: Sequence[int]) -> Floats:
        """g̈ of all rows in the motion with these rows active."""
        a, _ = self.motion(rows)
        return self.point.times("G", a) - self.point.values["gamma"]

    def motion(self, rows: Sequence[int]) -> tuple[Floats, Floats]:
        """Accelerations and multipliers with these rows active."""
        key = tuple(rows)
        if key not in self._motions:
            self._motions[key] = self._motion(list(rows))
        return self._motions[key]

    def _motion(self, rows: list[int]) -> tuple[Floats, Floats]:
        point, lam = self.point, np.zeros(self.point.equations.sizes.lam)
        lam[rows] = point.lam[rows]
        for _ in range(_ITERATIONS):
            values = point.forces(lam)
            pattern, F = point.patterns["F"], values["F"]
            reaction = np.zeros(len(values["f"]))  # F λ
            np.add.at(reaction, pattern.rows, F * lam[pattern.columns])
            right = np.concatenate([values["f"] - reaction, point.values["gamma"][rows]])
            x = self._solve(rows, right, sparse_matrix(pattern, F) if F.any() else None)
            change, lam[rows] = (
                np.max(np.abs(x[point.equations.sizes.v :] - lam[rows]), initial=0.0),
                x[len(reaction) :],
            )
            if not F.any() or change <= 1e-12 * np.max(np.abs(lam)):
                break
        return x[: len(reaction)], lam[rows]

    def impact(self, rows: list[int], jump: Floats) -> tuple[Floats, Floats]:
        """Change of velocities that makes the rates of some rows jump, and the impulses of these rows."""
        n = self.point.equations.sizes.v
        x = self._solve(rows, np.concatenate([np.zeros(n), jump]))
        return x[:n], x[n:]

    def independent(self, row: int, others: Sequence[int]) -> bool:
        """Whether an impulse along a row can move it while others hold."""
        n = self.point.equations.sizes.v
        pattern, values = self.point.patterns["G"], self.point.values["G"]
        here = pattern.rows == row
        direction = np.zeros(n)
        np.add.at(direction, pattern.columns[here], values[here])
        if not direction.any():
            return False
        moved = self._solve(list(others), np.concatenate([direction, np.zeros(len(others))]))[:n]
        return bool(direction @ moved > 1e-9 * direction @ (direction / self.point.metric))

    def _solve(self, rows: list[int], right: Floats, F: Any = None) -> Floats:
        point = self.point
        if point.large:
            return self._solve_sparse(rows, right, F)
        M, G = point.matrix("M"), point.matrix("G")[rows]
        coupling = G.T if F is None else G.T - F.toarray()[:, rows]
        matrix = np.block([[M, coupling], [G, np.zeros((len(G), len(G)))]])
        return solution(matrix, right, len(M), bool(dependent_rows(G * point.scales.v)))

    def _solve_sparse(self, rows: list[int], right: Floats, F: Any) -> Floats:
        import scipy.sparse
        import scipy.sparse.linalg

        M = self.point.sparse("M")
        if not rows:
            return np.asarray(scipy.sparse.linalg.splu(M).solve(right))
        G = self.point.sparse("G").tocsr()[rows]
        coupling = G.T if F is None else G.T - F.tocsc()[:, rows]
        matrix = scipy.sparse.block_array([[M, coupling], [G, None]], format="csc")
        return np.asarray(scipy.sparse.linalg.splu(matrix).solve(right))


def _largest(point: Evaluation) -> Floats:
    pattern = point.patterns["G"]
    found = np.zeros(pattern.shape[0])
    np.maximum.at(found, pattern.rows, np.abs(point.values["G"]))
    return np.where(found > 0.0, found, 1.0)


class Switched(Equations):
    """Equations with stops.

    What is asked of them at one instant is answered for the rows that hold where nothing rests on a stop.
    """

    @property
    def switches(self) -> Sequence[Stop]:
        """The stops."""
        return ()

    @property
    def inactive(self) -> tuple[str, ...]:
        """Names of the rows that do not hold at first."""
        return tuple(stop.row for stop in self.switches)

    @cached_property
    def active(self) -> Equations:
        """These equations without the rows of stops."""
        return self.restricted(self._rows_without(self.inactive))

    def _rows_without(self, names: Iterable[str]) -> list[int]:
        """Numbers of all rows but some."""
        missing = set(names)
        return [i for i, name in enumerate(self.names["lam"]) if name not in missing]

    def _all_rows(self, lam: Floats) -> Floats:
        """Multipliers of all rows, in the first direction; those of stops are zero."""
        if len(lam) == self.sizes.lam:
            return lam
        place = {row: k for k, row in enumerate(self.rows)}
        full = np.zeros((self.sizes.lam, *lam.shape[1:]))
        full[[place[row] for row in self.active.rows]] = lam
        return full

    def _active_rows(self, lam: Any) -> Floats | None:
        """Of multipliers that are given for all rows, those of rows that are no stops."""
        if lam is None:
            return None
        return np.array(self.vector("lam", lam)[self._rows_without(self.inactive)])

    def beyond(self, t: float, q: Floats, parameters: Mapping[str, Any] | None = None) -> dict[str, Beyond]:
        """How far a position is beyond each stop, by the names of their rows."""
        return (
            beyond_stops(self, self._instant(t), self.vector("q", q), self.parameter_vector(parameters))
            if self.switches
            else {}
        )

    def assemble(
        self,
        q: Any = None,
        v: Any = None,
        u: Any = None,
        *,
        t: float | None = None,
        held: Sequence[Any] = (),
        held_velocities: Sequence[Any] | None = None,
        parameters: Mapping[str, Any] | None = None,
        redundant: str = "refuse",
        lam: Any = None,
        smooth: Any = False,
    ) -> State:
        """Consistent start near ``q``, ``v``, with nothing resting on stops; a start beyond one of them is an error.

        Coordinates that are ``held`` (names or numbers) keep the values given, as do their rates, or instead of these
        the ``held_velocities``; the others move as little as possible, measured by M.  Accelerations and multipliers
        follow.  ``redundant="accept"`` allows constraints that say the same; multipliers are then those of the smallest
        norm.  Where forces depend on multipliers, these are looked for from ``lam`` on, one for each row.
        """
        found = Equations.assemble(
            self.active, q, v, u, t=t, held=held, held_velocities=held_velocities, parameters=parameters,
            redundant=redundant, lam=self._active_rows(lam), smooth=smooth,
        )  # fmt: skip
        for row, depth in self.beyond(found.t, found.q, parameters).items():
            if depth.counts:
                raise ConstraintError(
                    f"'{self.name}': the start is beyond the stop '{row}' by {depth.by:.6g}; start on the other side "
                    "of it"
                )
        return self.named(replace(found, lam=self._all_rows(found.lam)), parameters)

    def equilibrium(
        self,
        q: Any = None,
        v: Any = None,
        u: Any = None,
        *,
        velocities: Mapping[str, float | None] | None = None,
        held: Sequence[Any] = (),
        stable: bool = False,
        t: float | None = None,
        parameters: Mapping[str, Any] | None = None,
        redundant: str = "refuse",
        side: str = "mean",
    ) -> State:
        """Static equilibrium near ``q``, or a steady motion, also one that rests on stops: their forces push.

        Coordinates that are ``held`` keep the values given, as if they were locked: their own balance is not asked for.
        With ``stable=True`` it is searched for in the direction in which forces pull, and one that is not stable is an
        error; otherwise the equilibrium next to ``q`` is found, whatever it is.  ``velocities`` ask for a steady
        motion: for each independent velocity its constant value, or None where it is to be found, near that of ``v``.
        ``side`` says which slope counts at corners of laws, as in :meth:`linearise`.
        """
        resting: list[str] = []
        tried: list[str] = []
        q, v, u, t = self._at(q, v, u, t)
        depths = self.beyond(t, self.default("q") if q is None else self.vector("q", q), parameters)
        nearest = sorted(depths, key=lambda row: -depths[row].by / depths[row].scale)
        for _ in range(4 * len(self.switches) + 1):
            rows = self._rows_without(set(self.inactive) - set(resting))
            try:
                found = Equations.equilibrium(
                    self.restricted(rows), q, v, u, velocities=velocities, held=held, stable=stable, t=t,
                    parameters=parameters, redundant=redundant, side=side,
                )  # fmt: skip
            except EquationsError:
                # Where nothing else holds it, it falls on a stop: those not tried yet, the nearest first.
                untried = [row for row in nearest if row not in tried]
                if not untried or (resting and not tried):
                    raise
                tried.append(untried[0])
                resting = [untried[0]]
                continue
            lam = np.zeros(self.sizes.lam)
            lam[rows] = found.lam
            pulling = [row for row in resting if lam[self.index("lam", row)] < 0.0]
            beyond = self.beyond(found.t, found.q, parameters)
            free = {row: depth.by / depth.scale for row, depth in beyond.items() if row not in resting and depth.counts}
            if pulling:
                resting.remove(pulling[0])
            elif free:
                resting.append(max(free, key=lambda row: free[row]))
            else:
                return self.named(replace(found, lam=lam), parameters)
        raise ConstraintError(
            f"'{self.name}': no equilibrium was found that rests on stops; start nearer to one, or hold a coordinate"
        )

    def degrees_of_freedom(
        self, q: Any = None, *, t: float | None = None, parameters: Mapping[str, Any] | None = None
    ) -> Mobility:
        """Degrees of freedom at ``q`` where nothing rests on stops, of positions and of velocities, and redundant
        constraints by name."""
        return Equations.degrees_of_freedom(self.active, q, t=t, parameters=parameters)

    def forward_dynamics(
        self,
        q: Any,
        v: Any = None,
        u: Any = None,
        *,
        t: Any = None,
        parameters: Mapping[str, Any] | None = None,
        redundant: str = "refuse",
        lam: Any = None,
    ) -> tuple[Floats, Floats]:
        """Accelerations and multipliers ``(a, lam)`` of given positions and velocities where nothing rests on stops,
        whose multipliers are zero."""
        a, found = Equations.forward_dynamics(
            self.active, q, v, u, t=t, parameters=parameters, redundant=redundant, lam=self._active_rows(lam)
        )
        return a, self._all_rows(found)

    def inverse_dynamics(
        self,
        q: Any,
        v: Any = None,
        a: Any = None,
        u: Any = None,
        *,
        actuated: Sequence[Any] | None = None,
        t: Any = None,
        parameters: Mapping[str, Any] | None = None,
    ) -> tuple[Floats, Floats]:
        """Forces that the accelerations ``a`` need, and multipliers: ``(forces, lam)`` of M a = f − Gᵀλ + forces, where
        nothing rests on stops.

        ``actuated`` names the velocities, or coordinates, that forces act on (all if left away); there is one force for
        each.  Where several would do, they are the smallest.
        """
        forces, lam = Equations.inverse_dynamics(
            self.active, q, v, a, u, actuated=actuated, t=t, parameters=parameters
        )  # fmt: skip
        return forces, self._all_rows(lam)

    def kinematics(
        self,
        times: ArrayLike,
        q: Any = None,
        u: Any = None,
        *,
        parameters: Mapping[str, Any] | None = None,
        redundant: str = "refuse",
    ) -> Kinematics:
        """Positions, velocities and accelerations of a mechanism whose constraints leave no freedom, from ``q`` near
        its first position on, and the multipliers that the motion needs: those of drives are driving forces, those of
        stops are zero."""
        found = Equations.kinematics(self.active, times, q, u, parameters=parameters, redundant=redundant)
        return replace(found, lam=self._all_rows(found.lam), names=self.names)

    def linearise(
        self,
        state: Any,
        v: Any = None,
        u: Any = None,
        *,
        t: float | None = None,
        independent: Sequence[Any] = (),
        inputs: Sequence[Any] = (),
        outputs: Any = (),
        parameters: Mapping[str, Any] | None = None,
        redundant: str = "refuse",
        side: str = "mean",
    ) -> Linearisation:
        """Linear system about an equilibrium or a steady motion: ``state``, or ``q`` with ``v``; stops that push in a
        given state hold.

        Constraints, also nonholonomic ones, are solved for independent coordinates and velocities; ``independent``
        names those that shall be among them.  ``inputs`` are velocities or coordinates that forces act along,
        parameters, or inputs of a model; ``outputs`` are names of rows or sensors, quantities, or functions of the
        motion.  The result has the matrices A, B, C, D of
        ż = A z + B τ, y = C z + D τ, eigenvalues, frequencies, damping ratios and mode shapes.

        Where a law has a corner at the state, as a damper that resists more in one direction, the ``side`` decides:
        "mean" of the slopes on both sides, with a warning that names the law, or the slope "above" or "below", where
        the path of the law, or without one the first unknown that it depends on, grows or shrinks.
        """
        equations = self.active
        if isinstance(state, State):
            state = replace(state, lam=self.vector("lam", state.lam))
            free = [row for row in self.inactive if not state.lam[self.index("lam", row)] > 0.0]
            if len(free) < len(self.inactive):
                rows = self._rows_without(free)
                equations, state = self.restricted(rows), replace(state, lam=state.lam[rows])
        return Equations.linearise(
            equations, state, v, u, t=t, independent=independent, inputs=inputs, outputs=outputs,
            parameters=parameters, redundant=redundant, side=side,
        )  # fmt: skip
