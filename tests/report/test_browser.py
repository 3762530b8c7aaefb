"""The report in a browser with WebGL: it draws, plays, obeys keys and pointer, shows exact values, and runs nothing
foreign."""

from pathlib import Path

import numpy as np
import pytest
from report.chromium import Chromium, obstacle
from report.runs import EVIL, deforming, four_bar, run, travelling

import dalembert as da
from dalembert.problems import mechanisms
from dalembert.report import report

ID = "document.getElementById"
D = "window.dalembert"
#: Share of the pixels of the view that are not background, by reading what was drawn last.
PAINTED = f"""(() => {{
  const view = {D}.page.view;
  view.draw();
  const gl = view.renderer.getContext(), w = gl.drawingBufferWidth, h = gl.drawingBufferHeight;
  const data = new Uint8Array(4 * w * h);
  gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, data);
  let n = 0;
  for (let i = 3; i < data.length; i += 4) if (data[i] > 200) n++;
  return n / (w * h);
}})()"""


@pytest.fixture(scope="module", autouse=True)
def can_run():
    if reason := obstacle():
        pytest.skip(reason)


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    home = tmp_path_factory.mktemp("report")
    runs = {
        "evil": run(),
        "four-bar": four_bar(),
        "car": travelling(),
        "tracks": deforming(),
        "plain": run(sketch=False),
    }
    return {name: report(s, home / f"{name}.html") for name, s in runs.items()}


@pytest.fixture(scope="module")
def browser():
    with Chromium() as found:
        yield found


@pytest.fixture
def opened(browser, pages):
    def open_page(name):
        browser.console.clear(), browser.requests.clear()
        browser.open(pages[name])
        assert browser.js(f"{D}.errors") == [] and browser.console == []
        assert [address.partition(":")[0] for address in browser.requests] == ["file"]
        return browser

    return open_page


def test_it_draws_and_rests(opened):
    page = opened("four-bar")
    page.frames(3)
    assert 0.01 < page.js(PAINTED) < 0.6
    before = page.js(f"{D}.drawn")
    page.frames(30)
    assert page.js(f"{D}.drawn") == before  # nothing is drawn while nothing changes


def test_it_opens_with_the_chosen_plots_and_instant(browser, tmp_path):
    s = four_bar()
    plots = {"turn of the crank": "A.angle", "both forces": ["A.force.x", "A.force.y"]}
    page = browser.open(report(s, tmp_path / "run.html", plots=plots, time=0.5))
    page.until("document.querySelectorAll('.card .value').length === 3")
    heads = page.js("[...document.querySelectorAll('.card h2')].map((one) => one.textContent)")
    assert heads == list(plots) and page.js(f"{D}.time") == 0.5 and page.js(f"{D}.errors") == []
    labels = page.js("[...document.querySelectorAll('.card:last-child .value')].map((one) => one.ariaLabel)")
    assert labels == plots["both forces"]
    column = s.t.size // 2
    assert page.js(f"{D}.value('both forces', {float(s.t[column])!r})") == [s[name][column] for name in labels]


def test_the_road_of_tyres_is_drawn(browser, tmp_path):
    example = mechanisms.hmmwv14()
    equations = example.model.equations()
    s = da.simulate(equations, (0.0, 0.6), example.assemble(equations))
    page = browser.open(report(s, tmp_path / "run.html"))
    page.frames(3)
    crowds = f"[...{D}.page.view.mechanism.crowds.carried.values()]"
    roads = f"{crowds}.filter((one) => one.mesh.material.name === 'scenery')"
    low, high = page.js(
        f"{roads}.map(({{ mesh }}) => {{ mesh.geometry.computeBoundingBox();"
        " const { min, max } = mesh.geometry.boundingBox; return [[min.x, min.y, min.z], [max.x, max.y, max.z]]; })[0]"
    )
    assert low[2] == 0.0 and high[2] == pytest.approx(0.05, abs=1e-4) and low[0] < -2.0 and high[0] > 6.0
    before = page.js(PAINTED)
    page.js(f"{roads}[0].mesh.visible = false, 0")
    assert page.js(f"{roads}.length") == 1 and page.js(PAINTED) < before - 0.05


