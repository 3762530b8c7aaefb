"""What a user is told where something is missing, in the wrong place, or called otherwise; and names in place of
objects."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dalembert as da
from dalembert.errors import DalembertError, ModelError, StateError, SymbolicTypeError


def arm() -> tuple[da.Model, Any, Any]:
    m = da.Model("arm", plane="xy", gravity=(0, -9.81))
    rod = m.body("rod", mass=1.0, inertia=0.1, com=(0.5, 0))
    return m, rod, m.revolute("A", m.ground.at(0, 0), rod.at(0, 0))


def test_names_come_first() -> None:
    m, rod, _ = arm()
    with pytest.raises(ModelError, match=r"m\.revolute: the name comes first, a text: m\.revolute\('…', …\); got"):
        m.revolute(m.ground.at(0, 0), rod.at(0, 0), "B")


def test_arguments_that_are_missing_are_told_as_a_user_writes_them() -> None:
    m, _, A = arm()
    with pytest.raises(ModelError, match=r"m\.pid\(name, on, target, \*, kp, ki=0\.0.*missing a required.*'kp'"):
        m.pid("c", A, 1.0, ki=3.0)


@pytest.mark.parametrize(
    ("asked", "told"), [("hinge", "m.revolute"), ("slider", "m.prismatic"), ("revolut", "revolute")]
)
def test_words_of_other_packages(asked: str, told: str) -> None:
    m, _, _ = arm()
    with pytest.raises(AttributeError, match=told):
        getattr(m, asked)
    assert not hasattr(m, "_nothing")


def test_parameters_have_names_that_laws_can_write() -> None:
    m, _, _ = arm()
    with pytest.raises(ModelError, match="'my k' cannot be"):
        m.parameters(**{"my k": 3.0})


def test_files_that_another_function_reads(tmp_path: Path) -> None:
    m, _, A = arm()
    eqs = m.equations()
    run = da.simulate(eqs, (0.0, 0.1), eqs.assemble({A.angle: 1.0})).save(tmp_path / "run")
    (tmp_path / "model.toml").write_text("[model]\n")
    with pytest.raises(DalembertError, match=r"da\.load_model reads these"):
        da.load(tmp_path / "model.toml")
    with pytest.raises(ModelError, match=r"a stored run; da\.load reads these"):
        da.load_model(run)


def test_quantities_by_name_and_along_runs() -> None:
    m, rod, A = arm()
    push = m.input("push", ([0.0, 1.0, 2.0], [0.0, 5.0, 0.0]))
    m.torque("shake", A, push)
    m.sensor("tip", rod.at(1, 0).position)
    eqs = m.equations()
    run = da.simulate(eqs, (0.0, 1.0), eqs.assemble({A.angle: 0.3}), events=[da.Event("A.rate", name="turns")])
    for name, quantity in (("A.force", A.force), ("tip", m.sensors["tip"]), ("A.angle", A.angle), ("A.rate", A.rate)):
        values = eqs.evaluate_quantity(name, run)
        assert np.allclose(values, run[name], rtol=1e-9, atol=1e-9)
        assert np.allclose(eqs.evaluate_quantity(quantity, run.state(3)), values[..., 3])
    assert eqs.evaluate_quantity("A.force.x", run.state(2)) == eqs.evaluate_quantity("A.force", run.state(2))[0]
    assert eqs.evaluate_quantity(push, run.state(-1)) == pytest.approx(5.0)
    states = [run.state(0), run.state(1)]
    assert eqs.evaluate_quantity("tip", states).shape == (2, 2)
    with pytest.raises(StateError, match=r"'A\.frce' does not exist; did you mean 'A\.force'"):
        eqs.evaluate_quantity("A.frce", run.state(0))
    with pytest.raises(DalembertError, match=r"did you mean 'A\.rate'"):
        da.simulate(eqs, (0.0, 1.0), run.state(0), events=["A.rat"])


def test_what_grows_beyond_all_bounds_is_named_and_no_method_recommends_itself() -> None:
    eqs = da.trace(M=lambda q: np.array([[q[0]]]), f=lambda: np.array([-1.0]), n_q=1, names={"q": ["x"]}, name="comet")
    for method in ("dop853", "radau"):
        run = da.simulate(eqs, (0.0, 5.0), ([1.0], [0.0]), method=method)
        assert not run.success and "The acceleration of x.rate has grown to" in run.message
        assert ("choose method='radau'" in run.message) is (method == "dop853")


def test_errors_of_our_own_are_not_told_as_those_of_a_function() -> None:
    m, _, A = arm()
    eqs = m.equations()
    wrong = da.Event(A.angle - 0.2, action=lambda: 3, name="turn")
    run = da.simulate(eqs, (0.0, 2.0), eqs.assemble({A.angle: 0.3}), events=[wrong])
    assert not run.success and "A function raised" not in run.message and "action of 'turn'" in run.message


def test_quantities_are_compared_like_arrays() -> None:
    m, _, A = arm()
    m.sensor("high", np.where(A.angle > 0.5, 1.0, 0.0))
    m.sensor("between", (0.5 <= A.angle) & ~(A.angle >= 0.9) | (A.angle < -1.0))
    m.sensor("rest", A.angle % 0.5)
    equations = m.equations()
    for angle, values in ((0.2, [0, 0, 0.2]), (0.7, [1, 1, 0.2]), (1.1, [1, 0, 0.1]), (-1.2, [0, 1, 0.3])):
        state = equations.assemble({A.angle: angle})
        found = [equations.evaluate_quantity(name, state) for name in ("high", "between", "rest")]
        assert found == pytest.approx(values)
    with pytest.raises(SymbolicTypeError, match=r"the truth of <A.angle> is not known.*np\.where"):
        bool(A.angle)
    with pytest.raises(SymbolicTypeError, match=r"np\.maximum"):
        max(A.angle, 0.0)
    with pytest.raises(SymbolicTypeError, match=r"<A.angle> == 1.0: .*assemble\(\{A.angle: 1.0\}\)"):
        equations.assemble(A.angle == 1.0)
    assert A.angle == A.angle and A.angle != A.rate


def _nothing(t: float) -> float:
    return t


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: da.Model("x", plan="xy"), "Model has no argument 'plan'; did you mean 'plane'"),
        (lambda: da.Event(_nothing, directon=-1), "Event has no argument 'directon'; did you mean 'direction'"),
        (lambda: da.Change(velocity=[1.0]), "Change has no argument 'velocity'; Valid names are: .* v$"),
        (lambda: da.table([0, 1], [0, 1], kinds="linear"), "table has no argument 'kinds'; did you mean 'kind'"),
        (lambda: da.load("nothere.nc"), "there is no file 'nothere.nc'"),
    ],
)
def test_unknown_arguments_are_answered_with_those_that_there_are(call: Any, told: str) -> None:
    with pytest.raises(DalembertError, match=told):
        call()


def test_remedies_of_models() -> None:
    m, rod, A = arm()
    with pytest.raises(AttributeError, match="has no 'reaction'; Valid names are: angle, force, rate, torque"):
        A.reaction  # noqa: B018
    m.gravity = (0, -1.62)
    equations = m.equations()
    state = equations.assemble()
    assert equations.evaluate_quantity(rod.at(1, 0).acceleration.y, state) == pytest.approx(-0.81 / 0.35)
    assert equations.evaluate_quantity(rod.acceleration, state) == pytest.approx([0.0, 0.0], abs=1e-12)
    with pytest.raises(ModelError, match="gravity of 'arm': this model is in the plane, with two components"):
        m.gravity = (0, 0, -1.62)
    m.sensor("late", A.angle)
    with pytest.raises(StateError, match="the sensor 'late' came later"):
        equations.evaluate_quantity("late", state)
    m.torque("T", A, lambda w: w.push)
    with pytest.raises(Exception, match=r"no input 'push'; none are declared. m\.input\('push', …\) declares it"):
        m.equations().assemble()


def test_angles_are_counted_by_name() -> None:
    m = da.Model("space")
    rod = m.body("rod", mass=1.0, inertia=(0.1, 0.1, 0.1))
    A = m.revolute("A", m.ground.at(0, 0, 0), rod.at(0, 0, 0), axis="z")
    expected = m.equations("absolute", angles=[A.angle]).names
    assert "A.angle" in expected["q"]
    for angles in ("A", ["A"], ["A.angle"]):
        assert m.equations("absolute", angles=angles).names == expected
    with pytest.raises(ModelError, match=r"angles 'A.angel' does not exist; did you mean 'A.angle'"):
        m.equations("absolute", angles=["A.angel"])


def test_functions_that_know_no_atoms_are_named() -> None:
    m, _, A = arm()
    m.torque("T", A, lambda angle: np.sinc(angle))
    with pytest.raises(ModelError, match=r"torque 'T'.*np\.sinc does not work"):
        m.equations().assemble()


def test_masses_are_given_when_bodies_are_made() -> None:
    _, rod, _ = arm()
    with pytest.raises(ModelError, match=r"body 'rod': a mass is given when .* mass=m\.p\.load"):
        rod.mass = 50.0
    assert rod.mass == 1.0


def test_functions_that_raise_are_named_with_their_element() -> None:
    known = {"a": 1.0}
    m, rod, A = arm()
    m.parameters(stiffness=1.0)
    m.torque("T", A, lambda: known["b"])
    with pytest.raises(ModelError, match=r"torque 'T': torque: its function raised KeyError: 'b'") as caught:
        m.equations()
    causes = []
    error: BaseException | None = caught.value
    while error is not None:
        causes.append(type(error))
        error = error.__cause__
    assert KeyError in causes
    m, rod, A = arm()
    m.constraint("slot", lambda pin: 1 / 0, pin=rod.at(1, 0))
    with pytest.raises(ModelError, match=r"constraint 'slot': its function raised ZeroDivisionError"):
        m.equations()
    m, rod, A = arm()
    m.parameters(stiffness=1.0)
    m.torque("T", A, lambda p: p.stifness)
    with pytest.raises(ModelError, match=r"torque 'T': torque: there is no parameter 'stifness'.*'stiffness'"):
        m.equations()


def test_units_are_for_model_files() -> None:
    m, rod, A = arm()
    hint = r"; give numbers in SI units \(m, kg, s, N, radians\), as units belong to model files"
    for call in (
        lambda: m.revolute("B", m.ground.at(0, 0), rod.at(1, 0), start="90 deg"),
        lambda: m.body("heavy", mass="1 kg"),
        lambda: m.body("wide", mass=1.0, inertia="1 kg m^2"),
        lambda: m.body("far", mass=1.0, inertia=1.0, position=("1 m", 0)),
        lambda: m.parameters(k="3 N/m"),
        lambda: m.joint_spring("k", A, stiffness="3 N m"),
        lambda: m.equations().assemble({A.angle: "90°"}),
    ):
        with pytest.raises(DalembertError, match=hint):
            call()
    with pytest.raises(DalembertError, match=r"got 'heavy'$"):
        m.body("b", mass="heavy")


def test_reasons_of_other_sizes_are_told_where_they_may_be() -> None:
    m, _, A = arm()
    equations = m.equations()
    with pytest.raises(StateError, match=r"q must have 1 entries, got 2; they are A\.angle$"):
        equations.assemble([0.0, 0.0])
    m.drive("d", A, lambda t: t)  # equations that know it may have a coordinate more
    with pytest.raises(StateError, match=r"they are A\.angle; if it belongs to other equations of the model: drives"):
        equations.assemble([0.0, 0.0])


def test_rates_of_joints_with_one_coordinate_are_suggested() -> None:
    m, _, _ = arm()
    equations = m.equations()
    run = da.simulate(equations, (0, 0.01), equations.assemble())
    for ask in (
        lambda: run["A.angle.rate"],
        lambda: equations.assemble({"A.angle.rate": 1.0}),
        lambda: equations.evaluate_quantity("A.angle.rate", equations.assemble()),
    ):
        with pytest.raises(DalembertError, match=r"did you mean 'A\.rate'\?"):
            ask()


def test_friction_does_not_push() -> None:
    m, _, A = arm()
    for options, told in (
        ({"limit": -3.0}, "limit must be at least 0, got -3"),
        ({"limit": 3.0, "stiction": -1.0, "stribeck": 0.1}, "stiction must be at least 0, got -1"),
        ({"mu": -0.1, "radius": 0.1}, "mu must be at least 0, got -0.1"),
    ):
        with pytest.raises(ModelError, match=f"friction 'F': {told}"):
            m.friction("F", A, velocity=1e-3, **options)
    m.friction("F", A, 0.0, velocity=1e-3)


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
@pytest.mark.exact
def test_a_body_that_falls_is_named_where_there_is_no_equilibrium(coordinates: str) -> None:
    m = da.Model("loose", gravity=(0, 0, -9.81))
    ball = m.body("ball", mass=1e-3, inertia=(1, 1, 1), position=(1, 0, 0))
    m.spring("s", m.ground.at(0, 0, 0), ball.at(0, 0, 0), stiffness=1e3, length=0.5)
    one = m.body("one", mass=2.0, inertia=(1, 1, 1), position=(5, 0, 0))
    two = m.body("two", mass=0.1, inertia=(1, 1, 1))
    m.revolute("J", one.at(0, 0, 0), two.at(0, 0, 0))
    pulled = r"no equilibrium was found; from the start, (one|two)\.vz of body '(one|two)'.* acceleration of -9\.81\. "
    with pytest.raises(DalembertError, match=pulled + "No stiffness and no constraint resists it: give it a joint"):
        m.equations(coordinates).equilibrium()


def test_work_is_in_joules(tmp_path: Path) -> None:
    m, _, A = arm()
    m.work("W", m.torque("T", A, 1.0))
    equations = m.equations()
    run = da.simulate(equations, (0, 0.1), equations.assemble())
    assert run.units["W.work"] == "J"
    assert "W.work [J]" in run.to_csv(tmp_path / "run.csv").read_text().splitlines()[0].split(",")
