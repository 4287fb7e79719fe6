"""Logs checked term by term: which release was in force, through an upgrade and a migration from ZooKeeper."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.conformance import PASSED_THROUGH, Judge, LogResult, Monitor, Options, Span, Violation, conform
from fencepost.checkers.conformance.by_term import Candidate, TermJudge, Trials, _best, terms
from fencepost.checkers.conformance.records.software import Registration
from fencepost.checkers.conformance.records.static_settings import StaticSettings
from fencepost.checkers.verdicts import Verdict
from fencepost.model.releases import RELEASES
from fencepost.traces import MetadataLog, read_log

from . import RECORDED, alter
from .alter import Message, until

UPGRADE, FROM_ZOOKEEPER = RECORDED / "upgrade-3.9-to-4.4", RECORDED / "zk-migration-3.9.2"
OPTIONS = Options(PASSED_THROUGH, StaticSettings().given)
JUDGE = TermJudge(StaticSettings(), OPTIONS)
FIRST_TERMS = 185
"""The last offset that a leader with 3.9 wrote into the upgrade."""
COPIED = (51, 79)


@cache
def judged(path: Path) -> LogResult:
    """Return what is found in a log, by the release in force."""
    (log,) = conform([path], None).logs
    return log


def by_release(log: MetadataLog, *names: str) -> LogResult:
    """Return what is found in a log under whole releases."""
    return Judge([RELEASES[name].for_logs for name in names], OPTIONS).log(log)


def timeline(path: Path) -> list[tuple[int, str]]:
    """Return when a controller was started with a release, by meta.json: the time in ms and the release."""
    steps = json.loads((path / "meta.json").read_text(encoding="utf-8"))["timeline"]
    found = []
    for one in steps:
        words = one["step"].split()
        if words[:1] == ["start"] and words[1].startswith("300") and words[2:3] == ["with"]:
            found.append((one["t_ms"], words[3]))
    return found


def _without_record(log: MetadataLog, offset: int, directory: Path) -> None:
    """Write a log with a record that says nothing in the place of one, so that all others keep their offsets."""
    old = alter.batch_at(log, offset)
    nothing: Message = ("NO_OP_RECORD", 0, {})
    alter.rebuilt(
        log,
        old,
        [nothing if one.offset == offset else (one.type, one.version, one.data) for one in old.metadata_records],
        directory,
    )


# -- an upgrade --------------------------------------------------------------------------------------------------------
def test_an_upgrade_conforms_by_the_releases_that_ran() -> None:
    """3.9.2, 4.1.2 and 4.4.0 led one after the other: each term is explained by the release that its leader ran."""
    found = judged(UPGRADE)
    assert (found.verdict, found.violations, found.releases) == (Verdict.CONFORMS, [], ())
    assert [(one.first, one.last, one.releases, one.registered) for one in found.spans] == [
        (0, 185, ("3.9",), True),
        (186, 789, ("4.1",), True),
        (790, 1686, ("4.4",), True),
    ]


def test_the_spans_are_what_ran_by_the_clock() -> None:
    """Where a span begins, the controllers started last before run its release, by the recording's own notes."""
    log, started = read_log(UPGRADE), timeline(UPGRADE)
    times = {record.offset: record.timestamp for record in log.records()}
    for span in judged(UPGRADE).spans:
        latest = [release for at, release in started if at <= times[span.first]][-1]
        assert latest.startswith(span.releases[0])


@pytest.mark.representative("3.9-372")
@pytest.mark.parametrize(("release", "offset"), [("4.4", 58), ("4.1", 1016), ("3.9", 372)])
def test_no_single_release_explains_an_upgrade(release: str, offset: int) -> None:
    """A release that is given must explain the whole log: one is refused for a completion, one for a level."""
    # What the tables of another release miss in the rest of the log is much, and long.
    found = Monitor(RELEASES[release].for_logs, OPTIONS).judge(read_log(UPGRADE), bear=0)
    assert (found.verdict, found.spans, found.violations[0].offset) == (Verdict.VIOLATES, (), offset)


