"""Plugin for pytest that tells how near every assertion came to its bound.

    DALEMBERT_MARGINS=build/margins make test ARGS="-p margins"
    python tests/margins.py build/margins            # the nearest ones, of all runs that are stored there

``assert a < b`` of numbers and arrays, ``pytest.approx``, ``assert_allclose``, ``allclose`` and ``isclose`` are
watched; what is kept is, for every line, the largest ratio of a deviation to its bound, and the smallest of all runs
beside it: where the two differ, rounding has a say. Several runs, each as another processor would compute
(``processors.py``), may write into the same folder. Comparisons of integers are left out.
"""

import ast
import json
import math
import operator
import os
import sys
from pathlib import Path

import numpy as np

TESTS = str(Path(__file__).parent)
HELPERS = ("margins.py", "conftest.py")
ORDERS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
FUNCTIONS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}

nearest: dict[str, tuple[float, str]] = {}  # line of a test: ratio, which test


def note(ratio, where=None) -> None:
    ratio = float(ratio)
    if not math.isfinite(ratio):
        return
    if where is None:
        frame = sys._getframe(1)
        while frame and not (
            frame.f_code.co_filename.startswith(TESTS) and not frame.f_code.co_filename.endswith(HELPERS)
        ):
            frame = frame.f_back
        if frame is None:
            return
        where = f"{os.path.relpath(frame.f_code.co_filename, TESTS)}:{frame.f_lineno}"
    if ratio > nearest.get(where, (-1.0, ""))[0]:
        nearest[where] = ratio, os.environ.get("PYTEST_CURRENT_TEST", "").split(" ")[0]


def whole(value) -> bool:
    return np.asarray(value).dtype.kind in "iub"


def compare(sign, left, right):
    """``left sign right``, noted."""
    small, large = (left, right) if sign in ("<", "<=") else (right, left)
    if all(isinstance(side, (int, float, np.ndarray, np.generic)) for side in (small, large)):
        small, large = np.asarray(small), np.asarray(large)
        if (
            {small.dtype.kind, large.dtype.kind} <= set("iuf")
            and not (whole(small) and whole(large))
            and np.all(large > 0)
        ):
            with np.errstate(all="ignore"):
                note(np.max(np.abs(small) / large))
    return FUNCTIONS[sign](left, right)


class Watch(ast.NodeTransformer):
    """Puts ``_margin_`` in place of the comparisons of a module's assertions."""

    inside = False

    def visit_Assert(self, node):
        self.inside = True
        node.test = self.visit(node.test)
        self.inside = False
        return node

    def visit_UnaryOp(self, node):
        return node if isinstance(node.op, ast.Not) else self.generic_visit(node)

    def visit_Compare(self, node):
        self.generic_visit(node)
        if not self.inside or any(type(op) not in ORDERS for op in node.ops):
            return node
        terms = [node.left, *node.comparators]
        calls = []
        for left, op, right in zip(terms, node.ops, terms[1:], strict=False):
            called = ast.Name("_margin_", ast.Load())
            calls.append(ast.Call(called, [ast.Constant(ORDERS[type(op)]), left, right], []))
        made = calls[0] if len(calls) == 1 else ast.BoolOp(ast.And(), calls)
        return ast.fix_missing_locations(ast.copy_location(made, node))


def watch_assertions() -> None:
    import builtins

    from _pytest.assertion import rewrite

    original = rewrite.rewrite_asserts

    def watched(module, source, *rest):
        Watch().visit(module)
        original(module, source, *rest)

    rewrite.rewrite_asserts = watched
    rewrite.PYC_TAIL = ".margins" + rewrite.PYC_TAIL  # not the files of plain runs
    builtins._margin_ = compare


def watch_functions() -> None:
    import pytest

    Approximate = type(pytest.approx(1.0))  # arrays and sequences compare number by number with these

    def ratio(actual, desired, rtol, atol):
        actual, desired = np.asarray(actual), np.asarray(desired)
        if actual.dtype.kind in "fc" or desired.dtype.kind in "fc":
            with np.errstate(all="ignore"):
                gap, bound = np.broadcast_arrays(np.abs(actual - desired), atol + rtol * np.abs(desired))
                gap, bound = gap[gap > 0], bound[gap > 0]
                note(np.max(gap / bound) if gap.size and np.all(bound > 0) else 0.0)

    def around(module, name, rtol, atol):
        original = getattr(module, name)

        def watched(actual, desired, *rest, **named):
            given = dict(zip(("rtol", "atol"), rest, strict=False)) | named
            if "rel_tol" in given:
                given["rtol"] = given["rel_tol"]
            if "abs_tol" in given:
                given["atol"] = given["abs_tol"]
            try:
                ratio(actual, desired, given.get("rtol", rtol), given.get("atol", atol))
            except (TypeError, ValueError):
                pass
            return original(actual, desired, *rest, **named)

        setattr(module, name, watched)

    around(np.testing, "assert_allclose", 1e-7, 0.0)
    around(np, "allclose", 1e-5, 1e-8)
    around(np, "isclose", 1e-5, 1e-8)
    around(math, "isclose", 1e-9, 0.0)

    scalar = Approximate.__eq__

    def equal(self, actual):
        try:
            if not np.ndim(actual) and not (whole(actual) and whole(self.expected)) and self.tolerance > 0:
                with np.errstate(all="ignore"):
                    note(abs(self.expected - actual) / self.tolerance)
        except (TypeError, ValueError):
            pass
        return scalar(self, actual)

    Approximate.__eq__ = equal


def pytest_configure(config) -> None:
    watch_assertions()
    watch_functions()


def pytest_unconfigure(config) -> None:
    if nearest:
        folder = Path(os.environ.get("DALEMBERT_MARGINS", "build/margins"))
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{os.getpid()}.json").write_text(json.dumps(nearest))


def main() -> None:
    """Prints what came within a factor of 3 of its bound."""
    found: dict[str, list[tuple[float, str]]] = {}
    for path in Path(sys.argv[1]).glob("*.json"):
        for where, entry in json.loads(path.read_text()).items():
            found.setdefault(where, []).append(tuple(entry))
    near = sorted(((max(entries), where, entries) for where, entries in found.items()), reverse=True)
    for (ratio, test), where, entries in near:
        if ratio > 1 / 3:
            spread = min(entry[0] for entry in entries)
            print(f"{ratio:8.4f} {spread:8.4f}  {where:48} {test.split('::')[-1]}")
    count = sum(entry[0][0] > 1 / 3 for entry in near)
    print(f"{count} of {len(near)} assertions come within a factor of 3 of their bound")


if __name__ == "__main__":
    main()
