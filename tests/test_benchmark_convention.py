"""Benchmarks report their numbers in one form (benchmarks/README.md)."""

import ast
import importlib.util
import io
import json
import sys
from pathlib import Path

import numpy as np
import pytest

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
SCRIPTS = sorted(path for path in BENCHMARKS.glob("*.py") if not path.name.startswith("_"))


@pytest.fixture(scope="module")
def common():
    name = "benchmarks_common"
    spec = importlib.util.spec_from_file_location(name, BENCHMARKS / "_common.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    yield module
    del sys.modules[name]


def test_json_has_one_object_per_line_with_the_keys_that_have_values(common):
    stream = io.StringIO()
    with common.Reporter(json=True, stream=stream) as report:
        report.add(case="chain of 3", quantity="atoms", unit="1", ours=120)
        report.add(case="chain of 3", quantity="time", unit="us", ours=1.5, baseline="other", theirs=3.0)
        report.add(case="chain of 3", quantity="atoms", unit="1", ours=120, paper=140)
    plain, compared, published = map(json.loads, stream.getvalue().splitlines())
    assert list(plain) == ["case", "quantity", "unit", "ours"]
    assert plain == {"case": "chain of 3", "quantity": "atoms", "unit": "1", "ours": 120}
    assert list(compared) == ["case", "quantity", "unit", "ours", "baseline", "theirs", "ratio"]
    assert compared["baseline"] == "other"
    assert compared["ratio"] == compared["ours"] / compared["theirs"] == 0.5
    assert list(published) == ["case", "quantity", "unit", "ours", "paper"]


def test_json_rows_are_printed_as_they_come(common):
    stream = io.StringIO()
    with common.Reporter(json=True, stream=stream) as report:
        report.add(case="a", quantity="time", unit="s", ours=1.0)
        assert json.loads(stream.getvalue())["case"] == "a"


def test_json_takes_numpy_numbers(common):
    row = common.Row(case="a", quantity="n", unit="1", ours=np.int64(3), baseline="b", theirs=np.float64(2.0))
    assert json.loads(json.dumps(row.record()))["ours"] == 3
    assert row.record()["ratio"] == 1.5


def test_table_keeps_the_rows_of_a_case_together_and_leaves_out_empty_columns(common):
    stream = io.StringIO()
    with common.Reporter(title="Two cases", stream=stream) as report:
        report.add(case="one", quantity="time", unit="us", ours=12.5, baseline="other", theirs=25)
        report.add(case="two", quantity="time", unit="us", ours=1)
        report.add(case="one", quantity="atoms", unit="1", ours=100)
        assert stream.getvalue() == ""
    assert stream.getvalue().splitlines() == [
        "Two cases",
        "",
        "case  quantity  ours  theirs  unit  baseline  ratio",
        "----  --------  ----  ------  ----  --------  -----",
        "one   time      12.5      25  us    other       0.5",
        "      atoms      100          1",
        "two   time         1          us",
    ]


def test_table_is_printed_when_a_later_case_fails(common):
    stream = io.StringIO()
    with pytest.raises(ZeroDivisionError), common.Reporter(stream=stream) as report:
        report.add(case="one", quantity="time", unit="us", ours=12.5)
        1 / 0  # noqa: B018
    assert "12.5" in stream.getvalue()


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"ours": 1.0, "theirs": 2.0}, "baseline and theirs come together"),
        ({"ours": 1.0, "baseline": "other"}, "baseline and theirs come together"),
        ({"ours": float("nan")}, "ours is nan"),
        ({"ours": 1.0, "paper": float("inf")}, "paper is inf"),
    ],
)
def test_a_wrong_row_is_refused(common, values, message):
    with pytest.raises(ValueError, match=message):
        common.Row(case="one", quantity="time", unit="us", **values)


def test_there_is_no_ratio_to_zero(common):
    row = common.Row(case="one", quantity="failures", unit="1", ours=2, baseline="other", theirs=0)
    assert "ratio" not in row.record()
    assert row.record()["theirs"] == 0


def test_best_of_divides_the_best_loop_by_its_calls(common):
    # A clock that moves only when the function is called, by what it says: no real time is measured.
    now = 0.0
    durations = iter([3.0, 1.0, 2.0])

    def function():
        nonlocal now
        now += next(durations)

    assert common.best_of(function, 3, at_least=0.5, clock=lambda: now) == 1.0
    assert next(durations, None) is None

    now, durations = 0.0, iter([0.25] * 100)
    assert common.best_of(function, 2, at_least=1.0, clock=lambda: now) == 0.25


def test_every_benchmark_has_the_common_options(common):
    arguments = common.parser("what it compares").parse_args(["--json", "--quick"])
    assert arguments.json and arguments.quick


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_benchmark_says_what_it_compares_and_uses_the_common_form(script):
    tree = ast.parse(script.read_text(encoding="utf-8"))
    imported = {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "_common"
        for alias in node.names
    }
    assert ast.get_docstring(tree), f"{script} has no docstring that says what is compared"
    assert {"Reporter", "parser"} <= imported, f"{script} must use _common.parser and .Reporter"
