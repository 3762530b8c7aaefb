"""A short run of the fuzzer of misbehaving functions; by hand it runs as long as one likes."""

from pathlib import Path

from fuzz import watchdog

PROGRAM = Path(__file__).with_name("misbehaving_functions.py")


def test_functions_that_misbehave():
    counts, failed = watchdog.watch(str(PROGRAM), seed=0, cases=30, patience=300.0)
    assert not failed, next(iter(failed.items()))
    assert counts.total() == 30 and {"recovered", "function failed", "not finite"} <= counts.keys()
