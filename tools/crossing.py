"""Kernels for another family of processors than the one at hand, through LLVM's cross targets.

Numba translates kernels to the language of LLVM and leaves them as they are; nothing of them is compiled for this
processor, on which they could not run.  Optimisation and object code are LLVM's, for the processor that is asked for.
"""

from __future__ import annotations

import os
import re
from typing import Any


def begin(triple: str) -> None:
    """From now on kernels of this process are compiled for ``triple``; to be called before Numba is imported."""
    os.environ["NUMBA_OPT"] = "0"
    from numba.core import codegen

    from dalembert.native import kernel, pointers

    def linked(self: Any, name: str) -> int:
        self._ensure_finalized()
        return 0

    # What nobody asks the address of is linked, but never compiled for this processor.
    codegen.JITCodeLibrary.get_pointer_to_function = linked  # type: ignore[method-assign]
    codegen.JITCodeLibrary._finalize_specific = lambda self: None  # type: ignore[method-assign]
    codegen.JITCPUCodegen.set_env = lambda self, name, env: None  # type: ignore[method-assign]
    pointers.target_triple = triple
    kernel.compiled_object = lambda library: object_code(library.get_llvm_str(), triple)


def object_code(text: str, triple: str) -> bytes:
    """Of a module that nothing was optimised in."""
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(triple).create_target_machine(opt=3, jit=True)
    for what, value in (("datalayout", machine.target_data), ("triple", triple)):
        text = re.sub(rf'target {what} = ".*"', f'target {what} = "{value}"', text)
    module = llvm.parse_assembly(text)
    module.verify()
    # As Numba does: what is called is put in its place, so that counts of references cancel out; then all the rest.
    _optimise(llvm, machine, module, speed=0, prune=True)
    _optimise(llvm, machine, module, speed=3)
    return bytes(machine.emit_object(module))


def _optimise(llvm: Any, machine: Any, module: Any, speed: int, prune: bool = False) -> None:
    options = llvm.create_pipeline_tuning_options(speed_level=speed)
    options.loop_vectorization, options.slp_vectorization = speed > 0, False
    builder = llvm.create_pass_builder(machine, options)
    passes = builder.getModulePassManager()
    if prune:
        passes.add_refprune_pass()
    passes.run(module, builder)
