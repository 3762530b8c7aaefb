"""Data of flexible bodies: contractions of the Gram matrix, checks, frames, files."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose

from dalembert.elastic import STEEL, Beam, Flexibility, Mode, Nodes, Reference, Section
from dalembert.errors import ModelError, ModelWarning

RANDOM = np.random.default_rng(3)
#: points with masses, and shapes there: a body whose integrals are sums
MASSES = RANDOM.uniform(0.5, 2.0, 9)


def lumped(d=3, n=2, **options):
    """A body of mass points, with smooth shapes."""
    random = np.random.default_rng(5)
    X = random.normal(size=(9, d))
    shapes = np.stack([X[:, [k % d]] * X @ random.normal(size=(d, d)) for k in range(n)], axis=2)
    fields = np.concatenate([np.ones((9, 1)), X, shapes.transpose(0, 2, 1).reshape(9, -1)], axis=1)
    turns = random.normal(size=(9, 3 if d == 3 else 1, n))
    nodes = Nodes(tuple(f"n{k}" for k in range(9)), X, shapes, turns, options.pop("gamma", None))
    S = fields.T @ (MASSES[:, None] * fields)
    given = {"stiffness": np.diag(np.arange(1.0, n + 1.0)), "nodes": nodes, **options}
    return Flexibility(S, **given)


@pytest.mark.parametrize("d", [2, 3])
def test_the_mass_matrix_is_that_of_the_points(d):
    body = lumped(d)
    velocity = np.arange(1.0, 1 + d + (3 if d == 3 else 1) + body.n)
    v0, q_rate = velocity[:d], velocity[-body.n :]
    w = velocity[d : -body.n] if d == 3 else np.array([0.0, 0.0, velocity[2]])
    X, moved = body.nodes.X, body.nodes.translation @ q_rate
    in_space = np.zeros((9, 3))
    in_space[:, :d] = X
    v = v0 + np.cross(w, in_space)[:, :d] + moved
    assert_allclose(0.5 * velocity @ body.frame_mass @ velocity, 0.5 * MASSES @ (v * v).sum(axis=1))
    assert_allclose(body.com, MASSES @ X / MASSES.sum())


@pytest.mark.parametrize(
    "reference", [Reference("mean axes"), Reference("clamped", ("n2",)), Reference("pinned", ("n0", "n4"))], ids=str
)
@pytest.mark.parametrize("d", [2, 3])
def test_free_frequencies_do_not_depend_on_the_frame(d, reference):
    body = lumped(d)
    other = body.referred(reference)
    assert other.reference == reference and not np.allclose(other.gram, body.gram)
    assert_allclose(other.free_frequencies, body.free_frequencies, rtol=1e-10)
    again = other.referred(Reference("mean axes"))
    assert_allclose(again.gram, body.referred(Reference("mean axes")).gram, atol=1e-9)
    assert (again.shape_integral == pytest.approx(0.0, abs=1e-9)) and again.frequencies[0] > other.frequencies[0] * 0.99


def test_nodes_stay_where_the_reference_says():
    body = lumped()
    clamped = body.referred(Reference("clamped", ("n3",)))
    assert_allclose(clamped.nodes.translation[3], 0.0, atol=1e-12)
    assert_allclose(clamped.nodes.rotation[3], 0.0, atol=1e-12)
    pinned = body.referred(Reference("pinned", ("n1", "n5", "n7"))).nodes
    along = pinned.X[5] - pinned.X[1]
    assert_allclose(pinned.translation[1], 0.0, atol=1e-12)
    assert_allclose(np.cross(along, pinned.translation[5].T), 0.0, atol=1e-12)
    assert_allclose(np.cross(along, pinned.X[7] - pinned.X[1]) @ pinned.translation[7], 0.0, atol=1e-12)


@pytest.mark.parametrize("d", [2, 3])
def test_second_order_displacements_follow_the_frame(d):
    """Distances between points do not depend on the frame: of third order what differs."""
    random = np.random.default_rng(8)
    gamma = random.normal(size=(9, d, 2, 2))
    body = lumped(d, gamma=gamma + gamma.transpose(0, 1, 3, 2))
    other = body.referred(Reference("clamped", ("n2",)))

    def distances(flexible, q):
        nodes = flexible.nodes
        r = nodes.X + nodes.translation @ q + 0.5 * np.einsum("Najk,j,k->Na", nodes.second_order, q, q)
        return np.linalg.norm(r[:, None] - r[None], axis=2)

    q = np.array([0.3, -0.2])
    errors = [np.abs(distances(other, s * q) - distances(body, s * q)).max() for s in (1e-2, 5e-3)]
    assert errors[0] < 1e-4 and 6.5 < errors[0] / errors[1] < 9.5


def test_second_order_moments_follow_the_frame_as_the_nodes_do():
    random = np.random.default_rng(9)
    gamma = random.normal(size=(9, 3, 2, 2))
    gamma = gamma + gamma.transpose(0, 1, 3, 2)
    plain = lumped(gamma=gamma)

    def moments(nodes):
        fields = np.concatenate([np.ones((9, 1)), nodes.X], axis=1)
        return np.einsum("N,Nf,Najk->fajk", MASSES, fields, nodes.second_order)

    body = lumped(gamma=gamma, second_order=moments(plain.nodes))
    other = body.referred(Reference("mean axes"))
    assert_allclose(other.second_order, moments(other.nodes), atol=1e-10)


def test_damping_by_ratios_and_by_factors():
    body = lumped(3)
    from scipy.linalg import eigh

    values, vectors = eigh(body.stiffness, body.modal_mass)
    D = body.with_damping(ratios=(0.01, 0.02)).damping
    assert_allclose(vectors.T @ D @ vectors, np.diag(2 * np.sqrt(values) * (0.01, 0.02)), atol=1e-12)
    both = body.with_damping(alpha=0.3, beta=0.02, matrix=np.eye(2)).damping
    assert_allclose(both, 0.3 * body.modal_mass + 0.02 * body.stiffness + np.eye(2))


def test_files_and_pickles_keep_everything(tmp_path):
    body = lumped(3, modes=(Mode("a", "bending", "somewhere", 3.0), Mode("b")), outputs={"moment": (1.0, 2.0)},
                  cubic=np.zeros((2, 2, 2)), edges=((0, 1), (1, 2)), name="ä body")  # fmt: skip
    body.save(tmp_path / "body.npz")
    for other in (Flexibility.load(tmp_path / "body.npz"), pickle.loads(pickle.dumps(body))):
        assert other.table == body.table and other.modes == body.modes and other.edges == body.edges
        for key in ("gram", "stiffness", "damping", "cubic"):
            assert_allclose(getattr(other, key), getattr(body, key), rtol=0, atol=0)
        assert_allclose(other.nodes.rotation, body.nodes.rotation, rtol=0, atol=0)
    (tmp_path / "other.npz").write_bytes(b"PK nothing")
    with pytest.raises(ModelError, match="it is damaged, or a file of another kind"):
        Flexibility.load(tmp_path / "other.npz")
    with pytest.raises(ModelError, match="there is no file"):
        Flexibility.load(tmp_path / "nothing.npz")


def test_the_table_says_what_the_modes_are():
    body = lumped(3, modes=(Mode("a", "bending", "somewhere"), Mode("b", frequency=12.0)))
    lines = body.table.splitlines()
    assert "2 modes, 9 nodes, frame free, without geometric stiffening" in lines[0]
    assert lines[2].split()[1:4] == ["a", "bending", "somewhere"] and lines[3].split()[3] == "12"


@pytest.mark.parametrize(
    "change, message",
    [
        ({"stiffness": np.diag([1.0, -1.0])}, "stiffness is not positive: q2"),
        ({"stiffness": np.ones((2, 2))}, "stiffness is not positive: q1, q2: a motion of them stores no energy"),
        ({"stiffness": np.array([[1.0, 0.5], [0.0, 1.0]])}, "stiffness must be symmetric"),
        ({"stiffness": np.eye(3)}, "gram must be of size 13 .in the plane 9. with 3 modes"),
        ({"damping": -np.eye(2)}, "damping gives energy"),
        ({"modes": ("a", "a")}, "names of modes must differ"),
        ({"modes": ("a",)}, "1 modes, 2 rows do not fit together"),
        ({"reference": Reference("clamped", ("n0",))}, "mode 'q1' does not meet the reference condition"),
        ({"reference": Reference("clamped", ("tip",))}, "there is no node 'tip'"),
        ({"edges": ((0, 99),)}, "each must be 2 numbers of nodes below 9"),
        ({"second_order": np.zeros((3, 3, 2, 2))}, "second_order must have the shape"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_named(change, message):
    with pytest.raises(ModelError, match=message):
        lumped(3, **change)


def test_rigid_motions_among_the_modes_are_named():
    body = lumped(3)
    S = np.array(body.gram)
    A = np.eye(10)
    A[4:7] = 0.0
    A[4:7, 0] = (1.0, 2.0, 3.0)  # the first shape is a translation
    with pytest.raises(ModelError, match=r"mass matrix is singular.*q1.*choose reference conditions"):
        Flexibility(A @ S @ A.T, np.eye(2))
    with pytest.raises(ModelError, match="gram is no Gram matrix"):
        Flexibility(S - 40.0 * np.diag(np.arange(10.0) == 4), np.eye(2))


def test_a_section_deeper_than_its_beam_is_told():
    with pytest.warns(ModelWarning, match=r"about 17.3 m deep, and it is 1 m long, with a mass of 2.47e\+06 kg"):
        Beam(1.0, Section.circle(10.0), STEEL)
    Beam(1.0, Section.circle(0.1), STEEL)
