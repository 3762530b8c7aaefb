"""Packages whose names are imported when they are asked for: all names are there, typed where they are made."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import dalembert

ROOT = Path(dalembert.__file__).parent
PACKAGES = sorted(
    ".".join(("dalembert", *path.relative_to(ROOT).parent.parts))
    for path in ROOT.rglob("__init__.py")
    if "= lazily(" in path.read_text(encoding="utf-8")
)


def test_there_are_such_packages():
    assert {"dalembert.equations", "dalembert.integrate", "dalembert.rail", "dalembert.elastic"} <= set(PACKAGES)


@pytest.mark.parametrize("name", PACKAGES)
def test_names_are_those_that_types_are_read_from(name):
    package = importlib.import_module(name)
    tree = ast.parse(Path(package.__file__).read_text(encoding="utf-8"))
    (typed,) = (item for item in tree.body if isinstance(item, ast.If))
    assert ast.unparse(typed.test) == "TYPE_CHECKING"
    for line in typed.body:
        assert isinstance(line, ast.ImportFrom)
        for alias in line.names:
            assert getattr(package, alias.name) is getattr(importlib.import_module(line.module), alias.name)
    assert set(package.__all__) <= set(dir(package))
    assert all(hasattr(package, item) for item in package.__all__)


@pytest.mark.parametrize("name", PACKAGES)
def test_names_that_are_not_there_are_refused_as_python_does(name):
    with pytest.raises(AttributeError, match=f"module '{name}' has no attribute 'nothing'"):
        importlib.import_module(name).nothing  # noqa: B018


PROGRAM = """
import gc, sys
import dalembert as da

gc.enable()
m = da.Model("pendulum", plane="xy", gravity=(0, -9.81))
rod = m.body("rod", mass=1.0, inertia=0.1, com=(0.5, 0))
m.revolute("A", m.ground.at(0, 0), rod.at(0, 0))
equations = m.equations()
assert da.simulate(equations, (0, 1), equations.assemble()).success
assert gc.isenabled()
print(*(name for name in sys.modules if name.startswith("dalembert.")))
"""


def test_a_first_run_does_not_wait_for_what_it_does_not_need():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    loaded = done.stdout.split()
    unneeded = ("rail.creep", "rail.track", "elastic", "model.flexible.flexible_body",
                "integrate.methods.radau", "integrate.methods.bdf", "equations.recursion.programs",
                "integrate.run.checkpoint", "integrate.run.earlier", "solution.appearance", "solution.journal",
                "solution.storage", "equations.smooth", "report", "io")  # fmt: skip
    assert not [name for name in loaded if name.removeprefix("dalembert.").startswith(unneeded)]


FROZEN = """
import gc
gc.freeze()
count = gc.get_freeze_count()
import dalembert as da
da.Model
assert gc.get_freeze_count() > count // 2 > 0, "what was frozen stays so, as far as it lives"
gc.unfreeze()
da.simulate
assert gc.get_freeze_count() == 0
"""


def test_objects_of_modules_are_old_and_what_was_frozen_stays():
    subprocess.run([sys.executable, "-c", FROZEN], check=True)
