"""Laws that see any quantity, forces that a motion needs, power and work, vectors in other axes; questions."""

import numpy as np
import pytest

import dalembert as da
from dalembert.errors import ModelError, SimulationError, StateError

TIGHT = {"rtol": 1e-10, "atol": 1e-12}


def arm(torques=True):
    """Two links under gravity, held by quantities."""
    m = da.Model("arm", plane="xy", gravity=(0, -9.81))
    upper = m.body("upper", mass=2.0, inertia=0.3, com=(0.5, 0))
    lower = m.body("lower", mass=1.0, inertia=0.1, com=(0.4, 0))
    A = m.revolute("A", m.ground.at(0, 0), upper.at(0, 0))
    B = m.revolute("B", upper.at(1, 0), lower.at(0, 0))
    if torques:
        m.torque("hold A", A, m.gravity_compensation(A))
        m.torque("hold B", B, m.gravity_compensation(B.angle))
    return m, upper, lower, A, B


def test_a_torque_that_holds_the_weight():
    m, _, _, A, B = arm()
    eqs = m.equations()
    start = eqs.assemble({A.angle: 0.3, B.angle: -0.7})
    assert start.a == pytest.approx([0, 0], abs=1e-12)
    # By hand: the weight of the lower link about B, and both about A.
    weight_B = 1.0 * 9.81 * 0.4 * np.cos(-0.4)
    weight_A = 2.0 * 9.81 * 0.5 * np.cos(0.3) + 9.81 * (np.cos(0.3) + 0.4 * np.cos(-0.4))
    assert eqs.evaluate_quantity(m.gravity_compensation(B), start) == pytest.approx(weight_B)
    for _ in range(4):  # interpreted at first, then compiled
        assert eqs.evaluate_quantity(m.gravity_compensation(A), start) == pytest.approx(weight_A)
        assert eqs.evaluate_quantity(B.force, start) == pytest.approx([9.81 * np.sin(0.3), 9.81 * np.cos(0.3)])


def test_inverse_dynamics_as_a_law():
    """The arm follows given accelerations exactly."""
    m, _, _, A, B = arm(torques=False)
    wanted = {A: 2.0, B: -1.0 + 0.5 * A.angle}
    m.torque("to A", A, m.inverse_dynamics(A, wanted))
    m.torque("to B", B, m.inverse_dynamics(B, wanted))
    eqs = m.equations()
    start = eqs.assemble({A.angle: 0.3, B.angle: -0.7, A.rate: 1.0, B.rate: 2.0})
    assert start.a == pytest.approx([2.0, -1.0 + 0.15], abs=1e-12)
    run = da.simulate(eqs, (0, 1), start, **TIGHT)
    assert run["A.angle"][-1] == pytest.approx(0.3 + 1.0 + 1.0, abs=1e-8)
    with pytest.raises(ModelError, match="in relative coordinates"):
        m.equations(coordinates="absolute")


def test_laws_see_quantities_and_frames():
    m, _, lower, A, B = arm(torques=False)
    tip = lower.at(0.8, 0)
    m.torque("by value", A, 3.0 * tip.position.y - 0.2 * A.rate)
    m.torque(
        "by name", B, lambda height, tip_velocity, tip_angle, p: p.k * height - tip_velocity[0] + tip_angle,
        sees={"height": tip.position.y, "tip": tip},
    )  # fmt: skip
    m.parameters(k=2.0)
    eqs = m.equations()
    start = eqs.assemble({A.angle: 0.3, B.angle: -0.7, A.rate: 1.0, B.rate: 2.0})
    height = np.sin(0.3) + 0.8 * np.sin(-0.4)
    speed = -np.sin(0.3) * 1.0 - 0.8 * np.sin(-0.4) * 3.0
    motors = [element for element in m.elements if element.name.startswith("by")]
    by_value, by_name = (eqs.evaluate_quantity(element.force, start) for element in motors)
    assert by_value == pytest.approx(3.0 * height - 0.2)
    assert by_name == pytest.approx(2.0 * height - speed - 0.4)


def test_power_and_work():
    """What springs and dampers take is missing in the energy."""
    m, _, _, A, B = arm(torques=False)
    damper = m.joint_spring("damper", A, 0.0, 0.7)
    spring = m.torsion_spring("spring", B, 5.0, natural=0.1)
    m.work("lost", damper)
    m.work("stored", spring)
    m.sensor("loss", damper.power)
    eqs = m.equations()
    run = da.simulate(eqs, (0, 2), eqs.assemble({A.angle: 0.3, B.angle: -0.7}), **TIGHT)
    assert run["loss"] == pytest.approx(-0.7 * run["A.rate"] ** 2, abs=1e-12)
    assert run["lost.work"][-1] == pytest.approx(run["energy"][-1] - run["energy"][0], abs=1e-7)
    assert run["stored.work"][-1] == pytest.approx(
        -0.5 * 5.0 * ((run["B.angle"][-1] - 0.1) ** 2 - 0.8**2), abs=1e-7
    )  # fmt: skip
    with pytest.raises(ModelError, match=r"is a constraint.*drive.force \* joint.rate"):
        A.power  # noqa: B018