def test_it_plays_and_pauses(opened):
    page = opened("four-bar")
    page.js(f"{ID}('play').click()")
    page.until(f"{D}.time > 0.02")
    page.js(f"{ID}('play').focus()")  # space there must not count twice, as key and as click
    page.key(" ")
    page.until(f"{ID}('play').getAttribute('aria-label') === 'Play'")
    at = page.js(f"{D}.time")
    page.frames(4)
    assert page.js(f"{D}.time") == at


def test_at_the_end_it_stops_or_begins_anew(opened):
    page = opened("four-bar")
    page.js(f"{D}.page.clock.setRate(1)")
    page.key("End")
    assert page.js(f"{D}.time") == pytest.approx(1.0)
    page.key(" ")
    page.until(f"{D}.page.clock.playing && {D}.time > 0 && {D}.time < 0.9")
    page.key("l")
    page.until(f"!{D}.page.clock.playing")
    assert page.js(f"{D}.time") == pytest.approx(1.0)


def test_keys_step_loop_and_turn_the_view(opened):
    page = opened("four-bar")
    page.key("ArrowRight")
    assert page.js(f"{D}.frame") == 1
    page.key("ArrowRight", shift=True)
    assert page.js(f"{D}.frame") == 11
    page.key("[")
    page.js(f"{D}.go(0.5)")
    page.key("]")
    low, high = page.js(f"{D}.page.clock.range")
    assert 0 < low < high == pytest.approx(0.5) and not page.js(f"{ID}('loop').hidden")
    page.key("\\")
    assert page.js(f"{ID}('loop').hidden")
    for key, kind in (("1", "3-D"), ("3", "side"), ("4", "top"), ("2", "front")):
        page.key(key)
        assert page.js(f"{D}.page.view.kind") == kind
    page.key("f")
    assert page.js(f"{D}.page.poses.follow") == 0
    for layer in ("joints", "forces", "traces", "frames", "ground"):  # switches leave the camera alone
        page.js(f"document.querySelector('[data-layer={layer}]').click()")
        page.frames(2)
    assert page.js(f"{D}.page.poses.follow") == 0 and page.js(f"{D}.errors") == [] and page.console == []
    page.key("f")
    assert page.js(f"{D}.page.poses.follow") == -1


def test_values_are_those_of_the_run(opened):
    page, s = opened("four-bar"), four_bar()
    draw = np.random.default_rng(5)
    names = [name for name in (*s.outputs, *s.names["q"], *s.names["v"], *s.names["lam"]) if "." not in name[-2:-1]]
    for _ in range(60):
        name, column = draw.choice(names), int(draw.integers(s.t.size))
        shown = page.js(f"{D}.value({str(name)!r}, {float(s.t[column])!r})")
        assert shown == np.atleast_2d(s[str(name)])[:, column].tolist()


def test_poses_are_those_of_the_run_also_a_kilometre_away(opened):
    page, s = opened("car"), travelling()
    assert page.js(f"{D}.page.poses.follow") == 0
    for column in range(0, s.t.size, 57):
        for k, body in enumerate(s.appearance.bodies):
            found = np.array(page.js(f"{D}.pose({k}, {float(s.t[column])!r})"))
            assert np.abs(found[:3] - body.position[column]).max() < 2e-5
            turn = np.sign(found[3:] @ body.rotation[column]) * found[3:]
            assert np.abs(turn - body.rotation[column]).max() < 1.2e-5
    page.js(f"{D}.go(39)")
    page.frames(2)
    assert page.js(PAINTED) > 0.005  # it is still in view


def test_dragging_a_plot_moves_time_and_the_wheel_zooms(opened):
    page = opened("four-bar")
    page.until("document.querySelector('.u-over')")
    left, top, width, height = page.js(
        "(() => { const b = document.querySelector('.u-over').getBoundingClientRect();"
        " return [b.left, b.top, b.width, b.height]; })()"
    )
    page.click(left + 0.3 * width, top + 0.5 * height)
    assert page.js(f"{D}.time") == pytest.approx(0.3, abs=0.01)
    page.mouse("mouseWheel", left + 0.3 * width, top + 0.5 * height, deltaX=0, deltaY=-400)
    page.until(f"{D}.page.plots.limits !== null")
    low, high = page.js(f"{D}.page.plots.limits")
    assert 0 <= low < 0.3 < high < 1 and page.js(f"{D}.time") == pytest.approx(0.3, abs=0.01)
    page.click(left + 0.5 * width, top + 0.5 * height, 1)
    page.click(left + 0.5 * width, top + 0.5 * height, 2)
    page.until(f"{D}.page.plots.limits === null")


