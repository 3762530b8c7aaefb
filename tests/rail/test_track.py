"""Tracks: segments against closed forms and quadrature, cant, gauge, irregularities and their spectra."""

import numpy as np
import pytest
from scipy.signal import welch
from scipy.special import fresnel

from dalembert.errors import ModelError
from dalembert.rail import (
    Arc,
    Clothoid,
    Cosine,
    Quintic,
    SegmentEnd,
    Straight,
    Track,
    harmonic,
    measured,
    read_irregularity,
    spectral_density,
    spectrum,
    uic60,
)
from dalembert.symbolic import Graph
from dalembert.symbolic import operations as op


def test_the_s_curve_of_the_paper():
    curve = Quintic(50.0, 270.0)
    x = np.linspace(0.0, 270.0, 20001)
    assert 1.0 / np.abs(curve.curvature(x)).max() == pytest.approx(260.8, abs=0.05)
    assert curve.length == pytest.approx(276.5, abs=0.05)
    assert np.degrees(curve.plan(np.array([0.5 * curve.length])).heading[0]) == pytest.approx(19.1, abs=0.1)
    fine = np.hypot(np.diff(x), np.diff(50.0 * (x / 270) ** 3 * (10 - 15 * x / 270 + 6 * (x / 270) ** 2))).sum()
    assert curve.length == pytest.approx(fine, rel=1e-8)


def test_a_clothoid_is_that_of_fresnel():
    track = Track([Straight(10.0), Clothoid(80.0), Arc(30.0, 300.0), Clothoid(80.0), Straight(10.0)], distance=1.5)
    a = np.sqrt(np.pi * 300.0 * 80.0)
    sine, cosine = fresnel(np.array([0.3, 0.7, 1.0]) * 80.0 / a)
    at = 10.0 + np.array([0.3, 0.7, 1.0]) * 80.0
    assert track.centre(at)[:, :2] == pytest.approx(np.stack([10.0 + a * cosine, a * sine], axis=1), abs=1e-7)
    assert track.curvature([5.0, 50.0, 100.0]) == pytest.approx([0.0, 0.5 / 300.0, 1.0 / 300.0])
    end = track.centre(track.length, 1)
    assert np.arctan2(end[1], end[0]) == pytest.approx(80.0 / 300.0 + 30.0 / 300.0, abs=1e-7)


def test_splines_are_twice_differentiable_and_run_with_unit_speed():
    track = Track([Straight(55.0), Quintic(50.0, 270.0, cant=0.06), Straight(50.0)], distance=1.07)
    s = np.linspace(1.0, track.length - 1.0, 400)
    first, second = track.centre(s, 1), track.centre(s, 2)
    assert np.linalg.norm(first[:, :3], axis=1) == pytest.approx(np.ones(400), abs=1e-8)
    assert first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0] == pytest.approx(track.curvature(s), abs=3e-7)
    breaks = track.left.breaks[5:-5]
    assert track.left(breaks - 1e-9, 2) == pytest.approx(track.left(breaks + 1e-9, 2), abs=1e-6)


def test_cant_raises_the_outer_rail():
    track = Track(
        [Straight(10.0), Clothoid(50.0), Arc(60.0, 500.0, cant=0.1), Clothoid(50.0), Straight(10.0)], distance=1.5
    )
    middle = 90.0
    left, right = track.left(middle), track.right(middle)
    assert right[2] - left[2] == pytest.approx(0.1, rel=1e-6)  # it turns left
    assert np.linalg.norm(left[:3] - right[:3]) == pytest.approx(1.5, rel=1e-7)
    assert left[3] == pytest.approx(-np.arcsin(0.1 / 1.5), rel=1e-6)
    assert track.cant([35.0, middle]) == pytest.approx([-0.05, -0.1])
    curve = Track([Quintic(-50.0, 540.0, cant=0.06)], distance=1.07)
    assert np.abs(curve.cant(np.linspace(0.0, curve.length, 2001))).max() == pytest.approx(0.06, rel=1e-4)
    assert curve.cant(100.0) * curve.curvature(100.0) < 0.0


