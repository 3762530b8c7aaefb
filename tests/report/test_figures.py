"""Figures: numbers on their axes are those of the run."""

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pytest
from report.runs import four_bar, run

import dalembert as da
from dalembert.errors import DalembertError
from dalembert.problems import mechanisms
from dalembert.report import modes, phase, plot, sparsity, topology, work_precision
from dalembert.report.topology_tree import tree_of
from dalembert.solution import Appearance, Connection, DrawnBody, Mount, Solution


@pytest.fixture(autouse=True)
def closed():
    settings = dict(mpl.rcParams)
    yield
    assert dict(mpl.rcParams) == settings  # nothing global is changed
    plt.close("all")


def test_curves_are_those_of_the_run():
    s = four_bar()
    _, axes = s.plot("A.force", "A.angle", "B.angle")
    assert [axis.get_ylabel() for axis in axes] == ["A.force / N", "rad"] and axes[-1].get_xlabel() == "time / s"
    x, y = axes[0].lines
    assert (x.get_label(), y.get_label()) == ("x", "y")
    at = np.searchsorted(x.get_xdata(), s.t)
    np.testing.assert_array_equal(np.stack([x.get_ydata(), y.get_ydata()])[:, at], s["A.force"])
    assert [line.get_label() for line in axes[1].lines] == ["A.angle", "B.angle"]


def test_prefixes_events_and_steps():
    s = run(units={"both": "N"}, outputs={"both": np.full((1, 21), 12_300.0)})
    _, (axis,) = plot(s, "both", steps=True)
    assert axis.get_ylabel() == "both / kN" and axis.lines[0].get_ydata()[0] == pytest.approx(12.3)
    assert any(line.get_linestyle() == ":" and line.get_xdata()[0] == 0.1 for line in axis.lines)
    with pytest.raises(DalembertError, match="plot: a quantity"):
        s.plot("nothing")


def test_phase_portraits():
    s = four_bar()
    _, axis = s.phase("A.angle", "A.rate")
    assert axis.get_xlabel() == "A.angle / rad" and axis.get_ylabel() == "A.rate / rad/s"
    assert axis.lines[1].get_xdata()[0] == s["A.angle"][0] and axis.lines[1].get_ydata()[0] == s["A.rate"][0]
    with pytest.raises(DalembertError, match="has 2 components"):
        phase(s, "A.force", "A.angle")


def test_work_and_precision():
    _, axis = work_precision({"dop853": [(1e-4, 1e-3, 100), (1e-6, 1e-5, 200)], "radau": [(1e-4, 1e-4, 300)]})
    assert axis.get_xscale() == axis.get_yscale() == "log" and axis.xaxis_inverted()
    assert {text.get_text() for text in axis.texts} == {"1e-04", "1e-06"}
    with pytest.raises(DalembertError, match="rows of tolerance, error and work"):
        work_precision({"a": [(1.0, 2.0)]})


def test_patterns_of_matrices_and_equations():
    _, axis = sparsity(np.diag([1.0, 2.0, 3.0]))
    assert "3 × 3, 3 entries" in axis.get_xlabel()
    equations = mechanisms.four_bar().model.equations()
    _, axis = sparsity(equations)
    M, G = (equations.program("contract").patterns[key] for key in ("M", "G"))
    assert len(axis.lines[0].get_xdata()) == len(M.rows) + 2 * len(G.rows)


def test_topology_of_a_loop():
    tree = tree_of(four_bar().appearance)
    assert set(tree.places) == {"ground", "crank", "coupler", "rocker"} and tree.places["ground"][1] == 0
    assert [joint.closing for joint in tree.joints].count(True) == 1 and len(tree.joints) == 4
    _, axis = topology(four_bar())
    assert {"ground", "crank", "coupler", "rocker"} <= {text.get_text() for text in axis.texts}
    with pytest.raises(DalembertError, match="knows no bodies"):
        topology(run(sketch=False))


def test_long_chains_become_one_box():
    still, upright = np.zeros((1, 3)), np.array([[1.0, 0, 0, 0]])
    names = [f"link {k + 1}" for k in range(100)]
    bodies = tuple(DrawnBody(name, still, upright) for name in names)
    pairs = zip(["ground", *names], names, strict=False)
    links = tuple(
        Connection(f"J{k}", "revolute joint", "revolute", (Mount(a), Mount(b))) for k, (a, b) in enumerate(pairs)
    )
    tree = tree_of(Appearance([0.0], bodies, links))
    assert set(tree.places) == {"ground", "link 1 … link 100"} and len(tree.joints) == 1


def test_modes_of_an_oscillator():
    m = da.Model("oscillator", plane="xy")
    box = m.body("box", mass=2.0, inertia=1.0)
    m.prismatic("P", m.ground.at(0, 0), box.at(0, 0))
    m.joint_spring("s", m["P"], stiffness=2.0 * (2 * np.pi * 3.0) ** 2)
    equations = m.equations()
    _, axis = modes(equations.linearise(equations.assemble({})))
    assert [text.get_text() for text in axis.texts] == ["3 Hz"]
    with pytest.raises(DalembertError, match="a linearisation is needed"):
        modes("nothing")


def test_a_run_without_quantities():
    empty = np.zeros((0, 3))
    with pytest.raises(DalembertError, match="no quantities"):
        plot(Solution(np.arange(3.0), empty, empty, empty, empty, empty))
