"""Each assumption of `zk-data` is one: without it a record is lost, by the run of a museum entry."""

from __future__ import annotations

from fencepost.model.museum import MUSEUM
from fencepost.model.zk_data import ZK_DATA

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
