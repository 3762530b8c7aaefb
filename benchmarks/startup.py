"""How long it takes until a first result is there: installation, import, first and second run, each method, events.

A wheel with all kernels is built (or given by --wheel) and installed into an empty environment; every row is a process
of its own there.  Cold: the cache of compiled code is empty, as on a machine that has just installed the wheel.  Warm:
the same again.  Times are CPU times of whole processes, with all their threads and children, in the same run for all
peers.  With ``--before CHECKOUT`` the installation from source is compared with that of another checkout, by turns, and
nothing else is measured.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

from _common import Reporter, parser

ROOT = Path(__file__).parents[1]

FOUR_BAR = """
import dalembert as da

m = da.Model("four-bar", plane="xy", gravity=(0, -9.81))
crank = m.body("crank", mass=1.0, inertia=0.02, com=(0.10, 0))
coupler = m.body("coupler", mass=2.0, inertia=0.10, com=(0.35, 0))
rocker = m.body("rocker", mass=1.5, inertia=0.05, com=(0.25, 0))
A = m.revolute("A", m.ground.at(0, 0), crank.at(0, 0))
m.revolute("B", crank.at(0.2, 0), coupler.at(0, 0))
m.revolute("C", coupler.at(0.7, 0), rocker.at(0.5, 0))
m.revolute("D", m.ground.at(0.8, 0), rocker.at(0, 0))
m.torque("motor", A, lambda rate, p: p.stall - p.slope * rate)
m.parameters(stall=2.0, slope=0.1)
eqs = m.equations("relative")
sol = da.simulate(eqs, (0, 5), eqs.assemble({{A.angle: 1.0}}){options})
assert sol.success, sol.message
"""
EVENT = ', events=[da.Event(lambda q: q[0] - 1.5, name="turn")]'
PENDULUM = {
    "Exudyn": """
import exudyn as exu
from exudyn.itemInterface import *
SC = exu.SystemContainer(); mbs = SC.AddSystem()
g = mbs.AddObject(ObjectGround())
n = mbs.AddNode(Rigid2D(referenceCoordinates=[0.5, 0, 0]))
b = mbs.AddObject(RigidBody2D(physicsMass=1, physicsInertia=0.1, nodeNumber=n))
m0 = mbs.AddMarker(MarkerBodyPosition(bodyNumber=g))
m1 = mbs.AddMarker(MarkerBodyPosition(bodyNumber=b, localPosition=[-0.5, 0, 0]))
m2 = mbs.AddMarker(MarkerBodyPosition(bodyNumber=b))
mbs.AddObject(RevoluteJoint2D(markerNumbers=[m0, m1])); mbs.AddLoad(Force(markerNumber=m2, loadVector=[0, -9.81, 0]))
mbs.Assemble()
s = exu.SimulationSettings()
s.timeIntegration.endTime = 5; s.timeIntegration.numberOfSteps = 2000; s.solutionSettings.writeSolutionToFile = False
mbs.SolveDynamic(s)
""",
    "MuJoCo": """
import mujoco
model = mujoco.MjModel.from_xml_string('<mujoco><worldbody><body><joint type="hinge" axis="0 1 0"/>'
    '<geom type="capsule" fromto="0 0 0 1 0 0" size=".05"/></body></worldbody></mujoco>')
data = mujoco.MjData(model)
while data.time < 5: mujoco.mj_step(model, data)
""",
    "SciPy": """
import numpy as np
from scipy.integrate import solve_ivp
solve_ivp(lambda t, y: [y[1], -9.81 * np.sin(y[0])], (0, 5), [1.0, 0.0], rtol=1e-6, atol=1e-8)
""",
}  # fmt: skip
METHODS = (
    "dopri5",
    "dop853",
    "mexx",
    "radau",
    "bdf",
    "adams",
    "sdirk4",
    "rodas5p",
    "hem5",
    "generalised_alpha",
    "imex",
)


def spent(python: Path, program: str, cache: Path) -> tuple[float, float]:
    """CPU seconds and wall seconds of a Python program."""
    return taken([python, "-c", program], cache)


def taken(command: list[str | Path], cache: Path) -> tuple[float, float]:
    """CPU seconds and wall seconds of a process, with its children."""
    environment = {**os.environ, "DALEMBERT_CACHE_DIR": str(cache), "PYTHONPATH": ""}
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=cache.parent)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return (
        after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
        time.monotonic() - began,
    )


def environment(folder: Path, wheel: Path | None) -> tuple[Path, Path]:
    """The Python of an empty environment in ``folder`` with the wheel in it, and the wheel; one that is there already
    is taken as it is."""
    if wheel is not None and (folder / "empty").exists():
        return folder / "empty" / "bin" / "python", wheel
    pip = ["-m", "pip", "--disable-pip-version-check", "--quiet"]
    if wheel is None:
        command = [sys.executable, *pip, "wheel", "--no-deps", "-w", str(folder), str(ROOT)]
        subprocess.run(command, check=True, env={**os.environ, "DALEMBERT_OBJECTS": "all"})
        wheel = next(folder.glob("dalembert-*.whl"))
    venv.create(folder / "empty", with_pip=True)
    python = folder / "empty" / "bin" / "python"
    subprocess.run([python, *pip, "install", str(wheel)], check=True)
    return python, wheel


def size_of(folder: Path) -> float:
    """In MB."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def main() -> None:
    """Print all rows."""
    arguments = parser(__doc__)
    arguments.add_argument("--wheel", type=Path, help="a wheel that was built before")
    arguments.add_argument("--folder", type=Path, help="where its environment is made, or was made before")
    arguments.add_argument("--before", type=Path, help="a checkout to compare the installation from source with")
    chosen = arguments.parse_args()
    with Reporter(json=chosen.json, title="start") as report, tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        if chosen.before is not None:
            compare_installations(report, folder, chosen.before.resolve())
            return
        home = folder if chosen.folder is None else chosen.folder.resolve()
        python, wheel = environment(home, chosen.wheel)
        packages = next((home / "empty" / "lib").glob("python*")) / "site-packages"
        report.add(case="installation", quantity="wheel", unit="MB", ours=wheel.stat().st_size / 1e6)
        report.add(case="installation", quantity="environment with all dependencies", unit="MB", ours=size_of(packages))
        compile_all(python)
        measure(report, python, folder, chosen.quick)


