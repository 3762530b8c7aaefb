"""Expressions moved from one graph to another."""

import numpy as np
import pytest

from dalembert.errors import SymbolicError
from dalembert.symbolic import Base, Graph, PiecewisePolynomial, Point, evaluate, sin, sqrt, transplant, where
from dalembert.symbolic.mechanics import velocity, virtual_power


def test_values_are_the_same_in_the_other_graph():
    source, target = Graph(), Graph()
    a, b = source.parameters("a b")
    table = PiecewisePolynomial([0.0, 1.0, 2.0], [[1.0, -2.0], [0.5, 3.0], [0.0, 1.5]])
    expressions = [a * sin(b) - 3.0, sqrt(a * a + b), where(a < b, -a, b), table(b)]
    moved = transplant(np.array(expressions, dtype=object), target, {"a": target.variable("x") + 1.0, "b": 0.7})
    assert all(one.graph is target for one in moved[:3])
    x = target["x"]
    for one, other in zip(expressions, moved, strict=True):
        value = other.value if other.value is not None else evaluate(other, {x: 0.4})
        assert value == evaluate(one, {a: 1.4, b: 0.7})


def test_what_is_missing_is_named():
    source = Graph()
    a, b = source.parameters("alpha beta")
    with pytest.raises(SymbolicError, match=r"nothing is given for 'beta'"):
        transplant(a + b, Graph(), {"alpha": 1.0})


def test_power_of_scalars_beside_vectors():
    """A spring of length s between a fixed point and a mass, as a force along s and as a force on the mass."""
    g = Graph()
    world = Base.root(g)
    x, y, F = g.coordinate("x"), g.coordinate("y"), g.parameter("F")
    mass = Point.root(world).moved("mass", world.vector(x, y, 0))
    s = sqrt(x * x + y * y)
    rate = (x * x.dt + y * y.dt) / s
    along = virtual_power([(-F, rate)], [x.dt, y.dt])
    beside = virtual_power([(world.vector(-F * x / s, -F * y / s, 0), velocity(mass))], [x.dt, y.dt])
    point = {x: 3.0, y: 4.0, F: 2.0}
    assert [evaluate(one, point) for one in along] == pytest.approx([-1.2, -1.6], rel=1e-15)
    assert [evaluate(one, point) for one in beside] == pytest.approx([-1.2, -1.6], rel=1e-15)
