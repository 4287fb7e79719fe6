"""`fencepost show source`: where a citation is, and copies of sources compared with the index."""

from collections.abc import Callable
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from fencepost.checkers.citations import index
from fencepost.checkers.cli import schemas
from tests.citations.pages import COPY, HTML, source
from tests.cli.conftest import Said


@pytest.fixture
def lighthouse(monkeypatch: pytest.MonkeyPatch) -> None:
    """The index has S9, a made-up source, beside the five."""
    known = {**index.texts(), "S9": source()}
    monkeypatch.setattr(index, "texts", lambda: known)


def test_a_citation_says_where_it_is(fencepost_says: Callable[..., Said]) -> None:
    """Heading, first words, address and demands of a line; a span has each of its lines that says something."""
    said = fencepost_says("show", "source", "s3:244")
    assert said.code == 0
    for words in ("“A fenced broker is unfenced only …”", "“The broker state machine”", "11-kraft-controller.html"):
        assert words in said.out
    assert "S3-100a" in said.out
    document = fencepost_says("show", "source", "S3:246-248,250", "--json").document
    assert [one["citation"] for one in document["lines"]] == ["S3:246", "S3:248", "S3:250"]
    assert [one["section"] for one in document["lines"]][:2] == ["Fencing stale brokers"] * 2
    assert list(Draft202012Validator(schemas.schema("show").document).iter_errors(document)) == []


def test_every_source_has_an_address(fencepost_says: Callable[..., Said]) -> None:
    """Without a name all sources are listed; with a name its cited lines are."""
    document = fencepost_says("show", "source", "--json").document
    assert [one["source"] for one in document["texts"]] == ["S0", "S1", "S2", "S3", "S4"]
    said = fencepost_says("show", "source", "S4")
    assert "S4:53 “remove this" in said.out
    assert said.out.count("S4:") > 90


@pytest.mark.usefixtures("lighthouse")
def test_a_copy_is_compared(fencepost_says: Callable[..., Said], tmp_path: Path) -> None:
    """A page as it was ends with 0; one with a word changed and a paragraph more says which lines, and ends with 7."""
    path = tmp_path / "page.html"
    path.write_text(HTML)
    said = fencepost_says("show", "source", "S9", "--compare", path)
    assert said.code == 0
    assert "has 8 of the 8 lines that are cited, word for word" in said.out
    assert "where they were: 8 lines, S9:3 to 14, from line 4 of the file" in said.out
    assert "the hash of S9:3-14 is as recorded" in said.out
    path.write_text(HTML.replace("<h2>", "<p>One more.</p><h2>").replace("thirty", "ninety").replace("hour.", "day."))
    said = fencepost_says("show", "source", "S9", "--compare", path)
    assert said.code == 7
    assert "8 characters later: 2 lines, S9:9 to 13, from line 9 of the file" in said.out
    assert "changed: S9:11 “The bell is rung …”, at line 10 of the file" in said.out
    document = fencepost_says("show", "source", "S9", "--compare", path, "--json").document
    states = {one["citation"]: one["state"] for one in document["compared"]["citations"] if one["state"] != "same"}
    assert states == {"S9:11": "changed", "S9:14": "changed"}
    assert document["compared"]["parts"][0]["same"] is None
    assert list(Draft202012Validator(schemas.schema("show").document).iter_errors(document)) == []


@pytest.mark.usefixtures("lighthouse")
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("source", "S8"), "S8: no source has this name; use one of S0, S1, S2, S3, S4, S9"),
        (("source", "S9:8"), "S9:8: is empty, or is cited nowhere; the nearest line that is recorded is S9:7"),
        (("source", "S9:0"), "S9:0: S9 has lines 1 to 15; name some of these, the first one first"),
        (("source", "S9:9-3"), "S9:9-3: S9 has lines 1 to 15"),
        (("source", "S9:line"), "S9:line: is no citation; write a source and lines of it, as in S3:244"),
        (("source", "--compare", "x"), "--compare x: say of which source it is a copy"),
        (("source", "S9:3", "--compare", "x"), "S9:3: a copy is of a whole source; use fencepost show source S9"),
        (("source", "S9", "--compare", "{tmp}/none"), "none: cannot be read (No such file or directory)"),
        (("source", "S9", "--compare", "{tmp}"), "cannot be read (Is a directory)"),
        (("source", "S9", "--compare", "{tmp}/latin"), "is no UTF-8"),
        (("source", "S9", "--compare", "{tmp}/other"), "has none of the lines of S9 that are cited; give a copy of"),
        (("source", "S9", "--row", "HB2"), "source: --table, --row, --english, --markdown, --diagram and --releases"),
        (("kraft", "--compare", "x"), "--compare: is for a text that is cited; use fencepost show source S3"),
    ],
)
def test_what_cannot_be_shown_is_refused(
    fencepost_says: Callable[..., Said], tmp_path: Path, words: tuple[str, ...], told: str
) -> None:
    """One sentence says what there is not, and what to write."""
    (tmp_path / "latin").write_bytes(COPY.replace("dusk", "dusk\xe9").encode("latin-1", "replace"))
    (tmp_path / "other").write_text("Nothing of it.")
    said = fencepost_says("show", *(one.replace("{tmp}", str(tmp_path)) for one in words))
    assert said.code == 2
    assert told in said.sentence
