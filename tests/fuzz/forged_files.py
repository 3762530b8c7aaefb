"""Forged files of runs: whatever stands in them, loading, reporting and resuming end with an error of the package or
properly, never with a crash, a hang or another exception.

Files of sound runs are changed in one or several places, in the numbers of their arrays, in their header, in the shapes
and types of their variables or anywhere, and get a check sum that is right again.  Each case is tried in a process of
its own kind, which is watched::

    python tests/fuzz/forged_files.py --cases 2000 --seed 1

Case n of a seed is always the same file; ``--only n`` tries that one alone, without a watch.
"""

from __future__ import annotations

import argparse
import io
import json
import select
import subprocess
import sys
import tempfile
import warnings
import zlib
from collections import Counter
from pathlib import Path

import numpy as np
from scipy.io import netcdf_file

import dalembert as da
from dalembert.errors import DalembertError
from dalembert.solution import Sketch

#: Seconds after which a case hangs; sound ones take a hundredth of one.
PATIENCE = 120
#: Steps that a resumed run may make.
STEPS = 20
NUMBERS = (0, 1, -1, 2, 7, 64, 255, 2**31 - 1, -(2**31), 2**40, 2**53 + 1, 2**62, -(2**63), 2**63 - 1)
REALS = (0.0, -0.0, 1.0, -1.0, 1e-300, 1e300, -1e300, np.inf, -np.inf, np.nan, 0.5, 1e9, 5e-324)
VALUES = (
    None, True, False, -1, 0, 3, 2**40, 10**400, 0.5, 1e308, "", "auto", "<script>alert(1)</script>", "../../x", "\x00",
    "radau", "sparse", [], [[]], [0, 1, 2], {}, {"kind": "Controller"}, {"$float": "7ff8000000000000"},
    {"$float": "zz"}, {"$array": {"variable": "t"}}, {"$array": {"variable": "checkpoint_arrays_ints", "dtype": "|O8",
    "shape": [1]}}, {"$array": {"variable": None, "dtype": "<f8", "shape": [0, 2**47]}},
    {"$array": {"variable": None, "dtype": "<U999999999", "shape": [2**40]}}, {"$array": {"variable": "no such"}},
)  # fmt: skip
#: Stands for a list in a list in a list …
DEEP = "very deep"


# ------------------------------------------------------------------------------------------------------ sound runs


def pendulum():
    return da.trace(
        M=lambda p: p.m * np.eye(2),
        f=lambda p: np.array([0.0, -p.m * p.g]),
        g=lambda q, p: np.array([q @ q - p.l**2]),
        n_q=2,
        parameters={"m": 1.0, "g": 9.81, "l": 1.0},
        name="pendulum",
    )


def ball():
    return da.trace(
        M=lambda: np.array([[1.0]]),
        f=lambda v, p: np.array([-9.81 - p.c * v[0]]),
        n_q=1,
        parameters={"c": 0.1},
        name="ball",
    )


def impacts():
    def impact(v, p):
        return da.Change(v=-0.9 * v, parameters={"c": 1.5 * p.c})

    return [
        da.Event(lambda q: q[0], direction=-1, action=impact, name="impact"),
        da.Event(lambda v: v[0], direction=-1, name="top"),
    ]


HANGING = (0.0, 2.0), ([1.0, 0.0], [0.0, 0.0])
#: Equations, events, span and start, steps, options.
RUNS = {
    "explicit": (pendulum, list, HANGING, 6, {"method": "dop853"}),
    "minimal": (pendulum, list, HANGING, 6, {"method": "dopri5", "solver": "minimal", "t_eval": np.linspace(0, 2, 9)}),
    "gradients": (pendulum, list, HANGING, 6, {"method": "dopri5", "solver": "conjugate-gradients"}),
    "mexx": (pendulum, list, HANGING, 3, {"method": "mexx"}),
    "adams": (pendulum, list, HANGING, 9, {"method": "adams"}),
    "hem5": (pendulum, list, HANGING, 6, {"method": "hem5"}),
    "radau": (pendulum, list, HANGING, 6, {"method": "radau"}),
    "events": (ball, impacts, ((0.0, 3.0), ([1.0], [0.0])), 9, {"method": "dop853"}),
}  # fmt: skip


def write_sound_runs(folder, names=tuple(RUNS)):
    """Files of runs that were stopped on the way."""
    for name in names:
        equations, events, problem, steps, options = RUNS[name]
        run = da.simulate(equations(), *problem, events=events(), max_steps=steps, **options)
        assert run.checkpoint is not None
        t = np.linspace(0, 1, 3)
        run.sketch = Sketch(t, {"rod": np.zeros((3, 2, 2)) + t[:, None, None]})
        run.save(folder / f"{name}.nc")


