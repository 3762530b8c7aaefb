"""Units in model files and on the command line: converted, or refused where they measure something else."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

from dalembert.cli.sources import UsageError, of_file, parameters_of
from dalembert.errors import DalembertError
from dalembert.io import ModelFile, parse_model
from dalembert.io.units import UNITS, UnitError, factor_between

ARM = """
format = 1
[model]
name = "arm"
plane = "xy"
[parameters]
speed = {{ value = {speed}, unit = "rad/s" }}
[bodies.rod]
mass = 1.0
inertia = 0.1
[joints.A]
kind = "revolute"
between = ["ground", "rod"]
start = {{ angle = {angle} }}
[run]
start = {{ "A.rate" = {rate} }}
"""


def read(speed: str = "1.0", angle: str = "0.1", rate: str = "0.0") -> ModelFile:
    return parse_model(ARM.format(speed=speed, angle=angle, rate=rate))


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"angle": '"30 mm"'}, "is measured in rad, and 'mm' is m"),
        ({"rate": '"3 m/s"'}, "is measured in rad/s, and 'm/s' is m s^-1"),
        ({"speed": '"1 Hz"'}, "'Hz' does not say whether turns or radians are counted; write rpm"),
        ({"speed": '"60 1/min"'}, "'1/min' does not say whether turns"),
        ({"speed": '"60 min^-1"'}, "does not say whether turns"),
    ],
)
def test_other_units_are_refused(given: dict[str, str], told: str) -> None:
    with pytest.raises(DalembertError, match=re.escape(told).replace(r"\ ", " ")):
        read(**given)


def test_units_are_converted() -> None:
    file = read('"60 rpm"', '"30 deg"', '"1 rev/s"')
    assert file.model.parameter_values["speed"] == pytest.approx(6.283185307)
    assert read('"2 * 3"').model.parameter_values["speed"] == pytest.approx(6.0)
    assert factor_between("1/min", "Hz", "a frequency") == pytest.approx(1.0 / 60.0)
    subject = of_file(file, "arm")
    assert parameters_of(["speed=60 rpm"], subject)["speed"] == pytest.approx(6.283185307)
    with pytest.raises(UsageError, match="parameter 'speed' is measured in rad/s, and 'kg' is kg"):
        parameters_of(["speed=3 kg"], subject)
    with pytest.raises(UnitError, match="is measured in m"):
        factor_between("s", "m", "a length")


def test_the_page_lists_all_units() -> None:
    page = (Path(__file__).parents[2] / "docs" / "model_files.md").read_text()
    listed = set(" ".join(re.findall(r"`([^`\n]*)`", page)).split())
    assert set(UNITS) - {"1"} <= listed


SINGLE = """
format = 1
[model]
name = "single"
[bodies.b]
mass = 1.0
inertia = [1.0, 1.0, 1.0]
[joints.S]
kind = "{kind}"
between = ["ground", "b"]
start = "{start}"
{more}
"""


@pytest.mark.parametrize(
    ("kind", "start", "more", "value"),
    [
        ("prismatic", "30 mm", "", 0.03),
        ("revolute", "90 deg", "", 0.5 * math.pi),
        ("screw", "90 deg", "pitch = 0.1", 0.5 * math.pi),
        ("revolute", "30 mm", "", "start is measured in rad, and 'mm' is m"),
        ("prismatic", "30 deg", "", "start is measured in m, and 'deg' is no unit"),
    ],
)
def test_the_start_of_a_joint_with_one_coordinate_has_its_unit(kind, start, more, value):
    text = SINGLE.format(kind=kind, start=start, more=more)
    if isinstance(value, str):
        with pytest.raises(DalembertError, match=value):
            parse_model(text)
    else:
        equations = parse_model(text).model.equations()
        assert equations.assemble().q == pytest.approx([value])


COUNTED = """
format = 1
[model]
name = "arm"
plane = "xy"
[parameters]
speed = "{unit}"
[bodies.rod]
mass = 1.0
inertia = 0.1
{body}
[joints.A]
kind = "revolute"
between = ["ground", "rod"]
{law}
"""
DRIVE = '[constraints.turn]\nkind = "drive"\ndriven = "A"\nlaw = "{}"'
TORQUE = '[forces.motor]\nkind = "torque"\non = "A"\nlaw = "{}"'


@pytest.mark.parametrize(
    ("body", "law"),
    [
        ('angular_velocity = "speed"', ""),
        ("", DRIVE.format("speed*t")),
        ("", DRIVE.format("0.1 + t*p.speed")),
        ("", TORQUE.format("5*(speed - rate)")),
        ("", TORQUE.format("0.1*sin(speed*t)")),
    ],
)
@pytest.mark.parametrize("unit", ["30 Hz", "1800 1/min"])
def test_parameters_that_count_are_no_angular_speeds(unit: str, body: str, law: str) -> None:
    with pytest.raises(DalembertError, match=r"parameter 'speed'.* does not say whether turns or radians"):
        parse_model(COUNTED.format(unit=unit, body=body, law=law))
    assert parse_model(COUNTED.format(unit="30 rev/s", body=body, law=law))


@pytest.mark.parametrize("law", ["sin(2*pi*speed*t)", "step(speed - 3)", "floor(speed*t)", "speed*angle - 3*rate"])
def test_parameters_that_count_may_count(law: str) -> None:
    assert parse_model(COUNTED.format(unit="30 Hz", body="", law=TORQUE.format(law)))


def test_a_parameter_of_another_unit_is_refused_in_a_field() -> None:
    text = COUNTED.format(unit="30 kg", body='angular_velocity = "speed"', law="")
    with pytest.raises(DalembertError, match=r"parameter 'speed': .* is measured in rad/s, and 'kg' is kg"):
        parse_model(text)
