"""Elements with velocities of their own: spatial bodies with Euler parameters against the same system traced as a
whole, and rows of constraints that are switched."""

from __future__ import annotations

import ctypes
import pickle
import sys
from functools import cache

import numpy as np
import pytest
from equations.spatial_elements import (
    body_force,
    body_type,
    inertia,
    local_inputs,
    normal_pose,
    place,
    poses_T,
    rotation,
    spherical,
)
from equations.systems import implicit_rows, jacobian

import dalembert as da
from dalembert.equations.contract.convention import INPUTS, OUTPUTS
from dalembert.equations.contract.expressions import Expressions
from dalembert.equations.contract.provider import _ENTRY
from dalembert.errors import EquationsError
from dalembert.symbolic import zeros

CONTRACT = ("T", "M", "f", "G", "gI", "g", "gamma", "F", "C", "d", "qn", "w")

# --------------------------------------------------------------------------------------- chain of spatial bodies, twice

G = 9.81
END = np.array([0.3, 0.1, -0.05])


def masses(n):
    return 1.0 + 0.25 * np.arange(n)


def inertias(n):
    return np.stack([0.02 + 0.01 * np.arange(n), 0.03 + 0.005 * np.arange(n), np.full(n, 0.045)], axis=1)


def ground_type():
    """All numbers are part of the formulas: no parameters."""
    graph, x, _ = local_inputs(7, 6, 3)
    return Expressions(graph, x, M=zeros((6, 6)), f=zeros((6,)), g=place(x["q"], -END), T=poses_T(x["q"]))


def joint_type():
    graph, x, p = local_inputs(14, 12, 3, ("sx", "sy", "sz"))
    s = np.array([p["sx"], p["sy"], p["sz"]])
    return Expressions(graph, x, M=zeros((12, 12)), f=zeros((12,)), g=spherical(x["q"], s, -END), T=poses_T(x["q"]))


def names(n):
    q = [f"b{k}.{c}" for k in range(n) for c in ("x", "y", "z", "e0", "e1", "e2", "e3")]
    return q, [f"b{k}.{c}" for k in range(n) for c in ("vx", "vy", "vz", "wx", "wy", "wz")]


def spatial_elements(n):
    q_names, v_names = names(n)
    b = da.Elements("chain", coordinates=q_names, velocities=v_names, parameters={"g": G})
    q, v = np.arange(7 * n).reshape(n, 7), np.arange(6 * n).reshape(n, 6)
    J = inertias(n)
    b.add_expressions("ground", ground_type(), coordinates=q[:1], velocities=v[:1], row_names=[["A.x", "A.y", "A.z"]])
    b.add_expressions(
        "body", body_type(), coordinates=q, velocities=v, own=range(7),
        data={"m": masses(n), "J1": J[:, 0], "J2": J[:, 1], "J3": J[:, 2]},
    )  # fmt: skip
    if n > 1:
        b.add_expressions(
            "joint", joint_type(), coordinates=np.concatenate([q[:-1], q[1:]], axis=1),
            velocities=np.concatenate([v[:-1], v[1:]], axis=1), data=list(END),
        )  # fmt: skip
    return b.equations()


def spatial_traced(n):
    m, J = masses(n), inertias(n)

    def M():
        matrix = np.zeros((6 * n, 6 * n))
        for k in range(n):
            matrix[6 * k : 6 * k + 6, 6 * k : 6 * k + 6] = inertia(m[k], J[k])
        return matrix

    def g(q):
        rows = [*place(q[:7], -END)]
        for k in range(n - 1):
            rows += [*spherical(q[7 * k : 7 * k + 14], END, -END)]
        return np.array(rows)

    return da.trace(
        M=M, g=g, T=poses_T, n_q=7 * n, n_v=6 * n, parameters={"g": G}, name="traced chain",
        f=lambda v, p: np.concatenate([body_force(v[6 * k : 6 * k + 6], m[k], J[k], p.g) for k in range(n)]),
        normalize=lambda q: np.concatenate([normal_pose(q[7 * k : 7 * k + 7]) for k in range(n)]),
    )  # fmt: skip


N = 3
CHAIN, TRACED = spatial_elements(N), spatial_traced(N)


def start(n):
    """Bent and turning: consistent positions from rotations, velocities from angular velocities."""
    rng = np.random.default_rng(5)
    q, v = np.zeros(7 * n), np.zeros(6 * n)
    end, speed = np.zeros(3), np.zeros(3)
    for k in range(n):
        p = np.array([1.0, 0.0, 0.0, 0.0]) + 0.3 * rng.standard_normal(4)
        p /= np.linalg.norm(p)
        omega = 0.8 * rng.standard_normal(3)
        A = rotation(p)
        q[7 * k : 7 * k + 7] = [*(end + A @ END), *p]
        v[6 * k : 6 * k + 6] = [*(speed + A @ np.cross(omega, END)), *omega]
        end, speed = end + 2 * A @ END, speed + 2 * A @ np.cross(omega, END)
    return q, v


