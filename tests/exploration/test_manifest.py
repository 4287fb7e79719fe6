"""What is recorded of bounds: rows that fire and properties that are tested, each somewhere or with a reason."""

from dataclasses import replace
from pathlib import Path

import pytest

from fencepost.checkers.exploration import explore
from fencepost.checkers.exploration import manifest as recording
from fencepost.checkers.exploration.manifest import Nowhere, Shown, faults, nowhere, recorded, shown, text
from fencepost.checkers.verdicts import Refusal
from fencepost.model.language import Protocol
from fencepost.model.registry import FAMILIES

EVERY_RUN = ("zk-directories", "kip46-tiny")
"""The bounds that are explored anew in every run; what others show is compared every night."""
LARGE = 500_000
"""With more states than this a bound is explored anew when that is asked for; its counts are asked elsewhere, too."""
CASES = [
    pytest.param(
        name, bound, id=f"{name}-{bound}", marks=pytest.mark.exhaustive if one.distinct > LARGE else pytest.mark.slow
    )
    for name in FAMILIES
    for bound, one in recorded(name).items()
]


@pytest.mark.parametrize("name", FAMILIES)
def test_nothing_is_left_without_a_bound_or_a_reason(name: str) -> None:
    """Every bound is recorded; every row and every property has a bound that shows it, or the reason why none does."""
    assert faults(FAMILIES[name], recorded(name), nowhere(name)) == []


@pytest.mark.representative("kip46-tiny")
@pytest.mark.parametrize(("name", "bound"), CASES)
def test_a_bound_shows_what_is_recorded(name: str, bound: str) -> None:
    """Explored anew, a bound has the recorded counts, fires the recorded rows and tests the recorded properties."""
    assert shown(explore(FAMILIES[name].bounds[bound], bound)) == recorded(name)[bound]


def test_what_is_missing_is_named() -> None:
    """A bound without a record, what nothing shows, and a reason that is true no more are faults."""
    family = FAMILIES["kip46"]
    whole = recorded("kip46")
    some = {bound: one for bound, one in whole.items() if bound != "tiny"}
    assert faults(family, some, Nowhere({}, {}))[0] == "bound tiny is not recorded: record it"
    bare = {bound: replace(one, rows=(), properties=()) for bound, one in whole.items()}
    said = faults(family, bare, Nowhere({}, {}))
    assert "row SH1 is shown at no bound, and nowhere.toml has no reason" in said
    assert "property SI1 is shown at no bound, and nowhere.toml has no reason" in said
    assert faults(family, whole, Nowhere({"SH1": "never"}, {"XX": "unknown"})) == [
        "row SH1 is shown at a bound: take it out of nowhere.toml",
        "there is no property XX: take it out of nowhere.toml",
    ]


def test_what_is_written_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A manifest that is written says the same when it is read, and one that is damaged is refused in a sentence."""
    monkeypatch.setattr(recording, "FOLDER", tmp_path)
    made = {"tiny": Shown(3, 9, 2, ("A1", "A2"), ("P1",)), "bare": Shown(1, 2, 1, (), ())}
    path = recording.FOLDER / "door.toml"
    path.write_text(text("door", made))
    assert recorded("door") == made
    path.write_text("[tiny]\ndistinct = 'three'\n")
    with pytest.raises(Refusal, match="distinct has to be a number"):
        recorded("door")
    path.write_text("[tiny\n")
    with pytest.raises(Refusal, match="correct it, or record it anew"):
        recorded("door")


def test_a_bound_that_was_not_closed_is_not_recorded(two_phase: Protocol) -> None:
    """What a budget ended shows less than the bound does, and is refused."""
    with pytest.raises(Refusal, match="record a bound that closes as declared"):
        shown(explore(two_phase, "three", max_states=20))
