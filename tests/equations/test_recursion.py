"""Recursions over trees of joints against virtual power on atoms, composed motions, energy, and one another."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from equations.recursion_trees import (
    MOVING,
    poses,
    random_link,
    random_state,
    random_tree,
    rotation,
    torques_by_virtual_power,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from dalembert.equations.recursion import Link, TreeDynamics
from dalembert.errors import EquationsError
from dalembert.symbolic import Graph

GRAVITY = (1.3, -2.0, -9.81)
trees = st.tuples(st.lists(st.sampled_from((*MOVING, "fixed")), min_size=1, max_size=9), st.integers(0, 2**31))


def made(drawn):
    """A random tree in which something moves."""
    kinds, seed = drawn
    rng = np.random.default_rng(seed)
    links = random_tree(rng, ["revolute", *kinds])
    return links, TreeDynamics(links, GRAVITY), rng


@pytest.mark.parametrize(
    "kinds",
    [
        ["revolute"],
        ["prismatic"],
        ["screw"],
        ["spherical"],
        ["revolute", "revolute", "prismatic"],
        ["spherical", "screw", "revolute"],
        ["revolute", "fixed", "spherical", "prismatic"],
    ],
)
def test_inverse_dynamics_is_the_principle_of_virtual_power(kinds):
    rng = np.random.default_rng(len(kinds))
    links = random_tree(rng, kinds)
    dynamics = TreeDynamics(links, GRAVITY)
    q, v, a = random_state(rng, dynamics.tree)
    for i, link in enumerate(links):
        if link.kind == "spherical":
            p = q[dynamics.tree.q_places[i] :][:4]
            p /= np.linalg.norm(p)
    expected = torques_by_virtual_power(links, dynamics.tree, q, v, a, GRAVITY)
    assert dynamics.inverse_dynamics(q, v, a) == pytest.approx(expected, rel=1e-11, abs=1e-11)


@given(trees)
@settings(max_examples=60)
def test_forward_and_inverse_dynamics_are_inverse(drawn):
    _, dynamics, rng = made(drawn)
    q, v, a = random_state(rng, dynamics.tree)
    tau = dynamics.inverse_dynamics(q, v, a)
    assert dynamics.forward_dynamics(q, v, tau) == pytest.approx(a, rel=1e-9, abs=1e-9)


@given(trees)
@settings(max_examples=60)
def test_mass_matrix_has_the_columns_of_inverse_dynamics(drawn):
    links, dynamics, rng = made(drawn)
    q, v, _ = random_state(rng, dynamics.tree)
    bias = dynamics.inverse_dynamics(q, v, np.zeros_like(v))
    columns = [dynamics.inverse_dynamics(q, v, unit) - bias for unit in np.eye(len(v))]
    M = dynamics.mass_matrix(q)
    assert M == pytest.approx(np.array(columns).T, rel=1e-10, abs=1e-10)
    tree = dynamics.tree

    def path(i):
        return [] if i < 0 else [i, *path(links[i].parent)]

    for i, a in enumerate(tree.v_links):
        for j, b in enumerate(tree.v_links):
            if a not in path(b) and b not in path(a):
                assert M[i, j] == 0.0


@given(trees)
@settings(max_examples=40)
def test_frames_are_those_of_composed_motions(drawn):
    links, dynamics, rng = made(drawn)
    q, v, _ = random_state(rng, dynamics.tree)
    found = dynamics.frames(q, v)
    for i, (R, r) in enumerate(poses(links, dynamics.tree, q)):
        assert found["R"][i] == pytest.approx(R, abs=1e-13)
        assert found["r"][i] == pytest.approx(r, abs=1e-12)
        assert rotation(found["p"][i]) == pytest.approx(R, abs=1e-13)
    # Velocities are differences of positions along the motion.
    h, rates = 1e-6, np.zeros_like(q)
    for i, link in enumerate(links):
        first_q, first_v, turned = dynamics.tree.q_places[i], dynamics.tree.v_places[i], link.joint.parameters
        plain = turned if link.joint.has_parameters else link.joint.n_v
        rates[first_q : first_q + plain] = v[first_v : first_v + plain]
        if link.joint.has_parameters:
            p, w = q[first_q + plain :][:4], v[first_v + plain :][:3]
            p0, p1, p2, p3 = p
            T = 0.5 * np.array([[-p1, -p2, -p3], [p0, -p3, p2], [p3, p0, -p1], [-p2, p1, p0]])
            rates[first_q + plain : first_q + plain + 4] = T @ w
    ahead, behind = dynamics.frames(q + h * rates), dynamics.frames(q - h * rates)
    assert found["velocity"] == pytest.approx((ahead["r"] - behind["r"]) / (2 * h), rel=1e-7, abs=1e-7)
    a = rng.standard_normal(len(v))
    moving = dynamics.frames(q, v, a)
    later, earlier = dynamics.frames(q + h * rates, v + h * a), dynamics.frames(q - h * rates, v - h * a)
    for key, rate in (("acceleration", "velocity"), ("alpha", "omega")):
        assert moving[key] == pytest.approx((later[rate] - earlier[rate]) / (2 * h), rel=1e-6, abs=1e-6)
    for i in range(len(links)):
        spin = (ahead["R"][i] - behind["R"][i]) / (2 * h) @ found["R"][i].T
        expected = np.array([spin[2, 1], spin[0, 2], spin[1, 0]])
        assert found["omega"][i] == pytest.approx(expected, rel=1e-7, abs=1e-7)


@given(trees)
@settings(max_examples=30)
def test_power_of_the_joints_changes_the_energy(drawn):
    links, dynamics, rng = made(drawn)
    tree = dynamics.tree
    q, v, a = random_state(rng, tree)
    for i, link in enumerate(links):  # the differences below need rates of coordinates that are velocities
        if link.joint.has_parameters:
            v[tree.v_places[i] + link.joint.parameters :][:3] = 0.0

    def energy(q, v):
        height = sum(
            link.mass * (r + R @ link.com) @ GRAVITY for link, (R, r) in zip(links, poses(links, tree, q), strict=True)
        )
        return 0.5 * v @ dynamics.mass_matrix(q) @ v - height

    rates = np.zeros_like(q)
    for i, link in enumerate(links):
        plain = link.joint.parameters if link.joint.has_parameters else link.joint.n_v
        rates[tree.q_places[i] :][:plain] = v[tree.v_places[i] :][:plain]
    h = 1e-5
    change = (energy(q + h * rates, v + h * a) - energy(q - h * rates, v - h * a)) / (2 * h)
    power = dynamics.inverse_dynamics(q, v, a) @ v
    assert change == pytest.approx(power, rel=1e-6, abs=1e-5 * (1.0 + abs(power)))


@given(trees)
@settings(max_examples=12)
def test_derivatives_of_inverse_dynamics_are_those_of_differences(drawn):
    _, dynamics, rng = made(drawn)
    point = random_state(rng, dynamics.tree)
    found = dynamics.inverse_dynamics_derivatives(*point)
    for k, derivative in enumerate(found):
        for j in range(len(point[k])):
            step = np.zeros(len(point[k]))
            step[j] = h = 1e-6
            ahead, behind = (
                dynamics.inverse_dynamics(*(x + sign * step if i == k else x for i, x in enumerate(point)))
                for sign in (1.0, -1.0)
            )
            scale = 1.0 + np.abs(ahead).max()
            assert derivative[:, j] == pytest.approx((ahead - behind) / (2 * h), abs=2e-8 * scale)
    assert found[2] == pytest.approx(dynamics.mass_matrix(point[0]), rel=1e-11, abs=1e-11)


def test_a_free_link_is_three_sliders_and_a_ball_joint():
    rng = np.random.default_rng(3)
    body = random_link(rng, "free", -1)
    turned = [np.eye(3), np.eye(3), np.eye(3)]
    # z along x, y and z of the frame in turn, and back in the end
    turned[0] = np.array([[0.0, 0, 1], [1, 0, 0], [0, 1, 0]])
    turned[1] = turned[2] = turned[0]
    parts = [
        Link("prismatic", -1, R=np.array(body.R) @ turned[0], r=body.r),
        Link("prismatic", 0, R=turned[0]),
        Link("prismatic", 1, R=turned[0]),
        Link("spherical", 2, mass=body.mass, com=body.com, inertia=body.inertia),
    ]
    on_it = random_link(rng, "revolute", 0)
    whole, parted = TreeDynamics([body, on_it]), TreeDynamics([*parts, Link(**{**vars(on_it), "parent": 3})])
    q, v, tau = rng.standard_normal(8), rng.standard_normal(7), rng.standard_normal(7)
    assert parted.frames(q)["r"][3] == pytest.approx(whole.frames(q)["r"][0], abs=1e-13)
    assert parted.forward_dynamics(q, v, tau) == pytest.approx(whole.forward_dynamics(q, v, tau), rel=1e-11)
    assert parted.inverse_dynamics(q, v, tau) == pytest.approx(whole.inverse_dynamics(q, v, tau), rel=1e-11)


def test_links_may_be_massless_where_others_hang_on_them():
    rng = np.random.default_rng(4)
    links = [random_link(rng, "revolute", -1, massless=True), random_link(rng, "revolute", 0)]
    universal = TreeDynamics(links)
    q, v, a = random_state(rng, universal.tree)
    tau = universal.inverse_dynamics(q, v, a)
    assert universal.forward_dynamics(q, v, tau) == pytest.approx(a, rel=1e-11)
    assert universal.tree.bodies.tolist() == [1]


def test_wrenches_on_bodies_act_as_the_transposed_jacobian_says():
    rng = np.random.default_rng(6)
    links = random_tree(rng, ["free", "revolute", "fixed", "spherical", "prismatic", "screw"])
    dynamics = TreeDynamics(links, GRAVITY)
    q, v, a = random_state(rng, dynamics.tree)
    wrenches = rng.standard_normal((6, 6))
    columns = []
    for unit in np.eye(len(v)):
        frames = dynamics.frames(q, unit)
        arms = np.array([R @ link.com for R, link in zip(frames["R"], links, strict=True)])
        moved = frames["velocity"] + np.cross(frames["omega"], arms)
        turned = np.einsum("nji,nj->ni", frames["R"], frames["omega"])
        columns.append(np.sum(wrenches * np.concatenate([moved, turned], axis=1)))
    tau = dynamics.inverse_dynamics(q, v, a)
    loaded = dynamics.inverse_dynamics(q, v, a, wrenches)
    assert tau - loaded == pytest.approx(np.array(columns), rel=1e-11, abs=1e-11)
    assert dynamics.forward_dynamics(q, v, loaded, wrenches) == pytest.approx(a, rel=1e-9, abs=1e-9)


def test_joint_of_a_pendulum_at_rest_carries_its_weight():
    pendulum = TreeDynamics([Link("revolute", -1, R=[[1, 0, 0], [0, 0, -1], [0, 1, 0]], mass=2.0, com=(0.5, 0, 0))])
    (wrench,) = pendulum.joint_wrenches([0.0], [0.0], [0.0])
    # Lying along x, with its axis along −y: the weight pulls down at 0.5 m.
    assert wrench == pytest.approx([0.0, -2.0 * 9.81 * 0.5, 0.0, 0.0, 0.0, 2.0 * 9.81], abs=1e-14)
    assert pendulum.inverse_dynamics([0.0], [0.0], [0.0]) == pytest.approx([9.81], abs=1e-14)


def test_nothing_is_lost_far_from_the_origin():
    rng = np.random.default_rng(5)
    near = [random_link(rng, kind, i - 1) for i, kind in enumerate(["revolute", "spherical", "revolute"])]
    far = [Link(**{**vars(near[0]), "r": near[0].r + np.array([3e6, -2e6, 1e6])}), *near[1:]]
    here, there = TreeDynamics(near), TreeDynamics(far)
    q, v, tau = random_state(rng, here.tree)
    assert there.forward_dynamics(q, v, tau) == pytest.approx(here.forward_dynamics(q, v, tau), rel=1e-12)
    assert there.mass_matrix(q) == pytest.approx(here.mass_matrix(q), rel=1e-12)


def test_runs_of_one_kind_are_long():
    kinds = ["revolute", "prismatic"] * 20
    forest = TreeDynamics([Link(kind, -1, mass=1.0, inertia=np.eye(3)) for kind in kinds])
    ordered = [kinds[i] for i in forest.tree.order]
    assert sum(a != b for a, b in itertools.pairwise(ordered)) == 1
    assert forest.forward_dynamics(np.zeros(40), np.zeros(40), np.zeros(40)) == pytest.approx([0.0, -9.81] * 20)


@pytest.mark.parametrize(
    ("links", "complaint"),
    [
        ([], "has no links"),
        ([Link("hinge")], "unknown kind 'hinge'"),
        ([Link("revolute", 0)], "its parent must stand before it"),
        ([Link("revolute", r=(1.0, 2.0))], "r must have the shape"),
        ([Link("revolute", R=2.0 * np.eye(3))], "R is not a rotation"),
        ([Link("revolute", R=np.diag([1.0, 1.0, -1.0]))], "R is not a rotation"),
        ([Link("revolute", R=(1.0, 1.0, 0.0, 0.0))], "R is not a rotation"),
        ([Link("revolute", R=np.zeros(3))], "rotation matrix or four Euler parameters"),
        ([Link("revolute", mass=Graph().parameters("m", 1)[0])], "depend on parameters"),
    ],
)
def test_bad_links_are_named(links, complaint):
    with pytest.raises(EquationsError, match=complaint):
        TreeDynamics(links)


def test_bad_sizes_are_noticed():
    pendulum = TreeDynamics([Link("revolute", mass=1.0)])
    with pytest.raises(ValueError):
        pendulum.forward_dynamics([0.0, 1.0], [0.0], [0.0])
    with pytest.raises(EquationsError, match="gravity must be three numbers"):
        TreeDynamics([Link("revolute", mass=1.0)], gravity=(0.0, -9.81))
