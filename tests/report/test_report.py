"""The report as text: complete, escaped, self-contained; its numbers those of the run."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from report.runs import EVIL, run

from dalembert.errors import DalembertError
from dalembert.report import report
from dalembert.report.animation import UNIT, VIEW, embed, prepare
from dalembert.report.plots import _thin, _ticks, plot
from dalembert.solution import DenseOutput, EventRecord, Sketch, Solution, Statistics, load

VOID = {"meta", "input", "br", "img"}


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

    def data(self):
        """The texts of the script elements: data, program."""
        return [text for tag, text in self.texts if tag == "script"]


def page(solution, tmp_path):
    path = report(solution, tmp_path / "run.html")
    return path.read_text(encoding="utf-8")


def test_texts_stay_texts(tmp_path):
    parsed = Parsed(page(run(), tmp_path))
    assert (parsed.count("script"), parsed.count("img"), parsed.count("canvas")) == (2, 0, 1)
    shown = [text for tag, text in parsed.texts]
    for tag in ("title", "h1", "span", "p", "li", "td"):
        assert (tag, EVIL) in parsed.texts
    assert "4711" in shown
    assert any(EVIL in text for tag, text in parsed.texts if tag == "text")


def test_nothing_comes_from_elsewhere(tmp_path):
    text = page(run(), tmp_path)
    parsed = Parsed(text)
    assert not any({"src", "href", "style", "onclick"} & attributes.keys() for _, attributes in parsed.elements)
    assert not re.search(r"https?://|url\(|@import|fetch\(|XMLHttpRequest", text)
    # The policy allows exactly our style and our program.
    (policy,) = (a["content"] for _, a in parsed.elements if a.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none'") and "unsafe" not in policy
    (style,) = (text for tag, text in parsed.texts if tag == "style")
    for source in (style, parsed.data()[1]):
        digest = base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy


def test_frames_are_those_of_the_sketch(tmp_path):
    s = run()
    data = json.loads(Parsed(page(s, tmp_path)).data()[0])
    assert [line["name"] for line in data["lines"]] == [EVIL, "ground"]
    np.testing.assert_allclose(data["t"], s.sketch.t, rtol=1e-8)
    square, ground = (np.array(line["frames"], dtype=float) for line in data["lines"])
    assert ground.shape == (1, 4)  # what never moves is stored once
    low = np.array([-1.0, -1.0])
    back = square.reshape(21, 5, 2) * data["size"] / UNIT + low
    np.testing.assert_allclose(back, s.sketch.lines[EVIL], atol=1e-6 * data["size"])
    width, height = np.array(data["box"]) * data["size"] / UNIT
    assert width == pytest.approx(2) and height == pytest.approx(1 + s.sketch.lines[EVIL][..., 1].max(), rel=1e-5)


def test_a_run_without_drawing_says_so(tmp_path):
    parsed = Parsed(page(run(sketch=False), tmp_path))
    assert parsed.count("canvas") == 0 and parsed.count("svg") == 5
    assert any("stored no drawing" in text for _, text in parsed.texts)
    for lines in ({}, {"rod": np.full((21, 2, 2), np.nan)}, {"rod": np.empty((21, 0, 2))}):
        s = run(sketch=False)
        s.sketch = Sketch(s.t, lines)
        assert "stored no drawing" in page(s, tmp_path)


def test_nothing_to_draw_is_an_error(tmp_path):
    empty = {key: np.zeros((0, 21)) for key in ("q", "v", "a")}
    with pytest.raises(DalembertError, match=r"report of 'chain': .* nothing to draw"):
        report(run(sketch=False, outputs={}, names={}, title="chain", **empty), tmp_path / "run.html")
    assert list(tmp_path.iterdir()) == []


def test_a_stored_run_gives_the_same_page(tmp_path):
    s = run()
    assert page(load(s.save(tmp_path / "run.nc")), tmp_path) == page(s, tmp_path)


def test_half_a_surrogate_pair_does_no_harm(tmp_path):
    parsed = Parsed(page(run(message="\ud800 \x00 \u2028"), tmp_path))
    assert ("p", "\N{REPLACEMENT CHARACTER} \x00 \u2028") in parsed.texts  # as HTML reads a reference to such a half
    assert parsed.count("svg") == Parsed(page(run(), tmp_path)).count("svg") > 0


def test_many_coordinates_are_cut_off_and_counted(tmp_path):
    q = np.zeros((70, 21))
    text = page(run(q=q, v=q, a=q, names={}, events=[]), tmp_path)
    assert Parsed(text).count("svg") == 60 + 1 + 60  # coordinates, a sensor, velocities
    assert text.count("10 more are not shown") == 2


def test_lines_in_space_are_seen_from_a_fixed_side():
    np.testing.assert_allclose(VIEW @ VIEW.T, np.eye(2), atol=1e-15)
    assert VIEW[0, 2] == 0 and VIEW[1, 2] > 0  # z points upwards
    box = np.array([[[0, 0, 0], [0, 0, 2]]], dtype=float)
    drawing = prepare(Sketch([0.0], {"mast": box, "ground": np.zeros((1, 1, 2))}))
    assert "z points upwards" in drawing.notes[0]
    assert drawing.data["box"] == [0, UNIT] and drawing.data["size"] == pytest.approx(2 * VIEW[1, 2])


def test_long_drawings_are_thinned_and_say_so():
    n = 30_000
    line = np.cumsum(np.ones((n, 50, 2)), axis=0)
    drawing = prepare(Sketch(np.arange(n), {"cable": line}))
    assert drawing.notes == [f"{len(drawing.data['t'])} of {n} frames are shown."]
    assert (drawing.data["t"][0], drawing.data["t"][-1]) == (0, n - 1)
    assert len(drawing.data["lines"][0]["frames"]) == len(drawing.data["t"])


@given(hnp.arrays(float, (3, 4, 2), elements=st.floats(-1e3, 1e3) | st.sampled_from([np.nan, np.inf])))
def test_every_point_is_placed_or_left_out(line):
    drawing = prepare(Sketch([0, 1, 2], {"line": line}))
    usable = np.isfinite(line).all(axis=2)
    if not usable.any():
        assert drawing is None
        return
    json.loads(embed(drawing.data))
    frames = np.array(drawing.data["lines"][0]["frames"], dtype=float)
    frames = np.broadcast_to(frames, (3, 8)).reshape(3, 4, 2)
    low = line[usable].min(axis=0)
    back = frames * drawing.data["size"] / UNIT + low
    np.testing.assert_allclose(back[usable], line[usable], atol=1e-6 * drawing.data["size"] + 1e-12)
    np.testing.assert_array_equal(np.isfinite(frames).all(axis=2), usable)
    np.testing.assert_array_equal(np.isfinite(frames).any(axis=2), usable)


@given(st.recursive(st.text() | st.integers(), lambda x: st.lists(x, max_size=4)))
def test_embedded_data_cannot_leave_its_element(data):
    text = embed(data)
    assert not set(text) & set("<>&\u2028")
    assert json.loads(text) == data


def curves(text, name):
    """Points of the curves in the plot with this title, in pixels, and those of its dots."""
    (svg,) = (part for part in re.findall(r"<svg.*?</svg>", text) if f">{name}</text>" in part)
    paths = re.findall(r'<path class="(curve|dots)[^"]*" d="([^"]*)"', svg)
    return [(kind, np.array(re.findall(r"[ML](\S+?) ([-\d.]+)", path), dtype=float)) for kind, path in paths]


def bouncing():
    """A ball that falls from 1 m and bounces once, in two steps; stored, so that the page has no equations."""
    g, hit = 9.81, np.sqrt(2 / 9.81)
    t = np.array([0.0, hit, hit, 1.0])
    v1 = 0.8 * g * hit
    rest = 1.0 - hit
    q = np.array([[1.0, 0.0, 0.0, v1 * rest - g * rest**2 / 2]])
    v = np.array([[0.0, -g * hit, v1, v1 - g * rest]])
    # y = c0 + θ (c1 + (1 − θ) c2): a parabola has c2 = g h²/2
    c = np.zeros((2, 3, 2))
    for k, (a, b, h) in enumerate([(0, 1, hit), (2, 3, rest)]):
        c[k, 0] = q[0, a], v[0, a]
        c[k, 1] = q[0, b] - q[0, a], v[0, b] - v[0, a]
        c[k, 2, 0] = g * h**2 / 2
    dense = DenseOutput([0.0, hit, 1.0], c, (1, 1, 0, 0), None, np.full((2, 1, 1), -g))
    record = EventRecord(0, "hit", hit, q[:, 1], v[:, 1], np.array([-g]), np.zeros(0), np.zeros(0))
    none = np.zeros((0, 4))
    return Solution(
        t, q, v, np.full((1, 4), -g), none, none, names={"q": ("height",)}, sol=dense, events=[record],
        statistics=Statistics(step_min=0.123456789, extra={"projection_iterations": 3, "constraint_residual": 1.5e-16}),
    )  # fmt: skip


def test_curves_are_drawn_between_the_steps(tmp_path):
    """A parabola that was integrated in one step is no straight stroke, and an impact has two sides."""
    text = page(bouncing(), tmp_path)
    (kind, line), (_, dots) = curves(text, "height")
    assert kind == "curve" and len(line) > 500 and len(dots) == 4
    x, y = line.T
    falling = x <= dots[1, 0]
    # y of the page points downwards: the parabola lies above the chord, by a quarter of the fall in its middle
    middle = np.interp((x[0] + dots[1, 0]) / 2, x[falling], y[falling])
    assert middle == pytest.approx(dots[0, 1] + 0.25 * (dots[1, 1] - dots[0, 1]), abs=0.3)
    _, speed = curves(text, "height.rate")[0]
    steps = np.abs(np.diff(speed[:, 1]))
    assert steps.max() > 100 and np.sort(steps)[-2] < 5  # one jump


def test_velocities_multipliers_and_plain_words(tmp_path):
    s = run(lam=np.ones((1, 21)), names={"lam": ("rod",)}, events=[])
    parsed = Parsed(page(s, tmp_path))
    texts = [text for _, text in parsed.texts]
    for title in ("Coordinates (2)", "Sensors (1)", "Multipliers (1)", "Velocities (2)"):
        assert title in texts
    assert "rod" in texts and "External states (0)" not in texts
    texts = [text for _, text in Parsed(page(bouncing(), tmp_path)).texts]
    assert "0.1235" in texts and "iterations of projections" in texts and "largest |g| after a projection" in texts
    assert not any("_" in text for text in texts if "iterations" in text or "residual" in text)


# ---------------------------------------------------------------- plots


@given(
    hnp.arrays(float, 7, elements=st.floats(allow_nan=True, allow_infinity=True)),
    hnp.arrays(float, 7, elements=st.floats(-1e6, 1e6), unique=True),
)
def test_every_plot_is_well_formed(row, t):
    text = plot("name", np.sort(t), row[None])
    Parsed(text)
    assert "nan" not in text and "inf" not in text


@given(st.floats(-1e6, 1e6), st.floats(1e-6, 1e6), st.integers(3, 8))
def test_ticks_are_round_and_told_apart(low, length, about):
    ticks = _ticks(low, low + length, about)
    labels = [label for _, label in ticks]
    assert 1 <= len(ticks) <= about + 2
    assert len(set(labels)) == len(labels)
    slack = 1e-9 * length + 1e-15 * abs(low)
    for value, label in ticks:
        assert low - slack <= value <= low + length + slack
        assert float(label.replace("−", "-")) == pytest.approx(value, rel=1e-9, abs=1e-9 * length)


def test_thinning_keeps_peaks_and_gaps():
    x = np.arange(100_000.0)
    y = np.sin(x / 1000)
    y[12_345], y[54_321], y[77_777] = 9, -9, np.nan
    few_x, few_y = _thin(x, y)
    assert len(few_x) < 2500
    assert {12_345, 54_321, 77_777, 0, 99_999} <= set(few_x.tolist())
    assert (np.nanmax(few_y), np.nanmin(few_y), np.isnan(few_y).sum()) == (9, -9, 1)
