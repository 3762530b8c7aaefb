"""Exported C makes the steps that a run in Python makes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from export import models
from export.exported import Stepper, assert_same_run
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import dalembert as da
from dalembert.errors import ExportError
from dalembert.problems import mechanisms

H = 1e-3
METHODS = {
    "dopri5": da.Dopri5(controller=da.FixedStep(size=H)),
    "dop853": da.Dop853(controller=da.FixedStep(size=H)),
    "euler": da.ExplicitEuler(step=H),
    "imex": da.Imex(step=H),
    "symplectic": da.Imex(step=H, update="symplectic", partition="every step"),
    "linear_euler": da.LinearlyImplicitEuler(step=H),
    "linear_trapezoidal": da.LinearlyImplicitTrapezoidal(step=H),
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
def test_double_pendulum(tmp_path: Path, coordinates: str, method: str) -> None:
    equations = models.double_pendulum().equations(coordinates, builder="symbolic")
    assert_same_run(equations, METHODS[method], tmp_path, 2000)


@pytest.mark.parametrize("method", ["dopri5", "imex"])
def test_quarter_car_over_a_bump(tmp_path: Path, method: str) -> None:
    equations = models.quarter_car().equations()
    outputs = ["ride", "acceleration", "load", "stroke.displacement", "cruise.value"]
    assert_same_run(equations, METHODS[method], tmp_path, 3000, outputs=outputs)


@pytest.mark.parametrize("method", ["dopri5", "imex"])
def test_linkage_with_a_motor_and_the_force_in_its_bearing(tmp_path: Path, method: str) -> None:
    equations = models.four_bar().equations()
    outputs = ["tip", "bearing", "A.angle", "C.x", "C.y", "D.force"]
    solution = assert_same_run(equations, METHODS[method], tmp_path, 20_000, outputs=outputs)
    assert np.ptp(solution["A.angle"]) > 100.0  # it turns and turns


@pytest.mark.parametrize(
    ("model", "method"),
    [
        (models.spatial, "dopri5"), (models.spatial, "imex"), (models.skate, "dopri5"), (models.skate, "imex"),
        (models.motor_with_lag, "dop853"), (models.motor_with_lag, "imex"), (models.rubbing_slider, "imex"),
        (models.skate, "linear_trapezoidal"), (models.motor_with_lag, "linear_trapezoidal"),
        (models.rubbing_slider, "linear_euler"), (models.four_bar, "linear_euler"),
        (models.four_bar, "linear_trapezoidal"), (models.quarter_car, "linear_trapezoidal"),
    ],
)  # fmt: skip
def test_other_kinds_of_equations(tmp_path: Path, model: Callable[[], da.Model], method: str) -> None:
    """Euler parameters, constraints on velocities alone, external states, forces that depend on multipliers."""
    assert_same_run(model().equations(), METHODS[method], tmp_path, 2000)


def test_spatial_chain_in_absolute_coordinates(tmp_path: Path) -> None:
    """Euler parameters and constraints: corrections go through T."""
    equations = models.spatial().equations("absolute", builder="symbolic")
    for method in ("dopri5", "imex", "linear_trapezoidal"):
        assert_same_run(equations, METHODS[method], tmp_path, 1000)


def test_position_and_velocity_constraints_together(tmp_path: Path) -> None:
    """C has a partition of its own."""
    example = mechanisms.rolling_disc()
    equations = example.model.equations()
    assert equations.sizes.lam > equations.sizes.g > 0
    start = example.assemble(equations)
    for method in ("dopri5", "imex"):
        assert_same_run(equations, METHODS[method], tmp_path, 1000, start=start)


@pytest.mark.parametrize("method", ["dopri5", "imex", "linear_trapezoidal"])
def test_redundant_constraints(tmp_path: Path, method: str) -> None:
    """Three cranks carry a beam: one row says what the others say, and is left out as in a run."""
    equations = models.three_cranks().equations("absolute", builder="symbolic")
    outputs = ["middle", "first.angle"]
    with pytest.raises(ExportError, match=r"1 of 12 constraints depend on the others: .*top.*redundant='accept'"):
        da.export_c(equations, METHODS[method], tmp_path, name="cranks", outputs=outputs)
    start = equations.assemble(redundant="accept")
    assert_same_run(equations, METHODS[method], tmp_path, 2000, start, outputs, redundant="accept")
    with pytest.raises(
        ExportError, match=r"'first.force' looks at multipliers, which redundant constraints \(second top.y"
    ):
        da.export_c(equations, METHODS[method], tmp_path, name="cranks", outputs=["first.force"], redundant="accept")


def test_functions_instead_of_a_model(tmp_path: Path) -> None:
    """Two masses on a circle, with a parameter and a function of time."""
    equations = da.trace(
        M=lambda q: np.array([[2.0, 0.1], [0.1, 1.0]]),
        f=lambda t, q, v, p: np.array([-p.k * q[0] + np.sin(3 * t), -v[1]]),
        g=lambda q: [q[0] ** 2 + q[1] ** 2 - 1.0],
        n_q=2,
        parameters={"k": 4.0},
        name="circle",
    )
    start = equations.assemble([0.6, 0.8], [0.8, -0.6])
    for method in ("dop853", "imex"):
        assert_same_run(equations, METHODS[method], tmp_path, 2000, start=start)


def test_vehicle_over_the_bump(tmp_path: Path) -> None:
    example = mechanisms.hmmwv14()
    equations = example.model.equations("relative")
    start = example.assemble(equations)
    for method in ("dopri5", "imex"):
        solution = assert_same_run(equations, METHODS[method], tmp_path, 2000, start=start, optimised="-O0")
        assert np.ptp(solution["ride.z"]) > 0.01


def test_parameters_and_start_may_be_others(tmp_path: Path) -> None:
    """Those of a run, and those of init."""
    equations = models.four_bar().equations()
    start, other = equations.assemble(), {"stall": 3.0, "slope": 0.2}
    outputs = ["tip", "C.x"]
    files = da.export_c(equations, METHODS["dopri5"], tmp_path, name="bar", start=start, outputs=outputs)
    c = Stepper(files)
    assert c.init(np.array([3.0, 0.2])) == 0
    solution = da.simulate(equations, (0, 100 * H), start, method=METHODS["dopri5"], parameters=other)
    for k in range(100):
        assert c.step() == 0
        np.testing.assert_allclose(c.outputs[:2], solution["tip"][:, k + 1], rtol=1e-12)
        np.testing.assert_allclose(c.outputs[2], solution.lam[0, k + 1], rtol=1e-10)
    files = da.export_c(equations, METHODS["dopri5"], tmp_path, name="other", parameters=other, outputs=outputs)
    d = Stepper(files)
    assert d.init() == 0
    for _ in range(100):
        assert d.step() == 0
    np.testing.assert_allclose(d.outputs, c.outputs, rtol=1e-12)


@pytest.mark.parametrize("method", ["dopri5", "imex", "linear_trapezoidal"])
def test_bead_on_a_wire(tmp_path: Path, method: str) -> None:
    """An auxiliary variable is found anew at the end of every step."""
    solution = assert_same_run(models.bead().equations(), METHODS[method], tmp_path, 1000)
    s, z = solution.q[-1], solution.q[2]
    assert np.abs(z - 0.3 * s).max() < 1e-5 and np.ptp(s) > 0.3


def test_wheelset_on_rails(tmp_path: Path) -> None:
    equations = models.wheelset().equations()
    assert len(equations.auxiliary_places) == 2
    outputs = [*equations.names["q"], *equations.names["v"], *equations.names["lam"], "axle left N"]
    assert_same_run(equations, METHODS["imex"], tmp_path, 2000, outputs=outputs)
    assert "lifts off" in (tmp_path / "README.md").read_text(encoding="utf-8")


def test_augmented_parameters_are_not_exported(tmp_path: Path) -> None:
    augmented = models.wheelset().equations(auxiliary="augmented")
    with pytest.raises(ExportError, match=r"export equations\(auxiliary='embedded'\)"):
        da.export_c(augmented, METHODS["imex"], tmp_path, name="axle")


@pytest.mark.parametrize("method", ["dopri5", "linear_euler"])
def test_forces_that_are_not_linear_in_the_multipliers(tmp_path: Path, method: str) -> None:
    """Creep forces of a wheelset: multipliers are iterated in C as in Python."""
    equations = models.wheelset().equations()
    assert equations.lacks("rate") == "f is not linear in the multipliers"
    # explicit steps are stable below 2/λ of creep, 0.2 ms here
    chosen = da.Dopri5(controller=da.FixedStep(size=1e-4)) if method == "dopri5" else METHODS[method]
    assert_same_run(equations, chosen, tmp_path, 300)


@pytest.mark.filterwarnings("ignore")
def test_locomotive_whose_contacts_jump(tmp_path: Path) -> None:
    """In step 317 the contact of a wheel jumps: pivots change their signs, corrections are cut, many are needed."""
    example = mechanisms.locomotive("S0", profiles="published", irregular=False)
    equations = example.model.equations()
    start = example.assemble(equations)
    outputs = [*equations.names["q"], *equations.names["v"], *equations.names["lam"]]
    solution = assert_same_run(equations, METHODS["imex"], tmp_path, 370, start=start, outputs=outputs, optimised="-O0")
    places = [place for block in equations.auxiliary_places for place in block]
    assert np.abs(np.diff(solution.q[places], 2)).max() > 1e-3


@pytest.mark.parametrize("method", ["dopri5", "imex"])
def test_arm_in_a_control_loop(tmp_path: Path, method: str) -> None:
    """Torques of a controller, and the load, are set at every step; Python makes each step as a run of its own."""
    model = models.arm()
    equations = model.equations()
    inputs = ["shoulder_torque", "elbow_torque", "load"]
    outputs = ["shoulder.angle", "elbow.angle", "shoulder.rate", "elbow.rate", "hand"]
    chosen = METHODS[method]
    files = da.export_c(equations, chosen, tmp_path, name="arm", inputs=inputs, outputs=outputs)
    c = Stepper(files)
    assert c.init() == 0 and c.inputs.tolist() == [0.0, 0.0, 0.5]
    free = equations.with_inputs_as_parameters(["shoulder_torque", "elbow_torque"])
    state = free.assemble()
    q, v, t = state.q, state.v, 0.0
    target = np.array([0.3, -0.4])
    for k in range(300):
        torques = 30.0 * (target - q) - 3.0 * v
        load = 0.5 if k < 150 else 1.5
        c.inputs[:] = [*torques, load]
        given = {"shoulder_torque": torques[0], "elbow_torque": torques[1], "load": load}
        run = da.simulate(free, (t, t + H), (q, v), method=chosen, parameters=given, dense_output=False)
        q, v, t = run.q[:, -1], run.v[:, -1], t + H
        assert c.step() == 0
        np.testing.assert_allclose(c.outputs[:4], [*q, *v], rtol=1e-9, atol=1e-12)
    assert np.abs(q - target).max() < 0.5 * np.abs(state.q - target).max()  # the loop is closed


def test_a_step_that_fails_leaves_the_state(tmp_path: Path) -> None:
    """An input that is not a number, then a good one."""
    for method in ("dopri5", "imex", "linear_euler"):
        files = da.export_c(models.arm().equations(), METHODS[method], tmp_path, name="arm", inputs=["elbow_torque"])
        c, d = Stepper(files), Stepper(files)
        for one in (c, d):
            assert one.init() == 0 and one.step() == 0
        before, outputs = c.numbers[:5].copy(), c.outputs.copy()
        c.inputs[:] = np.nan
        assert c.step() == 1
        np.testing.assert_array_equal(c.numbers[:5], before)
        np.testing.assert_array_equal(c.outputs, outputs)
        for one in (c, d):
            one.inputs[:] = 0.25
            assert one.step() == 0
        np.testing.assert_array_equal(c.numbers[:5], d.numbers[:5])


def test_a_start_off_the_constraints_is_projected_or_refused(tmp_path: Path) -> None:
    equations = models.four_bar().equations()
    files = da.export_c(equations, METHODS["dopri5"], tmp_path, name="bar", outputs=["C.x"])
    c = Stepper(files)
    assert c.init() == 0
    y = c.numbers[1:7].copy()
    c.numbers[1:4] += 1e-3
    assert c.restart() == 0
    q = c.numbers[1:4]
    assert np.abs(equations.evaluate("g", q=q)).max() < 1e-12 and np.abs(q - y[:3]).max() > 1e-5
    before = c.numbers[:7].copy()
    before[1] = c.numbers[1] = np.nan
    assert c.restart() == 2
    np.testing.assert_array_equal(c.numbers[:7], before)


@st.composite
def trees(draw: st.DrawFn) -> da.Model:
    """Small trees of links in the plane or in space, with springs, dampers and perhaps a closed loop."""
    number = st.floats(0.2, 2.0)
    m = da.Model("tree", plane="xy", gravity=(0, -9.81))
    bodies = [m.ground]
    for k in range(draw(st.integers(1, 4))):
        parent = bodies[draw(st.integers(0, k))]
        body = m.body(f"b{k}", mass=draw(number), inertia=0.1 * draw(number), com=(0.3 * draw(number), 0.0))
        place = (0.0, 0.3 * k) if parent is m.ground else (draw(number), 0.0)
        kind = draw(st.sampled_from(["revolute", "prismatic"]))
        joint = getattr(m, kind)(f"j{k}", parent.at(*place), body.at(0, 0), start=draw(st.floats(-1.0, 1.0)))
        m.joint_spring(f"s{k}", joint, stiffness=20.0 * draw(number), damping=draw(number))
        bodies.append(body)
    if draw(st.booleans()):
        far = bodies[-1].at(0.5, 0.1)
        m.spring("across", m.ground.at(3.0, 1.0), far, stiffness=5.0, length=0.5)
    m.sensor("end", bodies[-1].at(0.4, 0.2).position)
    return m


@given(trees(), st.sampled_from(["dopri5", "euler", "symplectic"]), st.sampled_from(["relative", "absolute"]))
@settings(max_examples=8, suppress_health_check=list(HealthCheck), deadline=None)
def test_random_trees(tmp_path_factory: pytest.TempPathFactory, model: da.Model, method: str, coordinates: str) -> None:
    folder = tmp_path_factory.mktemp("tree")
    assert_same_run(model.equations(coordinates, builder="symbolic"), METHODS[method], folder, 300)
