"""Elements with nonholonomic rows, external states and parts of no width, against traced systems and closed forms; what
is refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from equations.spatial_elements import body_type
from equations.systems import PARAMETERS, Rolling, implicit_rows, jacobian

import dalembert as da
from dalembert.equations import Sizes
from dalembert.errors import EquationsError
from dalembert.symbolic import zeros


def test_a_made_up_system_with_everything_as_an_element():
    """T ≠ I, time, nonholonomic rows, friction and external states: two instances beside two traced systems."""
    R, J = Rolling, PARAMETERS["J"]
    data = {key: PARAMETERS[key] for key in ("m", "g", "r", "mu")}

    class Seen:  # parameters with the inertias that this system does not vary
        def __init__(self, p):
            self.p = p

        def __getattr__(self, name):
            return np.array(J) if name == "J" else getattr(self.p, name)

    # Two instances, mixed, and between their rows those of another type on positions.
    b = da.Elements("both", coordinates=9, velocities=7, states=4)
    b.add(
        "rolling", coordinates=[[0, 2, 4, 6], [1, 3, 5, 7]], velocities=[[0, 2, 4], [5, 3, 1]],
        states=[[0, 1], [3, 2]], data=data, T=R.T, M=lambda q, p: R.M(q, Seen(p)),
        f=lambda t, q, v, lam, u, p: R.f(t, q, v, lam, u, R.w(t, p), Seen(p)),
        g=lambda t, q, p: R.g(t, q, R.w(t, p), p), nonholonomic=R.nonholonomic, d=R.d,
    )  # fmt: skip
    b.add("slider", coordinates=[[8]], velocities=[[6]], T=lambda: [[2.0]], M=lambda: [[1.0]], g=lambda q: q**2 - 1.0)
    both, one = b.equations(), R.equations()
    assert both.sizes == Sizes(9, 7, 5, 3, 4, 4) and not both.normalizes
    assert both.names["lam"] == ("rolling[0].0", "rolling[1].0", "slider[0].0", "rolling[0].1", "rolling[1].1")
    rng = np.random.default_rng(1)
    sizes = both.sizes
    q, v, u, lam, a, mu = (rng.standard_normal(k) for k in (9, 7, 4, 5, 7, 3))
    at = {
        "q": ([0, 2, 4, 6], [1, 3, 5, 7]), "v": ([0, 2, 4], [5, 3, 1]), "u": ([0, 1], [3, 2]), "g": ([0], [1]),
        "lam": ([0, 3], [1, 4]),
    }  # fmt: skip
    places = {
        "T": "qv", "M": "vv", "f": "v", "G": ("lam", "v"), "gI": ("lam",), "g": "g", "gamma": ("lam",), "d": "u",
        "F": ("v", "lam"), "C": ("g", "v"),
    }  # fmt: skip
    whole = {name: both.evaluate(name, t=0.4, q=q, v=v, u=u, lam=lam) for name in places}
    for i in range(2):
        part = {key: value[at[key][i]] for key, value in (("q", q), ("v", v), ("u", u), ("lam", lam))}
        for name, keys in places.items():
            found = whole[name][np.ix_(*(at[key][i] for key in keys))]
            assert found == pytest.approx(one.evaluate(name, t=0.4, **part), rel=1e-12, abs=1e-12), name
    x = np.concatenate([q, v, a, lam, mu, u])
    rows, found = implicit_rows(both, x, 0.4)
    T, M, f, G, gI, g, d = (whole[name] for name in ("T", "M", "f", "G", "gI", "g", "d"))
    g_q = jacobian(lambda y: both.evaluate("g", t=0.4, q=y), q)
    assert whole["C"] == pytest.approx(g_q @ T, abs=1e-9) and whole["C"] == pytest.approx(G[:3], abs=1e-14)
    expected = np.concatenate([T @ v - g_q.T @ mu, M @ a - f + G.T @ lam, g, G @ v + gI, d])
    assert rows == pytest.approx(expected, abs=1e-9)
    assert found == pytest.approx(jacobian(lambda y: implicit_rows(both, y, 0.4)[0], x), abs=1e-8)
    assert len(x) == sizes.q + 2 * sizes.v + sizes.lam + sizes.g + sizes.u


@pytest.mark.parametrize("method", ["dop853", "radau", "mexx"])
def test_knife_edges_on_an_inclined_plane(method):
    """Neimark and Fufaev: a blade that is let go while it turns moves along a cycloid, and does not go down."""
    b = da.Elements("blades", coordinates=6, parameters={"g": 5.0})
    places = [[0, 1, 2], [3, 4, 5]]
    b.add("blade", coordinates=places, M=lambda p: np.diag([p.m, p.m, 0.1]), data={"m": [1.0, 3.0]},
          f=lambda p: np.array([p.m * p.g, 0.0, 0.0]))  # fmt: skip
    b.add("edge", coordinates=places, nonholonomic=lambda q, v: [v[0] * np.sin(q[2]) - v[1] * np.cos(q[2])])
    equations = b.equations()
    assert equations.sizes.lam == 2 and equations.sizes.g == 0
    w = np.array([2.0, 3.0])
    solution = da.simulate(
        equations, (0.0, 2.0), (np.zeros(6), [0, 0, w[0], 0, 0, w[1]]), method=method, rtol=1e-10, atol=1e-10
    )
    t = solution.t[-1]
    assert solution.q[0::3, -1] == pytest.approx(5.0 / (2 * w**2) * np.sin(w * t) ** 2, abs=1e-8)
    assert solution.q[1::3, -1] == pytest.approx(5.0 / (2 * w**2) * (w * t - np.sin(2 * w * t) / 2), abs=1e-8)


def test_position_rows_come_before_all_others():
    b = da.Elements("rows", coordinates=3)
    b.add("edge", coordinates=[[0, 1]], g=lambda q: [q[0] - 3.0], nonholonomic=lambda q, v: [v[1] - q[0] * v[0]])
    b.add("mass", coordinates=[[0], [1], [2]], M=lambda: [[1.0]])
    b.add("stop", coordinates=[[2]], g=lambda q: [q[0] ** 2 - 4.0], row_names=[["stop"]])
    equations = b.equations()
    assert equations.names["lam"] == ("edge[0].0", "stop", "edge[0].1")
    assert (equations.sizes.lam, equations.sizes.g) == (3, 2)
    G, C, g = equations.evaluate("G", "C", "g", q=[1.0, 2.0, 3.0])
    assert G.tolist() == [[1, 0, 0], [0, 0, 6], [-1, 1, 0]] and C.tolist() == G[:2].tolist() and g.tolist() == [-2, 5]


@pytest.mark.parametrize("method", ["dop853", "radau", "mexx"])
def test_motors_have_currents(method):
    """L i̇ = U − R i − k ω, J ω̇ = k i − c ω: linear, so the exponential of a matrix is the truth."""
    b = da.Elements("motors", coordinates=["phi1", "phi2"], states=["i1", "i2", "filter"], parameters={"U": 12.0})
    b.add(
        "rotor", coordinates=[[0], [1]], M=lambda p: [[p.J]], f=lambda p, v: -p.c * v, data={"J": [0.1, 0.2], "c": 0.05}
    )
    b.add(
        "motor", coordinates=[[0], [1]], states=[[1], [0]], data={"k": [0.5, 0.7], "L": 0.02},
        f=lambda u, p: p.k * u, d=lambda u, v, p: (p.U - 0.8 * u - p.k * v) / p.L,
    )  # fmt: skip
    b.add("filter", coordinates=None, states=[[2, 0]], d=lambda u: [u[1] - 4.0 * u[0], 0.0])
    equations = b.equations()
    assert equations.names["u"] == ("i1", "i2", "filter")
    solution = da.simulate(equations, (0.0, 0.5), ([0, 0], [0, 0], [0, 0, 0]), method=method, rtol=1e-10, atol=1e-10)
    # States (ω1, ω2, i1, i2, filter); rotor 1 has the current i2, rotor 2 the current i1.
    A = np.array([
        [-0.5, 0, 0, 5.0, 0], [0, -0.25, 3.5, 0, 0], [0, -35.0, -40.0, 0, 0], [-25.0, 0, 0, -40.0, 0],
        [0, 0, 1, 0, -4.0],
    ])  # fmt: skip
    right = np.array([0, 0, 600.0, 600.0, 0])
    steady = -np.linalg.solve(A, right)
    values, vectors = np.linalg.eig(A)
    expected = steady + (vectors @ (np.exp(values * 0.5) * np.linalg.solve(vectors, -steady))).real
    assert np.concatenate([solution.v[:, -1], solution.u[:, -1]]) == pytest.approx(expected, abs=1e-6)


def test_parts_of_no_width():
    """Elements that see no coordinates, no velocities, or only external states."""
    b = da.Elements("widths", coordinates=["x"], velocities=["v"], states=["s"], breaks=[0.5])
    none = np.zeros((1, 0), dtype=int)
    b.add("mass", coordinates=[[0]], velocities=[[0]], T=lambda: [[1.0]], M=lambda: [[2.0]])
    b.add("drag", coordinates=none, velocities=[[0]], f=lambda v: -v)
    b.add("reader", coordinates=[[0]], states=[[0]], d=lambda q, u: q - u)
    b.add("clock", coordinates=None, states=[[0]], d=lambda t: [t])
    b.add("driven", coordinates=none, velocities=[[0]], nonholonomic=lambda v, t: [v[0] - t**2])
    equations = b.equations()
    assert equations.breaks == (0.5,) and equations.sizes == Sizes(1, 1, 1, 0, 1, 0)
    f, G, gI, gamma, d, g = equations.evaluate("f", "G", "gI", "gamma", "d", "g", t=3.0, q=[5.0], v=[2.0], u=[1.0])
    assert f.tolist() == [-2] and G.tolist() == [[1]] and gI.tolist() == [-9] and gamma.tolist() == [6]
    assert d.tolist() == [7] and g.size == 0
    rows, found = implicit_rows(equations, np.array([5.0, 2.0, 7.0, 11.0, 1.0]), 3.0)
    assert rows.tolist() == [2, 2 * 7 + 2 + 11, 2 - 9, 7]
    assert found.tolist() == [[0, 1, 0, 0, 0], [0, 1, 2, 1, 0], [0, 1, 0, 0, 0], [1, 0, 0, 0, -1]]
    solution = da.simulate(equations, (0.0, 1.0), ([0.0], [0.0], [0.0]), method="radau", rtol=1e-8, atol=1e-10)
    assert solution.q[0, -1] == pytest.approx(1 / 3, abs=1e-8) and 0.5 in solution.t


def test_friction_and_nonholonomic_rows_that_are_switched_off():
    b = da.Elements("mixed", coordinates=4)
    b.add("mass", coordinates=[[0], [1], [2], [3]], M=lambda: [[1.0]])
    b.add("guide", coordinates=[[0, 1], [2, 3]], g=lambda q: [q[0] - 1.0, q[1] * q[0]],
          nonholonomic=lambda q, v: [v[0] + q[1] * v[1]],
          f=lambda lam: np.array([0.1 * lam[0] + 0.2 * lam[2], 0.3 * lam[1]]))  # fmt: skip
    equations = b.equations()
    # Rows are (guide 0: 0, 1), (guide 1: 2, 3), then the two on velocities.
    part = equations.restricted((1, 2, 3, 5))
    assert part.names["lam"] == ("guide[0].1", "guide[1].0", "guide[1].1", "guide[1].2")
    assert (part.sizes.lam, part.sizes.g) == (4, 3)
    q, v, lam = np.array([1.0, 2.0, 3.0, 4.0]), np.array([5.0, 6.0, 7.0, 8.0]), np.array([1.0, 10.0, 100.0, 1000.0])
    full = np.zeros(6)
    full[[1, 2, 3, 5]] = lam
    for name in ("f", "M"):
        assert np.array_equal(part.evaluate(name, q=q, v=v, lam=lam), equations.evaluate(name, q=q, v=v, lam=full))
    for name in ("G", "gI", "gamma"):
        assert np.array_equal(part.evaluate(name, q=q, v=v), equations.evaluate(name, q=q, v=v)[[1, 2, 3, 5]])
    assert np.array_equal(part.evaluate("F", q=q), equations.evaluate("F", q=q)[:, [1, 2, 3, 5]])
    assert part.evaluate("f", q=q, lam=lam) == pytest.approx([0.0, 0.3, 0.1 * 10 + 0.2 * 1000, 30.0])


# ------------------------------------------------------------------------------------------------------------- errors


def free(**changes):
    given = {"coordinates": ["x", "y"], "velocities": ["v", "w"], **changes}
    return da.Elements("toy", **given)


def test_every_coordinate_has_one_owner():
    b = free()
    b.add("mass", coordinates=[[0], [1]], velocities=[[0], [1]], M=lambda: [[1.0]])
    with pytest.raises(EquationsError, match=r"'toy': the coordinate x has no owner; one element must give its rate"):
        b.equations()
    b.add("kinematics", coordinates=[[1]], velocities=[[1]], T=lambda: [[1.0]])
    with pytest.raises(EquationsError, match=r"'toy': the coordinate x has no owner"):
        b.equations()
    b.add("more", coordinates=[[0, 1]], velocities=[[0, 1]], T=lambda q: [[1.0, q[0]], [0.0, 1.0]])
    with pytest.raises(
        EquationsError, match=r"'toy': the coordinate y has two owners, elements 'kinematics' and 'more'; only one"
    ):
        b.equations()
    b = free()
    b.add("twice", coordinates=[[0], [1], [0]], velocities=[[0], [1], [0]], T=lambda: [[1.0]])
    with pytest.raises(EquationsError, match=r"the coordinate x has two owners, elements 'twice' and 'twice'"):
        b.equations()
    b = da.Elements("toy", coordinates=["x", "y"])
    for name in ("first", "second"):
        b.add(name, coordinates=[[0, 1]], M=lambda: np.eye(2), normalize=lambda q: np.array([q[0], abs(q[1])]))
    with pytest.raises(EquationsError, match=r"'toy': the coordinate y has two owners, elements 'first' and 'second'"):
        b.equations()


def test_a_normaliser_without_kinematics():
    b = da.Elements("toy", coordinates=3)
    b.add("mass", coordinates=[[0], [1], [2]], M=lambda: [[1.0]])
    b.add("angle", coordinates=[[2, 1]], normalize=lambda q: np.array([q[0], np.arctan2(np.sin(q[1]), np.cos(q[1]))]))
    equations = b.equations()
    assert equations.unit_T and equations.normalizes
    assert equations.evaluate("qn", q=[7.0, 7.0, 7.0]) == pytest.approx([7.0, 7.0 - 2 * np.pi, 7.0])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"coordinates": [[0, 1]]}, r"function M must have the shape \(1, 1\)|function T must have the shape \(2, 1\)"),
        ({"velocities": [[0], [1]]}, r"the numbers of instances differ: there are 1 of coordinates, 2 of velocities"),
        ({"velocities": [[2]]}, r"instance 0 refers to velocity 2, but there are 2"),
        ({"states": [[0]]}, r"instance 0 refers to state 0, but there are 0"),
        ({"coordinates": None, "velocities": None, "M": None, "T": None}, r"coordinates must be whole numbers"),
        ({"coordinates": np.zeros((1, 0), int), "velocities": None, "M": None, "T": None}, r"refers to no coordinate"),
        ({"own": [1]}, r"own must be different numbers of its 1 local coordinates, got \[1\]"),
        ({"own": [0, 0]}, r"own must be different numbers"),
        ({"nonholonomic": lambda v: v**2}, r"nonholonomic constraints must be linear in v"),
        ({"d": lambda q: q}, r"function d must have the shape \(0,\)"),
        ({"g": lambda q: q, "row_names": [["a", "b"]]}, r"row_names must be 1 names for each of its 1 instances"),
        ({"g": lambda q: q, "row_names": ["a"]}, r"row_names must be 1 names"),
        ({"velocities": [[0, 1]], "T": None, "M": None, "g": lambda q: q},
         r"it has 1 coordinates and 2 velocities, so T of q̇ = T v must be given"),
        ({"velocities": [[0, 1]], "T": None, "M": None, "own": [0]}, r"so T of q̇ = T v must be given"),
    ],
)  # fmt: skip
def test_elements_with_kinematics_that_do_not_fit_are_refused(arguments, words):
    given = {"coordinates": [[0]], "velocities": [[0]], "M": lambda: [[1.0]], "T": lambda: [[1.0]], **arguments}
    with pytest.raises(EquationsError, match=words) as caught:
        free().add("mass", **given)
    caught.match("'toy', element 'mass'")


def test_expressions_that_do_not_fit_are_refused():
    body = body_type()
    q, v = np.arange(7)[None], np.arange(6)[None]
    data = {"m": 1.0, "J1": 1.0, "J2": 1.0, "J3": 1.0, "g": 1.0}

    def refused(words, expressions=body, **changes):
        b = da.Elements("toy", coordinates=8, velocities=7)
        with pytest.raises(EquationsError, match=words) as caught:
            given = {"coordinates": q, "velocities": v, "own": range(7), "data": data, **changes}
            b.add_expressions("body", expressions, **given)
        caught.match("'toy', element 'body'")

    refused(r"input q of its expressions must have 8 entries, got 7", coordinates=np.arange(8)[None])
    refused(r"input v of its expressions must have 7 entries, got 6", velocities=np.arange(7)[None])
    refused(r"M of its expressions must have the shape \(6, 6\), got \(5, 5\)", replace(body, M=zeros((5, 5))))
    refused(r"f of its expressions must have the shape \(6,\)", replace(body, f=zeros((5,))))
    refused(r"cannot have G_given", replace(body, G_given=zeros((0, 6))))
    refused(r"input lam of its expressions must have 3 entries, got 0", replace(body, g=body.inputs["q"][:3]))
    refused(r"have no inputs mu", replace(body, inputs={k: x for k, x in body.inputs.items() if k != "mu"}))
    refused(r"data 'mass' is no parameter of it; .*J1, J2, J3, g, m", data={"mass": 1.0})
    refused(r"the parameter 'g' is neither among its data nor among the common parameters", data=[1, 2, 3, 4])
    refused(r"6 data are given for 5 parameters", data=[1, 2, 3, 4, 5, 6])
    b = da.Elements("toy", coordinates=7)
    with pytest.raises(EquationsError, match=r"velocities are the rates of the coordinates here; name them in"):
        b.add_expressions("body", body, coordinates=q, velocities=v, own=range(7), data=data)
    with pytest.raises(EquationsError, match=r"T is the identity where velocities are the rates"):
        b.add("body", coordinates=[[0]], T=lambda: [[1.0]])


def test_velocities_and_states_that_nothing_moves_are_refused():
    b = free(states=["s"])
    b.add("mass", coordinates=[[0], [1]], velocities=[[0], [0]], M=lambda: [[1.0]], T=lambda: [[1.0]])
    with pytest.raises(EquationsError, match="'toy': no element refers to the velocity w"):
        b.equations()
    b.add("spring", coordinates=[[1]], velocities=[[1]], states=[[0]], f=lambda u: u)
    with pytest.raises(EquationsError, match="'toy': no element gives the rate of the state s; give d"):
        b.equations()
    with pytest.raises(EquationsError, match="'toy': velocities need different names, at least one"):
        free(velocities=["v", "v"])
    with pytest.raises(EquationsError, match="'toy': breaks must be finite numbers"):
        free(breaks=[np.inf])
