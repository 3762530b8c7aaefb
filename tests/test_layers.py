"""Imports between the layers flow one way (docs/architecture.md), and importing the package stays light."""

import ast
import graphlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "dalembert"

ROOT = ""  # the package itself: the public face, which may import every layer; only cli may import it

# What each layer may import of dalembert, besides itself, errors, arguments, instant and lazily; also layers to come.
ALLOWED: dict[str, set[str]] = {
    "native": set(),
    "symbolic": {"native"},
    "equations": {"symbolic", "linalg", "native"},
    "model": {"equations", "symbolic", "rail", "elastic"},
    "elastic": {"symbolic"},
    "rail": {"symbolic"},
    "io": {"model", "equations", "rail", "elastic", "symbolic", "integrate"},
    "problems": {"model", "equations", "rail", "elastic", "symbolic", "solution"},
    "linalg": {"symbolic", "native"},
    "solution": set(),
    "integrate": {"equations", "symbolic", "linalg", "native", "solution"},
    "report": {"solution"},
}
ALLOWED["export"] = ALLOWED["study"] = set(ALLOWED) | {"export", "study"}
ALLOWED["cli"] = {*ALLOWED, ROOT}
ALLOWED = {layer: allowed | {"arguments", "errors", "instant", "lazily"} for layer, allowed in ALLOWED.items()}
ALLOWED["errors"], ALLOWED["arguments"], ALLOWED["lazily"] = set(), {"errors"}, set()
ALLOWED["instant"] = {"arguments", "errors"}
ALLOWED[ROOT] = set(ALLOWED)

HEAVY = ["matplotlib", "numba", "scipy", "sympy"]


class Import(NamedTuple):
    line: int
    layer: str
    text: str


def layer_of(file: Path, package: Path) -> str:
    top = file.relative_to(package).parts[0].removesuffix(".py")
    return ROOT if top == "__init__" else "cli" if top == "__main__" else top


def imports_of_dalembert(file: Path, package: Path) -> Iterator[Import]:
    """Every import of dalembert in a file: absolute or relative, at any depth, for type checking too."""
    container = ("dalembert", *file.relative_to(package).parent.parts)  # where relative imports start
    layers = {path.name.removesuffix(".py") for path in package.iterdir()} | set(ALLOWED)
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"), str(file))):
        if isinstance(node, ast.Import):
            targets = [tuple(alias.name.split(".")) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            start = container[: len(container) + 1 - node.level] if node.level else ()
            source = (*start, *(node.module.split(".") if node.module else ()))
            # "from dalembert import symbolic" imports a layer; the version may be asked for by everybody.
            targets = [
                (*source, alias.name) if source == ("dalembert",) and alias.name in layers else source
                for alias in node.names
                if not (source == ("dalembert",) and alias.name == "__version__")
            ]
        else:
            continue
        for target in dict.fromkeys(targets):
            if target and target[0] == "dalembert":
                yield Import(node.lineno, target[1] if len(target) > 1 else ROOT, ast.unparse(node))


def violations(package: Path) -> list[str]:
    """One sentence per import that the table does not allow."""
    found = []
    for file in sorted(package.rglob("*.py")):
        layer = layer_of(file, package)
        if layer not in ALLOWED:
            found.append(f"{file}: unknown layer '{layer}'; add it to ALLOWED in tests/test_layers.py")
            continue
        for line, imported, text in imports_of_dalembert(file, package):
            if imported != layer and imported not in ALLOWED[layer]:
                allowed = ", ".join(sorted(ALLOWED[layer] - {ROOT})) or "nothing"
                found.append(f"{file}:{line}: `{text}`: {layer or 'dalembert'} may import only {allowed}")
    return found


def test_every_import_between_layers_is_allowed():
    assert (PACKAGE / "__init__.py").exists()
    found = violations(PACKAGE)
    assert not found, "imports against the order of the layers:\n" + "\n".join(found)


def test_layers_import_each_other_without_cycles():
    # The table lets export and study use one another; the code may do so in one direction only.
    graph: dict[str, set[str]] = {}
    for file in PACKAGE.rglob("*.py"):
        layer = layer_of(file, PACKAGE)
        used = {imported.layer for imported in imports_of_dalembert(file, PACKAGE)}
        graph.setdefault(layer, set()).update(used - {layer})
    order = list(graphlib.TopologicalSorter(graph).static_order())  # raises CycleError, which names the layers
    assert all(order.index(other) < order.index(layer) for layer, used in graph.items() for other in used)


@pytest.mark.parametrize(
    ("file", "source", "complaint"),
    [
        (
            "symbolic/graph.py",
            "from dalembert.equations import Equations",
            "symbolic may import only arguments, errors",
        ),
        ("symbolic/graph.py", "import numpy, dalembert.model.body", "symbolic may import only arguments, errors"),
        ("symbolic/graph.py", "from dalembert import linalg", "symbolic may import only arguments, errors"),
        ("symbolic/graph.py", "from .. import solution", "symbolic may import only arguments, errors"),
        ("symbolic/graph.py", "def f():\n    from ..cli import main", "graph.py:2: `from ..cli import main`"),
        ("symbolic/deep/er.py", "from ...model import Model", "symbolic may import only arguments, errors"),
        ("report.py", "from .symbolic import graph", "may import only arguments, errors, instant, lazily, solution"),
        ("linalg.py", "import dalembert", "linalg may import only arguments, errors"),
        ("linalg.py", "from dalembert import trace", "linalg may import only arguments, errors"),
        ("errors.py", "from dalembert import symbolic", "errors may import only nothing"),
        ("gadgets/__init__.py", "", "unknown layer 'gadgets'"),
        ("gadgets.py", "", "unknown layer 'gadgets'"),
    ],
)
def test_a_forbidden_import_is_named(tmp_path, file, source, complaint):
    write_package(tmp_path, file, source)
    (found,) = violations(tmp_path)
    assert complaint in found
    assert str(tmp_path / file) in found


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("symbolic/graph.py", "import numpy as np\nfrom dalembert.errors import DalembertError"),
        (
            "symbolic/graph.py",
            "from .operations import ADD\nfrom . import calculus\nfrom ..symbolic import x",
        ),
        ("symbolic/graph.py", "from dalembert import __version__, errors"),
        ("integrate/radau.py", "from dalembert import equations, linalg\nfrom ..solution import Solution"),
        ("study.py", "from dalembert.report import html\nfrom .problems import andrews"),
        ("__init__.py", "from dalembert import symbolic\nfrom .cli import main"),
        ("__main__.py", "from dalembert.cli import main"),
        ("cli.py", "import dalembert as da\nfrom dalembert import simulate"),
    ],
)
def test_an_allowed_import_passes(tmp_path, file, source):
    write_package(tmp_path, file, source)
    assert violations(tmp_path) == []


def write_package(package: Path, file: str, source: str) -> None:
    (package / file).parent.mkdir(parents=True, exist_ok=True)
    (package / file).write_text(source, encoding="utf-8")


@pytest.mark.parametrize("module", ["dalembert", "dalembert.symbolic"])
def test_import_needs_no_heavy_package(module):
    program = f"import {module}, sys; print(*(name for name in {HEAVY} if name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    loaded = done.stdout.split()
    assert not loaded, f"`import {module}` also imports {', '.join(loaded)}; import it where it is used"
