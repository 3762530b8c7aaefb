"""What stands in model files: values, names, units, tables, patterns, includes; and errors with their places."""

import json
import math
import tomllib

import jsonschema
import numpy as np
import pytest

import dalembert as da
from dalembert.io import ModelFileError, example, example_names, load_model, model_schema, parse_model, parts_of_files
from dalembert.io.formulas import FormulaError, check_calls, evaluated, parsed
from dalembert.io.positions import located
from dalembert.io.schema import SCHEMA_FILE, schema_text
from dalembert.io.units import UNITS, unit_of

HEAD = 'format = 1\n[model]\nname = "m"\nplane = "xy"\n'
BODY = "[bodies.rod]\nmass = 1.0\ninertia = 0.1\n"
JOINT = '[joints.A]\nkind = "revolute"\nbetween = ["ground", "rod"]\n'
BEAM = '[flexible.rod]\nkind = "beam"\nlength = 1\nsection = { circle = 0.01 }\nmaterial = "steel"\nmodes = 2\n'
PID = '[forces.pid]\nkind = "sampled"\nperiod = 0.1\noutputs = { u = 0 }\n'


def read(text):
    return parse_model(HEAD + text)


# ----------------------------------------------------------------------------------------------------- formulas


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 + 2*3", 7.0), ("-2^2", -4.0), ("2^3^2", 512.0), ("2^-1", 0.5), ("(1 + 2)*3", 9.0), ("8/4/2", 1.0),
        ("7 - 2 - 1", 4.0), ("2*-3", -6.0), ("1e3 + .5", 1000.5), ("min(2, 1)", 1.0), ("atan2(1, 1)", math.pi / 4),
        ("where(1 < 2, 5, 6)", 5.0), ("(3 >= 3) + (1 == 2)", 1.0), ("smoothstep(0.5)", 0.5), ("step(-1)", 0.0),
        ("clip(5, 0, 2)", 2.0), ("sqrt(abs(-16))", 4.0), ("2**0.5", math.sqrt(2.0)), ("+3", 3.0), ("floor(-1.5)", -2.0),
    ],
)  # fmt: skip
def test_formula_has_the_value_of_arithmetic(text, value):
    part = parsed(text)
    check_calls(part, {})
    assert evaluated(part, lambda name: None, {}) == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize(
    ("text", "message", "at"),
    [
        ("1 +", "missing at its end", 3), ("sin(1", r"'\)' is missing at", 5), ("a b", "operator is missing", 2),
        ("2 $ 3", "does not belong", 2), ("1e999", "too large", 0), ("a.", "missing after the dot", 2),
        ("1 < 2 < 3", "cannot be chained", 6), ("f.g(1)", "cannot be called", 0), ("a[x]", "whole number", 2),
        ("", "empty", 0), ("(" * 200, "stand in each other", 100), ("1" + "+1" * 300, "in a row", 401),
    ],
)  # fmt: skip
def test_formula_is_refused_at_its_place(text, message, at):
    with pytest.raises(FormulaError, match=message) as caught:
        parsed(text)
    assert caught.value.span.start == at


def test_random_formulas_are_read_or_refused():
    chance = np.random.default_rng(3)
    pieces = ["1", "x", "+", "-", "*", "/", "^", "(", ")", "sin(", ",", ".", "'a b'", "[0]", "<", "==", " ", "1e5", "§"]
    for _ in range(2000):
        text = "".join(chance.choice(pieces, size=chance.integers(1, 30)))
        try:
            part = parsed(text)
            check_calls(part, {})
            evaluated(part, lambda name: 2.0, {})
        except FormulaError as error:
            assert 0 <= error.span.start <= len(text)


def test_units_are_products_of_powers():
    assert unit_of("km/h").factor == pytest.approx(1 / 3.6, rel=1e-15)
    assert unit_of("kg m^2/s^2") == (1.0, UNITS["J"].dimension) == unit_of("N m")
    assert unit_of("N s/m").dimension == (1, 0, -1, 0, 0, 0, 0)
    assert unit_of("cm²").factor == pytest.approx(1e-4, rel=1e-15)
    assert len(UNITS) >= 60


