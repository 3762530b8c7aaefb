"""The locomotive FEVE 3000 as a model: time to build it, operations beside Table 2 of the paper, equilibrium."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from typing import Any

from _common import Reporter
from dalembert.equations.contract.viscous import viscosity
from dalembert.problems.mechanisms.locomotive import locomotive
from dalembert.symbolic import array, jacobian, report

#: operations of Table 2 of the paper; functions of which ours, with cant and orthonormal axes, may be dearer
PAPER = {
    "M": 10910, "f": 19015, "phi_n": 1709, "phi_d": 2150, "phi_n_q": 4116, "phi_d_q": 6574, "phi_d_s": 8437,
    "gamma": 25870, "C_K of a contact": 1917,
}  # fmt: skip
DEARER = ("phi_n", "phi_d", "C_K of a contact")
#: what a process does until its first step: seconds of CPU until the model is imported, built and compiled, and until
#: that step is made; and the memory it needs
BUILT = """
import json, resource, time
import dalembert as da
from dalembert.problems.mechanisms.locomotive import locomotive
laps = [time.process_time()]
example = locomotive("S0")
equations = example.model.equations()
equations.program("imex")
laps.append(time.process_time())
start = example.assemble(equations)
da.simulate(equations, (0.0, 1e-3), start, method=da.Imex(step=1e-3), dense_output=False)
laps.append(time.process_time())
print(json.dumps([*laps, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0]))
"""
#: s: build and compile, with an empty and with a filled cache of code
COLD, WARM = 10.0, 1.5
#: all of a step, with the matrices of eight contacts
PAPER_SUM, SUM = 94117, 50_000
WEIGHT = 34250.68 * 9.8


def tables(rows: Reporter) -> None:
    """All of them."""
    _built(rows)
    example = locomotive("S0", irregular=False, lateral=0.0, speed=0.0, torque=0.0)
    equations = example.model.equations()
    _operations(rows, equations)
    _equilibrium(rows, equations, example.assemble(equations))


def _built(rows: Reporter) -> None:
    """Import, model, code, start and first step of new processes, of which the first has nothing in its cache; kernels
    come with the package, or were compiled before."""
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"DALEMBERT_CACHE_DIR": folder}
        for name, limit in (("cold", COLD), ("warm", WARM)):
            told = subprocess.run(
                [sys.executable, "-c", BUILT], env=environment, capture_output=True, text=True, check=True
            )
            imported, built, stepped, memory = json.loads(told.stdout.splitlines()[-1])
            case = f"locomotive, {name}, CPU"
            rows.add(case=case, quantity="build and compile", unit="s", ours=built - imported, limit=limit)
            rows.add(case=case, quantity="from the start of the process to the first step", unit="s", ours=stepped)
            rows.add(case=case, quantity="largest memory", unit="MiB", ours=memory)


def _operations(rows: Reporter, equations: Any) -> None:
    """Operations of the functions of one step, each by itself and all that a step needs together."""
    x = equations.innermost.expressions
    q, n = x.inputs["q"], len(x.inputs["v"])
    functions = {
        "M": x.M, "f": x.f, "phi_n": x.g, "phi_d": [one for block in x.auxiliary for one in block.equations],
        "phi_n_q": x.G, "phi_d_q": [jacobian(block.equations, q[:n]) for block in x.auxiliary],
        "phi_d_s": [block.matrix(q) for block in x.auxiliary], "gamma": x.gamma,
        "C_K of a contact": viscosity(x.viscous[:1], x.inputs["v"]),
    }  # fmt: skip
    inputs = {key: x.inputs[key] for key in ("p", "t", "q", "v", "u", "lam")} | {"step": x.step}
    counted = report({name: array(value) for name, value in functions.items()}, inputs).functions
    for name, paper in PAPER.items():
        limit = {} if name in DEARER else {"limit": paper}
        ours = counted[name].operations
        rows.add(case="Table 2", quantity=name, unit="operations", ours=ours, paper=paper, **limit)
    total = sum(counted[name].operations * (8 if name.startswith("C_K") else 1) for name in functions)
    rows.add(case="Table 2", quantity="sum, one by one", unit="operations", ours=total, paper=PAPER_SUM)
    everything = {**functions, "C_K of a contact": array(x.M + x.step[0] * x.viscosity)}
    shared = report({name: array(value) for name, value in everything.items()}, inputs).together.operations
    rows.add(case="Table 2", quantity="sum, in one program", unit="operations", ours=shared, paper=PAPER_SUM, limit=SUM)


def _equilibrium(rows: Reporter, equations: Any, start: Any) -> None:
    found = equations.equilibrium(start.q, held=["vehicle.x"])
    loads = [float(equations.evaluate_quantity(one.wheel_force, found)) for one in equations.layout.with_auxiliary]
    off = abs(sum(loads) / WEIGHT - 1.0)
    rows.add(case="equilibrium", quantity="sum of Q beside the weight", unit="1", ours=off, limit=1e-9)
    for element, N in zip(equations.layout.with_auxiliary, found.lam, strict=True):
        rows.add(case="equilibrium", quantity=f"N of {element.name}", unit="kN", ours=1e-3 * float(N))
