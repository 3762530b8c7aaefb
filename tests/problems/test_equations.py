"""The compiled equations of the problems against their functions called with numbers."""

import numpy as np
import pytest
from problems.plain import Plain

from dalembert import problems

TRACED = {
    "pendulum": {},
    "double_pendulum": {},
    "stiff_double_pendulum": {},
    "seven_body": {},
    "slider_crank": {"stiffness": "nonlinear"},
    "truck": {"springs": "both"},
    "truck_surrogate": {},
}


@pytest.mark.parametrize("name", TRACED)
def test_traced_equations_are_the_plain_ones(name):
    problem = problems.get(name, **TRACED[name])
    equations, plain = problem.equations, Plain(problem)
    assert equations is problem.equations  # made once
    assert list(equations.names["q"]) == list(problem.coordinates)
    assert tuple(equations.breaks) == tuple(problem.functions.get("breaks", ()))
    reference = problem.reference()
    t, q, v = reference.t, reference.q, reference.v
    M, f, G, g = equations.evaluate("M", "f", "G", "g", t=t, q=q, v=v)
    assert M == pytest.approx(plain.M(t, q), rel=1e-13) and f == pytest.approx(plain.f(t, q, v), rel=1e-9, abs=1e-9)
    assert G == pytest.approx(plain.G(t, q), rel=1e-12, abs=1e-14) and g == pytest.approx(plain.g(t, q), abs=1e-14)


def test_assembled_start_of_the_seven_body_mechanism_is_the_published_one():
    problem = problems.seven_body()
    start, published = problem.equations.assemble(q=problem.q0, v=problem.v0), problem.references[0]
    assert start.q == pytest.approx(published.q, abs=1e-14)
    assert start.a == pytest.approx(published.a, abs=1e-6) and start.lam == pytest.approx(published.lam, abs=1e-8)


def test_assembled_smooth_start_of_the_slider_crank_moves_by_the_offset_only():
    problem = problems.slider_crank()
    start = problem.equations.assemble(q=problem.q0, v=problem.v0)
    assert np.abs(start.q - problem.q0).max() == pytest.approx(1.6e-10, rel=0.05)
    assert np.abs(start.v - problem.v0).max() < 2e-8