#: What installing from source may take of what it took before: with the first run, and for all kernels.
INSTALLED, COMPILED = 1 / 5, 1 / 2.5


def compare_installations(report: Reporter, folder: Path, before: Path) -> None:
    """Rows of ``pip install .`` with the first run, and of all kernels, in clones of two checkouts."""
    found = {}
    for name, checkout in (("before", before), ("now", ROOT)):
        clone = folder / name
        subprocess.run(["git", "clone", "--quiet", str(checkout), str(clone)], check=True)
        commit = subprocess.check_output(["git", "-C", str(clone), "rev-parse", "--short", "HEAD"], text=True)
        venv.create(folder / f"{name}-environment", with_pip=True)
        tools = folder / f"{name}-environment" / "bin"
        cache = folder / f"{name}-cache"
        installed, _ = taken([tools / "python", "-m", "pip", "install", clone], cache)
        first, _ = taken([tools / "dalembert", "run", "four-bar", "--report"], cache)
        shutil.rmtree(clone / "src" / "dalembert" / "native" / "objects")  # those of the installation
        kernels, _ = taken([sys.executable, clone / "tools" / "objects.py"], cache)
        packages = next((tools.parent / "lib").glob("python*")) / "site-packages"
        found[name] = installed, first, kernels, size_of(packages), commit.strip()
    installed, first, kernels, size, commit = found["before"]
    baseline = f"commit {commit}"
    ours = found["now"]
    report.add(
        case="pip install .", quantity="CPU time", unit="s", ours=ours[0], baseline=baseline, theirs=installed,
    )  # fmt: skip
    report.add(
        case="pip install . and the first run", quantity="CPU time", unit="s", ours=ours[0] + ours[1],
        baseline=baseline, theirs=installed + first, limit=INSTALLED,
    )  # fmt: skip
    report.add(
        case="all kernels", quantity="CPU time", unit="s", ours=ours[2], baseline=baseline, theirs=kernels,
        limit=COMPILED,
    )  # fmt: skip
    report.add(
        case="environment with all dependencies", quantity="size", unit="MB", ours=ours[3], baseline=baseline,
        theirs=size,
    )  # fmt: skip


def compile_all(python: Path) -> None:
    """Byte code of all packages, which pip makes for ours only."""
    subprocess.run([python, "-m", "compileall", "-q", str(python.parents[1] / "lib")], check=False)


def measure(report: Reporter, python: Path, folder: Path, quick: bool) -> None:
    """Rows of all runs."""
    cache = folder / "cache"
    cpu, _ = spent(python, "import dalembert", cache)
    report.add(case="import", quantity="CPU time of a process", unit="s", ours=cpu)
    peers = {}
    for name, program in PENDULUM.items():
        try:
            spent(Path(sys.executable), program, folder / "none")
            peers[name] = min(spent(Path(sys.executable), program, folder / "none")[0] for _ in range(3))
        except RuntimeError:
            peers[name] = None
    for method in ("auto", *(() if quick else METHODS)):
        options = "" if method == "auto" else f', method="{method}"'
        if method == "imex":
            options = ", method=da.Imex(step=1e-3)"
        case = "first script of the README" + ("" if method == "auto" else f", {method}")
        run(report, python, folder / f"cold-{method}", case, FOUR_BAR.format(options=options))
    run(
        report,
        python,
        folder / "cold-event",
        "first script of the README, with an event",
        FOUR_BAR.format(options=EVENT),
    )
    warm = min(spent(python, FOUR_BAR.format(options=""), folder / "cold-auto")[0] for _ in range(3))
    report.add(case="warm import and first run", quantity="CPU time", unit="s", ours=warm, limit=0.5)
    for name, theirs in peers.items():
        if theirs is None:
            print(f"{name} has no result", file=sys.stderr)
            continue
        report.add(
            case="warm import and first run", quantity="CPU time beside a pendulum", unit="s", ours=warm, baseline=name,
            theirs=theirs,
        )  # fmt: skip


def run(report: Reporter, python: Path, cache: Path, case: str, program: str) -> None:
    """Cold and warm rows of a program."""
    try:
        cold, wall = spent(python, program, cache)
        warm, _ = spent(python, program, cache)
    except RuntimeError as error:
        report.failed(case=case, quantity="cold, wall time")
        print(str(error)[-2000:], file=sys.stderr)
        return
    report.add(case=case, quantity="cold, wall time", unit="s", ours=wall, limit=3.0)
    report.add(case=case, quantity="cold, CPU time", unit="s", ours=cold)
    report.add(case=case, quantity="warm, CPU time", unit="s", ours=warm)


if __name__ == "__main__":
    main()