def test_a_reassignment_that_ends_too_early_for_its_release_violates(tmp_path: Path) -> None:
    """At 58 a broker of the target is down: 4.4 would complete the reassignment, and 3.9 led. It does not conform."""
    log = read_log(UPGRADE)
    directories = ["P3JbgmAKPgDu_qUEqHf3yg", "mAmIXG0Yq_VQTzPd1XW-VA", "oEU-2JIm4W7gxiNmWlAlRA"]
    early = {"isr": [2, 3], "leader": 2, "replicas": [1, 2, 3], "removingReplicas": [], "addingReplicas": []}
    alter.with_record(log, 58, lambda data: {**data, **early, "directories": directories}, tmp_path)
    altered = until(read_log(tmp_path), FIRST_TERMS)
    found = JUDGE.log(altered)
    assert (found.verdict, found.violations[0].offset, found.spans[0].releases) == (Verdict.VIOLATES, 58, ("3.9",))
    assert 58 not in [one.offset for one in by_release(altered, "4.4").violations]


def test_a_record_that_is_missing_in_a_later_term_violates(tmp_path: Path) -> None:
    """A fence that is taken out of the term of 4.1 is missed there, by the tables of 4.1."""
    log = read_log(UPGRADE)
    fence = next(
        one.offset
        for batch in log.batches
        for one in batch.metadata_records
        if one.type == "BROKER_REGISTRATION_CHANGE_RECORD" and one.data.get("fenced") == 1 and one.offset > 400
    )
    _without_record(log, fence, tmp_path)
    found = JUDGE.log(until(read_log(tmp_path), 789))
    assert found.verdict is Verdict.VIOLATES
    assert fence - 20 <= found.violations[0].offset <= 789


# -- where no leader says what it is -----------------------------------------------------------------------------------
def _silent(message: Message) -> Message:
    """Controllers register with a level that no release has: nothing says which release leads."""
    type_, version, data = message
    if type_ != "REGISTER_CONTROLLER_RECORD":
        return message
    features = [{**one, "maxSupportedVersion": 99} for one in data["features"]]
    return type_, version, {**data, "features": features}


@pytest.mark.nightly("test_releases_go_back_only_where_nothing_else_explains")
def test_without_registrations_the_tables_tell_the_releases(tmp_path: Path) -> None:
    """Where no leader says what it is, the fewest releases that explain the terms are taken, those that do so alike."""
    log = until(read_log(alter.rewritten(read_log(UPGRADE), _silent, tmp_path)), 873)
    found = JUDGE.log(log)
    assert found.verdict is Verdict.CONFORMS
    assert [(one.first, one.last, one.registered) for one in found.spans] == [(0, 789, False), (790, 873, False)]


@pytest.mark.nightly("test_releases_go_back_only_where_nothing_else_explains")
def test_the_releases_that_are_told_explain_their_terms_alone(tmp_path: Path) -> None:
    """The releases reported for the first terms are exactly those that each explain these records alone."""
    log = until(read_log(alter.rewritten(read_log(UPGRADE), _silent, tmp_path)), 873)
    span = JUDGE.log(log).spans[0]
    prefix = until(log, span.last)
    alone = {name: Monitor(one.for_logs, OPTIONS).judge(prefix, bear=0) for name, one in RELEASES.items()}
    assert list(span.releases) == [name for name, one in alone.items() if one.verdict is Verdict.CONFORMS]


@pytest.mark.representative("reassignment")
@pytest.mark.parametrize("scenario", ["controller-failover", "metadata-upgrade", "reassignment", "snapshots"])
def test_a_log_of_one_release_is_judged_as_by_that_release(scenario: str) -> None:
    """Term by term or whole: the same rows, violations, evidence and findings."""
    path = RECORDED / scenario
    log = read_log(path / "00000000000000000000.log" if (path / "others").exists() else path)
    found = JUDGE.log(log)
    (span,) = found.spans
    whole = by_release(log, *span.releases)
    ours, theirs = found.as_json(), whole.as_json()
    assert len(ours.pop("spans")) == 1
    assert theirs.pop("spans") == []
    assert ours == theirs