def test_quantities_are_found_and_added(opened):
    page = opened("four-bar")
    count = page.js("document.querySelectorAll('.card').length")
    page.until("document.querySelectorAll('.card .value').length >= 3")
    page.key("/")
    for letter in "a.force":
        page.key(letter)
    page.until("document.querySelectorAll('#found [role=option]').length === 1")
    page.key("Enter")
    page.until(f"document.querySelectorAll('.card').length === {count + 1}")
    page.until("document.querySelector('.card:last-child h2')")
    heads = page.js("[...document.querySelectorAll('.card h2')].map((one) => one.textContent)")
    assert heads[-1] == "A.force"
    page.until("document.querySelectorAll('.card:last-child .value').length === 2")


def test_a_click_marks_a_body_and_two_follow_it(opened):
    page = opened("four-bar")
    page.frames(3)
    x, y = page.js(
        f"(() => {{ const {{ view }} = {D}.page, b = view.canvas.getBoundingClientRect(), [x, y] = view.project(0);"
        " return [b.left + x, b.top + y]; })()"
    )
    page.click(x, y)
    page.frames(3)
    assert page.js(f"{D}.page.view.selected") == 0
    assert "crank" in page.js(f"{ID}('tag').textContent")
    page.js(f"{ID}('tab-model').click()")
    assert page.js("document.querySelector('.tree .selected .name').textContent") == "crank"


def test_zoom_goes_to_the_cursor(opened):
    page = opened("car")
    before = page.js(f"{D}.page.view.scale")
    page.mouse("mouseWheel", 300, 300, deltaX=0, deltaY=-300)
    page.frames(3)
    assert page.js(f"{D}.page.view.scale") > 1.05 * before


def test_the_run_is_told(opened):
    page = opened("four-bar")
    page.js(f"{ID}('tab-run').click()")
    text = page.js(f"{ID}('panel-run').textContent")
    assert "finished" in text and "right-hand sides" in text and "tolerances" in text
    page.until("document.querySelectorAll('#panel-run .card').length === 2")  # energy and constraint error


def test_foreign_text_stays_text(opened):
    page = opened("evil")
    assert page.js("document.title") == EVIL and page.js("typeof window.hacked") == "undefined"
    for tab in ("model", "run", "plots"):
        page.js(f"{ID}('tab-{tab}').click()")
    assert page.js("document.querySelectorAll('img, iframe').length") == 0
    assert page.js(f"{ID}('panel-run').textContent").count(EVIL) >= 3


def test_tracks_deform(opened):
    page = opened("tracks")
    read = f"Array.from({D}.page.view.mechanism.tracks.list[2].points)"
    page.frames(2)
    first = page.js(read)
    page.js(f"{D}.go(0.25)")
    page.frames(3)
    second = page.js(read)
    assert np.abs(np.subtract(first, second)).max() > 0.01
    assert page.js(f"{D}.page.view.mechanism.tracks.list[0].points[12]") is None  # NaN: a gap


@pytest.mark.parametrize(
    "setting", [{"dark": True}, {"size": (390, 844), "phone": True}, {"webgl": False}, {"reduced": True}]
)
def test_settings(setting, pages):
    with Chromium(**setting) as page:
        page.open(pages["four-bar"])
        assert page.js(f"{D}.errors") == [] and page.console == []
        width, height = page.size
        assert page.js("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]") == [
            width,
            height,
        ]
        dark = page.js("getComputedStyle(document.body).backgroundColor") == "rgb(20, 23, 28)"
        assert dark is setting.get("dark", False)
        if setting.get("webgl", True):
            page.frames(3)
            assert page.js(PAINTED) > 0.01
        else:
            assert "no WebGL" in page.js(f"{ID}('sentence').textContent")
            assert page.js("document.querySelectorAll('.card canvas').length") > 0
        inside = (
            "[...document.querySelectorAll('#transport > *, header > *')].every((one) => "
            "{ const b = one.getBoundingClientRect(); return b.left >= 0 && b.right <= innerWidth + 0.5; })"
        )
        assert page.js(inside)
        page.js(f"{ID}('theme').click()")
        assert (page.js("getComputedStyle(document.body).backgroundColor") == "rgb(20, 23, 28)") is not dark


