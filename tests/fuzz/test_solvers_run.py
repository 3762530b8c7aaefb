"""A short run of the fuzzer of solvers; by hand it runs as long as one likes."""

from pathlib import Path

from fuzz import watchdog

PROGRAM = Path(__file__).with_name("solvers.py")


def test_auto_takes_hardly_more_steps_than_dense():
    counts, failed = watchdog.watch(str(PROGRAM), seed=1, cases=8, patience=600.0)
    assert not failed, next(iter(failed.items()))
    assert counts.total() == 8
