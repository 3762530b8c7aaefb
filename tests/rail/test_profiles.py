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
    profile_of_function,
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


# ------------------------------------------------------------------------------------------- what points do not tell

WHEEL = np.stack([np.arange(-60.0, 60.1, 0.25), -s1002_heights(np.arange(-60.0, 60.1, 0.25))], axis=1)
TREAD = np.stack([np.arange(-30.0, 31.0), np.arange(-30.0, 31.0) / 40.0], axis=1)


def written(folder, points, name="points.txt", form="{:.6f} {:.6f}", comma="."):
    file = folder / name
    file.write_text("\n".join(form.format(u, z) for u, z in points).replace(".", comma), encoding="utf-8")
    return file


@pytest.mark.parametrize("signs", [(1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)])
def test_a_flange_tells_side_and_direction(tmp_path, signs):
    """However points are turned, and whatever of it is said, it is the same wheel."""
    file = written(tmp_path, WHEEL * signs)
    mirror, z_down = (sign < 0.0 for sign in signs)
    for options in ({}, {"z_down": z_down}, {"mirror": mirror}, {"z_down": z_down, "mirror": mirror}):
        found = read_profile(file, "wheel", radius=0.46, **options)
        at = np.array([-0.05, -0.042, -0.03, 0.0, 0.05])
        assert found(at) == pytest.approx(-0.46 - 1e-3 * s1002_heights(1e3 * at), abs=1e-5)
    for wrong in ({"z_down": not z_down}, {"mirror": not mirror}):
        (name, _), *_ = wrong.items()
        with pytest.raises(ModelError, match=f"the flange is .* give {name}={not wrong[name]}"):
            read_profile(file, "wheel", radius=0.46, **wrong)
    if mirror or z_down:
        asked = " and ".join(f"{name}=True" for name, on in (("z_down", z_down), ("mirror", mirror)) if on)
        with pytest.raises(ModelError, match=f"the flange is .* give {asked}$"):
            profile_of_points(WHEEL * signs, "wheel", radius=0.46)


def test_a_side_face_is_no_flange(tmp_path):
    face = np.stack([np.full(30, 60.1), WHEEL[-1, 1] + np.arange(30.0)], axis=1)
    whole = read_profile(written(tmp_path, np.vstack([WHEEL, face])), "wheel", radius=0.46)
    assert whole(-0.05) == pytest.approx(-0.46 - 1e-3 * s1002_heights(-50.0), abs=1e-5)
    tread = np.vstack([WHEEL[WHEEL[:, 0] > -30.0], face])
    with pytest.raises(ModelError, match="no flange"):
        read_profile(written(tmp_path, tread), "wheel", radius=0.46)


def test_treads_without_a_flange_must_be_told_how_they_are_meant(tmp_path):
    u = TREAD[:, 0]
    file = written(tmp_path, np.stack([u, u / 40.0 + u**2 / 1200.0], axis=1), form="{:.9f} {:.9f}")
    with pytest.raises(ModelError, match=r"'points.txt': the points have no flange.* give z_down=False .*mirror=False"):
        read_profile(file, "wheel", radius=0.46)
    with pytest.raises(ModelError, match=r"how they are meant; give mirror=False"):
        read_profile(file, "wheel", radius=0.46, z_down=False)
    up = read_profile(file, "wheel", radius=0.46, z_down=False, mirror=False)
    assert up.curvature(0.0) == pytest.approx(1.0 / 0.6 / (1.0 + 1.0 / 1600.0) ** 1.5, rel=1e-5)
    other = read_profile(file, "wheel", radius=0.46, z_down=True, mirror=True)
    assert other.curvature(0.0) == pytest.approx(-1.0 / 0.6 / (1.0 + 1.0 / 1600.0) ** 1.5, rel=1e-5)
    flat = written(tmp_path, TREAD * [1.0, 0.0])
    with pytest.raises(ModelError, match="too flat to tell"):
        read_profile(flat, "rail")


def test_a_rail_of_the_right_side_is_told_by_its_lean():
    left = uic60(1.0 / 40.0)
    outline = 1e3 * left.points
    with pytest.raises(ModelError, match=r"leans by 1:40 to positive u, .* give mirror=True"):
        profile_of_points(outline * [-1.0, 1.0], "rail")
    with pytest.raises(ModelError, match="give mirror=False"):
        profile_of_points(outline, "rail", mirror=True)
    right = profile_of_points(outline * [-1.0, 1.0], "rail", mirror=True)
    assert right.gauge_point() == pytest.approx(left.gauge_point(), abs=1e-9)
    # Upright ones and worn ones do not tell it.
    profile_of_points(1e3 * uic60(0.0).points * [-1.0, 1.0], "rail")
    worn = outline * [-1.0, 1.0]
    worn[:, 1] -= 2.0 * np.clip((worn[:, 0] - 20.0) / 20.0, 0.0, None) ** 2
    profile_of_points(worn, "rail")


