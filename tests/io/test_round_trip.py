"""Models become files and files models, with the same equations; files are fixed points of reading and writing."""

import re
from pathlib import Path

import numpy as np
import pytest
from pages import python_blocks
from scripts import load

import dalembert as da
from dalembert.elastic import STEEL, Section
from dalembert.errors import ModelError
from dalembert.io import (
    example,
    example_names,
    fingerprint,
    load_example,
    load_model,
    model_text,
    parse_model,
    save_model,
)
from dalembert.io.kinds import GROUPS, WITH_SECTIONS, kinds, kinds_of
from dalembert.model.calls import builder_methods
from dalembert.problems import mechanisms
from dalembert.rail import Arc, Clothoid, Irregularity, Straight, Track, harmonic, measured, spectrum

ROOT = Path(__file__).parents[2]
MECHANISMS = [name for name in mechanisms.__all__ if name.islower()]
#: Models with parts that no formula can say, and what is told of them.
REFUSED = {"elastic_truck": "sensor 'near hinge' is <Quantity 'deformation of area.16'>"}
#: Kinds that the page on joints and forces tells of elsewhere.
NOT_DRAWN = {"beam", "flexible_body", "sampled", "work"}
PYTHON_ONLY = {"user_force", "numeric_force", "constraint", "velocity_constraint"}


@pytest.mark.parametrize("name", [name for name in MECHANISMS if name not in REFUSED])
@pytest.mark.filterwarnings("ignore::dalembert.errors.ModelWarning")  # inertias of the locomotive, as published
def test_mechanism_survives(name, tmp_path):
    made = getattr(mechanisms, name)()
    run = {"end": made.span[1], "start": made.start}
    text = model_text(made.model, run=run)
    file = load_model(save_model(made.model, tmp_path / "model.toml", run=run))
    assert model_text(file) == text
    assert fingerprint(file.model) == fingerprint(made.model)
    assert list(file.model.sensors) == list(made.model.sensors)
    assert file.span == (0.0, made.span[1]) and len(file.run.get("start", {})) == len(made.start)


@pytest.mark.parametrize("name", REFUSED)
def test_what_no_file_can_say_is_refused_by_name(name):
    with pytest.raises(ModelError, match=re.escape(REFUSED[name])):
        getattr(mechanisms, name)().model.to_toml()


def test_sensors_measure_the_same():
    made = mechanisms.steered_car()
    file = parse_model(made.model.to_toml())
    first, second = made.model.equations(), file.model.equations()
    start = first.assemble({}, redundant=made.redundant)
    for name, quantity in made.model.sensors.items():
        other = second.evaluate_quantity(file.model.sensors[name], start)
        assert np.array_equal(first.evaluate_quantity(quantity, start), other), name


# ------------------------------------------------------------------------------------------------- every kind

LIBRARY = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
ENTRIES = dict(re.findall(r"\| !\[\w+\]\(figures/library/(\w+)\.svg\) \| (.*) \|", LIBRARY))


def first_call(kind):
    return next(call for call in re.findall(r"`(m\.\w+\([^`]*)`", ENTRIES[kind]) if "…" not in call)


def library_model(kind):
    """The model of the page on joints and forces with one element of a kind, and those that it needs."""
    names = {}
    exec(python_blocks(LIBRARY)[0].code, names)
    call = first_call(kind)
    for needed in re.findall(r'm\["(\w+)"\]', call):
        eval(next(one for one in map(first_call, ENTRIES) if f'"{needed}"' in one), names)
    eval(call, names)
    return names["m"]


def test_every_builder_is_a_kind():
    assert {*kinds(), *WITH_SECTIONS} == set(builder_methods(da.Model))
    assert set(kinds()) == set(ENTRIES) - {"body"} | NOT_DRAWN
    assert {one.name for group in GROUPS for one in kinds_of(group).values()} == {one.name for one in kinds().values()}


