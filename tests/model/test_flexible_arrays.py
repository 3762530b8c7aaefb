"""Flexible bodies whose matrices stay arrays, against the same bodies with every number in formulas."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import dalembert as da
from dalembert.elastic import Flexibility, Material, Section
from dalembert.model.flexible import flexible_body

STEEL = Material(2.1e11, 7850.0, 0.3)


def beam(planar: bool, ends: str) -> da.Model:
    m = da.Model("beam", **({"plane": "xy", "gravity": (0, -9.81)} if planar else {"gravity": (0, 0, -9.81)}))
    modes = {"bending": 2, "longitudinal": 1} if planar else {"bending": 1, "torsion": 1}
    spin = 3.0 if planar else (1.0, 2.0, 3.0)
    rod = m.beam(
        "rod", 1.0, Section.rectangle(0.02, 0.01), STEEL, modes, ends=ends, damping=0.02, angular_velocity=spin
    )
    ball = m.body(
        "ball", mass=0.3, inertia=0.01 if planar else np.eye(3) * 0.01, position=(1.0, 0.0, 0.0)[: 3 - planar]
    )
    m.revolute("hinge", rod.right, ball.at(*(0.0,) * (3 - planar)), **({} if planar else {"axis": (0, 0, 1)}))
    return m


def dense_body(n: int) -> Flexibility:
    """A cloud of masses whose shapes are random, so that no entry of its matrices vanishes."""
    rng = np.random.default_rng(n)
    points, shapes = rng.normal(size=(3 * n, 3)), 0.1 * rng.normal(size=(3 * n, 3, n))
    fields = np.concatenate([np.ones((3 * n, 1)), points, shapes.transpose(0, 2, 1).reshape(3 * n, -1)], axis=1)
    frequencies = np.linspace(20.0, 200.0, n)
    root = np.linalg.cholesky(np.einsum("paj,pak->jk", shapes, shapes))
    return Flexibility(gram=fields.T @ fields, stiffness=(root * frequencies**2) @ root.T)


def by_both(monkeypatch: pytest.MonkeyPatch, m: da.Model) -> list[da.Equations]:
    found = []
    for limit in (0, 10**9):
        monkeypatch.setattr(flexible_body, "LARGEST_IN_FORMULAS", limit)
        found.append(m.equations(coordinates="absolute", builder="elements"))
    return found


@pytest.mark.parametrize("planar, ends", [(True, "pinned"), (True, "clamped"), (False, "clamped")])
def test_programs_agree_with_formulas(monkeypatch: pytest.MonkeyPatch, planar: bool, ends: str) -> None:
    equations = by_both(monkeypatch, beam(planar, ends))
    s, rng = equations[0].sizes, np.random.default_rng(4)
    x = {key: rng.normal(size=getattr(s, "g" if key == "mu" else key)) for key in ("q", "v", "lam", "mu")}
    x |= {"a": rng.normal(size=s.v), "t": np.zeros(1), "p": equations[0].parameter_vector(), "u": np.zeros(0)}
    wanted = {"contract": ("M", "f", "T", "G", "gamma"), "implicit": ("residual", "jacobian", "qdot")}
    wanted["reduced"] = ("residual", "derivatives")
    for program, names in wanted.items():
        for name in names:
            ours, theirs = (
                one.program(program).patterns[name].dense(one.program(program)([name], x)[name])
                if name in one.program(program).patterns
                else one.program(program)([name], x)[name]
                for one in equations
            )
            np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-13 * np.abs(theirs).max(), err_msg=name)


def test_motions_agree_and_equations_are_pickled(monkeypatch: pytest.MonkeyPatch) -> None:
    equations = by_both(monkeypatch, beam(False, "clamped"))
    ends = []
    for eqs in (*equations, pickle.loads(pickle.dumps(equations[0]))):
        start = eqs.assemble()  # the ball, which was given no velocity, does not hold back the rod
        sol = da.simulate(eqs, (0, 0.02), start, method="dop853", rtol=1e-9, atol=1e-12)
        assert sol.success
        ends.append(sol.q[:, -1])
    np.testing.assert_allclose(ends[0], ends[1], rtol=0, atol=1e-10)
    np.testing.assert_array_equal(ends[0], ends[2])


def test_many_modes_keep_energy_and_momentum() -> None:
    """60 modes without a zero in any matrix: 36 000 entries, which stay arrays by themselves."""
    n = 60
    m = da.Model("cloud")
    m.flexible_body("cloud", dense_body(n), angular_velocity=(0.3, 0.2, 0.1))
    eqs = m.equations(coordinates="absolute")
    assert eqs.how.builder == "elements" and "too large" in eqs.how.why
    start = eqs.assemble()
    start.v[6:] = 1e-2
    sol = da.simulate(eqs, (0, 0.1), start, method="dop853", rtol=1e-10, atol=1e-13)
    assert sol.success

    def energy(k: int) -> float:
        contract, q, v = eqs.program("contract"), sol.q[:, k], sol.v[:, k]
        M = contract.patterns["M"].dense(contract(["M"], {"t": sol.t[k], "q": q, "p": eqs.parameter_vector()})["M"])
        return float(0.5 * v @ M @ v + 0.5 * q[7:] @ eqs.fast_stiffness @ q[7:])

    first = energy(0)
    assert abs(energy(-1) / first - 1) < 1e-9
    implicit = da.simulate(eqs, (0, 0.02), start, method="radau", rtol=1e-7, atol=1e-10)
    np.testing.assert_allclose(implicit.q[:, -1], sol.sol(0.02).q, rtol=0, atol=1e-6)
