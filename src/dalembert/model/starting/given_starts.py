"""Values that joints were given by ``start=``, where loops had to be closed.

The nearest position to the description moves all coordinates, also those that somebody gave.  Given values come before
defaults: where the model has at least as many freedoms as values were given, these are held and the others follow.
Where that fails, and where there are more values, the position is taken that comes nearest to all of them (Gauss–Newton
along the motions that constraints allow); values that fit to the loops come out exactly.  A warning names those that do
not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.equations import State
from dalembert.equations.contract.evaluation import Evaluation, normalised
from dalembert.equations.contract.keeping import MAKING
from dalembert.equations.contract.provider import Floats
from dalembert.equations.questions.assembly import close, inverse_root
from dalembert.equations.questions.reduction import orthonormal_null_space
from dalembert.errors import EquationsError
from dalembert.model.constraints.drives import Drive
from dalembert.model.joints.joints import TURNS, Guided, JointCoordinate
from dalembert.model.quantity import Quantity, value_of
from dalembert.model.starting.assembling import Assembly
from dalembert.model.starting.contradictions import size_of_model
from dalembert.symbolic import array, evaluate

if TYPE_CHECKING:
    from dalembert.model.formulate.mechanism import Mechanism

#: A value has come out if it is so near, beside its size.
_MET = 1e-8
#: Values that end further from what was given are named: parts of a radian, or of the size of the model.
_TOLD = 1e-2
#: Values contradict each other where, to first order, more than this part of the sum of squares has to be left.
_ROUGH = 0.01
#: So many values are named.
_NAMED = 6
#: Steps to the nearest position, the largest one beside the sizes of coordinates, and one that changes nothing.
_STEPS, _FARTHEST, _SETTLED = 40, 0.4, 1e-13
#: Directions that change given values by less than this part of the largest do not change them.
_RANK = 1e-9


def with_given_starts(mechanism: Mechanism, found: State, u: Any, options: Mapping[str, Any]) -> tuple[State, str]:
    """A start, found with nothing asked for, with the values that joints were given; and what is to be told of those
    that end elsewhere."""
    given = _Given(mechanism, options["t"], options["parameters"])
    if not given.values or given.met(found):
        return found, ""
    if any(body.start_position is not None for body in mechanism.layout.bodies):
        return found, given.missed(found)
    few = len(given.values) <= len(found.v) - mechanism.sizes.lam
    state = _held(given, u, options) if few else None
    if state is None:  # a few that constraints contradict are rough, and may be near enough
        state = found if few and given.near(found) else _nearest(given, found, u, options)
    return state, given.missed(state)


def _held(given: _Given, u: Any, options: Mapping[str, Any]) -> State | None:
    """The start with all values held, if constraints let them be."""
    try:
        return Assembly(given.mechanism, list(given.values.items()), (), given.t, given.parameters).state(
            None, u, options
        )
    except EquationsError:
        return None


def _nearest(given: _Given, found: State, u: Any, options: Mapping[str, Any]) -> State:
    """The start that comes nearest to all values; of those that are as near the one next to a start that was found."""
    mechanism = given.mechanism
    p = mechanism.parameter_vector(given.parameters)
    first = point = Evaluation(mechanism.active, found.t, found.q, found.v, found.u, p)
    if point.large:
        return found
    away = given.away(point)
    for _ in range(_STEPS):
        root = inverse_root(point, np.arange(len(found.v)))  # in these directions M is one
        allowed = root @ orthonormal_null_space(point.matrix("C") @ root)
        change = given.rates(point) @ allowed
        step = np.linalg.lstsq(change, -away, rcond=_RANK)[0]
        left = float(np.sum((away + change @ step) ** 2))
        if point is first and np.abs(away).max() <= _TOLD and left > _ROUGH * (away @ away):
            return found  # rough values, and near enough
        gain = float(away @ away) - left
        moved = point.times("T", allowed @ step)
        largest = point.scales.largest(moved, point.q)
        if not (largest > _SETTLED and gain > _SETTLED * (away @ away)):
            break
        factor = min(1.0, _FARTHEST / largest)
        while factor > 1e-2:
            trial = _moved(point, factor * moved)
            now = None if trial is None else given.away(trial)
            if now is not None and now @ now <= away @ away - 0.1 * factor * gain:
                break
            factor *= 0.5
        else:
            break  # rounding, or the end of the way
        assert trial is not None and now is not None
        point, away = trial, now
    try:
        start = Assembly(mechanism, [], (), given.t, given.parameters).state(None, u, options, point.q)
    except EquationsError:
        return found
    return start if np.linalg.norm(away) < np.linalg.norm(given.away(first)) else found


def _moved(point: Evaluation, move: Floats) -> Evaluation | None:
    """Another position, back on the constraints, if there is one."""
    try:
        return close(point.elsewhere(normalised(point.equations, point.t, point.q + move, point.p)), {})
    except EquationsError:
        return None


def _is_locked(coordinate: JointCoordinate) -> bool:
    """Whether an angle is one of two about the same axis, whose values frames do not tell."""
    joint, label = coordinate.joint, coordinate.label
    if not isinstance(joint, Guided) or len(joint.turns) < 3 or label not in TURNS.values():
        return False
    middle = TURNS[joint.turns[1]]
    return label != middle and joint.is_locked(float(joint.start.get(middle, 0.0)))


class _Given:
    """Values of coordinates that joints were given, but for those that a drive decides on in every formulation."""

    def __init__(self, mechanism: Mechanism, t: float, parameters: Mapping[str, Any] | None) -> None:
        self.mechanism, self.t, self.parameters = mechanism, t, parameters
        driven = {one.coordinates[0] for one in mechanism.described.elements if isinstance(one, Drive)}
        coordinates = [
            one
            for one in mechanism.joint_coordinates
            if one.label in one.joint.start and one not in driven and not _is_locked(one)
        ]
        self.values: dict[JointCoordinate, float] = {}
        if coordinates:
            begin = mechanism.begin({**dict(mechanism.parameters), **dict(parameters or {})}, {}, t)
            self.values = {one: float(begin.number(one.joint.start[one.label])) for one in coordinates}
            size = size_of_model(begin) or 1.0  # of a model that is a point
            self.scales = np.array([1.0 if one.is_angle else size for one in coordinates])

    def _differences(self, values: Any) -> Floats:
        """By how much values differ from what was given; whole turns are counted elsewhere."""
        found = np.asarray(values, dtype=float) - np.array(list(self.values.values()))
        angles = [one.is_angle for one in self.values]
        return np.where(angles, np.angle(np.exp(1j * found)), found)

    def _differences_at(self, state: State) -> Floats:
        evaluate_quantity = self.mechanism.evaluate_quantity
        return self._differences([evaluate_quantity(one, state, self.parameters) for one in self.values])

    def met(self, state: State) -> bool:
        """Whether all values have come out."""
        sizes = 1.0 + np.abs(list(self.values.values()))
        return bool((np.abs(self._differences_at(state)) <= _MET * sizes).all())

    def near(self, state: State) -> bool:
        """Whether none of the values is far from what was given."""
        return bool((np.abs(self._differences_at(state)) <= _TOLD * self.scales).all())

    def away(self, point: Evaluation) -> Floats:
        """The differences beside the scales: 1 rad, and the size of the model."""
        found: Floats = self._differences(self._interpreted(self._atoms, point, point.v[:, None])[:, 0]) / self.scales
        return found

    def rates(self, point: Evaluation) -> Floats:
        """Rates of the values beside their scales, one column for each velocity."""
        n = len(point.v)
        # Rates are linear in velocities: those of unit velocities, without those at rest, which drives have.
        units = np.concatenate([np.eye(n), np.zeros((n, 1))], axis=1)
        found = self._interpreted(self._rate_atoms, point, units)
        return np.asarray((found[:, :-1] - found[:, -1:]) / self.scales[:, None])

    @cached_property
    def _atoms(self) -> Any:
        return self._written(self.values)

    @cached_property
    def _rate_atoms(self) -> Any:
        return self._written([one.rate for one in self.values])

    def _written(self, quantities: Iterable[Quantity]) -> Any:
        with MAKING:
            return array([value_of(one, self.mechanism.scene) for one in quantities])

    def _interpreted(self, atoms: Any, point: Evaluation, velocities: Floats) -> Floats:
        """Numbers for atoms, one column for each column of velocities."""
        inputs = self.mechanism.namespace()[1]
        numbers: dict[str, Any] = {"p": point.p, "t": [point.t], "q": point.q, "v": velocities, "u": point.u}
        known = {symbol: x for key, vector in numbers.items() for symbol, x in zip(inputs[key], vector, strict=True)}
        found = np.asarray(evaluate(atoms, known)).reshape(len(self.values), -1)
        return np.broadcast_to(found, (len(self.values), velocities.shape[1]))

    def missed(self, state: State) -> str:
        """The values that ended elsewhere, as a text; empty if there are none."""
        away = self._differences_at(state)
        told = np.flatnonzero(np.abs(away) > _TOLD * self.scales).tolist()
        if not told:
            return ""
        items = list(self.values.items())
        texts = [f"{one.name} was given as {x:.6g} and starts at {x + away[k]:.6g}" for k, (one, x) in enumerate(items)]
        more = f"; and {len(told) - _NAMED} more" if len(told) > _NAMED else ""
        return (
            f"'{self.mechanism.name}' does not start from the values of its joints, which contradict constraints or "
            f"each other: {'; '.join(texts[k] for k in told[:_NAMED])}{more}. Give values that close the loops, or "
            "fewer of them"
        )
