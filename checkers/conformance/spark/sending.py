"""The package as a zip, as Spark sends it to executors that do not have it."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import fencepost

_FOLDERS = ("model", "traces", "reference", "checkers")
_DATA = ("traces/schemas",)
"""Folders of data that the checkers of logs read."""


def package(path: str | os.PathLike[str]) -> None:
    """Write the package as a zip for spark-submit's `--py-files`: all modules, and the data that checkers of logs read.

    Raises `FileExistsError` for a file that is there. What else is installed with the package, such as recordings, is
    not in it.
    """
    root = Path(fencepost.__file__).resolve().parent
    files = sorted(root.glob("*.py"))
    for folder in _FOLDERS:
        files += sorted((root / folder).rglob("*.py"))
    for folder in _DATA:
        files += sorted(one for one in (root / folder).iterdir() if one.suffix == ".json")
    with zipfile.ZipFile(path, "x", zipfile.ZIP_DEFLATED) as out:
        for file in files:
            out.write(file, Path("fencepost") / file.relative_to(root))
