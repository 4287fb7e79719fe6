"""Readings of KIP-631's second version: what they break is found by its shortest trace, and not without them."""

from pathlib import Path

import fencepost.model
from fencepost.model.museum import MUSEUM

ENTRIES = {entry.name: entry for entry in MUSEUM if entry.base == "kip631-v2"}


def test_each_contradiction_that_concerns_version_two_is_an_entry_or_explained() -> None:
    """8, 9, 12 to 14, 28, 30, 37, 38, 41 and S-g are entries; 10, 11, 39 and 42 are said to decide nothing here."""
    known = " ".join(entry.known_as for entry in ENTRIES.values())
    for number in ("#8", "#9", "#12", "#13", "#14", "#27", "#28", "#30", "#37", "#38", "#41", "S-g", "S-e", "K13"):
        assert number in known, number


def test_the_page_has_every_entry() -> None:
    """`spec/kip631-v2.md` names every variant, with what falls and the length of the trace, or what it repairs."""
    page = (Path(fencepost.model.__file__).parents[1] / "spec" / "kip631-v2.md").read_text(encoding="utf-8")
    for entry in ENTRIES.values():
        (line,) = [line for line in page.splitlines() if line.startswith("| ") and f"`{entry.name}`" in line]
        for expected in entry.expected:
            assert expected.property in line
            assert f"{expected.length} rows" in line or f"in {expected.length}" in line
