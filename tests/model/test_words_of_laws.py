"""What is said of laws that cannot be called with expressions, and of axes that are given twice."""

from __future__ import annotations

import math

import pytest

import dalembert as da
from dalembert.errors import ModelError


def decides(rate):
    if rate > 0:
        return -rate
    return 0.0


@pytest.mark.parametrize(
    ("law", "told"),
    [
        (decides, r"'if', 'and', 'or'.*write np\.where\(condition, a, b\)"),
        (lambda rate: min(rate, 0.0), r"min\(\), max\(\).*write .*np\.minimum\(a, b\)"),
        (lambda displacement: math.sin(displacement), r"write np\.sin for math\.sin"),
    ],
)
def test_one_error_says_where_and_what_to_write(law, told):
    m = da.Model("slide", plane="xy")
    rail = m.prismatic("rail", m.ground.at(0, 0), m.body("block", mass=1.0, inertia=1.0).at(0, 0))
    m.force("push", rail, law)
    line = law.__code__.co_firstlineno + (law is decides)
    where = rf"force 'push': force cannot be traced \(test_words_of_laws\.py, line {line}\): it is called once, with"
    with pytest.raises(ModelError, match=where + ".*" + told) as found:
        m.equations()
    error = found.value
    assert error.__cause__ is None and error.__suppress_context__  # one error, and no chain
    assert "m.numeric_force" in str(error)


def test_an_axis_next_to_a_marker_with_axes_of_its_own():
    m = da.Model("door")
    leaf = m.body("leaf", mass=1.0, inertia=(1.0, 1.0, 1.0))
    told = "axis= is a direction in the axes of both bodies, and its marker on 'leaf' is turned against those of 'leaf'"
    with pytest.raises(
        ModelError, match=f"revolute joint 'hinge': {told}. Omit axis=, and give both markers their axes"
    ):
        m.revolute("hinge", m.ground.at(0, 0, 0), leaf.at(0, 0, 0, axis="x"), axis="z")
