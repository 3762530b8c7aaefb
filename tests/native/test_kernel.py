"""Kernels: compiled and in Python they do the same, on runs that are what they say, later without Numba."""

from __future__ import annotations

import importlib
import io
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from native import kernels

from dalembert.native import cache, kernel, recipes
from dalembert.native.kernel import Run, call_getrf

numbers = st.floats(-1e3, 1e3)


def both(made, reals, ints=(), table=()):
    """What a kernel leaves, compiled and as the Python function that it is made of."""
    compiled, plain = kernels.run(reals, ints, table), kernels.run(reals, ints, table)
    return (made(compiled), compiled.reals), (made.function(plain), plain.reals)


@given(st.lists(numbers, max_size=20))
def test_views_are_windows_into_the_same_memory(values):
    half = len(values) // 2
    expected = np.array(values)
    expected[:half] += expected[half : 2 * half]
    for status, reals in both(kernels.windows, values):
        assert status == 101 * half
        assert np.array_equal(reals, expected)


@given(st.lists(st.integers(-(2**40), 2**40), min_size=1, max_size=9))
def test_views_of_whole_numbers(values):
    for status, _ in both(kernels.window_of_ints, [], values):
        assert status == sum(values[:-1])


@given(st.complex_numbers(max_magnitude=1e3), st.complex_numbers(max_magnitude=1e3))
def test_pairs_of_reals_are_complex_numbers_in_place(a, b):
    for status, reals in both(kernels.product, [a.real, a.imag, b.real, b.imag, 0.0, 0.0]):
        assert status == 3
        assert complex(*reals[4:]) == pytest.approx(a * b, rel=1e-14, abs=1e-12)


@given(st.lists(numbers, min_size=1, max_size=200))
def test_sums_in_any_order_are_the_same_in_each_run(values):
    (_, compiled), (_, plain) = both(kernels.total, [0.0, *values])
    (_, again), _ = both(kernels.total, [0.0, *values])
    assert compiled[0] == again[0]
    assert compiled[0] == pytest.approx(plain[0], rel=0, abs=1e-14 * sum(map(abs, values)))


def test_kernels_call_each_other_through_the_table():
    run = kernels.run([1.0, 2.0, 3.0, 4.0], table=[kernels.windows.address])
    assert kernels.relay(run) == 1 + 202
    assert run.reals.tolist() == [4.0, 6.0, 3.0, 4.0]


def test_subnormals_are_zero_between_two_calls():
    run = kernels.run([1e-306, 1.0, 1.0])
    assert kernels.subnormals(run) == 0
    assert run.reals[1] == 0.0 and run.reals[2] == 1e-3 * 1e-306 > 0.0


def test_what_needs_addresses_says_so_in_python():
    with pytest.raises(TypeError, match="call_getrf works only inside compiled kernels"):
        call_getrf(0, 1, np.zeros(1), np.zeros(1))


def test_a_kernel_carries_the_description_of_its_function():
    assert "second half" in kernels.windows.__doc__
    assert kernels.windows.address == kernels.windows.address != 0


# ------------------------------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize("which", range(3))
def test_a_run_whose_arrays_have_other_lengths_is_refused(which):
    run = kernels.run([1.0, 2.0], [5], [7])
    arrays = [run.table, run.ints, run.reals]
    arrays[which] = np.concatenate([arrays[which], arrays[which][-1:]])
    with pytest.raises(ValueError, match="do not have the lengths"):
        kernels.windows(Run(*arrays))


@pytest.mark.parametrize("which", range(3))
def test_a_run_whose_arrays_are_of_another_type_is_refused(which):
    run = kernels.run([1.0, 2.0], [5], [7])
    arrays = [run.table, run.ints, run.reals]
    arrays[which] = arrays[which].astype(np.float32 if which == 2 else np.int32)
    with pytest.raises(ValueError, match="not contiguous or not of type"):
        kernels.windows(Run(*arrays))


@pytest.mark.parametrize("which", range(3))
def test_a_run_whose_arrays_have_gaps_is_refused(which):
    run = kernels.run([1.0, 2.0], [5], [7, 7])
    arrays = [run.table, run.ints, run.reals]
    arrays[which] = np.repeat(arrays[which], 2)[::2]
    with pytest.raises(ValueError, match="not contiguous"):
        kernels.windows(Run(*arrays))


@pytest.mark.parametrize(("made", "symbol"), [(kernels.allocates, "NRT_"), (kernels.draws, "numba_")])
def test_a_kernel_that_needs_numba_at_run_time_is_refused(made, symbol):
    with pytest.raises(RuntimeError, match=rf"the kernel refers to .*{symbol}\w+.*needs Numba at run time"):
        made(kernels.run([1.0, 2.0]))


