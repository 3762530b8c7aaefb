"""Programs printed as C99.

The exported function has the form of the compiled one (see emit_llvm.py)::

    int name(int64_t request, int64_t changed, const double *const *in, double *const *out, double *work);

and, for callers who want to see what they pass, ``name_at(inputs…, outputs…, work)``, which computes everything.
The files hold some hundred statements each and need nothing but libm.
"""

from __future__ import annotations

import re
from pathlib import Path

from dalembert.symbolic.compiler.program import Program
from dalembert.symbolic.compiler.rewrite import settled
from dalembert.symbolic.compiler.schedule import Chunk
from dalembert.symbolic.emit.c_parts import CParts
from dalembert.symbolic.emit.c_tables import CTables
from dalembert.symbolic.emit.c_teams import vectors
from dalembert.symbolic.emit.c_text import check_prefix, wrapped
from dalembert.symbolic.statistics import count_operations


def export(program: Program, directory: Path, prefix: str) -> list[Path]:
    """Write the program into ``directory``; returns the files written."""
    check_prefix(prefix)
    directory.mkdir(parents=True, exist_ok=True)
    for old in directory.glob(f"{prefix}_part*.c"):  # of a larger function that was exported here before
        if re.fullmatch(rf"{prefix}_part[0-9]+\.c", old.name):
            old.unlink()
    written = []
    for name, text in _Exporter(program, prefix).files().items():
        path = directory / name
        path.write_text(text, encoding="utf-8")
        written.append(path)
    return written


