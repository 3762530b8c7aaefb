"""A few cases of each family of the campaign; by hand it runs as long as one likes."""

import json

import numpy as np
import pytest
from fuzz import campaign
from fuzz.family import Motion

#: Cases of each family.
FEW = 2


@pytest.fixture(scope="module")
def worker():
    made = campaign.Worker(seed=0)
    yield made
    made.close()


@pytest.mark.parametrize("name", campaign.families())
def test_family(worker, name):
    found = list(worker.cases(name, 0, FEW))
    assert [one["case"] for one in found] == list(range(FEW))
    bad = [f"{name}:{one['case']}: {one['detail']}" for one in found if one["told"] == "bad"]
    assert not bad, bad[0]
    assert any(one["told"] == "fine" for one in found), found


class InProcess:
    """A worker without a process."""

    def __init__(self, seed):
        self.seed = seed

    def cases(self, name, first, last):
        family = campaign.families()[name](self.seed)
        return (campaign.one_case(family, number) for number in range(first, last))

    def close(self):
        pass


def test_goes_on_where_it_was_stopped(tmp_path, monkeypatch):
    monkeypatch.setattr(campaign, "TURN", 2)
    monkeypatch.setattr(campaign, "Worker", InProcess)
    classes = {name: one for name, one in campaign.families().items() if name == "orbits"}
    for cases, tried in ((3, 3), (3, 3), (5, 5)):
        state = campaign.State(tmp_path / "state.json")
        campaign.go_on(state, classes, cases, seed=0, workers=1)
        assert state.of("orbits")["tried"] == tried
    assert sum(state.of("orbits")["counts"].values()) == 5 and "orbits" in state.table()
    # A case that was bad and is good now is mended.
    stored = json.loads(state.path.read_text())
    stored["orbits"]["bad"]["1"] = "wrong"
    state.path.write_text(json.dumps(stored))
    state = campaign.State(state.path)
    campaign.again(state, seed=0)
    assert (state.of("orbits")["bad"], state.of("orbits")["mended"]) == ({}, [1])


def test_errors_count_in_units_of_what_the_motion_makes_of_a_tolerance():
    times = np.linspace(0.0, 1.0, 5)
    values, growth = [np.ones((1, 5))], [np.full((1, 5), 1e4)]
    calm = Motion((0.0, 1.0), None, times, values, ([0.0 * growth[0]], [0.0 * growth[0]]), (1.0, 1.0))
    chaotic = Motion((0.0, 1.0), None, times, values, (growth, growth), (1.0, 1.0))
    found = [values[0] + 1e-2]
    assert calm.units(found, 1e-6, (0.0, 0.0)) == pytest.approx(1e4)
    assert chaotic.units(found, 1e-6, (0.0, 0.0)) == pytest.approx(0.5)
    assert calm.units([values[0] * np.nan], 1e-6, (0.0, 0.0)) == np.inf


def test_a_case_that_hangs_or_dies_is_named(monkeypatch, tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "import json, os, signal, sys\n"
        "name, first, last = json.loads(sys.stdin.readline())\n"
        "signal.setitimer(signal.ITIMER_PROF, 0.2)\n"
        "if name == 'dies': os.abort()\n"
        "while True: pass\n"
    )
    monkeypatch.setattr(campaign, "PROGRAM", str(program))
    found = [one for name in ("hangs", "dies") for one in campaign.Worker(seed=0).cases(name, 7, 8)]
    assert [(one["case"], one["told"]) for one in found] == [(7, "bad"), (7, "bad")]
    assert "hangs" in found[0]["detail"] and "died" in found[1]["detail"]
