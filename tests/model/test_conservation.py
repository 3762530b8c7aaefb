"""Energy, momentum and angular momentum of systems that float freely or lose nothing."""

import numpy as np
import pytest
from model.motions import FORMULATIONS, last_state

import dalembert as da
from dalembert.model.model import Model


def floating(planar):
    """Three bodies joined by different joints and springs, thrown into empty space."""
    n = 2 if planar else 3
    m = Model("floating", plane="xy" if planar else None)

    def at(body, x, y, z=0.0):
        return body.at(*(x, y, z)[:n])

    tensor = (lambda a: a) if planar else (lambda a: (a, 1.2 * a, 1.5 * a))
    spin = 2.0 if planar else (1.0, -0.5, 2.0)
    hull = m.body(
        "hull", mass=3.0, inertia=tensor(0.4), com=(0.1, 0.0, 0.05)[:n], position=(0.0, 0.0, 0.0)[:n],
        velocity=(0.4, -0.2, 0.1)[:n], angular_velocity=spin,
    )  # fmt: skip
    arm = m.body("arm", mass=1.0, inertia=tensor(0.1), com=(0.2, 0.1, 0.0)[:n])
    slide = m.body("slide", mass=0.5, inertia=tensor(0.05), com=(0.0, 0.1, 0.1)[:n])
    A = m.revolute("A", at(hull, 0.5, 0.0, 0.1), at(arm, 0.0, 0.0), start={"angle": 0.3, "angle.rate": -3.0})
    B = m.prismatic(
        "B", at(hull, -0.3, 0.2), at(slide, 0.0, 0.0), start={"displacement": 0.1, "displacement.rate": 0.5}
    )
    m.spring("between", at(arm, 0.4, 0.0), at(slide, 0.0, 0.1), 40.0, length=0.5)
    m.torsion_spring("in A", A, 3.0, natural=0.1)
    m.joint_spring("in B", B, 60.0, natural=0.05)
    return m


@pytest.mark.parametrize("coordinates, builder", FORMULATIONS, ids=["-".join(one) for one in FORMULATIONS])
@pytest.mark.parametrize("planar", [True, False], ids=["plane", "space"])
def test_energy_and_momenta_of_a_floating_system(planar, coordinates, builder):
    m = floating(planar)
    equations = m.equations(coordinates, builder=builder)
    start = equations.assemble()
    solution = da.simulate(equations, (0.0, 2.0), start, method="dop853", rtol=1e-10, atol=1e-12)
    end = last_state(solution)
    for quantity in (m.energy, m.momentum, m.angular_momentum):
        first, last = (np.atleast_1d(equations.evaluate_quantity(quantity, state)) for state in (start, end))
        assert last == pytest.approx(first, abs=2e-9 * np.abs(first).max())
    # The total momentum moves the common centre of mass on a straight line.
    masses = np.array([body.properties.mass for body in m.bodies])

    def centre(state):
        return masses @ [equations.evaluate_quantity(body.com.position, state) for body in m.bodies] / masses.sum()

    speed = equations.evaluate_quantity(m.momentum, start) / masses.sum()
    assert centre(end) == pytest.approx(centre(start) + 2.0 * speed, abs=1e-8)


def test_work_of_a_motor_and_losses_of_a_damper_balance_the_energy():
    m = Model("balance", plane="xy", gravity=(0, -9.81))
    rod = m.body("rod", mass=1.0, inertia=0.1, com=(0.4, 0))
    A = m.revolute("A", m.ground.at(0, 0), rod.at(0, 0), start=0.2)
    m.torque("motor", A, 2.0)
    m.torsion_spring("damper", A, 0.0, 0.3)
    m.sensor("loss", 0.3 * A.rate * A.rate)
    for coordinates, builder in FORMULATIONS:
        equations = m.equations(coordinates, builder=builder)
        start = equations.assemble()
        solution = da.simulate(
            equations, (0, 1), start, method="dop853", rtol=1e-10, atol=1e-12, t_eval=np.linspace(0, 1, 2001)
        )
        loss = solution["loss"]
        step = 1.0 / 2000
        taken = step / 3.0 * (loss[0] + loss[-1] + 4.0 * loss[1:-1:2].sum() + 2.0 * loss[2:-1:2].sum())
        end = last_state(solution)
        gain, turned = (
            equations.evaluate_quantity(one, end) - equations.evaluate_quantity(one, start)
            for one in (m.energy, A.angle)
        )
        assert gain == pytest.approx(2.0 * turned - taken, abs=1e-9)
