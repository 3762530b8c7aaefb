"""Auxiliary variables: embedded and augmented against coordinates of joints, other constraints and closed forms."""

import pickle
from types import MappingProxyType

import numpy as np
import pytest
from model.rows import last_state, value

import dalembert as da
from dalembert.errors import EquationsError, ModelError, StateError
from dalembert.model.element import Element, Row

G, RADIUS, PITCH = 9.81, 1.0, 0.3
#: acceleration of the parameter of a bead that slides down a helix from rest
SLIDING = -G * PITCH / (RADIUS**2 + PITCH**2)
METHODS = ("dop853", "mexx", "radau", "bdf", "sdirk4", "rodas5p", "adams")


def helix(s):
    return RADIUS * np.cos(s), RADIUS * np.sin(s), PITCH * s


def bead(parameter="own"):
    """A bead on a helix; its parameter is an auxiliary variable, or the coordinate of a joint."""
    m = da.Model("bead", gravity=(0, 0, -G))
    body = m.body("bead", mass=2.0, inertia=(0.1, 0.1, 0.1), position=helix(0.1))
    if parameter == "own":
        m.point_on_curve("c", m.ground, body.at(0, 0, 0), curve=helix, between=(-3, 3))
    else:
        slider = m.body("s", mass=0, inertia=(0, 0, 0))
        joint = m.prismatic("P", m.ground, slider, start={"displacement": 0.1})
        m.point_on_curve("c", m.ground, body.at(0, 0, 0), curve=helix, parameter=joint)
    return m


@pytest.fixture(scope="module", params=["embedded", "augmented"])
def sliding(request):
    equations = bead().equations(auxiliary=request.param)
    return equations, equations.assemble()


@pytest.mark.parametrize("method", METHODS)
def test_bead_on_a_helix(sliding, method):
    equations, start = sliding
    s = equations.index("q", "c.s")
    assert start.q[s] == pytest.approx(0.1, abs=1e-12)
    found = da.simulate(equations, (0, 1.5), start, method=method, rtol=1e-8, atol=1e-9, dense_output=True)
    assert found.success
    np.testing.assert_allclose(found.q[s], 0.1 + 0.5 * SLIDING * found.t**2, atol=2e-6)
    np.testing.assert_allclose(found.q[2], PITCH * found.q[s], atol=1e-9)
    between = np.linspace(0.05, 1.45, 7)
    if "c.s.rate" in equations.names["v"]:
        return  # charts over s take a few long steps, between which a cubic polynomial is coarse
    q = found.sol(between).q
    np.testing.assert_allclose(q[s], 0.1 + 0.5 * SLIDING * between**2, atol=2e-5)


@pytest.mark.parametrize("method", METHODS)
def test_resume_bit_for_bit(sliding, method):
    equations, start = sliding
    whole = da.simulate(equations, (0, 1), start, method=method)
    part = da.simulate(equations, (0, 1), start, method=method, max_steps=2)
    assert np.array_equal(da.resume(part, equations).q, whole.q)


def test_parametrised_by_a_joint(sliding):
    """The same accelerations and forces as with the parameter as the coordinate of a joint."""
    equations, start = sliding
    other = bead("joint").equations()
    reference = other.assemble()
    names = [name for name in other.names["v"] if name.startswith("bead.")]
    for name in names:
        mine, others = equations.index("v", name), other.index("v", name)
        assert start.a[mine] == pytest.approx(reference.a[others], abs=1e-9), name
    assert np.hypot(*start.lam[:2]) == pytest.approx(np.linalg.norm(reference.lam[:3]), rel=1e-9)


def test_multipliers_of_auxiliary_equations_vanish():
    equations = bead().equations(auxiliary="augmented")
    start = equations.assemble({"bead.vx": 0.3})
    assert abs(start.lam[equations.index("lam", "c.s.equation")]) < 1e-11 * np.abs(start.lam).max()


