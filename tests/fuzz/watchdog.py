"""Cases of a fuzzer in a process of their own, with a watchdog for each: one that hangs or crashes is named, and the
others go on."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import threading
import traceback
from collections import Counter
from collections.abc import Callable

#: A case says what it did in one word, or raises AssertionError.
Case = Callable[[int, int], str]


def serve(case: Case, seed: int, first: int, last: int) -> None:
    """Run cases and write a line about each."""
    for number in range(first, last):
        try:
            told = case(seed, number)
            line = {"case": number, "told": told}
        except BaseException:
            line = {"case": number, "failed": traceback.format_exc(limit=-3, chain=False)}
        print(json.dumps(line), flush=True)


def watch(program: str, seed: int, cases: int, patience: float, first: int = 0) -> tuple[Counter[str], dict[int, str]]:
    """Run cases of a program; counts of what they say, and the words of those that failed by number."""
    counts: Counter[str] = Counter()
    failed: dict[int, str] = {}
    at, last = first, first + cases
    while at < last:
        command = [sys.executable, program, "--serve", str(at), str(last), "--seed", str(seed)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        while at < last:
            expired = threading.Event()
            timer = threading.Timer(patience, _end, (process, expired))
            timer.start()
            line = process.stdout.readline()
            timer.cancel()
            if not line:
                failed[at] = f"no answer within {patience:g} s" if expired.is_set() else "the process has died"
                at += 1
                break
            found = json.loads(line)
            at = found["case"] + 1
            if "failed" in found:
                failed[found["case"]] = found["failed"]
            else:
                counts[found["told"]] += 1
        process.stdout.close()
        process.wait()
    return counts, failed


def _end(process: subprocess.Popen[str], expired: threading.Event) -> None:
    expired.set()
    process.kill()


def main(program: str, case: Case, patience: float = 120.0) -> None:
    """The command line of a fuzzer."""
    parser = argparse.ArgumentParser(description=sys.modules["__main__"].__doc__)
    parser.add_argument("--cases", type=int, default=200, help="number of cases")
    parser.add_argument("--seed", type=int, default=0, help="the same seed makes the same cases")
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--one", type=int, help="run this case alone, in this process")
    parser.add_argument("--serve", type=int, nargs=2, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.serve:
        serve(case, asked.seed, *asked.serve)
    elif asked.one is not None:
        print(case(asked.seed, asked.one))
    else:
        counts, failed = watch(program, asked.seed, asked.cases, patience, asked.first)
        for told, count in sorted(counts.items()):
            print(f"{count:6d}  {told}")
        print(f"{len(failed):6d}  failed")
        for number, words in failed.items():
            print(f"--- case {number} (--seed {asked.seed} --one {number})\n{words}")
        sys.exit(1 if failed else 0)
