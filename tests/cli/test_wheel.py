"""The built wheel, not the checkout, simulates and reports: everything that it needs is in it."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_wheel_runs_by_itself(tmp_path):
    pytest.importorskip("hatchling")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / "dist")]
    done = subprocess.run(build, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    site = tmp_path / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    (metadata,) = site.glob("*.dist-info")
    assert "dalembert = dalembert.cli:main" in (metadata / "entry_points.txt").read_text()
    program = "import sys, dalembert.cli; print(dalembert.__file__, file=sys.stderr); sys.exit(dalembert.cli.main())"
    environment = {**os.environ, "PYTHONPATH": str(site)}
    command = [sys.executable, "-c", program, "run", "four-bar", "-t", "0.5", "--report", "--json"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith(str(site))
    assert json.loads(done.stdout)["success"] and (tmp_path / "four-bar.html").stat().st_size > 500_000
