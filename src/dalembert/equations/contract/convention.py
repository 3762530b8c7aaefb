"""The calling convention of programs: their inputs, the stages of these, the request bits of their outputs.

Each name is declared here once; kernels write ``CONTRACT.M | CONTRACT.G`` and ``STAGE.Q``.  This module imports nothing
but legends, so that kernels which use them are not compiled anew after every edit of the symbolic layer.
"""

from __future__ import annotations

from collections.abc import Mapping

from dalembert.native.legend import Legend

STAGE = Legend(
    "inputs of programs, in the order of their stages",
    P="parameters",
    T="time",
    Q="coordinates",
    V="velocities",
    U="states of external dynamics",
    LAM="multipliers λ of the constraints",
    A="accelerations v̇",
    MU="multipliers μ that hold coordinates to the position constraints",
)
#: Inputs of compiled equations, in the order of their stages.
INPUTS = tuple(name.lower() for name in STAGE.meanings)

CONTRACT = Legend(
    "request bits of the program contract",
    bits=True,
    T="kinematic matrix of q̇ = T v, sparse",
    M="mass matrix, sparse",
    f="forces",
    G="constraint matrix of G v + gI = 0, holonomic rows first, sparse",
    gI="inhomogeneity of the velocity constraints",
    g="position constraints",
    gamma="right-hand side of G v̇ = γ",
    d="rates of the states of external dynamics",
    F="∂f/∂λ, sparse",
    C="(∂g/∂q) T, sparse",
    qn="coordinates with their invariants restored, as norms of Euler parameters",
    w="external excitations",
)
EXPLICIT = Legend(
    "request bits of the program explicit",
    bits=True,
    qdot="rates of the coordinates, T v",
    a="accelerations",
    lam="multipliers",
    d="rates of the states of external dynamics",
    g="residuals of the position constraints",
    gv="residuals of the velocity constraints, G v + gI",
    dq="correction of the coordinates towards g = 0",
    dv="correction of the velocities towards G v + gI = 0",
    qn="coordinates with their invariants restored, as norms of Euler parameters",
)
RATE = Legend(
    "request bits of the program rate",
    bits=True,
    qdot="rates of the coordinates, T v",
    a="accelerations",
    lam="multipliers",
    d="rates of the states of external dynamics",
)
IMPLICIT = Legend(
    "request bits of the program implicit",
    bits=True,
    qdot="T (v − Cᵀμ)",
    residual="M a − f + Gᵀλ",
    g="residuals of the position constraints",
    gv="residuals of the velocity constraints, G v + gI",
    d="rates of the states of external dynamics",
    jacobian="derivatives of all of these by q, v, a, λ, μ, u, sparse",
)
REDUCED = Legend(
    "request bits of the program reduced",
    bits=True,
    qddot="T a + Ṫ v, where T is not the identity",
    residual="M a − f + Gᵀλ",
    ga="G a − γ",
    derivatives="of residual, g, G v + gI, ga, d, T v and qddot by q, v, a, λ, u, t, sparse",
)
DIRECTIONAL = Legend(
    "request bits of the program directional",
    bits=True,
    g_t="∂g/∂t",
    gv_moved="change of G v + gI along q and t",
    qdot_moved="change of T v along q and t, where T is not the identity",
    qddot_moved="change of T a + Ṫ v along q, v, u and t, with accelerations a of the motion",
    d_moved="change of d along q, v, u and t, with multipliers of the motion",
    qddot_driven="change of T a + Ṫ v along v and u alone",
    d_driven="change of d along v and u alone",
)
EXCITED = Legend(
    "request bits of the program excited",
    bits=True,
    excitation="excitations w and their rates",
    by_excitation="derivatives by these of the entries of the Jacobian of the program implicit, sparse",
)
IMEX = Legend(
    "request bits of the program imex",
    bits=True,
    qdot="rates of the coordinates, T v",
    Ta="T a, with the accelerations of the step; 0 for auxiliary variables",
    a="accelerations of a step of the size Δ, (v₁ − v₀)/Δ of railway (37)",
    lam="its multipliers",
    d="rates of the states of external dynamics, implicit in the decay of each by itself",
    g="residuals of the position constraints",
    gI="inhomogeneity of the velocity constraints",
    G="constraint matrix of G v + gI = 0, holonomic rows first, sparse",
    C="(∂g/∂q) T, sparse, where it is not G",
    T="kinematic matrix of q̇ = T v, sparse, where it is not the identity; without rows of auxiliary variables",
    qn="coordinates with their invariants restored, as norms of Euler parameters; auxiliary variables as they are",
    h="residuals of the equations of auxiliary variables, block by block",
    hs="L U of their derivatives h_s, block by block and row by row, with inverse pivots on the diagonal",
)
#: Stage of a change (q', v', u', t') of the motion, an input of the program directional, behind those that programs
#: share.
CHANGE = STAGE.end
#: Stage of the step size Δ, an input of the program imex, behind those that programs share.
STEP = STAGE.end
#: Inputs of programs behind those that all of them share.
FURTHER_INPUTS: Mapping[str, str] = {"directional": "change", "imex": "step"}
#: Outputs of each program, in the order of their request bits.
OUTPUTS: Mapping[str, tuple[str, ...]] = {
    "contract": tuple(CONTRACT.meanings),
    "explicit": tuple(EXPLICIT.meanings),
    "rate": tuple(RATE.meanings),
    "implicit": tuple(IMPLICIT.meanings),
    "reduced": tuple(REDUCED.meanings),
    "directional": tuple(DIRECTIONAL.meanings),
    "excited": tuple(EXCITED.meanings),
    "imex": tuple(IMEX.meanings),
}
#: Numbers of the same outputs, their places in a table of addresses.
CONTRACT_OUTPUT = Legend("outputs of the program contract", CONTRACT.meanings)
EXPLICIT_OUTPUT = Legend("outputs of the program explicit", EXPLICIT.meanings)
IMPLICIT_OUTPUT = Legend("outputs of the program implicit", IMPLICIT.meanings)