def test_names_and_builder():
    embedded, augmented = (bead().equations(auxiliary=kind) for kind in ("embedded", "augmented"))
    assert embedded.names["q"] == augmented.names["q"]
    assert embedded.names["q"][-1] == "c.s"
    assert "c.s.rate" not in embedded.names["v"]
    assert augmented.names["v"][-1] == "c.s.rate"
    assert "point on a curve 'c'" in embedded.how.why
    assert embedded.sizes.lam == 2
    assert augmented.sizes.lam == 3
    p = np.zeros(0)
    assert embedded.known_scales(p).q[-1] == embedded.known_scales(p).q[0]


def test_events_and_pickles(sliding):
    equations, start = sliding
    again = pickle.loads(pickle.dumps(equations))
    s = equations.index("q", "c.s")
    reached = da.Event(lambda q: q[s] + 0.5, terminal=True)
    found, other = (da.simulate(one, (0, 2), start, events=reached) for one in (equations, again))
    assert found.t[-1] == pytest.approx(np.sqrt(2 * 0.6 / -SLIDING), abs=1e-7)
    assert np.array_equal(found.q, other.q)


# ------------------------------------------------------------------------------------------------------- in the plane


def ellipse(s):
    return 1.2 * np.cos(s), 0.7 * np.sin(s)


def on_ellipse(m, body):
    return m.point_on_curve("c", m.ground, body.at(0.5, 0), curve=ellipse, between=(0, 6.2))


def rods(constraint=on_ellipse, spring=0.0):
    """Two rods whose tip stays on an ellipse."""
    m = da.Model("rods", plane="xy", gravity=(0, -G))
    first = m.body("first", mass=1.0, inertia=0.1, com=(0.4, 0))
    second = m.body("second", mass=0.7, inertia=0.05, com=(0.2, 0))
    A = m.revolute("A", m.ground.at(0, 0.3), first.at(0, 0), start={"angle": 0.4})
    m.revolute("B", first.at(0.8, 0), second.at(0, 0), start={"angle": -1.0})
    if spring:
        m.torsion_spring("k", A, spring, damping=0.2)
    constraint(m, second)
    return m


def implicit_ellipse(m, body):
    return m.point_on_curve("c", m.ground, body.at(0.5, 0), implicit=lambda x, y: (x / 1.2) ** 2 + (y / 0.7) ** 2 - 1)


def place(world, q, p):
    first = world.moved(0, 0.3).turned(q.a)
    return {"first": first, "second": first.moved(0.8, 0).turned(q.b)}


@pytest.mark.parametrize("auxiliary", ["embedded", "augmented"])
@pytest.mark.parametrize(
    "coordinates",
    ["relative", "absolute", da.Custom(["a", "b"], place, satisfied=("A", "B"))],
    ids=["relative", "absolute", "custom"],
)
def test_coordinates(coordinates, auxiliary):
    """All formulations have the motion of the ellipse as an implicit curve."""
    m, other = rods(), rods(implicit_ellipse)
    equations, reference = m.equations(coordinates, auxiliary=auxiliary), other.equations()
    custom = isinstance(coordinates, da.Custom)
    start = equations.assemble({"a": 0.4} if custom else {"A.angle": 0.4})
    expected = reference.assemble({"A.angle": 0.4})
    if custom:
        expected = reference.assemble({"A.angle": 0.4, "B.angle": start.q[1]})
    options = {"method": "dop853", "rtol": 1e-10, "atol": 1e-11}
    found = da.simulate(equations, (0, 0.5), start, **options)
    wanted = da.simulate(reference, (0, 0.5), expected, **options)
    tip = m["second"].at(0.5, 0).position
    there = value(equations, tip, last_state(found))
    np.testing.assert_allclose(
        there, value(reference, other["second"].at(0.5, 0).position, last_state(wanted)), atol=1e-8
    )


@pytest.mark.parametrize("auxiliary", ["embedded", "augmented"])
def test_linearise_and_equilibrium(auxiliary):
    equations, reference = rods(spring=3.0).equations(auxiliary=auxiliary), rods(implicit_ellipse, 3.0).equations()
    found, expected = (
        eqs.linearise(eqs.equilibrium(eqs.assemble({"A.angle": -0.9}).q)) for eqs in (equations, reference)
    )
    mine, others = (np.sort_complex(one.eigenvalues) for one in (found, expected))
    np.testing.assert_allclose(mine, others, rtol=1e-7)