def test_gauge_and_heights():
    track = Track([Straight(100.0)], gauge=1.435, profile=uic60(), height=lambda s: -1e-3 * (s - 50.0) ** 2)
    assert 0.5 * track.distance + uic60().gauge_point() == pytest.approx(0.5 * 1.435)
    assert track.left(30.0)[:3] == pytest.approx([30.0, 0.5 * track.distance, -0.4], abs=1e-3)
    slope = Track([Straight(100.0)], distance=1.5, height=([0.0, 100.0], [0.0, 2.0]))
    assert slope.right(50.0, 1)[2] == pytest.approx(0.02, rel=1e-6)


def test_the_place_of_a_track_next_to_a_point():
    """A point that is offset along the normal is next to the place where the normal is drawn."""
    parts = [Straight(20.0), Clothoid(40.0), Arc(60.0, 200.0), Clothoid(40.0)]
    track = Track(parts, distance=1.5, height=lambda s: 0.02 * s, start=(5.0, -3.0, 2.5))
    for s in (0.3, 47.1, 93.6, 158.2):
        r, t = track.centre(s), track.centre(s, 1)
        x, y = r[:2] + 3.0 * np.array([-t[1], t[0]]) / np.hypot(t[0], t[1])
        assert track.nearest(x, y) == pytest.approx(s, abs=1e-9)
    begin, heading = np.array([5.0, -3.0]), np.array([np.cos(2.5), np.sin(2.5)])
    assert track.nearest(*(begin - 7.0 * heading)) == 0.0
    end, t = track.centre(track.length), track.centre(track.length, 1)
    assert track.nearest(*(end + 7.0 * t)[:2]) == track.length


def test_wheels_have_a_distance_of_their_own():
    """Standard gauge and tread circles: EN 13715 puts these 70 mm from the backs of wheels that are 1360 mm apart."""
    track = Track([Straight(10.0)], gauge=1.435, profile=uic60())
    assert track.tread_distance == pytest.approx(1.360 + 2 * 0.070)
    assert track.distance == pytest.approx(1.521, abs=5e-4)
    assert Track([Straight(10.0)], distance=1.07).tread_distance == 1.07
    assert Track([Straight(10.0)], gauge=1.0, profile=uic60()).tread_distance is None


def test_one_search_for_a_rail():
    track = Track([Straight(20.0)], distance=1.5)
    s = Graph().variable("s")
    for order in range(3):
        track.left(s, order)
    assert sum(node[0] == op.INTERVAL for node in s.graph.nodes) == 1
    assert track.left.components[0].spacing > 0.0


def test_harmonic_irregularities():
    track = Track([Straight(100.0)], distance=1.07, irregularities=[harmonic(0.01, 10.0)])
    s = np.linspace(5.0, 95.0, 181)
    assert track.left(s)[:, 2] == pytest.approx(0.01 * np.sin(0.2 * np.pi * s), abs=5e-6)
    assert track.right(s)[:, 2] == pytest.approx(0.01 * np.cos(0.2 * np.pi * s), abs=5e-6)
    faded = Track(
        [Straight(100.0)],
        distance=1.07,
        irregularities=[harmonic(0.01, 10.0, direction="lateral", start=20.0, fade_in=20.0)],
    )
    assert faded.left(s[s < 20])[:, 1] == pytest.approx(0.535, abs=1e-7)
    assert np.ptp(faded.left(s[s > 40])[:, 1]) == pytest.approx(0.02, rel=1e-3)


