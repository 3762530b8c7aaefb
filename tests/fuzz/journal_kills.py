"""Runs that are killed, kill -9, at any moment, and resumed from their journals until they end: each result is the file
of the run that nobody has disturbed, byte for byte.

    python tests/fuzz/journal_kills.py --kills 200 --seed 1

All methods take turns. The processes are forks of one that has everything compiled, so that a kill costs a fraction of
a second. Journals are written from the first moment on and more often than usual, so that kills meet records.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
import time
import traceback
from pathlib import Path

import numpy as np

import dalembert as da
from dalembert.errors import SimulationError
from dalembert.integrate.methods.registry import METHODS
from dalembert.integrate.run import journalling, live

#: Seconds between records, and steps in a slice, between which records are written.
INTERVAL, STEPS = 0.002, 16
#: Times that a run is killed before it may end.
MOST = 4


def eager() -> None:
    """Journals from the start on, with many records."""
    journalling.WORTH, journalling.INTERVAL, journalling.SHARE = 0.0, INTERVAL, 0.0
    live._LARGEST_SLICE = STEPS


class Case:
    """A run with a method: the seven-body mechanism, with an event."""

    def __init__(self, method: str, folder: Path, factor: float) -> None:
        problem = da.problems.seven_body()
        self.problem, self.folder = problem, folder
        self.options = {"method": method, "rtol": 1e-6, "atol": 1e-8, "events": [da.Event(lambda v: v[0])]}
        if METHODS[method].steps_alike:
            self.options["first_step"] = 1e-4
        elif METHODS[method].order < 4:
            self.options |= {"rtol": 1e-4, "atol": 1e-6}
        self.span = (0.0, factor * problem.span[1])
        self.simulate("undisturbed.nc")  # compiles
        began = time.perf_counter()
        self.whole = self.simulate("undisturbed.nc").read_bytes()
        self.duration = time.perf_counter() - began

    def simulate(self, name: str) -> Path:
        path = self.folder / name
        journal = da.Journal(path, replace=True)
        da.simulate(self.problem, self.span, (self.problem.q0, self.problem.v0), journal=journal, **self.options)
        return path

    def resume(self, name: str) -> None:
        """Go on, or begin anew where the kill came too early."""
        try:
            da.resume(self.folder / name, self.problem, events=self.options["events"])
        except SimulationError as error:
            if "nothing to resume" not in str(error) and "ended too early" not in str(error):
                raise
            self.simulate(name)


def killed(work, after: float) -> bool:
    """Do something in another process and kill that after so many seconds; False if it had done it before."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            work()
            status = 0
        except BaseException:
            traceback.print_exc()
            raise
        finally:
            os._exit(status)
    time.sleep(after)
    os.kill(child, signal.SIGKILL)
    status = os.waitpid(child, 0)[1]
    if not os.WIFSIGNALED(status) and os.WEXITSTATUS(status):
        raise SystemExit("a run has failed by itself")
    return os.WIFSIGNALED(status)


def main() -> None:
    """Kill, resume, compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--factor", type=float, default=2.0, help="length of the runs, in spans of the problem")
    parser.add_argument("--methods", default=",".join(METHODS))
    given = parser.parse_args()
    eager()
    draw = np.random.default_rng(given.seed)
    kills = resumed = runs = 0
    with tempfile.TemporaryDirectory() as folder:
        methods = given.methods.split(",")
        share = -(-given.kills // len(methods))
        for method in methods:
            case, done = Case(method, Path(folder), given.factor), 0
            while done < share:
                name = "killed.nc"
                Path(folder, name).unlink(missing_ok=True)
                work = lambda case=case, name=name: case.simulate(name)  # noqa: E731
                for _ in range(int(draw.integers(1, MOST + 1))):
                    if not killed(work, float(draw.uniform(0.0, 1.1 * case.duration))):
                        break
                    done, kills = done + 1, kills + 1
                    resumed += Path(folder, name + ".journal").exists()
                    work = lambda case=case, name=name: case.resume(name)  # noqa: E731
                case.resume(name)
                runs += 1
                if Path(folder, name).read_bytes() != case.whole:
                    raise SystemExit(f"{method}: the result of a run that was killed differs")
                if left := sorted(set(os.listdir(folder)) - {name, "undisturbed.nc"}):
                    for one in left:  # temporary files of kills while a result was stored
                        assert one.endswith(".tmp"), one
                        Path(folder, one).unlink()
            print(f"{method}: {done} kills of runs of {case.duration:.2f} s, all results are the same", flush=True)
    print(f"{kills} kills in {runs} runs of {len(methods)} methods, {resumed} with a journal; all results are the same")


if __name__ == "__main__":
    sys.exit(main())