# --------------------------------------------------------------------------------------------------- separators, units


@pytest.mark.parametrize("form", ["{:.4f};{:.4f}", "{:.4f} ; {:.4f};", "{:.4f}\t{:.4f}", "  {:.4f}   {:.4f}"])
def test_decimal_commas_are_read_where_they_are_no_separators(tmp_path, form):
    points = HEAD * [1.0, -1.0]
    expected = read_profile(written(tmp_path, points, form="{:.4f} {:.4f}"), "rail")
    found = read_profile(written(tmp_path, points, form=form, comma=","), "rail")
    assert np.array_equal(found.points, expected.points)
    assert found.points == pytest.approx(1e-3 * points, abs=1e-7)


@pytest.mark.parametrize("start", ["\ufeff", "u,z\n", "\ufeff# left rail\nu, z\n", '"u [mm]","z [mm]"\n'])
def test_a_line_of_names_and_a_byte_order_mark_may_come_first(tmp_path, start):
    file = tmp_path / "head.csv"
    file.write_text(start + "\n".join(f"{u},{-z}" for u, z in HEAD), encoding="utf-8")
    assert read_profile(file, "rail").points == pytest.approx(1e-3 * HEAD * [1.0, -1.0], abs=1e-12)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("-55,00,-27,3\n", "line 1: 4 numbers where 2 are expected, .*if commas are decimal, separate numbers by ';'"),
        ("-55.0 -27.3 0.1\n", "line 1: 3 numbers where 2 are expected, .*keep those of u and z only"),
        ("1,0 2,0\n# then\n3,4\n", "commas are decimal in line 1 and separate numbers in line 3"),
        ("1,5.2;3\n", "line 1: expected 2 numbers"),
        ("1;;2\n", "line 1: expected 2 numbers"),
        ("a b\nc d\n", "line 2: expected 2 numbers"),
        ("z,u\n1,2\n", "line 1: columns must be u and z in this order"),
    ],
)
def test_unclear_lines_are_refused(tmp_path, text, message):
    file = tmp_path / "head.txt"
    file.write_text(text)
    with pytest.raises(ModelError, match=f"profile 'head.txt': {message}"):
        read_profile(file, "rail")


def test_units_of_simpack_files(tmp_path):
    file = tmp_path / "head.prr"

    def read(options, **given):
        lines = "\n".join(f"{u} {-z} 1.0" for u, z in HEAD)
        file.write_text(f"spline.begin\n{options}\npoint.begin\n{lines}\npoint.end\nspline.end\n")
        return read_profile(file, **given)

    for found in (
        read("units.len.f = 1000"),
        read("units.len.f = 1000", unit="mm"),
        read("", unit="mm"),
    ):
        assert found.points == pytest.approx(1e-3 * HEAD * [1.0, -1.0], rel=1e-12)
    for options, given, message in (
        ("", {}, "no units.len.f, so that its unit is open; give unit='mm' or unit='m'"),
        ("units.len.f = 1000", {"unit": "m"}, "1000 per metre, which is not unit='m'"),
        ("units.len.f = 0", {}, "units.len.f must be a positive number, got '0'"),
        ("units.len.f = 1000\nunits.ang.f = 0", {}, "units.ang.f must be a positive number"),
        ("units.len.f = 1", {}, "60 m wide with unit='m', .*give unit='mm'"),
    ):
        with pytest.raises(ModelError, match=message):
            read(options, **given)


def test_columns_of_miniprof_files(tmp_path):
    file = tmp_path / "head.ban"
    file.write_text("ColumnDef=X,Y\n\n" + "\n".join(f"{u} {-z} 0" for u, z in HEAD))
    with pytest.raises(ModelError, match="line 3: 3 numbers where 2 are expected"):
        read_profile(file)
    file.write_text("ColumnDef=X,Y,A\n\n" + "\n".join(f"{u} {-z} 0" for u, z in HEAD).replace(".", ","))
    assert read_profile(file).points == pytest.approx(1e-3 * HEAD * [1.0, -1.0], rel=1e-12)