# ------------------------------------------------------------------------------------------------ what is read


def test_values_with_units_and_formulas():
    file = read(
        '[parameters]\nv = "36 km/h"\nk = { value = 2, unit = "kN/m", about = "stiff", bounds = [1, 3e3] }\n'
        '[constants]\nb = "2*a"\na = "50 cm"\n[bodies.rod]\nmass = "2*k"\ninertia = 0.1\ncom = ["b/2", "-a"]\n'
    )
    assert file.model.parameter_values == {"v": pytest.approx(10.0, rel=1e-15), "k": 2000.0}
    assert file.notes["k"].unit == "kN/m" and file.notes["k"].about == "stiff"
    assert file.model["rod"].com.r.tolist() == [0.5, -0.5, 0.0]
    assert repr(file.model["rod"].properties.mass) == "2*p.k"


def test_a_file_runs_as_its_model_does():
    file = parse_model(example("four-bar"))
    m = da.Model("Four-bar with motor", plane="xy")
    m.parameters(g=9.81, stall=6.0, idle=14.0, k=120.0)
    m.gravity = m.vector((0.0, -m.p.g), "gravity")
    crank = m.body("crank", mass=1.0, inertia=0.02, com=(0.15, 0))
    coupler = m.body("coupler", mass=2.0, inertia=0.15, com=(0.45, 0))
    rocker = m.body("rocker", mass=1.8, inertia=0.1, com=(0.35, 0))
    A = m.revolute("A", m.ground, crank, start=math.radians(60))
    m.revolute("B", crank.at(0.3, 0), coupler)
    m.revolute("C", coupler.at(0.9, 0), rocker.at(0.7, 0))
    m.revolute("D", m.ground.at(0.8, 0), rocker, start=1.365)
    m.torque("motor", A, lambda rate, p: p.stall * (1.0 - rate / p.idle))
    m.spring("return", m.ground.at(1.35, 0.5), rocker.at(0.5, 0), m.p.k, 3.0, length=0.55)
    equations = m.equations()
    start = equations.assemble({})
    assert np.allclose(file.start.q, start.q, rtol=0, atol=1e-13)
    assert np.allclose(file.start.a, start.a, rtol=1e-11, atol=0)
    solution = da.simulate(file, (0.0, 0.2), rtol=1e-9)
    other = da.simulate(equations, (0.0, 0.2), start, rtol=1e-9)
    assert np.allclose(solution.q[:, -1], other.q[:, -1], rtol=0, atol=1e-9)


def test_patterns_make_as_many_as_they_say():
    file = parse_model(example("hanging-chain"))
    assert [body.name for body in file.model.bodies] == [f"link{i}" for i in range(20)]
    assert file.model["J7"].first.body.name == "link6"


def test_what_patterns_expand_to_is_bounded_before_it_is_made():
    numbers = ", ".join("1" for _ in range(2000))
    text = f'{BODY}[[pattern]]\ncount = 1000\n[pattern.tables."t{{i}}"]\nx = [{numbers}]\ny = [{numbers}]\n'
    with pytest.raises(ModelFileError, match="1000 copies of this pattern the file expands to 4004000 values") as error:
        read(text)
    assert error.value.line == HEAD.count("\n") + BODY.count("\n") + 1


def test_all_patterns_and_included_files_share_one_bound(tmp_path, monkeypatch):
    monkeypatch.setattr(parts_of_files, "MOST_VALUES", 1000)
    table = '[pattern.tables."t{i}"]\nx = [0, 1, 2]\ny = [0, 1, 2]\n'
    pattern = f"[[pattern]]\ncount = 20\n{table}"
    assert len(read(BODY + pattern).model.bodies) == 1
    many = "".join(pattern.replace("t{", f"t{k}_{{") for k in range(10))
    with pytest.raises(ModelFileError, match="expands to 1200 values; at most 1000 are read") as error:
        read(BODY + many)
    assert error.value.line == 1 + (HEAD + BODY + pattern * 5).count("\n")
    (tmp_path / "part.toml").write_text("format = 1\n" + table.replace("pattern.", "").replace("{i}", "") * 1)
    include = "include = [" + ", ".join(f'{{ file = "part.toml", prefix = "p{k}_" }}' for k in range(99)) + "]\n"
    (tmp_path / "whole.toml").write_text(include + HEAD + BODY)
    with pytest.raises(ModelFileError, match="with this file the model file expands to 100") as error:
        load_model(tmp_path / "whole.toml")
    assert error.value.line == 1


