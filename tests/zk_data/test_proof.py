"""That an acknowledged record is kept in the ZooKeeper era: proved of every row, and of no table that loses one."""

import pytest

from fencepost.checkers.proof import hygiene, prove
from fencepost.checkers.proof.prover import Prover, hypotheses, obligations
from fencepost.model.language import Always
from fencepost.model.museum import MUSEUM, Entry
from fencepost.model.registry import find
from fencepost.model.zk_data import ZK_DATA
from fencepost.model.zk_data.properties import THEOREM

ENTRIES = [one for one in MUSEUM if one.base == "zk-data" and one.expected]

_LOST = {"LG9", "ZDS8", "ZDS9", "ZDJ3", "ZDJ4", "ZDJ6", "ZDJ7", "ZDJ8", "ZDH5", "ZDH7", "ZDH9"}
NEEDS: dict[str, set[str]] = {
    "ZDA1": {"ZDH5", "ZDH7", "ZDH9"},
    "ZDA2": _LOST,
    "ZDA3": _LOST | {"ZDM9", "LM14", "LG1", "LH1", "ZDJ1", "ZDJ2"},
    "ZDA4": {"ZDS8", "ZDS9", "ZDJ1", "ZDJ2", "ZDJ3", "ZDJ4", "ZDJ6", "ZDJ7", "ZDJ8", "ZDH7", "ZDH9"},
    "ZDA5": {"ZDJ1"},
    "DA4": {"LG1", "LG5", "LG6", "LG8"},
}
"""What is not proved without an assumption; the theorem rests on each of these lemmas."""


@pytest.mark.parametrize(
    "seeds",
    [
        pytest.param(1, marks=pytest.mark.nightly("fencepost check zk-data")),
        pytest.param(20, marks=pytest.mark.exhaustive),
    ],
)
def test_the_theorem_is_proved_whatever_the_seed(seeds: int) -> None:
    """Every row keeps every lemma, and the theorem follows, for any number of brokers, records and epochs."""
    proof = prove(ZK_DATA, seeds=seeds, assumptions=False)
    assert proof.failed == ()
    assert proof.vacuous == ()
    assert {one.id for one in THEOREM} <= set(proof.lemma_seconds)
    assert set(proof.applying) == {row.id for row in ZK_DATA.rows}


@pytest.mark.nightly("tests/zk_data/test_proof.py::test_every_assumption_has_its_run")
def test_what_needs_an_assumption_is_what_is_listed() -> None:
    """Without an assumption the listed lemmas are not proved, and all others are."""
    proof = prove(ZK_DATA)
    assert {one.assumption.id: set(one.needed_by) for one in proof.assumptions} == NEEDS


def test_any_controller_that_keeps_to_the_interface_will_do() -> None:
    """The theorem is proved of a controller of which only the lines DG1 to DG7 are known."""
    proof = prove(find("zk-data+any-controller").whole, assumptions=False)
    assert proof.failed == ()
    assert {one.id for one in THEOREM} <= set(proof.lemma_seconds)


def test_tables_are_tidy() -> None:
    """No two rows of one event overlap, and every row applies in some state."""
    assert hygiene(ZK_DATA).findings == ()


@pytest.mark.representative("takes-old-requests", "counts-fetches-of-any-epoch", "returns-unnoticed")
@pytest.mark.slow
@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_no_edit_that_loses_a_record_is_proved(entry: Entry) -> None:
    """Of the rows that an edit changes, one is not proved to keep every lemma."""
    edited = entry.edited(ZK_DATA)
    mine = {row.id: row for row in ZK_DATA.rows}
    changed = [row for row in edited.rows if mine.get(row.id) is not row]
    assert changed
    claims = [one for one in edited.properties if isinstance(one, Always)]
    prover = Prover(edited, hypotheses(edited))
    asked = obligations(edited, changed, claims)
    assert any(not prover.keeps(row, claim, 1) for row, claim, frame in asked if not frame)


# -- Each assumption of `zk-data` is one: without it a record is lost, by the run of a museum entry. -------------------
RUNS = {
    "ZDA1": "loses-the-last",
    "ZDA2": "returns-unnoticed",
    "ZDA3": "takes-old-requests",
    "ZDA4": "joins-by-earlier-fetches",
    "ZDA5": "writes-unanswered",
    "DA4": "uses-late-answers",
}
"""The entry whose edit takes an assumption away, and nothing else."""


def test_every_assumption_has_its_run() -> None:
    """No assumption is without an entry that loses a record, and the entry changes no row."""
    assert {one.id for one in ZK_DATA.inputs} == set(RUNS)
    assert ZK_DATA.assumptions == ()
    for id, name in RUNS.items():
        [entry] = [one for one in MUSEUM if one.base == "zk-data" and one.name == name]
        edited = entry.edited(ZK_DATA)
        assert {one.id for one in ZK_DATA.inputs} - {one.id for one in edited.inputs} == {id}
        for row in ZK_DATA.rows:
            assert edited.row(row.id).when is row.when
            assert edited.row(row.id).effects == row.effects