@pytest.mark.parametrize("kind", sorted(set(kinds()) - NOT_DRAWN))
def test_every_kind_survives(kind):
    model = library_model(kind)
    if kind in PYTHON_ONLY:
        with pytest.raises(ModelError, match="Python code that no formula can say"):
            model.to_toml()
        return
    text = model.to_toml()
    file = parse_model(text)
    assert file.model.to_toml() == text
    assert [one.label for one in file.model.elements] == [one.label for one in model.elements]
    assert fingerprint(model, coordinates="absolute") == fingerprint(file.model, coordinates="absolute")


def controlled_beam():
    """A beam that a controller in discrete time turns, and the work of its motor."""
    m = da.Model("controlled beam", plane="xy", gravity=(0, -9.81))
    m.parameters(target=0.4)
    beam = m.beam("beam", 0.6, Section.rectangle(0.02, 0.01), STEEL, {"bending": 2, "longitudinal": 1}, ends="clamped",
                  damping={"beta": 1e-5}, stations=9)  # fmt: skip
    A = m.revolute("A", m.ground, beam.left)
    load = m.body("load", mass=0.5, inertia=0.01)
    m.fixed("end", beam.right, load)

    def update(angle, angle_rate, tip, total, p):
        error = p.target - angle
        return {"torque": 40 * error - 4 * angle_rate + total - 0.1 * tip, "total": total + 0.01 * error}

    sees = {"angle": A, "tip": beam.at(0.3).position[1]}
    pid = m.sampled("pid", 0.01, update, sees=sees, outputs={"torque": 0.0}, memory={"total": 0.0})
    motor = m.torque("motor", A, pid.torque + 0.2)
    m.work("spent", motor)
    m.sensor("tip", beam.right.position)
    m.sensor("middle", beam.at(0.3).velocity[1])
    m.sensor("power", motor.power)
    m.sensor("bend", [beam.mode(1), beam.mode_rate(1)])
    return m


def test_beams_controllers_and_work_survive():
    m = controlled_beam()
    text = m.to_toml()
    assert 'law = "pid.torque + 0.2"' in text and 'force = "motor"' in text and "modes = { bending = 2," in text
    file = parse_model(text)
    assert file.model.to_toml() == text and fingerprint(file.model) == fingerprint(m)
    other = parse_model(text.replace("40.0*", "41.0*"))
    assert fingerprint(other.model) != fingerprint(m)
    start = [one.equations().assemble() for one in (m, file.model)]
    runs = [da.simulate(one.equations(), (0, 0.05), at, method="radau", rtol=1e-6)
            for one, at in zip((m, file.model), start, strict=True)]  # fmt: skip
    assert np.array_equal(runs[0].q, runs[1].q)
    for name in ("tip", "middle", "power", "bend", "spent.work"):
        assert np.array_equal(runs[0][name], runs[1][name]), name


def test_data_of_flexible_bodies_stand_beside_the_file(tmp_path):
    made = mechanisms.flexible_slider_crank()
    path = save_model(made.model, tmp_path / "crank.toml")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["crank.toml", "rod.npz"]
    text = path.read_text(encoding="utf-8")
    assert 'kind = "modes"\ndata = "rod.npz"' in text
    with pytest.raises(ModelError, match="files can be named only in a file"):
        parse_model(text)
    (tmp_path / "rod.npz").write_bytes(b"no data")
    with pytest.raises(ModelError, match=r"crank.toml:\d+:\d+: .*rod.npz"):
        load_model(path)


# ------------------------------------------------------------------------------------------------- examples


@pytest.mark.parametrize("name", example_names())
@pytest.mark.filterwarnings("ignore::dalembert.errors.ModelWarning")
def test_example_is_a_model(name, tmp_path):
    file = load_example(name)
    path = save_model(file, tmp_path / "model.toml")
    assert model_text(load_model(path)) == path.read_text(encoding="utf-8")
    assert file.span[1] > 0.0 and file.model.bodies


def test_every_mechanism_of_the_library_is_an_example():
    assert {name.replace("_", "-") for name in MECHANISMS if name not in REFUSED} <= set(example_names())


