"""Collects the pages of the site: those of the repository with the files that they link to, and those made for it.

`make site` has MkDocs write the site from the folder that this module fills, and pdoc the Python interfaces.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from fencepost.checkers import bounds_page, generate, matrix_page, requirements, requirements_page, tables_page
from fencepost.checkers.diagrams import mermaid_page, pictures
from fencepost.files import write_whole
from fencepost.model.registry import FAMILIES

ROOT = generate.ROOT.parents[1]
"""The repository."""
FOLDERS = ("docs", "spec", "findings")
"""The folders whose pages are pages of the site."""


def pages(root: Path = ROOT) -> dict[Path, str]:
    """Return the text of each page of the site by its path: those of the repository, and those made for the site."""
    own = [*root.glob("*.md"), *(page for folder in FOLDERS for page in (root / folder).rglob("*.md"))]
    return {page.relative_to(root): page.read_text(encoding="utf-8") for page in sorted(own)} | made()


def made() -> dict[Path, str]:
    """Return the pages of tables, state machines, bounds, requirements and the whole matrix by path."""
    found = {Path("spec", "matrix.md"): matrix_page.page()}
    for path in requirements.sources().values():
        page = requirements_page.page(requirements.read(path), path)
        found[Path("spec", "requirements", path.with_suffix(".md").name)] = page
    for name, family in FAMILIES.items():
        found[Path("spec", "tables", f"{name}.md")] = tables_page.page(family.whole)
        found[Path("spec", "bounds", f"{name}.md")] = bounds_page.page(family)
        drawn = pictures(family)
        if drawn:
            found[Path("spec", "tables", f"{name}-states.md")] = mermaid_page(drawn)
    return found


def linked(page: Path, text: str, root: Path = ROOT) -> Iterator[Path]:
    """Yield the files of the repository to which a page links, pages too, by their paths below the repository."""
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    for link in re.findall(r"\]\(([^)\s#]+)[^)\s]*\)", re.sub(r"`[^`\n]*`", "", prose)):
        target = (root / page.parent / link).resolve()
        if not re.match(r"[a-z]+:", link) and target.is_file() and target.is_relative_to(root):
            yield target.relative_to(root)


def collect(folder: Path, root: Path = ROOT) -> list[Path]:
    """Write all pages of the site and the files that they link to into a folder, and return their paths in it."""
    texts = pages(root)
    found = {path: (root / path).read_bytes() for page, text in texts.items() for path in linked(page, text, root)}
    found |= {path: text.encode() for path, text in texts.items()}
    for path, content in found.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        write_whole(folder / path, content, sync=False)
    return sorted(found)


if __name__ == "__main__":
    collect(Path(sys.argv[1]))
