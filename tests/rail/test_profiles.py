"""Profiles: standards against their formulas and points, files, mirrored sides, and bad data refused by name."""

import numpy as np
import pytest

from dalembert.errors import ModelError
from dalembert.rail import (
    ContactTable,
    Pair,
    cone,
    crown,
    feve_rail,
    feve_wheel,
    profile_of_points,
    read_profile,
    s1002,
    uic60,
    uic60_of_benchmark,
)
from dalembert.rail.standard_profiles import s1002_heights
from dalembert.symbolic import Graph, compile


def test_s1002_is_continuous_and_met_by_its_spline():
    borders = np.array([-62.764705882, -49.662510381, -39.764473993, -38.426669071, -35.0, -26.0, 32.15796])
    assert s1002_heights(borders + 1e-9) == pytest.approx(s1002_heights(borders - 1e-9), abs=2e-4)
    # Points of the Manchester contact benchmark.
    assert s1002_heights([-54.892493, -42.304446, -38.335925, 60.0]) == pytest.approx(
        [27.999518, 20.488738, 11.757921, -2.6356764], abs=3e-6
    )
    u = np.linspace(-0.054, 0.059, 3001)
    profile = s1002(0.46)
    assert 1e3 * profile(u) == pytest.approx(-460.0 - s1002_heights(1e3 * u), abs=0.02)
    assert profile(0.0) == pytest.approx(-0.46, abs=1e-9)
    assert profile(-0.039, 1) == pytest.approx(2.747477419, rel=0.01)  # the flank, 70°


def test_uic60_has_its_radii_and_its_inclination():
    upright, inclined = uic60(0.0), uic60(1.0 / 40.0)
    assert upright.curvature(0.003) == pytest.approx(1.0 / 0.3, rel=1e-3)
    assert upright.curvature(0.018) == pytest.approx(1.0 / 0.08, rel=1e-3)
    assert inclined(0.0) == pytest.approx(0.0, abs=1e-6)
    assert inclined(0.0, 1) == pytest.approx(0.0, abs=1e-4)
    # The symmetry axis is 7.5 mm from the top, towards the track, where the head has a slope of 1:40.
    assert inclined(-0.0075, 1) == pytest.approx(1.0 / 40.0, rel=1e-2)
    points = uic60_of_benchmark().points
    near = points[(points[:, 1] > -0.012) & (points[:, 0] > -0.042) & (points[:, 0] < 0.028)]
    assert inclined(near[:, 0]) == pytest.approx(near[:, 1], abs=1.3e-4)
    assert inclined.gauge_point() == pytest.approx(uic60_of_benchmark().gauge_point(), abs=1e-4)


def test_profiles_of_the_locomotive():
    wheel, rail = feve_wheel(), feve_rail()
    assert (wheel(0.0), rail(0.0)) == pytest.approx((-0.5, 0.159))
    assert wheel(-0.01, 2) == pytest.approx(-3.64, abs=0.01)  # hollow next to the tread line, towards the flange
    assert rail.curvature(0.0) == pytest.approx(4.0, abs=0.01)
    assert wheel(-0.02) < wheel(0.02)  # larger radius towards the flange
    assert not wheel.contains(0.029)
    assert wheel.table.spacing == pytest.approx(0.01)  # no search


def test_a_worn_wheel_touches_once():
    """Arcs lie on the published points; wheel and rail have one contact, which reaches the flange without jumps."""
    wheel, rail = feve_wheel("worn"), feve_rail("arcs")
    u = np.linspace(-0.025, 0.025, 11)  # the published points
    assert rail(u) == pytest.approx(feve_rail()(u), abs=2e-4)
    assert wheel(-0.046, 1) == pytest.approx(2.536, rel=0.02)  # the flange, published at -40 mm
    # Bodies touch where their inclinations agree: there the sum of curvatures is positive.
    on_rail, on_wheel = (np.linspace(*one.valid, 4001) for one in (rail, wheel))
    slopes, round_rail = np.arctan(rail(on_rail, 1))[::-1], rail.curvature(on_rail)[::-1]
    for inclined in (-0.015, -0.01, 0.0, 0.01, 0.015):
        angle = np.arctan(wheel(on_wheel, 1)) + inclined
        inside = (angle > slopes[0]) & (angle < slopes[-1])
        assert (np.interp(angle, slopes, round_rail) + wheel.curvature(on_wheel))[inside].min() > 0.3
    table = ContactTable(Pair(wheel, 1.07), Pair(rail, 1.07), np.linspace(0.0, 7.5e-3, 16))
    assert not table.jumps
    assert not table.notes
    assert table.contacts[0].left.angle < 0.1
    assert table.contacts[-1].left.angle > 0.4


def test_mirrored_profiles():
    profile = s1002()
    other = profile.mirrored()
    u = np.linspace(-0.05, 0.05, 101)
    for order in range(3):
        assert other(-u, order) == pytest.approx((-1.0) ** order * profile(u, order), rel=1e-9, abs=1e-9)
    assert other.valid == (-profile.valid[1], -profile.valid[0])
    assert other.mirrored().name == profile.name
    x = Graph().variable("x")
    function = compile({"f": other(x)}, {"x": x})
    assert function(0.031)["f"] == pytest.approx(profile(-0.031), rel=1e-14)


