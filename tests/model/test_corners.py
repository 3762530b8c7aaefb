"""Linearisation at corners of laws: the mean of both sides whatever the form, or one side, and a warning."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import dalembert as da
from dalembert.errors import EquationsError, ModelWarning

MASS, STIFFNESS, OUT, IN = 10.0, 6e5, 3000.0, 1000.0
CRITICAL = 2.0 * np.sqrt(MASS * STIFFNESS)
BENT = da.table([-1.0, 0.0, 1.0], [-IN, 0.0, OUT], kind="linear")
FORMS = {
    "max and min": lambda rate: -(OUT * np.maximum(rate, 0) + IN * np.minimum(rate, 0)),
    "the other way round": lambda rate: -(OUT * np.maximum(0, rate) + IN * np.minimum(0, rate)),
    "where": lambda rate: -np.where(rate > 0, OUT * rate, IN * rate),
    "abs": lambda rate: -(0.5 * (OUT + IN) * rate + 0.5 * (OUT - IN) * abs(rate)),
    "table": lambda rate: -BENT(rate),
    "table to the left": lambda rate: BENT(-rate) - (OUT - IN) * abs(rate),
}


def block(law):
    m = da.Model("block", plane="xy")
    rail = m.prismatic("rail", m.ground.at(0, 0), m.body("block", mass=MASS, inertia=1.0).at(0, 0))
    m.joint_spring("spring", rail, stiffness=STIFFNESS)
    if law == "called back":
        m.numeric_force("damper", rail, lambda rates: -float(OUT * max(rates[0], 0) + IN * min(rates[0], 0)))
    else:
        m.force("damper", rail, law)
    return m


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
def test_the_mean_of_both_sides_counts_whatever_the_form(form, coordinates):
    equations = block(FORMS[form]).equations(coordinates)
    rest = equations.equilibrium()
    for side, damping in (("mean", 0.5 * (OUT + IN)), ("above", OUT), ("below", IN)):
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            found = equations.linearise(rest, side=side)
        assert found.damping == pytest.approx(damping / CRITICAL, rel=1e-9)
        assert [str(one.message).partition(":")[2] for one in told] == (
            [
                " force 'damper' has a corner at this state: the mean of the slopes on both sides counts; side='above' "
                "or 'below' takes one of them"
            ]
            if side == "mean"
            else []
        )
        assert found.corners.laws == ("force 'damper'",) and "force 'damper'" in repr(found)


def test_what_is_called_back_has_corners_too():
    equations = block("called back").equations()
    rest = equations.equilibrium()
    with pytest.warns(ModelWarning, match=r"the force on rail\.rate has a corner at this state"):
        assert equations.linearise(rest).damping == pytest.approx(0.5 * (OUT + IN) / CRITICAL, rel=1e-6)
    assert equations.linearise(rest, side="above").damping == pytest.approx(OUT / CRITICAL, rel=1e-6)
    assert equations.linearise(rest, side="below").damping == pytest.approx(IN / CRITICAL, rel=1e-6)


def test_bare_equations_have_corners_too():
    def force(q, v):
        return [-STIFFNESS * q[0] - OUT * np.maximum(v[0], 0) - IN * np.minimum(v[0], 0)]

    equations = da.trace(M=lambda: [[MASS]], f=force, n_q=1, name="bare")
    with pytest.warns(ModelWarning, match="'bare': the force on v0 has a corner at this state"):
        assert equations.linearise([0.0]).damping == pytest.approx(0.5 * (OUT + IN) / CRITICAL, rel=1e-9)
    assert equations.linearise([0.0], side="below").damping == pytest.approx(IN / CRITICAL, rel=1e-9)
    with pytest.raises(EquationsError, match=r"'bare': side must be one of mean, above, below; got 'left'"):
        equations.linearise([0.0], side="left")


@pytest.mark.filterwarnings("error::dalembert.errors.ModelWarning")
@pytest.mark.parametrize("form", ["max and min", "table", "straight"])
def test_backlash_without_a_gap_is_a_spring(form):
    """Both sides have the same slope: that is no corner, however it is written."""
    k = 3e3
    laws = {
        "max and min": lambda deflection: k * (np.maximum(deflection, 0) + np.minimum(deflection, 0)),
        "table": da.table([-1.0, 0.0, 1.0], [-k, 0.0, k], kind="linear"),
        "straight": lambda deflection: k * deflection,
    }
    m = da.Model("gears", plane="xy")
    shafts = [m.revolute(name, m.ground.at(x, 0), m.body(name + " gear", mass=1.0, inertia=1e-3).at(0, 0))
              for x, name in enumerate("AB")]  # fmt: skip
    m.joint_spring("shaft", shafts[0], stiffness=4e3)
    m.gear_spring("mesh", *shafts, 1.0, torque=laws[form])
    equations = m.equations()
    K = 1e3 * np.array([[4e3 + k, -k], [-k, k]])
    expected = np.sqrt(np.linalg.eigvalsh(K)) / (2 * np.pi)
    for side in ("mean", "above"):
        found = equations.linearise(equations.equilibrium(stable=True), side=side).frequencies
        assert found[::2] == pytest.approx(expected, rel=1e-9)


def test_sides_of_several_laws():
    """Above is where all dampers grow longer, below where they grow shorter, in all coordinates."""
    m = da.Model("car", plane="xy")
    body = m.body("body", mass=10.0, inertia=1.0)
    for name, x in (("rear", -1.0), ("front", 1.0)):
        m.spring(f"{name} damper", m.ground.at(x, -1), body.at(x, 0), stiffness=1e4, length=1.0, damping=BENT)
        m.spring(f"{name} stay", m.ground.at(3 * x, 0), body.at(x, 0), stiffness=1e4, length=2.0)
    for coordinates in ("relative", "absolute"):
        equations = m.equations(coordinates)
        rest = equations.equilibrium()
        bounce = {}
        for side in ("above", "below"):
            found = equations.linearise(rest, side=side)
            assert found.corners.laws == ("spring 'rear damper'", "spring 'front damper'")
            bounce[side] = -np.trace(found.A)
        # 2 c/m of bounce and 2 c/J of pitch with arms of one metre
        assert bounce["above"] == pytest.approx(2 * OUT / 10.0 + 2 * OUT, rel=1e-9)
        assert bounce["below"] == pytest.approx(2 * IN / 10.0 + 2 * IN, rel=1e-9)
    with pytest.warns(ModelWarning, match="'rear damper', spring 'front damper' have corners at this state"):
        assert -np.trace(equations.linearise(rest).A) == pytest.approx((OUT + IN) / 10.0 + OUT + IN, rel=1e-9)


def test_sides_that_contradict_each_other():
    m = da.Model("between", plane="xy")
    body = m.body("body", mass=10.0, inertia=1.0)
    rail = m.prismatic("rail", m.ground.at(0, 0), body.at(0, 0))
    m.joint_spring("spring", rail, stiffness=STIFFNESS)
    m.spring("left", m.ground.at(-1, 0), body.at(0, 0), stiffness=0.0, length=1.0, damping=BENT)
    m.spring("right", m.ground.at(1, 0), body.at(0, 0), stiffness=0.0, length=1.0,
             damping=da.table([-1.0, 0.0, 1.0], [-1.0, 0.0, 5.0], kind="linear"))  # fmt: skip
    equations = m.equations()
    told = r"no motion leads to one side of all laws .* \(spring 'left', spring 'right'\); take side='mean', or a state"
    with pytest.raises(EquationsError, match=told):
        equations.linearise(equations.equilibrium(), side="above")


@pytest.mark.filterwarnings("error::dalembert.errors.ModelWarning")
def test_smooth_laws_have_no_corners():
    """Neither curvature nor a steep slope is a corner, nor is a table that is smooth."""
    curve = da.table([-1.0, 0.0, 1.0], [-IN, 0.0, OUT])
    for law in (
        lambda rate: -3.0 * np.tanh(rate / 1e-4),
        lambda rate, displacement: -1e3 * rate - 1e7 * rate**2 - 1e9 * displacement**2,
        lambda rate: -3.0 * np.clip(rate / 1e-4, -1.0, 1.0),
        lambda rate: -curve(rate),
    ):
        equations = block(law).equations()
        assert not equations.linearise(equations.equilibrium()).corners.note


def test_a_law_that_jumps_is_told():
    equations = block(lambda rate: -3.0 * np.sign(rate)).equations()
    with pytest.warns(ModelWarning, match="force 'damper' jumps at this state, and no slope says by how much"):
        found = equations.linearise(equations.equilibrium())
    assert found.corners.jumps == ("force 'damper'",)


def test_other_analyses_know_the_corner():
    equations = block(FORMS["max and min"]).equations()
    rest = equations.equilibrium()
    run = da.simulate(equations, (0.0, 1e-3), rest)
    with pytest.warns(ModelWarning, match="force 'damper' has a corner"):
        assert equations.campbell(run).damping[:, 0] == pytest.approx(0.5 * (OUT + IN) / CRITICAL, rel=1e-9)
    assert equations.campbell(run, side="above").damping[:, 0] == pytest.approx(OUT / CRITICAL, rel=1e-9)
    with pytest.warns(ModelWarning, match="force 'damper' has a corner"):
        equations.equilibrium(stable=True)
    # A stiffness of 1e5 N/m on one side and -1e5 N/m on the other.
    law = lambda displacement: 5e5 * np.maximum(displacement, 0) + 7e5 * np.minimum(displacement, 0)  # noqa: E731
    equations = block(law).equations()
    assert equations.equilibrium(stable=True, side="above").q == pytest.approx(0.0, abs=1e-9)
    with pytest.raises(EquationsError, match="the equilibrium that was found is unstable"):
        equations.equilibrium(stable=True, side="below")
