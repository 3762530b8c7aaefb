"""Peers that keep the constraints of the seven-body mechanism: IDA, CasADi's IDAS and scipy_dae, on GGL and Gear forms.

IDA runs twice: through scikit-sundae, which calls a Python function for each residual, and through the C interface of
the same library, without any Python on the way.  Tolerances of the multipliers are wide, since they need not be
accurate for accurate positions, and IDA converges better then; what serves best was found by trial.
"""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import numpy as np

import _peers_model as model
from _peers_native import Ida, Native, compile_residual
from _peers_ode import JIT
from _peers_sweep import DRIFT_FREE, FROM_C, Outcome, Peer, Run, decades, version

N_V = 2 * model.N_Q
SIZE = N_V + 2 * model.N_G
WIDE = 1e3  # a tolerance that nothing exceeds

MULTIPLIERS = np.arange(SIZE) >= N_V


@cache
def functions(form: str, sundials: bool = False) -> tuple[Native, Native]:
    """Residual and Jacobian in machine code."""
    return compile_residual(partial(model.residuals, form), SIZE, sundials=sundials)


def tolerances(wide: bool, tolerance: float) -> np.ndarray:
    """Absolute tolerances of all unknowns."""
    return np.where(MULTIPLIERS & wide, WIDE, tolerance)


#: Form, whether multipliers have wide tolerances, and the name of this.
VARIANTS = (
    ("gear", False, "Gear form"),
    ("gear", True, "Gear form, multipliers free"),
    ("ggl", True, "GGL form, multipliers free"),
)


def ida_from_c() -> list[Peer]:
    """IDA through its C interface."""
    from sksundae import SUNDIALS_VERSION

    def prepare(form: str, wide: bool, tolerance: float) -> Run:
        residual, jacobian = functions(form, sundials=True)
        solver = Ida(residual.address("residual"), jacobian.address("jacobian"), SIZE)
        y0, yp0 = model.start(form)
        settings: dict[str, Any] = {"rtol": tolerance, "atol": tolerances(wide, tolerance)}
        if form == "ggl":
            settings["algebraic"] = MULTIPLIERS
        path: list[np.ndarray] = []
        solver.solve(model.SPAN, y0, yp0, watch=lambda y: path.append(y.copy()), **settings)
        states = np.array(path).T

        def run() -> Outcome:
            ended = solver.solve(model.SPAN, y0, yp0, **settings)
            if ended.flag < 0:
                raise ArithmeticError(f"IDASolve returned {ended.flag}")
            return Outcome(ended.y, ended.evaluations, ended.steps, lambda: states)

        return run

    return [
        Peer(f"SUNDIALS {SUNDIALS_VERSION} IDA from C, {title}", FROM_C, partial(prepare, form, wide), decades(4, 12))
        for form, wide, title in VARIANTS
    ]


def ida_from_python() -> list[Peer]:
    """IDA as scikit-sundae offers it."""
    import numba
    from sksundae.ida import IDA

    @cache
    def compiled(form: str) -> tuple[Any, Any]:
        F, J = functions(form)
        evaluate_F, evaluate_J = F.plain(2), J.plain(3)

        @numba.njit
        def residual(t: float, y: Any, yp: Any, result: Any) -> None:
            evaluate_F(y.ctypes.data, yp.ctypes.data, result.ctypes.data)

        @numba.njit
        def jacobian(t: float, y: Any, yp: Any, r: Any, cj: float, JJ: Any) -> None:
            c = np.array([cj])
            columns = np.empty((SIZE, SIZE))
            evaluate_J(c.ctypes.data, y.ctypes.data, yp.ctypes.data, columns.ctypes.data)
            JJ[:] = columns.T

        return residual, jacobian

    def prepare(form: str, wide: bool, tolerance: float) -> Run:
        residual, jacobian = compiled(form)
        y0, yp0 = model.start(form)
        solver = IDA(
            # scikit-sundae looks at the signature, which it does not find on a compiled function.
            lambda t, y, yp, result: residual(t, y, yp, result),
            jacfn=lambda t, y, yp, r, cj, JJ: jacobian(t, y, yp, r, cj, JJ),
            algebraic_idx=np.flatnonzero(MULTIPLIERS) if form == "ggl" else None,
            rtol=tolerance,
            atol=tolerances(wide, tolerance),
            max_num_steps=10**7,
        )

        def run() -> Outcome:
            # Three times: only then is the solution not kept at every step.
            solution = solver.solve([model.SPAN[0], 0.5 * model.SPAN[1], model.SPAN[1]], y0, yp0)
            if not solution.success:
                raise ArithmeticError(solution.message)
            return Outcome(solution.y[-1], solution.nfev)

        run()
        return run

    name = version("scikit-sundae")
    return [
        Peer(f"{name} IDA, {title}", DRIFT_FREE, partial(prepare, form, wide), decades(4.0, 11.0))
        for form, wide, title in VARIANTS
    ]


