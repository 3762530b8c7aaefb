"""Coefficients of Rosenbrock methods, in the form that saves products with the Jacobian (thesis (4.54); Hairer, Wanner,
Solving ODEs II, IV.7).

Thesis (4.70), (4.71) as printed, and the set that solves the same equations with R(∞) = 0 exactly; RODASP (Steinebach
1995) and Rodas5P (Steinebach 2023), which are stiffly accurate.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class RosenbrockTable:
    """(1 − γhJ) u_i = γh (ẋ(t + α_i h, x0 + Σ a_ij u_j) + Σ c_ij u_j / h + γ_i h ∂ẋ/∂t),  x1 = x0 + Σ m_i u_i."""

    order: int
    gamma: float
    a: Floats
    c: Floats
    alpha: Floats
    gammas: Floats
    m: Floats
    error: Floats  # m − m̂
    #: weights of the dense output: x(θ) = x0 + θ Σ m u + θ(1 − θ) Σ (H_2 + θ H_3 + …) u
    dense: Floats
    #: stages of a step, where there are more for the dense output; 0 for all
    own_stages: int = 0

    @property
    def evaluated(self) -> NDArray[np.bool_]:
        """Whether a stage looks at another point than the one before it."""
        rows = np.column_stack([self.a, self.alpha])
        return np.array([i > 0 and not np.allclose(rows[i], rows[i - 1], rtol=1e-12) for i in range(len(rows))])

    def flat(self) -> Floats:
        """As the kernels read it: γ; α, γ_i, whether evaluated, m, error (s each); a, c (s·s); points within the
        step."""
        parts = [
            np.array([self.gamma]), self.alpha, self.gammas, self.evaluated.astype(float), self.m, self.error, self.a,
            self.c,
        ]  # fmt: skip
        for theta in (1 / 3, 2 / 3):
            powers = theta ** np.arange(len(self.dense))
            parts.append(theta * self.m + theta * (1 - theta) * (powers @ self.dense))
        return np.concatenate([part.reshape(-1) for part in parts])


def _lower(n: int, *rows: tuple[float, ...]) -> Floats:
    matrix = np.zeros((n, n))
    for i, row in enumerate(rows):
        matrix[i, : len(row)] = row
    return matrix


def from_classical(
    order: int, gamma: float, alpha: Floats, off_diagonal: Floats, b: Floats, b_embedded: Floats
) -> RosenbrockTable:
    """From the coefficients of (4.14): α_ij, γ_ij below the diagonal, b and b̂.

    The dense output has order 3 by one more stage, at the end of the step, with accelerations that are known there.
    """
    n = len(b)
    alpha, full = np.pad(alpha, (0, 1)), np.pad(off_diagonal, (0, 1)) + gamma * np.eye(n + 1)
    alpha[n, :n] = b
    inverse, at, beta = np.linalg.inv(full), alpha.sum(axis=1), alpha + full
    weights = np.append(b, 0.0)
    # Conditions of order 3 on weights θ p1 + θ² p2 + θ³ p3 with the sum b.
    conditions = np.stack([np.ones(n + 1), beta.sum(axis=1), at**2, beta @ beta.sum(axis=1)])
    right = np.array([[1, 0, 0], [0, 1 / 2, 0], [0, 0, 1 / 3], [0, 0, 1 / 6]])
    near = np.stack([0.0 * weights, 0.0 * weights, weights], axis=1)
    powers = near + np.linalg.lstsq(conditions, right - conditions @ near, rcond=None)[0]
    powers[:, 2] += weights - powers.sum(axis=1)
    dense = np.stack([powers[:, 0] - weights, -powers[:, 2]]) @ inverse
    return RosenbrockTable(
        order, gamma, alpha @ inverse, np.eye(n + 1) / gamma - inverse, at, full.sum(axis=1), weights @ inverse,
        (weights - np.append(b_embedded, 0.0)) @ inverse, dense, own_stages=n,
    )  # fmt: skip


def _thesis(
    e: float, e_below: tuple[float, ...], a31: float, a32: float, b: tuple[float, ...], embedded: tuple[float, ...]
) -> RosenbrockTable:
    """Four stages, of which the last two look at the same point: (4.65)."""
    e21, e31, e32, e41, e42, e43 = e_below
    alpha = _lower(4, (), (2 * e,), (a31, a32), (a31, a32, 0.0))
    below = _lower(4, (), (e21,), (e31, e32), (e41, e42, e43))
    return from_classical(4, e, alpha, below, np.array(b), np.array(embedded))


def _stiffly_accurate(
    order: int, gamma: float, a: Floats, c: Floats, alpha: Floats, gammas: Floats, dense: Floats
) -> RosenbrockTable:
    """The last stage is the difference to the embedded formula."""
    s = len(alpha)
    m = np.append(a[-1, :-1], 1.0)
    return RosenbrockTable(order, gamma, a, c, alpha, gammas, m, np.eye(s)[-1], dense)


_RODASP_LAST = (-7.170454962423024, -4.741636671481785, -16.31002631330971, -1.062004044111401)
_RODAS5P_LAST = (
    -7.502846399306121, 2.561846144803919, -11.627539656261098, -0.18268767659942256, 0.030198172008377946,
)  # fmt: skip

TABLES: dict[str, RosenbrockTable] = {
    "thesis": _thesis(
        0.5728160624821348554080014,
        (
            -2.341993140193055730036843, -0.02733376295952041617303721, 0.2138116454795061115780729,
            -0.2590838420596372039851963, -0.1905958069857625228583001, -0.2280310396446018914802191,
        ),
        0.5209207899536038755064629, 0.1342941872088631605657549,
        (0.3245347085467616968589287, 0.04908654336835674160932332, 0.0, 0.6263787480848815615317479),
        (0.5209207899536038755064629, 0.144549712613381486722576, 0.124559686518450542915419,
         0.2099698109145640948555421),
    ),
    "printed": _thesis(
        0.57281606,
        (
            -2.34199312711201394917052, -0.0273337465434898361965046, 0.213811650836699689867472,
            -0.259083837785510222112641, -0.190595807732311751616358, -0.228031035973133829477744,
        ),
        0.520920789130629029328516, 0.134294186842504800149232,
        (0.324534707891734513474196, 0.049086544787523308684633, 0.0, 0.6263787473207421778411711),
        (0.520920789130629029328516, 0.144549714665364599584681, 0.124559686414702049774897,
         0.209969809789304321311906),
    ),
    "rodasp": _stiffly_accurate(
        4, 0.25,
        _lower(6, (), (3.0,), (1.831036793486759, 0.4955183967433795),
               (2.304376582692669, -0.05249275245743001, -1.176798761832782), _RODASP_LAST, (*_RODASP_LAST, 1.0)),
        _lower(6, (), (-12.0,), (-8.791795173947035, -2.207865586973518),
               (10.81793056857153, 6.780270611428266, 19.53485944642410),
               (34.19095006749676, 15.49671153725963, 54.74760875964130, 14.16005392148534),
               (34.62605830930532, 15.30084976114473, 56.99955578662667, 18.40807009793095, -5.714285714285717)),
        np.array([0.0, 0.75, 0.21, 0.63, 1.0, 1.0]),
        np.array([0.25, -0.5, -0.023504, -0.0362, 0.0, 0.0]),
        np.array([[25.09876703708589, 11.62013104361867, 28.49148307714626, -5.664021568594133, 0.0, 0.0],
                  [1.638054557396973, -0.7373619806678748, 8.47791821923899, 15.9925314877952, -1.882352941176471,
                   0.0]]),
    ),
    "rodas5p": _stiffly_accurate(
        5, 0.21193756319429014,
        _lower(8, (), (3.0,), (2.849394379747939, 0.45842242204463923),
               (-6.954028509809101, 2.489845061869568, -10.358996098473584),
               (2.8029986275628964, 0.5072464736228206, -0.3988312541770524, -0.04721187230404641),
               _RODAS5P_LAST, (*_RODAS5P_LAST, 1.0), (*_RODAS5P_LAST, 1.0, 1.0)),
        _lower(8, (), (-14.155112264123755,), (-17.97296035885952, -2.859693295451294),
               (147.12150275711716, -1.41221402718213, 71.68940251302358),
               (165.43517024871676, -0.4592823456491126, 42.90938336958603, -5.961986721573306),
               (24.854864614690072, -3.0009227002832186, 47.4931110020768, 5.5814197821558125, -0.6610691825249471),
               (30.91273214028599, -3.1208243349937974, 77.79954646070892, 34.28646028294783, -19.097331116725623,
                -28.087943162872662),
               (37.80277123390563, -3.2571969029072276, 112.26918849496327, 66.9347231244047, -40.06618937091002,
                -54.66780262877968, -9.48861652309627)),
        np.array([0.0, 0.6358126895828704, 0.4095798393397535, 0.9769306725060716, 0.4288403609558664, 1.0, 1.0, 1.0]),
        np.array([0.21193756319429014, -0.42387512638858027, -0.3384627126235924, 1.8046452872882734,
                  2.325825639765069, 0.0, 0.0, 0.0]),
        np.array([[25.948786856663858, -2.5579724845846235, 10.433815404888879, -2.3679251022685204,
                   0.524948541321073, 1.1241088310450404, 0.4272876194431874, -0.17202221070155493],
                  [-9.91568850695171, -0.9689944594115154, 3.0438037242978453, -24.495224566215796,
                   20.176138334709044, 15.98066361424651, -6.789040303419874, -6.710236069923372],
                  [11.419903575922262, 2.8879645146136994, 72.92137995996029, 80.12511834622643,
                   -52.072871366152654, -59.78993625266729, -0.15582684282751913, 4.883087185713722]]),
    ),
}  # fmt: skip
