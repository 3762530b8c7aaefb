"""The pages on Jacobians and on BDF: their tables are those of the benchmark."""

import re
import sys
from pathlib import Path

import pytest
from scripts import ROOT, load

DOCS = Path(__file__).parents[1] / "docs"


@pytest.fixture
def page(monkeypatch):
    """The module that writes the page; scripts of the benchmarks import their neighbours."""
    monkeypatch.setattr(sys, "path", [str(ROOT / "benchmarks"), *sys.path])
    return load("benchmarks/_corrector_page.py")


@pytest.mark.parametrize("name", ["_corrector_page", "_bdf_page"])
def test_every_table_of_the_pages_is_written_by_the_benchmark(page, name):
    page = load(f"benchmarks/{name}.py")
    text = page.PAGE.read_text(encoding="utf-8")
    names = re.findall(r"<!-- table ([\w-]+) -->", text)
    assert sorted(names) == sorted(page.TABLES)
    assert text.count("<!-- end -->") == len(names)
    assert all(re.search(rf"<!-- table {name} -->\n\n\| .*?\n\n<!-- end -->", text, re.DOTALL) for name in names)


def test_tables_show_what_was_measured(page):
    common = sys.modules["_common"]
    dense, part = "carriage, (9) residual, dense", "carriage, (9) residual, part."
    rows = [
        common.Row(case=dense, quantity="#fc", unit="1", ours=5669, paper=10473),
        common.Row(case=part, quantity="#fc", unit="1", ours=1417, baseline="dense", theirs=5668, paper=4739),
        common.Row(case=part, quantity="CPU time", unit="ms", ours=46.0, baseline="dense", theirs=55.7),
        common.Row(case="elsewhere", quantity="#Je", unit="1", ours=3, limit=2),
    ]
    found = page.TABLES["carriage"](rows).splitlines()
    assert found[2] == "| `residual`, dense | 5668 (10473) | – | – | – | 55.7 ms |"
    assert found[3] == "| `residual`, dense, partitioned | 1417, 25% (4739, 45%) | – | – | – | 46 ms |"
    assert page.TABLES["missed"](rows).splitlines()[2:] == ["| elsewhere | #Je | 3 | at most 2 |  |"]
    assert page.TABLES["rig"](rows) == ""


def test_pictures_of_the_page_are_there(page):
    for name in ("jacobians.md", "bdf.md"):
        for picture in re.findall(r"\]\((figures/[\w.]+)\)", (DOCS / name).read_text(encoding="utf-8")):
            assert (DOCS / picture).exists(), picture
