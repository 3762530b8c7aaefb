"""Pages with the tables of the thesis: every table is one that the benchmark writes, and sections that were not run
again keep their missed bars; and what the benchmark measures errors with."""

import re
import sys
from pathlib import Path

import numpy as np
import pytest
from scripts import ROOT, load

DOCS = Path(__file__).parents[1] / "docs"


@pytest.fixture
def page(monkeypatch):
    """The module that writes the pages; scripts of the benchmarks import their neighbours."""
    monkeypatch.setattr(sys, "path", [str(ROOT / "benchmarks"), *sys.path])
    return load("benchmarks/_thesis_page.py")


@pytest.mark.parametrize(("name", "tables"), [("PAGE", "TABLES"), ("METHODS_PAGE", "OF_METHODS")])
def test_every_table_of_the_pages_is_written_by_the_benchmark(page, name, tables):
    text = getattr(page, name).read_text(encoding="utf-8")
    names = re.findall(r"<!-- table ([\w-]+) -->", text)
    assert sorted(names) == sorted(getattr(page, tables))
    assert text.count("<!-- end -->") == len(names)


def test_bars_of_sections_that_were_not_run_again_stay(page, tmp_path):
    Row = sys.modules["_common"].Row
    file = tmp_path / "page.md"
    file.write_text(
        "<!-- table missed -->\n\n| case | quantity | ours | bar | thesis |\n| --- | --- | --- | --- | --- |\n"
        "| old | time | 3 | at most 1 |  |\n| again | time | 2 | at most 1 | 0.5 |\n\n<!-- end -->\n",
        encoding="utf-8",
    )
    before = page.lines_of(file, "missed")
    assert before == [["old", "time", "3", "at most 1", ""], ["again", "time", "2", "at most 1", "0.5"]]
    reached = Row(case="again", quantity="time", unit="s", ours=0.5, limit=1.0, bound="at most")
    other = Row(case="new", quantity="time", unit="s", ours=4.0, limit=1.0, bound="at most")
    written = page.missed([reached, other], "thesis", before)
    assert "| old |" in written and "| new | time | 4 |" in written and "again" not in written


def test_pictures_of_the_page_are_there():
    page = (DOCS / "which_implicit.md").read_text(encoding="utf-8")
    for name in re.findall(r"\]\((figures/[\w.]+)\)", page):
        assert (DOCS / name).exists(), name


def test_the_error_tool_is_exact_for_cubic_polynomials(monkeypatch):
    """(5.1)–(5.4), on points that are not equally far apart."""
    monkeypatch.setattr(sys, "path", [str(ROOT / "benchmarks"), *sys.path])
    t = np.cumsum(np.linspace(0.01, 0.09, 40))
    polynomial = np.polynomial.Polynomial([2.0, -1.0, 0.5, 0.3])
    tool = load("benchmarks/_thesis_pendulum.py").ErrorTool(t, {"x": polynomial(t)})
    at = np.linspace(t[0], t[-1], 33)
    assert np.abs(tool.at("x", at) - polynomial(at)).max() < 1e-12
    off = np.zeros_like(at)
    off[7], off[20] = -0.04, 0.03
    found = tool.errors("x", at, polynomial(at) + off)
    assert found.t == at[7] and found.largest == pytest.approx(0.04, rel=1e-9)
    assert found.mean == pytest.approx(0.05 / 33, rel=1e-9)
    assert found.percent == pytest.approx(4.0 / abs(polynomial(at[7])), rel=1e-9)
