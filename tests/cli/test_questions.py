"""The pages of docs/questions: what they show as printed is what the commands print today."""

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "docs" / "questions").glob("*.md"))


def words(text: str) -> list[str]:
    """The words of a page without its seconds and without the solver's choice of states."""
    bare = re.sub(r"^ +it applie[sd] (now )?with .*?(?=^ +[-+] )", "", text, flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"\d+\.\d\s+s\b", "", bare).split()


@pytest.mark.representative("unfencing")
@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda one: one.stem)
def test_a_page_shows_what_is_printed(
    fencepost_says: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, page: Path
) -> None:
    """A block with a command is its output, but for seconds, what … leaves out, and which state is shown."""
    monkeypatch.chdir(ROOT)
    blocks = re.findall(r"^```\n\$ (fencepost [^\n]*)\n(.*?)^```", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert blocks
    for command, shown in blocks:
        assert_shown(words(fencepost_says(*shlex.split(command)[1:]).out), shown)


def assert_shown(printed: list[str], shown: str) -> None:
    """Each part of a block, between lines that say that others are left out, is printed, one after the other."""
    parts = [words(part) for part in re.split(r"^…$", shown, flags=re.MULTILINE)]
    if len(parts) == 1:
        assert printed == parts[0]
        return
    assert printed[: len(parts[0])] == parts[0]
    place = len(parts[0])
    for part in parts[1:]:
        place = next((n for n in range(place, len(printed) - len(part) + 1) if printed[n : n + len(part)] == part), -1)
        assert place >= 0, " ".join(part)
        place += len(part)


def test_a_part_that_is_not_printed_is_seen() -> None:
    """What a page leaves out may be anything; what it shows must be there, in its order, and the rest not be cut."""
    printed = ["a", "b", "c", "d", "e"]
    assert_shown(printed, "a b\n…\nd e\n")
    for shown in ("a b\n…\nf\n", "a\n…\nd\n…\nc\n", "b\n…\nc\n", "a b c d\n"):
        with pytest.raises(AssertionError):
            assert_shown(printed, shown)
