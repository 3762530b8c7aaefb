"""The memory of runs: its page in the documentation, and kernels without bare indices."""

import ast
from pathlib import Path

from scripts import load

import dalembert
from dalembert.native.legend import Legend, legends
from dalembert.native.slots import INTEGER, kinds

ROOT = Path(__file__).parents[1]
PACKAGE = Path(dalembert.__file__).parent


def maker():
    return load("docs/make_memory.py")


def test_the_page_of_slots_and_legends_is_that_of_the_code():
    made = maker()
    assert made.PAGE.read_text(encoding="utf-8") == made.page(), "run python docs/make_memory.py"


def test_every_slot_and_code_says_what_it_means():
    maker().page()  # imports everything
    for kind in kinds():
        for name, slot in kind.slots.items():
            assert slot.meaning.strip(), (kind.__name__, name)
    for legend in legends().values():
        assert all(meaning.strip() for meaning in legend.meanings.values()), legend.title
        assert len(set(legend.values.values())) == len(legend.values)


def assigned(source: str) -> set[str]:
    """Numbers of a run that a source sets."""
    stores = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Attribute)]
    return {
        node.attr
        for node in stores
        if isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name) and node.value.id == "run"
    }


def test_whole_numbers_that_kernels_change_have_bounds():
    """Without them a stored run could not go on."""
    maker().page()  # imports everything
    packages = [PACKAGE / "integrate" / part for part in ("frame", "events", "implicit", "methods")]
    sources = [path.read_text(encoding="utf-8") for package in packages for path in package.rglob("*.py")]
    changed = set().union(*map(assigned, sources)) - {"recorded", "events_recorded"}  # zero between slices
    assert "landing" in changed
    for kind in kinds():
        if kind.__module__.startswith("dalembert.integrate"):
            lacking = [name for name in changed & set(kind.slots) if kind.slots[name].kind == INTEGER]
            assert [name for name in lacking if kind.slots[name].within is None] == [], kind.__name__


def bare_indices(source: str) -> list[str]:
    """Subscripts of a run's own arrays, and of plans and tables, by a number."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if (
            isinstance(node, ast.Subscript)
            and isinstance(node.slice, ast.Constant)
            and isinstance(node.slice.value, int)
        ):
            text = ast.unparse(node.value)
            if text.split(".")[-1] in ("ints", "reals", "table", "plan", "head", "work"):
                found.append(ast.unparse(node))
    return found


def test_no_index_of_memory_is_bare():
    assert bare_indices("a = run.ints[4] + plan[1] + x[0]") == ["run.ints[4]", "plan[1]"]
    found = {
        str(path.relative_to(PACKAGE)): bare
        for path in sorted(PACKAGE.rglob("*.py"))
        if path.parent.name != "native" and (bare := bare_indices(path.read_text(encoding="utf-8")))
    }
    assert found == {}


def test_a_legend_numbers_its_names():
    places = Legend("test: places", A="first", B="two places", C="third", sizes={"B": 2})
    assert (places.A, places.B, places.C, places.end) == (0, 1, 3, 4)
    bits = Legend("test: bits", bits=True, M="mass", G="constraints")
    assert (bits.M, bits.G) == (1, 2)
    for wrong in (lambda: Legend("test: bits", A="again"), lambda: Legend("test: taken", title="a name of its own")):
        try:
            wrong()
        except (ValueError, TypeError):
            continue
        raise AssertionError("a legend that cannot be was made")
