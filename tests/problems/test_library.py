"""What holds for every problem: names, texts, consistent starts, references that satisfy the equations, sketches."""

import dataclasses

import numpy as np
import pytest
from problems.plain import Plain, call

from dalembert import problems, symbolic
from dalembert.errors import DalembertError

CASES = {
    "pendulum": {},
    "double_pendulum": {},
    "elastic_pendulum": {},
    "elastic_pendulum rigid": {"start": "rigid"},
    "elastic_truck": {"modes": 3, "beta": 1e-5},
    "stiff_double_pendulum": {},
    "stiff_double_pendulum rest": {"start": "rest"},
    "pendulum_chain": {"n": 4},
    "excited_chain": {"n": 3},
    "excited_chain published": {},
    "seven_body": {},
    "a01": {},
    "a02": {"n": 2},
    "a03": {},
    "slider_crank": {},
    "slider_crank rigid": {"start": "rigid"},
    "slider_crank nonlinear": {"stiffness": "nonlinear"},
    "slider_crank rigid nonlinear": {"start": "rigid", "stiffness": "nonlinear"},
    "slider_crank variable": {"crank": "variable"},
    "slider_crank damped variable": {"start": "rigid", "damping": True, "gravity": 9.81, "crank": "variable"},
    "truck": {},
    "truck linear": {"springs": "linear"},
    "truck both": {"springs": "both"},
    "truck unconstrained linear": {"variant": "unconstrained", "springs": "linear"},
    "truck unconstrained air": {"variant": "unconstrained", "springs": "air"},
    "truck unconstrained both": {"variant": "unconstrained", "springs": "both"},
    "truck_surrogate": {},
    "truck_surrogate measured": {"excitation": "measured"},
    "carriage": {},
    "carriage functions": {"builder": "functions"},
    "cable_drum": {},
    "cable_drum strong": {"mu": 1.5},
    "insulator_chain": {"n": 16},
    "insulator_chain coordinates": {"n": 16, "joints": "coordinates"},
    "insulator_chain short": {"n": 1},
}


@pytest.fixture(params=CASES)
def problem(request):
    return problems.get(request.param.split()[0], **CASES[request.param])


def test_every_problem_is_tried_here():
    assert {case.split()[0] for case in CASES} == set(problems.names())


def test_texts(problem):
    assert problem.name in problems.names()
    assert problem.title and problem.citation.strip().endswith(".")
    assert 2 <= problem.story.count(".") and problem.story.endswith("\n")
    assert all(len(line) <= 120 for line in problem.story.splitlines())


def test_sizes(problem):
    n = len(problem.coordinates)
    assert len(set(problem.coordinates)) == n
    assert problem.q0.shape == problem.v0.shape == (n,)
    free = problem.name == "truck" and "k1d" in problem.parameters
    # As many degrees of freedom as bodies: two constraints per body and joint, and one more per joint coordinate.
    expected = (
        n - (n - 2) // (4 if "theta1" in problem.coordinates else 3) if problem.name == "insulator_chain" else None
    )
    assert Plain(problem).g(0.0, problem.q0).size == (0 if free else expected or CONSTRAINTS[problem.name])


CONSTRAINTS = {
    "pendulum": 1, "double_pendulum": 2, "stiff_double_pendulum": 4, "pendulum_chain": 8, "seven_body": 6, "a01": 1,
    "a02": 14, "a03": 6, "slider_crank": 3, "truck": 2, "truck_surrogate": 1, "cable_drum": 3,
    "excited_chain": 0, "carriage": 8, "elastic_pendulum": 0, "elastic_truck": 5,
}  # fmt: skip


def test_start_is_consistent(problem):
    plain = Plain(problem)
    printed = problem.name == "slider_crank" and 0.450016933 in problem.q0  # the smooth start has 9 digits
    offset = 2.1e-10 if printed else 1e-15
    assert np.abs(plain.g(0.0, problem.q0)).max(initial=0.0) <= offset
    assert np.abs(plain.rate(0.0, problem.q0, problem.v0)).max(initial=0.0) < 1e-12


