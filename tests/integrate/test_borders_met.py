"""No step passes over two borders of an argument, wherever they are: what lies between them would not be seen."""

import numpy as np
import pytest

import dalembert as da

METHODS = ("dopri5", "dop853", "mexx", "adams", "radau", "radau13", "rodas5p", "chart_bdf")
POINTS = np.arange(9) / 8


def profile(angle):
    """What cannot be solved for the angle, so that borders are those of the profile itself."""
    return np.cos(angle) + 0.3 * np.sin(2.0 * angle)


@pytest.fixture(scope="module")
def cam():
    """A wheel that turns evenly and pushes a slide on a spring while its profile is in a window, and the slide while it
    is in another one."""

    def f(q, p):
        by_wheel = np.where((profile(q[0]) > p.low) & (profile(q[0]) < p.high), p.push, 0.0)
        by_place = np.where((q[1] > p.left) & (q[1] < p.right), p.push, 0.0)
        return np.array([0.0, by_wheel + by_place - p.k * q[1]])

    given = {"low": 0.8, "high": 0.9, "left": 0.2, "right": 0.3, "push": 1e-4, "k": 1e-3}
    return da.trace(M=lambda: np.eye(2), f=f, n_q=2, parameters=given, name="cam")


def passed(x, low, high):
    """How many borders lie between the lowest and the highest of some values, but for those that touch one."""
    clear = x[np.minimum(np.abs(x - low), np.abs(x - high)) > 1e-6]
    places = (clear > low).astype(int) + (clear > high)
    return np.ptp(places) if places.size else 0


@pytest.mark.parametrize("method", METHODS)
def test_windows_anywhere_are_not_stepped_over(cam, method):
    rng = np.random.default_rng(7)
    for _ in range(8):
        low, left, width = rng.uniform(-0.9, 0.8), rng.uniform(-0.9, 0.8), 10.0 ** rng.uniform(-2.5, -1.0)
        values = {"low": low, "high": low + width, "left": left, "right": left + width, "push": 1e-4, "k": 1e-3}
        # Sizes at which the wheel is where it was in the middle of the step and at its end, or nearly so.
        size = 4.0 * np.pi * rng.choice([0.5, 1.0, 1.0 + 1e-3, rng.uniform(0.2, 1.2)])
        start = [rng.uniform(0.0, 6.0), rng.uniform(0.1, 1.0)], [1.0, 0.0]
        found = da.simulate(
            cam, (0.0, 200.0), start, method=method, rtol=1e-2, atol=1e-2, parameters=values, first_step=size,
            max_step=size,
        )  # fmt: skip
        assert found.success
        for begin, end in zip(found.t[:-1], found.t[1:], strict=True):
            q = found.sol(begin + (end - begin) * POINTS).q
            assert passed(profile(q[0]), low, low + width) < 2
            assert passed(q[1], left, left + width) < 2
