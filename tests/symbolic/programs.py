"""Random programs, and an interpreter for programs: the second road to what the compiler makes of them."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from dalembert.symbolic import Atom, Graph, SparseMatrix, absolute, linear_coefficients, sqrt
from dalembert.symbolic import operations as op
from dalembert.symbolic.compiler.program import Program, extract
from dalembert.symbolic.mechanics import (
    Base,
    Point,
    angular_velocity,
    rigid_body_inertia_forces,
    velocity,
    virtual_power,
)

ARITHMETIC: dict[int, Callable[..., Any]] = {
    op.ADD: operator.add,
    op.SUB: operator.sub,
    op.MUL: operator.mul,
    op.DIV: operator.truediv,
    op.NEG: operator.neg,
    op.ABS: abs,
    op.SQRT: np.sqrt,
}


def interpret(
    program: Program,
    values: Sequence[Sequence[Any]],
    functions: Mapping[int, Callable[..., Any]] = ARITHMETIC,
    number: Callable[[float], Any] = np.float64,
) -> list[list[Any]]:
    """Outputs of a program, settled or not, by one step per atom; ``values`` has the numbers of each input."""
    nodes = program.nodes
    known: dict[int, Any] = {}

    def value(handle: int) -> Any:
        return known[handle] if handle >= 0 else -known[-handle]

    stack = [abs(h) for output in program.outputs for h in output.entries]
    while stack:
        row = stack[-1]
        node = nodes[row]
        missing = [abs(a) for a in op.atom_arguments(node) if abs(a) not in known]
        if row in known:
            stack.pop()
        elif missing:
            stack += missing
        elif node[0] == op.CONSTANT:
            known[row] = number(node[1])
        elif node[0] == op.SYMBOL:
            known[row] = values[node[1]][node[2]]
        else:
            known[row] = functions[node[0]](*(value(a) for a in op.atom_arguments(node)))
    return [[value(h) for h in output.entries] for output in program.outputs]


def operations(program: Program) -> int:
    """Number of atoms that are computed."""
    return sum(node[0] > op.SYMBOL for node in program.nodes)


def random_arithmetic(seed: int, size: int, groups: int = 3, reach: int | None = None) -> tuple[Program, list[Any]]:
    """Program of about ``size`` sums, products, quotients, roots and absolute values, and a point.

    ``groups`` is the number of inputs; operands lie at most ``reach`` atoms back (None: anywhere, so that many live
    at the same time).  At the point all values are of moderate size.
    """
    rng = np.random.default_rng(seed)
    graph = Graph()
    symbols = [graph.variables(f"x{i}_", 1 + int(rng.integers(4))) for i in range(groups)]
    point = [rng.uniform(0.5, 2.0, len(item)) * rng.choice([-1.0, 1.0], len(item)) for item in symbols]
    atoms: list[Atom] = [atom for item in symbols for atom in item]
    numbers = [float(v) for item in point for v in item]

    def add(atom: Atom, number: float) -> None:
        while abs(number) > 4.0:
            atom, number = 0.3 * atom, 0.3 * number
        if abs(number) < 0.1:
            atom, number = atom + 0.75, number + 0.75
        atoms.append(atom)
        numbers.append(number)

    unused = set(range(len(atoms)))
    for _ in range(size):
        low = 0 if reach is None else max(0, len(atoms) - reach)
        i, j = (int(k) for k in rng.integers(low, len(atoms), 2))
        a, b, x, y = atoms[i], atoms[j], numbers[i], numbers[j]
        unused -= {i, j}
        match int(rng.integers(12)):
            case 0 | 1 | 2:
                add(a + b, x + y)
            case 3 | 4 | 5:
                add(a - b, x - y)
            case 6 | 7 | 8:
                add(a * b, x * y)
            case 9:
                add(a / b, x / y)
            case 10:
                c = float(rng.uniform(-2, 2))
                add(c - a * b, c - x * y)
            case _:
                add(sqrt(absolute(a)) - 1.5 * b, np.sqrt(abs(x)) - 1.5 * y)
        unused.add(len(atoms) - 1)
    some = [int(k) for k in rng.integers(0, len(atoms), 1 + size // 20)]
    outputs = {
        "ends": [atoms[k] for k in sorted(unused)],
        "some": [-atoms[k] if k % 2 else atoms[k] for k in some],
        "leaves": [0.0, 1.5, *symbols[0], 0.0, 0.0, -symbols[-1][0], 0.0, 0.0, 0.0, 0.0, 0.0, -2.5, 0.0],
    }
    return extract(outputs, {f"x{i}": item for i, item in enumerate(symbols)}), point


def pendulum(links: int = 3) -> tuple[dict[str, Any], dict[str, Any]]:
    """Outputs and inputs of the equations of motion of links in space on universal joints."""
    g = Graph()
    q, p = g.coordinates("q", 2 * links), g.parameters("m l g")
    mass, length, gravity = p
    base = world = Base.root(g, "world")
    joint, powers = Point.root(world, "O"), []
    for i in range(links):
        base = base.rotated(f"a{i}", axis=(1, 0, 0), angle=q[2 * i]).rotated(
            f"b{i}", axis=(0, 1, 0), angle=q[2 * i + 1]
        )
        center = joint.moved(f"c{i}", base.vector(0, 0, -length / 2))
        joint = joint.moved(f"j{i}", base.vector(0, 0, -length))
        inertia = base.tensor(np.diag([0.1, 0.1, 0.01]) * mass * length**2)
        force, moment = rigid_body_inertia_forces(mass, center, inertia, gravity=world.vector(0, 0, -gravity))
        powers += [(force, velocity(center)), (moment, angular_velocity(base))]
    M, f = linear_coefficients(virtual_power(powers, q.dt), q.dt.dt)
    return {"M": -M, "f": f, "sparse": SparseMatrix.from_dense(-M)}, {"p": p, "q": q, "v": q.dt}
