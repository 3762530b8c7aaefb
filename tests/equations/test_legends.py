"""Places, bits and codes that kernels share are declared once, by name; kernels use no bare numbers for them."""

import ast
from pathlib import Path

import pytest

import dalembert.equations
from dalembert.equations.contract.convention import (
    CONTRACT,
    CONTRACT_OUTPUT,
    EXPLICIT,
    IMPLICIT,
    INPUTS,
    OUTPUTS,
    RATE,
    STAGE,
)
from dalembert.equations.recursion.passes import words
from dalembert.equations.recursion.passes.passes import PASSES
from dalembert.native.legend import legends

pytestmark = pytest.mark.exact

SOURCES = sorted(Path(dalembert.equations.__file__).parent.rglob("*.py"))
KERNELS = [path for path in SOURCES if "from dalembert.native.kernel import" in path.read_text(encoding="utf-8")]


def kernels_of(source):
    """Functions of a module that are compiled."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef):
            marks = {mark.id for mark in node.decorator_list if isinstance(mark, ast.Name)}
            if marks & {"compiled", "reassociated", "kernel", "entry"}:
                yield node


def arrays_of_words(function):
    """Names of the whole-number arrays of a function: arguments, lists at addresses, views of such."""
    found = {a.arg for a in function.args.args if isinstance(a.annotation, ast.Name) and a.annotation.id == "Ints"}

    def is_words(value):
        if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Name):
            return False
        of = value.args[0] if value.args else None
        return value.func.id == "ints_at" or (
            value.func.id == "view" and isinstance(of, ast.Name) and of.id in found
        )  # fmt: skip

    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                pairs = [(target, node.value)]
                if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                    pairs = list(zip(target.elts, node.value.elts, strict=True))
                found |= {name.id for name, value in pairs if isinstance(name, ast.Name) and is_words(value)}
    return found


def bare_indices(source):
    """Subscripts and views of arrays of words in which a literal number of two or more says where."""
    for function in kernels_of(source):
        words_of = arrays_of_words(function)
        for node in ast.walk(function):
            if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in words_of:
                for term in ast.walk(node.slice):
                    alone = isinstance(term, ast.Constant) and term is node.slice
                    added = isinstance(term, ast.BinOp) and isinstance(term.op, ast.Add)
                    numbers = [term] if alone else [term.left, term.right] if added else []
                    for number in numbers:
                        if isinstance(number, ast.Constant) and isinstance(number.value, int) and number.value >= 2:
                            yield f"{function.name}: {ast.unparse(node)}"
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "view":
                of, start, _ = node.args
                if (
                    isinstance(of, ast.Name)
                    and of.id in words_of
                    and isinstance(start, ast.Constant)
                    and start.value >= 2
                ):
                    yield f"{function.name}: {ast.unparse(node)}"


@pytest.mark.parametrize("path", KERNELS, ids=lambda path: path.stem)
def test_kernels_index_words_by_name(path):
    source = path.read_text(encoding="utf-8")
    assert list(kernels_of(source))
    assert list(bare_indices(source)) == []


def test_the_search_finds_what_it_looks_for():
    source = """
@compiled
def bad(work: Ints, inputs: Ints, x: Reals) -> int:
    plan, y = ints_at(work[w.PLAN], 8), x[4]
    part = view(plan, 3, 5)
    return plan[4] + part[k + 2] + inputs[1] + x[7] + plan[2 * k] + work[w.OUT + 6]
"""
    found = ["bad: part[k + 2]", "bad: plan[4]", "bad: view(plan, 3, 5)", "bad: work[w.OUT + 6]"]
    assert sorted(bare_indices(source)) == found


def test_every_kernel_module_of_equations_is_looked_at():
    known = {"loop", "sweep", "multiply", "tangent", "state", "contract", "implicit", "direct"}
    assert {path.stem for path in KERNELS} >= known


def test_bits_and_outputs_of_programs_stand_once():
    for program, bits in (("contract", CONTRACT), ("explicit", EXPLICIT), ("rate", RATE), ("implicit", IMPLICIT)):
        assert OUTPUTS[program] == tuple(bits.meanings)
        assert [bits.values[name] for name in OUTPUTS[program]] == [1 << k for k in range(len(OUTPUTS[program]))]
    assert CONTRACT.M | CONTRACT.G == 0b1010 and CONTRACT_OUTPUT.gI == 4
    assert INPUTS == ("p", "t", "q", "v", "u", "lam", "a", "mu") and (STAGE.P, STAGE.MU) == (0, 7)
    assert OUTPUTS["rate"] == OUTPUTS["explicit"][:4]  # both programs share one entry and their first outputs


def test_words_of_a_tree_are_the_first_of_its_programs():
    for name, place in words.tree_word.values.items():
        assert words.word.values[name] == words.direct_word.values[name] == place
    assert len(PASSES) == words.PASS.end and PASSES[words.PASS.GATHER] == "gather"


def test_no_two_words_share_a_place():
    for title, legend in legends().items():
        assert len(set(legend.values.values())) == len(legend.values), title


def test_every_name_has_a_meaning():
    for title, legend in legends().items():
        assert all(legend.meanings.values()), title
