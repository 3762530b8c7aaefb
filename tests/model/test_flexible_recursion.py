"""Flexible bodies in the recursions, against the same equations with the whole model on one graph."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import dalembert as da
from dalembert.elastic import Material, Section
from dalembert.model.flexible import flexible_body
from dalembert.problems import mechanisms

pytestmark = pytest.mark.filterwarnings("ignore:.* inside of it:dalembert.errors.ModelWarning")

PLASTIC = Material(2.0e9, 1200.0, 0.35)


def arm(planar: bool) -> da.Model:
    """A turning base, a clamped flexible rod hinged to it, a body hinged to the tip, a spring in between."""
    m = da.Model("arm", **({"plane": "xy", "gravity": (0, -9.81)} if planar else {"gravity": (0, 0, -9.81)}))

    def place(*r: float) -> tuple[float, ...]:
        return r[: 3 - planar]

    def axis(*a: float) -> dict[str, Any]:
        return {} if planar else {"axis": a}

    base = m.body("base", mass=2.0, inertia=0.1 if planar else np.diag([0.1, 0.15, 0.2]), com=place(0.1, 0.05, 0.02))
    m.revolute("A", m.ground.at(*place(0, 0, 0)), base.at(*place(0.2, 0.1, 0.05)), **axis(1, 2, 3))
    modes = {"bending": 2, "longitudinal": 1} if planar else {"bending": 1, "torsion": 1}
    rod = m.beam("rod", 1.0, Section.rectangle(0.02, 0.01), PLASTIC, modes, ends="clamped", damping=0.02)
    m.revolute("B", base.at(*place(0.4, 0.1, 0.3)), rod.left, **axis(0, 0, 1))
    ball = m.body(
        "ball", mass=0.3, inertia=0.01 if planar else np.diag([0.01, 0.015, 0.02]), com=place(0.1, 0.02, 0.03)
    )
    m.revolute("C", rod.right, ball.at(*place(0, 0, 0)), **axis(0, 0, 1))
    m.spring("S", m.ground.at(*place(1, 1, 1)), rod.at(0.6), stiffness=50.0, damping=0.4, length=0.3)
    m.sensor("tip", rod.right.position)
    return m


def inputs(equations: da.Equations, q: Any, v: Any, a: Any, lam: Any) -> dict[str, Any]:
    s = equations.sizes
    return {
        "p": equations.parameter_vector(), "t": np.zeros(1), "q": q, "v": v, "a": a, "lam": lam, "mu": np.zeros(s.g),
        "u": np.zeros(0),
    }  # fmt: skip


def dense(equations: da.Equations, program: str, name: str, point: dict[str, Any]) -> Any:
    provider = equations.program(program)
    found = provider([name], point)[name]
    return provider.patterns[name].dense(found) if name in provider.patterns else found


@pytest.mark.parametrize("arrays", [False, True])
@pytest.mark.parametrize("planar", [False, True])
def test_programs_agree_with_those_of_one_graph(monkeypatch: pytest.MonkeyPatch, planar: bool, arrays: bool) -> None:
    m, rng = arm(planar), np.random.default_rng(1)
    whole = m.equations("relative", builder="symbolic", cut=["C"])
    if arrays:
        monkeypatch.setattr(flexible_body, "LARGEST_IN_FORMULAS", 0)
    ours = m.equations("relative", builder="recursion")
    s, n = ours.sizes, whole.sizes.q
    assert ours.names["q"][:n] == whole.names["q"] and ours.names["v"] == whole.names["v"]
    assert set(ours.names["lam"]) == set(whole.names["lam"])
    rows = [ours.names["lam"].index(name) for name in whole.names["lam"]]
    start = whole.assemble()
    q, v = start.q + 0.1 * rng.normal(size=n), rng.normal(size=s.v)
    if not planar:
        q = whole.program("contract")(["qn"], inputs(whole, q, v, v, np.zeros(s.lam)))["qn"]
    # Angles of planar bodies, which count turns, stand behind the coordinates of the joints.
    q = np.concatenate([q, np.zeros(s.q - n)])
    q = ours.program("contract")(["qn"], inputs(ours, q, v, v, np.zeros(s.lam)))["qn"]
    a, lam = rng.normal(size=s.v), rng.normal(size=s.lam)
    theirs = inputs(whole, q[:n], v, a, lam)
    own = inputs(ours, q, v, a, np.zeros(s.lam))
    own["lam"][rows] = lam
    for name in ("M", "f", "G", "g", "gamma"):
        wanted, found = dense(whole, "contract", name, theirs), dense(ours, "contract", name, own)
        found = found[rows] if name in ("G", "g", "gamma") else found
        assert_allclose(found, wanted, rtol=0, atol=1e-12 * np.abs(wanted).max(), err_msg=name)
    wanted, found = (dense(one, "implicit", "residual", x) for one, x in ((whole, theirs), (ours, own)))
    assert_allclose(found, wanted, rtol=0, atol=1e-12 * np.abs(wanted).max())
    # The Jacobian of the balance of forces: by v and a as it stands, by q along motions of the mechanism.
    J, wanted = dense(ours, "implicit", "jacobian", own), dense(whole, "implicit", "jacobian", theirs)
    J, wanted = J[s.q : s.q + s.v], wanted[n : n + s.v]
    T = (np.eye(n) if planar else dense(whole, "contract", "T", theirs)), dense(ours, "contract", "T", own)
    size = np.abs(wanted).max()
    assert_allclose(J[:, s.q : s.q + 2 * s.v], wanted[:, n : n + 2 * s.v], rtol=0, atol=1e-12 * size)
    assert_allclose(J[:, : s.q] @ T[1], wanted[:, :n] @ T[0], rtol=0, atol=1e-12 * size)


@pytest.mark.parametrize("planar", [False, True])
def test_motions_agree(planar: bool) -> None:
    """Explicit and implicit methods, beside the tree that passes through the tip of the rod."""
    m = arm(planar)
    ends = []
    for builder, method in (("symbolic", "dop853"), ("recursion", "dop853"), ("recursion", "radau")):
        equations = m.equations("relative", builder=builder)
        run = da.simulate(equations, (0, 0.1), equations.assemble(), method=method, rtol=1e-9, atol=1e-11)
        ends.append(np.asarray(run["tip"])[:, -1])
    assert_allclose(ends[1], ends[0], rtol=0, atol=1e-9)
    assert_allclose(ends[2], ends[0], rtol=0, atol=1e-7)


def test_the_crank_and_its_smooth_start() -> None:
    example = mechanisms.flexible_slider_crank()
    found = []
    for builder in ("symbolic", "recursion"):
        equations = example.model.equations(builder=builder)
        start = equations.assemble({"A.angle": 0.0, "A.rate": 150.0}, smooth=True)
        run = da.simulate(equations, (0, 0.005), start, method="dop853", rtol=1e-10, atol=1e-13)
        found.append([run[f"rod.q{k}"][-1] for k in range(1, 5)])
    assert_allclose(found[1], found[0], rtol=0, atol=1e-9 * np.abs(found[0]).max())


def test_large_matrices_stay_arrays_in_relative_coordinates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flexible_body, "LARGEST_IN_FORMULAS", 0)
    equations = arm(False).equations()
    assert equations.how.builder == "recursion" and "too large" in equations.how.why


def test_what_recursions_cannot_have_is_named() -> None:
    m = arm(True)
    with pytest.raises(da.DalembertError, match=r"joint 'C' stands at a point that deformations move; .*tree=…"):
        m.equations("relative", builder="recursion", tree=["C"])