def test_vectors_in_other_axes():
    m, upper, lower, A, B = arm(torques=False)
    m.sensor("B in world", B.force.in_(m.ground))
    m.sensor("B in lower", B.force.in_(lower))
    m.sensor("tip in upper", lower.at(0.8, 0).velocity.in_(upper))
    eqs = m.equations()
    run = da.simulate(eqs, (0, 0.5), eqs.assemble({A.angle: 0.3, B.angle: -0.7, A.rate: 1.0}), **TIGHT)
    a, b = run["A.angle"], run["A.angle"] + run["B.angle"]
    x, y = run["B.force"]  # in the axes of the upper link
    assert run["B in world.x"] == pytest.approx(np.cos(a) * x - np.sin(a) * y)
    c, s = np.cos(a - b), np.sin(a - b)
    assert run["B in lower.y"] == pytest.approx(s * x + c * y)
    assert run["tip in upper.x"] == pytest.approx(-0.8 * np.sin(b - a) * (run["A.rate"] + run["B.rate"]))
    with pytest.raises(ModelError, match="vectors have axes"):
        A.angle.in_(m.ground)
    with pytest.raises(ModelError, match="body or a marker"):
        B.force.in_("world")


def test_questions_at_states_and_over_arrays():
    """A driven crank: states of its motion are taken at their own instants."""
    m, _, _, A, B = arm(torques=False)
    m.drive("crank", A.angle, lambda t: 0.3 + 2.0 * t)
    m.drive("follower", B.angle, lambda t: -0.7 + t**2)
    eqs = m.equations(coordinates="absolute")
    motion = eqs.kinematics(np.linspace(0, 1, 5))
    forces, lam = eqs.inverse_dynamics(motion.state(3))
    assert forces == pytest.approx(np.zeros_like(forces), abs=1e-8) and lam == pytest.approx(motion.lam[:, 3], rel=1e-8)
    all_forces, all_lam = eqs.inverse_dynamics(motion)
    assert all_forces.shape == (eqs.sizes.v, 5) and all_lam == pytest.approx(motion.lam, rel=1e-6, abs=1e-7)
    a, lam = eqs.forward_dynamics(motion.state(2))
    assert a == pytest.approx(motion.a[:, 2], abs=1e-8) and lam == pytest.approx(motion.lam[:, 2], rel=1e-8)
    many, _ = eqs.forward_dynamics([motion.state(k) for k in range(5)])
    assert many == pytest.approx(motion.a, abs=1e-8)
    again, _ = eqs.forward_dynamics(motion.q, motion.v, t=motion.t)
    assert again == pytest.approx(motion.a, abs=1e-8)
    assert eqs.assemble(motion.state(2)).t == motion.t[2]
    with pytest.raises(StateError, match="must have 5 columns"):
        eqs.forward_dynamics(motion.q, motion.v[:, :3])


def test_quick_forward_dynamics_is_the_slow_one():
    m, _, _, A, B = arm(torques=False)
    for eqs in (m.equations(), m.equations(coordinates="absolute")):
        state = eqs.assemble({A.angle: 0.3, B.angle: -0.7, A.rate: 1.0})
        first = eqs.forward_dynamics(state.q, state.v)
        second = eqs.forward_dynamics(state.q, state.v)
        for one, other in zip(first, second, strict=True):
            assert one == pytest.approx(other, rel=1e-9, abs=1e-9)


def test_matrices_of_inputs_and_outputs():
    """A pendulum that hangs: ż = A z + B τ, y = C z + D τ by hand."""
    m = da.Model("pendulum", plane="xy", gravity=(0, -9.81))
    rod = m.body("rod", mass=2.0, inertia=0.1, com=(0, -0.5))
    m.revolute("A", m.ground.at(0, 0), rod.at(0, 0))
    m.sensor("tip", rod.at(0, -1).position)
    eqs = m.equations()
    system = eqs.linearise(
        eqs.equilibrium(), inputs=["A.rate"], outputs=["A.angle", "tip.x", rod.at(0, -1).acceleration.x, "A.force.x"]
    )
    J = 0.1 + 2.0 * 0.25
    stiffness = 2.0 * 9.81 * 0.5 / J
    assert system.A == pytest.approx(np.array([[0, 1], [-stiffness, 0]]))
    assert system.B == pytest.approx(np.array([[0], [1 / J]]))
    assert system.C == pytest.approx(np.array([[1, 0], [1, 0], [-stiffness, 0], [-stiffness, 0]]), abs=1e-7)
    assert system.D == pytest.approx(np.array([[0], [0], [1 / J], [1 / J]]), abs=1e-7)
    assert system.outputs[:2] == ("A.angle", "tip.x") and len(system.outputs) == 4