def energy(n, q, v):
    m, J = masses(n), inertias(n)
    return sum(
        0.5 * m[k] * v[6 * k : 6 * k + 3] @ v[6 * k : 6 * k + 3]
        + 0.5 * v[6 * k + 3 : 6 * k + 6] @ (J[k] * v[6 * k + 3 : 6 * k + 6])
        + m[k] * G * q[7 * k + 2]
        for k in range(n)
    )


@pytest.mark.parametrize("seed", range(3))
def test_spatial_elements_make_the_same_quantities_as_one_traced_system(seed):
    rng = np.random.default_rng(seed)
    q, v = rng.standard_normal(7 * N), rng.standard_normal(6 * N)
    assert not CHAIN.unit_T and CHAIN.normalizes and CHAIN.sizes.q == 21 and CHAIN.sizes.v == 18
    for name in CONTRACT:
        found, expected = (made.evaluate(name, q=q, v=v) for made in (CHAIN, TRACED))
        assert found.shape == expected.shape, name
        assert found == pytest.approx(expected, rel=1e-12, abs=1e-12), name
    for name in ("T", "M", "G", "C"):  # nothing is stored where nothing can be
        found, expected = (made.program("contract").patterns[name] for made in (CHAIN, TRACED))
        assert np.array_equal(found.rows, expected.rows) and np.array_equal(found.columns, expected.columns), name


@pytest.mark.parametrize("seed", range(3))
def test_residuals_and_jacobian_of_spatial_elements(seed):
    """q̇ = T v − (∂g/∂q)ᵀμ, where a traced system has T (v − Cᵀμ)."""
    s = CHAIN.sizes
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(s.q + 2 * s.v + s.lam + s.g)
    q, v, _, _, mu = np.split(x, np.cumsum([s.q, s.v, s.v, s.lam]))
    (rows, found), (expected, _) = (implicit_rows(made, x, 0.0) for made in (CHAIN, TRACED))
    g_q = jacobian(lambda y: TRACED.evaluate("g", q=y), q)
    expected[: s.q] = TRACED.evaluate("T", q=q) @ v - g_q.T @ mu
    assert rows == pytest.approx(expected, abs=1e-9)
    assert rows[s.q :] == pytest.approx(expected[s.q :], abs=1e-12)
    assert found == pytest.approx(jacobian(lambda y: implicit_rows(CHAIN, y, 0.0)[0], x), abs=1e-8)


def test_names_of_velocities_rows_and_bodies():
    assert CHAIN.names["v"][6] == "b1.vx" and CHAIN.names["lam"][:4] == ("A.x", "A.y", "A.z", "joint[0].0")
    assert set(CHAIN.parameters) == {"g", *(f"body.{k}" for k in ("m", "J1", "J2", "J3")), "joint.sx", "joint.sy",
                                     "joint.sz"}  # fmt: skip
    assert CHAIN.program("contract").patterns["M"].bodies.tolist() == [0] * 6 + [6] * 6 + [12] * 6


def test_spatial_equations_survive_pickling():
    again = pickle.loads(pickle.dumps(CHAIN))
    q, v = start(N)
    assert again.sizes == CHAIN.sizes and again.normalizes and not again.unit_T
    for name in CONTRACT:
        assert np.array_equal(again.evaluate(name, q=q, v=v), CHAIN.evaluate(name, q=q, v=v))


def test_programs_of_spatial_elements_remember_what_has_not_changed():
    for program in ("contract", "implicit"):
        provider = CHAIN.program(program)
        work, rng = provider.workspace(), np.random.default_rng(0)
        ins = [rng.standard_normal(size) for size in provider.in_sizes]
        outs = [np.zeros(size) for size in provider.out_sizes]
        pointers = [(ctypes.c_void_p * len(x))(*(a.ctypes.data for a in x)) for x in (ins, outs)]
        for changed in (0, 7, 3, 2, 5, 1, 2, 0):
            for k in range(changed, len(ins)):
                ins[k][:] = rng.standard_normal(len(ins[k]))
            assert _ENTRY(provider.address)((1 << len(outs)) - 1, changed, *pointers, work.ctypes.data) == 0
            fresh = provider(OUTPUTS[program], dict(zip(INPUTS, ins, strict=True)))
            for name, value in zip(OUTPUTS[program], outs, strict=True):
                assert np.array_equal(fresh[name], value), (name, changed)


