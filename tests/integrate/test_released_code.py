"""Machine code lives as long as something uses it, and no longer."""

import gc
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import dalembert as da
from dalembert.linalg import plan_code
from dalembert.symbolic.compiler.jit import Machine

pytestmark = pytest.mark.exact

SOURCE = Path(da.__file__).parents[1]
#: Bytes that a dead model may leave: pages that are in use by halves. Code of a structure alone takes twice as much.
BOUND = 250_000

GROWTH = """
import ctypes
import gc
import numpy as np
import dalembert as da

ctypes.CDLL(None).prctl(41, 1, 0, 0, 0)  # no huge pages, which the system puts in place of small ones when it likes

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096

def simulated(k):
    random = np.random.default_rng(k)
    m = da.Model(f"tree {k}", plane="xy", gravity=(0, -9.81))
    bodies = [m.ground]
    for i in range(6):
        body = m.body(f"b{i}", mass=1.0, inertia=0.1, com=(0.1, 0))
        joint = m.revolute if random.random() < 0.7 else m.prismatic
        joint(f"j{i}", bodies[random.integers(len(bodies))].at(0.2, 0), body.at(0, 0))
        bodies.append(body)
    equations = m.equations(coordinates="absolute")
    run = da.simulate(equations, (0, 0.001), equations.assemble({}), solver="recursive")
    assert run.success

for k in range(32):
    simulated(k)
    gc.collect()  # or else several models wait for it at once, how many depends on what else is loaded
    if k == 11:
        before = resident()
print((resident() - before) // 20)
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="needs /proc")
def test_dead_models_leave_nothing():
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    done = subprocess.run([sys.executable, "-c", GROWTH], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < BOUND


@pytest.fixture(scope="module", autouse=True)
def earlier_objects():
    """What earlier tests left is set aside, or each collection would go through all of it."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


def machines():
    """Loaded machine code of models."""
    gc.collect()
    return sum(type(item) is Machine for item in gc.get_objects())


@pytest.mark.parametrize("method", ["dop853", "radau", "mexx"])
def test_no_code_of_dead_models_is_loaded(method):
    def use(n):
        equations = chain(n)
        run = da.simulate(
            equations, (0, 0.01), equations.assemble({}), method=method, events=[da.Event(lambda q, t: q[0] - 1.0 - n)]
        )
        return run.sol(0.005), run["tip"], run.curves(run.names["q"][0])

    use(2)  # what is made once for all models
    before = machines()
    for n in (1, 3):
        use(n)
    assert machines() == before


def chain(n):
    m = da.Model(f"chain of {n}", plane="xy", gravity=(0, -9.81))
    last = m.ground
    for i in range(n):
        body = m.body(f"b{i}", mass=1.0, inertia=0.1, com=(0.1, 0))
        m.revolute(f"j{i}", last.at(0.2, 0), body.at(0, 0))
        last = body
    m.sensor("tip", last.at(0.2, 0).position)
    return m.equations(coordinates="absolute")


def fan():
    """A hub with five arms, one of which slides: nobody else has fronts of that structure. Chains share theirs with
    every other chain that lives in this process."""
    m = da.Model("fan", plane="xy", gravity=(0, -9.81))
    hub = m.body("hub", mass=1.0, inertia=0.1)
    m.revolute("axle", m.ground.at(0, 0), hub.at(0, 0))
    for i in range(5):
        arm = m.body(f"arm{i}", mass=1.0, inertia=0.1, com=(0.1, 0))
        joint = m.prismatic if i == 2 else m.revolute
        joint(f"j{i}", hub.at(0.2, 0.01 * i), arm.at(0, 0))
    m.sensor("tip", arm.at(0.2, 0).position)
    return m.equations(coordinates="absolute")


def test_code_lives_as_long_as_a_solution_needs_it():
    gc.collect()
    before = set(plan_code._code)
    equations = fan()
    event = da.Event(lambda q: q[0] - 10.0, name="far")
    start = equations.assemble({})
    run = da.simulate(equations, (0, 1.0), start, solver="recursive", events=[event], max_steps=4)
    whole = da.resume(run, equations, events=[event])
    made = set(plan_code._code) - before
    assert made
    expected = whole.sol(0.05)
    del equations, run, start
    gc.collect()
    for k in range(3):  # others take the place of what would have been freed
        other = chain(14 + k)
        da.simulate(other, (0, 0.01), other.assemble({}), solver="recursive")
    del other
    gc.collect()
    assert made <= set(plan_code._code)
    again = whole.sol(0.05)
    assert all(np.array_equal(a, b) for a, b in zip(expected, again, strict=True))
    assert np.isfinite(whole["tip"]).all()
    del whole, expected, again  # points of a motion can be asked for reactions, which takes the code
    gc.collect()
    assert not made & set(plan_code._code)


def test_equations_of_one_structure_share_their_code():
    gc.collect()
    before = set(plan_code._code)
    first, second = fan(), fan()
    runs = [da.simulate(e, (0, 0.01), e.assemble({}), solver="recursive") for e in (first, second)]
    made = set(plan_code._code) - before
    assert made
    del first, runs[0]
    gc.collect()
    assert made <= set(plan_code._code)
    assert da.simulate(second, (0, 0.02), second.assemble({}), solver="recursive").success
