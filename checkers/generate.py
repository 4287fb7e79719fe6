"""Writes the page of the repository that is generated: `spec/matrix.md`. `--check` only compares.

What the repository has in another form (tables, requirements, bounds, diagrams of state machines, the cells of the
matrix in words) is on pages of the site alone (`site.py`).
"""

from __future__ import annotations

import sys
from pathlib import Path

import fencepost
from fencepost.checkers import matrix_page
from fencepost.files import write_whole

ROOT = Path(fencepost.__file__).resolve().parent
PAGE = Path("spec", "matrix.md")


def current(root: Path = ROOT) -> bool:
    """Return whether the generated page is there and says what the matrix says."""
    path = root / PAGE
    return path.exists() and path.read_text(encoding="utf-8") == matrix_page.page(cells=False)


def main(arguments: list[str]) -> int:
    """Write the page, or with `--check` return 1 where it is not current."""
    if current():
        return 0
    if "--check" in arguments:
        print(f"{PAGE}: not current; run `make generate`", file=sys.stderr)
        return 1
    write_whole(ROOT / PAGE, matrix_page.page(cells=False))
    print(PAGE)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