def test_mass_matrix_is_symmetric_and_positive(problem):
    plain = Plain(problem)
    M = plain.M(0.0, problem.q0)
    assert np.array_equal(M, M.T)
    if problem.name != "insulator_chain":
        assert np.linalg.eigvalsh(M).min() > 0
        return
    # Some coordinates have no mass, but no motion that the constraints allow is without.
    assert np.diag(M).min() == 0 and np.array_equal(M, np.diag(np.diag(M)))
    G = plain.G(0.0, problem.q0)
    free = np.linalg.svd(G)[2][len(G) :]
    assert np.linalg.eigvalsh(free @ M @ free.T).min() > 1e-3


def test_references_satisfy_the_equations(problem):
    plain = Plain(problem)
    for reference in problem.references:
        t, q, v = reference.t, reference.q, reference.v
        assert problem.span[0] <= t <= problem.span[1]
        offset = 3e-10 if problem.name == "slider_crank" else 0.0
        size = max(1.0, np.abs(q).max())
        assert np.abs(plain.g(t, q)).max(initial=0.0) < offset + size * 10.0 ** -reference.trusted("q")
        if v is None:
            continue
        size = max(1.0, np.abs(v).max())
        assert np.abs(plain.rate(t, q, v)).max(initial=0.0) < size * 10.0 ** -reference.trusted("v")
        a, lam = plain.motion(t, q, v)
        for name, ours, theirs in (("a", a, reference.a), ("lam", lam, reference.lam)):
            if theirs is not None:
                # Numbers at rest are compared with the accelerations of the weight.
                size = max(np.abs(theirs).max(initial=0.0), 1.0)
                limit = max(10.0 ** -reference.trusted(name), 1e-10 if name == "a" else 1e-11)
                assert np.abs(ours - theirs).max(initial=0.0) < size * limit, (reference.source, name)


@pytest.mark.parametrize(
    "name",
    ["pendulum", "double_pendulum", "elastic_pendulum", "pendulum_chain", "seven_body", "a01", "a02", "a03"],
)
def test_invariant_does_not_change_along_the_motion(name):
    problem = problems.get(name, **CASES[name])
    plain, p = Plain(problem), problem.p
    # from the start and from any velocities nearby that the constraints allow
    rng = np.random.default_rng(1)
    G = plain.G(0.0, problem.q0)
    null = np.linalg.svd(G)[2][np.linalg.matrix_rank(G) :]
    q, v = problem.q0, problem.v0 + null.T @ rng.normal(size=len(null))
    a, _ = plain.motion(0.0, q, v)
    h = 1e-4 / max(1.0, np.abs(a).max() ** 0.5)
    before, after = (problem.invariant(s, q + s * v + s**2 / 2 * a, v + s * a, p) for s in (-h, h))
    scale = abs(0.5 * v @ plain.M(0.0, q) @ v) + abs(v @ plain.f(0.0, q, v))
    assert abs(after - before) / (2 * h) < 1e-6 * scale


def test_functions_take_atoms_and_numbers_alike(problem):
    graph, n = symbolic.Graph(), len(problem.coordinates)
    q = symbolic.array(list(graph.variables([f"q{i}" for i in range(n)])))
    v = symbolic.array(list(graph.variables([f"v{i}" for i in range(n)])))
    t = graph.variables(["time"])[0]
    rng = np.random.default_rng(0)
    q_value = problem.q0 + 0.01 * rng.normal(size=n)
    values = {"t": 0.7, "q": q_value, "v": problem.v0 + rng.normal(size=n)}
    plain = Plain(problem)
    lam = rng.normal(size=plain.g(0.0, problem.q0).size)
    if problem.elements:
        kinds = {element.name: (element, where, p) for element, where, p in plain._instances()}
        pairs = [
            (function, q[where], v[where], None, lam[: plain.rows[element.name]], p, where)
            for element, where, p in kinds.values()
            for function in (element.M, element.f, element.g)
            if function is not None
        ]
    else:
        functions, p = problem.functions, problem.p
        w = call(functions["w"], t=t, p=p) if "w" in functions else None
        pairs = [(functions[k], q, v, w, lam, p, slice(None)) for k in ("M", "f", "g") if k in functions]
    for function, q_atoms, v_atoms, w, own, p, where in pairs:
        traced = symbolic.array(call(function, t=t, q=q_atoms, v=v_atoms, w=w, lam=own, p=p))
        numbers_w = call(problem.functions["w"], t=0.7, p=problem.p) if w is not None else None
        numbers = call(function, t=0.7, q=values["q"][where], v=values["v"][where], w=numbers_w, lam=own, p=p)
        given = {t: 0.7} | dict(zip(q, values["q"], strict=True)) | dict(zip(v, values["v"], strict=True))
        found = np.array(symbolic.evaluate(traced, given), dtype=float)
        assert found == pytest.approx(numbers, rel=1e-12, abs=1e-12 * max(1.0, np.abs(numbers).max()))


