"""Coefficients of explicit Runge–Kutta methods; each table checks itself when it is made.

Stage s, one beyond the stages that make the step, is the rate at the new point; its row holds the weights of the step.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

Row = dict[int, float]


@dataclass(frozen=True, eq=False)
class Tableau:
    """An explicit method with its error estimates and its dense output.

    ``a``: rows of stages 1, 2, … (stage 0 is known), row ``stages`` being the weights of the step, further rows the
    extra stages of the dense output; ``errors``: weights of one or two error estimates; ``dense``: weights of the
    coefficients of the nested form beyond the four that follow from the ends of the step.
    """

    name: str
    order: int
    error_order: int  # the step size is changed by error^(1 / (error_order + 1))
    dense_order: int
    stages: int
    c: tuple[float, ...]
    a: tuple[Row, ...]
    errors: tuple[Row, ...]
    dense: tuple[Row, ...]
    beta: float
    shrink: float
    grow: float

    def __post_init__(self) -> None:
        for i, row in enumerate(self.a, start=1):
            if max(row) >= i or abs(sum(row.values()) - self.c[i]) > 1e-13 * max(1.0, max(map(abs, row.values()))):
                raise ValueError(f"{self.name}: row {i} is not explicit or does not sum up to its node")
        if any(abs(sum(row.values())) > 1e-12 for row in self.errors):
            raise ValueError(f"{self.name}: the weights of an error estimate do not sum up to zero")

    @property
    def extra(self) -> int:
        """Stages that only the dense output needs."""
        return len(self.a) - self.stages

    @property
    def coefficients(self) -> int:
        """Coefficients of the dense output per component."""
        return 4 + len(self.dense)

    @cache  # noqa: B019 (tableaux live as long as the process)
    def flat(self) -> NDArray[np.float64]:
        """As the kernels read it: a, c, two error estimates, dense output."""
        width = self.stages + self.extra + 1
        a, errors, dense = np.zeros((width, width)), np.zeros((2, width)), np.zeros((len(self.dense), width))
        for target, rows in ((a[1:], self.a), (errors, self.errors), (dense, self.dense)):
            for i, row in enumerate(rows):
                for j, value in row.items():
                    target[i, j] = value
        return np.concatenate([a.ravel(), np.asarray(self.c), errors.ravel(), dense.ravel()])


def _fractions(text: str) -> Row:
    """Row from words like "0:1/5"; quotients of whole numbers are rounded once."""
    row = {}
    for word in text.split():
        place, _, value = word.partition(":")
        numerator, _, denominator = value.partition("/")
        row[int(place)] = int(numerator) / int(denominator or 1)
    return row


_STEP = "0:35/384 2:500/1113 3:125/192 4:-2187/6784 5:11/84"

#: Dormand and Prince 1980, order 5(4); dense output of order 4 by Hairer, Nørsett, Wanner, Solving ODEs I, II.6. The
#: embedded solution uses the rate at the end of the step before it is projected, which is a stage of its own here.
DOPRI5 = Tableau(
    name="dopri5",
    order=5,
    error_order=4,
    dense_order=4,
    stages=7,
    c=(0.0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0, 1.0),
    a=tuple(
        _fractions(row)
        for row in (
            "0:1/5",
            "0:3/40 1:9/40",
            "0:44/45 1:-56/15 2:32/9",
            "0:19372/6561 1:-25360/2187 2:64448/6561 3:-212/729",
            "0:9017/3168 1:-355/33 2:46732/5247 3:49/176 4:-5103/18656",
            _STEP,
            _STEP,
        )
    ),
    errors=(_fractions("0:71/57600 2:-71/16695 3:71/1920 4:-17253/339200 5:22/525 6:-1/40"),),
    dense=(
        _fractions(
            "0:-12715105075/11282082432 2:87487479700/32700410799 3:-10690763975/1880347072 "
            "4:701980252875/199316789632 "
            "5:-1453857185/822651844 7:69997945/29380423"
        ),
    ),
    beta=0.04,
    shrink=0.2,
    grow=10.0,
)

#: Dormand and Prince's method of order 8 as in DOP853 by Hairer, Nørsett, Wanner, Solving ODEs I, II.5 and II.10: error
#: estimates of orders 5 and 3, dense output of order 7 with three further stages.
DOP853 = Tableau(
    name="dop853",
    order=8,
    error_order=7,
    dense_order=7,
    stages=12,
    c=(
        0.0,
        0.05260015195876773,
        0.0789002279381516,
        0.1183503419072274,
        0.2816496580927726,
        0.3333333333333333,
        0.25,
        0.3076923076923077,
        0.6512820512820513,
        0.6,
        0.8571428571428571,
        1.0,
        1.0,
        0.1,
        0.2,
        0.7777777777777778,
    ),
    a=(
        {0: 0.05260015195876773},
        {0: 0.0197250569845379, 1: 0.0591751709536137},
        {0: 0.02958758547680685, 2: 0.08876275643042054},
        {0: 0.2413651341592667, 2: -0.8845494793282861, 3: 0.924834003261792},
        {0: 0.037037037037037035, 3: 0.17082860872947386, 4: 0.12546768756682242},
        {0: 0.037109375, 3: 0.17025221101954405, 4: 0.06021653898045596, 5: -0.017578125},
        {
            0: 0.03709200011850479,
            3: 0.17038392571223998,
            4: 0.10726203044637328,
            5: -0.015319437748624402,
            6: 0.008273789163814023,
        },
        {
            0: 0.6241109587160757,
            3: -3.3608926294469414,
            4: -0.868219346841726,
            5: 27.59209969944671,
            6: 20.154067550477894,
            7: -43.48988418106996,
        },
        {
            0: 0.47766253643826434,
            3: -2.4881146199716677,
            4: -0.590290826836843,
            5: 21.230051448181193,
            6: 15.279233632882423,
            7: -33.28821096898486,
            8: -0.020331201708508627,
        },
        {
            0: -0.9371424300859873,
            3: 5.186372428844064,
            4: 1.0914373489967295,
            5: -8.149787010746927,
            6: -18.52006565999696,
            7: 22.739487099350505,
            8: 2.4936055526796523,
            9: -3.0467644718982196,
        },
        {
            0: 2.273310147516538,
            3: -10.53449546673725,
            4: -2.0008720582248625,
            5: -17.9589318631188,
            6: 27.94888452941996,
            7: -2.8589982771350235,
            8: -8.87285693353063,
            9: 12.360567175794303,
            10: 0.6433927460157636,
        },
        {
            0: 0.054293734116568765,
            5: 4.450312892752409,
            6: 1.8915178993145003,
            7: -5.801203960010585,
            8: 0.3111643669578199,
            9: -0.1521609496625161,
            10: 0.20136540080403034,
            11: 0.04471061572777259,
        },
        {
            0: 0.056167502283047954,
            6: 0.25350021021662483,
            7: -0.2462390374708025,
            8: -0.12419142326381637,
            9: 0.15329179827876568,
            10: 0.00820105229563469,
            11: 0.007567897660545699,
            12: -0.008298,
        },
        {
            0: 0.03183464816350214,
            5: 0.028300909672366776,
            6: 0.053541988307438566,
            7: -0.05492374857139099,
            10: -0.00010834732869724932,
            11: 0.0003825710908356584,
            12: -0.00034046500868740456,
            13: 0.1413124436746325,
        },
        {
            0: -0.42889630158379194,
            5: -4.697621415361164,
            6: 7.683421196062599,
            7: 4.06898981839711,
            8: 0.3567271874552811,
            12: -0.0013990241651590145,
            13: 2.9475147891527724,
            14: -9.15095847217987,
        },
    ),
    errors=(
        {
            0: 0.01312004499419488,
            5: -1.2251564463762044,
            6: -0.4957589496572502,
            7: 1.6643771824549864,
            8: -0.35032884874997366,
            9: 0.3341791187130175,
            10: 0.08192320648511571,
            11: -0.022355307863886294,
        },
        {
            0: -0.18980075407240762,
            5: 4.450312892752409,
            6: 1.8915178993145003,
            7: -5.801203960010585,
            8: -0.4226823213237919,
            9: -0.1521609496625161,
            10: 0.20136540080403034,
            11: 0.02265179219836082,
        },
    ),
    dense=(
        {
            0: -8.428938276109013,
            5: 0.5667149535193777,
            6: -3.0689499459498917,
            7: 2.38466765651207,
            8: 2.117034582445028,
            9: -0.871391583777973,
            10: 2.2404374302607883,
            11: 0.6315787787694688,
            12: -0.08899033645133331,
            13: 18.148505520854727,
            14: -9.194632392478356,
            15: -4.436036387594894,
        },
        {
            0: 10.427508642579134,
            5: 242.28349177525817,
            6: 165.20045171727028,
            7: -374.5467547226902,
            8: -22.113666853125306,
            9: 7.733432668472264,
            10: -30.674084731089398,
            11: -9.332130526430229,
            12: 15.697238121770845,
            13: -31.139403219565178,
            14: -9.35292435884448,
            15: 35.81684148639408,
        },
        {
            0: 19.985053242002433,
            5: -387.0373087493518,
            6: -189.17813819516758,
            7: 527.8081592054236,
            8: -11.57390253995963,
            9: 6.8812326946963,
            10: -1.0006050966910838,
            11: 0.7777137798053443,
            12: -2.778205752353508,
            13: -60.19669523126412,
            14: 84.32040550667716,
            15: 11.99229113618279,
        },
        {
            0: -25.69393346270375,
            5: -154.18974869023643,
            6: -231.5293791760455,
            7: 357.6391179106141,
            8: 93.40532418362432,
            9: -37.45832313645163,
            10: 104.0996495089623,
            11: 29.8402934266605,
            12: -43.53345659001114,
            13: 96.32455395918828,
            14: -39.17726167561544,
            15: -149.72683625798564,
        },
    ),
    beta=0.03,  # fewer rejected steps where stability limits their size
    shrink=1 / 3,
    grow=6.0,
)
