"""The program "reduced": second rates of coordinates and constraints, and derivatives of all rows."""

import numpy as np
import pytest

import dalembert as da

mechanisms = da.problems.mechanisms


def moving():
    """T and constraints that depend on time, external states, forces that depend on reactions."""
    return da.trace(
        M=lambda q: np.array([[2.0 + q[0] ** 2, 0.1], [0.1, 1.0]]),
        f=lambda q, v, u, lam, t: np.array([u[0] * v[1] - lam[0] * 0.1, np.sin(t) * q[1] - v[0] ** 3]),
        T=lambda q, t: np.array([[1.0 + 0.1 * q[1], 0.2 * t], [np.cos(q[0]), 1.0]]),
        g=lambda q, t: np.array([q[0] ** 2 + q[1] - np.sin(t)]),
        d=lambda q, v, u, lam: np.array([q[0] * v[1] - u[0] ** 2 + 0.3 * lam[0]]),
        n_q=2,
        n_u=1,
        name="moving",
    )


SYSTEMS = {
    "moving": moving,
    "four-bar": lambda: mechanisms.four_bar().model.equations(coordinates="absolute"),
    "wishbone": lambda: mechanisms.double_wishbone().model.equations(coordinates="absolute", builder="symbolic"),
    "wishbone, elements": lambda: mechanisms.double_wishbone().model.equations(
        coordinates="absolute", builder="elements"
    ),
    "rolling disc": lambda: mechanisms.rolling_disc().model.equations(),
}
KEYS = ("q", "v", "a", "lam", "u", "t")


@pytest.mark.parametrize("system", SYSTEMS)
def test_rows_and_their_derivatives(system):
    equations = SYSTEMS[system]()
    s, rng = equations.sizes, np.random.default_rng(3)
    contract, reduced = equations.program("contract"), equations.program("reduced")
    point = {key: 0.5 * rng.standard_normal(n) for key, n in zip(KEYS, (s.q, s.v, s.v, s.lam, s.u, 1), strict=True)}
    point |= {"p": equations.parameter_vector(), "mu": np.zeros(s.g)}

    def T_at(x):
        return contract.patterns["T"].dense(contract(["T"], x)["T"])

    def rows(x):
        found = contract(["T", "M", "f", "G", "gI", "g", "gamma", "d"], x)
        T, M, G = (contract.patterns[key].dense(found[key]) for key in "TMG")
        qdot, e = T @ x["v"], 1e-4
        ahead, behind = (T_at({**x, "q": x["q"] + h * qdot, "t": x["t"] + h}) for h in (e, -e))
        blocks = {
            "residual": M @ x["a"] - found["f"] + G.T @ x["lam"], "g": found["g"], "gv": G @ x["v"] + found["gI"],
            "ga": G @ x["a"] - found["gamma"], "d": found["d"], "qdot": qdot,
            "qddot": T @ x["a"] + (ahead - behind) @ x["v"] / (2 * e),
        }  # fmt: skip
        if equations.unit_T:
            del blocks["qdot"], blocks["qddot"]
        return blocks

    found, expected = reduced(["qddot", "residual", "ga", "derivatives"], point), rows(point)
    for name in ("residual", "ga", *(() if equations.unit_T else ("qddot",))):
        assert found[name] == pytest.approx(expected[name], rel=1e-6, abs=1e-6 * np.abs(expected[name]).max()), name
    columns = []
    for key in KEYS:
        for i in range(len(point[key])):
            ends = []
            for h in (1e-5, -1e-5):
                moved = np.array(point[key])
                moved[i] += h
                ends.append(np.concatenate(list(rows({**point, key: moved}).values())))
            columns.append((ends[0] - ends[1]) / 2e-5)
    matrix = reduced.patterns["derivatives"].dense(found["derivatives"])
    difference = np.abs(matrix - np.stack(columns, axis=1)).max()
    assert difference < 1e-4 * np.abs(matrix).max()


def test_equations_without_it_say_why():
    numeric = da.trace(M=lambda: np.eye(1), f=da.numeric(lambda q: -q), n_q=1, name="called back")
    assert "called back in Python" in numeric.lacks("reduced")
    tree = mechanisms.top().model.equations(builder="recursion")
    assert "recursions" in tree.lacks("reduced")
