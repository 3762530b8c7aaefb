"""Tables of the documentation against the package: nothing is missing, nothing is invented."""

import inspect
import re
from pathlib import Path

import dalembert as da

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
