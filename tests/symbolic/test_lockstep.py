"""Parts that are alike, computed four at a time: the same numbers as one by one, fewer instructions."""

from __future__ import annotations

import ctypes
import re

import numpy as np
import pytest
from c_compiler import STRICT, compiler, run

from dalembert.errors import SymbolicError
from dalembert.symbolic import Graph, PiecewisePolynomial, array, compile, cos, jacobian, maximum, sin, sqrt
from dalembert.symbolic import operations as op
from dalembert.symbolic.compiler import jit
from dalembert.symbolic.compiler.lockstep import lockstep
from dalembert.symbolic.compiler.program import extract, with_alike
from dalembert.symbolic.compiler.rewrite import settled
from dalembert.symbolic.emit import x86

SIGNS = (1.0, -1.0, 1.0, -1.0)


def parts(lengths=(1.0925, 1.0925, 1.0925, 1.0925)):
    """Four arms on a common base, two before its centre and two behind it; all but signs alike."""
    graph = Graph()
    x, q, v = graph.variable("x"), graph.variables("q", 12), graph.variables("v", 12)
    table = PiecewisePolynomial([0.0, 1.0, 2.0], [[0.3, -0.2], [0.1, 0.4], [1.0, 1.2], [0.5, 1.4]])
    results, rates = [], []
    for k, sign in enumerate(SIGNS):
        a, b, c = q[3 * k : 3 * k + 3]
        reach = sign * lengths[k]
        height = x * sin(a) + reach * cos(a) * x - (b - reach * a) * c
        width = sqrt(1.0 + height * height) / (2.0 + b * b) + table(maximum(0.05, c))
        terms = [height * width, reach * a * b, c * width * x, a * c]
        first = terms if k % 2 == 0 else terms[::-1]  # the same sum, written in another order
        total = first[0] + first[1] + first[2] + first[3]
        results += [height, width, total, abs(total) - reach * width]
        rates += list(jacobian(array([height, total]), array([a, b, c])) @ array(v[3 * k : 3 * k + 3]))
    outputs = {"z": array(results), "rates": array(rates), "sum": sum(results[2::4])}
    inputs = {"x": x, "q": array(q), "v": array(v)}
    alike = [tuple(group[3 * k + i] for k in range(4)) for group in (q, v) for i in range(3)]
    return outputs, inputs, alike


@pytest.fixture(autouse=True)
def few_teams(monkeypatch):
    """Small programs are worth it here."""
    monkeypatch.setattr("dalembert.symbolic.compiler.lockstep.FEWEST_TEAMS", 4)


def points(count=25):
    numbers = np.random.default_rng(7)
    return [(numbers.uniform(-1, 1), numbers.uniform(0.1, 1.9, 12), numbers.standard_normal(12)) for _ in range(count)]


def test_teams_of_four_parts():
    outputs, inputs, alike = parts()
    program, teams = lockstep(settled(with_alike(extract(outputs, inputs, "arms", True), alike)))
    rows = [row for team in teams for row in team.rows]
    assert len(rows) == len(set(rows))
    inner = [n for n in program.nodes if n[0] > op.SYMBOL and n[0] != op.NEG]
    assert len(rows) > 0.85 * len(inner)  # all but what the base has, and the sum
    for team in teams:
        codes = {program.nodes[row][0] for row in team.rows}
        assert len(codes) == 1 or codes == {op.ADD, op.SUB}


@pytest.mark.parametrize("lengths", [(1.0925,) * 4, (1.0, 1.5, 2.0, 0.7)])
def test_the_same_numbers_as_one_by_one(lengths):
    outputs, inputs, alike = parts(lengths)
    plain = compile(outputs, inputs, name="plain", staged=True, cache=False).workspace()
    together = compile(outputs, inputs, name="together", staged=True, cache=False, alike=alike).workspace()
    for x, q, v in points():
        for made in (plain, together):
            made.set(x=x, q=q, v=v)
        for name in outputs:
            np.testing.assert_allclose(together[name], plain[name], rtol=1e-13, atol=1e-14)