def test_points_that_turn_back():
    """A spline through points on a circle, on which a bead swings as a pendulum."""
    angles = np.linspace(-4.5, 1.4, 300)
    m = da.Model("loop", plane="xy", gravity=(0, -G))
    body = m.body("bead", mass=1.0, inertia=0.1, position=(np.cos(-1.5), np.sin(-1.5)))
    m.point_on_curve("c", m.ground, body.at(0, 0), points=np.stack([np.cos(angles), np.sin(angles)], axis=1))
    equations = m.equations()
    found = da.simulate(equations, (0, 1), equations.assemble({"bead.vx": 5.0}, held=()), rtol=1e-9, atol=1e-10)
    energy = 0.5 * (found.v[0] ** 2 + found.v[1] ** 2) + G * found.q[1]
    np.testing.assert_allclose(energy, energy[0], rtol=1e-6)
    np.testing.assert_allclose(np.hypot(found.q[0], found.q[1]), 1.0, atol=1e-7)


# -------------------------------------------------------------------------------------------------------------- errors


class Shadow(Element):
    """A variable without constraints: the distance of a marker from the origin."""

    kind = "shadow"
    auxiliary = MappingProxyType({"r": 1.0})

    def __init__(self, name, marker, equations=1, timed=False, axes=2):
        super().__init__(name, (marker,), variant=(equations, timed, axes))
        self.many, self.timed, self.axes = equations, timed, axes

    def auxiliary_equations(self, at):
        x = at.frames[0].position
        square = x @ x if self.axes == 2 else x[1]
        return [at.s[0] * at.s[0] - square + (at.t if self.timed else 0.0)] * self.many

    def constraints(self, at):
        return []


def shadowed(**options):
    m = da.Model("shadow", plane="xy", gravity=(0, -G))
    body = m.body("mass", mass=1.0, inertia=0.1, position=(1.0, 0))
    m.add(Shadow("S", body.at(0, 0), **options))
    return m


def test_variable_without_constraints():
    equations = shadowed().equations()
    found = da.simulate(equations, (0, 1), equations.assemble())
    np.testing.assert_allclose(found.q[3], np.hypot(found.q[0], found.q[1]), rtol=1e-12)


def test_refusals():
    with pytest.raises(ModelError, match=r"shadow 'S' has 1 auxiliary variables and 2 equations"):
        shadowed(equations=2).equations()
    with pytest.raises(ModelError, match=r"shadow 'S'.*depend on time.*augmented"):
        shadowed(timed=True).equations()
    assert shadowed(timed=True).equations(auxiliary="augmented").sizes.lam == 1
    for builder, coordinates in (("elements", "absolute"), ("recursion", "relative")):
        with pytest.raises(ModelError, match=f"builder '{builder}' has no auxiliary variables, and shadow 'S' has"):
            shadowed().equations(coordinates, builder=builder)
    with pytest.raises(ModelError, match="auxiliary must be"):
        shadowed().equations(auxiliary="eliminated")


def test_unsettled_variable():
    equations = shadowed().equations()
    q = equations.vector("q", {"mass.x": 0.0})
    with pytest.raises(StateError, match=r"auxiliary variable S\.r does not settle|S\.r cannot be normalised"):
        equations.assemble(np.array([0.0, 0.0, 0.0, 1.0]) * q)


def test_lost_variable_is_named():
    """A mass that falls below the ground, where the equation has no root."""
    m = da.Model("falling", plane="xy", gravity=(0, -G))
    body = m.body("mass", mass=1.0, inertia=0.1, position=(0, 1.0))
    m.add(Shadow("S", body.at(0, 0), axes=1))
    equations = m.equations()
    found = da.simulate(equations, (0, 1), equations.assemble())
    assert not found.success
    assert found.t[-1] == pytest.approx(np.sqrt(2 / G), abs=1e-3)
    assert "the auxiliary variable S.r cannot be found" in found.message


