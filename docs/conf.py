"""Sphinx configuration of the documentation."""

import re
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


def _formulas(app, what, name, obj, options, lines):
    """Let docstrings have formulas between dollars, as pages have, and types whose names end with an underscore."""
    text = "\n".join(line.replace("str_]", r"str\_]") if line.startswith(":vartype") else line for line in lines)
    text = re.sub(r"^( *)\$\$(.+?)\$\$$", _set_off, text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"(?<![\\$`\w])\$([^$`\n]+)\$(?![\w$])", r":math:`\1`", text)
    lines[:] = text.split("\n")


def _set_off(match):
    """A formula on lines of its own, as a directive."""
    indent, formula = match[1], match[2].strip()
    inside = "\n".join(f"{indent}   {line.strip()}" for line in formula.split("\n"))
    return f"{indent}.. math::\n\n{inside}\n"


def setup(app):
    """Connect what is above."""
    app.connect("autodoc-process-docstring", _formulas)
