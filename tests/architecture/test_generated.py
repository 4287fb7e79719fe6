"""What is generated from the tables is current."""

from __future__ import annotations

from pathlib import Path

from fencepost.checkers.generate import NOTE, stale, texts
from fencepost.model.registry import FAMILIES
from tests.cases import each


def test_generated_files_are_current() -> None:
    """`spec/tables` says what the tables say, `spec/matrix.md` what the matrix says; `make generate` writes them."""
    assert stale() == []


def test_an_old_or_unknown_file_is_seen(tmp_path: Path) -> None:
    """A missing file, a changed one and one that nothing generates are all reported."""
    for path, text in texts().items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    assert stale(tmp_path) == []
    kraft = Path("spec/tables/kraft.md")
    (tmp_path / kraft).write_text("something else", encoding="utf-8")
    (tmp_path / "spec/matrix.md").unlink()
    (tmp_path / "spec/tables/old.md").write_text("", encoding="utf-8")
    assert stale(tmp_path) == [Path("spec/matrix.md"), kraft, Path("spec/tables/old.md")]


@each("name", FAMILIES)
def test_the_page_of_a_protocol_holds_every_row(name: str) -> None:
    """The page of a protocol begins with its hash and has a line for every row."""
    whole = FAMILIES[name].whole
    page = texts()[Path("spec", "tables", f"{name}.md")]
    assert page.startswith(NOTE.format(name=name, hash=whole.hash))
    lines = page.splitlines()
    assert [row.id for row in whole.rows if not any(line.startswith(f"| {row.id} | ") for line in lines)] == []
