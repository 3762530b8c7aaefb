"""Pieces of C: numbers, arrays, comments, and names that C leaves to us."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence

from dalembert.errors import SymbolicError

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


def is_taken(name: str) -> bool:
    """Whether C or its library has the name."""
    return name in _KEYWORDS or name in _TAKEN or _STDINT.fullmatch(name) is not None


def check_prefix(prefix: str) -> None:
    """Complain about a prefix that is no identifier, or a name of the C library."""
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", prefix) or prefix in _KEYWORDS:
        raise SymbolicError(f"'{prefix}' is no C identifier; choose another prefix for the exported function")
    if is_taken(prefix):
        raise SymbolicError(
            f"'{prefix}' is a name of the C library (math.h, stdint.h); choose another prefix for the exported function"
        )


def number(value: float) -> str:
    """A number, exactly."""
    if math.isnan(value):
        return "(double)NAN"  # the macros of math.h are floats
    if math.isinf(value):
        return "(double)INFINITY" if value > 0 else "(-(double)INFINITY)"
    text = repr(float(value))
    return text if value >= 0 else f"({text})"


def constants(name: str, values: Sequence[float], linkage: str = "static const") -> str:
    """An array of numbers that never change."""
    lines = wrapped([number(float(v)) for v in values])
    return f"{linkage} double {name}[{len(values)}] = {{\n" + "\n".join(f"    {line}" for line in lines) + "\n};\n"


def plain(word: str) -> str:
    """A text for a comment, in which neither its end nor another beginning nor a trigraph may stand."""
    return re.sub(r"\*(?=/)|/(?=\*)|\?(?=\?)", r"\g<0> ", re.sub(r"\s+", " ", word))


def wrapped(words: Iterable[str]) -> list[str]:
    """Words joined by commas, in lines of limited length."""
    lines = [""]
    items = [plain(word) for word in words]
    for i, word in enumerate(items):
        piece = word + ("," if i < len(items) - 1 else "")
        if lines[-1] and len(lines[-1]) + len(piece) > 100:
            lines.append(piece)
        else:
            lines[-1] += (" " if lines[-1] else "") + piece
    return lines


def identifiers(prefix: str, names: Iterable[str]) -> list[str]:
    """C identifiers for names, all different."""
    found: list[str] = []
    for name in names:
        base = f"{prefix}_" + (re.sub(r"[^A-Za-z0-9_]", "_", name) or "x")
        candidate, count = base, 2
        while candidate in found:
            candidate, count = f"{base}_{count}", count + 1
        found.append(candidate)
    return found
