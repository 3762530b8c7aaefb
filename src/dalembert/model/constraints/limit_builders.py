"""Limits of a model, as methods."""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.arguments import shown
from dalembert.errors import ModelError
from dalembert.model.constraints.limits import Limit
from dalembert.model.description import Description
from dalembert.model.forces.laws import Law
from dalembert.model.joints.joints import Joint, JointCoordinate
from dalembert.model.quantity import Quantity
from dalembert.symbolic import Atom


class LimitBuilders(Description):
    """Stops that end a motion, with impacts on them."""

    def limit(
        self,
        name: str,
        quantity: Any,
        lower: Any = None,
        upper: Any = None,
        *,
        restitution: Any = 0.0,
        rest: bool | float = True,
    ) -> Limit:
        """Stops for a coordinate of a joint, or any scalar quantity that depends on positions:
        ``m.limit("floor", ball.at(0, 0).position.y, lower=0.0, restitution=0.8)``.

        :param quantity: such as ``joint.angle``, ``marker.position.y`` or an expression of such; a joint with one
            coordinate stands for it
        :param lower: least value, ``upper``: largest value; one of them, or both: a number, an expression of
            parameters, a table or function of time
        :param restitution: part of the speed with which something rebounds, 0 … 1
        :param rest: what bounces ever lower comes to rest on the stop, which then holds it until a force draws it away;
            a number: all impacts slower than this are the last.  False: never, which ends runs with endless bounces

        Runs have impacts as events called ``name`` (``name.lower`` and ``name.upper`` where both are given), and
        ``name.release``.  ``sol["name.lower"]`` is the force of the stop, along the quantity.
        """
        where = f"limit '{name}'"
        if isinstance(quantity, Joint):
            quantity = self._only_coordinate(quantity, where)
        if not isinstance(quantity, Quantity):
            raise ModelError(
                f"{where} needs a quantity of the model, such as joint.angle or marker.position.y; "
                f"got {shown(quantity)}"
            )
        bounds = {
            side: Law.of(bound, where, side, (), argument="t")
            for side, bound in (("lower", lower), ("upper", upper))
            if bound is not None
        }
        if not bounds:
            raise ModelError(f"{where} limits nothing; give lower, upper or both")
        if _number(lower) and _number(upper) and not lower < upper:
            raise ModelError(f"{where}: lower = {lower:g} must be less than upper = {upper:g}")
        if not isinstance(restitution, Atom) and not (_number(restitution) and 0.0 <= restitution <= 1.0):
            raise ModelError(f"{where}: restitution must be a number between 0 and 1, got {shown(restitution)}")
        if not isinstance(rest, (bool, np.bool_)) and not (_number(rest) and rest >= 0.0):
            raise ModelError(f"{where}: rest must be True, False or a speed, got {shown(rest)}")
        return self.add(Limit(name, quantity, bounds, restitution, rest))

    def _only_coordinate(self, joint: Joint, where: str) -> JointCoordinate:
        labels = joint.coordinate_labels
        if len(labels) != 1 or len(joint.free_motions) != 1:
            raise ModelError(f"{where}: {joint.label} has {', '.join(labels) or 'no coordinates'}; say which one")
        return joint.own_coordinates[labels[0]]


def _number(value: Any) -> bool:
    known = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
    return known and -np.inf < value < np.inf