def test_sketch_of_one_instant_and_of_many(problem):
    one = problem.sketch(0.0, problem.q0, problem.p)
    many = problem.sketch(np.zeros(3), np.stack([problem.q0] * 3, axis=1), problem.p)
    assert one.keys() == many.keys() and one
    for name, points in one.items():
        assert len(points) >= 2
        for (x, y), (xs, ys) in zip(points, many[name], strict=True):
            assert np.shape(x) == np.shape(y) == () and np.shape(xs) == np.shape(ys) == (3,)
            assert np.all(xs == x) and np.all(ys == y)


def test_problem_is_frozen(problem):
    with pytest.raises(dataclasses.FrozenInstanceError):
        problem.name = "other"
    with pytest.raises(ValueError, match="read-only"):
        problem.q0[0] = 1.0


def test_unknown_problem_is_answered_with_the_nearest():
    with pytest.raises(
        DalembertError, match=r"no problem 'seven_bodies'; did you mean 'seven_body'\? Valid names are: a01"
    ):
        problems.get("seven_bodies")


def test_unknown_option_is_answered_with_the_nearest():
    with pytest.raises(DalembertError, match=r"'truck' has no option 'spring'; did you mean 'springs'\?"):
        problems.get("truck", spring="air")
    with pytest.raises(DalembertError, match=r"'truck' has no springs='airy'; did you mean 'air'\?"):
        problems.truck(springs="airy")
    with pytest.raises(DalembertError, match=r"'truck_surrogate' has no excitation='sinus'; did you mean 'sine'\?"):
        problems.truck_surrogate("sinus")
    with pytest.raises(DalembertError, match=r"'insulator_chain' has no joints='angles'; Valid names are: constraints"):
        problems.insulator_chain(joints="angles")
    with pytest.raises(DalembertError, match=r"'insulator_chain': n must be a whole number at least 1 .*got 0"):
        problems.insulator_chain(0)
    with pytest.raises(DalembertError, match=r"no motion for mu=1\.1: its matrix is singular"):
        problems.cable_drum(mu=1.1)
    with pytest.raises(DalembertError, match=r"'pendulum_chain': n must be a whole number at least 1 .*got 0"):
        problems.pendulum_chain(0)
    with pytest.raises(DalembertError, match=r"'a02': n must be a whole number at least 1 .*got 0"):
        problems.a02(0)


def test_a_reference_is_found_by_its_time():
    problem = problems.seven_body()
    assert problem.reference() is problem.reference(0.03)
    assert "80-bit" in problem.reference().source
    with pytest.raises(DalembertError, match=r"'seven_body' has no reference at t = 1; it has some at: 0, 0\.03"):
        problem.reference(1.0)


def test_references_belong_to_their_data():
    assert problems.pendulum().references and not problems.pendulum(g=9.81).references
    assert problems.double_pendulum().references and not problems.double_pendulum(m2=2.0).references
    assert not problems.a02(3).references and problems.a02(3).exact is not None


def test_constraints_have_names(problem):
    names = problem.equations.names["lam"]
    assert len(names) == problem.equations.sizes.lam and not any(name.startswith("lam") for name in names)
    assert not set(names) & set(problem.coordinates)


def test_a_start_for_a_simulation(problem):
    q, v = problem.start
    assert np.array_equal(q, problem.q0) and np.array_equal(v, problem.v0)
