"""Kernels are translated once and compiled for any processor; Numba's own functions go on as they did."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import numpy as np
import pytest
from native import kernels
from numba.core.registry import cpu_target

from dalembert.native import compiler, kernel
from dalembert.native.slots import address_of

TESTS = Path(__file__).parents[1]
UNIT = (kernels.windows, kernels.total, kernels.relay, kernels.subnormals)


@pytest.fixture(scope="module")
def translations():
    return [made.translate() for made in UNIT]


@pytest.mark.parametrize(("triple", "machine"), [("aarch64-unknown-linux-gnu", 183), ("x86_64-unknown-linux-gnu", 62)])
def test_one_translation_serves_all_processors(translations, triple, machine):
    code = compiler.object_code(translations, compiler.machine_of(triple, "generic"))
    assert code[:4] == b"\x7fELF" and struct.unpack_from("<H", code, 18) == (machine,)  # e_machine
    assert all(translation.entry.encode() in code for translation in translations)


def test_kernels_of_one_unit_share_their_machine_code(translations):
    machine = compiler.machine_of(kernel.llvm.get_process_triple(), kernel.llvm.get_host_cpu_name())
    engine = kernel._engine(compiler.object_code(translations, machine))
    windows, total = (kernel._PROTOTYPE(engine.get_function_address(one.entry)) for one in translations[:2])
    memory = kernels.run([1.0, 2.0, 3.0, 4.0])
    arrays = [address_of(array) for array in (memory.table, memory.ints, memory.reals)]
    assert windows(*arrays) == 202 and np.array_equal(memory.reals, [4.0, 6.0, 3.0, 4.0])
    assert total(*arrays) == 0 and memory.reals[0] == 13.0


def test_a_shared_function_is_translated_once(translations):
    windows, again = translations[0], kernel.kernel(kernels.windows.function).translate()
    assert set(windows.modules) & set(again.modules), "the function of the kernel, and those that it calls"
    assert windows.entry != again.entry


def test_a_function_that_nothing_provides_is_refused(translations):
    """A kernel that called it would take the process with it."""
    entry = """
        declare i64 @dalembert_missing()

        define i64 @start() {
            %value = call i64 @dalembert_missing()
            ret i64 %value
        }
    """
    broken = compiler.Translation("start", (compiler.llvm.parse_assembly(entry).as_bitcode(),))
    with pytest.raises(RuntimeError, match="refers to dalembert_missing"):
        compiler.object_code([broken], compiler.machine_of("x86_64-unknown-linux-gnu", "x86-64"))


PROGRAM = """
    import sys

    import numba
    import numpy as np

    def mean(values):
        total = 0.0
        for k in range(len(values)):
            total += max(values[k], -values[k])
        return np.sqrt(total) + min(total, 3) + int(total) % 2

    if sys.argv[1] == "first":
        expected = numba.njit(mean)(np.array([1.0, -3.0]))

    from native import kernels

    run = kernels.run([1.0, 2.0, 3.0, 4.0])
    assert kernels.windows(run) == 202 and run.reals[0] == 4.0
    assert numba.njit(mean)(np.array([1.0, -3.0])) == 5.0
"""


@pytest.mark.parametrize("order", ["first", "later"])
def test_functions_of_numba_run_before_and_after_kernels_are_compiled(order, tmp_path):
    """Both meet the same functions of Numba, such as max, of which each has its own."""
    environment = {**os.environ, "PYTHONPATH": str(TESTS), "DALEMBERT_CACHE_DIR": str(tmp_path)}
    program = [sys.executable, "-c", textwrap.dedent(PROGRAM), order]
    done = subprocess.run(program, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr


def test_other_threads_keep_numbas_own_target(translations):
    """A thread may define functions for Numba while another one compiles kernels."""
    targets = []
    with compiler._translating():
        mine = cpu_target.target_context
        other = threading.Thread(target=lambda: targets.append(cpu_target.target_context))
        other.start()
        other.join()
    assert targets == [cpu_target.target_context] and mine is not cpu_target.target_context