def test_examples_of_the_library_are_as_it_makes_them():
    for name, text in load("tools/examples.py").texts().items():
        (words, numbers), (made, values) = parted(example(name)), parted(text)
        assert words == made, f"{name}: run tools/examples.py"
        np.testing.assert_allclose(numbers, values, rtol=1e-13, atol=1e-15, err_msg=f"{name}: run tools/examples.py")


NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![\w.])")


def parted(text):
    """Words and numbers apart: the last digits of numbers are those of the processor that has computed them."""
    return NUMBER.sub("#", text), [float(found) for found in NUMBER.findall(text)]


# ------------------------------------------------------------------------------------------------- rails


def on_rails(track, **options):
    m = da.Model("axle", gravity=(0, 0, -9.81))
    options = {"wheel": da.rail.cone(0.46, 0.05), "rail": da.rail.crown(0.3), **options}
    m.wheelset("axle", m.ground, track, mass=1200.0, inertia=(700.0, 100.0, 700.0), spin=20.0, **options)
    return m


def rails_of(m):
    track = m.calls["axle"].arguments["track"]
    return [track.rail(side).evaluate(np.linspace(0.0, track.length, 301)) for side in ("left", "right")]


STRAIGHT = [Straight(60)]
TRACKS = {
    "curve": {"segments": [Straight(20), Clothoid(30), Arc(40, 300.0, 0.05), Clothoid(20)], "start": (1.0, 2.0, 0.3)},
    "hill": {"segments": STRAIGHT, "height": ([0, 10, 30, 45, 60], [0, 0.1, 0.4, 0.2, 0.0]), "spacing": 1.0},
    "waves": {"segments": STRAIGHT, "irregularities": [
        harmonic(0.004, 12.0, start=5.0, fade_in=10.0), harmonic(0.002, 9.0, phase=0.0, direction="lateral")]},
    "measured": {"segments": STRAIGHT, "irregularities": [
        measured([0, 5, 10, 20, 40], left_vertical=[0, 1e-3, 2e-3, -1e-3, 0], right_lateral=[0, 1e-3, 0, 1e-3, 0])]},
    "spectrum": {"segments": STRAIGHT, "irregularities": [
        spectrum("high", 3, waves=20, quantities=("vertical", "cross"))]},
}  # fmt: skip


@pytest.mark.parametrize("kind", TRACKS)
def test_tracks_survive(kind):
    m = on_rails(Track(distance=1.5, **TRACKS[kind]))
    text = m.to_toml()
    assert "[tracks.track]" in text and 'track = "track"' in text
    file = parse_model(text)
    assert file.model.to_toml() == text
    for one, two in zip(rails_of(m), rails_of(file.model), strict=True):
        assert np.array_equal(one, two)


def test_tracks_that_no_file_can_say_are_refused_by_name():
    with pytest.raises(ModelError, match=r"track 'track': the height of the track is a function.*pair of arrays"):
        on_rails(Track(STRAIGHT, distance=1.5, height=lambda s: 0.01 * s)).to_toml()
    flat = (np.zeros_like, np.zeros_like)
    with pytest.raises(ModelError, match=r"'bumps' is an irregularity of Python functions.*measured"):
        on_rails(Track(STRAIGHT, distance=1.5, irregularities=[Irregularity(flat, flat, 5.0, "bumps")])).to_toml()


