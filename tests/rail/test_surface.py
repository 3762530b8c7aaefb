"""Surfaces of wheels and rails: tangents, axes, curvatures against differences and closed forms; atoms as numbers."""

import numpy as np
import pytest

from dalembert.errors import ModelError
from dalembert.rail import (
    contact_axes,
    contact_conditions,
    line_curvature,
    rail,
    rail_curvature,
    relative_curvatures,
    wheel,
    wheel_curvatures,
)
from dalembert.symbolic import Graph, PiecewisePolynomial, VectorTable, array, compile, derivative

U = np.linspace(-0.03, 0.03, 13)
WHEEL = PiecewisePolynomial.spline(U, -0.46 + 0.05 * U - 1.2 * U**2 + 30.0 * U**3, outside="error")
HEAD = PiecewisePolynomial.spline(U, 0.159 - U**2 / 0.6, outside="error")
S = np.linspace(0.0, 100.0, 201)
#: a helix with a radius of 80 m that climbs, whose cant changes
HEIGHT, CANT = 0.02 * S + 0.1 * np.sin(S / 9), 0.1 * np.sin(S / 20)
LINE = VectorTable.spline(S, np.stack([80 * np.sin(S / 80), 80 * (1 - np.cos(S / 80)), HEIGHT, CANT], axis=1))


def differences(function, at, step=1e-6):
    return (function(at + step) - function(at - step)) / (2.0 * step)


def test_tangents_of_the_wheel():
    u, theta = 0.004, 0.03
    found = wheel(WHEEL, u, theta)
    assert found.along == pytest.approx(differences(lambda x: wheel(WHEEL, u, x).point, theta), abs=1e-9)
    assert found.across == pytest.approx(differences(lambda x: wheel(WHEEL, x, theta).point, u), abs=1e-8)
    assert np.cross(found.along, found.across)[2] > 0.0  # into the wheel
    # The spin moves its points along themselves.
    assert np.cross([0.0, 1.0, 0.0], found.point) == pytest.approx(-found.along + 0.0, abs=1e-15)


def test_tangents_of_the_rail():
    s, u = 33.3, 0.012
    found = rail(LINE, HEAD, s, u)
    assert found.along == pytest.approx(
        differences(lambda x: rail(LINE, HEAD, x, u).point, s, 1e-4), rel=1e-7, abs=1e-7
    )
    assert found.across == pytest.approx(differences(lambda x: rail(LINE, HEAD, s, x).point, u), abs=1e-8)


def test_cant_lifts_the_left_side():
    straight = VectorTable.spline([0.0, 1.0, 2.0, 3.0], np.array([[x, 0.0, 0.0, 0.1] for x in range(4)]))
    left, right = (rail(straight, lambda u, order=0: 0.0 * u, 1.5, u).point for u in (0.5, -0.5))
    assert left == pytest.approx([1.5, 0.5 * np.cos(0.1), 0.5 * np.sin(0.1)])
    assert right == pytest.approx([1.5, -0.5 * np.cos(0.1), -0.5 * np.sin(0.1)])


def test_axes_are_orthonormal_and_right_handed():
    found = rail(LINE, HEAD, 41.0, 0.01)
    assert abs(np.dot(found.along, found.across)) > 1e-5  # where cant changes they are not orthogonal
    axes = np.array(contact_axes(found.along, found.across))
    assert axes @ axes.T == pytest.approx(np.eye(3), abs=1e-14)
    assert np.linalg.det(axes) == pytest.approx(1.0)
    assert axes[2, 2] > 0.9


def test_numbers_may_be_arrays():
    s, u = np.array([3.0, 50.0, 77.0]), np.array([0.01, 0.0, -0.02])
    many = rail(LINE, HEAD, s, u)
    for k in range(3):
        one = rail(LINE, HEAD, s[k], u[k])
        for several, single in zip(many, one, strict=True):
            assert several[:, k] == pytest.approx(single, rel=1e-14)
    assert wheel(WHEEL, u, 0.1 * u).point[:, 1] == pytest.approx(wheel(WHEEL, u[1], 0.1 * u[1]).point)


