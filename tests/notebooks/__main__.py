"""Runs the notebooks that are named, or all, and writes what they show."""

import sys

from . import FOLDER, write

for one in sys.argv[1:] or sorted(path.stem for path in FOLDER.glob("*.ipynb")):
    write(FOLDER / f"{one}.ipynb")
