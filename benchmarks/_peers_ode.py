"""Peers that integrate the index-1 form of the seven-body mechanism as an ODE, and so drift: CyRK, SciPy, CasADi.

CyRK calls the machine code directly.  SciPy wants a Python function: numba makes the shortest way from there.  CasADi
gets the same elimination in its own expressions, and gcc compiles them.
"""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import numpy as np

import _peers_model as model
from _peers_native import Native, compile_derivative
from _peers_sweep import DRIFT_PRONE, WITH_OURS, Outcome, Peer, Run, decades, version

SIZE = 2 * model.N_Q


@cache
def derivative() -> Native:
    """The right-hand side in machine code."""
    return compile_derivative(model.derivatives, SIZE)


def cyrk() -> list[Peer]:
    """CyRK's C++ integrators."""
    from CyRK import nbsolve2_ivp

    y0, _ = model.start("ode")
    native = derivative()
    address = native.address("derivative")

    def prepare(method: str, tolerance: float) -> Run:
        def run() -> Outcome:
            native.forget()
            solution = nbsolve2_ivp(address, model.SPAN, y0, method=method, rtol=tolerance, atol=tolerance)
            try:
                if not solution.success:
                    raise ArithmeticError(solution.message)
                return Outcome(solution.y[:, -1].copy(), native.calls, int(solution.steps_taken))
            finally:
                solution.free()

        run()  # numba compiles the call
        return run

    name = version("CyRK")
    return [
        Peer(f"{name}, {method}, index-1 ODE", WITH_OURS, partial(prepare, method), decades(4.0, last))
        for method, last in (("DOP853", 13.0), ("VERN8", 13.0), ("VERN7", 13.0), ("TSIT5", 12.0), ("LSODA", 11.0))
    ]


def scipy() -> list[Peer]:
    """SciPy's solve_ivp in Python, and its C integrators behind ``ode``."""
    import numba
    from scipy.integrate import ode, solve_ivp

    y0, _ = model.start("ode")
    native = derivative()
    evaluate = native.plain(1)

    @numba.njit
    def right(t: float, y: Any) -> Any:
        dy = np.empty(SIZE)
        evaluate(y.ctypes.data, dy.ctypes.data)
        return dy

    right(0.0, y0)

    def in_python(method: str, tolerance: float) -> Run:
        def run() -> Outcome:
            native.forget()
            solution = solve_ivp(right, model.SPAN, y0, method=method, rtol=tolerance, atol=tolerance)
            if not solution.success:
                raise ArithmeticError(solution.message)
            return Outcome(solution.y[:, -1], native.calls, solution.t.size - 1, lambda: solution.y)

        return run

    def in_c(integrator: str, tolerance: float) -> Run:
        settings = {"method": "adams"} if integrator == "vode" else {}

        def run() -> Outcome:
            native.forget()
            solver = ode(right).set_integrator(integrator, rtol=tolerance, atol=tolerance, nsteps=10**6, **settings)
            y = solver.set_initial_value(y0, model.SPAN[0]).integrate(model.SPAN[1])
            if not solver.successful():
                raise ArithmeticError(f"{integrator} failed")
            return Outcome(y, native.calls)

        return run

    name = version("scipy")
    peers = [
        Peer(f"{name}, solve_ivp {method}, index-1 ODE", WITH_OURS, partial(in_python, method), decades(4.0, last))
        for method, last in (("DOP853", 12.0), ("LSODA", 11.0))
    ]
    peers += [
        Peer(f"{name}, ode {integrator}, index-1 ODE", WITH_OURS, partial(in_c, integrator), decades(4.0, last))
        for integrator, last in (("dop853", 12.0), ("lsoda", 11.0), ("vode", 13.0))
    ]
    return peers


def casadi() -> list[Peer]:
    """CasADi's CVODES."""
    import casadi as ca

    y0, _ = model.start("ode")
    x = ca.SX.sym("x", SIZE)
    use = model.Functions(ca.sin, ca.cos, ca.sqrt)
    right = ca.vertcat(*model.derivatives([x[i] for i in range(SIZE)], use))

    def prepare(settings: dict[str, str], tolerance: float) -> Run:
        options = {"reltol": tolerance, "abstol": tolerance, "max_num_steps": 10**6, **settings, **JIT}
        integrator = ca.integrator("F", "cvodes", {"x": x, "ode": right}, *model.SPAN, options)

        def run() -> Outcome:
            y = integrator(x0=y0)["xf"]
            statistics = integrator.stats()
            return Outcome(np.array(y).ravel(), statistics["nfevals"], statistics["nsteps"])

        return run

    name = version("casadi")
    functional = {"linear_multistep_method": "adams", "nonlinear_solver_iteration": "functional"}
    newton = {"linear_multistep_method": "adams"}
    return [
        Peer(f"{name}, CVODES Adams {kind}, index-1 ODE", DRIFT_PRONE, partial(prepare, settings), decades(4.0, 13.0))
        for kind, settings in (("functional", functional), ("Newton", newton))
    ]


JIT = {
    "jit": True,
    "compiler": "shell",
    "jit_options": {"flags": ["-O3", "-march=native"]},
    "jit_temp_suffix": True,
    "jit_cleanup": True,
}
