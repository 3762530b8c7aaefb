"""Packed numbers come back: curves to the last bit, poses to half a quantum."""

import gzip

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from dalembert.report.packing import (
    ROUNDING,
    Blobs,
    packed_curve,
    packed_track,
    rounded_curve,
    unpacked_curve,
)


@given(hnp.arrays(np.float64, st.integers(0, 40), elements=st.floats(width=64)))
def test_curves_are_lossless(x):
    back = unpacked_curve(packed_curve(x), x.size)
    np.testing.assert_array_equal(back.view(np.uint64), x.view(np.uint64))


def test_bits_of_nan_and_zeros_survive():
    x = np.array([0.0, -0.0, np.nan, -np.inf, np.inf, 1e308, -1e308, 5e-324] * 3)
    x[2:3].view(np.uint64)[:] |= np.uint64(0xABC)  # a NaN with a payload
    np.testing.assert_array_equal(unpacked_curve(packed_curve(x), x.size).view(np.uint64), x.view(np.uint64))


def test_smooth_curves_become_small():
    t = np.linspace(0, 10, 10_001)
    x = np.sin(3 * t) * np.exp(-0.1 * t)
    assert len(packed_curve(x)) < 5.6 * x.size < 0.8 * len(gzip.compress(x.tobytes()))
    assert len(rounded_curve(x)[0]) < 2.6 * x.size


@given(
    hnp.arrays(np.float64, st.tuples(st.integers(1, 30), st.integers(1, 4)), elements=st.floats(-1e3, 1e3)),
    st.sampled_from([1e-6, 1e-3, 0.1, 7.0]),
)
def test_tracks_come_back_to_half_a_quantum(x, quantum):
    track = packed_track(x, quantum)
    error = np.abs(track.unpacked(len(x)) - x)
    assert error.max() <= 0.5 * quantum + 1e-9 * quantum + 4e-13


def test_long_tracks_take_more_bytes():
    t = np.linspace(0, 1, 200)[:, None]
    sizes = [packed_track(length * t, 1e-5).n_bytes for length in (1e-3, 0.1, 100.0, 3e4, 1e7)]
    assert sizes == [1, 2, 3, 4, 6]
    track = packed_track(1e7 * t, 1e-5)
    assert np.abs(track.unpacked(200) - 1e7 * t).max() < 0.6e-5


def test_rounded_curves_know_their_quantum():
    x = np.random.default_rng(1).normal(size=500).cumsum()
    _, low, quantum = rounded_curve(x)
    assert low == x.min() and quantum == pytest.approx(ROUNDING * np.ptp(x))
    assert rounded_curve(np.full(4, 3.0))[1:] == (3.0, 1.0)


def test_blobs_stand_one_after_the_other():
    blobs = Blobs()
    assert [blobs.add(piece) for piece in (b"ab", b"", b"cde")] == [0, 1, 2]
    assert blobs.places == [(0, 2), (2, 0), (2, 3)] and blobs.size == 5 and blobs.text() == "YWJjZGU="