def test_a_log_that_begins_with_a_snapshot_is_judged_by_term() -> None:
    """Without its first segments a log begins inside a term: the registered controllers say alike what led."""
    whole = read_log(RECORDED / "snapshots")
    end = sorted(one.end_offset for one in whole.snapshots)[-3]
    batches = tuple(one for one in whole.batches if one.base_offset >= end)
    segments = tuple(one for one in whole.segments if one.base_offset >= end)
    found = JUDGE.log(replace(whole, batches=batches, segments=segments))
    assert (found.verdict, found.first_offset) == (Verdict.CONFORMS, end)
    assert found.spans[0].first == end
    assert [one.releases for one in found.spans] == [("4.3",)]


def test_terms_are_cut_at_leader_changes() -> None:
    """A term lasts from one leader change to the next, and knows what its leader registered."""
    found = terms(read_log(UPGRADE))
    assert [(one.first, one.last, one.leader) for one in found] == [
        (0, 185, 3000),
        (186, 789, 3001),
        (790, 1503, 3000),
        (1504, 1686, 3001),
    ]
    assert [one.registration for one in found] == [Registration(level, False) for level in (21, 27, 33, 33)]


@pytest.mark.parametrize(
    ("explaining", "plan"),
    [
        ([{3, 4}, {0, 1}, {0}], [3, 0, 0]),
        ([{0, 4}, {4}, {0}], [4, 4, 0]),
        ([{0}, {4}], [0, 4]),
        ([{0, 1}, set(), {0, 1}], [0, 0, 0]),
    ],
)
def test_releases_go_back_only_where_nothing_else_explains(explaining: list[set[int]], plan: list[int]) -> None:
    """Of the releases (0 the newest) that explain the terms, those are taken that never go back, then the fewest."""
    trials, no = Trials(), Violation("unexplained", 1, "", "", "")
    candidates = [Candidate(one) for one in RELEASES.values()]
    for at, good in enumerate(explaining):
        trials.found.update({(at, one): None if one in good else no for one in range(len(candidates))})
    possible = [range(len(candidates))] * len(explaining)
    assert _best(possible, trials, candidates) == plan


def test_a_level_without_tables_is_said(tmp_path: Path) -> None:
    """A metadata.version below 7 is met with one sentence; at 7 and above nothing is said."""
    log = read_log(RECORDED / "metadata-upgrade")
    assert {one.beyond for one in terms(log)} == {""}

    def low(message: Message) -> Message:
        type_, version, data = message
        is_it = type_ == "FEATURE_LEVEL_RECORD" and data["featureLevel"] == 7
        return (type_, version, {**data, "featureLevel": 5}) if is_it else message

    altered = terms(read_log(alter.rewritten(log, low, tmp_path)))
    assert altered[0].beyond == "written at metadata.version 5 (3.3-IV1); the tables begin at 7 (3.3-IV3)"
    assert not altered[0].is_older


# -- software older than the tables ------------------------------------------------------------------------------------
def _older(highest: int, level: int) -> Callable[[Message], Message]:
    """Return what makes a log look as one of older software: brokers that support less, a lower metadata.version.

    With `highest` 0 brokers name no metadata.version, below it no broker registers; with `level` 0 no record gives one.
    """

    def change(message: Message) -> Message:
        type_, version, data = message
        if type_ == "FEATURE_LEVEL_RECORD" and data["name"] == "metadata.version":
            return (type_, version, {**data, "featureLevel": level}) if level else ("NO_OP_RECORD", 0, {})
        if type_ == "REGISTER_CONTROLLER_RECORD" or (type_ == "REGISTER_BROKER_RECORD" and highest < 0):
            return ("NO_OP_RECORD", 0, {})
        if type_ == "REGISTER_BROKER_RECORD":
            supported = {"name": "metadata.version", "minSupportedVersion": 1, "maxSupportedVersion": highest}
            return (type_, version, {**data, "features": [supported] if highest else []})
        return message

    return change