def test_measured_irregularities(tmp_path):
    s = np.linspace(10.0, 60.0, 201)
    y = 1e-3 * np.sin(s)
    direct = Track([Straight(80.0)], distance=1.5, irregularities=[measured(s, left_vertical=y, fade_in=5.0)])
    file = tmp_path / "track.csv"
    file.write_text("s,left_vertical\n" + "\n".join(f"{a:.17g},{1e3 * b:.17g}" for a, b in zip(s, y, strict=True)))
    again = Track([Straight(80.0)], distance=1.5, irregularities=[read_irregularity(file, unit=1e-3, fade_in=5.0)])
    at = np.linspace(0.0, 80.0, 300)
    assert again.left(at) == pytest.approx(direct.left(at), abs=1e-12)
    assert direct.left(at[(at > 20) & (at < 50)])[:, 2] == pytest.approx(
        1e-3 * np.sin(at[(at > 20) & (at < 50)]), abs=2e-6
    )
    assert direct.left(at[at < 9])[:, 2] == pytest.approx(0.0, abs=1e-9)
    file.write_text("s,height\n1,2\n")
    with pytest.raises(ModelError, match="must name the columns"):
        read_irregularity(file)
    file.write_text("s,left_lateral\n1,2,3\n")
    with pytest.raises(ModelError, match="data line 2: expected 2 numbers"):
        read_irregularity(file)


@pytest.mark.parametrize("start", ["", "\ufeff", "\ufeff# measured in May\n\n"])
@pytest.mark.parametrize(("mark", "comma"), [(",", "."), (";", "."), (";", ",")])
def test_irregularities_of_other_tables(tmp_path, start, mark, comma):
    s = np.linspace(0.0, 9.5, 20)
    rows = [f"{a}{mark}{b}".replace(".", comma) for a, b in zip(s, np.sin(s), strict=True)]
    file = tmp_path / "track.csv"
    file.write_text(start + "\n".join([f"s{mark} left_vertical", *rows]), encoding="utf-8")
    found = read_irregularity(file, unit=1e-3)
    assert found.left[1](s) == pytest.approx(1e-3 * np.sin(s), abs=1e-12)
    assert found.right[1](s) == pytest.approx(0.0, abs=0.0)


@pytest.mark.parametrize(
    ("names", "options", "message"),
    [
        (
            "s,left_vertical",
            {"unit": 1.0},
            "left_vertical reaches 3 m, where 0.2 m are the most; deviations are in metr",
        ),
        ("s,left_vertical", {"unit": 0.0}, "unit must be positive, the size of the unit in m"),
        ("s,left_vertical", {"unit": -1e-3}, "unit must be positive"),
        ("s,left_vertical", {"fade_in": -5.0}, "fade_in must be a length in m, or 0 for none; got -5"),
        ("s,s", {}, "'track.csv': s is named twice; give each column once"),
        ("s,left_vertical,left_vertical", {}, "'track.csv': left_vertical is named twice"),
        ("s", {}, "'track.csv': there are no deviations beside s"),
    ],
)
def test_irregularities_that_cannot_be_meant_are_refused(tmp_path, names, options, message):
    file = tmp_path / "track.csv"
    file.write_text(names + "".join("\n" + ",".join([str(k)] + ["-3"] * names.count(",")) for k in range(6)))
    with pytest.raises(ModelError, match=message):
        read_irregularity(file, **{"unit": 1e-3, **options})


def test_irregularities_have_sizes_of_tracks():
    with pytest.raises(ModelError, match="there are no deviations; give at least one of left_lateral, left_vertical"):
        measured(np.arange(5.0))
    with pytest.raises(ModelError, match="waves of 10 m with an amplitude of 4 m are steeper than 45 degrees"):
        harmonic(4.0, 10.0)
    for make in (lambda x: harmonic(1e-3, 5.0, fade_in=x), lambda x: spectrum(fade_in=x)):
        with pytest.raises(ModelError, match=r"fade_in must be a length in m, or 0 for none; got -0.1"):
            make(-0.1)