def test_simple_profiles():
    wheel, head = cone(0.46, 0.05), crown(0.3)
    assert wheel(np.array([-0.01, 0.01])) == pytest.approx([-0.4605, -0.4595])
    assert head.curvature(0.01) == pytest.approx(1.0 / 0.3, rel=1e-4)
    with pytest.raises(ModelError, match="do not fit together"):
        cone(0.46, 20.0)


def test_noisy_points_are_smoothed():
    random = np.random.default_rng(1)
    u = np.linspace(-25.0, 25.0, 501)
    points = np.stack([u, np.sqrt(300.0**2 - u**2) - 300.0 + 0.005 * random.normal(size=u.size)], axis=1)
    rough = profile_of_points(points, "rail", "rough", spacing=1e-4)
    smooth = profile_of_points(points, "rail", "smooth", deviation=0.005e-3)
    at = np.linspace(-0.02, 0.02, 41)
    assert np.abs(rough.curvature(at) * 0.3 - 1.0).max() > 1.0
    assert np.abs(smooth.curvature(at) * 0.3 - 1.0).max() < 0.3


HEAD = np.stack([np.linspace(-30.0, 30.0, 61), 300.0 - np.sqrt(300.0**2 - np.linspace(-30.0, 30.0, 61) ** 2)], axis=1)


def test_files(tmp_path):
    plain = tmp_path / "head.txt"
    plain.write_text("# u, z down\n" + "\n".join(f"{u}, {z}" for u, z in HEAD))
    simpack = tmp_path / "head.prr"
    simpack.write_text(
        "header.begin\n version = 1\nheader.end\nspline.begin\n units.len.f = 1000. ! mm\n mirror.z = 1\n point.begin\n"
        + "\n".join(f"  {u} {z} 1.0" for u, z in HEAD)
        + "\n point.end\nspline.end\n"
    )
    miniprof = tmp_path / "head.ban"
    miniprof.write_text("Date=01-02-2003\nColumnDef=Y,X,*\n\n" + "\n".join(f"{z} {u} 0.0" for u, z in HEAD))
    expected = profile_of_points(HEAD, "rail", z_down=True)
    for file in (plain, simpack, miniprof):
        found = read_profile(file, "rail")
        assert found.name == "head"
        assert found(0.0123) == pytest.approx(expected(0.0123), rel=1e-9)
    flange = np.stack([np.linspace(60.0, -55.0, 400), s1002_heights(np.linspace(60.0, -55.0, 400))], axis=1)
    wheel = tmp_path / "w.whl"
    wheel.write_text("ProgramName=test\n\n" + "\n".join(f"{-u} {z}" for u, z in flange))
    assert read_profile(wheel, radius=0.46)(-0.03) == pytest.approx(s1002()(-0.03), abs=2e-6)


def test_bad_files_are_refused_by_name(tmp_path):
    file = tmp_path / "head.txt"
    file.write_text("0 1\n2 three\n")
    with pytest.raises(ModelError, match=r"'head.txt': line 2: expected 2 numbers, got '2 three'"):
        read_profile(file, "rail")
    with pytest.raises(ModelError, match="say kind='wheel' or kind='rail'"):
        read_profile(file)
    with pytest.raises(ModelError, match="cannot be read"):
        read_profile(tmp_path / "none.prr")
    other = tmp_path / "head.ban"
    other.write_text("ColumnDef=A,B\n\n1 2\n")
    with pytest.raises(ModelError, match="names no X and Y"):
        read_profile(other)
    section = tmp_path / "head.prr"
    section.write_text("point.end\n")
    with pytest.raises(ModelError, match="ends a section that was not begun"):
        read_profile(section)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda p: p[:3], r"shape \(n, 2\) with n >= 6"),
        (lambda p: np.vstack([p[:40], p[30:]]), "goes back behind point"),
        (lambda p: np.vstack([p[:40], p[39:]]), "is that of point"),
        (lambda p: np.where(np.arange(len(p))[:, None] == 7, np.nan, p), r"point 7 is \[nan, nan\]"),
        (lambda p: p * [1e-3, 1.0], "points around u = 0 are less steep"),
    ],
)
def test_bad_points_are_refused_by_name(change, message):
    with pytest.raises(ModelError, match=f"profile 'head': .*{message}"):
        profile_of_points(change(HEAD), "rail", "head", z_down=True)


def test_ranges_and_radii_are_checked():
    with pytest.raises(ModelError, match="range of validity must lie in that of the points"):
        profile_of_points(HEAD, "rail", valid=(-0.05, 0.0))
    with pytest.raises(ModelError, match="a wheel needs its radius"):
        profile_of_points(HEAD, "wheel")
    with pytest.raises(ModelError, match=r"profile 'S1002': radius must be one number, got \[0.46\]"):
        s1002([0.46])
    with pytest.raises(ModelError, match="profile 'UIC60': inclination must be a number"):
        uic60({"slope": 0.025})
    with pytest.raises(ModelError, match="only rails have a gauge point"):
        s1002().gauge_point()
    with pytest.raises(ModelError, match="no point at negative u is 14 mm below the top"):
        crown(0.3).gauge_point()
