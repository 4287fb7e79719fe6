"""The list of historical defects: complete, and each explained by its run."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from fencepost.checkers import catalogue as catalogue_module
from fencepost.checkers import museum
from fencepost.checkers.catalogue import CATALOGUE, catalogue, entry_of
from fencepost.checkers.museum import tell
from fencepost.checkers.verdicts import Refusal

KNOWN = {"Z": 29, "T": 5, "J": 35, "E": 11, "I": 11}
"""How many defects are known: of the ZooKeeper era, of truncation, of KRaft up to 4.0, of KRaft since, of Inkless."""
PAGE = (Path(__file__).resolve().parents[2] / "spec" / "museum.md").read_text("utf-8")
"""The page of the museum, with its ids and numbers."""


def test_every_defect_is_listed_once() -> None:
    """Z1 to Z29, T1 to T5, J1 to J35, E1 to E11, I1 to I11, and the flaws S-a to S-i of the sources; nothing else."""
    ids = [f"{letter}{number}" for letter, count in KNOWN.items() for number in range(1, count + 1)]
    assert Counter(one.id for one in catalogue()) == Counter([*ids, *(f"S-{letter}" for letter in "abcdefghi")])


def test_a_defect_is_a_variant_or_says_why_not() -> None:
    """Variants are entries of the museum; a defect without one says what went wrong, and what is missing."""
    for one in catalogue():
        for variant in one.variants:
            entry = entry_of(variant)
            assert variant == f"{entry.base}+{entry.name}", one.id
            assert entry.why, one.id
        if not one.variants:
            assert one.about.endswith("."), one.id
            assert len(one.missing) > 10, one.id


def test_the_page_counts_what_the_list_has() -> None:
    """spec/museum.md has the first and the last id of each kind of defect, and how many are known and held."""
    kinds = {letter: f"{letter}1 to {letter}{count}" for letter, count in KNOWN.items()}
    assert [text for text in (*kinds.values(), "S-a to S-i") if f"\n| {text} |" not in PAGE] == []
    assert f"{len(catalogue())} are known, {sum(bool(one.variants) for one in catalogue())} of them variants" in PAGE


@pytest.mark.parametrize(
    "values", ['id = "Z1"\nknown_as = "x"', 'id = "Z1"\nknown_as = "x"\nvariants = ["a"]\nmissing = "b"']
)
def test_a_defect_without_variant_and_reason_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, values: str
) -> None:
    """Neither, or both: the file is wrong, and says where."""
    file = tmp_path / CATALOGUE.name
    file.write_text(f"[[defect]]\n{values}\n", "utf-8")
    monkeypatch.setattr(catalogue_module, "CATALOGUE", file)
    catalogue.cache_clear()
    try:
        with pytest.raises(Refusal, match="Z1: has to have variants or what is missing"):
            catalogue()
    finally:
        catalogue.cache_clear()


@pytest.mark.slow
def test_a_defect_is_told_from_its_shortest_run() -> None:
    """J3: four sentences, a row and its entities in each, first what P7 reads; the edit is that of CT3."""
    told = tell("kraft+J3")
    assert told.found
    assert [line.split(":")[0] for line in told.sentences] == [
        "1. Register broker (broker 0, incarnation 0), row R1",
        "2. Heartbeat (broker 0), row HB2",
        "3. Register broker (broker 1, incarnation 0), row R1",
        "4. Create topic (topic 0, name 0), row CT3",
    ]
    assert "isr of partition 0 becomes [0, 1]" in told.sentences[-1]
    assert [one.id for one in told.edit.rows] == ["CT3"]


@pytest.mark.slow
def test_a_run_of_another_length_than_the_entry_says_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the defect shows later than it should, or never, it is not reported as found."""
    entry = entry_of("kraft+J3")
    [expected] = entry.expected
    for length in (3, 5):
        other = replace(entry, expected=(replace(expected, length=length),))
        monkeypatch.setattr(museum, "entry_of", lambda variant, other=other: other)
        assert not tell("kraft+J3").found
