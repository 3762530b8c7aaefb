"""Places of plans have names: kernels and analyses of linear algebra do not write them as numbers."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import numpy as np
import pytest
from linalg.systems import random_system

import dalembert.linalg
from dalembert.linalg.plan import ADDRESS, HEAD, LAPACK, N_ADDRESSES, mode_number
from dalembert.linalg.saddle import MODES, analyse_saddle, saddle_addresses, why_not
from dalembert.native.legend import legends

pytestmark = pytest.mark.exact

ROOT = Path(dalembert.linalg.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))
#: Arrays whose places have different meanings, by the names that they have in the sources.
PLANS = {
    "addresses", "blocks", "entry", "factors", "head", "header", "inner", "ints", "masses", "nodes", "own", "part",
    "pivoting", "plan", "runs", "table",
}  # fmt: skip
#: Arrays of equal things, of which a kernel may take the first or the second one.
LISTS = {"column", "limit", "rows", "stack", "targets", "vector"}
KERNELS = {"compiled", "factor_solver", "reassociated", "solve_solver"}


def named(node: ast.expr) -> str:
    """``plan`` of ``plan[…]`` and of ``made.plan[…]``."""
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def is_number(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int)


def bare(index: ast.expr) -> bool:
    """Whether a place is written as a number, or a table is as wide as a number says."""
    listed = index.elts if isinstance(index, (ast.Tuple, ast.List)) else [index]
    bounds = [x for part in listed for x in ([part.lower, part.upper] if isinstance(part, ast.Slice) else [part]) if x]
    wide = (
        node for x in bounds for node in ast.walk(x) if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult)
    )
    return any(map(is_number, bounds)) or any(is_number(node.left) or is_number(node.right) for node in wide)


def numbered(tree: ast.AST) -> list[str]:
    """Subscripts of plans by bare numbers; in kernels those of all arrays that are not lists."""
    found = []
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        is_kernel = any(named(mark) in KERNELS for mark in function.decorator_list)
        for node in ast.walk(function):
            if isinstance(node, ast.Subscript) and bare(node.slice):
                name = named(node.value)
                if name in PLANS or (is_kernel and name not in LISTS):
                    found.append(f"{function.name}: {ast.unparse(node)}")
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_place_of_a_plan_is_written_as_a_number(path):
    assert numbered(ast.parse(path.read_text(encoding="utf-8"))) == []


def test_numbers_would_be_found():
    source = """
@compiled
def f(plan, values, rows):
    return plan[3] + values[0] + rows[1] + plan[HEAD.N_V] + plan[4 * k + 1]

def analyse(part):
    return part[:3], part[0], other[0], made.ints[[1, 2]]
"""
    assert sorted(numbered(ast.parse(source))) == [
        "analyse: made.ints[[1, 2]]", "analyse: part[0]", "analyse: part[:3]", "f: plan[3]", "f: plan[4 * k + 1]",
        "f: values[0]",
    ]  # fmt: skip


def test_legends_say_what_they_mean():
    for path in FILES:
        module = ".".join(("dalembert.linalg", *path.relative_to(ROOT).with_suffix("").parts))
        importlib.import_module(module.removesuffix(".__init__"))
    known = legends()
    assert "head of a plan of linear algebra" in known and "table of addresses of linear algebra" in known
    assert all(meaning.strip() for legend in known.values() for meaning in legend.meanings.values())


@pytest.mark.parametrize("mode", MODES)
def test_heads_and_tables_are_as_declared(mode):
    kind = "joint coordinates" if mode == "conjugate-gradients" else "tree"
    structure = random_system(np.random.default_rng(0), kind, 2).structure
    assert not why_not(mode, structure)
    plan = analyse_saddle(mode, *structure)
    assert plan.ints[HEAD.MODE] == mode_number(mode) and plan.mode == mode
    assert plan.ints[HEAD.N_V : HEAD.N_LAM + 1].tolist() == [structure.n_v, structure.n_lam]
    entries = [len(part.rows) for part in (structure.M, structure.G, structure.F)]
    assert plan.ints[HEAD.N_M : HEAD.N_F + 1].tolist() == entries
    assert plan.ints[HEAD.OWN] == HEAD.end + 2 * sum(entries)
    table = saddle_addresses(plan.ints, plan.ints)
    assert len(table) == N_ADDRESSES and len(LAPACK) == ADDRESS.SOLVERS
    assert table[ADDRESS.SOLVERS] in (plan.ints[HEAD.MODE], plan.ints[HEAD.INNER])