class _Exporter:
    def __init__(self, program: Program, prefix: str) -> None:
        self.tables = CTables(prefix)
        self.parts = CParts(settled(program), prefix, self.tables)
        self.schedule, self.program = self.parts.schedule, self.parts.program
        self.prefix, self.inputs, self.outputs = prefix, self.parts.inputs, self.parts.outputs

    def files(self) -> dict[str, str]:
        """Contents by file name."""
        p = self.prefix
        include = f'#include "{p}_internal.h"\n\n'
        result = {f"{part.name}.c": f"#include <math.h>\n{include}{part.text}" for part in self.parts.parts}
        if tables := self.tables.text():
            result[f"{p}_tables.c"] = f"#include <math.h>\n{include}{tables}"
        guard = f"{p.upper()}_INTERNAL_H"
        prototypes = "\n".join([*(f"{part.signature};" for part in self.parts.parts), *self.tables.prototypes])
        if self.parts.has_teams:
            prototypes = f"#include <math.h>\n\n{vectors(p)}\n\n{prototypes}"
        result[f"{p}_internal.h"] = f"#ifndef {guard}\n#define {guard}\n\n{prototypes}\n\n#endif\n"
        return {f"{p}.h": self._header(), f"{p}.c": self._entry(), **result}

    def _call(self, chunk: Chunk) -> str:
        part = self.parts.part(chunk)
        arguments = [f"in[{i}]" for i in part.inputs] + [f"out[{k}]" for k in part.outputs]
        return f"{part.name}({', '.join([*arguments, *(['work'] if part.works else [])])});"

    # -------------------------------------------------------- entry and header

    def _signature(self) -> str:
        arrays = "const double *const *in, double *const *out, double *work"
        return f"int {self.prefix}(int64_t request, int64_t changed, {arrays})"

    def _signature_at(self) -> str:
        parameters = [f"const double *{name}" for name in self.inputs] + [f"double *{name}" for name in self.outputs]
        return f"int {self.prefix}_at({', '.join([*parameters, 'double *work'])})"

    def _entry(self) -> str:
        lines = [f'#include "{self.prefix}.h"', f'#include "{self.prefix}_internal.h"', "", self._signature(), "{"]
        if not self.program.staged:
            lines += ["    (void)request;", "    (void)changed;"]
            calls = [self._call(chunk) for chunk in self.schedule.blocks[0].chunks]
            lines += [f"    {call}" for call in calls]
            mentioned = "".join(calls)
        else:
            mentioned = "work"
            for number, block in enumerate(self.schedule.blocks):
                lines += [
                    f"    if (changed <= {block.stage}) {{",
                    f"        work[{number}] = 0.0;",
                    "    }",
                    f"    if ((request & {block.users}) != 0 && work[{number}] == 0.0) {{",
                ]
                lines += [f"        {self._call(chunk)}" for chunk in block.chunks]
                lines += [f"        work[{number}] = 1.0;", "    }"]
                mentioned += "".join(self._call(chunk) for chunk in block.chunks)
            for number, parts in enumerate(self.schedule.copies):
                calls = [self._call(chunk) for chunk in parts]
                lines.append(f"    if ((request & {1 << number}) != 0) {{")
                lines += [*(f"        {call}" for call in calls), "    }"]
                mentioned += "".join(calls)
        lines += [f"    (void){name};" for name in ("in", "out", "work") if not re.search(rf"\b{name}\b", mentioned)]
        lines += ["    return 0;", "}", "", self._signature_at(), "{"]
        n_in, n_out = len(self.inputs), len(self.outputs)
        lines += [f"    const double *in[{max(n_in, 1)}];", f"    double *out[{max(n_out, 1)}];"]
        lines += [f"    in[{i}] = {name};" for i, name in enumerate(self.inputs)] or ["    in[0] = 0;"]
        lines += [f"    out[{k}] = {name};" for k, name in enumerate(self.outputs)]
        lines += [f"    return {self.prefix}(-1, 0, in, out, work);", "}", ""]
        return "\n".join(lines)

    def _header(self) -> str:
        p, upper = self.prefix, self.prefix.upper()
        counts = count_operations(self.program)
        lines = [f"#ifndef {upper}_H", f"#define {upper}_H", "", "#include <stdint.h>", "", "/*"]
        lines.append(f" * {p}: {counts.operations} operations, {counts.atoms} atoms.")
        lines += [" *", " * Inputs, each an array of doubles:"]
        for i, (name, item) in enumerate(zip(self.inputs, self.program.inputs, strict=True)):
            lines.append(f" *   in[{i}]  {name}[{item.size}]")
            lines += [f" *       {line}" for line in wrapped(item.symbols)]
        lines += [" * Outputs (matrices row by row, sparse matrices column by column):"]
        for k, (name, output) in enumerate(zip(self.outputs, self.program.outputs, strict=True)):
            shape = " x ".join(str(n) for n in output.shape) or "1"
            sparse = "" if output.sparse_rows is None else f", {output.size} stored"
            lines.append(f" *   out[{k}]  {name}[{output.size}]   shape {shape}{sparse}")
            if output.sparse_rows is not None and output.sparse_indptr is not None:
                lines += [f" *       row of each entry: {line}" for line in wrapped(map(str, output.sparse_rows))]
                lines += [f" *       start of columns: {line}" for line in wrapped(map(str, output.sparse_indptr))]
        lines += [
            " *",
            f" * work: {upper}_WORK_SIZE doubles that belong to the caller.",
        ]
        if self.program.staged:
            lines += [
                " * request: bit k asks for out[k].  changed: number of the first input that is new since the last",
                " * call with the same work array; 0 at the first call, and the number of inputs if nothing is new.",
            ]
        else:
            lines += [" * request, changed: not used, everything is computed."]
        lines += [" * Returns 0.", " */", "", f"#define {upper}_WORK_SIZE {max(self.schedule.work_size, 1)}", ""]
        lines += [
            "#ifdef __cplusplus",
            'extern "C" {',
            "#endif",
            "",
            self._signature() + ";",
            self._signature_at() + ";",
            "",
        ]
        lines += ["#ifdef __cplusplus", "}", "#endif", "", "#endif", ""]
        return "\n".join(lines)
