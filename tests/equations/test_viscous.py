"""Stiff viscous parts: what is declared, what is refused, and the step that is made of them."""

import numpy as np
import pytest

import dalembert as da
from dalembert.equations.contract.convention import INPUTS
from dalembert.errors import EquationsError

C = 1e3


def two_masses(viscous, mass=lambda q: np.array([[2.0 + q[0] ** 2, 0.3], [0.3, 1.0]])):
    return da.trace(
        M=mass, f=lambda q, v: np.array([-q[0] - C * (v[0] - v[1]), C * (v[0] - v[1]) - v[1] ** 3]), n_q=2,
        viscous=viscous, name="masses",
    )  # fmt: skip


def stepped(equations, step, **point):
    """The program imex by itself: accelerations and multipliers of a step."""
    provider = equations.program("imex")
    known = equations.innermost.expressions.inputs
    given = {"p": equations.parameter_vector(), "t": [0.0], **point}
    inputs = [np.array(given.get(key, np.zeros(len(known[key]))), dtype=float) for key in INPUTS]
    work = provider.owner.workspace()
    work.set(**dict(zip(INPUTS, inputs, strict=True)), step=[step])
    return {key: np.array(work[key]) for key in ("a", "lam", "d")}


def test_the_step_is_that_of_the_paper():
    """(37) by numbers, with f taken apart as it is there, for an unsymmetric C, constraints and lagged multipliers."""
    B = np.array([[4.0, 1.5], [-1.5, 2.0]])
    J = np.array([[1.0, 0.0, -1.0], [0.0, 2.0, 1.0]])

    def rest(q, lam):
        return np.array([-q[0], -9.81 + 0.2 * lam[0], q[2]])

    equations = da.trace(
        M=lambda q: np.diag([2.0 + q[1] ** 2, 1.0, 3.0]),
        f=lambda q, v, lam: rest(q, lam) - J.T @ (B * (1.0 + lam[0] ** 2) @ (J @ v)),
        g=lambda q: np.array([q[0] ** 2 + q[1] ** 2 - 1.0]), n_q=3,
        viscous=lambda v, lam: [(J @ v, B * (1.0 + lam[0] ** 2))], name="three",
    )  # fmt: skip
    q, v, lam, step = np.array([0.6, 0.8, 0.2]), np.array([0.8, -0.6, 0.5]), np.array([0.7]), 0.1
    M, G, gamma = equations.evaluate("M", "G", "gamma", q=q, v=v)
    K = J.T @ (B * (1.0 + lam[0] ** 2)) @ J
    matrix = np.block([[M + step * K, G.T], [G, np.zeros((1, 1))]])
    right = np.concatenate([step * rest(q, lam) + M @ v, step * gamma + G @ v])
    solved = np.linalg.solve(matrix, right)
    found = stepped(equations, step, q=q, v=v, lam=lam)
    assert v + step * found["a"] == pytest.approx(solved[:3], rel=1e-12)
    assert step * found["lam"] == pytest.approx(solved[3:], rel=1e-12)


def test_without_a_step_accelerations_are_those_of_the_motion():
    equations = two_masses(lambda v: [(np.array([v[0] - v[1]]), np.array([[C]]))])
    q, v = np.array([0.4, 0.1]), np.array([0.3, -0.2])
    assert stepped(equations, 0.0, q=q, v=v)["a"] == pytest.approx(equations.forward_dynamics(q, v)[0], rel=1e-12)


def test_external_states_decay_at_any_step():
    equations = da.trace(
        M=lambda: np.eye(1), f=lambda q, u: np.array([u[0] - q[0]]),
        d=lambda q, u: np.array([1e6 * (q[0] - u[0]), u[1]]), n_q=1, n_u=2, name="filter",
    )  # fmt: skip
    found = stepped(equations, 1e-2, q=[2.0], u=[1.0, 3.0])["d"]
    assert found == pytest.approx([1e6 / (1.0 + 1e4), 3.0], rel=1e-12)  # growing ones stay explicit


@pytest.mark.parametrize(
    "viscous,words",
    [
        (lambda v: [(np.array([v[0] - v[1]]), np.array([[-C]]))], "not in its forces"),
        (lambda v: [(np.array([v[0] - v[1]]), np.array([[2.0 * C]]))], "not in its forces"),
        (lambda v: [(np.array([v[0] + v[1]]), np.array([[C]]))], "not in its forces"),
        (lambda v: [(np.array([v[0] * v[1]]), np.array([[C]]))], "must be linear in the velocities"),
        (lambda v: [(np.array([v[0]]), np.array([C, C]))], "k rates and a k × k matrix"),
        (lambda v: v, "must return pairs"),
        (3.0, "must be a Python function"),
    ],
)
def test_what_is_refused(viscous, words):
    with pytest.raises(EquationsError, match=words):
        two_masses(viscous)


def test_a_part_besides_others_and_a_single_pair():
    pair = two_masses(lambda v: (np.array([v[0] - v[1]]), np.array([[C]])))
    (part,) = pair.expressions.viscous
    assert part.label == "'masses': function viscous" and part.rates.shape == (1,)
    assert np.array(pair.expressions.viscosity, dtype=float) == pytest.approx(C * np.array([[1.0, -1.0], [-1.0, 1.0]]))
    whole = two_masses(lambda v: [(v, np.array([[C, -C], [-C, C + v[1] ** 2]]))])  # with the secant of −v³
    assert len(whole.expressions.viscous) == 1


def test_builders_without_one_graph_say_so():
    model = da.problems.mechanisms.four_bar().model
    equations = model.equations(coordinates="absolute", builder="elements")
    with pytest.raises(EquationsError, match="has no program 'imex': it is put together from elements"):
        equations.program("imex")
