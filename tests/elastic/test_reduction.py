"""ReducedElements of finite elements: static deflections, frequencies from above, interfaces, frames, mode tables."""

import numpy as np
import pytest
from elastic.frames import euler_frame
from numpy.testing import assert_allclose

from dalembert.elastic import Interface, plane_stress, reduce, solid
from dalembert.errors import ModelError

skfem = pytest.importorskip("skfem")
METHODS = ("craig-bampton", "guyan", "eigenmodes", "attachment")


@pytest.fixture(scope="module")
def strip():
    mesh = skfem.MeshTri.init_tensor(np.linspace(0, 2, 21), np.linspace(0, 0.1, 3))
    return plane_stress(mesh, young=7e10, poisson=0.3, density=2700.0, thickness=0.02, name="strip")


def ends(fe, kind="rigid"):
    left = fe.interface("A", fe.where(lambda X: X[:, 0] < 1e-9))
    return left, fe.interface("B", fe.where(lambda X: X[:, 0] > 2 - 1e-9), kind)


@pytest.mark.parametrize("kind", ["rigid", "mean"])
@pytest.mark.parametrize("method", ["craig-bampton", "guyan", "attachment"])
def test_static_deflections_are_those_of_the_full_elements(strip, method, kind):
    A, B = ends(strip, kind)
    reduction = reduce(strip, method, 4, interfaces=[A, B], frame="A")
    body = reduction.flexibility
    at = body.nodes.index("B")
    for component in (0, 1, 5):
        assert abs(reduction.missing("B", component)) < 1e-9
    q = np.linalg.solve(body.stiffness, 1000.0 * body.nodes.translation[at, 1])
    # F L³ / 3 E I with what shear adds, 0.08 %
    assert_allclose(body.nodes.translation[at, 1] @ q, 1000 * 8 / (3 * 7e10 * 0.02 * 0.1**3 / 12), rtol=2e-3)


def test_frequencies_come_from_above(strip):
    A, B = ends(strip)
    exact = strip.frequencies(6, [A])
    # with the far end rigid, to compare bodies that are the same
    rigid_end = reduce(strip, "craig-bampton", 60, interfaces=[A, B], frame="A").flexibility.frequencies[:6]
    before = None
    for count in (1, 3, 6, 10):
        found = reduce(strip, "craig-bampton", count, interfaces=[A, B], frame="A").flexibility.frequencies[:4]
        assert (found > rigid_end[:4] * (1 - 1e-9)).all()
        assert before is None or (found <= before * (1 + 1e-9)).all()
        before = found
    assert_allclose(before, rigid_end[:4], rtol=2e-3)
    assert_allclose(rigid_end[:3], exact[:3], rtol=1e-4)
    guyan = reduce(strip, "guyan", 0, interfaces=[A, B], frame="A").flexibility
    assert guyan.n == 3 and guyan.frequencies[0] > exact[0] and guyan.frequencies[1] > 1.3 * exact[1]


@pytest.mark.parametrize("method", ["craig-bampton", "eigenmodes", "attachment"])  # not guyan: it has no eigenmodes
@pytest.mark.parametrize("frame", [None, "A"])
def test_the_free_body_does_not_depend_on_the_frame(strip, method, frame):
    A, B = ends(strip)
    free = strip.frequencies(3)
    body = reduce(strip, method, 12, interfaces=[A, B], frame=frame).flexibility
    assert_allclose(body.free_frequencies[:3], free, rtol=1e-3)
    assert str(body.reference) == ("mean axes" if frame is None else "clamped at A")
    assert_allclose(body.mass, 10.8)


def test_the_table_says_what_each_mode_is(strip):
    A, B = ends(strip)
    plain = reduce(strip, "craig-bampton", 2, interfaces=[A, B], frame="A", second=False).flexibility
    assert [mode.name for mode in plain.modes] == ["B.x", "B.y", "B.about z", "normal1", "normal2"]
    assert [mode.kind for mode in plain.modes] == ["constraint"] * 3 + ["normal"] * 2
    assert "interface B, about z" in plain.table and "interfaces fixed, mode 1" in plain.table
    free = reduce(strip, "craig-bampton", 2, interfaces=[A, B]).flexibility
    assert free.n == 5 and free.modes[0].name == "mode1" and "mostly" in free.table  # 6 + 2 − 3 rigid motions


