"""What is generated from the tables is current."""

import re
from pathlib import Path

from fencepost.checkers import tables_page
from fencepost.checkers.generate import NOTE, stale, texts
from fencepost.model.language.properties import Always, Step
from fencepost.model.language.render import procedure_lines, state_lines, text
from fencepost.model.registry import FAMILIES
from tests.cases import each


def test_generated_files_are_current() -> None:
    """`spec/tables` says what the tables say, `spec/matrix.md` what the matrix says; `make generate` writes them."""
    assert stale() == []


def test_an_old_or_unknown_file_is_seen(tmp_path: Path) -> None:
    """A missing file, a changed one and one that nothing generates are all reported."""
    for path, whole in texts().items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(whole, encoding="utf-8")
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


@each("name", FAMILIES)
def test_the_page_of_a_protocol_names_what_its_text_has(name: str) -> None:
    """Each event, variable, procedure and property of a protocol is on its page, or on one named there."""
    whole = FAMILIES[name].whole
    page, of_site = texts()[Path("spec", "tables", f"{name}.md")], tables_page.page(whole, lemmas=True)
    elsewhere = {id for line in page.splitlines() if line.startswith("As in ") for id in re.findall("`([^`]+)`", line)}
    states = [f"| `{variable}` |" for variable in state_lines(whole) if variable not in elsewhere]
    lemmas = [one.id for one in whole.properties if isinstance(one, Always) and one.lemma]
    claims = [one.id for one in whole.properties if one.id not in lemmas]
    bold = [*(event.name for event in whole.events), *procedure_lines(whole), *claims]
    entries = [f"- **{id}**" for id in bold if id not in elsewhere]
    assert [one for one in (*states, *entries) if f"\n{one}" not in page] == []
    assert [
        id for id in lemmas if f"`{id}`" not in page or not (f"\n- **{id}**" in of_site or f"`{id}`" in of_site)
    ] == []
    assert all(
        f"`{text(one.term)}`" in page for one in whole.properties if isinstance(one, Step) and one.id not in elsewhere
    )