@pytest.mark.parametrize(
    ("highest", "level", "wrote"),
    [
        (-1, 0, "3.2 or older, or its beginning is lost (no metadata.version, and no registration)"),
        (0, 0, "3.2 or older (no metadata.version)"),
        (8, 8, "3.4 (its brokers support metadata.version up to 8, 3.4-IV0)"),
        (11, 11, "3.5 (its brokers support metadata.version up to 11, 3.5-IV2)"),
        (14, 14, "3.6 (its brokers support metadata.version up to 14, 3.6-IV2)"),
    ],
)
def test_a_log_of_older_software_is_not_accused(tmp_path: Path, highest: int, level: int, wrote: str) -> None:
    """Where the oldest tables do not explain it, it is undecided from there on, in one sentence, without a finding."""
    log = read_log(alter.rewritten(read_log(RECORDED / "rolling-restart"), _older(highest, level), tmp_path))
    found = JUDGE.log(log)
    assert (found.verdict, found.violations, found.findings) == (Verdict.UNDECIDED, [], [])
    (doubt,) = found.doubts
    refused = f"tables are known from 3.7 on, and do not explain offset {doubt.first}"
    assert (doubt.message, doubt.last) == (f"written by Kafka {wrote}; {refused}", log.batches[-1].last_offset)
    assert [one.releases for one in found.spans] == [("3.7",)]


def test_a_log_of_older_software_that_conforms_says_which_tables_it_was_judged_by(tmp_path: Path) -> None:
    """3.7's are the oldest; a note names them, and what the brokers' registrations say."""
    log = read_log(alter.rewritten(read_log(RECORDED / "metadata-upgrade"), _older(14, 7), tmp_path))
    before = [one for one in log.batches if one.last_offset < 5]
    found = JUDGE.log(replace(log, batches=log.batches[: len(before) + 8]))
    assert found.verdict is Verdict.CONFORMS
    assert [one.releases for one in found.spans] == [("3.7",)]
    said = [one for one in found.notes if "support metadata.version up to 14" in one]
    assert [one.partition(". ")[2] for one in said] == ["The tables of 3.7 were used."]


def test_one_newer_node_makes_a_log_one_that_tables_are_for(tmp_path: Path) -> None:
    """While a cluster is upgraded its newest registered node counts: the log is held against all tables."""
    change, seen = _older(14, 14), list[int]()

    def mixed(message: Message) -> Message:
        if message[0] == "REGISTER_BROKER_RECORD":
            seen.append(message[2]["brokerId"])
            if seen[-1] == seen[0]:
                return message
        return change(message)

    log = read_log(alter.rewritten(read_log(RECORDED / "rolling-restart"), mixed, tmp_path))
    assert {one.beyond for one in terms(log)} == {""}


# -- from ZooKeeper ----------------------------------------------------------------------------------------------------
def test_a_migration_from_zookeeper_conforms() -> None:
    """Waiting, copied, finished: every record is explained, the copy by its own rows, and the setting is known."""
    found = judged(FROM_ZOOKEEPER)
    assert (found.verdict, found.violations, found.findings) == (Verdict.CONFORMS, [], [])
    assert found.spans == (Span(0, 447, ("3.9",), True, True), Span(448, 602, ("3.9",), True, False))
    assert {id: found.rows.get(id) for id in ("ZM1", "ZM2", "ZM3", "ZM9", "ZM10", "AC5")} == {
        "ZM1": 1,
        "ZM2": 4,
        "ZM3": 12,
        "ZM9": 1,
        "ZM10": 1,
        "AC5": 1,
    }
    assert "ZK_MIGRATION_STATE_RECORD" not in found.passed


