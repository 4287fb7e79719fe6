"""The pages of docs/questions: what they show as printed is what the commands print today."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import fencepost

ROOT = Path(fencepost.__file__).resolve().parent
PAGES = sorted((ROOT / "docs" / "questions").glob("*.md"))


def words(text: str) -> list[str]:
    """The words of a page without its seconds and without the solver's choice of states."""
    bare = re.sub(r"^ +it applie[sd] (now )?with .*?(?=^ +[-+] )", "", text, flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"\d+\.\d\s+s\b", "", bare).split()


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda one: one.stem)
def test_a_page_shows_what_is_printed(
    fencepost_says: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, page: Path
) -> None:
    """Each block that begins with a command is its output, but for seconds and for which state is shown."""
    monkeypatch.chdir(ROOT)
    blocks = re.findall(r"^```\n\$ (fencepost [^\n]*)\n(.*?)^```", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert blocks
    for command, shown in blocks:
        assert words(fencepost_says(*shlex.split(command)[1:]).out) == words(shown)
