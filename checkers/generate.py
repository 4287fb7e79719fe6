"""Writes the pages that are generated from the tables and the matrix: `spec/tables` and `spec/matrix.md`.

`--check` only compares. What the repository has in another form (requirements, bounds, diagrams of state machines,
lemmas, the cells of the matrix in words) is on pages of the site alone (`site.py`).
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

import fencepost
from fencepost.checkers import bounds_page, matrix_page, requirements, requirements_page, tables_page
from fencepost.checkers.diagrams import mermaid_page, pictures
from fencepost.files import write_whole
from fencepost.model.registry import FAMILIES

ROOT = Path(fencepost.__file__).resolve().parent
NOTE = "<!-- Generated from the tables of {name} by `make generate`: do not edit. Table hash {hash}. -->\n\n"


@cache
def texts() -> dict[Path, str]:
    """Return every generated page of the repository by its path, with its text."""
    found = {Path("spec", "matrix.md"): matrix_page.page(cells=False)}
    for name, family in FAMILIES.items():
        note = NOTE.format(name=name, hash=family.whole.hash)
        found[Path("spec", "tables", f"{name}.md")] = note + tables_page.page(family.whole)
    return found


def of_the_site() -> dict[Path, str]:
    """Return the pages of requirements, bounds, state machines, tables with lemmas and the whole matrix, by path."""
    found = {Path("spec", "bounds", f"{name}.md"): bounds_page.page(family) for name, family in FAMILIES.items()}
    for path in requirements.sources().values():
        page = requirements_page.page(requirements.read(path), path)
        found[Path("spec", "requirements", path.with_suffix(".md").name)] = page
    for name, family in FAMILIES.items():
        found[Path("spec", "tables", f"{name}.md")] = tables_page.page(family.whole, lemmas=True)
        drawn = pictures(family)
        if drawn:
            found[Path("spec", "tables", f"{name}-states.md")] = mermaid_page(drawn)
    return found | {Path("spec", "matrix.md"): matrix_page.page()}


def stale(root: Path = ROOT) -> list[Path]:
    """Return the generated files that are missing or differ from the tables, and those that nothing generates."""
    wanted = texts()
    changed = [path for path, text in wanted.items() if not _same(root / path, text)]
    there = [path.relative_to(root) for path in sorted((root / "spec" / "tables").glob("*"))]
    return changed + [path for path in there if path not in wanted]


def _same(path: Path, text: str) -> bool:
    return path.exists() and path.read_text(encoding="utf-8") == text


def main(arguments: list[str]) -> int:
    """Write the files and remove leftovers, or with `--check` return 1 where something is not current."""
    if "--check" in arguments:
        found = stale()
        for path in found:
            print(f"{path}: not current; run `make generate`", file=sys.stderr)
        return 1 if found else 0
    wanted = texts()
    for path in stale():
        if path in wanted:
            (ROOT / path).parent.mkdir(parents=True, exist_ok=True)
            write_whole(ROOT / path, wanted[path])
        else:
            (ROOT / path).unlink()
        print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
