"""Settings for all tests: a cache of compiled objects of their own, and reproducible random examples."""

import os
import shutil
import tempfile

import processors
import pytest
from hypothesis import settings

# Set at import, before any test module imports dalembert. Parallel workers inherit the variable, so they
# share one directory, and only the process that made it removes it.
_own_cache = None
if "DALEMBERT_CACHE_DIR" not in os.environ:
    _own_cache = tempfile.mkdtemp(prefix="dalembert-cache-")
    os.environ["DALEMBERT_CACHE_DIR"] = _own_cache
processors.pretend()


def pytest_unconfigure(config: pytest.Config) -> None:
    if _own_cache is not None:
        shutil.rmtree(_own_cache, ignore_errors=True)


# No deadlines: the first example of a test may compile. "ci" always draws the same examples; to look for new
# counterexamples, run  HYPOTHESIS_PROFILE=explore make test
settings.register_profile("ci", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))
