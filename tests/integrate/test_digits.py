"""Runs whose solver loses digits against the tolerance go on with one that exchanges pivots, and say so."""

import numpy as np
import pytest

import dalembert as da

SPAN = (0.0, 0.357)
TIGHT = {"method": "dop853", "rtol": 1e-8, "atol": 1e-10}


@pytest.fixture(scope="module")
def nearly_singular():
    """Five bodies in the plane; two pins close loops that nearly fix each other, so that reactions are large."""
    m = da.Model("nearly singular", plane="xy")
    ground = m.ground
    data = {
        "b0": (7.30958, 0.832811, (0.273773, 0.466256)),
        "b1": (6.83867, 0.00342980, (-0.205812, 0.195222)),
        "b2": (8.45092, 0.0995221, (-0.426814, 0.125990)),
        "b3": (1.88751, 0.00588216, (-0.227223, -0.145621)),
        "b4": (5.85421, 0.0207476, (0.0461147, -0.0699459)),
    }
    b0, b1, b2, b3, b4 = (m.body(name, mass=mass, inertia=J, com=com) for name, (mass, J, com) in data.items())
    start = {
        "x": -0.250859080, "x.rate": -0.478171500, "y": -0.459559816, "y.rate": 1.91638637, "angle": 0.927893648,
        "angle.rate": 1.98376032,
    }  # fmt: skip
    m.planar_joint("j0", ground.at(-0.5484251406, 0.0310746945, angle=2.7559137666),
             b0.at(-0.0889155967, 0.1687247282, angle=2.8131319102), start=start)  # fmt: skip
    m.fixed("j1", b0.at(0.0367367581, 0.3437825026, angle=2.3287283373),
            b1.at(-0.5370055469, 0.0521259848, angle=1.6075087522))  # fmt: skip
    m.revolute("j2", b0.at(0.3134227295, -0.3851839517, angle=-1.6301556439),
               b2.at(0.1458809670, 0.3035893419, angle=2.4257937197),
               start={"angle": 0.384578364, "angle.rate": 0.671146089})  # fmt: skip
    m.revolute("j3", b3.at(-0.4330201568, -0.3755769331, angle=1.2537501922),
               ground.at(0.7459373030, 0.0846830321, angle=0.5102916225),
               start={"angle": -0.543856651, "angle.rate": 1.75049897})  # fmt: skip
    m.fixed("j4", b1.at(-0.3455466218, -0.0525796131, angle=-0.1729194290),
            b4.at(0.5444929780, -0.1068499888, angle=-0.6123564836))  # fmt: skip
    m.coincident("pin0", ground.at(-0.2025207231, 0.1842793901), b4.at(0.0718718666, 0.2472173861))
    m.coincident("pin1", b3.at(-0.1201797110, -0.3286884341), b1.at(-1.0662132923, -1.1948814765))
    for name, ends, stiffness, length in (
        ("s0", (b3.at(0.375659, -0.867296), b1.at(-0.216826, 0.165869)), 208.5, 0.594),
        ("s1", (ground.at(-0.298602, 0.317771), b0.at(0.810189, 0.0929231)), 121.9, 0.689),
        ("s2", (b2.at(-0.215577, -0.432285), b3.at(0.613264, 0.281669)), 141.2, 0.0666),
    ):
        m.spring(name, *ends, stiffness, length=length)
    return m


def steps(run):
    assert run.success, run.message
    return run.statistics.steps + run.statistics.rejected


@pytest.mark.parametrize("builder", ["elements", "symbolic"])
@pytest.mark.parametrize("solver", ["auto", "recursive", "skyline"])
def test_solvers_with_fixed_pivots_give_way_where_they_lose_digits(nearly_singular, builder, solver):
    """With a hundredth of the tolerances too: without the change it is 600 to more than 5000 steps."""
    equations = nearly_singular.equations("absolute", builder=builder)
    start = equations.assemble()
    for sharper in (1.0, 1e-2):
        options = TIGHT | {"rtol": sharper * TIGHT["rtol"], "atol": sharper * TIGHT["atol"], "max_steps": 300}
        exact = da.simulate(equations, SPAN, start, solver="dense", **options)
        run = da.simulate(equations, SPAN, start, solver=solver, **options)
        assert run.outcome == "finished" and steps(run) <= 2.5 * steps(exact)
        np.testing.assert_allclose(run.q[:, -1], exact.q[:, -1], atol=1e-6)
    assert "solver='minimal'" in run.message and "had lost digits" in run.message


def test_nothing_changes_where_digits_are_enough(nearly_singular):
    """Loose tolerances, and constraints that are far from dependence: the solver stays, and the message is silent."""
    equations = nearly_singular.equations("absolute", builder="elements")
    run = da.simulate(equations, SPAN, equations.assemble(), method="dop853", rtol=1e-4, atol=1e-6)
    assert run.success and "solver=" not in run.message
    problem = da.problems.seven_body()
    for formalism in ("explicit", "contract"):
        run = da.simulate(problem, method="dop853", rtol=1e-8, atol=1e-8, formalism=formalism)
        assert run.success and "solver=" not in run.message
