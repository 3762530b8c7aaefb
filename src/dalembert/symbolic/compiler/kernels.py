"""Hand-written LLVM kernels that generated code calls: sines and cosines of several angles at once, interval search.

``sincos``: argument reduction in three parts (Cody and Waite, with the split of π/2 of fdlibm's second iteration, good
to 118 bits) and fdlibm's kernel polynomials, without branches, on vectors.  The result is within one unit in the last
place of the exact one for |x| < 2¹⁸ π/2; a vector with a larger, infinite or NaN angle goes to the C library.  (Beyond
this limit it fails for the first time at 413441.44719405076, near 263205 π/2, with 1.06 units.)
"""

from __future__ import annotations

import struct

from dalembert.symbolic.compiler.program import WIDTH

_V = f"<{WIDTH} x double>"
_I = f"<{WIDTH} x i64>"

# fdlibm e_rem_pio2.c: π/2 = P1 + P2 + P2T, the first two with 33 bits, so that k·P1 and k·P2 are exact for |k| < 2²⁰.
_TWO_OVER_PI = 6.36619772367581382433e-01
_P1 = 1.57079632673412561417e00
_P2 = 6.07710050630396597660e-11
_P2T = 2.02226624879595063154e-21
_LIMIT = 411774.0  # 2¹⁸ π/2
# Adding and subtracting 1.5·2⁵² rounds to a whole number and leaves it in the low bits.
_ROUND = 6755399441055744.0
# fdlibm k_sin.c and k_cos.c.
_S = (-1.66666666666666324348e-01, 8.33333333332248946124e-03, -1.98412698298579493134e-04,
      2.75573137070700676789e-06, -2.50507602534068634195e-08, 1.58969099521155010221e-10)  # fmt: skip
_C = (4.16666666666666019037e-02, -1.38888888888741095749e-03, 2.48015872894767294178e-05,
      -2.75573143513906633035e-07, 2.08757232129817482790e-09, -1.13596475577881948265e-11)  # fmt: skip


def number(value: float) -> str:
    """A double as LLVM reads it back bit for bit."""
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"


def _splat(value: float) -> str:
    return "<" + ", ".join([f"double {number(value)}"] * WIDTH) + ">"


def _isplat(value: int) -> str:
    return "<" + ", ".join([f"i64 {value}"] * WIDTH) + ">"


class _KernelWriter:
    """Emits one vector instruction per call and returns its name."""

    def __init__(self, flags: str) -> None:
        self.lines: list[str] = []
        self.flags = flags

    def emit(self, text: str) -> str:
        name = f"%t{len(self.lines)}"
        self.lines.append(f"  {name} = {text}")
        return name

    def add(self, a: str, b: str) -> str:
        return self.emit(f"fadd {self.flags}{_V} {a}, {b}")

    def sub(self, a: str, b: str) -> str:
        return self.emit(f"fsub {self.flags}{_V} {a}, {b}")

    def mul(self, a: str, b: str) -> str:
        return self.emit(f"fmul {self.flags}{_V} {a}, {b}")

    def horner(self, z: str, coefficients: tuple[float, ...]) -> str:
        total = _splat(coefficients[-1])
        for c in coefficients[-2::-1]:
            total = self.add(_splat(c), self.mul(z, total))
        return total


def _sincos_body(flags: str) -> tuple[str, str, str]:
    w = _KernelWriter(flags)
    one, half = _splat(1.0), _splat(0.5)
    # x = k π/2 + y0 + y1
    shifted = w.add(w.mul("%x", _splat(_TWO_OVER_PI)), _splat(_ROUND))
    k = w.sub(shifted, _splat(_ROUND))
    t = w.sub("%x", w.mul(k, _splat(_P1)))
    p2 = w.mul(k, _splat(_P2))
    r = w.sub(t, p2)
    tail = w.sub(w.mul(k, _splat(_P2T)), w.sub(w.sub(t, r), p2))
    y0 = w.sub(r, tail)
    y1 = w.sub(w.sub(r, y0), tail)
    z = w.mul(y0, y0)
    # sin(y0 + y1)
    v = w.mul(z, y0)
    inner = w.sub(w.mul(half, y1), w.mul(v, w.horner(z, _S[1:])))
    sine = w.sub(y0, w.sub(w.sub(w.mul(z, inner), y1), w.mul(v, _splat(_S[0]))))
    # cos(y0 + y1)
    hz = w.mul(half, z)
    rest = w.sub(one, hz)
    tail = w.sub(w.mul(z, w.mul(z, w.horner(z, _C))), w.mul(y0, y1))
    cosine = w.add(rest, w.add(w.sub(w.sub(one, rest), hz), tail))
    # Quadrant k mod 4: odd ones swap, the second bit of k (of k+1 for the cosine) is the sign.
    bits = w.emit(f"bitcast {_V} {shifted} to {_I}")
    odd = w.emit(f"icmp ne {_I} {w.emit(f'and {_I} {bits}, {_isplat(1)}')}, zeroinitializer")
    swapped_sine = w.emit(f"select <{WIDTH} x i1> {odd}, {_V} {cosine}, {_V} {sine}")
    swapped_cosine = w.emit(f"select <{WIDTH} x i1> {odd}, {_V} {sine}, {_V} {cosine}")
    results = []
    for value, quadrant in (
        (swapped_sine, bits),
        (swapped_cosine, w.emit(f"add {_I} {bits}, {_isplat(1)}")),
    ):
        sign = w.emit(f"shl {_I} {w.emit(f'and {_I} {quadrant}, {_isplat(2)}')}, {_isplat(62)}")
        flipped = w.emit(f"xor {_I} {w.emit(f'bitcast {_V} {value} to {_I}')}, {sign}")
        results.append(w.emit(f"bitcast {_I} {flipped} to {_V}"))
    return "\n".join(w.lines), results[0], results[1]


