"""Writes what is generated: `spec/tables` and `spec/tla` from the tables, `spec/matrix.md` from the matrix, and
`spec/requirements` and `spec/bounds` from their TOML files.

`spec/tla` has one module a protocol, of its first slice; `fencepost tlc PROTOCOL --write DIR` writes all others.
`--check` only compares.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

import fencepost
from fencepost.checkers import bounds_page, matrix_page, requirements, requirements_page
from fencepost.checkers.diagrams import mermaid_page, pictures
from fencepost.checkers.tlc.module import render
from fencepost.files import write_whole
from fencepost.model.language import protocol_text
from fencepost.model.registry import FAMILIES

ROOT = Path(fencepost.__file__).resolve().parent
FOLDERS = ("bounds", "tables", "tla", "requirements")
NOTE = "<!-- Generated from the tables of {name} by `make generate`: do not edit. Table hash {hash}. -->\n\n"


@cache
def texts() -> dict[Path, str]:
    """Return every generated file by its path below the repository, with its text."""
    found = {
        Path("spec", "requirements", path.with_suffix(".md").name): requirements_page.page(
            requirements.read(path), path
        )
        for path in requirements.sources().values()
    }
    found[Path("spec", "matrix.md")] = matrix_page.page()
    for name, family in FAMILIES.items():
        note = NOTE.format(name=name, hash=family.whole.hash)
        found[Path("spec", "bounds", f"{name}.md")] = bounds_page.page(family)
        found[Path("spec", "tables", f"{name}.md")] = note + protocol_text(family.whole)
        drawn = pictures(family)
        if drawn:
            found[Path("spec", "tables", f"{name}-states.md")] = note + mermaid_page(drawn)
        module = render(family.slices[0])
        found[Path("spec", "tla", f"{module.name}.tla")] = module.text
    return found


def stale(root: Path = ROOT) -> list[Path]:
    """Return the generated files that are missing or differ from the tables, and those that nothing generates."""
    wanted = texts()
    changed = [path for path, text in wanted.items() if not _same(root / path, text)]
    there = [p.relative_to(root) for folder in FOLDERS for p in sorted((root / "spec" / folder).glob("*"))]
    left = [path for path in there if path not in wanted and path.suffix in (".md", ".tla", ".cfg")]
    return changed + [path for path in left if path.name != "README.md"]


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
