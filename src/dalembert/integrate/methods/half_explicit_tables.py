"""Coefficients of half-explicit Runge–Kutta methods; each table checks itself when it is made.

tests/integrate/test_half_explicit.py checks all conditions of order 5 for equations of index 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Row = dict[int, float]


@dataclass(frozen=True, eq=False)
class HalfExplicitTable:
    """``rows``: weights of stages 1, 2, … (stage 0 is the start), the last ones being those of the step; none of the
    last entries of a row is zero, as it is that of the multipliers which hold the next stage to the constraints.

    ``low``: weights of a result of lower order; ``middle``: weights of the stages, and of the rates at both ends, for
    the middle of the step.
    """

    rows: tuple[Row, ...]
    low: Row
    middle: Row
    middle_ends: tuple[float, float]

    def __post_init__(self) -> None:
        for i, row in enumerate(self.rows):
            if max(row) != i or row[i] == 0.0:
                raise ValueError(f"row {i + 1} of a half-explicit method must end with the stage before it")
        middle = 2.0 * (sum(self.middle.values()) + sum(self.middle_ends))
        sums = sum(self.rows[-1].values()), sum(self.low.values()), middle
        if any(abs(total - 1.0) > 1e-14 for total in sums):
            raise ValueError("weights of the step must sum up to 1")

    @property
    def stages(self) -> int:
        """Stages that make the step."""
        return len(self.rows)

    @cached_property
    def A(self) -> NDArray[np.float64]:
        """Weights of stages 1, 2, … and of the step, a row each."""
        return np.array([self._dense(row) for row in self.rows])

    def _dense(self, row: Row) -> NDArray[np.float64]:
        found = np.zeros(self.stages)
        for j, value in row.items():
            found[j] = value
        return found

    def flat(self) -> NDArray[np.float64]:
        """As the kernels read it: A, nodes of stages and of the end, weights of the lower order, those of the
        middle."""
        nodes = np.concatenate([[0.0], self.A.sum(axis=1)])
        return np.concatenate(
            [self.A.ravel(), nodes, self._dense(self.low), self._dense(self.middle), self.middle_ends]
        )


#: V. Brasey, E. Hairer, Half-explicit Runge–Kutta methods for differential-algebraic systems of index 2, SIAM J. Numer.
#: Anal. 30 (1993) 538–552; V. Brasey, HEM5 User's guide, Université de Genève 1992. The code HEM5 has the numbers with
#: 16 digits, which satisfy the conditions of order to 3e-12; here they are corrected, by less than 2e-13, so that these
#: hold to 2e-15. The last stage is a result of order 3, and a combination of the last two one of order 2. With the
#: rates at both ends, stages give the middle of the step to order 4 (weights found from the conditions of order).
HEM5 = HalfExplicitTable(
    rows=(
        {0: 0.1},
        {0: 0.0375, 1: 0.1125},
        {0: 0.3222169236216063, 1: -1.1888833229876135, 2: 1.2281451340233704},
        {0: -0.03501123898129997, 1: 0.3725420601086182, 2: -0.2721053535582045, 3: 0.01993037578575076},
        {
            0: -0.557654705504192,
            1: 1.3673072896458913,
            2: -1.73223636046071,
            3: 0.458777200746753,
            4: 0.9638065755722577,
        },
        {
            0: 0.0865451719356428,
            1: -0.08810082847945404,
            2: 0.19812755473290755,
            3: -0.4645422679331096,
            4: 0.16151700911099962,
            5: 0.9064533606330137,
        },
        {3: 3.624477248753877, 4: -0.46177241891829485, 5: -3.1980246281643327, 6: 1.0353197983287508},
        {
            3: 0.2467760667636787,
            4: 0.21065940874897318,
            5: 0.17692181491250153,
            6: 0.30644464441479324,
            7: 0.059198065160053326,
        },
    ),
    low={6: 2.5, 7: -1.5},
    middle={
        3: 0.18748253280256005,
        4: 0.269108503524638,
        5: 0.08846090745624965,
        6: -0.01915279027592431,
        7: -0.025899153507523406,
    },
    middle_ends=(-0.03125, 0.03125),
)
