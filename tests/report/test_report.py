"""The report as text: complete, escaped, self-contained; its numbers those of the run."""

import base64
import gzip
import hashlib
import json
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from report.runs import EVIL, deforming, four_bar, run, travelling

import dalembert as da
from dalembert.errors import DalembertError
from dalembert.problems import mechanisms
from dalembert.report import report
from dalembert.report.body_parts import inertia_box, layers_of, parts_of, places_on
from dalembert.report.packing import Blobs, unpacked_curve
from dalembert.report.page import embed
from dalembert.report.quantities import Plotted, chosen_plots, quantities_of
from dalembert.report.stage import Stage, of_sketch
from dalembert.solution import DrawnBody, Sketch, Solution, load

ROOT = Path(__file__).parents[2]
VOID = {"meta", "input", "br", "img", "path", "circle"}


class Parsed(HTMLParser):
    """Elements with attributes, texts by element; complains about elements that are not closed in order."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.texts, self.open = [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append((self.open[-1] if self.open else "", data))

    def count(self, tag):
        return sum(name == tag for name, _ in self.elements)

    def scripts(self):
        """Header, data, program."""
        return [text for tag, text in self.texts if tag == "script"]


def page(solution, tmp_path, **options):
    return report(solution, tmp_path / "run.html", **options).read_text(encoding="utf-8")


def header(solution, tmp_path, **options):
    """Header of the page, and a function that gives its blobs."""
    head, data, _ = Parsed(page(solution, tmp_path, **options)).scripts()
    head, data = json.loads(head), base64.b64decode(data)
    return head, lambda k: data[head["blobs"][k][0] : sum(head["blobs"][k])]


def test_texts_stay_texts(tmp_path):
    parsed = Parsed(page(run(), tmp_path))
    assert (parsed.count("script"), parsed.count("img"), parsed.count("canvas")) == (3, 0, 1)
    for tag in ("title", "h1", "span"):
        assert (tag, EVIL) in parsed.texts
    head = json.loads(parsed.scripts()[0])
    assert (
        head["message"] == EVIL and [EVIL, EVIL] in head["parameters"] and ["right-hand sides", "4711"] in head["work"]
    )
    assert "<" not in parsed.scripts()[0] and embed("</script>") == '"\\u003c/script\\u003e"'


def test_nothing_comes_from_elsewhere(tmp_path):
    parsed = Parsed(page(run(), tmp_path))
    assert not any({"src", "href", "style", "onclick"} & attributes.keys() for _, attributes in parsed.elements)
    # The policy allows exactly our style and our program.
    (policy,) = (a["content"] for _, a in parsed.elements if a.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none'") and "unsafe" not in policy
    (style,) = (text for tag, text in parsed.texts if tag == "style")
    for source in (style, parsed.scripts()[2]):
        digest = base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy


def test_the_bundle_belongs_to_its_sources():
    done = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "viewer.py"), "--check"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    licences = (ROOT / "src/dalembert/report/viewer-licences.txt").read_text(encoding="utf-8")
    assert "three.js" in licences and "uPlot" in licences and licences.count("MIT License") >= 1


def test_curves_are_the_doubles_of_the_run(tmp_path):
    s = four_bar()
    head, blob = header(s, tmp_path)
    clocks = [unpacked_curve(blob(one["blob"]), one["n"]) for one in head["clocks"]]
    assert len(clocks) == 2 and np.isin(s.t, clocks[1]).all()
    seen = 0
    for entry in head["quantities"]:
        t = clocks[entry["clock"]]
        rows = np.array([unpacked_curve(blob(curve["blob"]), t.size) for curve in entry["curves"]])
        stored = np.atleast_2d(s[entry["name"]])
        if len(stored) != len(rows):
            continue
        at = np.searchsorted(t, s.t)
        np.testing.assert_array_equal(rows[:, at], stored)
        seen += 1
    assert seen >= 20


def test_the_first_plots_are_those_that_are_named(tmp_path):
    s = four_bar()
    assert header(s, tmp_path)[0]["time"] is None
    head, blob = header(s, tmp_path, plots=["energy", "A.force.y", "energy"], time=0.25)
    assert head["first"] == ["energy", "A.force.y"] == [one["name"] for one in head["quantities"][:2]]
    assert head["time"] == 0.25
    names = [one["name"] for one in head["quantities"]]
    assert len(set(names)) == len(names) and {"A.force", "A.angle"} <= set(names)
    titled = {"forces": ["A.force", "B.force.x"], "crank": "A.angle"}
    head, blob = header(s, tmp_path, plots=titled)
    entry, other = head["quantities"][:2]
    assert head["first"] == ["forces", "crank"] and other["labels"] == [""] and other["unit"] == "rad"
    assert entry["labels"] == ["A.force.x", "A.force.y", "B.force.x"] and entry["unit"] == "N"
    t, *rows = (
        unpacked_curve(blob(one["blob"]), head["clocks"][1]["n"]) for one in (head["clocks"][1], *entry["curves"])
    )
    stored = np.array(rows)[:, np.searchsorted(t, s.t)]
    np.testing.assert_array_equal(stored, np.vstack([s["A.force"], s["B.force.x"]]))
    assert header(s, tmp_path, plots=[])[0]["first"] == []
    assert '"first":["energy"]' in s.view(plots=["energy"], time=0.5).html


def test_curves_in_one_plot_may_have_different_instants():
    clocks = [np.array([0.0, 1.0]), np.array([0.0, 0.5, 1.0])]
    coarse = Plotted("a", "Sensors", "m", np.array([[1.0, 2.0]]), ("",))
    fine = Plotted("b", "Sensors", "m", np.array([[3.0, 4.0, 5.0]]), ("",), clock=1)
    (both,) = chosen_plots({"both": ["b", "a"]}, clocks, [coarse, fine])
    assert both.clock == 0 and both.labels == ("b", "a") and both.rows.tolist() == [[3.0, 5.0], [1.0, 2.0]]
    (alone,) = chosen_plots({"alone": "b"}, clocks, [coarse, fine])
    assert alone.clock == 1 and alone.name == "alone" and alone.rows is fine.rows


def test_plots_and_times_that_are_not_there_are_refused(tmp_path):
    cases = {
        "did you mean 'energy'": {"plots": ["enregy"]},
        "must be a list": {"plots": "energy"},
        "N and rad": {"plots": {"both": ["A.force.x", "A.angle"]}},
        "names no quantity": {"plots": {"nothing": []}},
        "is the name of a quantity": {"plots": {"energy": "A.angle"}},
        "between 0 and 1 s, got 2": {"time": 2.0},
        "report: time": {"time": "now"},
    }
    s = four_bar()
    for message, options in cases.items():
        with pytest.raises(DalembertError, match=message):
            report(s, tmp_path / "run.html", **options)


def test_poses_are_those_of_the_model_also_far_away(tmp_path):
    for s in (four_bar(), travelling()):
        look = s.appearance
        head, blob = header(s, tmp_path)
        scene = head["scene"]
        sizes = [body["size"] for body in scene["bodies"]]
        for k, body in enumerate(look.bodies):
            place, turn = unpacked(scene, blob, k)
            assert np.abs(place - body.position).max() < 2e-5 * sum(sizes)
            away = np.abs(turn - np.sign(np.sum(turn * body.rotation, axis=1, keepdims=True)) * body.rotation)
            assert away.max() < 1.2e-5


def unpacked(scene, blob, k):
    """Places and Euler parameters of a body, by the formulas of the page."""
    n, tracks = scene["n"], {}
    for key, width in (("position", 3), ("rotation", 4)):
        entry = scene["poses"][key]
        data = np.frombuffer(gzip.decompress(blob(entry["blob"])), np.uint8).reshape(entry["bytes"], -1).astype(object)
        z = sum(row * 256**i for i, row in enumerate(data))
        d = np.array([-(x + 1) // 2 if x % 2 else x // 2 for x in z], dtype=object).reshape(-1, n).T
        for _ in range(entry["order"]):
            d = np.cumsum(d, axis=0) % 256 ** entry["bytes"]
        tracks[key] = (np.array(entry["low"]) + entry["quantum"] * d.astype(float)).reshape(n, -1, width)
    p = tracks["rotation"].copy()

    def product(a, b):
        a, b = np.broadcast_arrays(a, b)
        first = a[..., :1] * b[..., :1] - (a[..., 1:] * b[..., 1:]).sum(axis=-1, keepdims=True)
        rest = a[..., :1] * b[..., 1:] + b[..., :1] * a[..., 1:] + np.cross(a[..., 1:], b[..., 1:])
        return np.concatenate([first, rest], axis=-1)

    for j, carrier in enumerate(scene["poses"]["carriers"]):
        if carrier is not None:
            back = np.array(carrier["B"]) * [1, -1, -1, -1]
            p[:, j] = product(np.array(carrier["A"]), product(p[:, j], back))
            if carrier["body"] >= 0:
                p[:, j] = product(p[:, carrier["body"]], p[:, j])
            p[:, j] /= np.linalg.norm(p[:, j], axis=1, keepdims=True)

    def turned(j, r):
        e = p[:, j] / np.linalg.norm(p[:, j], axis=1, keepdims=True)
        w, v = e[:, :1], e[:, 1:]
        return r + 2 * np.cross(v, np.cross(v, r) + w * np.asarray(r))

    def place(j):
        found, carrier = tracks["position"][:, j], scene["poses"]["carriers"][j]
        if carrier is None:
            return found
        base = (
            np.array(carrier["a"])
            if carrier["body"] < 0
            else place(carrier["body"]) + turned(carrier["body"], carrier["a"])
        )
        return found + base - turned(j, carrier["b"])

    return place(k), p[:, k]


def test_what_travels_is_followed(tmp_path):
    scene = header(travelling(), tmp_path)[0]["scene"]
    assert scene["follow"] == 0 and scene["size"] < 5.0
    assert header(four_bar(), tmp_path)[0]["scene"]["follow"] == -1


def test_planar_models_are_planar(tmp_path):
    scene = header(four_bar(), tmp_path)[0]["scene"]
    assert (scene["plane"], scene["labels"], scene["up"]) == ("xy", ["x", "y"], [0.0, 1.0, 0.0])
    assert [part["kind"] for body in scene["bodies"] for part in body["parts"]] == ["link"] * 3
    layers = layers_of(four_bar().appearance)
    assert layers[0] != layers[1] != layers[2]


def test_bodies_without_shapes_are_bars_plates_and_boxes():
    body = DrawnBody("b", np.zeros((1, 3)), [[1.0, 0, 0, 0]], 2.0, [0.5, 0, 0], np.diag([0.1, 0.4, 0.4]))
    points = np.array([[0.0, 0, 0], [1.0, 0, 0], [0.5, 1.0, 0], [0.5, 0.3, 0]])
    assert [part["kind"] for part in parts_of(body, points[:0], 0.1, False)] == ["box"]
    assert [part["kind"] for part in parts_of(body, points[:1], 0.1, False)] == ["bar", "box"]
    assert [part["kind"] for part in parts_of(body, points[:2], 0.1, True)] == ["link"]
    (plate,) = parts_of(body, points, 0.1, True)
    assert len(plate["points"]) == 3 and len(plate["holes"]) == 4  # one point lies inside of the hull
    assert len(parts_of(body, points, 0.1, False)) == 4


def test_the_box_has_the_inertia_of_the_body():
    m, sides = 3.0, np.array([0.4, 1.0, 0.7])
    a, b, c = sides**2
    inertia = m / 12 * np.diag([b + c, a + c, a + b])
    found, axes = inertia_box(DrawnBody("b", np.zeros((1, 3)), [[1.0, 0, 0, 0]], m, np.zeros(3), inertia))
    np.testing.assert_allclose(np.abs(axes) @ found, sides, rtol=1e-12)


def test_places_are_told_once():
    found = places_on(four_bar().appearance)
    assert {name: len(points) for name, points in found.items()} == {"ground": 2, "crank": 2, "coupler": 2, "rocker": 2}


def test_vectors_are_one_quantity():
    _, found = quantities_of(four_bar())
    names = [one.name for one in found]
    assert "A.force" in names and "A.force.x" not in names
    force = found[names.index("A.force")]
    assert force.labels == ("x", "y") and force.unit == "N" and force.group == "Forces"


def test_a_sketch_becomes_tracks(tmp_path):
    s = run()
    look = of_sketch(s.sketch)
    assert [(track.name, track.kind, len(track.points)) for track in look.tracks] == [
        (EVIL, "line", 21),
        ("ground", "line", 1),
    ]
    head, _ = header(s, tmp_path)
    assert [track["points"] for track in head["scene"]["tracks"]] == [5, 2] and head["scene"]["plane"] == "xy"
    in_space = of_sketch(Sketch([0.0], {"mast": np.zeros((1, 2, 3)), "flat": np.zeros((1, 2, 2))}))
    assert in_space.plane == "" and in_space.tracks[1].points.shape == (1, 2, 3)


def test_tracks_of_lines_points_and_surfaces(tmp_path):
    head, blob = header(deforming(), tmp_path)
    line, points, sheet = head["scene"]["tracks"]
    assert (line["kind"], line["frames"], points["frames"], sheet["points"]) == ("line", 30, 1, 9)
    gaps = np.frombuffer(gzip.decompress(blob(line["gaps"])), np.uint8).reshape(30, 9)
    assert (gaps[:, 4] == 1).all() and gaps.sum() == 30
    assert np.frombuffer(gzip.decompress(blob(sheet["faces"])), "<u4").reshape(-1, 3).shape == (4, 3)


def test_a_run_without_drawing_has_no_scene(tmp_path):
    assert header(run(sketch=False), tmp_path)[0]["scene"] is None
    for lines in ({}, {"rod": np.full((21, 2, 2), np.nan)}, {"rod": np.empty((21, 0, 2))}):
        s = run(sketch=False)
        s.sketch = Sketch(s.t, lines)
        assert header(s, tmp_path)[0]["scene"] is None


def test_nothing_to_show_is_an_error(tmp_path):
    empty = {key: np.zeros((0, 21)) for key in ("q", "v", "a")}
    with pytest.raises(DalembertError, match=r"report of 'chain': .* nothing to show"):
        report(run(sketch=False, outputs={}, names={}, title="chain", **empty), tmp_path / "run.html")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(DalembertError, match="max_mb must be between 1 and 1000"):
        report(run(), tmp_path / "run.html", max_mb=0.1)


def test_a_stored_run_gives_the_same_page(tmp_path):
    # Multipliers between steps are solved for in a live run, and polynomials in a stored one.
    stored = load(four_bar().save(tmp_path / "four-bar.nc"))
    for s in (run(), stored, deforming()):
        assert page(load(s.save(tmp_path / "run.nc")), tmp_path) == page(s, tmp_path)


def test_half_a_surrogate_pair_does_no_harm(tmp_path):
    parsed = Parsed(page(run(title="\ud800 \x00 \u2028"), tmp_path))
    assert ("h1", "\N{REPLACEMENT CHARACTER} \x00 \u2028") in parsed.texts  # as HTML reads a reference to such a half


def test_large_runs_stay_within_their_size_and_say_what_is_missing(tmp_path):
    n = 4001
    t = np.linspace(0, 10, n)
    q = np.cumsum(np.random.default_rng(3).normal(size=(120, n)), axis=1)
    s = run(sketch=False, t=t, q=q, v=q, a=q, lam=np.zeros((0, n)), u=np.zeros((0, n)), names={}, events=[], outputs={})
    head, _ = header(s, tmp_path, max_mb=2.5)
    assert (tmp_path / "run.html").stat().st_size <= 2.5e6
    exact = [all("quantum" not in curve for curve in entry["curves"]) for entry in head["quantities"]]
    assert exact[0] and not exact[-1] and 0 < sum(exact) < len(exact) < 240
    assert f"{240 - len(exact)} quantities are not in this page" in head["notes"][0]


def test_long_motions_are_thinned_and_say_so(tmp_path):
    s = travelling(n=30_000)
    head, _ = header(s, tmp_path)
    assert head["scene"]["n"] < 30_000 and head["notes"][0] == f"{head['scene']['n']} of 30000 frames are shown."


def test_numbers_that_cannot_be_drawn_are_left_out():
    s = run()
    s.sketch.lines[EVIL][3, 0] = 1e200
    stage = Stage(of_sketch(s.sketch), Blobs(), 100)
    assert stage.data()["size"] < 10.0


def test_a_view_is_a_frame_of_its_own():
    view = four_bar().view(height=400)
    html = view._repr_html_()
    assert html.startswith("<iframe srcdoc=") and 'sandbox="allow-scripts"' in html and "height:400px" in html
    assert len(html) < 2.5e6 and "<script" not in html
    with pytest.raises(DalembertError, match="view: height"):
        four_bar().view(height=3)


def test_a_run_shows_itself_in_a_notebook():
    assert four_bar()._repr_html_().startswith("<iframe srcdoc=")
    empty = np.zeros((0, 0))
    nothing = Solution(np.zeros(0), empty, empty, empty, empty, empty, title="<b>")
    assert nothing._repr_html_().startswith("<pre>Solution of &#x27;&lt;b&gt;&#x27;")


def test_modes_are_motions(tmp_path):
    m = da.Model("pendulum", plane="xy", gravity=(0, -9.81))
    rod = m.body("rod", mass=1.0, inertia=0.1, com=(0.0, -0.5))
    m.revolute("A", m.ground.at(0, 0), rod.at(0, 0))
    equations = m.equations()
    linear = equations.linearise(equations.assemble({}))
    s = da.draw_mode(equations, linear, amplitude=0.2)
    omega = np.sqrt(9.81 * 0.5 / (0.1 + 0.25))
    assert s.t[-1] == pytest.approx(2 * np.pi / omega) and np.abs(s.q).max() == pytest.approx(0.2)
    assert "Hz" in s.outcome and header(s, tmp_path)[0]["scene"]["bodies"][0]["name"] == "rod"
    with pytest.raises(DalembertError, match="draw_mode: number"):
        da.draw_mode(equations, linear, 5)


def test_contacts_of_wheels_and_their_creep_forces_are_drawn():
    """Where they are measured: points at the foot of the wheels, bars as long as forces are large, all in one scale."""
    example = mechanisms.wheelset(measure=True)
    equations = example.model.equations()
    run = da.simulate(
        equations, (0.0, 0.05), example.assemble(equations), rtol=1e-6, t_eval=np.linspace(0.0, 0.05, 700)
    )
    tracks = {one.name: one for one in run.appearance.tracks}
    axle = next(body for body in run.appearance.bodies if body.name == "axle")
    forces = {side: np.hypot(*run[f"axle {side} creep forces"][:2]) for side in ("left", "right")}
    largest = max(force.max() for force in forces.values())
    lengths = {}
    for side, sign in (("left", 1.0), ("right", -1.0)):
        point, bar = tracks[f"axle {side} contact"].points[:, 0], tracks[f"axle {side} creep force"].points
        away = point - axle.position
        assert np.abs(np.hypot(away[:, 0], away[:, 2]) - 0.46).max() < 2e-3
        assert np.abs(away[:, 1] - sign * 0.735).max() < 0.02
        assert np.array_equal(bar[:, 0], point)
        lengths[side] = np.linalg.norm(bar[:, 1] - point, axis=1)
        assert np.abs(lengths[side] / 0.4 - forces[side] / largest).max() < 1e-9
    bare = mechanisms.wheelset()
    equations = bare.model.equations()
    still = da.simulate(equations, (0.0, 0.001), bare.assemble(equations), rtol=1e-4)
    assert still.appearance.tracks == ()