def test_keys_of_many_parts_are_refused_with_their_line():
    for key in (".".join(["a"] * 3000), ". ".join(['"a"'] * 3000), ".".join(["a"] * 1_000_000)):
        for text in (f"{key} = 1\n", f"[{key}]\n"):
            with pytest.raises(ModelFileError, match="more than 40 names are joined by dots") as error:
                read(text)
            assert error.value.line == 1 + HEAD.count("\n")
    part = ".".join(["a"] * 30)
    with pytest.raises(ModelFileError, match="more than 100 tables and arrays stand in each other"):
        read(f"{part} = " + f"{{ {part} = " * 20 + "1" + " }" * 20 + "\n")
    assert read(f"about = 1 # {'a.' * 100}\n{BODY}".replace("about = 1 ", "")).model.name == "m"


def test_elements_keep_the_order_of_the_text():
    text = BODY + '[forces.f]\nkind = "torque"\non = "A"\nlaw = 1.0\n' + JOINT
    assert [element.name for element in read(text).model.elements] == ["A", "f"]
    drive = '[constraints.d]\nkind = "drive"\ndriven = "A"\nlaw = "t"\n'
    text = BODY + JOINT + drive + '[forces.f]\nkind = "torque"\non = "A"\nlaw = 1.0\n'
    assert [element.name for element in read(text).model.elements] == ["A", "d", "f"]


def test_includes_have_prefixes(tmp_path):
    (tmp_path / "wheel.toml").write_text(
        'format = 1\n[parameters]\nk = 5.0\n[bodies.hub]\nmass = 1\ninertia = 1\n[joints.axle]\nkind = "revolute"\n'
        'between = ["ground", "hub"]\n[forces.turn]\nkind = "torque"\non = "axle"\nlaw = "k*t - axle.rate"\n'
    )
    (tmp_path / "car.toml").write_text(
        'format = 1\ninclude = [{ file = "wheel.toml", prefix = "front_" },\n'
        '{ file = "wheel.toml", prefix = "rear_" }]\n'
        '[model]\nname = "car"\nplane = "xy"\n[sensors]\na = "rear_axle.angle"\n'
    )
    file = load_model(tmp_path / "car.toml")
    assert [body.name for body in file.model.bodies] == ["front_hub", "rear_hub"]
    assert list(file.model.parameter_values) == ["front_k", "rear_k"]
    assert "front_k*t - rate" in file.model.to_toml() and "rear_k*t - rate" in file.model.to_toml()
    (tmp_path / "bad.toml").write_text('format = 1\ninclude = ["../wheel.toml"]\n[model]\nname = "x"\n')
    with pytest.raises(ModelFileError, match="beside the model file or below"):
        load_model(tmp_path / "bad.toml")


def test_tables_are_read_from_files_too(tmp_path):
    (tmp_path / "road.csv").write_text("# x, y\n0, 0\n1, 2\n2, 0\n")
    text = HEAD + '[tables.road]\nkind = "linear"\nfile = "road.csv"\n[inputs]\nh = "road(t)"\n' + BODY
    (tmp_path / "m.toml").write_text(text)
    assert load_model(tmp_path / "m.toml").model.inputs["h"](t=0.25, **{}) == 0.5


def test_positions_are_found_for_every_value():
    for name in example_names():
        text = example(name)
        root = located(text, name)
        stack, count = [root], 0
        while stack:
            item = stack.pop()
            inner = item.value.values() if isinstance(item.value, dict) else item.value
            if isinstance(item.value, (dict, list)):
                stack += list(inner)
            elif item is not root:
                count += 1
                assert tomllib.loads(f"a = {text[slice(*item.span)]}")["a"] == item.value
        assert count > 5


