"""What is generated is current, and the pages of tables have all of them."""

import re
from pathlib import Path

from fencepost.checkers import matrix_page, tables_page
from fencepost.checkers.generate import PAGE, current
from fencepost.model.language.properties import Always, Step
from fencepost.model.language.render import procedure_lines, state_lines, text
from fencepost.model.registry import FAMILIES
from tests.cases import each


def test_the_generated_page_is_current() -> None:
    """`spec/matrix.md` says what the matrix says; `make generate` writes it."""
    assert current()


def test_an_old_page_is_seen(tmp_path: Path) -> None:
    """A missing page and a changed one are not current."""
    assert not current(tmp_path)
    (tmp_path / PAGE).parent.mkdir(parents=True)
    (tmp_path / PAGE).write_text(matrix_page.page(cells=False), encoding="utf-8")
    assert current(tmp_path)
    (tmp_path / PAGE).write_text("something else", encoding="utf-8")
    assert not current(tmp_path)


@each("name", FAMILIES)
def test_the_page_of_a_protocol_holds_every_row(name: str) -> None:
    """The page of a protocol begins with its name and has a line for every row."""
    whole = FAMILIES[name].whole
    lines = tables_page.page(whole).splitlines()
    assert lines[:3] == [f"# {name}", "", whole.about]
    assert len(whole.rows) > 5
    assert [row.id for row in whole.rows if not any(line.startswith(f"| {row.id} | ") for line in lines)] == []


@each("name", FAMILIES)
def test_the_page_of_a_protocol_names_what_its_text_has(name: str) -> None:
    """Each event, variable, procedure and property of a protocol, lemmas too, is on its page, or on one named there."""
    whole = FAMILIES[name].whole
    page = tables_page.page(whole)
    elsewhere = {id for line in page.splitlines() if line.startswith("As in ") for id in re.findall("`([^`]+)`", line)}
    states = [f"| `{variable}` |" for variable in state_lines(whole) if variable not in elsewhere]
    bold = [*(event.name for event in whole.events), *procedure_lines(whole), *(one.id for one in whole.properties)]
    entries = [f"- **{id}**" for id in bold if id not in elsewhere]
    assert [one for one in (*states, *entries) if f"\n{one}" not in page] == []
    assert all(
        f"`{text(one.term)}`" in page
        for one in whole.properties
        if isinstance(one, Always | Step) and one.id not in elsewhere
    )
