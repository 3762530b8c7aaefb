"""Degrees of freedom of robots with loops that are nearly planar: the same in all coordinates, builders, units."""

import numpy as np
import pytest

import dalembert as da
from dalembert.errors import ConstraintError

FORMULATIONS = [
    ("relative", "symbolic"), ("absolute", "symbolic"), ("relative", "recursion"), ("absolute", "elements")
]  # fmt: skip
#: Hinges of a loop in its plane.
HINGES = np.array([[0.0, 0.0, 0.0], [0.1, -0.4, 0.0], [0.5, -0.45, 0.0], [0.45, 0.02, 0.0]])


def nearly_upright(error):
    """Axes whose z is turned a little."""
    z = np.array([*error, 1.0]) / np.linalg.norm([*error, 1.0])
    x = np.cross([0.0, 1.0, 0.0], z)
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])


def robot(error, closures, size=1.0, mass=1.0, seed=1):
    """A base that floats, with a leg for each closure: four hinges whose axes are parallel but for ``error``, in a
    plane of its own; the last hinge is one, or a ball joint, or a rod in place of the last link."""
    rng = np.random.default_rng(seed)
    m = da.Model("robot")
    middle = size * np.array([0.1, 0.2, 1.0])
    base = m.body("base", mass=10 * mass, inertia=tuple(mass * size**2 * np.array([0.3, 0.4, 0.5])), position=middle)
    for k, closure in enumerate(closures):
        plane = np.linalg.qr(rng.standard_normal((3, 3)))[0] if k % 2 else np.eye(3)
        plane[:, 2] *= np.linalg.det(plane)
        place = middle + size * rng.uniform(-0.3, 0.3, 3) + size * HINGES @ plane.T
        axes = [plane @ nearly_upright(error * rng.uniform(-1.0, 1.0, 2)) for _ in HINGES]
        last = base.at(*(place[0] - middle), rotation=axes[0])
        for i in range(2 if closure == "rod" else 3):
            along = place[i + 1] - place[i]
            inertia = tuple(mass * size**2 * rng.uniform(0.01, 0.015, 3))
            link = m.body(
                f"link{k}{i}", mass=mass * rng.uniform(0.3, 2), inertia=inertia, com=along / 2, position=place[i]
            )
            m.revolute(f"J{k}{i}", last, link.at(0, 0, 0, rotation=axes[i]))
            last = link.at(*along, rotation=axes[i + 1])
        end = base.at(*(place[3] - middle), rotation=axes[3])
        if closure == "hinge":
            m.revolute(f"J{k}3", last, end, cut=True)
        elif closure == "ball":
            m.spherical(f"J{k}3", last, end, cut=True)
        else:
            m.distance(f"J{k}3", last, end, float(np.linalg.norm(place[3] - place[2])))
    return m


def mobilities(model, formulations=FORMULATIONS):
    for coordinates, builder in formulations:
        equations = model.equations(coordinates=coordinates, builder=builder)
        yield equations.degrees_of_freedom(equations.start()[0])


@pytest.mark.parametrize("error", [0.0, 1e-9, 1e-6, 1e-4])
def test_loops_of_nearly_parallel_hinges_move_in_all_formulations(error):
    # Six of the base, one of each loop with four links, two of the leg whose last link is a rod.
    formulations = FORMULATIONS if error == 1e-6 else FORMULATIONS[2:]  # whole models take long to compile
    for found in mobilities(robot(error, ["hinge", "ball", "rod"]), formulations):
        assert found.dof == 6 + 1 + 1 + 1 and len(found.redundant) == 3 + 1 and not found.momentary
        counts, does_not = found.gap
        assert counts > 0.1 and does_not < 10 * error + 1e-13
        assert bool(found.uncertain) == (error > 0.0) == ("the rank is uncertain" in repr(found))
        if error:
            assert any(name.startswith("J03") for name in found.uncertain) and f"{does_not:.3g}" in repr(found)
            assert not any(name.startswith("J2") for name in found.uncertain)


@pytest.mark.parametrize(("size", "mass"), [(1e-4, 1e-8), (1e4, 1e9)])
def test_rank_does_not_depend_on_units(size, mass):
    formulations = [("relative", "recursion"), ("absolute", "elements")]
    expected = list(mobilities(robot(1e-6, ["hinge", "ball"]), formulations))
    for one, other in zip(mobilities(robot(1e-6, ["hinge", "ball"], size, mass), formulations), expected, strict=True):
        assert one.dof == other.dof == 8 and one.gap == pytest.approx(other.gap, rel=1e-3)


@pytest.mark.parametrize("seed", range(3))
def test_random_robots_have_the_same_freedom_in_all_coordinates(seed):
    rng = np.random.default_rng(seed)
    closures = [str(closure) for closure in rng.choice(["hinge", "ball", "rod"], rng.integers(1, 4))]
    error = 10.0 ** rng.uniform(-9, -4)
    found = {one.dof for one in mobilities(robot(error, closures, seed=seed), [FORMULATIONS[2], FORMULATIONS[3]])}
    assert found == {6 + len(closures)}


def test_near_dependence_is_refused_with_its_size_and_moves_where_it_is_accepted():
    model = robot(1e-6, ["hinge"])
    for coordinates, builder in FORMULATIONS[2:]:
        equations = model.equations(coordinates=coordinates, builder=builder)
        with pytest.raises(
            ConstraintError, match=r"3 of \d+ constraints depend on the others: .*but for a part of .*e-0[67]"
        ):
            equations.assemble()
        start = equations.assemble(redundant="accept")
        run = da.simulate(equations, (0, 0.5), start, redundant="accept", solver="dense")
        assert run.success and np.abs(run.q[:, -1] - run.q[:, 0]).max() < 5.0
