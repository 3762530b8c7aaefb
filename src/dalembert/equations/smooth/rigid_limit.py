"""Equations with fast coordinates taken out: locked at zero, the rigid limit (2), (14); or slaved to the slow motion.

Slaved coordinates are q = q^a(t, p, ṗ) of (17), with their exact rates along the rigid motion,

    M_SS(p, q^a) p̈ = f_S(t, p, q^a, ṗ, q̇^a) − M_SF q̈^a,

which follows the slow motion to the fourth order in ε where the rigid limit does to the second.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dalembert.equations.builders.trace import Traced
from dalembert.equations.contract import elimination
from dalembert.equations.contract.equations import Equations
from dalembert.equations.contract.expressions import Expressions, symbols_in
from dalembert.equations.contract.provider import Floats
from dalembert.errors import EquationsError
from dalembert.symbolic import (
    Atom,
    AtomArray,
    array,
    derivative,
    directional_derivative,
    eye,
    jacobian,
    substitute,
    zeros,
)

Places = Sequence[int]


def expressions_of(equations: Equations, what: str) -> Expressions:
    """The equations as atoms, or an error that says what needs them."""
    x = equations.innermost.expressions
    if x is None or len(x.inputs["lam"]) != equations.sizes.lam:
        raise EquationsError(
            f"'{equations.name}': {what} is made of expressions, and these equations have none; trace them, or make "
            "them with m.equations(builder='symbolic')"
        )
    return x


def stiffness_atoms(x: Expressions, fast_q: Places, fast_v: Places) -> AtomArray:
    """−∂f/∂q of fast coordinates without deformation, at rest."""
    rows = jacobian(array([x.f[i] for i in fast_v]), array([x.inputs["q"][i] for i in fast_q]))
    still: dict[Any, float] = {x.inputs["q"][i]: 0.0 for i in fast_q} | dict.fromkeys(x.inputs["v"], 0.0)
    return array(-substitute(rows, still))


def moving_parts(x: Expressions, K: AtomArray) -> list[Atom]:
    """Symbols besides parameters that a stiffness depends on."""
    found = symbols_in(K)
    return [atom for key in ("t", "q", "u", "lam") for atom in x.inputs[key] if atom in found]


def locked_expressions(x: Expressions, fast_q: Places, fast_v: Places) -> Expressions:
    """The system with fast coordinates, velocities and accelerations zero, and without their rows."""
    zero: dict[Any, float] = {x.inputs["q"][i]: 0.0 for i in fast_q}
    zero |= {x.inputs[key][i]: 0.0 for key in ("v", "a") for i in fast_v}
    slow_q = [i for i in range(len(x.inputs["q"])) if i not in set(fast_q)]
    slow_v = [i for i in range(len(x.inputs["v"])) if i not in set(fast_v)]

    def at_rest(values: AtomArray) -> AtomArray:
        return array(substitute(values, zero)) if values.size else values

    def known(values: AtomArray | None) -> AtomArray | None:
        return None if values is None else at_rest(values)

    def of_rows(values: AtomArray | None, rows: Places) -> AtomArray | None:
        return None if values is None else at_rest(array([values[i] for i in rows]))

    M, f = array(x.M[np.ix_(slow_v, slow_v)]), array([x.f[i] for i in slow_v])
    return replace(
        x,
        inputs={
            **x.inputs,
            "q": array([x.inputs["q"][i] for i in slow_q]),
            **{key: array([x.inputs[key][i] for i in slow_v]) for key in ("v", "a")},
        },
        M=at_rest(M),
        f=at_rest(f),
        g=at_rest(x.g),
        T=None if x.T is None else at_rest(array(x.T[np.ix_(slow_q, slow_v)])),
        G_given=None if x.G_given is None else at_rest(array(x.G_given[:, slow_v])),
        gI_given=known(x.gI_given),
        nonholonomic=known(x.nonholonomic),
        d=known(x.d),
        normal=of_rows(x.normal, slow_q),
        g_rate=known(x.g_rate),
        accelerations=None,
        balance=of_rows(x.balance, slow_v),
    )  # fmt: skip


def locked_equations(equations: Equations, fast_q: Places, fast_v: Places) -> Traced:
    """The rigid limit as equations of its own."""
    x = locked_expressions(expressions_of(equations, "the rigid limit"), fast_q, fast_v)
    return _traced(equations, x, f"{equations.name}, rigid", fast_q, fast_v)


def slaved_equations(equations: Equations, fast_q: Places, fast_v: Places, K: Floats | None) -> Traced:
    """The slow system with fast coordinates slaved; stiffness K in numbers, or as the equations have it."""
    x = expressions_of(equations, "the slaved system")
    if len(x.inputs["lam"]):
        raise EquationsError(
            f"'{equations.name}': fast coordinates are slaved to independent coordinates, and there are constraints; "
            "formulate the model without (coordinates='relative'), or refine the smooth motion"
        )
    rigid = locked_expressions(x, fast_q, fast_v)
    p, v, t = rigid.inputs["q"], rigid.inputs["v"], rigid.inputs["t"][0]
    a = array(elimination.explicit(rigid)["a"])

    def along(rows: AtomArray) -> AtomArray:
        moving, direction = array([*p, *v, *rigid.inputs["u"]]), array([*rigid.q_rate, *a, *rigid.d_or_none])
        return array(directional_derivative(rows, moving, direction) + derivative(rows, t))

    slow_v = [i for i in range(len(x.inputs["v"])) if i not in set(fast_v)]
    zero: dict[Any, float] = {x.inputs["q"][i]: 0.0 for i in fast_q} | {x.inputs["v"][i]: 0.0 for i in fast_v}
    coupling = array(substitute(array(x.M[np.ix_(fast_v, slow_v)]), zero))
    force = array(array(substitute(array([x.f[i] for i in fast_v]), zero)) - coupling @ a)
    compliance = _inverse(stiffness_atoms(x, fast_q, fast_v)) if K is None else np.linalg.inv(K)
    deformation = array(compliance @ force)  # (17)
    rate = along(deformation)
    second = along(rate)
    pairs = [
        *zip((x.inputs["q"][i] for i in fast_q), deformation, strict=True),
        *zip((x.inputs["v"][i] for i in fast_v), rate, strict=True),
    ]
    right = array(array([x.f[i] for i in slow_v]) - array(x.M[np.ix_(slow_v, fast_v)]) @ second)
    moved = replace(
        rigid,
        M=array(substitute(array(x.M[np.ix_(slow_v, slow_v)]), pairs)),
        f=array(substitute(right, pairs)),
        d=None if x.d is None else array(substitute(x.d, pairs)),
        balance=None,
    )
    # The contract's M is a function of positions alone, and q^a depends on velocities: accelerations are solved for.
    found = array(elimination.explicit(moved)["a"])
    moved = replace(moved, M=eye(len(slow_v)), f=found, accelerations=found)
    return _traced(equations, moved, f"{equations.name}, slaved", fast_q, fast_v)


def _inverse(K: AtomArray) -> AtomArray:
    """The inverse of a stiffness, solved on atoms."""
    n = len(K)
    entries = {(i, j): K[i, j] for i in range(n) for j in range(n) if not K[i, j] == 0 or not K[j, i] == 0}
    factors = elimination.Elimination(entries, range(n), True)
    return array([factors.solve([float(i == k) for i in range(n)]) for k in range(n)])


def _traced(equations: Equations, x: Expressions, name: str, fast_q: Places, fast_v: Places) -> Traced:
    names = {key: tuple(values) for key, values in equations.names.items()}
    names["q"] = tuple(item for i, item in enumerate(names["q"]) if i not in set(fast_q))
    names["v"] = tuple(item for i, item in enumerate(names["v"]) if i not in set(fast_v))
    if not len(x.g):
        x = replace(x, g=zeros((0,)))
    return Traced(x, name, names, equations.parameters, equations.breaks)