def test_standard_profiles_have_names(tmp_path):
    track = Track([Straight(50)], gauge=1.435, profile=da.rail.uic60_of_benchmark())
    m = on_rails(track, wheel=da.rail.s1002(0.45), rail=da.rail.uic60_of_benchmark())
    text = m.to_toml()
    assert "distance = 1.5\n" in text  # of the wheels: the file knows the distance of the rails, and no gauge
    assert 'wheel = { standard = "s1002", radius = 0.45 }\nrail = "uic60_of_benchmark"\n' in text
    assert fingerprint(parse_model(text).model) == fingerprint(m)
    other = on_rails(track, wheel=da.rail.cone(0.46, 0.05), rail=da.rail.crown(0.3).mirrored()).to_toml()
    assert "[tables.axle_rail]" in other and parse_model(other).model.to_toml() == other
    u = np.linspace(-0.05, 0.05, 101)
    np.savetxt(tmp_path / "tread.txt", np.column_stack([1e3 * u, -50.0 * u]))
    points = 'wheel = { file = "tread.txt", kind = "wheel", radius = "46 cm", z_down = false, mirror = false }\n'
    path = tmp_path / "model.toml"
    path.write_text(re.sub("wheel = .*\n", points, text))
    wheel = load_model(path).model.calls["axle"].arguments["wheel"]
    assert wheel.kind == "wheel" and abs(wheel(0.01) + 0.4605) < 1e-12


def test_spin_at_the_start_is_said():
    m = on_rails(Track([Straight(50)], distance=1.5), speed=10.0)
    file = parse_model(m.to_toml())
    for model in (m, file.model):
        assert model["axle spin"].start["angle.rate"] == 20.0


def test_laws_of_python_become_formulas():
    m = da.Model("laws", plane="xy", gravity=(0, -9.81))
    m.parameters(k=2.0, rate=3.0, gains=[1.0, 2.0])
    rod = m.body("rod", mass=1.0, inertia=0.1, com=(0.5, 0))
    arm = m.body("second arm", mass=m.p.k, inertia=0.1)
    A = m.revolute("A", m.ground, rod)
    B = m.revolute("elbow joint", rod.at(1, 0), arm)
    m.input("push", lambda t: np.where(t > 1.0, np.sin(t), 0.0))
    m.torque("motor", A, lambda rate, p, w, elbow, elbow_rate: p.rate * rate + w.push - p.gains[1] * elbow * elbow_rate,
             sees={"elbow": B})  # fmt: skip
    m.spring("spring", m.ground.at(0, 1), arm.at(0.2, 0), length=1.0, stiffness=m.p.k**2,
             damping=([-1.0, 0.0, 1.0], [-2.0, 0.0, 1.0]))  # fmt: skip
    m.force("wind", arm, lambda velocity, t: -velocity * np.abs(velocity[0]) + np.array([t, 1.0]))
    m.sensor("both", [A.angle + B.angle, m.energy])
    text = m.to_toml()
    assert "law = \"push + rate*p.rate - 'elbow joint'.rate*('elbow joint'.angle*gains[1])\"" in text
    assert '\npush = "where(1.0 < t, sin(t), 0.0)"' in text and 'mass = "k"' in text
    assert 'damping = { table = "spring_damping" }' in text
    file = parse_model(text)
    assert file.model.to_toml() == text and fingerprint(file.model) == fingerprint(m)


def test_black_boxes_need_leave(tmp_path, monkeypatch):
    (tmp_path / "my_forces.py").write_text("import numpy as np\ndef pull(values):\n    return -values\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    import my_forces

    m = da.Model("black box", plane="xy")
    A = m.revolute("A", m.ground, m.body("rod", mass=1.0, inertia=0.1))
    m.numeric_force("pull", A, my_forces.pull)
    text = m.to_toml(allow_python=True)
    assert 'function = { python = "my_forces:pull" }' in text
    with pytest.raises(ModelError, match="runs only with --allow-python"):
        parse_model(text)
    file = parse_model(text, allow_python=True)
    assert file.model["pull"].function is my_forces.pull and len(file.python["my_forces:pull"]) == 64


def test_black_boxes_have_no_fingerprint():
    m = da.Model("black box", plane="xy")
    m.numeric_force("pull", m.revolute("A", m.ground, m.body("rod", mass=1.0, inertia=0.1)), lambda values: -values)
    with pytest.raises(ModelError, match="parts that are no formulas"):
        fingerprint(m)
    with pytest.raises(ModelError, match="fingerprint: model must be of the class Model"):
        fingerprint("black box")