def test_spectra_are_those_asked_for_and_repeat():
    first, same, other = spectrum("low", 3), spectrum("low", 3), spectrum("low", 4)
    s = np.arange(0.0, 40_000.0, 0.5)
    z = first.left[1](s)
    assert np.array_equal(z, same.left[1](s))
    assert not np.allclose(z, other.left[1](s))
    assert z[0] == 0.0  # faded in
    lateral = first.left[0](s)
    frequency, density = welch(lateral[100:], fs=2.0, nperseg=4096)
    omega = 2.0 * np.pi * frequency
    inside = (omega > 2 * np.pi / 50.0) & (omega < 2 * np.pi / 5.0)
    ratio = density[inside] / (2.0 * np.pi) / spectral_density(omega[inside], "low", "lateral")
    assert np.mean(ratio) == pytest.approx(1.0, abs=0.1)
    band = np.linspace(2 * np.pi / 70.0, 2 * np.pi / 3.0, 20001)
    assert lateral.std() == pytest.approx(
        np.sqrt(np.trapezoid(spectral_density(band, "low", "lateral"), band)), rel=0.05
    )
    assert spectral_density(0.1, "high", "vertical") / spectral_density(0.1, "low", "vertical") == pytest.approx(
        1.080e-6 / 4.032e-7
    )


def test_bad_tracks_are_refused_by_name():
    with pytest.raises(
        ModelError, match=r"cant jumps from 0 mm to -100 mm .* between segments 0 and 1; put a clothoid"
    ):
        Track([Straight(10.0), Arc(10.0, 300.0, cant=0.1)], distance=1.5)
    with pytest.raises(ModelError, match="at least one segment"):
        Track([], distance=1.5)
    with pytest.raises(ModelError, match="either the distance of the rails or their gauge"):
        Track([Straight(10.0)])
    with pytest.raises(ModelError, match="with the gauge comes the profile"):
        Track([Straight(10.0)], gauge=1.435)
    with pytest.raises(ModelError, match="straight: length must be positive"):
        Straight(-1.0)
    with pytest.raises(ModelError, match="a cant would jump"):
        Cosine(1.0, 50.0, cant=0.1)
    with pytest.raises(ModelError, match="side must be one of left, right"):
        Track([Straight(10.0)], distance=1.5).rail("middle")
    with pytest.raises(ModelError, match=r"gauge must be positive and in metres, such as 1.435, got 1435"):
        Track([Straight(10.0)], gauge=1435, profile=uic60())
    with pytest.raises(ModelError, match=r"distance of the rails must be positive and in metres, .* got 1500"):
        Track([Straight(10.0)], distance=1500)
    for cant in (80.0, -1.0):
        with pytest.raises(
            ModelError, match=rf"segment 1 \(Arc\) has a cant of {abs(cant):g} m; .* outer rail in metres"
        ):
            Track([Clothoid(40.0), Arc(50.0, 600.0, cant=cant), Clothoid(40.0)], distance=1.5)
    with pytest.raises(ModelError, match=r"segment 0 \(Arc\) has a radius of 0.5 m; it must be larger than half"):
        Track([Arc(50.0, 0.5)], distance=1.5)
    with pytest.raises(ModelError, match=r"clothoid: start must be SegmentEnd\(curvature, cant\).* got \(0, 0\)"):
        Clothoid(30.0, start=(0, 0))
    with pytest.raises(ModelError, match="clothoid: end: cant must be a number"):
        Clothoid(30.0, end=SegmentEnd(0.0, "high"))
    with pytest.raises(ModelError, match="wavelength must be positive"):
        harmonic(0.01, 0.0)


def test_knots_follow_the_shortest_wave():
    """A wave between knots would come out as another one."""
    with pytest.raises(ModelError, match=r"knots every 5 m cannot follow irregularities of 1 m; .* at most 0\.25 m"):
        Track([Straight(100.0)], distance=1.5, spacing=5.0, irregularities=[harmonic(1e-3, 1.0)])
    assert Track([Straight(20.0)], distance=1.5, spacing=0.25, irregularities=[harmonic(1e-3, 1.0)]).spacing == 0.25
