"""Copies of a made-up source compared with its index: the same, moved, changed, gone."""

from pathlib import Path

import pytest

from fencepost.checkers.citations import compared, normalised
from fencepost.checkers.citations.recording import first_words, recorded
from fencepost.checkers.verdicts import Refusal
from tests.citations.pages import CITED, COPY, HTML, source

SENTENCE = 'The bell is rung every "thirty" seconds for as long as the far rock cannot be seen.'


@pytest.mark.parametrize("page", [COPY, HTML, COPY.replace("\n\n", "\n"), COPY.replace(" ", "  ")])
def test_a_copy_in_another_layout_is_the_same(page: str) -> None:
    """Every cited line is there word for word and where it was, and the part has its hash, whatever the layout."""
    found = compared(source(), normalised(page))
    assert found.faithful
    assert {one.line.number for one in found.places} == CITED
    assert {one.moved for one in found.places} == {0}
    assert [kept for _, kept in found.parts] == [True]


def test_what_is_inserted_moves_what_follows() -> None:
    """A paragraph more moves all lines after it by its length, and the part has another hash."""
    found = compared(source(), normalised(COPY.replace("\nWhen the fog", "\nA paragraph more.\nWhen the fog")))
    assert found.faithful
    runs = [(run[0].line.number, run[-1].line.number, run[0].moved, run[0].at) for run in found.runs()]
    assert runs == [(3, 7, 0, 3), (9, 14, len("Aparagraphmore."), 10)]
    assert [kept for _, kept in found.parts] == [False]


def test_a_paragraph_that_moved_is_found() -> None:
    """A paragraph in another place is the same, further away than its neighbours."""
    page = COPY.replace(f"{SENTENCE}\n", "").replace("The lighthouse\n", f"The lighthouse\n{SENTENCE}\n")
    found = compared(source(), normalised(page))
    assert found.faithful
    [moved] = [one for one in found.places if one.line.number == 11]
    assert (moved.at, moved.state) == (4, "same")
    assert moved.moved is not None
    assert moved.moved < -100


@pytest.mark.parametrize(
    ("old", "new", "state"),
    [
        ("thirty", "forty", "changed"),
        ("cannot", "can", "changed"),
        ("The bell is", "A bell is", "gone"),
        (SENTENCE, "", "gone"),
    ],
)
def test_a_sentence_that_says_something_else(old: str, new: str, state: str) -> None:
    """One changed word is seen; a line whose first words are others, or that is left out, is gone; the others stay."""
    found = compared(source(), normalised(COPY.replace(old, new)))
    assert not found.faithful
    assert [(one.line.number, one.state) for one in found.places if one.state != "same"] == [(11, state)]
    assert [one.at for one in found.places if one.line.number == 11] == [11 if state == "changed" else None]
    assert [kept for _, kept in found.parts] == [False]


def test_of_two_with_the_same_words_the_right_one_is_found() -> None:
    """Lines 6 and 7 begin alike; without line 6 the words of line 7 are not taken for it."""
    found = compared(source(), normalised(COPY.replace("  1. The keeper climbs the stairs, and reads", "  1. It is")))
    assert [(one.line.number, one.state) for one in found.places if one.state != "same"] == [(6, "gone")]


def test_a_part_whose_end_is_gone_has_no_hash() -> None:
    """Without its last line the end of a part is not known."""
    page = COPY.replace("A keeper who falls", "He that falls")
    assert [kept for _, kept in compared(source(), normalised(page)).parts] == [None]


def test_another_copy_is_not_recorded() -> None:
    """Lines are recorded of the copy that is cited: of one with other lines, or another hash, they are not."""
    with pytest.raises(Refusal, match="the copy has 14 lines and not 15"):
        recorded(source(), COPY.replace("\n\n", "\n", 1), CITED)
    with pytest.raises(Refusal, match="lines 3 to 14 have the hash"):
        recorded(source(), COPY.replace("dusk", "dawn"), CITED)


def test_an_empty_line_is_not_recorded() -> None:
    """What is cited and says nothing has no words to be found by."""
    assert set(recorded(source(), COPY, {3, 4, 5})) == {3, 5}


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("  1. call onNewPartitionCreation", "call"),
        ("Other control managers", "Other control"),
        ("A " + "word " * 40, "A word word word word word"),
        ("x" * 80, "x" * 42),
    ],
)
def test_few_words_of_a_line_are_quoted(line: str, words: str) -> None:
    """Six words at the most, a quarter of a long line, 14 characters of a short one, 42 of any."""
    assert first_words(line) == words


def test_recording_needs_no_more_than_the_copy(tmp_path: Path) -> None:
    """What is recorded of HTML's own text is what is recorded of the saved one: the page's lines are not ours."""
    with pytest.raises(Refusal, match="take the one that is cited"):
        recorded(source(), HTML, CITED)
