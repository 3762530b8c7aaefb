"""Pages with the tables of the thesis: every table is one that the benchmark writes, and sections that were not run
again keep their missed bars."""

import re
import sys

import pytest
from from_benchmarks import FOLDER, load


@pytest.fixture
def page(monkeypatch):
    """The module that writes the pages; scripts of the benchmarks import their neighbours."""
    monkeypatch.setattr(sys, "path", [str(FOLDER), *sys.path])
    return load("_thesis_page")


@pytest.mark.parametrize(("name", "tables"), [("PAGE", "TABLES"), ("METHODS_PAGE", "OF_METHODS")])
def test_every_table_of_the_pages_is_written_by_the_benchmark(page, name, tables):
    text = getattr(page, name).read_text(encoding="utf-8")
    assert sorted(re.findall(r"<!-- table ([\w-]+) -->", text)) == sorted(getattr(page, tables))


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
