"""The pages: links lead somewhere, tables are whole on GitHub, and the files that they name are there."""

import ast
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md")), *sorted((ROOT / "spec").rglob("*.md"))]


def prose(page: Path) -> str:
    """Return a page without its blocks of code."""
    return re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)


@cache
def anchors(page: Path) -> set[str]:
    """Return what a link to a page may name: its headings as GitHub writes them, and its own anchors."""
    text = prose(page)
    headings = (re.sub(r"[^\w\- ]", "", one.strip().lower()) for one in re.findall(r"^#+ (.*)$", text, re.MULTILINE))
    return {one.replace(" ", "-") for one in headings} | set(re.findall(r'<a id="([^"]+)">', text))


def broken_links(page: Path) -> Iterator[str]:
    """Yield the links of a page to files, folders and places that are not there."""
    for link in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "", prose(page))):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, place = link.partition("#")
        target = page.parent / path if path else page
        if not target.exists() or (place and place not in anchors(target)):
            yield link


def broken_tables(page: Path) -> Iterator[str]:
    """Yield the heads of the tables of a page that have a row of another width, or a column without a title."""
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
        if len(counts) != 1 or not all(title.strip() for title in rows[0].strip().strip("|").split("|")):
            yield rows[0]


def in_pages(broken: Callable[[Path], Iterator[str]]) -> list[str]:
    """Return what is broken in some page, each after the name of its page."""
    return [f"{page.relative_to(ROOT)}: {one}" for page in PAGES for one in broken(page)]


def test_links_lead_somewhere() -> None:
    """Every link inside the repository is to a file or folder that is there, and to a place that the page has."""
    assert in_pages(broken_links) == []


def test_tables_are_whole() -> None:
    """Every row of a table has as many cells as its head, and every column a title."""
    assert in_pages(broken_tables) == []


def test_a_broken_page_is_found(tmp_path: Path) -> None:
    """A link to no file or to no heading, a row with a cell too many and a column without a title are found."""
    page = tmp_path / "page.md"
    page.write_text(
        "# Here\n[a](none.md) [b](#there) [c](#here)\n\n| x | y |\n| - | - |\n| 1 | 2 | 3 |\n", encoding="utf-8"
    )
    assert list(broken_links(page)) == ["none.md", "#there"]
    assert list(broken_tables(page)) == ["| x | y |"]
    page.write_text("| x | |\n| - | - |\n| 1 | 2 |\n", encoding="utf-8")
    assert list(broken_tables(page)) == ["| x | |"]


def test_the_architecture_names_what_is_there() -> None:
    """Each folder of its first table exists, and each file that a row names is in it."""
    rows = re.findall(r"^\| `([\w/]+)` \|(.*)\|$", prose(ROOT / "ARCHITECTURE.md").split("\n## ")[0], re.MULTILINE)
    assert len(rows) > 10
    for folder, row in rows:
        assert (ROOT / folder).is_dir(), folder
        for name in re.findall(r"`([\w/]+\.py)`", row):
            assert (ROOT / folder / name).is_file(), f"{folder}/{name}"


def missing_files(package: Path) -> list[str]:
    """Return the files that the docstring of a package names and the package does not have."""
    docstring = ast.get_docstring(ast.parse((package / "__init__.py").read_text(encoding="utf-8"))) or ""
    return [name for name in re.findall(r"`([\w/]+\.py)`", docstring) if not (package / name).is_file()]


def test_packages_name_files_that_they_have() -> None:
    """Each file that the docstring of a package names is in the package."""
    packages = [
        path.parent
        for room in ("model", "checkers", "traces", "reference")
        for path in (ROOT / room).rglob("__init__.py")
    ]
    assert {str(one): found for one in packages if (found := missing_files(one))} == {}


def test_a_file_that_a_package_does_not_have_is_found(tmp_path: Path) -> None:
    """A docstring that names a file of another package is found, and one that names its own is not."""
    (tmp_path / "here.py").touch()
    (tmp_path / "__init__.py").write_text('"""A package: `here.py` and `elsewhere.py`."""\n', encoding="utf-8")
    assert missing_files(tmp_path) == ["elsewhere.py"]