# ---------------------------------------------------------------------------------------------------- what is wrong

WRONG = {
    "no TOML": ("[bodies.rod\n", 5, 12, "no valid TOML"),
    "unknown section": ("[body.rod]\nmass = 1\n", 5, 1, "did you mean 'bodies'"),
    "unknown field": ("[bodies.rod]\nmas = 1\n", 6, 1, "did you mean 'mass'"),
    "unknown kind": (BODY + '[joints.A]\nkind = "revolut"\n', 9, 8, "did you mean 'revolute'"),
    "kind of another group": (BODY + '[joints.A]\nkind = "spring"\n', 9, 8, r"belongs into \[forces\]"),
    "no kind": (BODY + '[joints.A]\nbetween = ["ground", "rod"]\n', 8, 1, "lacks its kind"),
    "no field": (BODY + '[joints.A]\nkind = "revolute"\n', 8, 1, "lacks the field 'between'"),
    "unknown body": (BODY + JOINT.replace('"rod"]', '"rood"]'), 10, 22, "did you mean 'rod'"),
    "unknown name in a law": (
        BODY + JOINT + '[parameters]\nidle = 1\n[forces.f]\nkind = "torque"\non = "A"\nlaw = "1 - A.rate/idel"\n',
        16, 19, "unknown name 'idel'; did you mean 'idle'",
    ),
    "unknown coordinate": (BODY + JOINT + '[sensors]\na = "A.angel"\n', 12, 6, "did you mean 'angle'"),
    "unknown function": ('[constants]\na = "sine(1)"\n', 6, 6, "did you mean 'sin'"),
    "wrong dimension": ('[bodies.rod]\nmass = "3 cm"\n', 6, 11, "measured in kg"),
    "unknown unit": ('[bodies.rod]\nmass = "3 klg"\n', 6, 11, "unknown unit 'klg'; did you mean 'kg'"),
    "wrong type": ("[bodies.rod]\nmass = true\n", 6, 8, "must be a number or a formula"),
    "wrong size": (BODY + "com = [1, 2, 3]\n", 8, 7, "needs 2 numbers; got 3"),
    "negative mass": ("[bodies.rod]\nmass = -1\ninertia = 1\n", 6, 8, "mass"),
    "a name twice": ("[constants]\nrod = 1\n" + BODY, 7, 1, "the name 'rod' is used twice"),
    "reserved name": ("[constants]\npi = 3\n", 6, 1, "is used twice: for a number"),
    "division by zero": ('[constants]\na = "1/(2 - 2)"\n', 6, 6, "division by zero"),
    "constants of themselves": ('[constants]\na = "b"\nb = "a"\n', 6, 1, "made of itself: a → b → a"),
    "constant of a parameter": ('[parameters]\nk = 1\n[constants]\na = "k"\n', 8, 6, "not depend on the parameter"),
    "another format": (None, 1, 10, "reads format = 1"),
    "too large": ("[constants]\na = 1e999\n", 6, 5, "finite"),
    "Python": (BODY + JOINT + '[forces.f]\nkind = "torque"\non = "A"\nlaw = { python = "os:getcwd" }\n', 14, 7,
               "runs only with --allow-python"),
    "outside of bounds": ("[parameters]\nk = { value = 5, bounds = [0, 1] }\n", 6, 15, "outside of its bounds"),
    "no quantity": (BODY + JOINT + '[sensors]\na = "2*3"\n', 12, 5, "must depend on something that moves"),
    "sensor in a foreign unit": (BODY + JOINT + '[sensors]\na = { of = "A.angle", unit = "deg" }\n', 12, 30, "in SI"),
    "run": ("[run]\nend = 1\nstep = 0.1\n", 7, 1, "has no field 'step'"),
    "event": (BODY + JOINT + '[events.e]\nwhen = "A.angle"\naction = "halt"\n', 13, 10, "'record' or 'stop'"),
    "shape": (BODY + 'shapes = [{ kind = "bax" }]\n', 8, 20, "did you mean 'box'"),
    "table": ("[tables.t]\nx = [0, 1]\ny = [0]\n", 5, 1, "table"),
    "pattern": ("[[pattern]]\ncount = 1.5\n", 6, 9, "whole number"),
    "section": (BEAM.replace("circle = 0.01", "circle = [1, 2, 3]"), 8, 22, "a radius, or"),
    "section without anything": (BEAM.replace("circle = 0.01", ""), 8, 11, "needs rectangle"),
    "material": (BEAM.replace("steel", "stele"), 9, 12, "did you mean 'steel'"),
    "unit of a modulus": (BEAM.replace('"steel"', '{ E = "210 N", density = 1 }'), 9, 23, "measured in Pa"),
    "modes": (BEAM.replace("modes = 2", "modes = 2.5"), 10, 9, "whole number from 0"),
    "ends": (BEAM + 'ends = "pined"\n', 11, 8, "pinned"),
    "place on a beam": (BEAM + 'points = { p = [3] }\n', 11, 12, "beam 'rod'"),
    "end of a beam": (BEAM + JOINT.replace('"rod"', '"rod.lift"'), 13, 22, "did you mean 'left'"),
    "data": ('[flexible.f]\nkind = "modes"\ndata = "f.npz"\n', 7, 8, "only in a file"),
    "what a controller sees": (BODY + JOINT + PID + 'law = { u = "B.angle" }\n', 15, 14, "unknown name 'B'"),
    "what a controller says": (BODY + JOINT + PID + "law = 3\n", 15, 7, "table of formulas"),
    "period": (BODY + JOINT + PID.replace("0.1", "-1") + 'law = { u = "t" }\n', 13, 10, "positive time"),
    "output of a controller": (BODY + JOINT + PID + 'law = { u = "t" }\n[forces.f]\nkind = "torque"\non = "A"\n'
                               'law = "pid.w"\n', 19, 8, "there is no 'w'"),
    "work": (BODY + JOINT + '[forces.e]\nkind = "work"\nforce = "motor"\n', 13, 9, "there is no force 'motor'"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_error_says_where_and_what(case):
    text, line, column, message = WRONG[case]
    whole = HEAD.replace("format = 1", "format = 2") if text is None else HEAD + text
    with pytest.raises(ModelFileError, match=message) as caught:
        parse_model(whole)
    assert (caught.value.line, caught.value.column) == (line, column), caught.value


def test_files_that_are_none(tmp_path):
    with pytest.raises(da.DalembertError, match="cannot be read"):
        load_model(tmp_path / "missing.toml")
    (tmp_path / "bytes.toml").write_bytes(b"format = 1\nname = \xff\n")
    with pytest.raises(ModelFileError, match="no UTF-8") as caught:
        load_model(tmp_path / "bytes.toml")
    assert (caught.value.line, caught.value.column) == (2, 8)
    with pytest.raises(ModelFileError, match="brackets"):
        parse_model("a = " + "[" * 100_000)


# ---------------------------------------------------------------------------------------------------------- schema


@pytest.fixture(scope="module")
def validator():
    return jsonschema.Draft202012Validator(json.loads(SCHEMA_FILE.read_text(encoding="utf-8")))


def test_schema_is_that_of_the_tables(validator):
    assert SCHEMA_FILE.read_text(encoding="utf-8") == schema_text(), "run tools/schema.py"
    validator.check_schema(model_schema())


@pytest.mark.parametrize("name", example_names())
def test_schema_accepts_examples(validator, name):
    validator.validate(tomllib.loads(example(name)))


def test_schema_refuses_what_the_reader_refuses(validator):
    """Fifty files whose structure is wrong: fields, kinds and types."""
    good = tomllib.loads(example("four-bar"))
    count = 0
    for path in (
        ("format",), ("model",), ("model", "name"), ("bodies",), ("bodies", "crank"), ("bodies", "crank", "mass"),
        ("bodies", "coupler", "points"), ("bodies", "coupler", "shapes"), ("joints",), ("joints", "A"),
        ("joints", "A", "kind"), ("joints", "B", "between"), ("forces",), ("forces", "motor"),
        ("forces", "motor", "kind"), ("forces", "return", "between"), ("forces", "return", "stiffness"),
        ("sensors", "power"), ("events", "turn"), ("events", "turn", "action"), ("run",), ("run", "end"),
        ("parameters", "stall"), ("constants", "l_crank"), ("forces", "motor", "on"),
    ):  # fmt: skip
        for wrong in ({"nonsense": 1}, True):
            data = json.loads(json.dumps(good))
            inner = data
            for key in path[:-1]:
                inner = inner[key]
            inner[path[-1]] = wrong
            refused = _refused_by_reader(data)
            if refused:
                count += 1
                assert not validator.is_valid(data), (path, wrong)
    assert count >= 45


def _refused_by_reader(data):
    try:
        parse_model(_toml(data))
    except ModelFileError:
        return True
    return False


def _toml(data):
    lines = []
    for key, value in data.items():
        if isinstance(value, dict):
            for name, one in value.items():
                lines.append(f'{key}."{name}" = {_inline(one)}')
            if not value:
                lines.append(f"{key} = {{}}")
        else:
            lines.append(f"{key} = {_inline(value)}")
    return "\n".join(lines)


def _inline(value):
    if isinstance(value, dict):
        return "{" + ", ".join(f'"{key}" = {_inline(one)}' for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_inline, value)) + "]"
    return json.dumps(value)


@pytest.mark.parametrize("run", ["end = -1", "begin = 1\nend = 1", "begin = 2"])
def test_spans_that_run_backwards_are_refused(run):
    with pytest.raises(ModelFileError, match=r"\[run\]: end = .* s must be later than begin = "):
        read(f"{BODY}{JOINT}[run]\n{run}\n")


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ('<?xml version="1.0"?>\n<!-- arm -->\n<robot name="arm"/>\n', "a URDF description of a robot"),
        ('<mujoco model="arm">', "an MJCF model of MuJoCo"),
        ("<sdf version='1.6'>", "an SDF model of Gazebo"),
        ("<office:document/>", "an XML file"),
        ('{"model": {}}', "a JSON file"),
        ("# rotor\n\nbegin: data;\n", "an MBDyn input file"),
        ("import dalembert as da\n", "Python code"),
    ],
)
def test_files_of_other_programs_are_named(content, what, tmp_path):
    (tmp_path / "robot.urdf").write_text(content)
    with pytest.raises(ModelFileError, match=rf"robot\.urdf:1:1: this is {what}, and a model file is TOML"):
        load_model(tmp_path / "robot.urdf")


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("80kg", "a blank is missing between a number and its unit; write '80 kg'"),
        ("36km/h", "a blank is missing between a number and its unit; write '36 km/h'"),
        ("80kilograms", "a blank is missing between a number and its unit; write '80 kg'"),
        ("80 millimetre", "unknown unit 'millimetre'; did you mean 'mm'?"),
        ("80 Newtons", "unknown unit 'Newtons'; did you mean 'N'?"),
        ("80 Kg", "unknown unit 'Kg'; did you mean 'kg'?"),
        ("80 foo", "unknown unit 'foo'; units are symbols such as m, mm, s, kg, N"),
        ("2pi", "an operator is missing before 'pi'"),
    ],
)
def test_units_that_are_written_otherwise(value, told):
    with pytest.raises(ModelFileError) as found:
        read(f'[bodies.rod]\nmass = "{value}"\ninertia = 1\n')
    assert told in str(found.value) and "model:6:" in str(found.value)


def test_methods_that_there_are_not_are_refused_with_their_line():
    assert read('[run]\nmethod = "radau"\n').run["method"] == "radau"
    with pytest.raises(ModelFileError, match="model:6:10: there is no method 'radua'; did you mean 'radau'"):
        read('[run]\nmethod = "radua"\n')
