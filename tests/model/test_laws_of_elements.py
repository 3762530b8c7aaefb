"""Quantities as laws where builders have one element on a graph at a time: brought to it, or refused, never wrong."""

import numpy as np
import pytest

import dalembert as da
from dalembert.errors import ModelError

TIGHT = {"rtol": 1e-9, "atol": 1e-11}
#: coordinates and builders that must agree
WAYS = [("relative", "symbolic"), ("relative", "recursion"), ("absolute", "symbolic"), ("absolute", "elements")]


def links():
    """A double pendulum; its bodies have the names that little models of types give to theirs."""
    m = da.Model("links", plane="xy", gravity=(0, -9.81))
    a = m.body("body1", mass=1.0, inertia=0.1, com=(0.5, 0))
    b = m.body("body0", mass=1.5, inertia=0.2, com=(0.4, 0))
    A = m.revolute("A", m.ground.at(0, 0), a.at(0, 0))
    B = m.revolute("B", a.at(1, 0), b.at(0, 0))
    return m, a, b, A, B


def chain(n):
    m = da.Model("chain", plane="xy", gravity=(0, -9.81))
    last, joints = m.ground.at(0, 0), []
    for i in range(n):
        link = m.body(f"link{i}", mass=1.0, inertia=0.01, com=(0.1, 0))
        joints.append(m.revolute(f"J{i}", last, link.at(0, 0)))
        last = link.at(0.2, 0)
    return m, joints


def of_another_joint(m, a, b, A, B):
    m.torque("T", A, -5.0 * B.angle - B.rate)


def of_another_body(m, a, b, A, B):
    m.force("F", a.at(1, 0), -2.0 * b.com.velocity)


def shared(m, a, b, A, B):
    """One quantity in two laws: of the own joint, and of another."""
    slowing = -0.8 * A.rate
    m.torque("T_A", A, slowing)
    m.torque("T_B", B, slowing)


def shared_by_bodies(m, a, b, A, B):
    slowing = -0.8 * a.com.velocity
    m.force("F_a", a.at(1, 0), slowing)
    m.force("F_b", b.at(1, 0), slowing)


def of_an_expression(m, a, b, A, B):
    m.torque("T", A, lambda x: -5.0 * x, sees={"x": b.com.position.x * B.angle})


def of_another_force(m, a, b, A, B):
    spring = m.spring("spring", m.ground.at(2, 0), b.at(1, 0), 20.0, 1.0, length=0.5)
    m.torque("T", A, -0.3 * spring.force)


def of_states(m, a, b, A, B):
    lag = m.actuator("lag", B, lambda s: 2.0 * s, states={"s": 1.0}, rates=lambda s, angle: angle - s)
    m.torque("T", A, -lag.state("s"))
    m.work("W", lag)


def of_a_sampled_controller(m, a, b, A, B):
    held = m.sampled("held", 0.05, lambda x: {"u": 5 - x}, sees={"x": b.com.position.x}, outputs={"u": 0.0})
    m.torque("T", A, held.u)
    m.torque("S", B, -0.5 * held.u)


@pytest.mark.parametrize(
    "law",
    [of_another_joint, of_another_body, shared, shared_by_bodies, of_an_expression, of_another_force, of_states,
     of_a_sampled_controller],
)  # fmt: skip
def test_all_builders_agree(law):
    ends = []
    for coordinates, builder in WAYS:
        parts = links()
        law(*parts)
        m, A, B = parts[0], parts[3], parts[4]
        eqs = m.equations(coordinates, builder=builder)
        assert eqs.how.builder == builder
        run = da.simulate(eqs, (0, 0.3), eqs.assemble({A.angle: 0.3, B.angle: 0.3, A.rate: -0.4, B.rate: 0.5}), **TIGHT)
        ends.append([run[name][-1] for name in ("A.angle", "B.angle", *eqs.names["u"])])
    for end in ends[1:]:
        assert end == pytest.approx(ends[0], abs=1e-6)


def test_angles_in_laws_count_turns():
    """In space, where poses do not count them."""
    ends = []
    for coordinates, builder in WAYS:
        m = da.Model("turning", gravity=(0, 0, 0))
        wheel, arm = (m.body(name, mass=1.0, inertia=(0.1, 0.1, 0.1)) for name in ("wheel", "arm"))
        A = m.revolute("A", m.ground.at(0, 0, 0), wheel.at(0, 0, 0), axis="z")
        B = m.revolute("B", m.ground.at(1, 0, 0), arm.at(0, 0, 0), axis="z")
        m.torque("T", B, 0.01 * A.angle)
        m.sensor("speed", B.rate)
        eqs = m.equations(coordinates, builder=builder)
        run = da.simulate(eqs, (0, 1), eqs.assemble({A.angle: 0.0, A.rate: 10.0}), **TIGHT)
        ends.append(run["speed"][-1])
    assert ends == pytest.approx([0.01 * 10.0 / 2 / 0.1] * len(WAYS), abs=1e-6)


WHOLE = {
    "gravity compensation of A.angle": lambda m, b, A: m.gravity_compensation(A),
    "inverse dynamics of A.angle": lambda m, b, A: m.inverse_dynamics(A),
    "kinetic energy": lambda m, b, A: -m.energy,
    "kinetic energy of body0": lambda m, b, A: -b.kinetic_energy,
    "potential energy": lambda m, b, A: 0.1 * m.potential_energy,
    "momentum": lambda m, b, A: -2 * m.momentum.y,
    "angular momentum": lambda m, b, A: np.sin(m.angular_momentum),
    "force of A": lambda m, b, A: -0.1 * A.force.y,
}