# --------------------------------------------------------------------------------------------------------- forging


def forged(content, rng):
    """Another file, and what was done to it."""
    kind = rng.choice(["whole numbers", "reals", "header", "header", "header", "variables", "bytes"])
    if kind == "bytes":
        return _with_other_bytes(content, rng), kind
    with netcdf_file(io.BytesIO(content), "r", mmap=False) as file:
        variables = {name: (v.data.copy(), list(v.dimensions)) for name, v in file.variables.items()}
        header = json.loads(file.header)
    for _ in range(rng.choice([1, 1, 2, 5])):
        if kind == "whole numbers":
            _change_whole_numbers(variables, rng)
        elif kind == "reals":
            _change_reals(variables, rng)
        elif kind == "variables":
            _change_variables(variables, rng)
        elif rng.random() < 0.5:
            header = _changed_header(header, rng)
        elif isinstance(point := header.get("checkpoint") if isinstance(header, dict) else None, dict):
            header = {**header, "checkpoint": {**point, "header": _changed_header(point.get("header"), rng)}}
    return file_of(variables, header), kind


def _pick(rng, options):
    return options[int(rng.integers(len(options)))]


def _change_whole_numbers(variables, rng):
    data = variables["checkpoint_arrays_ints"][0]
    ints = np.frombuffer(data.tobytes(), dtype="<i8").copy()
    # The first ones are lengths, places and scalars, which matter most.
    end = len(ints) if rng.random() < 0.5 else min(len(ints), 300)
    k = rng.integers(end)
    ints[k] = _pick(rng, NUMBERS) if rng.random() < 0.7 else np.clip(int(ints[k]) + rng.integers(-3, 4), -9, 2**60)
    data[:] = np.frombuffer(ints.tobytes(), dtype=np.int8)


def _change_reals(variables, rng):
    named = [name for name, (data, _) in variables.items() if data.dtype.kind == "f" and data.size]
    name = "checkpoint_arrays_reals" if rng.random() < 0.6 else _pick(rng, named)
    flat = variables[name][0].reshape(-1)
    flat[rng.integers(flat.size if rng.random() < 0.5 else min(60, flat.size))] = _pick(rng, REALS)


def _change_variables(variables, rng):
    name = _pick(rng, sorted(variables))
    data, dimensions = variables[name]
    what = rng.integers(5)
    if what == 0:
        del variables[name]
    elif what == 1:
        variables[name] = data.reshape(-1)[: int(rng.integers(data.size + 1))], [f"other_{name}"]
    elif what == 2:
        kind = _pick(rng, [">f4", ">i4", ">i2", ">f8"])
        variables[name] = (data.view(np.int8) if data.dtype.kind == "S" else data).astype(kind), dimensions
    elif what == 3:
        variables[name] = np.repeat(data.reshape(-1), 3), [f"other_{name}"]
    else:
        variables[name] = variables[_pick(rng, sorted(variables))]


def _changed_header(node, rng):
    """The same with one node changed, most of them deep inside."""
    if isinstance(node, (dict, list)) and node and rng.random() < 0.85:
        node = dict(node) if isinstance(node, dict) else list(node)
        key = _pick(rng, sorted(node) if isinstance(node, dict) else range(len(node)))
        if rng.random() < 0.1:
            del node[key]
        else:
            node[key] = _changed_header(node[key], rng)
        return node
    if isinstance(node, str) and rng.random() < 0.3:
        return node + "'\"<img src=x onerror=alert(1)>"
    if isinstance(node, list) and rng.random() < 0.3:
        return node * 2
    if isinstance(node, (int, float)) and rng.random() < 0.5:
        return _pick(rng, [-node, 2 * node, node + 1, 1e-30, 1e30])
    return DEEP if rng.random() < 0.05 else _pick(rng, VALUES)


def _with_other_bytes(content, rng):
    """Bytes that are no longer right, above all among the sizes of the head of the file, or missing ones."""
    data = bytearray(content)
    for _ in range(_pick(rng, [1, 4])):
        k = int(rng.integers(len(data) if rng.random() < 0.3 else min(len(data), 4000)))
        size = _pick(rng, [1, 4])
        data[k : k + size] = bytes(rng.choice([0, 1, 127, 128, 255], size=size).tolist())
    return bytes(data[: int(rng.integers(len(data)))] if rng.random() < 0.2 else data)


