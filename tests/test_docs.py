"""Tables of the documentation against the package: nothing is missing, nothing is invented."""

import ast
import inspect
import re
import sys
from pathlib import Path

import pytest
from pages import python_blocks
from scripts import load

import dalembert as da
from dalembert.integrate.methods import registry
from dalembert.model.constraints.constraint_builders import ConstraintBuilders
from dalembert.model.constraints.limit_builders import LimitBuilders
from dalembert.model.forces.drive_builders import DriveBuilders
from dalembert.model.forces.force_builders import ForceBuilders
from dalembert.model.formulate.mechanism import MANY_ELEMENTS
from dalembert.model.joints.joint_builders import JointBuilders
from dalembert.model.model import LARGEST_WHOLE
from dalembert.model.rails.wheelset import RailBuilders
from dalembert.problems import mechanisms

DOCS = Path(__file__).parents[1] / "docs"


def rows(page, heading):
    """Cells of the table that begins with this heading, as lists of words without code marks."""
    lines = (DOCS / page).read_text(encoding="utf-8").splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith(f"| {heading} |"))
    found = []
    for line in lines[first + 2 :]:
        if not line.startswith("|"):
            break
        found.append([cell.strip() for cell in line.strip("|").split("|")])
    return found


def test_every_problem_is_listed():
    table = rows("problems.md", "function")
    assert [name.strip("`") for name, *_ in table] == da.problems.names()
    for name, title, size, good in table:
        problem = da.problems.get(name.strip("`"))
        assert (title, int(size)) == (problem.title, len(problem.coordinates)) and good


def test_every_mechanism_is_listed():
    listed = [name.strip("`") for name, _ in rows("problems.md", "function | mechanism")]
    assert listed == [name for name in mechanisms.__all__ if name.islower()]


def test_every_option_of_a_run_is_listed():
    options = {
        name: parameter.default
        for name, parameter in inspect.signature(da.simulate).parameters.items()
        if parameter.kind is parameter.KEYWORD_ONLY
    }
    listed = {
        name: default for names, default, _ in rows("integration.md", "option") for name in re.findall(r"\w+", names)
    }
    assert listed.keys() == options.keys()
    for name, default in listed.items():
        assert default.strip("`") == str(options[name]), name


def test_the_map_shows_every_room_and_module():
    package = Path(da.__file__).parent
    listed = {}
    for line in (DOCS / "architecture.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| `") and len(cells) == 3 and re.fullmatch(r"`[\w/]+/`", cells[0]):
            listed[cells[0].strip("`").rstrip("/")] = sorted(re.findall(r"`(\w+)`", cells[1]))
    found = {}
    for path in package.rglob("*.py"):
        if path.name != "__init__.py" and path.parent != package:
            found.setdefault(path.parent.relative_to(package).as_posix(), []).append(path.stem)
    assert listed == {room: sorted(modules) for room, modules in found.items()}


def test_every_option_of_a_method_is_listed():
    listed = {(family.strip("`"), name.strip("`")): default.strip("`") for family, name, default, _ in rows(
        "integration.md", "method | option"
    )}  # fmt: skip
    known = {("all", "controller"): "None"}
    for family in {type(method) for method in registry.METHODS.values()}:
        for option in family.options():
            if option.name != "controller":
                known[family.__name__, option.name] = str(option.default)
    assert listed == known


def test_no_merge_was_left_half_done():
    marks = ("<" * 7 + " ", ">" * 7 + " ")
    folders = [DOCS.parent / name for name in ("src", "docs", "tests", "benchmarks", "examples")]
    pages = [path for folder in folders for path in folder.rglob("*") if path.suffix in (".py", ".md", ".js", ".css")]
    found = [str(path) for path in [*pages, *DOCS.parent.glob("*.md")] if any(
        line.startswith(marks) for line in path.read_text(encoding="utf-8").splitlines()
    )]  # fmt: skip
    assert found == []


def test_one_name_stands_for_one_thing():
    """Classes and modules of the package have names of their own, whatever room they stand in."""
    package = Path(da.__file__).parent
    classes, files = {}, {}
    for path in package.rglob("*.py"):
        if path.name != "__init__.py":
            files.setdefault(path.stem, []).append(path)
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                classes.setdefault(node.name, []).append(path)
    assert {name: found for name, found in classes.items() if len(found) > 1} == {}
    assert {name: found for name, found in files.items() if len(found) > 1} == {}


