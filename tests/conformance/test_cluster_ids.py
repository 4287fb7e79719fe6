"""Logs with the ClusterIdRecord of KIP-1262, which no release has: read by its declaration, checked against its rows.

Each goes on behind a recorded boot of three controllers and three brokers, whose nodes are restarted with software that
can do the record's level.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.conformance import PASSED_THROUGH, LogResult, Options
from fencepost.checkers.conformance.by_term import TermJudge
from fencepost.checkers.conformance.records.static_settings import StaticSettings
from fencepost.checkers.operations.about import about_of
from fencepost.checkers.operations.moments import END, when
from fencepost.checkers.operations.story import story
from fencepost.checkers.verdicts import Verdict
from fencepost.traces import Batch, MetadataLog, Record, Undecodable, build_batch, find_log, placed, read_log, write_log
from fencepost.traces.forks import Fork, fork_of
from fencepost.traces.redaction import Redaction

ROOT = Path(__file__).parents[2]
BOOT = ROOT / "traces" / "recorded" / "first-boot"
NO_TOPICS = 27
"""The offset of the recording in front of which three controllers and three brokers are there, and no topic."""
LEVEL, BEFORE = 34, 33
ID, OTHER = "not-a-uuid", "another-one"
One = tuple[str, int, dict[str, Any]]
Checks = Callable[[Sequence[Sequence[One]]], LogResult]


@pytest.fixture(scope="module")
def fork() -> Fork:
    """Return the declaration that the page has."""
    return fork_of(str(ROOT / "docs" / "questions" / "clusterid.toml"))


@pytest.fixture(scope="module")
def checked(fork: Fork) -> Checks:
    """Return what checks a log that goes on with some batches."""
    judge = TermJudge(StaticSettings(), Options(PASSED_THROUGH, StaticSettings().given, fork=fork))
    return lambda batches: judge.log(log_of(fork, batches))


def log_of(fork: Fork, batches: Sequence[Sequence[One]]) -> MetadataLog:
    """Return the recorded boot with further batches behind it."""
    log = read_log(BOOT)
    kept: list[Batch] = [one for one in log.batches if one.last_offset < NO_TOPICS]
    for records in batches:
        start, last = kept[-1].last_offset + 1, kept[-1]
        known = [one if one[0] != "CLUSTER_ID_RECORD" else ("NO_OP_RECORD", 0, {}) for one in records]
        made = build_batch(
            [(type, version, at(start + n, data)) for n, (type, version, data) in enumerate(known)],
            base_offset=start,
            epoch=last.epoch,
            timestamp=last.max_timestamp + 50,
        )
        own = tuple(
            bare
            if one[0] != "CLUSTER_ID_RECORD"
            else Undecodable(bare.offset, bare.timestamp, "", None, fork.encode(Record(0, 0, *one)))
            for bare, one in zip(made.metadata_records, records, strict=True)
        )
        kept.append(replace(made, records=own, raw=None))
    return replace(log, batches=placed(kept, log.segments[0].name), snapshots=())


def at(offset: int, data: dict[str, Any]) -> dict[str, Any]:
    """Return a registration with its offset as broker epoch; anything else as it is."""
    return {**data, "brokerEpoch": offset} if "logDirs" in data else data


def restarts(*nodes: int) -> Iterator[list[One]]:
    """Yield the batches with which nodes come back as new processes that can do the record's level."""
    boot = [one for batch in read_log(BOOT).batches if batch.last_offset < NO_TOPICS for one in batch.metadata_records]
    offset = NO_TOPICS
    for node in nodes:
        old = next(one for one in boot if node in (one.data.get("brokerId"), one.data.get("controllerId")))
        features = [
            {**one, "maxSupportedVersion": LEVEL} if one["name"] == "metadata.version" else one
            for one in old.data["features"]
        ]
        data = {**old.data, "features": features, "incarnationId": f"{node:A<21}Q"}
        yield [(old.type, old.version, data)]
        if "brokerId" in data:
            now = {"brokerId": node, "brokerEpoch": offset}
            yield [("BROKER_REGISTRATION_CHANGE_RECORD", 3, {**now, "cordonedLogDirs": []})]
            yield [("BROKER_REGISTRATION_CHANGE_RECORD", 0, {**now, "fenced": -1})]
            offset += 2
        offset += 1


