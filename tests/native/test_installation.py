"""The package alone, with nothing but the dependencies that it declares, runs every method."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import textwrap
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NEEDED = ("src", "tools", "pyproject.toml", "README.md", "LICENSE")


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """An installation from source without any compiled kernel, and links to what it declares as dependencies."""
    folder = tmp_path_factory.mktemp("installation")
    source, packages = folder / "source", folder / "packages"
    source.mkdir()
    for name in NEEDED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("objects", "__pycache__"))
        else:
            shutil.copy(ROOT / name, source)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-build-isolation"]
    subprocess.run([*pip, "--target", packages, source], check=True, env={**os.environ, "DALEMBERT_OBJECTS": "none"})
    (installed,) = metadata.distributions(name="dalembert", path=[str(packages)])
    for name in dependencies(installed):
        for file in metadata.distribution(name).files or ():
            top = file.parts[0]
            if not top.startswith(".") and not (packages / top).exists():
                (packages / top).symlink_to(metadata.distribution(name).locate_file(top))
    return packages, folder


def dependencies(installed, seen=()):
    """Names of what a distribution needs without extras, with what those need."""
    for line in installed.requires or ():
        name = re.match(r"[\w.-]+", line).group()
        if "extra ==" not in line and name not in seen:
            yield name
            yield from dependencies(metadata.distribution(name), (*seen, name))


def test_numba_comes_with_an_installation_from_source(environment):
    packages, _ = environment
    (installed,) = metadata.distributions(name="dalembert", path=[str(packages)])
    assert set(dependencies(installed)) == {"numpy", "scipy", "llvmlite", "numba"}
    assert not list(packages.glob("dalembert/native/objects/*"))


def test_every_method_runs(environment):
    """Its kernels are compiled when it is first used."""
    packages, folder = environment
    program = """
        import sys

        import numpy as np

        import dalembert as da
        from dalembert.integrate.methods.registry import METHODS

        assert "site-packages" not in "".join(sys.path), sys.path
        pendulum = da.trace(
            M=lambda p: np.diag([p.m, p.m]),
            f=lambda p: np.array([0.0, -p.m * p.g]),
            g=lambda q, p: np.array([q @ q - p.L**2]),
            n_q=2, parameters={"m": 1.0, "L": 2.0, "g": 9.81}, names={"q": ["x", "y"]}, name="pendulum",
        )
        for method in METHODS:
            run = da.simulate(pendulum, (0, 0.01), ([2.0, 0.0], [0.0, 0.0]), method=method, first_step=1e-3)
            assert run.success and abs(run.q[1, -1] + 0.5 * 9.81 * 0.01**2) < 1e-4, (method, run.message, run.q[:, -1])
        print(len(METHODS))
    """
    # Not -I, which would ignore the path; not the packages of this environment, which -S leaves out.
    variables = {**os.environ, "PYTHONPATH": str(packages), "DALEMBERT_CACHE_DIR": str(folder / "cache")}
    command = [sys.executable, "-S", "-c", textwrap.dedent(program)]
    done = subprocess.run(command, capture_output=True, text=True, env=variables, cwd=folder)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 20
