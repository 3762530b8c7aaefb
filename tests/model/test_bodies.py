"""Bodies of other kinds than rigid: what the formulations ask of a body."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import dalembert as da
from dalembert.errors import ModelError
from dalembert.model.bodies.rigid import RigidBody
from dalembert.symbolic.mechanics import acceleration

MASS, STIFFNESS, PLACE = 0.7, 60.0, 0.4


class Hollow(RigidBody):
    """A rigid body with a point mass inside, which slides along x on a spring: a mode with a frequency of its own."""

    is_rigid = False
    modes = ("slide",)

    @property
    def reference(self):
        return np.zeros(3)

    @property
    def data(self):
        return {**super().data, "com": self.properties.com}

    def alike(self, model, name, data):
        other = Hollow(model, name, super().alike(model, name, data).properties)
        com = np.asarray(data.get("com", np.zeros(3)), dtype=float)
        other.properties = type(self.properties)._made(other.properties.mass, com, other.properties.inertia)
        return other

    def inside(self, scene):
        """The frame of the mass."""
        return self.frame_at(scene, self.origin).moved(PLACE + scene.modes(self)[0][0], 0, 0)

    def inertia_pairs(self, scene):
        frame = self.inside(scene)
        force = MASS * (scene.world.vector(*scene.gravity) - acceleration(frame.point))
        return [*super().inertia_pairs(scene), (force, frame.velocity)]

    def powers(self, scene):
        (s,), (rate,) = scene.modes(self)
        return [(-STIFFNESS * s, rate)]

    def kinetic_energy_at(self, scene):
        v = self.inside(scene).velocity
        return super().kinetic_energy_at(scene) + 0.5 * MASS * v.dot(v)

    def potential_energy_at(self, scene):
        (s,) = scene.modes(self)[0]
        weight = -MASS * (np.asarray(scene.gravity) @ self.inside(scene).position)
        return super().potential_energy_at(scene) + weight + 0.5 * STIFFNESS * s * s

    def momentum_at(self, scene):
        frame = self.inside(scene)
        p = MASS * frame.velocity
        turning = scene.world.vector(*frame.position).cross(p)
        own = super().momentum_at(scene)
        return own[0] + p.components(scene.world), own[1] + turning.components(scene.world)


def pendulum(hollow, planar):
    """A pendulum with a mass inside, as one body or as two with a joint."""
    m = da.Model("pendulum", plane="xy" if planar else None, gravity=(0, -9.81) if planar else (0, -9.81, 0))
    zero = (0.0, 0.0, 0.0)[: 2 if planar else 3]
    if hollow:
        place, tensor = (0.3, 0.1, 0.0)[: len(zero)], 0.2 if planar else (0.1, 0.15, 0.2)
        rod = m.add_body(Hollow(m, "rod", da.model.MassProperties(1.3, place, tensor, planar=planar)))
    else:
        rod = m.body("rod", 1.3, 0.2 if planar else (0.1, 0.15, 0.2), (0.3, 0.1, 0.0)[: len(zero)])
        inside = m.body("inside", MASS, 0.0 if planar else zero)
        axis = {} if planar else {"axis": "x"}
        slide = m.prismatic("slide", rod.at(PLACE, *zero[1:]), inside.at(*zero), **axis)
        m.joint_spring("spring", slide.displacement, STIFFNESS)
    m.revolute("pin", m.ground.at(*zero), rod.at(*zero), start={"angle": 0.4, "angle.rate": 1.5})
    m.sensor("tip", rod.at(1.0, *zero[1:]).position)
    for name in ("kinetic_energy", "potential_energy", "momentum", "angular_momentum"):
        m.sensor(name, getattr(m, name))
    return m


@pytest.mark.parametrize("planar", [True, False])
@pytest.mark.parametrize(
    "coordinates, builder",
    [("relative", "auto"), ("relative", "recursion"), ("absolute", "symbolic"), ("absolute", "elements")],
)
def test_a_body_with_a_mode_moves_like_two_with_a_joint(planar, coordinates, builder):
    one = pendulum(True, planar).equations(coordinates, builder=builder)
    two = pendulum(False, planar).equations()
    # Planar recursions count turns besides, as last coordinates.
    last = [name for name in one.names["q"] if not name.endswith(".turned")][-1]
    assert last == "rod.slide" and one.how.builder == ("symbolic" if builder == "auto" else builder)
    times = np.linspace(0.0, 1.0, 6)
    options = {"t_eval": times, "rtol": 1e-10, "atol": 1e-10}
    found = da.simulate(one, (0, 1), one.assemble({"rod.slide": 0.05}), **options)
    other = da.simulate(two, (0, 1), two.assemble({"slide.displacement": 0.05}), **options)
    assert_allclose(found["rod.slide"], other["slide.displacement"], atol=1e-7)
    for name in ("tip", "kinetic_energy", "potential_energy", "momentum", "angular_momentum"):
        assert_allclose(found[name], other[name], atol=1e-6, err_msg=name)
    for part in ("force", "torque"):
        assert_allclose(found[f"pin.{part}"], other[f"pin.{part}"], atol=1e-5)


def test_code_of_a_tree_refuses_bodies_that_are_not_rigid():
    m = pendulum(True, True)
    with pytest.raises(ModelError, match="forward_dynamics needs rigid bodies"):
        m.forward_dynamics()
