"""The page on implicit methods: its tables are those of the benchmark; and what that measures errors with."""

import re
import sys
from pathlib import Path

import numpy as np
import pytest
from from_benchmarks import FOLDER, load

DOCS = Path(__file__).parents[1] / "docs"


@pytest.fixture(autouse=True)
def beside_each_other(monkeypatch):
    """Scripts of the benchmarks import their neighbours."""
    monkeypatch.setattr(sys, "path", [str(FOLDER), *sys.path])


def test_every_table_of_the_page_is_written_by_the_benchmark():
    page = (DOCS / "which_implicit.md").read_text(encoding="utf-8")
    names = re.findall(r"<!-- table ([\w-]+) -->", page)
    assert sorted(names) == sorted(load("_thesis_page").TABLES)
    assert page.count("<!-- end -->") == len(names)


def test_pictures_of_the_page_are_there():
    page = (DOCS / "which_implicit.md").read_text(encoding="utf-8")
    for name in re.findall(r"\]\((figures/[\w.]+)\)", page):
        assert (DOCS / name).exists(), name


def test_the_error_tool_is_exact_for_cubic_polynomials():
    """(5.1)–(5.4), on points that are not equally far apart."""
    t = np.cumsum(np.linspace(0.01, 0.09, 40))
    polynomial = np.polynomial.Polynomial([2.0, -1.0, 0.5, 0.3])
    tool = load("_thesis_pendulum").ErrorTool(t, {"x": polynomial(t)})
    at = np.linspace(t[0], t[-1], 33)
    assert np.abs(tool.at("x", at) - polynomial(at)).max() < 1e-12
    off = np.zeros_like(at)
    off[7], off[20] = -0.04, 0.03
    found = tool.errors("x", at, polynomial(at) + off)
    assert found.t == at[7] and found.largest == pytest.approx(0.04, rel=1e-9)
    assert found.mean == pytest.approx(0.05 / 33, rel=1e-9)
    assert found.percent == pytest.approx(4.0 / abs(polynomial(at[7])), rel=1e-9)