def test_every_control_has_a_name_and_is_reached_by_tab(opened):
    page = opened("four-bar")
    nameless = page.js(
        "[...document.querySelectorAll('button, input, select, summary, #canvas')]"
        ".filter((one) => one.checkVisibility()"
        " && !(one.getAttribute('aria-label') || one.textContent.trim() || one.labels?.length))"
        ".map((one) => one.outerHTML)"
    )
    assert nameless == []
    page.js("document.activeElement.blur()")
    reached = set()
    for _ in range(60):
        page.key("Tab")
        reached.add(page.js("(({ id, dataset }) => id || dataset.view || dataset.layer || '')(document.activeElement)"))
    assert {
        "theme",
        "help",
        "canvas",
        "fit",
        "follow",
        "3-D",
        "top",
        "joints",
        "play",
        "back",
        "on",
        "time",
        "speed",
        "repeat",
    } <= reached
    assert {"tab-plots", "search"} <= reached


def test_runs_without_much(opened, tmp_path):
    page = opened("plain")
    assert "no drawing" in page.js(f"{ID}('sentence').textContent")
    single = run(n=1, events=[], v=np.zeros((2, 1)), outputs={"both": np.full((2, 1), np.nan)})
    backwards = run()
    backwards.t, backwards.sketch.t = -backwards.t, -backwards.sketch.t
    for s in (single, backwards):
        page.console.clear()
        page.open(report(s, tmp_path / "run.html"))
        page.frames(3)
        assert page.js(f"{D}.errors") == [] and page.console == []
    page.key("End")
    assert page.js(f"{D}.time") == pytest.approx(-0.2)


def test_in_a_notebook(browser, tmp_path):
    path = tmp_path / "notebook.html"
    path.write_text(
        "<!DOCTYPE html><meta charset='utf-8'><script>onmessage = (e) => { window.told = e.data; }</script>"
        + four_bar().view()._repr_html_(),
        encoding="utf-8",
    )
    browser.open(path, ready="window.told?.dalembert === 'ready'")


def test_an_exported_notebook_stays_alive(browser, tmp_path):
    """As nbconvert writes it, without a kernel."""
    nbconvert, v4 = pytest.importorskip("nbconvert"), pytest.importorskip("nbformat.v4")
    shown = v4.new_output("display_data", {"text/html": four_bar()._repr_html_()})
    language = {"language_info": {"name": "python", "pygments_lexer": "python"}}
    notebook = v4.new_notebook(
        metadata=language, cells=[v4.new_markdown_cell("A run"), v4.new_code_cell("", outputs=[shown])]
    )
    path = tmp_path / "notebook.html"
    text, _ = nbconvert.HTMLExporter().from_notebook_node(notebook)
    listener = "<script>addEventListener('message', (e) => { window.told = e.data; })</script>"
    path.write_text(text.replace("<head>", f"<head>{listener}", 1), encoding="utf-8")
    browser.open(path, ready="window.told?.dalembert === 'ready'")
    assert path.stat().st_size < 3e6


AXE = Path(__file__).parents[2] / "viewer" / "node_modules" / "axe-core" / "axe.min.js"


@pytest.mark.skipif(not AXE.exists(), reason="needs axe-core: make viewer ARGS=--packages")
@pytest.mark.parametrize("tab", ["plots", "model", "run"])
def test_rules_of_accessibility(opened, tab):
    page = opened("four-bar")
    page.send("Runtime.evaluate", expression=AXE.read_text(encoding="utf-8"))
    page.js(f"{ID}('tab-{tab}').click()")
    page.frames(2)
    assert (
        page.js("axe.run(document).then((found) => found.violations.map(({ id, nodes }) => [id, nodes[0].html]))") == []
    )
