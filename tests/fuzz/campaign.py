"""A campaign of families of cases: closed forms, laws, scales, relations between runs; it stops and goes on.

    python tests/fuzz/campaign.py --cases 100000 --seed 1      prints the table by family; goes on where it was stopped
    python tests/fuzz/campaign.py --again                      bad cases again; those that are good now are mended
    python tests/fuzz/campaign.py --one "orbits:17"            one case, in this process
    python tests/fuzz/campaign.py --family orbits --cases 500  families by the beginning of their names

A case is bad if it ends with success and is wrong by more than a thousand tolerances, raises what is no error of the
package, hangs, or dies.  Cases run in a process of their own with a limit of time for each.
"""

from __future__ import annotations

import argparse
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
import traceback
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(Path(__file__).parents[1]))  # as in the tests, where this is run by hand

#: Seconds of processor time that a case may take, its model included, and seconds by the clock.
PATIENCE, CLOCK = 60.0, 3600.0
#: The program that processes run.
PROGRAM = __file__
#: Cases of a family in a row; families take turns.
TURN = 64
#: Seconds between records of the state.
RECORD = 5.0


def families() -> dict[str, Any]:
    """All families by name."""
    from fuzz.families import FAMILIES

    return {family.name: family for family in FAMILIES}


def one_case(family: Any, number: int) -> dict[str, Any]:
    """A case; what came of it."""
    from fuzz.family import WrongError

    began = time.process_time()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            outcome = family.case(number)
        found = {"told": outcome.told, "units": float(outcome.units), "detail": outcome.detail}
    except WrongError as error:
        found = {"told": "bad", "detail": str(error)}
    except Exception:
        found = {"told": "bad", "detail": traceback.format_exc(limit=-4, chain=False)}
    return found | {"case": number, "seconds": time.process_time() - began, "models": family.compiled}


def serve(seed: int) -> None:
    """Run the cases that lines on the input name, and write a line about each."""
    known: dict[str, Any] = {}
    classes = families()
    for line in sys.stdin:
        name, first, last = json.loads(line)
        family = known.get(name) or known.setdefault(name, classes[name](seed))
        for number in range(first, last):
            # These signals end the process, even where a kernel never returns.
            signal.setitimer(signal.ITIMER_PROF, PATIENCE)
            signal.setitimer(signal.ITIMER_REAL, CLOCK)
            try:
                print(json.dumps(one_case(family, number)), flush=True)
            except BrokenPipeError:  # nobody listens any more
                os._exit(1)


class Worker:
    """A process that runs cases; it is replaced where one hangs."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.process: subprocess.Popen[str] | None = None

    def cases(self, name: str, first: int, last: int) -> Any:
        """Answers to cases of a family, one after the other."""
        while first < last:
            if self.process is None:
                command = [sys.executable, PROGRAM, "--serve", "--seed", str(self.seed)]
                self.process = subprocess.Popen(
                    command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
                )
            assert self.process.stdin is not None and self.process.stdout is not None
            self.process.stdin.write(json.dumps([name, first, last]) + "\n")
            self.process.stdin.flush()
            for line in self.process.stdout:
                found = json.loads(line)
                first = found["case"] + 1
                yield found
                if first == last:
                    return
            yield {"case": first, "told": "bad", "detail": self._end(), "seconds": 0.0, "models": 0}
            first += 1

    def _end(self) -> str:
        """How the process has ended."""
        assert self.process is not None
        code = self.process.wait()
        self.close()
        if code in (-signal.SIGPROF, -signal.SIGALRM):
            return f"hangs: no answer within {PATIENCE:g} s"
        return f"the process has died, with {code}"

    def close(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None


class State:
    """What is known so far, in a file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.families: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        self.written = time.monotonic()

    def of(self, name: str) -> dict[str, Any]:
        empty = {
            "tried": 0,
            "models": 0,
            "seconds": 0.0,
            "counts": {},
            "largest": 0.0,
            "largest_case": 0,
            "bad": {},
            "mended": [],
            "examples": {},
        }
        return self.families.setdefault(name, empty)  # type: ignore[no-any-return]

    def enter(self, name: str, found: dict[str, Any]) -> None:
        one = self.of(name)
        one["tried"] = found["case"] + 1
        one["models"] += found["models"]
        one["seconds"] += found["seconds"]
        told = found["told"]
        one["counts"][told] = one["counts"].get(told, 0) + 1
        if told == "bad":
            one["bad"][str(found["case"])] = found["detail"]
            print(f"{name}:{found['case']}: {found['detail']}\n", flush=True)
        elif told == "fine" and found["units"] > one["largest"]:
            one["largest"], one["largest_case"] = found["units"], found["case"]
        elif told != "fine":
            examples = one["examples"].setdefault(told, {})
            if len(examples) < 20:
                examples[str(found["case"])] = found["detail"]
        if time.monotonic() - self.written > RECORD:
            self.write()

    def write(self) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        part = self.path.with_suffix(".tmp")
        part.write_text(json.dumps(self.families, indent=1), encoding="utf-8")
        part.replace(self.path)
        self.written = time.monotonic()

    def table(self) -> str:
        """The table by family."""
        columns = {
            "tried": 7,
            "bad": 5,
            "mended": 6,
            "ended": 6,
            "refused": 7,
            "other": 6,
            "largest": 8,
            "models": 6,
            "CPU s": 7,
        }
        lines = [" ".join([f"{'family':36s}", *(f"{name:>{width}s}" for name, width in columns.items())])]
        total: Counter[str] = Counter()
        for name, one in self.families.items():
            counts = one["counts"]
            row = {
                "tried": one["tried"], "bad": len(one["bad"]), "mended": len(one["mended"]),
                "ended": counts.get("ended", 0), "refused": counts.get("refused", 0), "models": one["models"],
                "seconds": one["seconds"],
                "other": one["tried"] - sum(counts.get(key, 0) for key in ("fine", "bad", "ended", "refused")),
            }  # fmt: skip
            total.update(row)
            lines.append(self._line(name, row, f"{one['largest']:8.3g}"))
        return "\n".join([*lines, self._line("all", total, " " * 8)])

    @staticmethod
    def _line(name: str, row: Any, largest: str) -> str:
        return (
            f"{name:36s} {row['tried']:7d} {row['bad']:5d} {row['mended']:6d} {row['ended']:6d} {row['refused']:7d} "
            f"{row['other']:6d} {largest} {row['models']:6d} {row['seconds']:7.0f}"
        )


