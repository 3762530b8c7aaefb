"""Sizes that users give are bounded before anything is allocated or counted up to them."""

import functools
import tracemalloc

import numpy as np
import pytest

import dalembert as da
from dalembert import problems, symbolic
from dalembert.errors import DalembertError
from dalembert.integrate import Newton
from dalembert.model import shapes
from dalembert.native.slots import Reals, Run, integer, lay_out, reals


def oscillator(**options):
    equations = da.trace(M=lambda: np.eye(1), f=lambda q: -q, n_q=1, name="oscillator")
    return da.simulate(equations, (0, 1), ([1.0], [0.0]), **options)


def traced(**sizes):
    return da.trace(M=lambda: np.eye(1), f=lambda: np.zeros(1), **{"n_q": 1, **sizes})


def numeric(**sizes):
    return da.trace(M=da.numeric(lambda: np.eye(1)), f=lambda: np.zeros(1), **{"n_q": 1, **sizes})


@functools.cache
def swung():
    """A run to be drawn, made before memory is counted, which makes compilation three times as long."""
    return da.simulate(problems.pendulum())


@functools.cache
def swung_model():
    equations = problems.mechanisms.pendulum().model.equations()
    return da.simulate(equations, (0, 0.01), equations.assemble({})), equations


CALLS = {
    "coordinates of elements": lambda n: da.Elements("e", coordinates=n),
    "velocities of elements": lambda n: da.Elements("e", coordinates=1, velocities=n),
    "states of elements": lambda n: da.Elements("e", coordinates=1, states=n),
    "coordinates of functions": lambda n: traced(n_q=n),
    "velocities of functions": lambda n: traced(n_v=n, T=lambda: np.zeros((1, 1))),
    "states of functions": lambda n: traced(n_u=n, d=lambda: np.zeros(1)),
    "coordinates of functions of numbers": lambda n: numeric(n_q=n),
    "symbols": lambda n: symbolic.Graph().variables("x", n),
    "coordinates": lambda n: symbolic.Graph().coordinates("x", n),
    "zeros": lambda n: symbolic.zeros(n),
    "zeros of a matrix": lambda n: symbolic.zeros((n, n)),
    "identity": lambda n: symbolic.eye(n),
    "check points of events": lambda n: oscillator(events=[lambda q: q[0]], event_checks=n),
    "iterations": lambda n: da.Radau(newton=Newton(limit=n)),
    "stages": lambda n: da.Radau(stages=n),
    "order": lambda n: da.Mexx(max_order=n),
    "adams order": lambda n: da.Adams(max_order=n),
    "bdf order": lambda n: da.Bdf(max_order=n),
    "bars": problems.pendulum_chain,
    "pendulums": problems.excited_chain,
    "insulators": problems.insulator_chain,
    "four-bar mechanisms": problems.a02,
    "four-bar mechanisms of a model": problems.mechanisms.a02,
    "links": problems.mechanisms.chain,
    "corners": lambda n: shapes.Sphere(radius=1.0).triangles(n),
    "outline": lambda n: shapes.Sphere(radius=1.0).outline(n),
    "frames": lambda n: problems.pendulum().draw(swung(), frames=n),
    "frames of a model": lambda n: da.draw(*swung_model(), frames=n),
}


@pytest.mark.parametrize("size", [2**70, 2**40, 2**31, -1], ids=["2^70", "2^40", "2^31", "-1"])
@pytest.mark.parametrize("call", CALLS)
def test_sizes_are_bounded(call, size):
    swung(), swung_model()
    tracemalloc.start()
    try:
        with pytest.raises(DalembertError):
            CALLS[call](size)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 100 * 2**20


class WideMemory(Run):
    """A slot whose size is a product."""

    n_wide: int = integer("a size")
    wide: Reals = reals("n_wide * n_wide", "numbers")


def test_the_memory_of_a_run_is_bounded():
    assert lay_out(WideMemory, {"n_wide": 100}, {}, {}).n_reals >= 10_000
    with pytest.raises(DalembertError, match=r"the memory of such a run would hold \d+ numbers"):
        lay_out(WideMemory, {"n_wide": 2**20}, {}, {})


def test_steps_may_be_as_many_as_one_likes():
    assert oscillator(max_steps=2**40).success
    with pytest.raises(DalembertError, match="max_steps must be a whole number, at least 0 and at most"):
        oscillator(max_steps=2**70)
