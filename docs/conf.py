"""Configuration of Sphinx: Markdown pages with mathematics, and the reference from docstrings."""

from pathlib import Path

import dalembert

project = "dalembert"
author = "The dalembert developers"
copyright = author
version = release = dalembert.__version__

# Formulas are rendered by a copy of MathJax that lies beside the pages, so that they need no network.
extensions = [
    "myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.mathjax", "sphinx-mathjax-offline",
]  # fmt: skip

myst_enable_extensions = ["dollarmath", "amsmath", "deflist"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
autoclass_content = "both"

html_theme = "furo"
# Live reports for the gallery, as docs/make_gallery.py leaves them.
_pages = Path(__file__).parents[1] / "build" / "extra"
html_extra_path = [str(_pages)] if _pages.is_dir() else []
html_title = f"dalembert {release}"
