"""What starting costs: ``import dalembert``, the command's help, completion, reading and writing of model files.

CPU time of whole processes, user and system, the best of several; bars are those that a user does not notice.  The
baseline of processes is the bare interpreter, which is part of them.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time

from _common import Reporter, best_of, parser

PROGRAMS = {
    "import dalembert": (["-c", "import dalembert"], 150.0),
    "dalembert --help": (["-m", "dalembert", "--help"], 80.0),
    "dalembert completion bash": (["-m", "dalembert", "completion", "bash"], 60.0),
}
FILES = ("four-bar", "double-wishbone", "hmmwv14", "a02")


def process_time(arguments: list[str]) -> float:
    """Milliseconds of CPU that a Python process takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1e3 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def main() -> None:
    """Measure and report."""
    given = parser(__doc__).parse_args()
    repeats = 3 if given.quick else 15
    with Reporter(title="Starting", json=given.json) as report:
        bare = min(process_time(["-c", "pass"]) for _ in range(repeats))
        report.add(case="bare interpreter", quantity="CPU time", unit="ms", ours=bare)
        for case, (arguments, limit) in PROGRAMS.items():
            found = min(process_time(arguments) for _ in range(repeats))
            report.add(case=case, quantity="CPU time", unit="ms", ours=found, limit=limit, bound="at most")
        from dalembert.io import example, model_text, parse_model

        for name in FILES:
            text = example(name)
            file = parse_model(text)
            clock = time.process_time
            read = best_of(lambda: parse_model(text), repeats, clock=clock)
            written = best_of(lambda: model_text(file), repeats, clock=clock)
            report.add(case=f"{name}.toml", quantity="read", unit="ms", ours=1e3 * read)
            report.add(case=f"{name}.toml", quantity="written", unit="ms", ours=1e3 * written)


if __name__ == "__main__":
    main()
