"""Small kernels, as the package's own are written."""

from __future__ import annotations

import numpy as np

from dalembert.native.kernel import (
    Complexes,
    Ints,
    Reals,
    Run,
    as_complex,
    call_kernel,
    compiled,
    flush_subnormals,
    kernel,
    reassociated,
    restore_mode,
    view,
)
from dalembert.native.slots import address, complexes, integer, integers, real, reals

HEADER = 3


def run(reals, ints=(), table=()):
    """The memory of a run: whole numbers behind their header, and real ones."""
    lengths = [len(table), HEADER + len(ints), len(reals)]
    return Run(
        np.array(table, dtype=np.int64), np.array([*lengths, *ints], dtype=np.int64), np.array(reals, dtype=np.float64)
    )


@compiled
def _add(target: Reals, source: Reals) -> None:
    for k in range(target.size):
        target[k] += source[k]


@reassociated
def _sum(values: Reals) -> float:
    total = 0.0
    for k in range(values.size):
        total += values[k]
    return total


@kernel
def windows(run: Run) -> int:
    """Adds the second half to the first through views; returns how long the views are."""
    half = run.reals.size // 2
    first, second = view(run.reals, 0, half), view(run.reals, half, half)
    _add(first, second)
    return first.size + 100 * second.size


@compiled
def _part(values: Ints, start: int, size: int) -> int:
    part = view(values, start, size)
    total = 0
    for k in range(part.size):
        total += part[k]
    return total


@kernel
def window_of_ints(run: Run) -> int:
    """Sum of all whole numbers but the header and the last one."""
    return _part(run.ints, 3, run.ints.size - 4)


@kernel
def product(run: Run) -> int:
    """The product of the first two complex numbers goes to the third; returns how many there are."""
    z = as_complex(run.reals)
    z[2] = z[0] * z[1]
    return z.size


@kernel
def total(run: Run) -> int:
    """Sum of all reals but the first goes to the first."""
    run.reals[0] = _sum(view(run.reals, 1, run.reals.size - 1))
    return 0


@kernel
def relay(run: Run) -> int:
    """Calls the kernel whose address stands first in the table."""
    return 1 + call_kernel(run.table[0], run)


@kernel
def subnormals(run: Run) -> int:
    """A thousandth of the first number, where what is subnormal counts as zero, and as it is."""
    before = flush_subnormals()
    run.reals[1] = 1e-3 * run.reals[0]
    restore_mode(before)
    run.reals[2] = 1e-3 * run.reals[0]
    return 0


@kernel
def allocates(run: Run) -> int:
    """Not allowed: memory of Numba's runtime."""
    many = np.zeros(run.reals.size)
    for k in range(many.size):
        many[k] = run.reals[k]
    run.reals[0] = np.sort(many)[0]
    return 0


@kernel
def draws(run: Run) -> int:
    """Not allowed: Numba's random numbers."""
    run.reals[0] = np.random.random()  # noqa: NPY002
    return 0


class Oscillator(Run):
    """Memory with slots."""

    n: int = integer("oscillators")
    steps: int = integer("steps done")
    h: float = real("size of a step")
    t: float = real("time")
    x: Reals = reals("n", "positions")
    weights: Ints = integers("2 * n", "what they count")
    z: Complexes = complexes("n", "phases")
    next_kernel: int = address("kernel that follows")


class Damped(Oscillator):
    """The same memory, and more."""

    damping: float = real("damping")
    v: Reals = reals("n", "velocities")
    rest: int = integer("whether it rests")


@compiled
def _turn(run: Oscillator, angle: float) -> None:
    for k in range(run.n):
        run.z[k] *= complex(np.cos(angle), np.sin(angle))


@kernel
def oscillate(run: Damped) -> int:
    """One step of the symplectic Euler method, by slots of both classes."""
    x, v, h = run.x, run.v, run.h
    for k in range(run.n):
        v[k] -= h * (x[k] + run.damping * v[k])
        x[k] += h * v[k]
        run.weights[2 * k + 1] += k
    _turn(run, h)
    run.t = run.t + h
    run.steps += 1
    run.rest = 0
    return run.weights.size + (call_kernel(run.next_kernel, run) if run.next_kernel else 0)


@kernel
def count(run: Oscillator) -> int:
    """Steps, in hundreds."""
    return 100 * run.steps