def test_missing_modes_are_counted(strip):
    A, B = ends(strip)
    few = [reduce(strip, "eigenmodes", n, interfaces=[A, B], frame="A").missing("B", 1) for n in (1, 3, 6)]
    assert few[0] > few[1] > few[2] > 0.0
    assert_allclose(few[0], 1 - 3 * 4 / 1.8751**4, atol=2e-3)  # the first mode has 12/βL⁴ of F L³/3EI
    free = reduce(strip, "attachment", 4, interfaces=[A, B])
    assert abs(free.missing("B", 1)) < 1e-9


def test_a_solid_with_interfaces_in_the_mean():
    mesh = skfem.MeshTet.init_tensor(np.linspace(0, 1, 5), np.linspace(0, 0.05, 2), np.linspace(0, 0.05, 2))
    fe = solid(mesh, young=1e9, poisson=0.3, density=1000.0)
    A = fe.interface("A", fe.where(lambda X: X[:, 0] < 1e-9), "mean")
    B = fe.interface("B", fe.where(lambda X: X[:, 0] > 1 - 1e-9), "mean")
    body = reduce(fe, "craig-bampton", 8, interfaces=[A, B]).flexibility
    assert body.n == 2 * 6 + 8 - 6
    assert_allclose(body.free_frequencies[:4], fe.frequencies(4), rtol=5e-3)
    assert_allclose(body.second_moment - body.mass * np.outer(body.com, body.com),
                    2.5 * np.diag([1, 0.0025, 0.0025]) / 12, atol=1e-9)  # fmt: skip


def test_nodes_with_six_components():
    fe = euler_frame()
    E, I, A = 7e10, 0.05**4 / 12, 0.05**2
    bend = np.sqrt(E * I / (2700 * A)) / 4
    assert_allclose(fe.frequencies(2, [0]), 1.8751041**2 * bend, rtol=1e-5)
    body = reduce(fe, "craig-bampton", 8, interfaces=[fe.interface("A", [0]), fe.interface("B", [8])]).flexibility
    assert_allclose(body.free_frequencies[:2], 4.7300407**2 * bend, rtol=1e-3)
    assert_allclose(body.mass, 2700 * A * 2.0, rtol=1e-9)
    assert_allclose(body.com, [1, 0, 0], atol=1e-9)
    J = np.trace(body.second_moment) * np.eye(3) - body.second_moment
    assert_allclose(J[1, 1] - body.mass, body.mass * 4 / 12, rtol=1e-3)  # about the middle
    assert_allclose(J[0, 0], 2700 * 2 * I * 2.0, rtol=1e-6)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "craig"}, "method must be one of craig-bampton, eigenmodes, guyan, attachment"),
        ({"modes": -1}, "modes must be a whole number at least 0"),
        ({"interfaces": ()}, "craig-bampton needs interfaces"),
        (
            {"frame": "C"},
            r"frame, the interface 'C' does not exist; did you mean|frame, the interface 'C' does not exist",
        ),
        ({"interfaces": [3]}, "interfaces must be of the class Interface"),
    ],
)
def test_bad_reductions_are_named(strip, options, message):
    given = {"interfaces": ends(strip), "modes": 2, **options}
    with pytest.raises(ModelError, match=message):
        reduce(strip, **given)


def test_interfaces_are_checked(strip):
    A, _ = ends(strip)
    with pytest.raises(ModelError, match="is held by the rigid interfaces 'A' and 'C'"):
        reduce(strip, interfaces=[A, Interface("C", A.nodes, "rigid", A.at)])
    with pytest.raises(ModelError, match="do not determine how it turns; take two nodes"):
        reduce(strip, interfaces=[A, strip.interface("C", [30])])
    with pytest.raises(ModelError, match="rigid motions store energy"):
        reduce(strip.supported(A.nodes, [0, 1]), interfaces=[ends(strip)[1]])
    with pytest.raises(ModelError, match="a free body has no static deflection"):
        strip.deflection([(3, 1, 1.0)], [])
