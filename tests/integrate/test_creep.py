"""Forces that depend on reactions by laws that have no value, or no derivative, without them, such as creep."""

import numpy as np
import pytest
from integrate.runs import GENERAL

import dalembert as da
from dalembert.errors import EquationsError, StateError
from dalembert.model import Element
from dalembert.model.element import Row
from dalembert.model.model import Model
from dalembert.symbolic import absolute

G = 9.81
PULL, START_SPEED, END = 2.0, 0.5, 2.0
TIGHT = {"rtol": 1e-8, "atol": 1e-10}
#: Drag per speed at the normal force N: as N^(2/3), with an infinite slope at zero; divided by N; with 0/0 at zero.
LAWS = {
    "creep": lambda N: 0.3 * N ** (2 / 3),
    "division": lambda N: 5.0 / N,
    "indefinite": lambda N: 0.2 * N * N / np.sqrt(N * N),
}


def exact(drag, t):
    """Speed of a unit mass under a pull and a drag in proportion to the speed."""
    return PULL / drag + (START_SPEED - PULL / drag) * np.exp(-drag * t)


def sled(law, sign, numeric=False):
    """A unit mass on a plane; ``sign`` is that of its multiplier, against the weight."""

    def f(v, lam):
        return np.array([PULL - LAWS[law](sign * lam[0]) * v[0], -G])

    return da.trace(
        M=lambda: np.eye(2), f=da.numeric(f) if numeric else f, g=lambda q: np.array([-sign * q[1]]), n_q=2,
        names={"q": ["x", "y"]}, name="sled",
    )  # fmt: skip


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("numeric", [False, True])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # numeric laws are tried where they have no value
def test_laws_without_a_value_at_zero(law, sign, numeric):
    equations = sled(law, sign, numeric)
    drag = LAWS[law](G)
    state = equations.assemble([0.0, 0.0], [START_SPEED, 0.0])
    assert state.lam[0] == pytest.approx(sign * G) and state.a[0] == pytest.approx(PULL - drag * START_SPEED)
    a, lam = equations.forward_dynamics([0.0, 0.0], [START_SPEED, 0.0])
    assert a == pytest.approx(state.a) and lam == pytest.approx(state.lam)
    for method in ("dop853", "radau", "mexx") if numeric else GENERAL:
        run = da.simulate(equations, (0, END), ([0.0, 0.0], [START_SPEED, 0.0]), method=method, **TIGHT)
        assert run.success and run.v[0] == pytest.approx(exact(drag, run.t), abs=1e-6), method
        assert run.lam[0] == pytest.approx(sign * G, abs=1e-6)
        assert run.sol([0.3, 1.7]).lam[0] == pytest.approx(sign * G, abs=1e-6)
    half = da.simulate(equations, (0, END), state, max_steps=4, **TIGHT)
    assert da.resume(half, equations).v[0, -1] == pytest.approx(exact(drag, END), abs=1e-6)


class Wheel(Element):
    """A marker that stays on the ground, y = 0, with a drag by its normal force to the power 2/3."""

    kind = "wheel"
    rows = ("normal",)

    def constraints(self, at):
        A, B = at.frames
        return [Row(A.to(B).dot(A.y), A.velocity_of(B).dot(A.y))]

    def powers(self, at):
        A, B = at.frames
        speed = A.velocity_of(B).dot(A.x)
        return [(-at.data.creep * (-at.lam[0]) ** (2 / 3) * speed, speed)]


def cart(creep=0.3):
    """Two wheels under a beam; the load of the front one is twice that of the other."""
    m = Model("cart", plane="xy", gravity=(0.0, -G))
    beam = m.body("beam", mass=1.0, inertia=0.2, position=(0.0, 0.0), velocity=(START_SPEED, 0.0))
    m.force("pull", beam.at(0, 0), (PULL, 0.0))
    for name, x in (("rear", -1.0), ("front", 0.5)):
        m.add(Wheel(name, (m.ground.at(0, 0), beam.at(x, 0.0)), data={"creep": creep}))
    return m


@pytest.mark.parametrize("coordinates", ["absolute", "relative"])
@pytest.mark.parametrize("builder", ["symbolic", "elements"])
def test_wheels_of_a_model_with_creep(coordinates, builder):
    if coordinates == "relative" and builder == "elements":
        builder = "recursion"
    equations = cart().equations(coordinates, builder=builder)
    loads = np.array([G / 3, 2 * G / 3])
    drag = 0.3 * np.sum(loads ** (2 / 3))
    state = equations.assemble()
    assert -state.lam == pytest.approx(loads)
    for method in ("dop853", "radau", "mexx"):
        run = da.simulate(equations, (0, END), state, method=method, **TIGHT)
        assert run.success and run.v[0] == pytest.approx(exact(drag, run.t), abs=1e-6), method
        assert -run.lam[:, -1] == pytest.approx(loads, abs=1e-6)
    assert equations.linearise(state) is not None


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_multipliers_to_begin_with_are_taken_and_checked():
    """A law with a value in a narrow range only, which no trial finds."""

    def f(v, lam):
        return np.array([PULL - 0.1 * v[0] * np.sqrt((lam[0] - 9.0) * (10.0 - lam[0])), -G])

    equations = da.trace(
        M=lambda: np.eye(2), f=f, g=lambda q: np.array([-q[1]]), n_q=2, names={"lam": ["normal"]}, name="narrow"
    )
    start = [0.0, 0.0], [START_SPEED, 0.0]
    with pytest.raises(EquationsError, match=r"f\[0\]"):
        equations.assemble(*start)
    state = equations.assemble(*start, lam=[9.5])
    assert state.lam == pytest.approx([G])
    assert equations.forward_dynamics(*start, lam={"normal": 9.5})[1] == pytest.approx([G])
    drag = 0.1 * np.sqrt((G - 9.0) * (10.0 - G))
    for given in (state, {"q": start[0], "v": start[1], "lam": [9.5]}):
        run = da.simulate(equations, (0, END), given, **TIGHT)
        assert run.success and run.v[0] == pytest.approx(exact(drag, run.t), abs=1e-6)
    with pytest.raises(StateError, match="lam must have 1 entries, got 2"):
        equations.assemble(*start, lam=[1.0, 2.0])
    with pytest.raises(StateError, match=r"lam\[0\]"):
        da.simulate(equations, (0, 1), {"q": start[0], "v": start[1], "lam": [np.nan]})


def test_an_element_whose_force_has_no_value_is_named():
    m = cart()
    beam = m.bodies[0]
    m.force("bad", beam.at(0, 0), lambda t: (np.sqrt(-1.0 - t), 0.0))
    with pytest.raises(da.DalembertError, match="force 'bad'"):
        m.equations("absolute").assemble()


def test_reactions_that_are_not_found_name_the_element():
    """Loads that grow faster than they bear: −λ = G + 2 λ has no answer below."""

    class Pressing(Wheel):
        kind = "pressing wheel"

        def powers(self, at):
            A, B = at.frames
            return [(-2.0 * absolute(at.lam[0]) - at.lam[0] * at.lam[0], A.velocity_of(B).dot(A.y))]

    m = Model("pressed", plane="xy", gravity=(0.0, -G))
    beam = m.body("beam", mass=1.0, inertia=0.2, position=(0.0, 0.0))
    m.add(Pressing("press", (m.ground.at(0, 0), beam.at(0.0, 0.0))))
    with pytest.raises(EquationsError, match="pressing wheel 'press' depends too strongly"):
        m.equations("absolute").assemble()
