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


BARS = [
    {"case": "one", "quantity": "time", "unit": "us", "ours": 1.0, "baseline": "other", "theirs": 20.0, "limit": 0.1},
    {"case": "one", "quantity": "steps", "unit": "1", "ours": 120, "paper": 100, "limit": 110.0},
    {"case": "one", "quantity": "digits", "unit": "1", "ours": 12.5, "limit": 12, "bound": "at least"},
    {"case": "two", "quantity": "time", "unit": "us", "ours": 3.0, "baseline": "other", "theirs": 20.0, "limit": 0.1},
    {"case": "two", "quantity": "error", "unit": "1", "ours": 3.0},
    {"case": "two", "quantity": "size", "unit": "1", "ours": 0.05, "baseline": "other", "limit": 0.1},
]


def test_json_rows_have_their_bars_and_the_last_line_counts_them(common):
    stream = io.StringIO()
    with common.Reporter(json=True, stream=stream) as report:
        for bar in BARS:
            report.add(**bar)
    *rows, count = map(json.loads, stream.getvalue().splitlines())
    assert list(rows[0]) == [
        "case", "quantity", "unit", "ours", "baseline", "theirs", "ratio", "limit", "bound", "reached"
    ]  # fmt: skip
    assert [row.get("reached") for row in rows] == [True, False, True, False, None, None]
    assert [row.get("bound") for row in rows] == ["at most", "at most", "at least", "at most", None, "at most"]
    assert not {"limit", "bound", "reached"} & set(rows[4])  # no bar
    assert not {"theirs", "ratio", "reached"} & set(rows[5])  # its bar is on the ratio, though 0.05 < 0.1
    assert count == {
        "bars": 5,
        "reached": 2,
        "missed": ["one: steps", "two: time"],
        "not judged": ["two: size"],
    }


def test_table_shows_bars_names_those_that_are_not_reached_and_counts_them(common):
    stream = io.StringIO()
    with common.Reporter(stream=stream) as report:
        for bar in BARS:
            report.add(**bar)
    assert stream.getvalue().splitlines() == [
        "case  quantity  ours  theirs  unit  baseline  ratio  paper  bar",
        "----  --------  ----  ------  ----  --------  -----  -----  -----------------",
        "one   time         1      20  us    other      0.05         <= 0.1 reached",
        "      steps      120          1                        100  <= 110 missed",
        "      digits    12.5          1                             >= 12 reached",
        "two   time         3      20  us    other      0.15         <= 0.1 missed",
        "      error        3          1",
        "      size      0.05          1     other                   <= 0.1 not judged",
        "",
        "missed: one: steps: 120, at most 110",
        "missed: two: time: 0.15, at most 0.1; other",
        "not judged: two: size: at most 0.1; other",
        "2 of 5 bars reached, 1 not judged",
    ]


def test_bars_are_counted_when_a_later_case_fails(common):
    for as_json, last in ((True, '{"bars": 1, "reached": 1, '), (False, "1 of 1 bars reached")):
        stream = io.StringIO()
        with pytest.raises(ZeroDivisionError), common.Reporter(json=as_json, stream=stream) as report:
            report.add(**BARS[0])
            1 / 0  # noqa: B018
        assert stream.getvalue().splitlines()[-1].startswith(last)


def test_a_bar_is_missed_where_ours_has_no_result(common):
    stream = io.StringIO()
    with common.Reporter(json=True, stream=stream) as report:
        report.failed(case="one", quantity="time")
    row, count = map(json.loads, stream.getvalue().splitlines())
    assert row["reached"] is False
    assert count["missed"] == ["one: time: without result"]


def test_a_bar_counts_as_reached_at_its_limit_and_is_not_judged_beside_zero(common):
    row = {"case": "one", "quantity": "n", "unit": "1"}
    for bound in ("at most", "at least"):
        assert common.Row(**row, ours=np.float64(2.0), limit=2, bound=bound).reached is True
        assert common.Row(**row, ours=0, baseline="other", theirs=0, limit=2, bound=bound).reached is None
        assert common.Row(**row, ours=2.0, bound=bound).reached is None


def test_rows_can_be_read_again(common):
    stream = io.StringIO()
    with common.Reporter(json=True, stream=stream) as report:
        for bar in BARS:
            report.add(**bar)
    assert common.rows_of(stream.getvalue()) == report.rows


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"ours": 1.0, "theirs": 2.0}, "baseline and theirs come together"),
        ({"ours": 1.0, "baseline": "other"}, "baseline and theirs come together"),
        ({"ours": float("nan")}, "ours is nan"),
        ({"ours": 1.0, "paper": float("inf")}, "paper is inf"),
        ({"ours": 1.0, "limit": float("inf")}, "limit is inf"),
        ({"ours": 1.0, "limit": 2.0, "theirs": 2.0}, "baseline and theirs come together"),
        ({"ours": 1.0, "limit": 2.0, "bound": "below"}, "bound is 'below'"),
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
        if isinstance(node, ast.ImportFrom) and node.module in ("_common", "_tables")
        for alias in node.names
    }
    assert ast.get_docstring(tree), f"{script} has no docstring that says what is compared"
    assert "Reporter" in imported, f"{script} must use _common.Reporter"
    assert imported & {"parser", "run_tables"}, f"{script} must use _common.parser, or _tables.run_tables that does"
