"""Friction that is regularised sharply: no method calls a run a success that has passed over sticking."""

import numpy as np
import pytest

import dalembert as da

SPAN, INSTANTS, START = (0.0, 6.0), np.linspace(0.3, 6.0, 20), (np.zeros(1), np.zeros(1))


def block(friction):
    """A block on a spring that is driven, and slides and sticks by turns."""
    m = da.Model("block", plane="xy", gravity=(0, 0))
    m.parameters(sharpness=1e-4)
    slide = m.prismatic("slide", m.ground.at(0, 0), m.body("block", mass=1.0, inertia=1.0).at(0, 0))
    m.joint_spring("spring", slide, 3.0)
    m.force("drive", slide.displacement, lambda t: 8.0 * np.sin(3.0 * t))
    friction(m, slide)
    return m.equations()


def clip(m, slide):
    m.force("friction", slide.displacement, lambda p, rate: -3.0 * np.clip(rate / p.sharpness, -1.0, 1.0))


def tanh(m, slide):
    m.friction("friction", slide, 3.0, velocity=m.p.sharpness)


@pytest.fixture(scope="module")
def laws():
    return {"clip": block(clip), "tanh": block(tanh)}


def displacement(equations, sharpness, method, rtol, atol=None):
    solution = da.simulate(
        equations, SPAN, START, method=method, rtol=rtol, atol=atol, t_eval=INSTANTS,
        parameters={"sharpness": sharpness}, max_steps=20_000,
    )  # fmt: skip
    assert solution.success and solution.outcome == "finished", solution.message
    return solution.q[0]


@pytest.mark.parametrize(
    ("law", "sharpness", "method", "rtol", "limit"),
    [
        ("clip", 1e-4, "radau", 1e-6, 100.0),  # a matrix that is too stiff passes for one that converges
        ("clip", 1e-6, "radau9", 1e-4, 100.0),
        ("clip", 1e-5, "radau13", 1e-8, 100.0),
        ("clip", 1e-6, "auto", 1e-4, 20.0),
        ("clip", 1e-6, "trapezoidal", 1e-3, 100.0),
        ("tanh", 1e-5, "radau9", 1e-8, 100.0),  # an error is filtered with the rate beyond the change
        ("tanh", 1e-3, "sdirk4", 1e-6, 100.0),  # the change comes before the first stage
        ("tanh", 1e-4, "descriptor_sdirk4", 1e-6, 100.0),
        ("tanh", 1e-2, "mexx", 1e-6, 100.0),  # the change falls into the first or the last small step
        ("tanh", 1e-3, "mexx", 1e-8, 100.0),
    ],
)
def test_no_phase_of_sticking_is_passed_over(laws, law, sharpness, method, rtol, limit):
    """The largest error, in units of rtol times the largest displacement; it was 200 to 2·10⁶."""
    exact = displacement(laws[law], sharpness, "rodas5p", 1e-10, 1e-10)
    found = displacement(laws[law], sharpness, method, rtol)
    assert np.abs(found - exact).max() < limit * rtol * np.abs(exact).max()


@pytest.mark.parametrize("rtol", [1e-4, 1e-6, 1e-8])
def test_mexx_sees_a_force_in_python_that_jumps(rtol):
    """From 1 to −2 N at 0.537 s; it was off by 2·10⁻³ m at any tolerance."""
    m = da.Model("block", plane="xy", gravity=(0, 0))
    slide = m.prismatic("slide", m.ground.at(0, 0), m.body("block", mass=1.0, inertia=1.0).at(0, 0))
    m.numeric_force("jumping", [slide.displacement], lambda values, t: [1.0 if float(t) < 0.537 else -2.0])
    run = da.simulate(m.equations(), (0, 2), ([0.0], [0.0]), method="mexx", rtol=rtol, atol=rtol)
    exact = 0.5 * 0.537**2 + 0.537 * 1.463 - 1.463**2
    assert run.success and abs(run.q[0, -1] - exact) < 30 * rtol