@cache
def reference():
    """By the traced system and another method with a smaller tolerance."""
    return da.simulate(TRACED, (0.0, 0.6), start(N), method="dop853", formalism="contract", rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(("method", "tolerance", "close"), [
    ("dop853", 1e-11, 1e-9), ("radau", 1e-10, 3e-9), ("mexx", 1e-10, 3e-9),
])  # fmt: skip
def test_spatial_elements_move_as_the_traced_system_does(method, tolerance, close):
    expected = reference()
    solution, traced = (
        da.simulate(made, (0.0, 0.6), start(N), method=method, formalism="contract", rtol=tolerance, atol=tolerance)
        for made in (CHAIN, TRACED)
    )
    for found in (solution, traced):
        assert found.success
        assert found.q[:, -1] == pytest.approx(expected.q[:, -1], abs=close)
        assert found.v[:, -1] == pytest.approx(expected.v[:, -1], abs=30 * close)
        assert found.lam[:, -1] == pytest.approx(expected.lam[:, -1], abs=1000 * close)
    levels = np.array([energy(N, *pair) for pair in zip(solution.q.T, solution.v.T, strict=True)])
    assert np.ptp(levels) < 1e-8 * np.max(np.abs(levels))
    norms = [np.linalg.norm(solution.q[7 * k + 3 : 7 * k + 7], axis=0) for k in range(N)]
    assert np.max(np.abs(np.array(norms) - 1.0)) < 1e-13


def test_larger_chains_use_sparse_matrices_in_implicit_methods():
    n = 8
    equations = spatial_elements(n)
    q, v = start(n)
    by_radau, by_rk = (
        da.simulate(equations, (0.0, 0.3), (q, v), method=method, rtol=1e-9, atol=1e-9)
        for method in ("radau", "dop853")
    )
    assert by_radau.q[:, -1] == pytest.approx(by_rk.q[:, -1], abs=1e-7)
    assert energy(n, by_radau.q[:, -1], by_radau.v[:, -1]) == pytest.approx(energy(n, q, v), rel=1e-7)


def test_planar_systems_may_have_owners_too():
    """T = I said by owners gives the same programs as T = I by itself."""

    def built(**velocities):
        b = da.Elements("plane", coordinates=4, parameters={"g": G}, **velocities)
        places = {"velocities": [[0, 1], [2, 3]]} if velocities else {}
        both = {"velocities": [[0, 1, 2, 3]]} if velocities else {}
        b.add("bob", coordinates=[[0, 1], [2, 3]], **places, own=range(2), M=lambda: np.diag([1.0, 2.0]),
              f=lambda p, q: np.array([q[1], -p.g]))  # fmt: skip
        b.add("rod", coordinates=[[0, 1, 2, 3]], **both, g=lambda q: [(q[:2] - q[2:]) @ (q[:2] - q[2:]) - 1.0])
        return b.equations()

    unit, owned = built(), built(velocities=4)
    assert unit.unit_T and not owned.unit_T and not owned.normalizes
    rng = np.random.default_rng(0)
    q, v, x = *rng.standard_normal((2, 4)), rng.standard_normal(14)
    for name in CONTRACT:
        assert np.array_equal(unit.evaluate(name, q=q, v=v), owned.evaluate(name, q=q, v=v)), name
    for found, expected in zip(implicit_rows(owned, x, 0.0), implicit_rows(unit, x, 0.0), strict=True):
        assert found == pytest.approx(expected, abs=1e-15)


# -------------------------------------------------------------------------------------- an angle that only others move


def test_an_element_may_own_one_coordinate_of_those_that_it_sees():
    """A joint's angle between two bodies in the plane counts turns: θ̇ = ω₂ − ω₁, reset to what the poses say."""
    b = da.Elements("turning", coordinates=["phi1", "phi2", "theta"], velocities=["w1", "w2"])
    b.add("wheel", coordinates=[[0], [1]], velocities=[[0], [1]], own=[0], M=lambda p: [[p.J]], data={"J": [1.0, 2.0]})

    def reset(q):
        apart = q[1] - q[0] - q[2]
        return np.array([q[0], q[1], q[2] + np.arctan2(np.sin(apart), np.cos(apart))])

    b.add(
        "joint", coordinates=[[0, 1, 2]], velocities=[[0, 1]], T=lambda: [[1, 0], [0, 1], [-1, 1]], own=[2],
        normalize=reset, f=lambda q, v: (3.0 * q[2] + 0.1 * (v[1] - v[0])) * np.array([1.0, -1.0]),
    )  # fmt: skip
    equations = b.equations()
    T, qn = equations.evaluate("T", "qn", q=[1.0, 1.0 + 4 * np.pi + 0.3, 4 * np.pi + 0.1])
    assert T.tolist() == [[1, 0], [0, 1], [-1, 1]]
    assert qn == pytest.approx([1.0, 1.0 + 4 * np.pi + 0.3, 4 * np.pi + 0.3])
    kicked = da.simulate(equations, (0.0, 3.0), ([0.0, 0.0, 0.0], [0.0, 40.0]), rtol=1e-10, atol=1e-10)
    assert kicked.q[2] == pytest.approx(kicked.q[1] - kicked.q[0], abs=1e-10) and np.max(kicked.q[2]) > 2 * np.pi
    # θ̈ = −(k θ + c θ̇)(1/J₁ + 1/J₂)
    decay, stiffness = 0.1 * 1.5 / 2, 3.0 * 1.5
    omega = np.sqrt(stiffness - decay**2)
    assert kicked.q[2] == pytest.approx(40.0 / omega * np.exp(-decay * kicked.t) * np.sin(omega * kicked.t), abs=1e-7)


# --------------------------------------------------------------------------------------------------------- switching


def test_rows_of_elements_are_switched_as_those_of_a_traced_system():
    rng = np.random.default_rng(7)
    s = CHAIN.sizes
    assert CHAIN.restricted(range(s.lam)) is CHAIN
    for rows in [(0, 1, 2, 3, 5, 8), (0, 1, 2), (4,), ()]:
        found, expected = CHAIN.restricted(rows), TRACED.restricted(rows)
        assert CHAIN.restricted(rows) is found and (found.rows, found.full_rows) == (rows, s.lam)
        assert found.sizes.lam == found.sizes.g == len(rows)
        assert found.names["lam"] == tuple(CHAIN.names["lam"][i] for i in rows)
        q, v = rng.standard_normal(7 * N), rng.standard_normal(6 * N)
        for made in (found, pickle.loads(pickle.dumps(found))):
            assert (made.rows, made.full_rows) == (rows, s.lam)
            for name in CONTRACT:
                assert made.evaluate(name, q=q, v=v) == pytest.approx(expected.evaluate(name, q=q, v=v), abs=1e-11)
        x = rng.standard_normal(s.q + 2 * s.v + 2 * len(rows))
        assert implicit_rows(found, x, 0.0)[1] == pytest.approx(
            jacobian(lambda y, made=found: implicit_rows(made, y, 0.0)[0], x), abs=1e-8
        )
    # Rows of a system with fewer rows are counted there.
    again = CHAIN.restricted((0, 1, 2, 3, 5, 8)).restricted((3, 5))
    assert again.rows == (3, 8) and again.full_rows == s.lam and again.names["lam"] == ("joint[0].0", "joint[1].2")
    for bad in ((1, 0), (0, 0), (9,), (-1,)):
        with pytest.raises(EquationsError, match="'chain': rows must be rising numbers of its 9 constraints"):
            CHAIN.restricted(bad)


@pytest.mark.parametrize("method", ["dop853", "radau", "mexx"])
def test_a_chain_that_breaks_at_an_event(method):
    q, v = start(N)
    solutions = []
    for equations in (CHAIN, TRACED):
        kept = equations.names["lam"][:6]
        broken = da.Event(lambda t: t - 0.21, action=lambda kept=kept: da.Change(constraints=kept), name="breaks")
        solutions.append(
            da.simulate(
                equations,
                (0.0, 0.5),
                (q, v),
                method=method,
                formalism="contract",
                events=[broken],
                rtol=1e-10,
                atol=1e-10,
            )
        )
    found, expected = solutions
    assert found.t_events[0] == pytest.approx([0.21])
    assert found.q[:, -1] == pytest.approx(expected.q[:, -1], abs=1e-8)
    assert found.lam[6:, -1].tolist() == [0, 0, 0] and found.lam[:6, -1] == pytest.approx(
        expected.lam[:6, -1], abs=1e-5
    )
    # The last body falls freely: its centre has the acceleration of gravity.
    at = np.flatnonzero(found.t > 0.22)
    assert found.a[12:15, at] == pytest.approx(np.tile([[0.0], [0.0], [-G]], (1, len(at))), abs=1e-10)


def test_types_that_are_not_switched_are_compiled_once(monkeypatch):
    module = sys.modules["dalembert.equations.builders.element_types"]
    compiled, made = module.LanesFunction, []

    def counting(outputs, inputs, name):
        made.append(name)
        return compiled(outputs, inputs, name)

    monkeypatch.setattr(module, "LanesFunction", counting)
    equations = spatial_elements(4)
    equations.program("contract")
    assert sorted(made) == ["contract_body", "contract_ground", "contract_joint"]
    made.clear()
    equations.restricted((0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11)).program("contract")
    assert made == ["contract_joint"]  # the one with two rows; those with three are there
    equations.restricted((0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11)).program("contract")
    assert made == ["contract_joint"]
