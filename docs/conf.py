"""Sphinx configuration of the documentation."""

import sys

from sphinx.util.inspect import TypeAliasForwardRef

import pantin
import pantin.solve_ik

vars(pantin)["solve_ik"] = sys.modules["pantin.solve_ik"]  # whose page is that of the module, not of its function

project = "pantin"
author = "The pantin developers"
copyright = f"2026, {author}"
release = pantin.__version__
version = release

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
]
templates_path = ["_templates"]
exclude_patterns = ["_build"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

autosummary_generate = True
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_type_aliases = {"npt.ArrayLike": "ArrayLike", "Array": "Array"}
TypeAliasForwardRef.__repr__ = lambda self: self.name  # as it stands inside of other types, `tuple[Array, Array]` say
suppress_warnings = ["ref.python"]  # names in annotations are bare, and two modules may have one of the same name
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True
napoleon_use_rtype = False

html_theme = "furo"
html_title = f"pantin {release}"
html_static_path = ["_static"]