#: Functions that the sine kernel calls.
SINCOS_NEEDS = (
    "declare double @sin(double)",
    "declare double @cos(double)",
    f"declare {_V} @llvm.fabs.v{WIDTH}f64({_V})",
)


def sincos(fma: bool) -> str:
    """``{vector, vector} sincos(vector x)``: the sines and the cosines of WIDTH angles."""
    body, sine, cosine = _sincos_body("contract " if fma else "")
    pair = f"{{{_V}, {_V}}}"
    mask = f"i{WIDTH}"
    slow, sines, cosines = [], "zeroinitializer", "zeroinitializer"
    for i in range(WIDTH):
        slow += [
            f"%u{i} = extractelement {_V} %x, i64 {i}",
            f"%s{i} = call double @sin(double %u{i})",
            f"%c{i} = call double @cos(double %u{i})",
            f"%vs{i} = insertelement {_V} {sines}, double %s{i}, i64 {i}",
            f"%vc{i} = insertelement {_V} {cosines}, double %c{i}, i64 {i}",
        ]
        sines, cosines = f"%vs{i}", f"%vc{i}"
    return f"""
define internal fastcc {pair} @sincos({_V} %x) noinline {{
  %size = call {_V} @llvm.fabs.v{WIDTH}f64({_V} %x)
  %small = fcmp olt {_V} %size, {_splat(_LIMIT)}
  %mask = bitcast <{WIDTH} x i1> %small to {mask}
  %all = icmp eq {mask} %mask, -1
  br i1 %all, label %fast, label %slow
fast:
{body}
  %f0 = insertvalue {pair} zeroinitializer, {_V} {sine}, 0
  %f1 = insertvalue {pair} %f0, {_V} {cosine}, 1
  ret {pair} %f1
slow:
  {chr(10).join(slow)}
  %g0 = insertvalue {pair} zeroinitializer, {_V} {sines}, 0
  %g1 = insertvalue {pair} %g0, {_V} {cosines}, 1
  ret {pair} %g1
}}
"""


#: ``double interval(const double *borders, i64 n, double x)``: how many borders are <= x (none for NaN).
INTERVAL = """
define internal double @interval(ptr noalias readonly %borders, i64 %n, double %x) noinline {
entry:
  br label %test
test:
  %low = phi i64 [0, %entry], [%low1, %step]
  %length = phi i64 [%n, %entry], [%length1, %step]
  %open = icmp sgt i64 %length, 0
  br i1 %open, label %step, label %end
step:
  %half = lshr i64 %length, 1
  %middle = add i64 %low, %half
  %p = getelementptr double, ptr %borders, i64 %middle
  %b = load double, ptr %p
  %right = fcmp ole double %b, %x
  %above = add i64 %middle, 1
  %low1 = select i1 %right, i64 %above, i64 %low
  %rest = sub i64 %length, %half
  %rest1 = sub i64 %rest, 1
  %length1 = select i1 %right, i64 %rest1, i64 %half
  br label %test
end:
  %result = sitofp i64 %low to double
  ret double %result
}
"""


#: The same for borders that are nearly evenly spaced, with NaN before and behind them: ``first`` + k/``rate`` is not
#: farther than a quarter of their distance from border k, so that a product gives a place that is one off at most.
UNIFORM_INTERVAL = f"""
define internal double @uniform(ptr noalias readonly %borders, i64 %n, double %first, double %rate, double %x)
  noinline {{
  %away = fsub double %x, %first
  %scaled = fmul double %away, %rate
  %place = fadd double %scaled, {number(1.0)}
  %last = sitofp i64 %n to double
  %above = fcmp ogt double %place, {number(0.0)}
  %low = select i1 %above, double %place, double {number(0.0)}
  %below = fcmp olt double %low, %last
  %inside = select i1 %below, double %low, double %last
  %k = fptosi double %inside to i64
  %pb = getelementptr double, ptr %borders, i64 %k
  %b = load double, ptr %pb
  %pa = getelementptr double, ptr %pb, i64 1
  %a = load double, ptr %pa
  %less = fcmp olt double %x, %b
  %more = fcmp ole double %a, %x
  %down = sext i1 %less to i64
  %up = zext i1 %more to i64
  %k1 = add i64 %k, %down
  %k2 = add i64 %k1, %up
  %result = sitofp i64 %k2 to double
  ret double %result
}}
"""