@pytest.mark.parametrize("name", WHOLE)
@pytest.mark.parametrize(("coordinates", "builder"), WAYS[1::2])
def test_what_needs_the_whole_model_is_refused(name, coordinates, builder):
    for seen in (False, True):
        m, _, b, A, _ = links()
        quantity = WHOLE[name](m, b, A)
        m.torque("T", A, lambda x: x, sees={"x": quantity}) if seen else m.torque("T", A, quantity)
        with pytest.raises(ModelError, match=f"^torque 'T' depends on {name}, .*'{builder}'.* use builder='symbolic'"):
            m.equations(coordinates, builder=builder)


def test_large_models_are_on_one_graph_where_a_law_needs_it():
    m, joints = chain(61)
    m.torque("T", joints[0], -joints[5].rate)
    eqs = m.equations()
    assert eqs.how.builder == "recursion" and "61 velocities" in eqs.how.why
    # By hand: at rest but for one rate, the torque on the first joint is that of the symbolic equations.
    rates = {joints[5].rate: 1.0}
    other = m.equations(builder="symbolic")
    assert eqs.assemble(rates).a == pytest.approx(other.assemble(rates).a, abs=1e-5)

    m, joints = chain(61)
    for joint in joints[-2:]:
        m.torque(f"hold {joint.name}", joint, m.gravity_compensation(joint))
    eqs = m.equations()
    assert eqs.how.builder == "symbolic"
    assert "torque 'hold J59' depends on gravity compensation of J59.angle" in eqs.how.why
    assert "61 velocities" in eqs.how.why


def test_reactions_are_laws_where_they_are_multipliers():
    ends = []
    for options in ({"cut": ["A"]}, {"coordinates": "absolute"}):
        m, _, _, A, B = links()
        m.torque("T", A, -0.1 * A.force.y)
        eqs = m.equations(**options)
        run = da.simulate(eqs, (0, 0.3), eqs.assemble({A.angle: 0.3, B.angle: 0.3}), **TIGHT)
        ends.append(run["A.angle"][-1])
    assert ends[0] == pytest.approx(ends[1], abs=1e-6)
    with pytest.raises(ModelError, match=r"^torque 'T' depends on the reactions of .*'A'.*cut=\['A'\].*'absolute'"):
        m.equations()


def test_forces_that_prescribe_are_laws_where_they_are_multipliers():
    m, _, _, A, B = links()
    prescribed = m.prescribe("turning", B, lambda t: 0.3 + 0.5 * t)
    T = m.torque("T", A, -0.1 * prescribed.force)
    with pytest.raises(ModelError, match=r"^torque 'T' depends on .*prescribe B.angle.*m\.drive"):
        m.equations()
    eqs = m.equations("absolute")
    start = eqs.assemble({A.angle: 0.3})
    assert abs(start.lam).max() > 1.0
    assert eqs.evaluate_quantity(T.force, start) == pytest.approx(-0.1 * eqs.evaluate_quantity(prescribed.force, start))


@pytest.mark.parametrize(("coordinates", "builder"), WAYS)
def test_accelerations_are_no_laws(coordinates, builder):
    m, _, b, A, _ = links()
    m.torque("T", A, -0.1 * b.com.acceleration.x)
    with pytest.raises(ModelError, match=r"^torque 'T' depends on .* made of accelerations.*m\.sampled"):
        m.equations(coordinates, builder=builder)


def test_a_prescribed_motion_is_one_in_time():
    m, _, _, A, B = links()
    m.prescribe("turning", B, A.angle)
    with pytest.raises(ModelError, match=r"'turning' prescribes a motion in time.*function of t"):
        m.equations()


@pytest.mark.parametrize("name", [name for name in WHOLE if "energy" in name or "momentum" in name])
@pytest.mark.parametrize("closed", [False, True])
def test_energies_and_momenta_are_the_same_in_both_kinds_of_coordinates(name, closed):
    """The law itself, what it does, and the motion; a spring stores energy too."""
    found = []
    for coordinates in ("relative", "absolute"):
        m, _, b, A, B = links()
        m.spring("spring", m.ground.at(1, 1), b.at(0.8, 0), 20.0, 0.5, length=0.5)
        if closed:
            rocker = m.body("rocker", mass=0.7, inertia=0.05, com=(0.4, 0))
            m.revolute("C", m.ground.at(1.5, 0), rocker.at(0, 0))
            m.revolute("D", b.at(1.2, 0), rocker.at(1, 0))
        law = m.torque("T", A, lambda x: 0.1 * x, sees={"x": WHOLE[name](m, b, A)})
        eqs = m.equations(coordinates)
        start = eqs.assemble({A.angle: 0.8, A.rate: 0.5} if closed else {A.angle: 0.3, B.angle: 0.2, A.rate: 1.0})
        run = da.simulate(eqs, (0, 0.5), start, **TIGHT)
        at_start = [eqs.evaluate_quantity(one, start) for one in (law.power, m.energy, b.com.acceleration.x, A.force.y)]
        found.append([*at_start, run["A.angle"][-1], run["B.angle"][-1]])
    assert abs(found[0][0]) > 1e-3
    assert found[0] == pytest.approx(found[1], rel=1e-7)
