"""A short run of the fuzzer of random models; by hand it runs as long as one likes."""

from pathlib import Path

from fuzz import watchdog

PROGRAM = Path(__file__).with_name("random_models.py")


def test_random_models():
    counts, failed = watchdog.watch(str(PROGRAM), seed=0, cases=6, patience=600.0)
    assert not failed, next(iter(failed.items()))
    assert counts.total() == 6