def casadi() -> list[Peer]:
    """CasADi's IDAS, which takes explicit ẋ: GGL form with v̇ = M⁻¹ (f − Gᵀ λ)."""
    import casadi as ca

    wide = 1e12  # one tolerance for all unknowns: multipliers in large units take no part
    x, z = ca.SX.sym("x", N_V), ca.SX.sym("z", 2 * model.N_G)
    use = model.Functions(ca.sin, ca.cos, ca.sqrt)
    y = [x[i] for i in range(N_V)]
    q, v = y[: model.N_Q], y[model.N_Q :]
    lam, mu = ([wide * z[k + i] for i in range(model.N_G)] for k in (0, model.N_G))
    q_dot, right = list(v), model.forces(q, v, use)
    for (i, j), value in model.constraint_matrix(q, use).items():
        q_dot[j] = q_dot[j] - value * mu[i]
        right[j] = right[j] - value * lam[i]
    v_dot = model.solve_symmetric(model.mass_matrix(q, use), right, model.N_Q)
    constraints = model.stabilised(y, q_dot, v_dot, lam, mu, use)[N_V:]
    dae = {"x": x, "z": z, "ode": ca.vertcat(*q_dot, *v_dot), "alg": ca.vertcat(*constraints)}
    y0, yp0 = model.start("ggl")
    z0 = y0[N_V:] / wide

    def prepare(tolerance: float) -> Run:
        options = {
            "reltol": tolerance,
            "abstol": tolerance,
            "max_num_steps": 10**6,
            "calc_ic": False,
            "suppress_algebraic": True,
            "init_xdot": list(yp0[:N_V]),
            **JIT,
        }
        integrator = ca.integrator("F", "idas", dae, *model.SPAN, options)

        def run() -> Outcome:
            end = integrator(x0=y0[:N_V], z0=z0)["xf"]
            statistics = integrator.stats()
            return Outcome(np.array(end).ravel(), statistics["nfevals"], statistics["nsteps"])

        return run

    return [Peer(f"{version('casadi')}, IDAS, GGL form", DRIFT_FREE, prepare, decades(4.0, 11.0))]


def scipy_dae() -> list[Peer]:
    """scipy_dae's integrators, in Python."""
    import numba
    from scipy_dae.integrate import solve_dae

    @cache
    def compiled(form: str) -> tuple[Any, Any]:
        F, J = functions(form)
        evaluate_F, evaluate_J = F.plain(2), J.plain(3)

        @numba.njit
        def residual(t: float, y: Any, yp: Any) -> Any:
            result = np.empty(SIZE)
            evaluate_F(y.ctypes.data, yp.ctypes.data, result.ctypes.data)
            return result

        @numba.njit
        def jacobian(t: float, y: Any, yp: Any) -> Any:
            c, J_0, J_1 = np.zeros(1), np.empty((SIZE, SIZE)), np.empty((SIZE, SIZE))
            evaluate_J(c.ctypes.data, y.ctypes.data, yp.ctypes.data, J_0.ctypes.data)
            c[0] = 1.0
            evaluate_J(c.ctypes.data, y.ctypes.data, yp.ctypes.data, J_1.ctypes.data)
            return J_0.T.copy(), (J_1 - J_0).T.copy()

        return residual, jacobian

    def prepare(form: str, wide: bool, settings: dict[str, Any], tolerance: float) -> Run:
        F, _ = functions(form)
        residual, jacobian = compiled(form)
        y0, yp0 = model.start(form)
        atol = tolerances(wide, tolerance)

        def run() -> Outcome:
            F.forget()
            solution = solve_dae(residual, model.SPAN, y0, yp0, rtol=tolerance, atol=atol, jac=jacobian, **settings)
            if not solution.success:
                raise ArithmeticError(solution.message)
            return Outcome(solution.y[:, -1], F.calls, solution.t.size - 1, lambda: solution.y)

        run()
        return run

    name = version("scipy-dae")
    return [
        Peer(
            f"{name}, BDF, Gear form",
            DRIFT_FREE,
            partial(prepare, "gear", False, {"method": "BDF"}),
            decades(4, 10),
        ),
        Peer(f"{name}, BDF, GGL form", DRIFT_FREE, partial(prepare, "ggl", True, {"method": "BDF"}), decades(4, 10)),
        Peer(
            f"{name}, Radau, Gear form",
            DRIFT_FREE,
            partial(prepare, "gear", False, {"method": "Radau"}),
            [1e-5, 1e-7],
        ),
    ]
