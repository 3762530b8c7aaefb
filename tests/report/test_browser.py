"""The report in a browser: it plays, obeys slider and keys, keeps the proportions, and runs nothing foreign."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from report.runs import EVIL, run

from dalembert.report import report
from dalembert.solution import Sketch

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("PySide6") is None or importlib.util.find_spec("PySide6.QtWebEngineCore") is None,
    reason="needs the package PySide6-WebEngine",
)

ID = "document.getElementById"
POSITION = f"Number({ID}('time').value)"
SLIDE = f"({ID}('time').value = %s, {ID}('time').dispatchEvent(new Event('input')))"
PLAYING = f"{ID}('play').getAttribute('aria-label') === 'Pause'"

# The box around all pixels of one colour (that of line ``number``): left, top, right, bottom.
PAINTED = """(() => {
  const canvas = document.getElementById('canvas');
  const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
  copy.drawImage(canvas, 0, 0);
  const probe = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  probe.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--c%d').trim();
  probe.fillRect(0, 0, 1, 1);
  const [r, g, b] = probe.getImageData(0, 0, 1, 1).data;
  const { data, width, height } = copy.getImageData(0, 0, canvas.width, canvas.height);
  let box = [width, height, -1, -1];
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) {
    const i = 4 * (y * width + x);
    if (data[i] === r && data[i + 1] === g && data[i + 2] === b && data[i + 3] === 255)
      box = [Math.min(box[0], x), Math.min(box[1], y), Math.max(box[2], x), Math.max(box[3], y)];
  }
  return box;
})()"""


def browse(path: Path, *commands: tuple[str, str], flags: str = "") -> dict:
    done = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("browser.py")), str(path)],
        input=json.dumps(commands),
        capture_output=True,
        text=True,
        timeout=150,
        env=os.environ | {"QTWEBENGINE_CHROMIUM_FLAGS": flags},
    )
    if done.returncode == 3:
        pytest.skip(f"the browser cannot run here: {done.stderr}")
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout.splitlines()[-1])
    assert len(answer["values"]) == len(commands), f"stuck at {commands[len(answer['values'])]}: {answer}"
    assert answer["console"] == []
    assert [address.partition(":")[0] for address in answer["requests"]] == ["file"], (
        "nothing but the page is asked for"
    )
    return answer


def values(path, *commands, flags=""):
    answers = browse(path, *commands, flags=flags)["values"]
    return [answer for (kind, _), answer in zip(commands, answers, strict=True) if kind == "js"]


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    return report(run(), tmp_path_factory.mktemp("report") / "run.html")


def test_it_plays_and_pauses(page):
    start, *_, rest = values(
        page,
        ("js", POSITION),
        ("js", f"{ID}('play').click()"),
        ("until", f"{PLAYING} && {POSITION} > 0.02"),
        ("js", f"{ID}('play').focus()"),  # space there must not count twice, as key and as click
        ("key", "Space"),
        ("until", f"!({PLAYING})"),
        ("js", f"window.position = {POSITION}"),
        # two frames of the browser later nothing has moved
        ("js", "requestAnimationFrame(() => requestAnimationFrame(() => { window.drawn = true; }))"),
        ("until", "window.drawn === true"),
        ("js", f"{POSITION} - window.position"),
    )
    assert start == 0 and rest == 0


def test_at_the_end_it_stops_or_begins_anew(page):
    (position,) = values(
        page,
        ("key", "End"),
        ("until", f"{POSITION} === 0.2"),
        ("key", "Space"),
        ("until", f"{PLAYING} && {POSITION} > 0 && {POSITION} < 0.15"),
        ("until", f"{ID}('repeat').checked && ({ID}('repeat').click(), {ID}('speed').selectedIndex = 10, true)"),
        ("until", f"!({PLAYING})"),
        ("js", POSITION),
    )
    assert position == pytest.approx(0.2)


def test_keys_step_by_frames_wherever_the_focus_is(page):
    for focus in ("canvas", "play", "time"):
        _, forth, _, last, _, back, _, first = browse(
            page,
            ("js", f"{ID}('{focus}').focus()"),
            ("key", "Right"),
            ("until", f"{POSITION} > 0"),
            ("key", "End"),
            ("until", f"{POSITION} > 0.15"),
            ("key", "Left"),
            ("until", f"{POSITION} < 0.2"),
            ("js", f"[{POSITION}, {ID}('clock').textContent]"),
        )["values"]
        assert forth is None and last is None and back is None
        assert first == [pytest.approx(0.19), "t = 0.190000 s"]


def test_the_slider_sets_time_clock_cursors_and_drawing(page):
    start, _, moved, clock, cursor, fixed_before, fixed_after = values(
        page,
        ("js", PAINTED % 0),
        ("js", SLIDE % 0.125),  # an eighth of a turn: the square stands on a corner
        ("js", PAINTED % 0),
        ("js", f"{ID}('clock').textContent"),
        ("js", "document.querySelector('.cursor').getAttribute('transform')"),
        ("js", PAINTED % 1),
        ("js", f"({SLIDE % 0}, {PAINTED % 1})"),
    )
    assert clock == "t = 0.125000 s"
    # in a plot 420 wide with margins of 64 and 18
    assert float(cursor[len("translate(") : -len(" 0)")]) == pytest.approx(64 + 0.125 / 0.2 * 338, abs=0.06)
    assert fixed_before == fixed_after
    # Corners have dots, hence a few pixels more than the sides.
    side, diagonal = start[2] - start[0], moved[2] - moved[0]
    assert diagonal / side == pytest.approx(2**0.5, rel=0.03)


def test_proportions_are_kept(page):
    square, ground, shape = values(
        page, ("js", PAINTED % 0), ("js", PAINTED % 1), ("js", f"[{ID}('canvas').width, {ID}('canvas').height]")
    )
    assert shape[0] > 1.2 * shape[1]  # the view is wider than the drawing
    width, height = square[2] - square[0], square[3] - square[1]
    assert abs(width - height) <= 2
    assert ground[2] - ground[0] == pytest.approx(2 * width, rel=0.03)
    assert ground[1] > square[3]  # y points upwards
    assert 0 < min(square[0], square[1], ground[0]) and ground[2] < shape[0] and ground[3] < shape[1]


def test_between_frames_points_move_straight(tmp_path):
    s = run()
    s.sketch = Sketch([0.0, 1.0], {"point": [[[0.0, 0.0]], [[1.0, 0.0]]], "frame": [[[0.0, -1.0], [1.0, -1.0]]] * 2})
    path = report(s, tmp_path / "run.html")
    first, quarter, last = values(path, *(("js", f"({SLIDE % t}, {PAINTED % 0})") for t in (0, 0.25, 1)))
    assert quarter[0] - first[0] == pytest.approx(0.25 * (last[0] - first[0]), abs=1)


def test_foreign_text_stays_text(page):
    title, legend, hacked, elements = values(
        page,
        ("js", "document.title"),
        ("js", "[...document.querySelectorAll('.legend li')].map((item) => item.textContent)"),
        ("js", "typeof window.hacked"),
        ("js", "document.querySelectorAll('img, iframe, script').length"),
    )
    assert title == EVIL
    assert legend == [EVIL, "ground"]
    assert (hacked, elements) == ("undefined", 2)


def test_light_and_dark(page):
    paper = "getComputedStyle(document.body).backgroundColor"
    light = values(page, ("js", paper), ("js", PAINTED % 0))
    dark = values(page, ("js", paper), ("js", PAINTED % 0), flags="--blink-settings=preferredColorScheme=0")
    assert light[0] == "rgb(255, 255, 255)" and dark[0] == "rgb(20, 23, 28)"
    assert light[1] == dark[1]  # the same drawing, in the colours of the scheme


def test_a_run_without_drawing(tmp_path):
    path = report(run(sketch=False), tmp_path / "run.html")
    note, plots, visible = values(
        path,
        ("js", f"{ID}('no-drawing').textContent"),
        ("js", "document.querySelectorAll('svg.plot').length"),
        ("js", "document.querySelector('.cursor').getAttribute('visibility')"),
    )
    assert "stored no drawing" in note and plots == 5 and visible == "hidden"


def test_time_may_run_backwards_and_points_may_be_missing(tmp_path):
    s = run()
    s.sketch.t = -s.sketch.t
    s.sketch.lines[EVIL][10:] = float("nan")
    path = report(s, tmp_path / "run.html")
    begin, end = values(
        path,
        ("js", PAINTED % 0),
        ("key", "End"),
        ("until", f"{ID}('clock').textContent === 't = -0.200000 s'"),
        ("js", PAINTED % 0),
    )
    assert begin[2] > begin[0] and end[2:] == [-1, -1]