def file_of(variables, header):
    stream = io.BytesIO()
    file = netcdf_file(stream, "w", mmap=False, version=2)
    lengths = {}
    for name, (data, dimensions) in variables.items():
        if not data.size:
            continue
        named = [
            dim if lengths.setdefault(dim, n) == n else f"{name}_{i}_{n}"
            for i, (dim, n) in enumerate(zip(dimensions, data.shape, strict=True))
        ]
        for dim, n in zip(named, data.shape, strict=True):
            if dim not in file.dimensions:
                file.createDimension(dim, n)
        file.createVariable(name, data.dtype, named)[:] = data
    file.format, file.format_version = b"dalembert solution", np.int32(1)
    text = json.dumps(header, separators=(",", ":")).replace(f'"{DEEP}"', "[" * 5000 + "]" * 5000)
    file.header = text.encode("ascii")
    check = zlib.crc32(file.header)
    for name, variable in sorted(file.variables.items()):
        check = zlib.crc32(variable.data.tobytes(), zlib.crc32(name.encode(), check))
    file.check_sum = np.int32(check - 2**31)
    file.flush()
    content = stream.getvalue()
    file.close()
    return content


# -------------------------------------------------------------------------------------------------------- one case


class Bench:
    """Tries cases of a seed on the files of a folder."""

    def __init__(self, folder, seed):
        self.folder, self.seed = Path(folder), seed
        self.sound = sorted(folder.glob("*.nc"))
        self.equations = {path.stem: RUNS[path.stem][0]() for path in self.sound}

    def file(self, case):
        """Name of the run that case forges, the forged file, and what was done to it."""
        rng = np.random.default_rng([self.seed, case])
        path = self.sound[case % len(self.sound)]
        return path.stem, *forged(path.read_bytes(), rng)

    def attempt(self, case):
        """How a case ends: refused by whom, or how its run went on."""
        name, content, kind = self.file(case)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "forged.nc"
            path.write_bytes(content)
            return f"{kind}: {self._used(name, path)}"

    def _used(self, name, path):
        try:
            run = da.load(path)
        except DalembertError:
            return "refused by load"
        page = path.with_suffix(".html")
        try:
            repr(run)
            da.report(run, page)
        except DalembertError:
            pass
        else:
            text = page.read_text(encoding="utf-8")
            if "<script>alert" in text or "<img" in text:
                raise AssertionError("the page holds what a name brought along")
        if run.checkpoint is None:
            return "loaded"
        try:
            resumed = da.resume(run, self.equations[name], events=RUNS[name][1](), max_steps=STEPS)
            repr(resumed)
            if resumed.sol is not None and resumed.sol.n_steps:
                resumed.sol(np.linspace(*resumed.sol.interval, 5))
        except DalembertError:
            return "refused by resume"
        return "resumed"


def worker(folder, seed):
    """Cases from the standard input, one number per line; how they end on the standard output."""
    warnings.simplefilter("ignore")  # numbers that overflow are none of this
    bench = Bench(folder, seed)
    for line in sys.stdin:
        try:
            answer = bench.attempt(int(line))
        except Exception as error:
            answer = f"FAILED {type(error).__name__}: {str(error)[:200]!r}"
        print(answer.replace("\n", " "), flush=True)


# ----------------------------------------------------------------------------------------------------- all of them


def run(folder, cases, seed):
    """Counts of how cases end, and those that should not have ended so: {case: how}."""
    counts, failures, process = Counter(), {}, None
    for case in cases:
        if process is None:
            command = [sys.executable, __file__, "--worker", str(folder), "--seed", str(seed)]
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        process.stdin.write(f"{case}\n")
        process.stdin.flush()
        ready, _, _ = select.select([process.stdout], [], [], PATIENCE)
        answer = process.stdout.readline().strip() if ready else "FAILED it hangs"
        if not answer or answer == "FAILED it hangs":
            process.kill()
            answer = answer or f"FAILED the process ended with {process.wait()}"
            process = _ended(process)
        if answer.startswith("FAILED"):
            failures[case] = answer
            answer = "FAILED"
        counts[answer] += 1
    if process is not None:
        _ended(process)
    return counts, failures


def _ended(process):
    process.stdin.close()
    process.wait(timeout=PATIENCE)
    process.stdout.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int)
    parser.add_argument("--worker", metavar="FOLDER", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.worker:
        worker(Path(given.worker), given.seed)
        return 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_sound_runs(folder)
        if given.only is not None:
            print(Bench(folder, given.seed).attempt(given.only))
            return 0
        counts, failures = run(folder, range(given.cases), given.seed)
    for answer, count in sorted(counts.items()):
        print(f"{count:6d}  {answer}")
    for case, answer in failures.items():
        print(f"case {case} of seed {given.seed}: {answer}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