def test_numbers_of_the_page_on_models_are_those_of_the_code():
    text = (DOCS / "modelling.md").read_text(encoding="utf-8")
    assert f"up to {LARGEST_WHOLE} velocities" in text and f"up to {MANY_ELEMENTS} joints and other elements" in text


def test_every_figure_is_shown_and_has_a_script():
    pages = [*DOCS.glob("*.md"), *DOCS.glob("tutorials/*.md")]
    shown = {Path(name).stem for page in pages for name in re.findall(r"figures/(\w+)\.svg\)", page.read_text("utf-8"))}
    assert shown == {path.stem for path in (DOCS / "figures").glob("*.svg")}
    scripts = [*(DOCS / "figures").glob("make_*.py"), *(DOCS.parent / "benchmarks").glob("_*plots.py")]
    text = "".join(path.read_text(encoding="utf-8") for path in scripts)
    assert [name for name in shown if f'"{name}"' not in text] == []


# --------------------------------------------------------------------------------- the page of joints and forces

BUILDERS = (JointBuilders, ConstraintBuilders, DriveBuilders, ForceBuilders, LimitBuilders, RailBuilders)
METHODS = {name for builder in BUILDERS for name in vars(builder) if not name.startswith("_")}
ENTRY = re.compile(r"\| !\[\w+\]\(figures/library/(\w+)\.svg\) \| (.*) \|")
#: Constraints whose rows differ in the plane, made there.
IN_THE_PLANE = {
    "coincident": lambda m, body: m.coincident("flat", m.ground, body),
    "orientation": lambda m, body: m.orientation("flat", m.ground, body),
    "point_on_line": lambda m, body: m.point_on_line("flat", m.ground, body),
    "rolling_disc": lambda m, body: m.rolling_disc("flat", body, 0.3),
}


def library():
    """Entries of the page: name of the method, and the text beside its picture."""
    return ENTRY.findall((DOCS / "library.md").read_text(encoding="utf-8"))


def words(text, heading):
    """The words in code marks after a heading; the second of a pair is for the plane."""
    part = text.partition(f"{heading}: ")[2].partition("<br>")[0]
    return [tuple(found.split()) for found in re.findall("`([^`]*)`", part)]


def test_every_element_has_an_entry_with_a_picture():
    names = [name for name, _ in library()]
    assert set(names) == METHODS and len(names) == len(METHODS)
    assert [name for name in names if not (DOCS / f"figures/library/{name}.svg").is_file()] == []


def test_every_picture_is_drawn_by_the_script(monkeypatch):
    pytest.importorskip("matplotlib")
    folder = DOCS / "figures"
    monkeypatch.syspath_prepend(str(folder))
    script = load("docs/figures/make_library.py")
    assert set(script.SKETCHES) == METHODS == {path.stem for path in (folder / "library").glob("*.svg")}
    for name in script.SKETCHES:
        assert script.drawn(name).axes[0].has_data()
    for name in ("library_joints", "library_forces", "sketch"):
        sys.modules.pop(name, None)


@pytest.fixture(scope="module")
def elements():
    """What the first call of each entry makes, all of them called in the order of the page."""
    names = {}
    exec(python_blocks((DOCS / "library.md").read_text(encoding="utf-8"))[0].code, names)
    found = {}
    for name, text in library():
        calls = [call for call in re.findall(r"`(m\.\w+\([^`]*)`", text) if "…" not in call]
        assert calls and calls[0].startswith(f"m.{name}("), name
        found[name], *_ = (eval(call, names) for call in calls)
    return found


@pytest.mark.parametrize(("name", "text"), library(), ids=[name for name, _ in library()])
def test_entry_tells_the_truth(name, text, elements):
    element = elements[name]
    element = element.left if name == "wheelset" else element  # one of its contacts
    coordinates, rows = words(text, "coordinates"), words(text, "rows")
    assert getattr(element, "coordinate_labels", ()) == (coordinates[0] if coordinates else ())
    assert (*element.rows, *element.moving_rows) == (rows[0] if rows else ())
    kind = type(element)
    if len(rows) > 1 and name in IN_THE_PLANE:
        planar = da.Model("plane", plane="xy")
        body = planar.body("body", mass=1.0, inertia=1.0)
        flat = IN_THE_PLANE[name](planar, body)
        assert (*flat.rows, *flat.moving_rows) == rows[1]
    elif len(rows) > 1:
        assert kind.planar_rows == rows[1]
    if len(coordinates) > 1:
        assert tuple(motion.name for motion in kind.planar_motions) == coordinates[1]
