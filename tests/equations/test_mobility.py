"""Degrees of freedom by rank, redundant constraints by name."""

from __future__ import annotations

import numpy as np
import pytest
from equations.spatial import Disc, four_bar_angles, planar_pose, spatial_four_bar
from equations.systems import Rolling, four_bar, parallelogram, parallelogram_start

import dalembert as da


def spatial_pose(crank):
    coupler, rocker = four_bar_angles(crank)
    B = np.array([np.cos(crank), np.sin(crank)])
    poses = [
        planar_pose(*(B / 2), crank),
        planar_pose(*(B + np.array([np.cos(coupler), np.sin(coupler)])), coupler),
        planar_pose(2.2 + 0.75 * np.cos(rocker), 0.75 * np.sin(rocker), rocker),
    ]
    return np.concatenate(poses)


def test_a_loop_of_four_parallel_hinges_has_three_redundant_constraints():
    """Grübler counts −2; in the plane of the linkage there is one freedom, out of it three rows too many."""
    equations = spatial_four_bar()
    q = spatial_pose(0.8)
    found = equations.degrees_of_freedom(q)
    assert found.dof == found.velocity_dof == 1 and len(found.redundant) == 3 and not found.momentary
    G = equations.evaluate("G", q=q)
    rank = np.linalg.matrix_rank
    assert rank(G) == 17
    rows = equations.names["lam"]
    for name, together in zip(found.redundant, found.dependencies, strict=True):
        places = [rows.index(x) for x in together]
        assert name in together and rank(G[places]) == len(places) - 1
        for place in places:  # without any one of them, the rest is independent
            assert rank(G[[x for x in places if x != place]]) == len(places) - 1
        # What is out of the plane does not mix with what is in it.
        assert not any(x.endswith((".x", ".y")) for x in together)
    text = repr(found)
    assert text.startswith("Mobility of 'spatial four-bar': 1 degrees of freedom\n3 redundant constraints")
    kept = [i for i, name in enumerate(rows) if name not in found.redundant]
    assert rank(G[kept]) == 17


def test_planar_linkages():
    found = four_bar().degrees_of_freedom(four_bar().assemble([0.3, 0.4, 0.9, 1.5, 1.2, 0.2, 2.3, 0.7, 1.9]).q)
    assert (found.dof, found.redundant, found.dependencies, found.momentary) == (1, (), (), ())
    assert repr(found) == "Mobility of 'four-bar': 1 degrees of freedom"
    found = parallelogram().degrees_of_freedom(parallelogram_start(0.7))
    assert found.dof == 1 and len(found.redundant) == 1 and "bar 0" in found.dependencies[0]


def test_rank_that_is_missing_at_this_configuration_only():
    found = four_bar((), "flat", (1.0, 2.0, 1.0, 2.0)).degrees_of_freedom(parallelogram_start(0.0))
    assert found.dof == 2 and not found.redundant and len(found.momentary) == 1
    assert "dependent at this configuration only" in repr(found)
    # Both at once: a third bar is redundant for good, and the flat position adds what is missing there only.
    found = parallelogram().degrees_of_freedom(parallelogram_start(0.0))
    assert len(found.redundant) == 1 and found.dof == 2


def test_nonholonomic_constraints_take_velocities_only():
    found = Disc.equations().degrees_of_freedom([0, 0, 0, 0.2, 0])
    assert (found.dof, found.velocity_dof) == (5, 3) and "5 degrees of freedom, 3 independent velocities" in repr(found)
    found = Rolling.equations().degrees_of_freedom([0.8, 0.5, 0.3, 0.2])
    assert (found.dof, found.velocity_dof) == (2, 1)
    free = da.trace(M=lambda: np.eye(2), f=lambda q: -q, n_q=2).degrees_of_freedom()
    assert (free.dof, free.velocity_dof) == (2, 2)


def test_rows_that_say_nothing():
    empty = da.trace(M=lambda: np.eye(2), f=lambda q: -q, g=lambda q: [0.0 * q[0], q[1]], n_q=2)
    found = empty.degrees_of_freedom([0, 0])
    assert found.redundant == ("lam0",) and found.dependencies == (("lam0",),) and "it is empty" in repr(found)


@pytest.mark.parametrize("extra", [0, 2])
def test_large_systems(extra):
    """A ladder of 500 points on a line, two of the distances said twice."""
    n = 500
    ladder = da.Elements("ladder", coordinates=n)
    ladder.add("mass", coordinates=[[k] for k in range(n)], M=lambda: np.eye(1))
    ladder.add("step", coordinates=[[k, k + 1] for k in range(n - 1)], g=lambda q: np.array([q[1] - q[0] - 1.0]))
    if extra:
        ladder.add("again", coordinates=[[10, 12], [20, 21]], g=lambda q: np.array([2 * (q[1] - q[0])]))
    found = ladder.equations().degrees_of_freedom(np.arange(float(n)))
    assert found.dof == 1 and len(found.redundant) == extra
    if extra:
        sets = {frozenset(rows) for rows in found.dependencies}
        assert sets == {
            frozenset({"step[10].0", "step[11].0", "again[0].0"}), frozenset({"step[20].0", "again[1].0"})
        }  # fmt: skip