def test_atoms_are_numbers():
    g = Graph()
    theta, u_w, s, u_r = symbols = g.variables("theta u_w s u_r")
    on_wheel, on_rail = wheel(WHEEL, u_w, theta), rail(LINE, HEAD, s, u_r)
    axes = contact_axes(on_rail.along, on_rail.across)
    shift = np.array([80.0 * np.sin(0.4), 10.0, 1.2])
    normal, tangential = contact_conditions(
        on_wheel.point + shift, on_wheel.along, on_wheel.across, on_rail.point, axes
    )
    curvatures = array(list(relative_curvatures(WHEEL, u_w, HEAD, u_r, line_curvature(LINE, s, axes.n))))
    outputs = {
        "n": normal,
        "d": tangential,
        "k": curvatures,
        "slope": derivative(on_rail.point[0], s) - on_rail.along[0],
    }
    function = compile(outputs, {"x": symbols})
    at = np.array([0.01, -0.004, 32.0, 0.006])
    found = function(at)
    w, r = wheel(WHEEL, at[1], at[0]), rail(LINE, HEAD, at[2], at[3])
    numbers = contact_axes(r.along, r.across)
    n, d = contact_conditions(w.point + shift, w.along, w.across, r.point, numbers)
    assert found["n"] == pytest.approx(n, rel=1e-10)
    assert found["d"] == pytest.approx(d, rel=1e-10)
    assert found["k"] == pytest.approx(
        relative_curvatures(WHEEL, at[1], HEAD, at[3], line_curvature(LINE, at[2], numbers.n)), rel=1e-10
    )
    assert abs(found["slope"]) < 1e-13


def test_curvatures_have_signs():
    # A torus: radius of the tread line 0.5 m, of the profile 0.3 m (convex) or −0.4 m (hollow).
    for radius in (0.3, -0.4):
        arc = PiecewisePolynomial.spline(U, -0.5 + np.sign(radius) * (abs(radius) - np.sqrt(radius**2 - U**2)))
        k_x, k_y = wheel_curvatures(arc, 0.01)
        slope = arc(0.01, 1)
        assert k_y == pytest.approx(1.0 / radius, rel=1e-4)
        assert k_x == pytest.approx(1.0 / (-arc(0.01) * np.sqrt(1.0 + slope**2)), rel=1e-12)
    head = PiecewisePolynomial.spline(U, 0.16 - (0.25 - np.sqrt(0.25**2 - U**2)))
    assert rail_curvature(head, 0.013) == pytest.approx(4.0, rel=1e-4)


def test_curvature_of_the_line_is_positive_on_a_crest():
    crest = VectorTable.spline(S, np.stack([S, 0 * S, -((S - 50.0) ** 2) / 1000.0, 0 * S], axis=1))
    assert line_curvature(crest, 50.0, np.array([0.0, 0.0, 1.0])) == pytest.approx(1.0 / 500.0, rel=1e-6)


def test_wheel_curvature_is_that_of_meusnier():
    # Second fundamental form along the circle of the wheel, by differences.
    u = 0.012
    n = np.cross(wheel(WHEEL, u, 0.0).along, wheel(WHEEL, u, 0.0).across)
    n /= np.linalg.norm(n)
    h = 1e-4
    second = (wheel(WHEEL, u, h).point - 2 * wheel(WHEEL, u, 0.0).point + wheel(WHEEL, u, -h).point) / h**2
    along = wheel(WHEEL, u, 0.0).along
    assert wheel_curvatures(WHEEL, u)[0] == pytest.approx(np.dot(n, second) / np.dot(along, along), rel=1e-6)


def test_one_place_along_the_rail_and_many_across():
    u = np.array([-0.01, 0.0, 0.02])
    many = rail(LINE, HEAD, 33.0, u)
    assert many.point[:, 2] == pytest.approx(rail(LINE, HEAD, 33.0, u[2]).point, rel=1e-14)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: wheel(WHEEL, "wide", 0.0), "wheel: u must be a number, an array of numbers, or atoms, got 'wide'"),
        (lambda: wheel(3.0, 0.0, 0.0), "wheel: profile must be a function"),
        (lambda: wheel(lambda u: u, 0.0, 0.0), "wheel: profile must be a function of u and of the order"),
        (lambda: wheel(WHEEL, np.zeros(2), np.zeros(3)), r"wheel: arrays of these shapes do not fit together: u"),
        (lambda: rail(HEAD, HEAD, 1.0, 0.0), "rail: curve must have four components, x, y, z and θ"),
        (lambda: contact_axes([1.0, 0.0], [0.0, 1.0]), "contact axes: along must have 3 components"),
        (lambda: contact_conditions(*[np.ones(3)] * 4, axes=np.eye(3)), "contact conditions: axes must be of"),
    ],
)  # fmt: skip
def test_what_is_no_surface_is_refused_by_name(wrong, message):
    with pytest.raises(ModelError, match=message):
        wrong()