# ------------------------------------------------------------------------------------------------------------ the cache


def key(made):
    """Key of a kernel, as a new process would make it."""
    recipes._text.cache_clear()
    return kernel._key(made.recipe())


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package of two modules with kernels of the same name, one of which imports helpers."""
    folder = tmp_path / "dalembert_probe"
    folder.mkdir()
    body = """
        from dalembert.native.kernel import Run, kernel
        {imports}

        @kernel
        def twice(run: Run) -> int:
            run.reals[0] = {value} * run.reals[0]
            return 0
    """
    files = {
        "__init__": "",
        "first": body.format(imports="from dalembert_probe.helper import FACTOR", value="FACTOR"),
        "second": body.format(imports="", value="2.0"),
        "helper": "from dalembert_probe import deeper\nFACTOR = deeper.FACTOR",
        "deeper": "FACTOR = 2.0\ndef later():\n    from dalembert_probe import lazy",
        "lazy": "VALUE = 1",
    }
    for name, text in files.items():
        (folder / f"{name}.py").write_text(textwrap.dedent(text))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # of texts that differ within a second
    yield folder
    forget_probes()
    recipes._text.cache_clear()


def forget_probes():
    for name in [name for name in sys.modules if name.startswith("dalembert_probe")]:
        del sys.modules[name]


def test_kernels_of_one_name_in_two_modules_have_different_keys(package):
    from dalembert_probe import first, second

    assert key(first.twice) != key(second.twice)
    (package / "second.py").write_text((package / "first.py").read_text())  # also where the texts are the same
    assert key(first.twice) != key(second.twice)
    run = kernels.run([3.0])
    assert first.twice(run) == second.twice(run) == 0 and run.reals[0] == 12.0


def probed_key(package, name, text):
    """Key of a kernel of the package, in which one source reads ``text``, as a new process would make it."""
    (package / f"{name}.py").write_text(textwrap.dedent(text))
    importlib.invalidate_caches()
    forget_probes()
    return key(importlib.import_module("dalembert_probe.first").twice)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("first", "run.reals[0] = FACTOR * run.reals[0]\n    return 1"),
        ("helper", "from dalembert_probe import deeper\nFACTOR = 3.0 * deeper.FACTOR"),
        ("deeper", "FACTOR = 2.5"),
    ],
)
def test_a_key_changes_with_all_that_the_kernel_is_made_of(package, name, text):
    before = (package / f"{name}.py").read_text()
    changed = before.replace("run.reals[0] = FACTOR * run.reals[0]\n    return 0", text) if name == "first" else text
    kept = probed_key(package, name, before)
    assert probed_key(package, name, changed + "  # another comment") != kept
    assert probed_key(package, name, before) == kept


@pytest.mark.parametrize("name", ["first", "second", "helper", "deeper", "lazy"])
def test_comments_and_functions_that_a_kernel_does_not_reach_leave_its_key(package, name):
    text = (package / f"{name}.py").read_text()
    assert probed_key(package, name, text) == probed_key(
        package, name, text + "\n# another comment\ndef beside():\n    return 5\n"
    )


def test_a_key_changes_with_the_functions_that_a_kernel_calls_and_their_options(package):
    text = """
        from dalembert.native.kernel import Run, compiled, kernel, reassociated

        {mark}
        def doubled(x: float) -> float:
            {documented}
            return {value} * x

        @kernel
        def twice(run: Run) -> int:
            run.reals[0] = doubled(run.reals[0])
            return 0
    """
    said = '"""Two of it."""'
    one = probed_key(package, "first", text.format(mark="@compiled", value="2.0", documented=said))
    other = probed_key(package, "first", text.format(mark="@compiled", value="3.0", documented=said))
    loose = probed_key(package, "first", text.format(mark="@reassociated", value="2.0", documented=said))
    assert len({one, other, loose}) == 3
    reworded = text.format(mark="@compiled", value="2.0", documented=said.replace("it", "that"))
    assert probed_key(package, "first", reworded) == one


@pytest.mark.parametrize("name", ["compiler", "pointers"])
def test_a_key_changes_with_what_compiles(package, monkeypatch, name):
    from dalembert_probe import second

    before, text = key(second.twice), recipes._text
    with monkeypatch.context() as patched:
        patched.setattr(recipes, "_text", lambda module: text(module) + b"#" * module.endswith(f"native.{name}"))
        assert kernel._key(second.twice.recipe()) != before


def test_a_key_changes_with_the_entry_that_is_made_of_the_function(package):
    from dalembert_probe import second

    as_equations = kernel.Entry(second.twice.function, kernel._as_equations)
    assert key(as_equations) != key(second.twice)


def test_keys_of_all_kernels_are_found_quickly():
    """Whoever starts a run waits for them; only what compiles is read, and that once."""
    from dalembert.integrate.frame import advance
    from dalembert.integrate.methods import explicit_rk, radau

    keys = {key(advance.advance)} | {kernel._key(made.recipe()) for made in (explicit_rk.attempt, radau.attempt)}
    assert len(keys) == 3 and recipes._text.cache_info().misses < 5


@pytest.mark.parametrize("part", ["numba", "llvmlite", "processor"])
def test_a_key_changes_with_the_compiler_and_the_processor(monkeypatch, part):
    before = key(kernels.total)
    if part == "numba":
        monkeypatch.setattr("importlib.metadata.version", lambda name: "0.0")
    elif part == "llvmlite":
        monkeypatch.setattr(kernel.llvmlite, "__version__", "0.0")
    else:
        monkeypatch.setattr(kernel.llvm, "get_host_cpu_name", lambda: "abacus")
    assert key(kernels.total) != before


def test_a_key_does_not_depend_on_what_else_has_been_imported():
    """Or else a process that compiles nothing looks for other entries than the one that made them."""
    program = """
        from dalembert.equations.builders import loop
        from dalembert.native import kernel

        before = kernel._key(loop.evaluate.recipe())
        kernel.recipes._text.cache_clear()
        import dalembert.native.pointers
        assert kernel._key(loop.evaluate.recipe()) == before
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_broken_object_code_is_compiled_again(monkeypatch, package, tmp_path):
    monkeypatch.setenv("DALEMBERT_CACHE_DIR", str(tmp_path / "cache"))
    from dalembert_probe import second

    run = kernels.run([3.0])
    second.twice(run)
    (entry,) = [path for path in (tmp_path / "cache").iterdir() if path.name == key(second.twice)]
    entry.write_bytes(entry.read_bytes()[:-1] + b"?")
    assert cache.load(entry.name) is None
    again = kernel.kernel(second.twice.function)
    again(run)
    assert run.reals[0] == 12.0 and cache.load(entry.name) is not None


