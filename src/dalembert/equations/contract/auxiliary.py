"""Auxiliary variables: parameters s that follow from the coordinates by h(q, s) = 0, as those of surfaces in contact.

They have no inertia and no multipliers (railway paper, (8)–(15)).  The embedded form makes them coordinates of the
contract without velocities.  With h_s regular,

    ṡ = −h_s⁻¹ h_q T v,        s ← s − h_s⁻¹ h                                               railway paper (19), (39)

The first are rows of T, the second is what restores s before projecting, as norms of Euler parameters are restored;
it is repeated until it is settled.  Blocks are small and independent of each other, so each is eliminated on atoms.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dalembert.equations.contract.elimination import Elimination
from dalembert.symbolic import AtomArray, array, directional_derivative, jacobian


@dataclass(frozen=True, eq=False)
class AuxiliaryBlock:
    """Variables of one element and as many equations.

    Equation k is solved for variable k, in this order and without a search for pivots: whoever announces them names
    them such that this is safe.
    """

    #: where the variables stand in q
    places: tuple[int, ...]
    equations: AtomArray
    #: whose they are, for messages
    label: str = ""

    def rates(self, q: AtomArray, q_rate: Sequence[Any]) -> list[Any]:
        """ṡ, from the rates of all other coordinates: (19)."""
        own = set(self.places)
        others = [i for i in range(len(q)) if i not in own]
        along = array([q_rate[i] for i in others])
        moved = directional_derivative(self.equations, array([q[i] for i in others]), along)
        return [-one for one in self._solved(q, list(moved))]

    def correction(self, q: AtomArray) -> list[Any]:
        """One correction of Newton's method: (39)."""
        return [-one for one in self._solved(q, list(self.equations))]

    def matrix(self, q: AtomArray) -> AtomArray:
        """h_s."""
        return jacobian(self.equations, array([q[i] for i in self.places]))

    def _solved(self, q: AtomArray, right: Sequence[Any]) -> list[Any]:
        n, h_s = len(self.places), self.matrix(q)
        entries = {(i, j): h_s[i, j] for i in range(n) for j in range(n)}
        return Elimination(entries, range(n), symmetric=False).solve(right)