def goals(classes: dict[str, Any], cases: int) -> dict[str, int]:
    """How many cases of each family make so many in all."""
    total = sum(family.share for family in classes.values())
    return {name: round(cases * family.share / total) for name, family in classes.items()}


def go_on(state: State, classes: dict[str, Any], cases: int, seed: int, workers: int) -> None:
    """Run cases until each family has its share; families take turns."""
    wanted = goals(classes, cases)
    work: queue.Queue[str] = queue.Queue()
    for name in classes:
        if state.of(name)["tried"] < wanted[name]:
            work.put(name)
    lock, stop = threading.Lock(), threading.Event()

    def labour() -> None:
        worker = Worker(seed)
        try:
            while not stop.is_set():
                try:
                    name = work.get_nowait()
                except queue.Empty:
                    return
                first = state.of(name)["tried"]
                for found in worker.cases(name, first, min(first + TURN, wanted[name])):
                    with lock:
                        state.enter(name, found)
                    if stop.is_set():
                        return
                if state.of(name)["tried"] < wanted[name]:
                    work.put(name)
        finally:
            worker.close()

    threads = [threading.Thread(target=labour) for _ in range(workers)]
    for thread in threads:
        thread.start()
    try:
        for thread in threads:
            while thread.is_alive():
                thread.join(0.5)
    except KeyboardInterrupt:
        stop.set()
        print("stopped; the same command goes on", flush=True)
        for thread in threads:
            thread.join()
    finally:
        stop.set()
        state.write()


def again(state: State, seed: int) -> None:
    """Run the bad cases once more; those that are good now are mended."""
    worker = Worker(seed)
    try:
        for name, one in state.families.items():
            for case in sorted(map(int, one["bad"])):
                for found in worker.cases(name, case, case + 1):
                    if found["told"] == "bad":
                        print(f"{name}:{case}: {found['detail']}\n", flush=True)
                    else:
                        one["mended"].append(case)
                        del one["bad"][str(case)]
            state.write()
    finally:
        worker.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--cases", type=int, default=1000, help="number of cases in all, those of earlier calls included"
    )
    parser.add_argument("--seed", type=int, default=0, help="the same seed makes the same cases")
    parser.add_argument("--family", action="append", help="families by the beginning of their names; all if omitted")
    parser.add_argument("--workers", type=int, default=1, help="processes that run cases")
    parser.add_argument("--state", type=Path, help="file of the state; build/campaign-SEED.json if omitted")
    parser.add_argument("--again", action="store_true", help="run the bad cases again")
    parser.add_argument("--one", help="run this case alone, in this process: FAMILY:NUMBER")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        serve(given.seed)
        return 0
    signal.signal(signal.SIGINT, signal.default_int_handler)  # also where it runs in the background
    classes = families()
    if given.one is not None:
        name, _, number = given.one.rpartition(":")
        fitting = next(one for one in classes if one.startswith(name))
        found = one_case(classes[fitting](given.seed), int(number))
        print("{told}, {units:.3g} units {detail}".format(**{"units": np.inf, **found}))
        return 0
    if given.family:
        classes = {name: one for name, one in classes.items() if any(name.startswith(part) for part in given.family)}
    state = State(given.state or ROOT / "build" / f"campaign-{given.seed}.json")
    if given.again:
        again(state, given.seed)
    else:
        go_on(state, classes, given.cases, given.seed, given.workers)
    print(state.table())
    return int(any(one["bad"] for one in state.families.values()))


if __name__ == "__main__":
    sys.exit(main())
