"""The pages: links lead somewhere, tables are whole on GitHub, and the files that they name are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md")), *sorted((ROOT / "spec").rglob("*.md"))]


def prose(page: Path) -> str:
    """Return a page without its blocks of code."""
    return re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)


def anchors(page: Path) -> set[str]:
    """Return what a link to a page may name: its headings as GitHub writes them, and its own anchors."""
    text = prose(page)
    headings = (re.sub(r"[^\w\- ]", "", one.strip().lower()) for one in re.findall(r"^#+ (.*)$", text, re.MULTILINE))
    return {one.replace(" ", "-") for one in headings} | set(re.findall(r'<a id="([^"]+)">', text))


@pytest.mark.parametrize("page", PAGES, ids=lambda one: str(one.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    """Every link inside the repository is to a file or folder that is there, and to a place that the page has."""
    for link in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "", prose(page))):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, place = link.partition("#")
        target = page.parent / path if path else page
        assert target.exists(), link
        assert not place or place in anchors(target), link


@pytest.mark.parametrize("page", PAGES, ids=lambda one: str(one.relative_to(ROOT)))
def test_tables_are_whole(page: Path) -> None:
    """Every row of a table has as many cells as its head, and every column a title."""
    lines = prose(page).split("\n")
    for number, line in enumerate(lines):
        if not re.fullmatch(r"\|( ?:?-+:? ?\|)+", line.strip()):
            continue
        rows = [lines[number - 1], line]
        for one in lines[number + 1 :]:
            if not one.startswith("|"):
                break
            rows.append(one)
        counts = {len(re.findall(r"(?<!\\)\|", one)) for one in rows}
        assert len(counts) == 1, rows[0]
        assert all(title.strip() for title in rows[0].strip().strip("|").split("|")), rows[0]


def test_the_architecture_names_what_is_there() -> None:
    """Each folder of its first table exists, and each file that a row names lies there."""
    rows = re.findall(r"^\| `([\w/]+)` \|(.*)\|$", prose(ROOT / "ARCHITECTURE.md").split("\n## ")[0], re.MULTILINE)
    assert len(rows) > 10
    for folder, told in rows:
        assert (ROOT / folder).is_dir(), folder
        for name in re.findall(r"`([\w/]+\.py)`", told):
            assert (ROOT / folder / name).is_file(), f"{folder}/{name}"
