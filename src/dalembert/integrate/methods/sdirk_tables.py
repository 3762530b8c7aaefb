"""Coefficients of diagonally implicit methods, as fractions: thesis Table 13 (4/16), 4.5.1 (4/15); Kennedy, Carpenter,
Additive Runge–Kutta schemes (2003), ARK4(3)6L[2]SA, its implicit part (ESDIRK)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
#: Parts of the step for which the slope at the start counts where it is not what the stages expect: where the error of
#: the embedded formula leaves it out, and where it knows a little of it.
UNSEEN_START, SEEN_START = 0.05, 0.015


def _matrix(rows: list[str], gamma: Fraction, explicit_first: bool) -> Floats:
    """A from its rows below the diagonal."""
    n = len(rows)
    A = np.zeros((n, n))
    for i, row in enumerate(rows):
        values = [float(Fraction(item)) for item in row.split()]
        A[i, : len(values)] = values
        A[i, i] = 0.0 if explicit_first and i == 0 else float(gamma)
    return A


@dataclass(frozen=True, eq=False)
class SdirkTable:
    """A stiffly accurate formula: b is the last row of A."""

    gamma: float
    A: Floats
    b_embedded: Floats
    explicit_first: bool = False
    #: dense output as it is printed: b_i(θ) = Σ_j dense[j − 1, i] θ^j, of slopes; None where there is none
    dense: Floats | None = None

    @property
    def b(self) -> Floats:
        return self.A[-1]

    @property
    def unseen(self) -> tuple[float, float]:
        """Parts of a step, at its start and at its end, where right sides may do what the error does not tell: before
        the first stage, where slopes at the start do not count; where they do, errors of the embedded formula are so
        small beside those of a jump that borders are looked for everywhere."""
        return (0.5, 0.5) if self.explicit_first else (self.gamma, 0.0)

    @property
    def c(self) -> Floats:
        return self.A.sum(axis=1)

    def conditions(self, theta: float) -> tuple[Floats, Floats]:
        """Conditions of order 3 on weights at a point within the step: matrix and right-hand side."""
        c, A = self.c, self.A
        return (
            np.stack([np.ones_like(c), c, c**2, A @ c]),
            np.array([theta, theta**2 / 2, theta**3 / 3, theta**3 / 6]),
        )

    def inner_weights(self, theta: float) -> Floats:
        """Weights of the dense output: those of the thesis, with the rounding of their print taken out, or of order 3
        and closest to a cubic through those of the end."""
        matrix, right = self.conditions(theta)
        near = theta**3 * self.b if self.dense is None else theta ** np.arange(1, 5) @ self.dense
        change, *_ = np.linalg.lstsq(matrix, right - matrix @ near, rcond=None)
        return near + change

    def estimates(self) -> Floats:
        """Weights with which each stage is estimated from those before it: slopes go on as a polynomial; the last stage
        is the embedded formula."""
        s, c = len(self.c), self.c
        weights = np.zeros((s, s))
        for i in range(1, s - 1):
            used = np.arange(max(0, i - 3), i)
            # The slope as a polynomial through these, integrated up to c_i.
            powers = np.arange(len(used))
            matrix = c[used][None, :] ** powers[:, None]
            right = c[i] ** (powers + 1) / (powers + 1)
            weights[i, used] = np.linalg.solve(matrix, right)
        weights[s - 1] = np.where(np.arange(s) < s - 1, self.b_embedded, 0.0)
        if self.b_embedded[-1] != 0.0:  # the embedded formula needs the last stage itself
            matrix, right = self.conditions(1.0)
            weights[s - 1] = 0.0
            weights[s - 1, :-1] = np.linalg.lstsq(matrix[:, :-1], right, rcond=None)[0]
        return weights

    def start_weights(self) -> Floats:
        """Weights of the slope at the start and of those of the stages: of what it differs by from the cubic through
        the others, which shows changes before the first stage that the error of the embedded formula does not tell or
        hardly; and of what this cubic differs by from the parabola, its own error where motions are smooth."""
        first = int(self.explicit_first)
        cubic, parabola = (self._at_start(self.c[first:], degree) for degree in (3, 2))
        part, none = SEEN_START if first else UNSEEN_START, np.zeros(first)
        missed, corrected = np.concatenate([[1.0], none, -cubic]), np.concatenate([[0.0], none, cubic - parabola])
        return part * np.stack([missed, corrected])

    @staticmethod
    def _at_start(nodes: Floats, degree: int) -> Floats:
        """Weights of values at nodes in the value at 0 of a polynomial through them."""
        powers = np.vander(nodes, degree + 1, increasing=True).T
        found: Floats = np.linalg.lstsq(powers, np.eye(degree + 1)[0], rcond=None)[0]
        return found

    def flat(self) -> Floats:
        """As the kernels read it."""
        inner = [self.inner_weights(1 / 3), self.inner_weights(2 / 3)]
        parts = [np.array([self.gamma]), self.c, self.A, self.b - self.b_embedded, self.estimates()]
        parts += [self.start_weights(), *inner]
        return np.concatenate([part.reshape(-1) for part in parts])


def _numbers(row: str) -> Floats:
    return np.array([float(Fraction(item)) for item in row.split()])


_A_4_15 = _matrix(
    [
        "",
        "1/2",
        "51069/144200 -7809/144200",
        "12047244770625658/141474406359725325 -3057890203562191/47158135453241775 2239631894905804/28294881271945065",
        "181513/86430 -89074/116015 83636/34851 -69863904375173/23297141763930",
    ],
    Fraction(4, 15),
    False,
)
#: Behind (4.87), of increments: those of slopes are these times A.
_DENSE_4_15 = np.array(
    [
        [24.74416644927758, -4.325375951824688, 41.39683763286316, -61.04144619901784, -3.391332232917013],
        [-51.98245719616925, 10.52501981094525, -154.2067922191855, 214.3082125319825, 14.71166018088679],
        [33.14347947522142, -19.72986789558523, 230.4878502285804, -287.6629744338197, -18.99932366302254],
        [-5.905188728329743, 13.53022403646467, -117.6778956422581, 134.3962081008550, 8.678995715052762],
    ]
)

TABLES: dict[str, SdirkTable] = {
    "4/15": SdirkTable(
        4 / 15,
        _A_4_15,
        _numbers("33665407/11668050 -2284766/15662025 11244716/4704885 -96203066666797/23297141763930 0"),
        dense=_DENSE_4_15 @ _A_4_15,
    ),
    "4/16": SdirkTable(
        1 / 4,
        _matrix(
            ["", "1/2", "17/50 -1/25", "371/1360 -137/2720 15/544", "25/24 -49/48 125/16 -85/12"], Fraction(1, 4), False
        ),
        _numbers("59/48 -17/96 225/32 -85/12 0"),
        dense=np.stack(  # (4.12)
            [
                _numbers("11/3 11/2 -125/18 0 -11/9"),
                _numbers("-463/72 -385/16 20125/432 -85/4 557/108"),
                _numbers("217/36 661/24 -8875/216 85/6 -359/54"),
                _numbers("-20/9 -10 250/27 0 80/27"),
            ]
        ),
    ),
    "esdirk": SdirkTable(
        1 / 4,
        _matrix(
            [
                "",
                "1/4",
                "8611/62500 -1743/31250",
                "5012029/34652500 -654441/2922500 174375/388108",
                "15267082809/155376265600 -71443401/120774400 730878875/902184768 2285395/8070912",
                "82889/524892 0 15625/83664 69875/102672 -2260/8211",
            ],
            Fraction(1, 4),
            True,
        ),
        _numbers("4586570599/29645900160 0 178811875/945068544 814220225/1159782912 -3700637/11593932 61727/225920"),
        explicit_first=True,
    ),
}

#: The trapezoidal rule, with backward Euler embedded.
TRAPEZOIDAL = SdirkTable(0.5, np.array([[0.0, 0.0], [0.5, 0.5]]), np.array([0.0, 1.0]), explicit_first=True)