@pytest.mark.parametrize(
    ("change", "unit", "message"),
    [
        (lambda p: p, "m", "60 m wide with unit='m', .* give unit='mm'"),
        (lambda p: 1e-3 * p, "mm", "0.06 mm wide with unit='mm'; give unit='m'"),
        (lambda p: p + np.array([100.0, 0.0]), "mm", "from u = 70 to 130 mm and leave out u = 0"),
    ],
)
def test_points_that_no_profile_has_are_refused(change, unit, message):
    with pytest.raises(ModelError, match=f"profile 'tread': the points (are|go) {message}"):
        profile_of_points(change(TREAD), "wheel", "tread", radius=0.46, unit=unit)


@pytest.mark.parametrize("radius", [460.0, 0.0, -0.46, 0.01])
def test_radii_are_those_of_wheels(radius):
    for make in (s1002, lambda r: cone(r, 0.05), lambda r: profile_of_points(TREAD, "wheel", radius=r)):
        with pytest.raises(ModelError, match=rf"radius must be from 0.02 to 3 m, got {radius:g}; give it in metres"):
            make(radius)


def test_ranges_are_two_numbers():
    for valid in (0.025, (1, 2, 3), [[0.0, 1.0]]):
        with pytest.raises(ModelError, match="valid must be two numbers, the ends of the range"):
            profile_of_points(TREAD, "wheel", radius=0.46, valid=valid)
        with pytest.raises(ModelError, match="profile 'flat': valid must be two numbers"):
            profile_of_function(np.zeros_like, valid, "rail", "flat")
    with pytest.raises(ModelError, match="the smaller one first"):
        profile_of_points(TREAD, "wheel", radius=0.46, valid=(0.02, -0.02))
    with pytest.raises(ModelError, match=r"read_profile has no argument 'smooth'; did you mean 'smoothing'"):
        read_profile("head.txt", "rail", smooth=1.0)


# ----------------------------------------------------------------------------------------------------------- outliers


def test_single_points_that_do_not_fit_are_named():
    """Anywhere on a wheel, its flank too."""
    for k in range(8, len(WHEEL) - 8, 9):
        points = WHEEL.copy()
        points[k, 1] += 6.0 * (-1.0) ** k
        with pytest.raises(ModelError, match=rf"\({points[k, 0]:g}, {points[k, 1]:g}\) mm does not fit between"):
            profile_of_points(points, "wheel", radius=0.46)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda u, z: np.where(u == 10.0, 30.0, z), r"\(10, 30\) mm does not fit between \(9, 0.225\) mm and \(11, "),
        (lambda u, z: np.where(u == 0.0, 30.0, z), r"\(0, 30\) mm does not fit"),
        (lambda u, z: np.where(abs(u - 10.5) < 1.0, 30.0, z), r"\(10, 30\) mm, \(11, 30\) mm does not fit"),
    ],
)
@pytest.mark.parametrize("order", [1, -1])
def test_outliers_do_not_cut_the_range(change, message, order):
    points = TREAD.copy()
    points[:, 1] = change(*TREAD.T)
    with pytest.raises(ModelError, match=message):
        profile_of_points(points[::order], "wheel", radius=0.46)


def test_one_place_has_one_height():
    points = np.insert(TREAD, 35, [5.0, 0.2], axis=0)
    with pytest.raises(ModelError, match=r"the points \(5, 0.2\) mm and \(5, 0.125\) mm have the same u; remove one"):
        profile_of_points(points, "wheel", radius=0.46)


def test_flanges_and_noise_are_no_outliers():
    steep = WHEEL.copy()
    steep[:, 1] *= 1.6  # a flank of 77 degrees, steeper than profiles may be, with the top of the flange behind it
    at = steep[:, 0]
    cut = profile_of_points(steep, "wheel", radius=0.46).valid
    assert -0.042 < cut[0] < -0.036
    assert cut[1] == pytest.approx(1e-3 * at[-1])
    random = np.random.default_rng(2)
    u = np.sort(random.uniform(-25.0, 25.0, 5000))
    u = u[np.append(True, np.diff(u) > 1e-4)]
    points = np.stack([u, np.sqrt(300.0**2 - u**2) - 300.0 + 0.005 * random.normal(size=u.size)], axis=1)
    assert (np.abs(np.diff(points[:, 1])) > 4.0 * np.diff(u)).sum() > 10
    dense = profile_of_points(points, "rail", deviation=0.005e-3)
    assert dense.valid == pytest.approx((1e-3 * u[0], 1e-3 * u[-1]))
    assert dense(0.01) == pytest.approx(np.sqrt(0.09 - 1e-4) - 0.3, abs=2e-5)
