"""From programs to addresses: LLVM code generation, loading, and the key of the cache.

A hash-consed program leaves LLVM's optimisation passes nothing to find, so none are run; code generation is done at
level 1, which gives the same speed as level 3.
"""

from __future__ import annotations

import functools
import hashlib
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import llvmlite
import llvmlite.binding as llvm

from dalembert.native import cache
from dalembert.symbolic.compiler.program import Program
from dalembert.symbolic.statistics import OperationCounts, count_operations

if TYPE_CHECKING:
    from dalembert.symbolic.compiler.lockstep import Team
    from dalembert.symbolic.compiler.schedule import Schedule


@dataclass(frozen=True)
class Machine:
    """Loaded machine code; the addresses are good as long as this object lives."""

    entry: int
    map: int  # of functions for single points
    work_size: int  # of functions for points in groups: for each group, besides one word per block
    blocks: int
    statistics: OperationCounts
    engine: Any
    from_cache: bool


@functools.cache
def _initialise() -> None:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.initialize_native_asmparser()


@functools.cache
def _processor() -> tuple[str, str, str]:
    _initialise()
    features = llvm.get_host_cpu_features().flatten()
    return llvm.get_default_triple(), llvm.get_host_cpu_name(), features


@functools.cache
def sources_digest() -> str:
    """Fingerprint of every source file of the symbolic layer: no cache entry survives a change in any of them."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parents[1].rglob("*.py")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


sources_digest()  # now, while the files are those that were imported: they may be edited while this process lives


def _target_machine() -> Any:
    triple, name, features = _processor()
    target = llvm.Target.from_triple(triple)
    return target.create_target_machine(cpu=name, features=features, opt=1, reloc="pic", codemodel="jitdefault")


def cache_key(program: Program, *options: object) -> str:
    """Everything that decides on the machine code, as one fingerprint."""
    version = ".".join(str(part) for part in llvm.llvm_version_info)
    parts = (program.digest(), sources_digest(), version, llvmlite.__version__, *_processor(), repr(options))
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


#: Forms of machine code, with the names of their entries: for single points (emit/llvm.py), for points in groups
#: (emit/lane_code.py), for points along a recursion (emit/run_code.py).
_ENTRIES = {"points": "entry", "lanes": "lanes", "runs": "run", "runs apart": "run"}


def build(
    program: Program, fma: bool = False, use_cache: bool = True, form: str = "points", homes: tuple[int, ...] = ()
) -> Machine:
    """Machine code of ``program``, from the cache if it is there; ``homes`` for runs."""
    _initialise()
    key = cache_key(program, fma, form, homes) if use_cache else ""
    found = cache.load(key) if use_cache else None
    if found is not None:
        description, code = found
    else:
        plan, text, work_size = _printed(program, fma, form, homes)
        code = _target_machine().emit_object(llvm.parse_assembly(text))
        description = {
            "work_size": work_size,
            "blocks": len(plan.blocks),
            "statistics": count_operations(plan.program).as_dict(),
        }
        if use_cache:
            cache.store(key, description, code)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _target_machine())
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return Machine(
        engine.get_function_address(_ENTRIES[form]),
        engine.get_function_address("map") if form == "points" else 0,
        description["work_size"],
        description["blocks"],
        OperationCounts.from_dict(description["statistics"]),
        engine,
        found is not None,
    )


def _printed(program: Program, fma: bool, form: str, homes: tuple[int, ...]) -> tuple[Schedule, str, int]:
    """The scheduled program, its assembly, and the workspace that this needs."""
    # imported here, as code that was kept needs none of it
    from dalembert.symbolic.compiler.lockstep import lockstep
    from dalembert.symbolic.compiler.rewrite import settled
    from dalembert.symbolic.compiler.schedule import schedule
    from dalembert.symbolic.emit import lane_code, run_code
    from dalembert.symbolic.emit import llvm as emit_llvm
    from dalembert.symbolic.emit import x86 as emit_x86

    if form in ("runs", "runs apart"):
        plan = schedule(settled(program), limit=sys.maxsize)
        return plan, run_code.emit(plan, homes, fma, apart=form == "runs apart"), 0
    if form == "lanes":
        plan = schedule(settled(program))
        return plan, *lane_code.emit(plan, fma)
    triple, _, features = _processor()
    registers = emit_x86.registers(triple, features, fma)
    ready = settled(program)
    teams: list[Team] = []
    if registers and program.staged and not fma:
        ready, teams = lockstep(ready)
    plan = schedule(ready, emit_x86.PLAIN if registers else frozenset(), teams=teams)
    return plan, *emit_llvm.emit(plan, fma, registers)