class Contact(Element):
    """A point on a circle, with the exact rate of its row or the short one."""

    kind = "contact"
    rows = ("n",)
    auxiliary = MappingProxyType({"s": 0.0})

    def __init__(self, name, marker, exact):
        super().__init__(name, (marker,), variant=exact)
        self.exact = exact

    def _away(self, at):
        x, y = at.frames[0].position[:2]
        s = at.s[0]
        return x - np.cos(s), y - np.sin(s)

    def auxiliary_equations(self, at):
        x, y = self._away(at)
        s = at.s[0]
        return [-np.sin(s) * x + np.cos(s) * y]

    def constraints(self, at):
        from dalembert.symbolic import time_derivative

        (x, y), s = self._away(at), at.s[0]
        value = np.cos(s) * x + np.sin(s) * y
        v = at.frames[0].velocity.components(at.frames[0].world)
        short = np.cos(s) * v[0] + np.sin(s) * v[1]
        return [Row(value, time_derivative(value) if self.exact else short)]


def test_two_forms_of_gamma():
    """What s adds to the rate of a row vanishes on the constraint, and what it adds to γ too."""
    found = []
    for exact in (True, False):
        m = da.Model("circle", plane="xy")
        body = m.body("mass", mass=1.0, inertia=0.1, position=(1.0, 0))
        m.add(Contact("C", body.at(0, 0), exact))
        equations = m.equations()
        state = equations.assemble({"mass.vy": 1.3})
        found.append([*state.a, *state.lam])
    np.testing.assert_allclose(found[0], found[1], atol=1e-12)
    assert found[0][0] == pytest.approx(-1.69, rel=1e-12)


# ------------------------------------------------------------------------------------------------- traced equations


def traced_bead(**more):
    """The bead with q = (x, y, z, s): s is where the helix is nearest."""

    def parts(q):
        s = q[3]
        along = np.array([-RADIUS * np.sin(s), RADIUS * np.cos(s), PITCH])
        normal = np.array([np.cos(s), np.sin(s), 0.0 * s])
        away = q[:3] - np.array(helix(s))
        return along, normal, away

    def on_the_helix(q):
        along, normal, away = parts(q)
        return [normal @ away, np.cross(along, normal) @ away]

    def nearest(q):
        along, _, away = parts(q)
        return [along @ away]

    given = {"n_q": 4, "n_v": 3, "g": on_the_helix, "auxiliary": nearest} | more
    names = {"q": ("x", "y", "z", "s")}
    return da.trace(
        M=lambda: 2.0 * np.eye(3), f=lambda: np.array([0.0, 0.0, -2.0 * G]), names=names, name="bead", **given
    )


@pytest.mark.parametrize("method", METHODS)
def test_traced_equations_have_auxiliary_variables(method):
    equations = traced_bead()
    start = equations.assemble([*helix(0.1), 0.12])
    assert start.q[3] == pytest.approx(0.1, abs=1e-9)
    run = da.simulate(equations, (0.0, 1.0), start, method=method, rtol=1e-8, atol=1e-10)
    assert run.success, run.message
    assert run.q[3, -1] == pytest.approx(0.1 + 0.5 * SLIDING, abs=1e-6)
    np.testing.assert_allclose(run.q[:3, -1], helix(run.q[3, -1]), atol=1e-7)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"auxiliary": lambda q: [q[0], q[1]]}, "2 equations for the last of 4 coordinates, so n_v must be 2, not 3"),
        ({"auxiliary": lambda q: [q[0]]}, r"equation k must depend on coordinate 3 \+ k"),
        ({"auxiliary": 3.0}, "function auxiliary must be a Python function"),
        ({"G": lambda q: np.zeros((2, 3))}, "with auxiliary variables G is derived from g"),
    ],
)
def test_wrong_auxiliary_functions_are_refused(more, message):
    with pytest.raises(EquationsError, match=message):
        traced_bead(**more)