def test_the_tables_of_a_release_alone_do_not_explain_a_migration() -> None:
    """3.9 as a release of new clusters knows neither the state in which this one waits nor its copy."""
    found = Monitor(RELEASES["3.9"].for_logs, OPTIONS).judge(read_log(FROM_ZOOKEEPER), bear=0)
    assert (found.verdict, found.violations[0].offset) == (Verdict.VIOLATES, 4)


def _without(*names: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda data: {name: value for name, value in data.items() if name not in names}


@pytest.mark.representative("copied again")
@pytest.mark.parametrize(
    ("offset", "change"),
    [
        (4 - 1, lambda data: {**data, "zkMigrationState": 1}),
        (53, lambda data: {**data, "leader": 3}),
        (80, lambda data: {**data, "zkMigrationState": 3}),
        (139, _without("leader")),
        (206, _without("leader")),
        (449, lambda data: {**data, "zkMigrationState": 1}),
    ],
    ids=["begins as copied", "leader not in sync", "copied as finished", "no bump", "no bump later", "copied again"],
)
def test_an_altered_migration_violates(
    tmp_path: Path, offset: int, change: Callable[[dict[str, Any]], dict[str, Any]]
) -> None:
    """A transition that is none, a partition that cannot be, a shrink that does not raise the leader epoch."""
    alter.with_record(read_log(FROM_ZOOKEEPER), offset, change, tmp_path)
    found = JUDGE.log(read_log(tmp_path))
    assert found.verdict is Verdict.VIOLATES
    assert found.violations[0].offset in range(offset, offset + 3)


def test_a_shrink_after_the_migration_does_not_raise_the_leader_epoch(tmp_path: Path) -> None:
    """Once a controller leads that has the migration off, a shrink that raises the epoch is none of 3.9's."""
    log = read_log(FROM_ZOOKEEPER)
    isr: dict[tuple[str, int], tuple[list[int], int]] = {}
    shrinks = []
    for record in (one for batch in log.batches for one in batch.metadata_records):
        data = record.data
        key = (data.get("topicId", ""), data.get("partitionId", -1))
        if record.type == "PARTITION_RECORD":
            isr[key] = (data["isr"], data["leader"])
        elif record.type == "PARTITION_CHANGE_RECORD":
            old, leader = isr[key]
            if set(data.get("isr") or old) < set(old) and data.get("leader", -2) == -2:
                shrinks.append((record.offset, leader))
            isr[key] = (data.get("isr") or old, data["leader"] if data.get("leader", -2) != -2 else leader)
    assert len(shrinks) > 3
    assert shrinks[0][0] > 449
    offset, leader = shrinks[0]
    alter.with_record(log, offset, lambda data: {**data, "leader": leader}, tmp_path)
    assert JUDGE.log(read_log(tmp_path)).verdict is Verdict.VIOLATES


def test_a_copied_partition_that_is_missing_is_noticed(tmp_path: Path) -> None:
    """Without the record of a copied partition its next change is about nothing."""
    _without_record(read_log(FROM_ZOOKEEPER), COPIED[0] + 2, tmp_path)
    assert JUDGE.log(read_log(tmp_path)).verdict is Verdict.VIOLATES


# -- under Spark -------------------------------------------------------------------------------------------------------
@pytest.mark.nightly("tests/conformance/test_spark.py::test_spark_gives_the_results_of_the_single_process")
@pytest.mark.spark
def test_spark_judges_by_term_as_one_process_does() -> None:
    """The same verdicts, spans and rows for an upgrade, a migration and a log of one release."""
    paths = [UPGRADE, FROM_ZOOKEEPER, RECORDED / "reassignment"]
    here, there = conform(paths, None), conform(paths, None, spark=True)
    assert [log.as_json() for log in there.logs] == [log.as_json() for log in here.logs]
    assert there.scope == here.scope