def test_stages_and_single_outputs():
    outputs, inputs, alike = parts()
    made = compile(outputs, inputs, name="staged", staged=True, cache=False, alike=alike).workspace()
    plain = compile(outputs, inputs, name="once", cache=False)
    (x, q, v), (_, q1, v1) = points(2)
    made.set(x=x, q=q, v=v)
    np.testing.assert_allclose(made["sum"], plain(x=x, q=q, v=v)["sum"], rtol=1e-13)
    made.set(v=v1)
    np.testing.assert_allclose(made["rates"], plain(x=x, q=q, v=v1)["rates"], rtol=1e-13, atol=1e-14)
    made.set(q=q1)
    np.testing.assert_allclose(made["z"], plain(x=x, q=q1, v=v1)["z"], rtol=1e-13, atol=1e-14)


def test_fewer_instructions_where_the_processor_has_vectors():
    if not x86.registers(*jit._processor()[::2], False):
        pytest.skip("this processor has no AVX")
    outputs, inputs, alike = parts()
    program = extract(outputs, inputs, "arms", True)
    plain, together = (jit._printed(one, False, "points", ())[1] for one in (program, with_alike(program, alike)))
    arithmetic = ("vmulsd", "vaddsd", "vsubsd", "vmulpd", "vaddpd", "vsubpd")
    count = [sum(text.count(name) for name in arithmetic) for text in (plain, together)]
    assert count[1] < 0.5 * count[0]


def test_c_has_loops_over_the_parts(tmp_path):
    """One, two, or four parts at a time: warnings none, the same digits, those of formulas one by one."""
    outputs, inputs, alike = parts()
    made = compile(outputs, inputs, name="arms", staged=True, cache=False, alike=alike)
    made.export_c(tmp_path, prefix="arms")
    text = "".join(path.read_text() for path in tmp_path.glob("arms_part*.c"))
    assert "for (k = 0; k < 4; k += ARMS_WIDE)" in text
    size = int(re.search(r"ARMS_WORK_SIZE (\d+)", (tmp_path / "arms.h").read_text())[1])
    plain = compile(outputs, inputs, name="once", cache=False)
    ways = [["-O2"], ["-O0"], ["-O2", "-DARMS_PORTABLE"]]
    if x86.registers(*jit._processor()[::2], False):
        ways.append(["-O2", "-mavx"])
    results = []
    for number, way in enumerate(ways):
        library = tmp_path / f"arms{number}.so"
        run(*compiler(), *STRICT, *way, "-shared", "-fPIC", "-o", library, *tmp_path.glob("*.c"), "-lm")
        at = ctypes.CDLL(str(library)).arms_at
        results.append([])
        for x, q, v in points(5):
            work, out = np.zeros(size), [np.zeros(16), np.zeros(8), np.zeros(1)]
            arrays = [np.array([x]), q, v, *out, work]
            at.argtypes = [ctypes.c_void_p] * len(arrays)
            assert at(*(one.ctypes.data for one in arrays)) == 0
            results[-1] += out
            for found, expected in zip(out, plain(x=x, q=q, v=v).values(), strict=True):
                np.testing.assert_allclose(found, np.ravel(expected), rtol=1e-13, atol=1e-14)
    for other in results[1:]:
        for found, expected in zip(other, results[0], strict=True):
            np.testing.assert_array_equal(found, expected)


def test_teams_that_wait_for_each_other_are_given_up():
    """q₀ → first of the second part → second of the first part: such parts are not computed together."""
    graph = Graph()
    q = graph.variables("q", 8)
    low = [q[k] * q[4 + k] + 1.0 for k in range(4)]
    chain = [low[0] * low[1], low[1] * low[2], low[2] * low[3], low[3] * low[0]]
    outputs = {"z": array([one * other for one, other in zip(chain, reversed(low), strict=True)])}
    alike = [tuple(q[:4]), tuple(q[4:])]
    made = compile(outputs, {"q": array(q)}, name="ring", staged=True, cache=False, alike=alike).workspace()
    values = np.arange(1.0, 9.0)
    made.set(q=values)
    a = values[:4] * values[4:] + 1.0
    np.testing.assert_allclose(made["z"], a * np.roll(a, -1) * a[::-1], rtol=1e-15)


def test_what_is_refused():
    outputs, inputs, alike = parts()
    for wrong in ([alike[0][:3]], [(*alike[0][:3], 1.0)], 3, [alike[0][0]]):
        with pytest.raises(SymbolicError, match="alike"):
            compile(outputs, inputs, name="arms", staged=True, alike=wrong)


def test_programs_with_other_parts_are_other_programs():
    outputs, inputs, alike = parts()
    program = extract(outputs, inputs, "arms", True)
    assert with_alike(program, alike).digest() != program.digest()
