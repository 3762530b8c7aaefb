"""Settings for all tests: their own cache of compiled objects, the same random examples, a list of skipped tests."""

import gc
import os
import shutil
import tempfile
from collections import Counter

import processors
import pytest
from _pytest.terminal import TerminalReporter
from hypothesis import settings

# Set at import, before any test module imports dalembert. Parallel workers inherit the variable, so they
# share one directory, and only the process that made it removes it.
_own_cache = None
if "DALEMBERT_CACHE_DIR" not in os.environ:
    _own_cache = tempfile.mkdtemp(prefix="dalembert-cache-")
    os.environ["DALEMBERT_CACHE_DIR"] = _own_cache
# Tests run in parallel, where threads of BLAS wait for each other in every call. NumPy reads this when it is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
processors.pretend()

# A worker keeps many models; searching them for cycles as often as by default takes a twentieth of the time.
gc.set_threshold(20_000, 20, 100)


def pytest_unconfigure(config: pytest.Config) -> None:
    if _own_cache is not None:
        shutil.rmtree(_own_cache, ignore_errors=True)


# No deadlines: the first example of a test may compile. "ci" always draws the same examples; to look for new
# counterexamples, run  HYPOTHESIS_PROFILE=explore make test
settings.register_profile("ci", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


def pytest_addoption(parser: pytest.Parser) -> None:
    explained = "fail if tests were skipped that need one of these: --require browser,axe-core"
    parser.addoption("--require", metavar="NEEDS", type=lambda text: text.split(","), default=[], help=explained)


def _skipped(config: pytest.Config) -> Counter[str]:
    """Number of skipped tests for each reason; a reason says what a test needs and what installs that."""
    reports = config.pluginmanager.get_plugin("terminalreporter").stats.get("skipped", [])
    return Counter(report.longrepr[2].removeprefix("Skipped: ") for report in reports)


def _is_required(config: pytest.Config, reason: str) -> bool:
    return any(f"needs {need}" in reason or f"needs a {need}" in reason for need in config.getoption("--require"))


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    required = session.config.getoption("--require") and not hasattr(session.config, "workerinput")
    if required and any(_is_required(session.config, reason) for reason in _skipped(session.config)):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: TerminalReporter, config: pytest.Config) -> None:
    if counts := _skipped(config):
        terminalreporter.section("skipped tests")
        for reason, count in counts.most_common():
            required = _is_required(config, reason)
            terminalreporter.line(f"{count:4d}  {reason}{'  (required)' if required else ''}", red=required)
