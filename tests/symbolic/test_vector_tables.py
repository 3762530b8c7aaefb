"""Tables of several components, evenly spaced borders, smoothing splines, cube roots."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.interpolate import CubicSpline, make_smoothing_spline

from dalembert.errors import SymbolicError
from dalembert.symbolic import AtomArray, PiecewisePolynomial, VectorTable, cbrt, compile, evaluate, smooth_table
from dalembert.symbolic import operations as op
from dalembert.symbolic.calculus import derivative
from dalembert.symbolic.graph import Graph

S = np.linspace(0.0, 30.0, 31)
HELIX = np.stack([np.cos(0.3 * S), np.sin(0.3 * S), 0.1 * S, 0.01 * S**2], axis=1)


def test_components_and_derivatives_share_one_search():
    x = Graph().variable("x")
    curve = VectorTable.spline(S, HELIX)
    atoms = np.stack([curve(x, order) for order in range(4)])
    assert isinstance(atoms, AtomArray)
    assert atoms.shape == (4, 4)
    searches = [node for node in x.graph.nodes if node[0] == op.INTERVAL]
    assert len(searches) == 1
    # A derivative of a component is the derivative of its table.
    assert [derivative(one, x) for one in curve(x)] == list(curve(x, 1))


def test_values_are_those_of_scipy_everywhere():
    x = Graph().variable("x")
    curve, theirs = VectorTable.spline(S, HELIX, outside="cubic"), CubicSpline(S, HELIX)
    at = np.linspace(-1.0, 31.0, 257)
    for order in range(4):
        function = compile({"y": curve(x, order)}, {"x": x})
        compiled = np.asarray(function.map(at)["y"])
        assert curve.evaluate(at, order) == pytest.approx(theirs(at, order), rel=1e-9, abs=1e-11)
        assert compiled == pytest.approx(curve.evaluate(at, order), rel=1e-13, abs=1e-13)
        assert evaluate(curve(x, order), {x: at}).T == pytest.approx(curve.evaluate(at, order), abs=1e-15)
    assert curve(0.5).shape == (4,)
    assert curve(at).shape == (257, 4)


@given(
    st.integers(3, 40),
    st.floats(1e-3, 1e3),
    st.floats(-100.0, 100.0),
    st.floats(0.0, 0.08),
    st.sampled_from(["linear", "cubic", "error", "constant"]),
    st.integers(0, 2**32),
)
def test_even_borders_give_the_interval_of_a_search(n, h, first, uneven, outside, seed):
    random = np.random.default_rng(seed)
    x = first + h * (np.arange(n + 1) + uneven * random.uniform(-1.0, 1.0, n + 1))
    stairs = PiecewisePolynomial(x, np.arange(1.0, n + 1)[None], outside)
    assert bool(stairs.spacing) == (stairs.borders.size >= 4)
    edges = np.concatenate([x, np.nextafter(x, -np.inf), np.nextafter(x, np.inf), x + 0.5 * h])
    at = np.concatenate([edges, [x[0] - 1e6 * h, x[-1] + 1e6 * h, -np.inf, np.inf, np.nan]])
    atom = Graph().variable("x")
    compiled = compile({"y": stairs(atom)}, {"x": atom})
    ours = np.array([compiled(value)["y"] for value in at])
    assert np.array_equal(ours, stairs.evaluate(at), equal_nan=True)


def test_uneven_borders_are_searched():
    assert PiecewisePolynomial.spline([0.0, 1.0, 2.0, 3.0, 7.0, 8.0], np.arange(6.0)).spacing == 0.0
    assert PiecewisePolynomial.spline(np.arange(6.0), np.arange(6.0) ** 2).spacing == pytest.approx(1.0)


def test_smooth_tables_are_those_of_scipy():
    x = np.sort(np.random.default_rng(1).uniform(-3.0, 5.0, 80))
    y = np.sin(x) + 0.05 * np.random.default_rng(2).normal(size=80)
    at = np.linspace(x[0], x[-1], 101)[:-1]
    for lam in (1e-3, 10.0):
        ours, theirs = smooth_table(x, y, smoothing=lam), make_smoothing_spline(x, y, lam=lam)
        for order in range(3):
            assert ours(at, order) == pytest.approx(theirs.derivative(order)(at) if order else theirs(at), abs=2e-6)
    # Cross-validation meets the truth better than the points do; a deviation that is allowed is used.
    assert np.abs(smooth_table(x, y)(at) - np.sin(at)).max() < 0.06
    near = smooth_table(x, y, deviation=0.05)
    assert np.sqrt(np.mean((near(x[:-1]) - y[:-1]) ** 2)) == pytest.approx(0.05, rel=0.02)
    assert near.breaks.size < 30


def test_wrong_data():
    with pytest.raises(SymbolicError, match=r"shape \(k, intervals, components\)"):
        VectorTable([0.0, 1.0], [[1.0]])
    with pytest.raises(SymbolicError, match=r"shape \(points, components\)"):
        VectorTable.spline([0.0, 1.0], [1.0, 2.0])
    with pytest.raises(SymbolicError, match="not both"):
        smooth_table(S, S, smoothing=1.0, deviation=1.0)
    with pytest.raises(SymbolicError, match="smoothing must not be negative"):
        smooth_table(S, S, smoothing=-1.0)
    with pytest.raises(SymbolicError, match="weights must be positive"):
        smooth_table(S, S, weights=-S)


def test_cube_roots():
    x = Graph().variable("x")
    at = np.array([-8.0, -1e-300, -0.0, 0.0, 27.0, 1e300, np.inf])
    function = compile({"y": cbrt(x), "slope": derivative(cbrt(x), x)}, {"x": x})
    found = [(result["y"], result["slope"]) for result in map(function, at)]
    assert [value for value, _ in found] == pytest.approx(np.cbrt(at).tolist(), rel=1e-15)
    assert found[4][1] == pytest.approx(1.0 / 27.0, rel=1e-15)
    step = evaluate(cbrt(x), {x: np.array([-8.0 + 1e-30j, 27.0 + 1e-30j])}, numbers="complex")
    assert step.imag / 1e-30 == pytest.approx([1.0 / 12.0, 1.0 / 27.0], rel=1e-14)
    assert float(evaluate(cbrt(x), {x: -8.0}, numbers="mpmath")) == pytest.approx(-2.0, rel=1e-15)
    assert cbrt(-x) == -cbrt(x)
    assert np.cbrt(x) == cbrt(x)
    sympy = pytest.importorskip("sympy")
    from dalembert.symbolic import from_sympy, to_sympy

    written = to_sympy(cbrt(x))
    assert float(written.subs(sympy.Symbol("x"), -8)) == pytest.approx(-2.0)
    assert float(evaluate(from_sympy(written, x.graph), {x: -8.0})) == pytest.approx(-2.0, rel=1e-15)
