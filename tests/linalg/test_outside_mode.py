"""A mode of linear algebra that is written outside of the package: registered, used by a run, stored, refused."""

from __future__ import annotations

import textwrap

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from linalg.systems import KINDS, System, random_system

import dalembert as da
from dalembert.errors import SimulationError
from dalembert.linalg import Mode, add_mode, factor_solver, own_part, plan_of, solve_solver
from dalembert.linalg.factors.dense_lu import lu_factor_rows, lu_solve_rows
from dalembert.linalg.modes.full import fill
from dalembert.linalg.plan import HEAD, mode_number
from dalembert.linalg.saddle import MODES, Saddle, analyse_saddle, choose_mode, saddle_addresses, why_not
from dalembert.native import kernel, recipes
from dalembert.native.kernel import Ints, Reals, compiled, view


@compiled
def whole(values: Reals, plan: Ints) -> Reals:
    n = plan[HEAD.N_V] + plan[HEAD.N_LAM]
    return view(values, 0, n * n)


@factor_solver
def plain_factor(values: Reals, plan: Ints, addresses: Ints, M: Reals, G: Reals, F: Reals) -> int:
    values[values.size - 1] = 1.0
    fill(values, plan, M, G, F)
    return lu_factor_rows(whole(values, plan), plan[HEAD.N_V] + plan[HEAD.N_LAM], own_part(plan))


@solve_solver
def plain_solve(values: Reals, plan: Ints, addresses: Ints, M: Reals, G: Reals, F: Reals, right: Reals) -> int:
    return lu_solve_rows(whole(values, plan), right.size, own_part(plan), right)


def analyse_plain(structure):
    n = structure.n_v + structure.n_lam
    return plan_of("plain", structure, [np.zeros(n)], n * n + 1)


@pytest.fixture(scope="module", autouse=True)
def _plain():
    add_mode("plain", Mode(plain_factor, plain_solve, analyse_plain, singular_mass=True, friction=True))
    yield
    del MODES["plain"]


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(KINDS), st.integers(1, 5), st.integers(0, 2**31))
def test_it_solves_what_it_says(kind, count, seed):
    system = random_system(np.random.default_rng(seed), kind, count)
    assume(system.is_regular())
    assert choose_mode("plain", system.structure, "crane") == "plain"
    status, solved, x = system.solve(system.solver("plain"))
    expected = np.linalg.solve(system.matrix, system.right)
    error = np.max(np.abs(x - expected)) / np.max(np.abs(expected)) / np.linalg.cond(system.matrix)
    assert (status, solved) == (0, 0) and error < 1e-14


def test_a_run_uses_it_and_goes_on_with_it():
    problem = da.problems.double_pendulum()
    given = {"span": (0.0, 0.5), "start": problem.start, "formalism": "contract", "rtol": 1e-9, "atol": 1e-11}
    expected = da.simulate(problem.equations, solver="dense", **given)
    found = da.simulate(problem.equations, solver="plain", **given)
    assert found.success and found.nlu == expected.nlu > 0
    assert found.q[:, -1] == pytest.approx(expected.q[:, -1], abs=1e-9)
    part = da.simulate(problem.equations, solver="plain", max_steps=5, **given)
    again = da.resume(part, problem.equations)
    assert np.array_equal(again.q, found.q)


def test_it_stands_beside_modes_of_the_package():
    """A table for two plans has both; a plan knows its mode by a number that is the same everywhere."""
    system = System.of(np.diag([1.0, 2.0]), np.array([[1.0, 1.0]]))
    plans = [analyse_saddle(mode, *system.structure) for mode in ("plain", "conjugate-gradients")]
    assert plans[0].ints[HEAD.MODE] == mode_number("plain") == 9242799380174497
    table = saddle_addresses(*(plan.ints for plan in plans))
    for plan in plans:
        made = Saddle(plan)
        made.addresses = table
        status, solved, x = system.solve(made)
        assert (status, solved) == (0, 0) and x == pytest.approx(np.linalg.solve(system.matrix, system.right))


def test_what_it_cannot_serve_it_says(monkeypatch):
    lacking = Mode(plain_factor, plain_solve, analyse_plain, lacks=lambda s: "it is Monday", needs="another day")
    monkeypatch.setitem(MODES, "weekly", lacking)
    structure = System.of(np.eye(2), np.ones((1, 2))).structure
    assert why_not("weekly", structure) == "it is Monday"
    with pytest.raises(SimulationError, match="solver='weekly' cannot serve 'crane': it is Monday; these can: dense, "):
        choose_mode("weekly", structure, "crane")


@pytest.mark.parametrize("name", ["", "Plain", " plain", "auto", "dense", "plain"])
def test_names_that_are_taken_or_not_names_are_refused(name):
    with pytest.raises(SimulationError, match=f"cannot be called '{name}': .* these are taken: auto, dense, .*plain"):
        add_mode(name, MODES["plain"])


# ---------------------------------------------------------------------------------------- fingerprints of such kernels


def made(scale="2.0", helper="return SCALE * x", name="first"):
    """A kernel that is written in a notebook: nothing but its code is known of it."""
    source = f"""
        import numpy as np
        from dalembert.linalg.plan import HEAD
        from dalembert.native.kernel import Ints, Reals, compiled, view
        from dalembert.linalg import factor_solver

        SCALE = {scale}

        @compiled
        def helper(x):
            {helper}

        @factor_solver
        def {name}(values, plan, addresses, M, G, F):
            part = view(values, 0, plan[HEAD.N_V])
            part[0] = helper(values[1])
            return 0
    """
    scope = {"__name__": "__main__"}
    exec(textwrap.dedent(source), scope)
    return scope[name]


def key(solver):
    return kernel._key(solver.recipe())


def test_keys_of_kernels_without_sources_change_with_all_that_they_are_made_of(monkeypatch):
    before = key(made())
    assert key(made()) == before
    changed = [key(made(scale="3.0")), key(made(helper="return SCALE + x")), key(made(name="second"))]
    assert len({before, *changed}) == 4
    text = recipes._text
    monkeypatch.setattr(recipes, "_text", lambda module: text(module) + b"#" * module.endswith("compiler"))
    assert key(made()) != before  # what compiles them is another one
