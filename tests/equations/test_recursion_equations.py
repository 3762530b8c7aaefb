"""Equations of motion by recursion: elements on the extended vectors, derivatives, motions known otherwise."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from equations.recursion_trees import random_tree, rotation
from equations.spatial import TOP, top

import dalembert as da
from dalembert.equations.recursion import Link, Recursion, TreeDynamics, extended
from dalembert.errors import EquationsError
from dalembert.symbolic import Graph, array, eye, sin, zeros

QUANTITIES = ("T", "M", "f", "G", "gI", "g", "gamma", "d", "F", "C", "qn")
OUTPUTS = ("qdot", "residual", "g", "gv", "d")
UNKNOWNS = ("q", "v", "a", "lam", "mu", "u")


def turn(p):
    """R of Euler parameters of any length, on atoms."""
    w, x, y, z = p
    s = 2.0 / (w * w + x * x + y * y + z * z)
    return array([
        [1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)],
        [s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)],
        [s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)],
    ])  # fmt: skip


def pose_rates(q):
    """T of any number of poses."""
    n = len(q) // 7
    T = zeros((7 * n, 6 * n))
    for b in range(n):
        p0, p1, p2, p3 = q[7 * b + 3 : 7 * b + 7]
        T[7 * b : 7 * b + 3, 6 * b : 6 * b + 3] = eye(3)
        T[7 * b + 3 : 7 * b + 7, 6 * b + 3 : 6 * b + 6] = 0.5 * array(
            [[-p1, -p2, -p3], [p0, -p3, p2], [p3, p0, -p1], [-p2, p1, p0]]
        )
    return T


def q_of(*bodies):
    return [7 * b + k for b in bodies for k in range(7)]


def v_of(*bodies):
    return [6 * b + k for b in bodies for k in range(6)]


class Everything:
    """A tree with all kinds of joints and elements that use all that elements may."""

    def __init__(self, seed=1):
        rng = np.random.default_rng(seed)
        self.links = random_tree(rng, ["revolute", "spherical", "prismatic", "free", "screw", "fixed", "revolute"])
        self.direct = TreeDynamics(self.links)
        self.n_q, self.n_bodies = self.direct.tree.n_q, len(self.links)
        e = extended("extended", self.links, further=["theta"], states=["u"], parameters={"k": 3.0})
        joint_q, joint_v = 7 * self.n_bodies, 6 * self.n_bodies
        e.add("cut", coordinates=[q_of(2, 6)], velocities=[v_of(2, 6)], g=self.cut, T=pose_rates, own=(), f=self.dry)
        e.add(
            "spring", coordinates=[q_of(1, 4), q_of(0, 6)], velocities=[v_of(1, 4), v_of(0, 6)], states=[[0], [0]],
            f=self.spring, own=(),
        )  # fmt: skip
        e.add(
            "wheel", coordinates=[q_of(4)], velocities=[v_of(4)], T=pose_rates, own=(),
            nonholonomic=lambda t, q, v: array([v[0] + q[1] * v[4] + sin(q[0]) * v[1] - 0.1 * t]),
        )  # fmt: skip
        e.add(
            "coupling", coordinates=[[joint_q, joint_q + 5]], velocities=[[joint_v, joint_v + 4]],
            f=lambda q, v: array([-q[0] * q[1], -sin(q[0]) - 0.2 * v[0]]),
            M=lambda q: array([[0.5 + q[1] * q[1], 0.1 * q[0]], [0.1 * q[0], 0.3]]),
        )  # fmt: skip
        e.add(
            "ball spring", coordinates=[[joint_q + k for k in range(1, 5)]],
            velocities=[[joint_v + k for k in range(1, 4)]], f=lambda q: array([q[0] * q[1], q[2], q[3] * q[1]]),
        )  # fmt: skip
        e.add(
            "angle", coordinates=[[*q_of(4), joint_q + self.n_q]], velocities=[v_of(4)], own=(7,),
            T=lambda q: array([*pose_rates(q[:7]), [0, 0, 0, q[3], 0, 1.0]]),
            f=lambda q: array([0, 0, 0, 0, 0, -q[7]]), normalize=lambda q: array([*q[:7], q[7] + 0.1 * q[0]]),
        )  # fmt: skip
        e.add(
            "filter", coordinates=[q_of(1)], velocities=[v_of(1)], states=[[0]],
            d=lambda q, v, u: array([-u[0] + q[0] * v[4]]),
        )  # fmt: skip
        self.elements = e.equations()
        self.recursion = Recursion("everything", self.links, self.elements)
        s = self.recursion.sizes
        self.point = {
            key: rng.standard_normal(getattr(s, key, s.v)) for key in ("q", "v", "a", "lam", "u")
        } | {"mu": np.zeros(s.g), "t": np.array([0.4])}  # fmt: skip

    @staticmethod
    def cut(q):
        return (q[:3] + turn(q[3:7]) @ np.array([0.1, 0.2, 0.3])) - (
            q[7:10] + turn(q[10:]) @ np.array([0.3, -0.2, 0.1])
        )

    @staticmethod
    def dry(v, lam):
        return array([-0.1 * lam[0] * v[0], 0, 0, 0, 0.05 * lam[1] * lam[1], *[0.0] * 7])

    @staticmethod
    def spring(q, v, u, p):
        d = q[7:10] - q[:3]
        force = p.k * (d @ d - 1.0) * d + 0.3 * (v[6:9] - v[:3]) * v[0] + u[0] * d
        return array([*force, *(turn(q[3:7]).T @ d * v[4]), *(-force), *(0.1 * v[9:12] * v[6])])

    def extended(self, q, v):
        """X and V by the frames of the links."""
        frames, X, V = self.direct.frames(q[: self.n_q], v), [], []
        for i in self.direct.tree.bodies:
            R, omega = frames["R"][i], frames["omega"][i]
            c = R @ self.links[i].com
            X += [*(frames["r"][i] + c), *frames["p"][i]]
            V += [*(frames["velocity"][i] + np.cross(omega, c)), *(R.T @ omega)]
        return np.array([*X, *q]), np.array([*V, *v])


@pytest.fixture(scope="module", params=[1, 2])
def everything(request):
    return Everything(request.param)


def test_quantities_are_those_of_the_elements_times_J(everything):
    e, r = everything, everything.recursion
    q, v, lam, u = (e.point[key] for key in ("q", "v", "lam", "u"))
    t = 0.4
    J = np.array([e.extended(q, unit)[1] for unit in np.eye(r.sizes.v)]).T
    X, V = e.extended(q, v)
    given = dict(zip(QUANTITIES, e.elements.evaluate(*QUANTITIES, t=t, q=X, v=V, lam=lam, u=u), strict=True))
    found = dict(zip(QUANTITIES, r.evaluate(*QUANTITIES, t=t, q=q, v=v, lam=lam, u=u), strict=True))
    inner = q[: e.n_q]
    expected = {
        "M": e.direct.mass_matrix(inner) + J.T @ given["M"] @ J,
        "f": J.T @ given["f"] - e.direct.inverse_dynamics(inner, v, np.zeros_like(v)),
        "G": given["G"] @ J, "C": given["C"] @ J, "F": J.T @ given["F"], "g": given["g"], "gI": given["gI"],
        "d": given["d"],
    }  # fmt: skip
    for key, value in expected.items():
        assert found[key] == pytest.approx(value, rel=1e-12, abs=1e-12), key
    assert found["T"][e.n_q :] == pytest.approx(given["T"][7 * e.n_bodies + e.n_q :] @ J, abs=1e-13)
    # G v̇ = γ along any motion
    h, rate = 1e-6, found["T"] @ v

    def velocity_rows(s):
        G, gI = r.evaluate("G", "gI", t=t + s, q=q + s * rate)
        return G @ v + gI

    assert found["gamma"] == pytest.approx(-(velocity_rows(h) - velocity_rows(-h)) / (2 * h), abs=1e-7)


def test_normalised_coordinates_have_unit_euler_parameters_and_what_elements_say(everything):
    e, q = everything, everything.point["q"]
    normal = e.recursion.evaluate("qn", q=q)
    assert e.recursion.normalizes and not e.recursion.unit_T
    assert [np.linalg.norm(normal[1:5]), np.linalg.norm(normal[9:13])] == pytest.approx([1.0, 1.0])
    X, _ = e.extended(q, np.zeros(e.recursion.sizes.v))
    assert normal[-1] == pytest.approx(q[-1] + 0.1 * X[7 * 4])
    assert np.delete(normal, [*range(1, 5), *range(9, 13), -1]) == pytest.approx(
        np.delete(q, [*range(1, 5), *range(9, 13), -1])
    )


def implicit(equations, point, *names):
    provider = equations.program("implicit")
    found = provider(names, {"p": equations.parameter_vector(), **point})
    return found, provider.patterns["jacobian"]


def rows(equations, point):
    found, _ = implicit(equations, point, *OUTPUTS)
    return np.concatenate([found[name] for name in OUTPUTS])


def differences(equations, point):
    """Central differences of all rows with respect to all unknowns."""
    columns, h = [], 1e-6
    for key in UNKNOWNS:
        for k in range(len(point[key])):
            step = np.zeros(len(point[key]))
            step[k] = h
            ahead, behind = (rows(equations, {**point, key: point[key] + sign * step}) for sign in (1.0, -1.0))
            columns.append((ahead - behind) / (2 * h))
    return np.array(columns).T


def test_residuals_are_those_of_the_contract(everything):
    r, point = everything.recursion, everything.point
    found, _ = implicit(r, point, *OUTPUTS)
    at = {key: point[key] for key in ("q", "v", "lam", "u")}
    T, M, f, G, gI, g, d, C = r.evaluate("T", "M", "f", "G", "gI", "g", "d", "C", t=0.4, **at)
    assert found["residual"] == pytest.approx(M @ point["a"] - f + G.T @ point["lam"], rel=1e-12, abs=1e-12)
    assert found["gv"] == pytest.approx(G @ point["v"] + gI, abs=1e-12)
    assert found["g"] == pytest.approx(g) and found["d"] == pytest.approx(d)
    assert found["qdot"] == pytest.approx(T @ point["v"], abs=1e-13)
    mu = np.array([0.3, -0.2, 0.5])
    moved, _ = implicit(r, {**point, "mu": mu}, "qdot")
    assert moved["qdot"] == pytest.approx(T @ (point["v"] - C.T @ mu), abs=1e-13)


def test_jacobian_is_the_derivative_of_the_residuals(everything):
    found, pattern = implicit(everything.recursion, everything.point, "jacobian")
    expected = differences(everything.recursion, everything.point)
    scale = 1.0 + np.abs(expected).max()
    assert pattern.dense(found["jacobian"]) == pytest.approx(expected, abs=3e-9 * scale)


@pytest.mark.parametrize("seed", range(4))
def test_jacobian_of_trees_alone(seed):
    rng = np.random.default_rng(seed)
    kinds = rng.choice(["revolute", "prismatic", "screw", "spherical", "free", "fixed"], size=8)
    r = Recursion("tree", random_tree(rng, ["revolute", *(str(kind) for kind in kinds)]))
    s = r.sizes
    point = {key: rng.standard_normal(getattr(s, key, s.v)) for key in UNKNOWNS if key != "mu"}
    point |= {"mu": np.zeros(0), "t": np.zeros(1)}
    found, pattern = implicit(r, point, "jacobian")
    expected = differences(r, point)
    assert pattern.dense(found["jacobian"]) == pytest.approx(expected, abs=3e-9 * (1.0 + np.abs(expected).max()))
    # Velocities on different branches do not meet.
    assert len(pattern.rows) < np.prod(pattern.shape)


def test_rates_are_those_of_the_contract():
    rng = np.random.default_rng(7)
    links = random_tree(rng, ["free", "revolute", "spherical", "revolute"])
    e = extended("extended", links, states=["u"])
    e.add(
        "spring", coordinates=[q_of(0, 3)], velocities=[v_of(0, 3)], states=[[0]], own=(), data={"k": 2.0},
        f=Everything.spring, d=lambda u, v: array([v[0] - u[0]]),
    )  # fmt: skip
    r = Recursion("tree", links, e)
    q, v, u = rng.standard_normal(r.sizes.q), rng.standard_normal(r.sizes.v), np.array([0.3])
    T, M, f, d = r.evaluate("T", "M", "f", "d", q=q, v=v, u=u)
    point = {"p": r.parameter_vector(), "t": np.zeros(1), "q": q, "v": v, "u": u}
    for program in ("rate", "explicit"):
        found = r.program(program)(("qdot", "a", "d"), point)
        assert found["a"] == pytest.approx(np.linalg.solve(M, f), rel=1e-11, abs=1e-11)
        assert found["qdot"] == pytest.approx(T @ v, abs=1e-13)
        assert found["d"] == pytest.approx(d)
    normal = r.program("explicit")(("qn", "dq", "dv"), point)
    assert normal["qn"] == pytest.approx(r.evaluate("qn", q=q)) and not normal["dq"].any() and not normal["dv"].any()


# ------------------------------------------------------------------------------------------------------------- motions


def heavy_top():
    inertia = np.diag([TOP["I1"] - TOP["m"] * TOP["l"] ** 2] * 2 + [TOP["I3"]])
    return Recursion("top", [Link("spherical", mass=TOP["m"], com=(0, 0, TOP["l"]), inertia=inertia)])


@pytest.mark.parametrize("method", ["dopri5", "dop853", "radau", "mexx"])
def test_a_heavy_top_moves_as_its_traced_equations(method):
    q, v = np.array([np.cos(0.2), np.sin(0.2), 0.0, 0.0]), np.array([0.1, 0.3, 60.0])
    options = {"rtol": 1e-9, "atol": 1e-11}
    expected = da.simulate(top(), (0.0, 0.4), (q, v), method="dop853", **options)
    found = da.simulate(heavy_top(), (0.0, 0.4), (q, v), method=method, **options)
    assert rotation(found.q[:, -1]) == pytest.approx(rotation(expected.q[:, -1]), abs=2e-6)
    assert found.v[:, -1] == pytest.approx(expected.v[:, -1], abs=2e-5)


BARS = ((0.2, 1.0), (0.7, 2.0), (0.5, 1.5))
GROUND = np.array([0.8, 0.0])


def four_bar():
    """Chain of three bars that turn about z, its end held to the ground."""
    links = [
        Link("revolute", i - 1, r=(BARS[i - 1][0] if i else 0.0, 0, 0), mass=m, com=(l / 2, 0, 0),
             inertia=np.diag([0.0, m * l**2 / 12, m * l**2 / 12]), name=f"bar{i}")
        for i, (l, m) in enumerate(BARS)
    ]  # fmt: skip
    e = extended("four-bar", links, parameters={"damping": 0.0})
    half = BARS[2][0] / 2
    e.add(
        "pin", coordinates=[q_of(2)], velocities=[v_of(2)], T=pose_rates, own=(),
        g=lambda q: (q[:3] + turn(q[3:]) @ np.array([half, 0, 0]))[:2] - GROUND,
    )  # fmt: skip
    e.add("damper", coordinates=[[21]], velocities=[[18]], f=lambda v, p: -p.damping * v)
    return Recursion("four-bar", links, e, gravity=(0.0, -9.81, 0.0))


def traced_four_bar():
    """The same in absolute coordinates x, y, φ of the bars."""

    def end(q, i, side):
        x, y, phi = q[3 * i : 3 * i + 3]
        return np.array([x, y]) + side * BARS[i][0] / 2 * np.array([np.cos(phi), np.sin(phi)])

    def g(q):
        return np.array([
            *end(q, 0, -1), *(end(q, 1, -1) - end(q, 0, 1)), *(end(q, 2, -1) - end(q, 1, 1)), *(end(q, 2, 1) - GROUND)
        ])  # fmt: skip

    return da.trace(
        M=lambda: np.diag([x for l, m in BARS for x in (m, m, m * l**2 / 12)]),
        f=lambda: np.array([x for _, m in BARS for x in (0.0, -9.81 * m, 0.0)]), g=g, n_q=9,
    )  # fmt: skip


@pytest.mark.parametrize("method", ["dopri5", "radau", "mexx"])
def test_a_four_bar_linkage_moves_as_in_absolute_coordinates(method):
    r, absolute = four_bar(), traced_four_bar()
    start = r.assemble(q={"bar0": 1.0, "bar1": -0.5, "bar2": -1.8}, held=["bar0"])
    angles = np.cumsum(start.q)
    place, q = np.zeros(2), []
    for (l, _), phi in zip(BARS, angles, strict=True):
        along = l * np.array([np.cos(phi), np.sin(phi)])
        q += [*(place + along / 2), phi]
        place = place + along
    assert place == pytest.approx(GROUND, abs=1e-12)
    options = {"rtol": 1e-8, "atol": 1e-10}
    expected = da.simulate(absolute, (0.0, 1.0), (np.array(q), np.zeros(9)), method="dop853", **options)
    found = da.simulate(r, (0.0, 1.0), start, method=method, **options)
    assert np.cumsum(found.q[:, -1]) == pytest.approx(expected.q[2::3, -1], abs=1e-5)
    # The reaction is the same in both.
    assert found.lam[:, 0] == pytest.approx(expected.lam[6:, 0], rel=1e-8)


def test_parameters_of_elements_and_runs_with_constraints_switched_off():
    r = four_bar()
    start = r.assemble(q={"bar0": 1.0, "bar1": -0.5, "bar2": -1.8}, held=["bar0"])
    damped = da.simulate(r, (0.0, 0.5), start, parameters={"damping": 5.0})
    assert abs(damped.v[0, -1]) < abs(da.simulate(r, (0.0, 0.5), start).v[0, -1])
    open_chain = r.restricted([])
    assert open_chain.sizes.lam == 0 and not open_chain.lacks("rate")
    M, f = open_chain.evaluate("M", "f", q=start.q, v=start.v)
    assert f == pytest.approx(r.evaluate("f", q=start.q, v=start.v))
    a = open_chain.program("rate")(("a",), {"p": r.parameter_vector(), "t": np.zeros(1), "q": start.q, "v": start.v})
    assert a["a"] == pytest.approx(np.linalg.solve(M, f), rel=1e-10)
    assert r.restricted(range(2)) is r
    assert r.restricted([]) is open_chain
    assert r.restricted([1]).names["lam"] == r.names["lam"][1:]


def test_constants_of_links_may_be_parameters():
    def links(p):
        c, s = np.cos(p.tilt), np.sin(p.tilt)
        R = array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])
        return [Link("revolute", mass=p.m, com=(p.l, 0.0, 0.0), R=R), Link("prismatic", 0, r=(p.l, 0, 0), mass=1.0)]

    values = {"m": 2.0, "l": 0.7, "tilt": 0.3, "g": 3.0}
    r = Recursion("pendulum", links, gravity=lambda p: (0.0, -p.g, 0.0), parameters=values)
    q, v = np.array([0.4, 0.2]), np.array([1.0, -0.5])
    for changed in ({}, {"tilt": 2.9, "m": 1.0}, {"g": 9.81, "l": 2.0}):
        numbers = {**values, **changed}
        plain = links(type("p", (), {key: float(value) for key, value in numbers.items()}))
        expected = TreeDynamics(plain, (0.0, -numbers["g"], 0.0))
        M, f = r.evaluate("M", "f", q=q, v=v, parameters=changed)
        assert M == pytest.approx(expected.mass_matrix(q), rel=1e-13)
        assert f == pytest.approx(-expected.inverse_dynamics(q, v, np.zeros(2)), rel=1e-12)
    copy = pickle.loads(pickle.dumps(r))
    options = {"parameters": {"l": 1.1}, "method": "dopri5", "rtol": 1e-9}
    expected, found = (da.simulate(x, (0.0, 1.0), (q, v), **options) for x in (r, copy))
    assert (expected.q[:, -1] == found.q[:, -1]).all()
    plain = links(type("p", (), {**values, "l": 1.1}))
    numbers = da.simulate(
        Recursion("numbers", plain, gravity=(0, -3.0, 0)), (0.0, 1.0), (q, v), method="dopri5", rtol=1e-9
    )
    assert found.q[:, -1] == pytest.approx(numbers.q[:, -1], rel=1e-9)


def test_constants_may_be_atoms_of_a_graph_that_is_there_already():
    graph = Graph()
    length = graph.parameter("p.l")
    links = [Link("revolute", mass=2.0, com=(length * 0.5, 0.0, 0.0))]
    r = Recursion("bar", links, parameters={"g": 9.81, "l": 3.0})
    assert r.evaluate("M", q=[0.0]) == pytest.approx(np.array([[2.0 * 1.5**2]]))
    assert r.evaluate("M", q=[0.0], parameters={"l": 1.0}) == pytest.approx(np.array([[0.5]]))


def test_further_coordinates_count_turns():
    links = [Link("spherical", mass=1.0, com=(0, 0, 0.0), inertia=np.diag([0.2, 0.2, 0.1]))]
    e = extended("spin", links, further=["angle"])
    e.add(
        "angle", coordinates=[[*q_of(0), 11]], velocities=[v_of(0)], own=(7,),
        T=lambda q: array([*pose_rates(q[:7]), [0, 0, 0, 0, 0, 1.0]]),
    )  # fmt: skip
    r = Recursion("spin", links, e, gravity=(0, 0, 0))
    assert r.sizes.q == 5 and r.names["q"][-1] == "further0"
    for method in ("dop853", "radau", "mexx"):
        found = da.simulate(r, (0.0, 2.0), (np.array([1.0, 0, 0, 0, 0]), np.array([0.0, 0.0, 10.0])), method=method)
        assert found.q[4, -1] == pytest.approx(20.0, rel=1e-6)


def test_links_tell_what_they_do_and_what_their_joints_carry(everything):
    e, r, point = everything, everything.recursion, everything.point
    links = r.links_at(*(point[key] for key in ("q", "v", "a", "lam", "u")), t=0.4)
    X, V, A = links.extended()
    expected_X, expected_V = e.extended(point["q"], point["v"])
    n = e.n_bodies
    assert X == pytest.approx(expected_X[: 7 * n], abs=1e-12) and V == pytest.approx(expected_V[: 6 * n], abs=1e-12)
    rate, h = r.evaluate("T", q=point["q"]) @ point["v"], 1e-6
    later, earlier = (e.extended(point["q"] + s * rate, point["v"] + s * point["a"])[1][: 6 * n] for s in (h, -h))
    assert A == pytest.approx((later - earlier) / (2 * h), rel=1e-6, abs=1e-6)
    # Newton's law for each body: what its joint exerts, less what it passes on, and what elements exert.
    taken = e.elements.program("implicit")(
        ["residual"],
        {"p": e.elements.parameter_vector(), "t": point["t"], "q": expected_X, "v": expected_V, "lam": point["lam"],
         "u": point["u"], "a": np.zeros(len(expected_V)), "mu": point["mu"]},
    )["residual"]  # fmt: skip
    for i, link in enumerate(e.links):
        passed = [k for k, other in enumerate(e.links) if other.parent == i]
        force = links.wrench[i, 3:] - sum(links.wrench[k, 3:] for k in passed) - taken[6 * i : 6 * i + 3]
        needed = link.mass * (A[6 * i : 6 * i + 3] - np.array([0.0, 0.0, -9.81]))
        assert force == pytest.approx(needed, rel=1e-9, abs=1e-9)


def test_equations_come_back_from_pickles(everything):
    copy = pickle.loads(pickle.dumps(everything.recursion))
    at = {key: everything.point[key] for key in ("q", "v", "lam", "u")}
    for found, expected in zip(
        copy.evaluate("f", "G", **at), everything.recursion.evaluate("f", "G", **at), strict=True
    ):
        assert (found == expected).all()
    assert copy.names == everything.recursion.names and copy.sizes == everything.recursion.sizes


def test_what_is_missing_is_said(everything):
    assert "has constraints" in everything.recursion.lacks("rate")
    with pytest.raises(EquationsError, match="has no program 'rate': it has constraints"):
        everything.recursion.program("rate")
    with pytest.raises(EquationsError, match="has no program 'ratio'"):
        everything.recursion.program("ratio")
    links = [Link("revolute", mass=1.0, name="a")]
    with pytest.raises(EquationsError, match="nothing can move"):
        Recursion("fixed", [Link("fixed", mass=1.0)])
    with pytest.raises(EquationsError, match="1 bodies and the joints need at least 8 and exactly 7"):
        Recursion("two", links, extended("three", [*links, *links]))
    heavy = extended("heavy", links)
    heavy.add("mass", coordinates=[q_of(0)], velocities=[v_of(0)], M=lambda: 3.0 * eye(6), own=())
    assert Recursion("heavy", links, heavy).evaluate("M", q=[0.3]) == pytest.approx(np.array([[3.0]]))
    rotor = extended("rotor", links)
    rotor.add("rotor", coordinates=[[7]], velocities=[[6]], M=lambda: 2.0 * eye(1))
    geared = Recursion("geared", links, rotor)
    assert "have inertia" in geared.lacks("explicit")
    assert geared.evaluate("M", q=[0.3]) == pytest.approx(np.array([[2.0]]))
    with pytest.raises(EquationsError, match="has no constraints"):
        Recursion("free", links).restricted([0])
    with pytest.raises(EquationsError, match="parameters must be those of its elements"):
        Recursion("other", links, extended("some", links, parameters={"k": 1.0}), parameters={"m": 1.0})