ALL = list(restarts(3000, 3001, 3002, 0, 1, 2))
WITHOUT_BROKER_2 = list(restarts(3000, 3001, 3002, 0, 1))


def level(to: int) -> One:
    """Return the record of a metadata.version."""
    return "FEATURE_LEVEL_RECORD", 0, {"name": "metadata.version", "featureLevel": to}


def cluster(id: str = ID) -> One:
    """Return the record of a cluster id."""
    return "CLUSTER_ID_RECORD", 0, {"clusterId": id}


def test_an_upgrade_after_every_restart_conforms(checked: Checks) -> None:
    """The level and the id are one result of FE5, in either order; the same id may be written again, in front of it."""
    for first in ([level(LEVEL), cluster()], [cluster(), level(LEVEL)]):
        result = checked([*ALL, [level(BEFORE)], first, [level(LEVEL), cluster()]])
        assert (result.verdict, result.violations) == (Verdict.CONFORMS, [])
        assert (result.protocol, result.rows["FE5"]) == ("kraft+cluster-id", 3)


@pytest.mark.parametrize(("batches", "broken"), [
    ([*ALL, [level(LEVEL)]], {"unexplained": "it would also write ClusterId()"}),
    ([*ALL, [level(BEFORE), cluster()]], {"unexplained": "it would also write MetadataVersion()"}),
    ([*ALL, [level(LEVEL), cluster()], [level(LEVEL), cluster(OTHER)]], {"CI2": "one cluster id"}),
    ([*ALL, [level(LEVEL), cluster()], [level(BEFORE)]], {"unexplained": "and crosses", "CI1": "the log has none"}),
    ([*WITHOUT_BROKER_2, [level(LEVEL), cluster()]], {"unexplained": "not supported"}),
], ids=["upgrade without it", "below the level", "another id", "way back", "one broker not restarted"])  # fmt: skip
def test_a_log_that_the_pull_request_rules_out(
    checked: Checks, batches: list[list[One]], broken: dict[str, str]
) -> None:
    """What is missing, or the guard that was passed over, is named, or the invariant that is broken."""
    result = checked(batches)
    assert (result.verdict, {one.rule for one in result.violations}) == (Verdict.VIOLATES, set(broken))
    assert not [one.message for one in result.violations if broken[one.rule] not in one.message]


def test_its_record_is_told_and_blanked(fork: Fork, tmp_path: Path) -> None:
    """The story has the id in words; what is given away has letters in its place."""
    log = log_of(fork, [*ALL, [level(LEVEL), cluster()]])
    for name in ("log", "blank"):
        (tmp_path / name).mkdir()
    write_log(log, tmp_path / "log")
    source = replace(find_log(str(tmp_path / "log")), fork=fork)
    document = story(source, when("0", source, "--from"), when(END, source, "--to"), about_of(None, None, None, ()))
    last = document["events"][-1]
    assert (last["words"], last["rows"][0]["id"]) == (f"metadata.version is 4.5-IV0; the cluster id is {ID}", "FE5")
    write_log(Redaction((), fork).log(log), tmp_path / "blank")
    (found,) = [fork.read(one) for batch in read_log(tmp_path / "blank").batches for one in batch.undecodable]
    assert found is not None
    assert found.data == {"clusterId": "x" * len(ID)}


def test_without_the_declaration_nothing_is_decided_behind_it(fork: Fork) -> None:
    """No release has the record, so that its log has no sign."""
    judge = TermJudge(StaticSettings(), Options(PASSED_THROUGH, StaticSettings().given))
    result = judge.log(log_of(fork, [*ALL, [level(BEFORE)], [level(LEVEL), cluster()]]))
    assert (result.verdict, result.violations) == (Verdict.UNDECIDED, [])
