"""Dense output: the nested form, the search for the step, jumps, and a and λ without the equations."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.polynomial import Polynomial

from dalembert.errors import DalembertError, SimulationError
from dalembert.solution import DenseOutput, MotionPoint

SIZES = {"n_q": 2, "n_v": 2, "n_u": 1, "n_lam": 1}
THETA = Polynomial([0, 1])


def basis(K):
    """1, θ, θ(1−θ), θ²(1−θ), … as NumPy polynomials, built as products."""
    functions, product = [], Polynomial([1.0])
    for j in range(K):
        functions.append(product)
        product = product * (THETA if j % 2 == 0 else 1 - THETA)
    return functions


@st.composite
def dense_outputs(draw):
    n_steps, K, K2 = draw(st.integers(1, 6)), draw(st.integers(1, 9)), draw(st.integers(1, 6))
    h = draw(hnp.arrays(float, n_steps, elements=st.floats(1e-3, 10)))
    t = draw(st.floats(-100, 100)) + np.concatenate([[0], np.cumsum(h)]) * draw(st.sampled_from([1, -1]))
    numbers = st.floats(-1e3, 1e3)
    return DenseOutput(
        t,
        draw(hnp.arrays(float, (n_steps, K, 5), elements=numbers)),
        SIZES,
        algebraic=draw(hnp.arrays(float, (n_steps, K2, 3), elements=numbers)),
    )


@given(dense_outputs(), st.lists(st.floats(0, 1), max_size=20))
def test_values_are_those_of_the_products_of_the_basis(dense, fractions):
    times = dense.t[0] + np.array(fractions) * (dense.t[-1] - dense.t[0])
    times = np.clip(times, *sorted(dense.interval))
    point = dense(times)
    y, z = np.concatenate([point.q, point.v, point.u]), np.concatenate([point.a, point.lam])
    assert y.shape == (5, times.size) and z.shape == (3, times.size)
    for i, t in enumerate(times):
        # The step by a plain search: the last one that has begun.
        sign = np.sign(dense.t[-1] - dense.t[0])
        k = max(j for j in range(dense.n_steps) if sign * dense.t[j] <= sign * t)
        theta = (t - dense.t[k]) / (dense.t[k + 1] - dense.t[k])
        for got, c in [(y[:, i], dense.coefficients[k]), (z[:, i], dense.algebraic[k])]:
            expected = sum(c_j * b(theta) for c_j, b in zip(c, basis(len(c)), strict=True))
            np.testing.assert_allclose(got, expected, rtol=1e-12, atol=1e-9)


@given(dense_outputs(), st.floats(0, 1))
def test_a_number_gives_what_an_array_gives(dense, fraction):
    t = np.clip(dense.t[0] + fraction * (dense.t[-1] - dense.t[0]), *sorted(dense.interval))
    one, many = dense(float(t)), dense([float(t)])
    assert isinstance(one, MotionPoint)
    assert one.t == t and one.t.ndim == 0
    for number, array in zip(one[1:], many[1:], strict=True):
        assert number.shape == array.shape[:1]
        np.testing.assert_array_equal(number, array[:, 0])


@given(dense_outputs())
def test_ends_of_steps_are_sums_of_coefficients(dense):
    for k in range(dense.n_steps):
        c = dense.coefficients[k]
        np.testing.assert_array_equal(dense(dense.t[k]).q, c[0, :2])
    end = c[0] + c[1] if len(c) > 1 else c[0]
    np.testing.assert_array_equal(dense(dense.t[-1]).q, end[:2])


@pytest.mark.parametrize("direction", [1.0, -1.0])
def test_at_a_jump_the_later_step_counts_and_the_end_belongs_to_the_last_one(direction):
    c = np.zeros((3, 1, 5))
    c[:, 0, 0] = [10, 20, 30]
    dense = DenseOutput(direction * np.array([0.0, 1.0, 2.0, 3.0]), c, SIZES)
    q = dense(direction * np.array([0.0, 0.5, 1.0, 2.0, 3.0])).q[0]
    np.testing.assert_array_equal(q, [10, 10, 20, 30, 30])


def test_a_step_of_length_zero_is_passed_over():
    c = np.zeros((3, 2, 5))
    c[:, 0, 0] = [10, 20, 30]
    dense = DenseOutput([0.0, 1.0, 1.0, 2.0], c, SIZES)
    np.testing.assert_array_equal(dense([0.5, 1.0, 2.0]).q[0], [10, 30, 30])
    last = DenseOutput([0.0, 1.0, 1.0], c[:2], SIZES)
    np.testing.assert_array_equal(last([0.5, 1.0]).q[0], [10, 20])


def test_rounding_at_the_ends_is_forgiven_and_more_is_not():
    dense = DenseOutput([0.1, 0.3], np.arange(10.0).reshape(1, 2, 5), SIZES)
    over = 0.1 + 0.2  # 0.30000000000000004
    assert over > 0.3
    np.testing.assert_array_equal(dense(over).q, dense(0.3).q)
    for t in (0.31, [0.2, 0.09], np.nan, -np.inf):
        with pytest.raises(DalembertError, match=r"outside the run, which goes from 0\.1 to 0\.3"):
            dense(t)
    with pytest.raises(DalembertError, match=r"shape \(1, 1\)"):
        dense([[0.2]])


def test_unknown_accelerations_are_nan_and_no_points_are_fine():
    dense = DenseOutput([0, 1], np.ones((1, 2, 5)), (2, 2, 1, 1))
    assert np.isnan(dense(0.5).a).all() and np.isnan(dense(0.5).lam).all()
    assert [part.shape for part in dense([])] == [(0,), (2, 0), (2, 0), (2, 0), (1, 0), (1, 0)]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (([0, 1, 0.5], np.ones((2, 2, 5)), SIZES), "all rise or all fall"),
        (([0, np.nan], np.ones((1, 2, 5)), SIZES), "all rise or all fall"),
        (([0, 1], np.ones((2, 2, 5)), SIZES), r"coefficients must have shape \(1, K, 5\) .* got \(2, 2, 5\)"),
        (([0, 1], np.ones((1, 0, 5)), SIZES), r"got \(1, 0, 5\)"),
        (([0, 1], np.ones((1, 2, 5)), SIZES, None, np.ones((1, 2, 2))), r"algebraic must have shape \(1, K, 3\)"),
        (([], np.ones((0, 2, 5)), SIZES), r"shape \(n_steps \+ 1,\)"),
        (([0, 1], np.ones((1, 2, 5)), {"n_v": 3}), "sizes must tell n_q"),
        (([0, 1], np.ones((1, 2, 5)), SIZES | {"n_a": 3}), "as many accelerations"),
    ],
)
def test_what_does_not_fit_is_named(arguments, complaint):
    with pytest.raises(DalembertError, match=complaint):
        DenseOutput(*arguments)


def test_a_run_without_steps_says_so():
    with pytest.raises(DalembertError, match="no step from t = 2"):
        DenseOutput([2.0], np.empty((0, 2, 5)), SIZES)(2.0)


class Circle:
    """A point on the unit circle, q = (cos t, sin t): closed form of q, v, a and λ; the polynomials are crude."""

    def __init__(self):
        self.calls = []

    def completion(self, k, t, q, v, u):
        self.calls.append(t)
        assert q.shape == v.shape == (2, t.size) and u.shape == (1, t.size)
        q = q / np.hypot(*q)
        v = v - q * np.sum(q * v, axis=0)
        lam = 0.5 * np.sum(v * v, axis=0, keepdims=True)
        return q, v, -2 * lam * q, lam

    def dense(self, n_steps):
        t = np.linspace(0, 2, n_steps + 1)
        h = t[1] - t[0]
        y = np.array([np.cos(t), np.sin(t), -np.sin(t), np.cos(t), t]).T
        f = np.array([-np.sin(t), np.cos(t), -np.cos(t), -np.sin(t), np.ones_like(t)]).T
        jump = np.diff(y, axis=0)
        # cubic Hermite interpolation in the nested basis
        c = np.stack([y[:-1], jump, h * f[:-1] - jump, 2 * jump - h * (f[:-1] + f[1:])], axis=1)
        return DenseOutput(t, c, SIZES, self.completion)


def test_completion_has_the_last_word():
    circle = Circle()
    point = circle.dense(4)(times := np.linspace(0, 2, 33))
    np.testing.assert_allclose(np.hypot(*point.q), 1, rtol=0, atol=1e-15)
    np.testing.assert_allclose(point.q, [np.cos(times), np.sin(times)], atol=2e-3)
    np.testing.assert_allclose(point.a, -2 * point.lam * point.q, atol=1e-15)
    assert len(circle.calls) == 1  # all points at once


def test_a_and_lam_become_polynomials_of_the_order_of_the_interpolation():
    errors = []
    for n_steps in (4, 8, 16):
        live = Circle().dense(n_steps)
        stored = live.with_algebraic()
        assert stored.completion is None and stored.algebraic.shape == (n_steps, 5, 3)
        np.testing.assert_allclose(stored(live.t).a, live(live.t).a, atol=1e-12)
        times = np.linspace(0, 2, 501)
        a, b = live(times), stored(times)
        errors.append(max(abs(a.a - b.a).max(), abs(a.lam - b.lam).max()))
    # five nodes: order 5
    assert errors[0] / errors[1] > 2**4.5 and errors[1] / errors[2] > 2**4.5


def test_more_coefficients_are_met_with_more_nodes():
    c = np.zeros((3, 8, 5))
    c[:, 0] = 1
    dense = DenseOutput([0, 1, 2, 3], c, SIZES, lambda k, t, q, v, u: (q, v, np.array([t**7, 1 - t]), t[None] ** 3))
    stored = dense.with_algebraic()
    assert stored.algebraic.shape == (3, 8, 3)
    t = np.linspace(0, 3, 50)
    np.testing.assert_allclose(stored(t).a[0], t**7, rtol=1e-10, atol=1e-11)
    np.testing.assert_allclose(stored(t).lam[0], t**3, rtol=1e-10, atol=1e-11)
    assert stored.with_algebraic() is stored


def test_long_runs_are_completed_in_portions():
    n = 5000
    dense = DenseOutput(np.arange(n + 1.0), np.ones((n, 1, 5)), SIZES, lambda k, t, q, v, u: (q, v, 2 * q, t[None]))
    t = np.linspace(0, n, 333)
    np.testing.assert_allclose(dense.with_algebraic()(t).lam[0], t, atol=1e-9)


def test_steps_that_cannot_be_completed_are_not_numbers():
    """The others are stored all the same."""

    def complete(k, t, q, v, u):
        if (k == 2).any():
            raise SimulationError("it cannot be projected")
        return q, v, 2 * q, t[None]

    stored = DenseOutput(np.arange(5.0), np.ones((4, 1, 5)), SIZES, complete).with_algebraic()
    found = stored([0.5, 1.5, 2.5, 3.5])
    np.testing.assert_allclose(found.lam[0], [0.5, 1.5, np.nan, 3.5], atol=1e-12)
    assert np.isfinite(found.q).all()


def test_a_wrong_completion_is_named():
    dense = DenseOutput([0, 1], np.ones((1, 2, 5)), SIZES, lambda k, t, q, v, u: (q, v, v[:1], u))
    with pytest.raises(DalembertError, match=r"completion must give q, v, a, lam of shapes"):
        dense(0.5)
