"""Warnings that point at the line which asked for what they are about."""

from __future__ import annotations

import os
import sys
import warnings
from pathlib import Path

from pantin.errors import ModelFileWarning

__all__ = ["warn_about_file", "warn_caller"]


def warn_about_file(message: str) -> None:
    """Warn of something in a model file at the first caller outside the package."""
    warn_caller(message, ModelFileWarning)


def warn_caller(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the first caller outside the package."""
    package = str(Path(__file__).parents[1]) + os.sep
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_code.co_filename.startswith(package):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)
