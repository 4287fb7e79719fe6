"""The voters that logs name: recordings of 4.4.0 keep the rules of `kraft-voters`, and altered copies break each."""

import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.conformance.quorum import QuorumResult, judge_quorum
from fencepost.checkers.verdicts import Verdict
from fencepost.traces import Batch, build_control_batch, find_logs, read_log

from .altered import RECORDED, write

QUORUM = RECORDED / "quorum"
LEFT = QUORUM / "voters-leave-4.4.0"


def judged(directories: Iterable[Path]) -> QuorumResult:
    """Check logs together."""
    return judge_quorum(find_logs(sorted(directories)))


def changed(place: Path, offset: int, change: Callable[[dict[str, Any]], Any]) -> QuorumResult:
    """Return the check of two copies of the log whose voters leave, one control record of both being altered."""
    batches: list[Batch] = list(read_log(LEFT).batches)
    for number, batch in enumerate(batches):
        if batch.is_control and batch.base_offset <= offset <= batch.last_offset:
            records = [(one.type, dict(one.data)) for one in batch.control_records]
            change(records[offset - batch.base_offset][1])
            batches[number] = build_control_batch(
                records, base_offset=batch.base_offset, epoch=batch.epoch, timestamp=batch.base_timestamp
            )
    for name in ("one", "other"):
        write(place / name, batches)
    return judged([place / "one", place / "other"])


def test_the_voters_of_recorded_quorums_keep_the_rules(tmp_path: Path) -> None:
    """The changes of voters in recordings of 4.4.0, and each election after them, break no rule; each rule is asked."""
    for name in ("one", "other"):
        shutil.copytree(LEFT, tmp_path / name)
    found = [judged((QUORUM / "voters-join-4.4.0").iterdir()), judged([tmp_path / "one", tmp_path / "other"])]
    assert [one.violations for one in found] == [[], []]
    asked = [
        {rule: one.asked[rule] for rule in ("voters-change", "voters-level", "elected-by-voters")} for one in found
    ]
    assert all(all(one.values()) for one in asked), asked


def test_a_recorded_upgrade_of_kraft_version_keeps_the_rules(tmp_path: Path) -> None:
    """Without alteration the copies conform."""
    found = changed(tmp_path, 0, lambda record: None)
    assert (found.violations, found.verdict) == ([], Verdict.CONFORMS)


def _voters(*nodes: int) -> Callable[[dict[str, Any]], None]:
    def change(record: dict[str, Any]) -> None:
        there = {one["voterId"]: one for one in record["voters"]}
        some = next(iter(there.values()))
        record["voters"] = [there.get(node, {**some, "voterId": node}) for node in nodes]

    return change


def _moved(record: dict[str, Any]) -> None:
    record["voters"] = [{**record["voters"][0], "voterDirectoryId": "AAAAAAAAAAAAAAAAAAAAAQ"}, *record["voters"][1:]]


@pytest.mark.parametrize(
    ("offset", "change", "rule", "said"),
    [
        (63, _voters(3000, 3001, 3002), "voters-change", "the voters become 3000, 3001, 3002"),
        (135, _voters(3001), "voters-change", "before they were 3000, 3001, 3002, 3003"),
        (63, _voters(3000, 3000), "voters-change", "the voters are 3000, 3000"),
        (203, _moved, "voters-change", "the log directory of 3001 changes"),
        (136, lambda record: record.update(leaderId=3000), "elected-by-voters", "3000 leads"),
        (136, lambda record: record.update(grantingVoters=[{"voterId": 3001}]), "elected-by-voters", "elected by 3001"),
        (1, lambda record: record.update(kRaftVersion=0), "voters-level", "kraft.version is 0"),
    ],
)  # fmt: skip
def test_an_altered_record_is_found_where_it_is(
    tmp_path: Path, offset: int, change: Callable[[dict[str, Any]], Any], rule: str, said: str
) -> None:
    """Two voters at once, one twice, another directory, a leader without votes or no voter, no version."""
    found = changed(tmp_path, offset, change)
    first = min(found.violations, key=lambda one: one.offset or 0)
    assert (first.rule, said in first.message) == (rule, True), found.violations
    assert first.offset == (2 if rule == "voters-level" else offset)
