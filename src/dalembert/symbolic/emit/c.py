"""Programs printed as C99.

The exported function has the form of the compiled one (see emit_llvm.py)::

    int name(int64_t request, int64_t changed, const double *const *in, double *const *out, double *work);

and, for callers who want to see what they pass, ``name_at(inputs…, outputs…, work)``, which computes everything.  Atoms
that are used once appear inside the formula of their user, as in Fig. 2 of the railway paper; every operation is the
one that the compiled function does, in the same order.  The files hold some hundred statements each and need nothing
but libm.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from dalembert.errors import SymbolicError
from dalembert.symbolic import operations as op
from dalembert.symbolic.compiler.program import Program
from dalembert.symbolic.compiler.rewrite import settled
from dalembert.symbolic.compiler.schedule import Chunk, Schedule, schedule
from dalembert.symbolic.statistics import count_operations

#: Atoms per file.
_FILE_LIMIT = 500
#: A formula that is longer gets a name of its own.
_LONGEST = 110
_SUM, _PRODUCT, _PRIMARY = 1, 2, 3
# Operations that read an argument twice: it must be a name.
_REPEATING = (op.SIGN, op.MIN, op.MAX)
_KEYWORDS = frozenset(
    "auto break case char const continue default do double else enum extern float for goto if inline int long register "
    "restrict return short signed sizeof static struct switch typedef union unsigned void volatile while main".split()
)
# Functions of <math.h>; all but the macros and the last ones, of POSIX, exist with the endings f and l as well.
_MATH = (
    "acos asin atan atan2 cos sin tan acosh asinh atanh cosh sinh tanh exp exp2 expm1 frexp ilogb ldexp log log10 "
    "log1p log2 logb modf scalbn scalbln cbrt fabs hypot pow sqrt erf erfc lgamma tgamma ceil floor nearbyint rint "
    "lrint llrint round lround llround trunc fmod remainder remquo copysign nan nextafter nexttoward fdim fmax fmin fma"
).split()
_MACROS = (
    "fpclassify isfinite isinf isnan isnormal signbit isgreater isgreaterequal isless islessequal islessgreater "
    "isunordered float_t double_t j0 j1 jn y0 y1 yn gamma drem scalb significand finite exp10 pow10 sincos signgam "
    "HUGE_VAL HUGE_VALF HUGE_VALL INFINITY NAN FP_INFINITE FP_NAN FP_NORMAL FP_SUBNORMAL FP_ZERO FP_FAST_FMA "
    "FP_FAST_FMAF FP_FAST_FMAL FP_ILOGB0 FP_ILOGBNAN MATH_ERRNO MATH_ERREXCEPT math_errhandling M_E M_LOG2E M_LOG10E "
    "M_LN2 M_LN10 M_PI M_PI_2 M_PI_4 M_1_PI M_2_PI M_2_SQRTPI M_SQRT2 M_SQRT1_2 MAXFLOAT"
).split()
# Names of <math.h> and <stdint.h>.
_TAKEN = frozenset([*_MACROS, *(name + ending for name in _MATH for ending in ("", "f", "l"))])
_STDINT = re.compile(
    r"u?int(_least|_fast)?(8|16|32|64)_t|u?int(ptr|max)_t|U?INT(_LEAST|_FAST)?(8|16|32|64)_(MIN|MAX)|"
    r"U?INT(PTR|MAX)_(MIN|MAX)|U?INT(8|16|32|64|MAX)_C|(PTRDIFF|SIG_ATOMIC|WCHAR|WINT)_(MIN|MAX)|SIZE_MAX"
)


def export(program: Program, directory: Path, prefix: str) -> list[Path]:
    """Write the program into ``directory``; returns the files written."""
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", prefix) or prefix in _KEYWORDS:
        raise SymbolicError(f"'{prefix}' is no C identifier; choose another prefix for the exported function")
    if prefix in _TAKEN or _STDINT.fullmatch(prefix):
        raise SymbolicError(
            f"'{prefix}' is a name of the C library (math.h, stdint.h); choose another prefix for the exported function"
        )
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
        self.schedule: Schedule = schedule(settled(program), limit=_FILE_LIMIT)
        self.program = self.schedule.program
        self.nodes = self.program.nodes
        self.prefix = prefix
        self.inputs = _identifiers("in", [item.name for item in self.program.inputs])
        self.outputs = _identifiers("out", [item.name for item in self.program.outputs])
        self.uses = Counter(a for node in self.nodes for a in op.atom_arguments(node))
        self.prototypes: list[str] = []
        self.calls: dict[int, str] = {}

    def files(self) -> dict[str, str]:
        """Contents by file name."""
        p = self.prefix
        result: dict[str, str] = {}
        for number, chunk in enumerate(self.schedule.chunks):
            body = self._chunk(f"{p}_part{number}", chunk)
            result[f"{p}_part{number}.c"] = f'#include <math.h>\n#include "{p}_internal.h"\n\n{body}'
        tables = self._tables()
        if tables:
            result[f"{p}_tables.c"] = f'#include "{p}_internal.h"\n\n{tables}'
        guard = f"{p.upper()}_INTERNAL_H"
        prototypes = "\n".join(self.prototypes)
        result[f"{p}_internal.h"] = f"#ifndef {guard}\n#define {guard}\n\n{prototypes}\n\n#endif\n"
        return {f"{p}.h": self._header(), f"{p}.c": self._entry(), **result}

    # ------------------------------------------------------------------- chunks

    def _chunk(self, name: str, chunk: Chunk) -> str:
        printer = _StatementPrinter(self, chunk)
        statements = printer.statements()
        parameters = [f"const double *restrict {self.inputs[i]}" for i in sorted(printer.inputs)]
        parameters += [f"double *restrict {self.outputs[k]}" for k in sorted(printer.outputs)]
        arguments = [f"in[{i}]" for i in sorted(printer.inputs)] + [f"out[{k}]" for k in sorted(printer.outputs)]
        if printer.touches_work:
            parameters.append("double *restrict work")
            arguments.append("work")
        signature = f"void {name}({', '.join(parameters) or 'void'})"
        self.prototypes.append(signature + ";")
        self.calls[id(chunk)] = f"{name}({', '.join(arguments)});"
        return f"{signature}\n{{\n" + "".join(f"    {line}\n" for line in statements) + "}\n"

    # ------------------------------------------------------------------- tables

    def _tables(self) -> str:
        intervals = sorted({node[2] for node in self.nodes if node[0] == op.INTERVAL})
        pieces = sorted({(node[3], node[4]) for node in self.nodes if node[0] == op.PIECE})
        parts = []
        for table in intervals:
            borders = self.program.tables[table].borders
            signature = f"double {self.prefix}_interval{table}(double x)"
            self.prototypes.append(signature + ";")
            array = _array(f"borders{table}", borders.tolist() or [0.0])
            parts.append(
                f"{array}\n/* number of borders <= x */\n{signature}\n{{\n"
                f"    int low = 0, length = {len(borders)};\n"
                "    while (length > 0) {\n        const int half = length/2;\n"
                f"        if (borders{table}[low + half] <= x) {{\n"
                "            low += half + 1;\n            length -= half + 1;\n"
                "        } else {\n            length = half;\n        }\n    }\n    return low;\n}\n"
            )
        for table, order in pieces:
            data = self.program.tables[table]
            coefficients = data.polynomial(order)
            width = coefficients.shape[0] + 1
            values = [x for k in range(len(data.base)) for x in (data.base[k], *coefficients[:, k])]
            signature = f"double {self.prefix}_piece{table}_{order}(double k, double x)"
            self.prototypes.append(signature + ";")
            lines = [f"    const double *c = data{table}_{order} + {width}*(int)k;"]
            formula = "c[1]"
            for i in range(2, width):
                formula = f"({formula}*u + c[{i}])" if i < width - 1 else f"{formula}*u + c[{i}]"
            lines += ["    const double u = x - c[0];", f"    return {formula};"]
            parts.append(_array(f"data{table}_{order}", values) + f"\n{signature}\n{{\n" + "\n".join(lines) + "\n}\n")
        return "\n".join(parts)

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
            calls = [self.calls[id(chunk)] for chunk in self.schedule.blocks[0].chunks]
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
                lines += [f"        {self.calls[id(chunk)]}" for chunk in block.chunks]
                lines += [f"        work[{number}] = 1.0;", "    }"]
                mentioned += "".join(self.calls[id(chunk)] for chunk in block.chunks)
            for number, parts in enumerate(self.schedule.copies):
                calls = [self.calls[id(chunk)] for chunk in parts]
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
            lines += [f" *       {line}" for line in _wrapped(item.symbols)]
        lines += [" * Outputs (matrices row by row, sparse matrices column by column):"]
        for k, (name, output) in enumerate(zip(self.outputs, self.program.outputs, strict=True)):
            shape = " x ".join(str(n) for n in output.shape) or "1"
            sparse = "" if output.sparse_rows is None else f", {output.size} stored"
            lines.append(f" *   out[{k}]  {name}[{output.size}]   shape {shape}{sparse}")
            if output.sparse_rows is not None and output.sparse_indptr is not None:
                lines += [f" *       row of each entry: {line}" for line in _wrapped(map(str, output.sparse_rows))]
                lines += [f" *       start of columns: {line}" for line in _wrapped(map(str, output.sparse_indptr))]
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


class _StatementPrinter:
    """Formulas of one chunk: (text, precedence) per row."""

    def __init__(self, exporter: _Exporter, chunk: Chunk) -> None:
        self.exporter = exporter
        self.chunk = chunk
        self.nodes = exporter.nodes
        self.slots = exporter.schedule.slots
        self.inputs: set[int] = set()
        self.outputs: set[int] = set()
        self.touches_work = False
        self.lines: list[str] = []
        self.formulas: dict[int, tuple[str, int]] = {}

    def statements(self) -> list[str]:
        """The statements of the chunk."""
        nodes = self.nodes
        stored = Counter(row for _, _, row in self.chunk.stores)
        repeated = {a for row in self.chunk.rows if nodes[row][0] in _REPEATING for a in op.atom_arguments(nodes[row])}
        for row in self.chunk.rows:
            text, level = self._formula(nodes[row])
            slot = self.slots.get(row)
            once = self.exporter.uses[row] == 1 and row not in stored and slot is None and row not in repeated
            if once and len(text) <= _LONGEST:
                self.formulas[row] = text, level
                continue
            only_stored = self.exporter.uses[row] == 0 and slot is None and stored[row] == 1
            if only_stored:
                self.formulas[row] = text, level
            else:
                self.lines.append(f"const double a{row} = {text};")
                self.formulas[row] = f"a{row}", _PRIMARY
            if slot is not None:
                self.touches_work = True
                self.lines.append(f"work[{slot}] = a{row};")
        for output, position, row in self.chunk.stores:
            self.outputs.add(output)
            self.lines.append(f"{self.exporter.outputs[output]}[{position}] = {self._read(row)[0]};")
        return self.lines

    def _read(self, row: int) -> tuple[str, int]:
        formula = self.formulas.get(row)
        if formula is not None:
            return formula
        node = self.nodes[row]
        if node[0] == op.CONSTANT:
            return _number(node[1]), _PRIMARY
        if node[0] == op.SYMBOL:
            self.inputs.add(node[1])
            return f"{self.exporter.inputs[node[1]]}[{node[2]}]", _PRIMARY
        self.touches_work = True
        self.lines.append(f"const double a{row} = work[{self.slots[row]}];")
        self.formulas[row] = f"a{row}", _PRIMARY
        return self.formulas[row]

    def _formula(self, node: tuple) -> tuple[str, int]:
        code = node[0]
        arguments = [self._read(a) for a in op.atom_arguments(node)]
        if code in (op.ADD, op.SUB):
            return f"{_wrap(arguments[0], _SUM)} {'+-'[code == op.SUB]} {_wrap(arguments[1], _PRODUCT)}", _SUM
        if code in (op.MUL, op.DIV):
            return f"{_wrap(arguments[0], _PRODUCT)}{'*/'[code == op.DIV]}{_wrap(arguments[1], _PRIMARY)}", _PRODUCT
        if code == op.NEG:
            return f"(-{_wrap(arguments[0], _PRIMARY)})", _PRIMARY
        if code == op.INTERVAL:
            return f"{self.exporter.prefix}_interval{node[2]}({arguments[0][0]})", _PRIMARY
        if code == op.PIECE:
            return f"{self.exporter.prefix}_piece{node[3]}_{node[4]}({arguments[0][0]}, {arguments[1][0]})", _PRIMARY
        function = code < op.LT and code not in _REPEATING
        return op.OPERATIONS[code].c.format(
            *(t if function else _wrap((t, p), _PRIMARY) for t, p in arguments)
        ), _PRIMARY


def _wrap(formula: tuple[str, int], least: int) -> str:
    text, level = formula
    return text if level >= least else f"({text})"


def _number(value: float) -> str:
    if math.isnan(value):
        return "NAN"
    if math.isinf(value):
        return "INFINITY" if value > 0 else "(-INFINITY)"
    text = repr(float(value))
    return text if value >= 0 else f"({text})"


def _array(name: str, values: list[float]) -> str:
    lines = _wrapped([_number(float(v)) for v in values])
    return f"static const double {name}[{len(values)}] = {{\n" + "\n".join(f"    {line}" for line in lines) + "\n};\n"


def _wrapped(words: Iterable[str]) -> list[str]:
    """Words joined by commas, in lines of limited length."""
    lines = [""]
    # In a comment, neither its end nor another beginning nor a trigraph may stand.
    items = [re.sub(r"\*(?=/)|/(?=\*)|\?(?=\?)", r"\g<0> ", re.sub(r"\s+", " ", word)) for word in words]
    for i, word in enumerate(items):
        piece = word + ("," if i < len(items) - 1 else "")
        if lines[-1] and len(lines[-1]) + len(piece) > 100:
            lines.append(piece)
        else:
            lines[-1] += (" " if lines[-1] else "") + piece
    return lines


def _identifiers(prefix: str, names: list[str]) -> list[str]:
    """C identifiers for names, all different."""
    found: list[str] = []
    for name in names:
        base = f"{prefix}_" + (re.sub(r"[^A-Za-z0-9_]", "_", name) or "x")
        candidate, number = base, 2
        while candidate in found:
            candidate, number = f"{base}_{number}", number + 1
        found.append(candidate)
    return found