SIMULATION = """
    import sys
    import numpy as np
    import dalembert as da

    chain = da.problems.pendulum_chain(3)
    for method in ("dopri5", "radau"):
        solution = da.simulate(chain.equations, (0.0, 0.01), (chain.q0, chain.v0), method=method)
        assert solution.t[-1] == 0.01
    print(*sorted(name for name in sys.modules if name.split(".")[0] == "numba"))
"""


def test_object_code_runs_without_numba():
    """The second process finds everything that the first one compiled."""
    for _ in range(2):
        program = textwrap.dedent(SIMULATION)
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    assert not done.stdout.split()


class Terminal(io.StringIO):
    def isatty(self):
        return True


def watched(monkeypatch, stream):
    """A stream in place of stderr, in a process that has not been told yet."""
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.delenv("DALEMBERT_QUIET", raising=False)
    kernel._tell.cache_clear()
    return stream


def test_a_long_compilation_is_announced_once(monkeypatch):
    terminal = watched(monkeypatch, Terminal())
    monkeypatch.setattr(kernel, "_PATIENCE", 0.0)

    def compile():
        for _ in range(2000):  # until the line is there, not for a time
            if "compiling" in terminal.getvalue():
                break
            threading.Event().wait(0.01)
        return "name", b"code"

    assert kernel._announced(compile) == kernel._announced(compile) == ("name", b"code")
    assert terminal.getvalue().count("compiling the integrator, once per installation") == 1


def test_a_short_compilation_is_silent(monkeypatch):
    terminal = watched(monkeypatch, Terminal())
    monkeypatch.setattr(kernel, "_PATIENCE", 1e6)
    assert kernel._announced(lambda: ("name", b"code")) == ("name", b"code")
    assert terminal.getvalue() == ""


def test_nothing_is_announced_where_nobody_looks(monkeypatch):
    terminal = watched(monkeypatch, Terminal())
    monkeypatch.setenv("DALEMBERT_QUIET", "1")
    kernel._tell()
    assert terminal.getvalue() == ""
    file = watched(monkeypatch, io.StringIO())
    kernel._tell()
    assert file.getvalue() == ""


def test_recipes_are_the_same_in_every_process():
    # A function that has the name of an attribute, such as real, would be told by its address.
    from dalembert.integrate.methods import bdf, explicit_rk, radau

    for made in (radau.attempt, bdf.attempt, explicit_rk.attempt):
        parts = [part for reached in recipes._reached(made.function) for part in recipes._fingerprints(reached, set())]
        assert parts and not any(b" at 0x" in part for part in parts)
