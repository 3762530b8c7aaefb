"""Every creep law in a wheelset that hunts, and a bogie: signs of creep forces, energy, and the same motion."""

import numpy as np
import pytest

import dalembert as da
from dalembert.problems.mechanisms import wheelsets
from dalembert.rail import creep_law
from dalembert.rail.creep_laws import LAWS

FRICTION = 0.35


def ridden(law):
    """A free wheelset 2 mm beside the middle, half a second; times, and values of its sensors."""
    options = {"along": 8, "strips": 8} if law == "fastsim" else {}  # a coarse grid is enough for signs
    example = wheelsets.wheelset(10.0, law=creep_law(law, **options), springs=0.0, friction=FRICTION, measure=True)
    equations = example.model.equations()
    start = example.assemble(equations)
    run = da.simulate(equations, (0, 0.5), start, method="bdf", rtol=1e-7, atol=1e-10)
    assert run.success, run.message
    return run, equations


@pytest.mark.parametrize("law", LAWS)
def test_creep_forces_take_energy_and_keep_within_friction(law):
    """F·ν ≤ 0 at each wheel, |F| ≤ μN where a law knows of friction, and what they take is what the axle loses."""
    run, equations = ridden(law)
    power = np.zeros_like(run.t)
    for side in ("left", "right"):
        forces = np.array([run[f"axle {side} creep forces.{key}"] for key in ("x", "y", "moment")])
        nu = np.array([run[f"axle {side} creepages.{key}"] for key in ("xi", "eta", "phi")])
        work = (forces * nu).sum(axis=0)
        assert work.max() <= 1e-9 * np.abs(work).max()
        assert np.abs(work).max() > 0.0
        if law != "linear":
            assert (np.hypot(*forces[:2]) <= 1.001 * FRICTION * run[f"axle {side} N"]).all()
        power += 10.0 * work
    z = run.q[equations.index("q", "axle guide.z")]
    lost = run["energy"][0] - run["energy"][-1] - wheelsets.LOAD * (z[-1] - z[0])  # the load has no potential
    assert lost == pytest.approx(-np.trapezoid(power, run.t), rel=0.02)
    y = run.q[equations.index("q", "axle guide.y")]
    assert y[-1] < 0.5 * y[0]  # it steers back to the middle


def test_laws_agree_where_creepages_are_small():
    """0.01 mm beside the middle: all laws are Kalker's there, FASTSIM to its grid."""
    turning = {}
    for law in LAWS:
        example = wheelsets.wheelset(10.0, law=law, springs=0.0, lateral=1e-5)
        equations = example.model.equations()
        state = example.assemble(equations)
        a = dict(zip(equations.names["v"], state.a, strict=True))
        turning[law] = a["axle guide.yaw.rate"]
    for law, found in turning.items():
        assert found == pytest.approx(turning["linear"], rel=0.1), law


def test_bogie_runs_below_its_critical_speed():
    """Two wheelsets below a frame: loads are weights, and a displacement decays."""
    example = wheelsets.bogie(15.0, "cone", law="polach", measure=True)
    equations = example.model.equations()
    start = example.assemble(equations)
    weight = 2 * (wheelsets.MASS * wheelsets.GRAVITY + wheelsets.LOAD)
    run = da.simulate(equations, (0, 2), start, method="bdf", rtol=1e-5, atol=1e-7)
    assert run.success, run.message
    loads = sum(run[f"{axle} {side} Q"] for axle in ("front", "rear") for side in ("left", "right"))
    assert loads[-1] == pytest.approx(weight, rel=0.01)
    for axle in ("front", "rear"):
        y = run.q[equations.index("q", f"{axle} guide.y")]
        assert np.abs(y[run.t > 1.4]).max() < 0.5 * np.abs(y).max()
