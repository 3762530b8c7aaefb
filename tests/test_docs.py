"""Tables of the documentation against the package: nothing is missing, nothing is invented."""

import importlib.util
import inspect
import re
import sys
from pathlib import Path

import pytest
from test_tutorials import python_blocks

import dalembert as da
from dalembert.model.constraint_builders import ConstraintBuilders
from dalembert.model.drive_builders import DriveBuilders
from dalembert.model.force_builders import ForceBuilders
from dalembert.model.joint_builders import JointBuilders
from dalembert.model.limit_builders import LimitBuilders

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


# --------------------------------------------------------------------------------- the page of joints and forces

BUILDERS = (JointBuilders, ConstraintBuilders, DriveBuilders, ForceBuilders, LimitBuilders)
METHODS = {name for builder in BUILDERS for name in vars(builder) if not name.startswith("_")}
ENTRY = re.compile(r"\| !\[\w+\]\(figures/library/(\w+)\.svg\) \| (.*) \|")


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
    plt = pytest.importorskip("matplotlib.pyplot")
    folder = DOCS / "figures"
    monkeypatch.syspath_prepend(str(folder))
    spec = importlib.util.spec_from_file_location("make_library", folder / "make_library.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    assert set(script.SKETCHES) == METHODS == {path.stem for path in (folder / "library").glob("*.svg")}
    for name in script.SKETCHES:
        figure = script.drawn(name)
        assert figure.axes[0].has_data()
        plt.close(figure)
    for name in ("make_library", "library_joints", "library_forces", "sketch"):
        sys.modules.pop(name, None)


@pytest.fixture(scope="module")
def page():
    """Names that the calls of the page use."""
    names = {}
    exec(python_blocks((DOCS / "library.md").read_text(encoding="utf-8"))[0].code, names)
    return names


@pytest.mark.parametrize(("name", "text"), library(), ids=[name for name, _ in library()])
def test_entry_tells_the_truth(name, text, page):
    calls = re.findall(r"`(m\.[^`]*)`", text)
    assert calls and calls[0].startswith(f"m.{name}(")
    made = [eval(call, page) for call in calls if "(" in call and "…" not in call]
    element = made[0]
    coordinates, rows = words(text, "coordinates"), words(text, "rows")
    assert getattr(element, "coordinate_labels", ()) == (coordinates[0] if coordinates else ())
    assert (*element.rows, *element.moving_rows) == (rows[0] if rows else ())
    kind = type(element)
    if len(rows) > 1 and isinstance(element, da.model.joints.Joint):
        assert kind.planar_rows == rows[1]
    if len(coordinates) > 1:
        assert tuple(motion.name for motion in kind.planar_motions) == coordinates[1]
