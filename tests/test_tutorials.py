"""The Python of every tutorial, of the README and of the pages on models runs, as a reader would type it: from top to
bottom."""

import re
import runpy
import sys
import traceback
import types
from pathlib import Path

import matplotlib
import pytest
from pages import Block, python_blocks

ROOT = Path(__file__).parents[1]
TUTORIALS = sorted((ROOT / "docs" / "tutorials").glob("*.md"))
PAGES = [
    *TUTORIALS,
    ROOT / "README.md",
    *(ROOT / "docs" / f"{name}.md" for name in ("analysis", "extending", "library", "model_files", "modelling")),
]


def run_page(page: Path, module: types.ModuleType) -> None:
    """Execute the blocks of a page in one namespace; a failure names page and line."""
    for block in python_blocks(page.read_text(encoding="utf-8")):
        try:
            # Empty lines in front make line numbers those of the page, in tracebacks too.
            code = compile("\n" * (block.line - 1) + block.code, str(page), "exec")
            exec(code, module.__dict__)
        except SyntaxError as error:
            line = error.lineno if error.filename == str(page) else block.line
            pytest.fail(f"{page}:{line}: {type(error).__name__}: {error.msg}", pytrace=False)
        except Exception as error:
            frames = traceback.extract_tb(error.__traceback__)
            line = next((frame.lineno for frame in frames if frame.filename == str(page)), block.line)
            pytest.fail(f"{page}:{line}: {type(error).__name__}: {error}\n\n{traceback.format_exc()}", pytrace=False)


@pytest.fixture
def module(tmp_path, monkeypatch):
    """An empty module for the code of one page, in an empty directory, with figures that are never shown."""
    module = types.ModuleType("page")
    del module.__spec__, module.__loader__  # both are None, for which tracebacks of Python 3.15 warn
    monkeypatch.setitem(sys.modules, "page", module)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    matplotlib.use("Agg")
    yield module
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


@pytest.mark.filterwarnings("ignore:FigureCanvasAgg is non-interactive")  # plt.show() belongs in a tutorial
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_page_runs(page, module):
    run_page(page, module)


def test_example_of_a_suspension_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(ROOT / "examples" / "double_wishbone.py"), run_name="__main__")
    assert (tmp_path / "build" / "double-wishbone.html").is_file()
    assert "Natural frequencies: 1." in capsys.readouterr().out


@pytest.mark.parametrize("page", TUTORIALS, ids=lambda page: page.name)
def test_tutorial_has_code(page):
    assert python_blocks(page.read_text(encoding="utf-8")), f"{page} has no ```python block"


def test_blocks_are_found_with_their_lines():
    text = "text\n```python\na = 1\n```\n```text\n```python\n```\n"
    text += "- item\n  ~~~python\n  b = 2\n\n  c = 3\n  ~~~\n"
    assert python_blocks(text) == [Block(3, "a = 1\n"), Block(10, "b = 2\n\nc = 3\n")]


@pytest.mark.parametrize(
    ("second", "message"),
    [("y = x / 0", "page.md:7: ZeroDivisionError"), ("y = (", "page.md:7: SyntaxError")],
)
def test_failure_names_page_and_line(tmp_path, module, second, message):
    page = tmp_path / "page.md"
    page.write_text(f"# Page\n```python\nx = 1\n```\n```python\nassert x == 1\n{second}\n```\n")
    with pytest.raises(pytest.fail.Exception, match=re.escape(message)):
        run_page(page, module)