def test_messages_point_to_what_works():
    m, _, _, A, _ = arm(torques=False)
    eqs = m.equations()
    for start in ({A.angle: 1.0}, {"A.angle": 1.0}):
        with pytest.raises(SimulationError, match=r"equations\.assemble"):
            da.simulate(eqs, (0, 1), start)
    with pytest.raises(ModelError, match="a text: write the object"):
        m.sensor("s", "A.angle")
    with pytest.raises(ModelError, match="a text: write the object"):
        m.torque("s", "A", 1.0)
    with pytest.raises(ModelError, match=r"write angle=0\.7"):
        m.body("b", mass=1.0, inertia=1.0, rotation=0.7)
    with pytest.raises(ModelError, match="in the plane, with two components, x and y"):
        m.ground.at(0, 0, 0)
    with pytest.raises(ModelError, match="in the plane, with two components"):
        m.body("b", mass=1.0, inertia=1.0, com=(0, 0, 0))
    with pytest.raises(ModelError, match=r"one argument, the pair \(t, values\)"):
        m.input("x", [0, 1, 2], [0, 1, 0])
    m.input("y", (range(3), [0.0, 1.0, 0.0]))


def test_radau_does_not_speak_of_constraints_where_there_are_none():
    eqs = da.trace(M=lambda: np.zeros((1, 1)), f=lambda q: -q, n_q=1, name="massless")
    try:
        message = da.simulate(eqs, (0, 1), ([1.0], [0.0]), method="radau").message
    except da.DalembertError as error:
        message = str(error)
    assert "constraints lose rank" not in message and "mass" in message


def test_a_sampled_controller():
    """A mass that a controller stops: between samples its force is constant, so the motion is known in closed form."""
    m = da.Model("cart", plane="xy", gravity=(0, 0))
    cart = m.body("cart", mass=2.0, inertia=1.0)
    slide = m.prismatic("slide", m.ground.at(0, 0), cart.at(0, 0))
    seen = []

    def update(t, x, x_rate, count, p):
        seen.append(t)
        return {"push": -p.k * x - 1.5 * x_rate, "count": count + 1}

    control = m.sampled("control", 0.1, update, sees={"x": slide}, outputs={"push": 0.0}, memory={"count": 0.0})
    m.force("push", slide.displacement, control.push)
    m.parameters(k=3.0)
    eqs = m.equations()
    start = eqs.assemble({slide.displacement: 1.0})
    run = da.simulate(eqs, (0, 1), start, **TIGHT)
    x, v = 1.0, 0.0
    for _ in range(10):
        a = (-3.0 * x - 1.5 * v) / 2.0
        x, v = x + 0.1 * v + 0.005 * a, v + 0.1 * a
    assert run.q[0, -1] == pytest.approx(x, abs=1e-12) and run.v[0, -1] == pytest.approx(v, abs=1e-12)
    assert np.round(seen, 9).tolist() == [round(0.1 * k, 9) for k in range(10)]
    assert run["control.count"][-1] == 10 and "moved onto the constraints" not in run.message
    # Stopped anywhere, and extended beyond its end, it is the same.
    part = da.resume(da.simulate(eqs, (0, 1), start, max_steps=7, **TIGHT))
    assert np.array_equal(part.q, run.q)
    longer = da.resume(run, until=2.0)
    assert longer.q[0, -1] == pytest.approx(da.simulate(eqs, (0, 2), start, **TIGHT).q[0, -1], abs=1e-10)
    with pytest.raises(ModelError, match="period must be a positive time"):
        m.sampled("other", 0.0, update, outputs={"y": 0.0})
    with pytest.raises(ModelError, match="first value"):
        m.sampled("other", 0.1, lambda: 1.0)


def test_a_period_beyond_the_run_is_told():
    m = da.Model("controlled", plane="xy")
    slide = m.prismatic("slide", m.ground.at(0, 0), m.body("b", mass=1.0, inertia=1.0).at(0, 0), axis=(1, 0))
    control = m.sampled("control", 5.0, lambda x: {"u": -x}, sees={"x": slide}, outputs={"u": 0.0})
    m.force("push", slide, control.u)
    equations = m.equations()
    start = equations.assemble({slide.displacement: 1.0})
    with pytest.warns(da.errors.DalembertWarning, match="'control' has a period of 5 s, and the run takes 2 s"):
        da.simulate(equations, (0, 2), start)
    da.simulate(equations, (0, 6), start)
    da.simulate(equations, (0, 1e-9), start)
