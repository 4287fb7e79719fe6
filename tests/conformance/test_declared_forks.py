"""Logs of forks that are declared: their records and tags are read, have words, are kept as state and made blank.

The two logs were made by hand in the shapes that the public sources of AutoMQ 1.7.3 and of Inkless 0.47 write, and
kafka-dump-log 4.4.0 reads their batches; no log of a running fork is among them.
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.cause import Cause
from fencepost.checkers.cli.main import main
from fencepost.checkers.conformance import LogResult, conform
from fencepost.checkers.conformance.records import forks as taking
from fencepost.checkers.conformance.records.static_settings import StaticSettings
from fencepost.checkers.operations.about import about_of
from fencepost.checkers.operations.health import health
from fencepost.checkers.operations.moments import END, when
from fencepost.checkers.operations.records import records
from fencepost.checkers.operations.story import story
from fencepost.checkers.operations.takeovers import takeovers_of
from fencepost.checkers.verdicts import Verdict
from fencepost.traces import (
    AnyRecord,
    Batch,
    MetadataLog,
    Record,
    Undecodable,
    dump_text,
    find_log,
    placed,
    read_log,
    write_log,
)
from fencepost.traces.forks import SHIPPED, Fork, ForkState, fork_of, own_records, shipped
from fencepost.traces.redaction import Redaction

FORKS = Path(__file__).parent / "fixtures" / "forks"
AUTOMQ, INKLESS = FORKS / "automq", FORKS / "inkless"
RECORDED = Path(__file__).parents[2] / "traces" / "recorded"
ALL = about_of(None, None, None, ())


def conformed(path: Path, fork: Fork | None = None) -> LogResult:
    """Return what `conform` says of the one log at a path."""
    (found,) = conform([path], None, fork=fork).logs
    return found


def story_of(path: Path, begin: str = "0", end: str = END) -> dict[str, Any]:
    """Return the story of a log."""
    source = find_log(str(path))
    return story(source, when(begin, source, "--from"), when(end, source, "--to"), ALL)


def state_at(path: Path, at: str) -> dict[str, Any]:
    """Return the health of a log at an offset."""
    source = find_log(str(path))
    return health(source, when(at, source), StaticSettings(), 3600.0).document


def says(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, dict[str, Any]]:
    """Return what a command line ends with, and its document."""
    capsys.readouterr()
    code = main([*map(str, arguments), "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_every_record_type_and_tag_of_the_public_sources_is_declared() -> None:
    """19 record types of AutoMQ's, 3 tags of Inkless', each with words."""
    automq, inkless = shipped("automq"), shipped("inkless")
    keys = [*range(501, 519), 600]
    assert ([one.key for one in automq.records], [one.tag for one in inkless.tags]) == (keys, [100, 101, 102])
    assert all(one.words for one in (*automq.records, *inkless.tags))
    assert not [one for one in (*automq.records, *inkless.tags) if one.changes]


@pytest.mark.parametrize("name", SHIPPED)
def test_a_declaration_is_the_same_in_another_process(name: str) -> None:
    """It is sent to workers by its fields alone."""
    fork = shipped(name)
    fork.codec(501, 0)
    assert pickle.loads(pickle.dumps(fork)) == fork


def test_records_of_a_fork_come_back_to_the_byte() -> None:
    """What each record of AutoMQ's says is encoded to the bytes that it was read from."""
    fork = shipped("automq")
    found = list(own_records(read_log(AUTOMQ).batches, fork))
    assert len(found) == 71
    assert [fork.encode(one) for one in found] == [one.raw for one in found]


# -- conform -----------------------------------------------------------------------------------------------------------
def test_a_log_of_automq_conforms_to_the_rows_of_its_controller() -> None:
    """The broker's death too: another broker gets its partitions. Which declaration was taken is said."""
    found = conformed(AUTOMQ)
    assert (found.verdict, found.doubts, found.protocol) == (Verdict.CONFORMS, [], "kraft@automq-1.7")
    assert found.releases == ("kraft@automq-1.7",)
    assert "Read by the declaration of AutoMQ, a fork of Kafka (offset 3 finalizes automq.version)." in found.notes
    assert found.passed["S3_STREAM_RECORD"] == 16
    assert ("F1", "HB4", "HB5", "HB7", "RA3") in found.classes


def test_without_these_rows_it_is_undecided_where_its_controller_has_a_rule_of_its_own() -> None:
    """Not in front of it: all that AutoMQ's records change is none of Kafka's."""
    found = conformed(AUTOMQ, replace(shipped("automq"), rows=""))
    assert (found.verdict, found.violations, found.findings) == (Verdict.UNDECIDED, [], [])
    (doubt,) = found.doubts
    assert (doubt.first, doubt.cause) == (79, Cause.NOT_MODELLED)
    assert "the controller of AutoMQ has rules of its own" in doubt.message
    assert found.passed["S3_STREAM_RECORD"] == 12


@pytest.mark.representative("said0-the broker that is fenced", "said4-a leader at once")
@pytest.mark.parametrize(("said", "why"), [
    ({"isr": [1], "replicas": [1]}, "the broker that is fenced"),
    ({"isr": [7], "replicas": [7]}, "no broker"),
    ({"isr": [2, 3], "replicas": [2, 3]}, "two brokers"),
    ({"replicas": [2]}, "another ISR"),
    ({"leader": 3}, "a leader at once"),
    ({"directories": ["mAmIXG0Yq_VQTzPd1XW-VA"]}, "another broker's directory"),
])  # fmt: skip
def test_a_fence_that_hands_over_otherwise_is_not_explained(tmp_path: Path, said: dict[str, Any], why: str) -> None:
    """One other active broker is replica and ISR, with its directory, and no leader."""

    def other(one: AnyRecord) -> AnyRecord:
        is_it = isinstance(one, Record) and one.offset == 79
        return replace(one, data={**one.data, **said}) if is_it else one  # type: ignore[union-attr, call-arg]

    found = conformed(altered(read_log(AUTOMQ), other, tmp_path))
    assert (found.verdict, [one.first for one in found.doubts]) == (Verdict.UNDECIDED, [79])


def test_a_partition_that_is_not_handed_over_is_noticed(tmp_path: Path) -> None:
    """Each partition of a broker that is fenced goes to another."""

    def other(one: AnyRecord) -> AnyRecord:
        is_it = isinstance(one, Record) and one.offset == 79
        return replace(one, type="NO_OP_RECORD", version=0, data={}) if is_it else one  # type: ignore[call-arg]

    found = conformed(altered(read_log(AUTOMQ), other, tmp_path))
    assert [one.first for one in found.doubts] == [80]


def test_a_log_of_inkless_conforms_to_the_rows_of_its_controller() -> None:
    """The switch of a topic and its four seals, too; its snapshot has the seals, and is compared."""
    found = conformed(INKLESS)
    assert (found.verdict, found.doubts, found.protocol) == (Verdict.CONFORMS, [], "kraft@inkless")
    assert (found.rows["CM1"], found.classes[("AS5", "IL8")], found.snapshots_compared) == (1, 4, 1)


@pytest.mark.parametrize(("said", "cell"), [((0, 0, 8), "seal"), ((102, 4, 0, 0, 0, 1), "diskless_epoch")])
def test_a_seal_that_a_snapshot_has_otherwise_is_noticed(said: tuple[int, ...], cell: str, tmp_path: Path) -> None:
    """Seals and their leader epochs are a part of the state, so that a snapshot has to have them as the log does."""
    log = read_log(INKLESS)
    (snapshot,) = log.snapshots

    def other(one: AnyRecord) -> AnyRecord:
        bears = isinstance(one, Record) and one.type == "PARTITION_RECORD" and one.raw is not None
        another = bytes((*said[:-1], said[-1] + 1))
        return replace(one, raw=one.raw.replace(bytes(said), another)) if bears else one  # type: ignore

    batches = [replace(one, records=tuple(map(other, one.records)), raw=None) for one in snapshot.batches]
    changed = replace(snapshot, batches=placed(batches, snapshot.segment))
    write_log(replace(log, snapshots=(changed,)), tmp_path)
    found = conformed(tmp_path, replace(shipped("inkless"), rules=()))
    assert found.violations
    assert all(f"{cell}[" in one.message for one in found.violations)


def test_a_log_of_inkless_that_begins_with_a_snapshot_conforms(tmp_path: Path) -> None:
    """What was switched before is known from the tags of its partitions."""
    log = read_log(INKLESS)
    name = "00000000000000000055.log"
    batches = placed([one for one in log.batches if one.base_offset >= 55], name)
    write_log(replace(log, segments=(replace(log.segments[0], name=name, base_offset=55),), batches=batches), tmp_path)
    found = conformed(tmp_path)
    assert (found.verdict, found.began_with) == (Verdict.CONFORMS, log.snapshots[0].segment)


def test_without_these_rows_inkless_is_undecided_at_the_switch() -> None:
    """What precedes the switch is checked; the switch is no violation."""
    found = conformed(INKLESS, replace(shipped("inkless"), rows=""))
    assert (found.verdict, found.violations, [one.first for one in found.doubts]) == (Verdict.UNDECIDED, [], [47])


def cut(log: MetadataLog, end: int, to: Path) -> Path:
    """Write the batches of a log up to an offset, without its snapshots."""
    batches = [one for one in log.batches if one.last_offset < end]
    write_log(replace(log, batches=placed(batches, log.segments[0].name), snapshots=()), to)
    return to


def test_what_kafkas_rules_explain_conforms(tmp_path: Path) -> None:
    """AutoMQ's records by themselves leave nothing undecided: up to the broker's death its log conforms."""
    found = conformed(cut(read_log(AUTOMQ), 79, tmp_path))
    assert (found.verdict, found.doubts, found.records) == (Verdict.CONFORMS, [], 78)


def test_what_no_declaration_has_is_undecided(tmp_path: Path) -> None:
    """An api key, or a version, that a fork's declaration leaves out is named with the fork."""
    fork = shipped("automq")
    some = replace(fork, records=tuple(one for one in fork.records if one.key != 503))
    (doubt,) = conformed(AUTOMQ, some).doubts
    assert doubt.first == 39
    assert "api key 503" in doubt.message
    assert "none that the declaration of AutoMQ has" in doubt.message


def altered(log: MetadataLog, change: Callable[[AnyRecord], AnyRecord], to: Path) -> Path:
    """Write a log with other records at their offsets."""
    batches = [replace(one, records=tuple(map(change, one.records)), raw=None) for one in log.batches]
    write_log(replace(log, batches=placed(batches, log.segments[0].name)), to)
    return to


def test_bytes_that_are_not_as_declared_are_undecided(tmp_path: Path) -> None:
    """A record that ends too early is named with its api key."""

    def cut(one: AnyRecord) -> AnyRecord:
        is_it = isinstance(one, Undecodable) and one.offset == 42 and one.value is not None
        return replace(one, value=one.value[:-1]) if is_it else one  # type: ignore[union-attr, call-arg, index]

    (doubt,) = conformed(altered(read_log(AUTOMQ), cut, tmp_path)).doubts
    assert doubt.first == 42
    assert "the bytes of api key 501 are not as the declaration of AutoMQ has them" in doubt.message


def test_a_log_without_a_sign_is_read_by_the_declaration_that_is_named(tmp_path: Path) -> None:
    """AutoMQ 1.0.0 has no feature of its own: its log is undecided, or read with --fork automq."""

    def unsigned(one: AnyRecord) -> AnyRecord:
        is_sign = isinstance(one, Record) and one.data.get("name") == "automq.version"
        return replace(one, type="NO_OP_RECORD", version=0, data={}) if is_sign else one  # type: ignore[call-arg]

    altered(read_log(AUTOMQ), unsigned, tmp_path)
    assert conformed(tmp_path).fork is None
    assert conformed(tmp_path, fork_of("automq")).fork == shipped("automq")


@pytest.mark.representative("first-boot")
@pytest.mark.parametrize("name", ["first-boot", "kill-nine-elr", "snapshots"])
def test_an_ordinary_log_is_searched_for_no_sign(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where every record is Apache Kafka's no declaration is even read."""

    def never(name: str) -> Fork:
        raise AssertionError(name)

    monkeypatch.setattr(taking, "shipped", never)
    assert conformed(RECORDED / name).verdict is Verdict.CONFORMS
    story_of(RECORDED / name)
    state_at(RECORDED / name, END)


# -- story, show -------------------------------------------------------------------------------------------------------
def test_each_record_of_a_fork_has_words() -> None:
    """All 71 are events of their own, in order; records without an event have none in Kafka's logs, either."""
    found = story_of(AUTOMQ)
    words = {one["offset"]: one["words"] for one in found["events"]}
    assert not [at for at, one in words.items() if not one]
    assert found["ends"] is None
    assert set(found["untold"]) <= {"NO_OP_RECORD", "ZK_MIGRATION_STATE_RECORD"}
    assert {one.offset for one in own_records(read_log(AUTOMQ).batches, shipped("automq"))} <= words.keys()
    assert list(words) == sorted(words)
    assert words[37] == "stream 0 is created"
    assert words[67] == (
        "stream 0 is in the object store up to offset 2; stream 1 is in the object store up to offset 500"
    )


def test_a_switch_to_diskless_is_told_with_its_seals() -> None:
    """Each partition with its offset, and how long after the beginning of the switch."""
    found = story_of(INKLESS, "45", "54")
    words = [part["words"] for one in found["events"] for part in one["partitions"]]
    assert [one.split(":")[0] for one in words] == [
        *(f"t3-{at} (epochs alone) (the switch to diskless begins, the classic log is sealed)" for at in range(4)),
        "t3-0 (epochs alone) (sealed at offset 5 after 140 ms",
        "t3-3 (epochs alone) (sealed at offset 7 after 140 ms",
        "t3-1 (epochs alone) (sealed at offset 8 after 151 ms",
        "t3-2 (epochs alone) (sealed at offset 0 after 166 ms",
    ]
    assert not [one for one in found["events"] if one["explained"] is False]


def test_the_rows_of_a_story_are_those_of_the_fork() -> None:
    """Switch and seals of Inkless; the fence and the election of AutoMQ: nothing of both is unexplained."""
    rows = {}
    for log, begin, end in ((INKLESS, "45", "54"), (AUTOMQ, "79", "97")):
        found = story_of(log, begin, end)
        assert not [one for one in found["events"] if one["explained"] is False]
        rows |= {one["offset"]: [row["id"] for row in one["rows"]] for one in found["events"] if one["rows"]}
        assert {id for some in rows.values() for id in some} >= found["rows"].keys()
    assert rows == {
        45: ["CM1"],
        **{offset: ["AS5", "IL8"] for offset in (51, 52, 53, 54)},
        79: ["F1", "HB4", "HB5"],
        97: ["AD3", "AD4", "EL3", "EU3"],
    }


def test_a_setting_in_front_of_the_first_tag_is_known_behind_it(tmp_path: Path) -> None:
    """At the first tag a story goes on under the fork's rows, which have a cell for what is a setting to Kafka's."""
    log = read_log(INKLESS)
    parts = {one.offset: one for one in log.batches if one.base_offset == 45 for one in one.records}
    whole = next(one for one in log.batches if one.base_offset == 45)
    first = replace(whole, last_offset=46, records=tuple(parts[at] for at in (45, 46)), count=2, raw=None)
    second = replace(whole, base_offset=47, records=tuple(parts[at] for at in range(47, 51)), count=4, raw=None)
    batches = [one for old in log.batches for one in ((first, second) if old is whole else (old,))]
    write_log(replace(log, batches=placed(batches, log.segments[0].name), snapshots=()), tmp_path)
    found = {one["offset"]: one for one in story_of(tmp_path, "45", "54")["events"]}
    # Marks without their setting in the same batch are none of a row's.
    assert ([row["id"] for row in found[45]["rows"]], found[47]["rows"]) == (["CM1"], [])
    assert [row["id"] for row in found[51]["rows"]] == ["AS5", "IL8"]


def test_records_are_listed_by_name_and_fields() -> None:
    """By type, by broker, and with what JSON and packed numbers say."""
    source = find_log(str(AUTOMQ))
    everything = (when("0", source, "--from"), when(END, source, "--to"))
    of_type = records(source, *everything, about_of(None, None, None, ["KVRECORD"]))
    assert of_type["counts"]["shown"] == 9
    assert of_type["records"][6]["data"]["keyValues"] == [
        {"key": "_kafka_pO07F7ZX1wp0Y5TXJnz6fQ/b0F1dG9NUS1wYXltZW50cw/0", "value": "AAAAAAAAAAQ=", "namespace": None}
    ]
    assert of_type["records"][7]["data"]["keyValues"][0]["value"][0]["n"] == 1
    of_broker = records(source, *everything, about_of(None, 1, None, ["RANGE_RECORD"]))
    assert [one["offset"] for one in of_broker["records"]] == [39, 44, 92, 95]
    source = find_log(str(INKLESS))
    (sealed,) = records(source, when("54", source, "--from"), when("54", source, "--to"), ALL)["records"]
    assert sealed["tags"] == {"classicToDisklessStartOffset": 0, "leaderEpochAtSeal": 1}


@pytest.mark.parametrize(("log", "at", "path", "text"), [
    (AUTOMQ, 90, "/automq/streams/1/streamState", "0"),
    (AUTOMQ, 96, "/automq/streams/1/streamState", "1"),
    (AUTOMQ, 103, "/automq/ranges/1/1/nodeId", "3"),
    (INKLESS, 50, "/inkless/switch/etjApLlITuaL4ubGMFkFBw/2/classicToDisklessStartOffset", "-2"),
    (INKLESS, 54, "/inkless/switch/etjApLlITuaL4ubGMFkFBw/2/classicToDisklessStartOffset", "0"),
])  # fmt: skip
def test_the_state_of_a_fork_is_shown(
    capsys: pytest.CaptureFixture[str], log: Path, at: int, path: str, text: str
) -> None:
    """As a part of the tree, at any offset, that of Kafka's records beside it."""
    code, document = says(capsys, "show", log, "--at", str(at), "--tree", path)
    assert (code, document["nodes"]) == (0, [{"path": path, "text": text}])


def test_the_state_of_kafka_is_known_behind_a_forks_records(capsys: pytest.CaptureFixture[str]) -> None:
    """orders-0 is there at offset 50, as the log says."""
    code, document = says(capsys, "show", AUTOMQ, "--partition", "orders-0", "--at", "50")
    assert (code, document["state"]["leader"]) == (0, 1)


# -- takeovers ---------------------------------------------------------------------------------------------------------
def test_a_takeover_is_told_from_its_begin_to_its_end() -> None:
    """The failed node, the one that reads its log, what is saved and closed, and where the streams go on."""
    words = {one["offset"]: one["words"] for one in story_of(AUTOMQ, "79", "97")["events"]}
    assert words[81] == "the takeover of the log of the failed node 1 by node 0 begins"
    assert words[82] == "node 0 opens the log of the failed node 1 (takeover since @81)"
    assert words[86] == "object 3 holds what the log of the failed node 1 had"
    assert words[89] == "stream 1 of the failed node 1 is closed"
    assert words[90] == (
        "the takeover of the log of node 1 by node 0 is over after 924 ms (begun @81): its log is opened, 1 object "
        "saved from it, streams 0, 1 closed"
    )
    assert words[96] == "stream 1 goes on at node 3, before that at node 1, from offset 731 on"


@pytest.mark.parametrize(("at", "noted"), [
    ("80", ["streams 0, 1 open at node 1, which is fenced: their last records may be in its log alone"]),
    ("81", ["the takeover of the log of the failed node 1 by node 0 has no end: its log is not opened, 0 objects saved "
            "from it, no stream closed"]),
    ("88", ["the takeover of the log of the failed node 1 by node 0 has no end: its log is opened, 1 object saved from "
            "it, stream 0 closed"]),
    ("90", []),
    ("end", []),
])  # fmt: skip
def test_a_takeover_without_an_end_is_noted(at: str, noted: list[str]) -> None:
    """From its begin to its end, with how far it is; in front of it that a fenced node has open streams."""
    document = state_at(AUTOMQ, at)
    assert [one["words"] for one in document["fork"]["conditions"]] == noted
    assert document["status"] == ("unhealthy" if at != "end" else "attention")
    if at == "end":
        assert (document["partitions"]["offline"], [one["broker"] for one in document["brokers"]["fenced"]]) == (
            [],
            [1],
        )


def test_a_leader_without_its_streams_is_noted(tmp_path: Path) -> None:
    """A move is not over while the partition's streams are open at another node than its leader."""
    log = read_log(AUTOMQ)
    batches: list[Batch] = []
    for batch in log.batches:
        if 88 <= batch.base_offset <= 96 or batch.base_offset > 97:
            continue
        start = batches[-1].last_offset + 1 if batches else 0
        moved = tuple(replace(one, offset=start + at) for at, one in enumerate(batch.records))
        batches.append(replace(batch, base_offset=start, last_offset=start + len(moved) - 1, records=moved, raw=None))
    write_log(replace(log, batches=placed(batches, log.segments[0].name)), tmp_path)
    words = [one["words"] for one in state_at(tmp_path, END)["fork"]["conditions"]]
    assert words[-1] == "orders-0 is led by node 3, its streams are open at node 1: an open move"


def test_why_follows_a_partition_from_the_fence_through_the_takeover_to_its_leader(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The move and the fence, the takeover of the failed node's log, the partition's own streams, the leader."""
    code, document = says(capsys, "why", AUTOMQ, "partition", "orders-0")
    assert code == 0
    chain = {one["offset"]: (one["sort"], one["name"]) for one in document["chain"]}
    assert list(chain) == [79, 80, 81, 82, 86, 88, 89, 90, 93, 96, 97]
    assert (chain[80], chain[81], chain[97]) == (("broker", "1"), ("fork", "AutoMQ"), ("partition", "orders-0"))


def test_of_a_partition_that_did_not_move_nothing_is_followed(capsys: pytest.CaptureFixture[str]) -> None:
    """payments-0 is on broker 3 all the time."""
    _, document = says(capsys, "why", AUTOMQ, "partition", "payments-0")
    assert not [one for one in document["chain"] if one["sort"] == "fork"]


def test_only_a_fork_with_such_records_has_takeovers() -> None:
    """Inkless has none."""
    assert takeovers_of(shipped("inkless")) is None
    assert takeovers_of(shipped("automq")) is not None


# -- switches ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("at", "stuck"), [("46", None), ("50", [0, 1, 2, 3]), ("52", [1, 2]), ("54", [])])
def test_partitions_that_are_stuck_in_a_switch_are_noted(at: str, stuck: list[int] | None) -> None:
    """Since the record with which the switch began."""
    found = state_at(INKLESS, at)["fork"]
    if stuck is None:
        assert found is None
        return
    conditions = found["conditions"]
    assert [one["partition"] for one in conditions] == [f"t3-{number}" for number in stuck]
    assert [one["since"]["offset"] for one in conditions] == [47 + number for number in stuck]
    assert all("is stuck in its switch to diskless" in one["words"] for one in conditions)


def test_a_topic_that_is_deleted_is_not_stuck() -> None:
    """What tags say of a partition ends with its topic."""
    state = ForkState(shipped("inkless"))
    log = read_log(INKLESS)
    for record in own_records(log.batches, shipped("inkless")):
        if record.offset <= 50:
            state.apply(record)
    assert len(list(state.conditions())) == 4
    state.apply(Record(55, 0, "REMOVE_TOPIC_RECORD", 0, {"topicId": "etjApLlITuaL4ubGMFkFBw"}))
    assert list(state.conditions()) == []


def test_why_follows_the_switch_of_a_partition(capsys: pytest.CaptureFixture[str]) -> None:
    """Its creation, the mark and the seal, each with the rows of the fork that may have written it."""
    code, document = says(capsys, "why", INKLESS, "partition", "t3-1", "--at", "60")
    rows = {one["offset"]: [row["id"] for row in one["rows"]] for one in document["chain"]}
    assert (code, rows) == (0, {33: ["CT3"], 48: ["CM1"], 53: ["AS5", "IL8"]})
    assert document["rows"].keys() == {"CT3", "CM1", "AS5", "IL8"}


# -- redact, dumps -----------------------------------------------------------------------------------------------------
def test_a_redacted_copy_holds_no_text_of_a_forks_records(tmp_path: Path) -> None:
    """Addresses, cluster ids and keys are letters x; numbers and what the declaration keeps are as they were."""
    write_log(Redaction((), shipped("automq")).log(read_log(AUTOMQ)), tmp_path)
    bytes_ = next(tmp_path.glob("*.log")).read_bytes()
    texts = (b"wal-bucket", b"pO07F7ZX1wp0Y5TXJnz6fQ", b"__automq_node", b"b0F1dG9NUS1")
    assert not [one for one in texts if one in bytes_]
    before, after = (list(own_records(read_log(one).batches, shipped("automq"))) for one in (AUTOMQ, tmp_path))
    assert [(one.type, one.version, one.offset) for one in after] == [
        (one.type, one.version, one.offset) for one in before
    ]
    same = [one.raw for one in before if one.type not in ("KVRECORD", "S3_STREAM_RECORD")]
    assert same == [one.raw for one in after if one.type not in ("KVRECORD", "S3_STREAM_RECORD")]
    words = {one["offset"]: one["words"] for one in story_of(tmp_path, "79", "97")["events"]}
    assert words[81] == "the takeover of the log of the failed node 1 by node 0 begins"


def test_a_redacted_copy_keeps_the_numbers_of_tags(tmp_path: Path) -> None:
    """A tag with numbers alone has the same bytes in the copy."""
    write_log(Redaction(("diskless.enable",), shipped("inkless")).log(read_log(INKLESS)), tmp_path)
    before, after = (list(own_records(read_log(one).batches, shipped("inkless"))) for one in (INKLESS, tmp_path))
    assert [one.raw for one in after] == [one.raw for one in before]


def test_a_dump_of_the_forks_own_tool_is_read(tmp_path: Path) -> None:
    """It prints the names of its records: each is read as from its bytes."""
    fork = shipped("automq")
    log = read_log(AUTOMQ)
    batches = [replace(one, records=fork.batch(one).records) for one in log.batches]
    file = tmp_path / "dump.txt"
    file.write_text(dump_text(replace(log, batches=batches)), "utf-8")
    found = read_log(file)
    mine = list(own_records(found.batches, fork))
    assert [one.raw for one in mine] == [one.raw for one in own_records(log.batches, fork)]
    assert conformed(file).verdict is Verdict.CONFORMS


def test_the_command_redact_says_which_fork(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Of an ordinary log none."""
    assert says(capsys, "redact", AUTOMQ, "--to", tmp_path / "one")[1]["fork"] == "AutoMQ"
    assert says(capsys, "redact", RECORDED / "first-boot", "--to", tmp_path / "other")[1]["fork"] is None


def with_own_record(log: MetadataLog, to: Path, at: int) -> Path:
    """Write a log of which one snapshot holds a record of AutoMQ's, behind its own."""
    own = shipped("automq").encode(Record(0, 0, "ASSIGNED_STREAM_ID_RECORD", 0, {"assignedStreamId": 7}))
    snapshot = log.snapshots[at]
    *first, last, footer = snapshot.batches
    more = Undecodable(last.last_offset + 1, last.base_timestamp, "", None, own)
    longer = replace(
        last, records=(*last.records, more), last_offset=more.offset, count=len(last.records) + 1, raw=None
    )
    (end,) = footer.records
    moved = replace(footer, base_offset=more.offset + 1, last_offset=more.offset + 1, raw=None,
                    records=(replace(end, offset=more.offset + 1),))  # fmt: skip
    batches = placed([*first, longer, moved], snapshot.segment)
    others = tuple(one for one in log.snapshots if one is not snapshot)
    write_log(replace(log, snapshots=(*others, replace(snapshot, batches=batches))), to)
    return to


def test_a_snapshot_with_records_of_a_fork_is_compared(tmp_path: Path) -> None:
    """AutoMQ's snapshots have Kafka's records first, then its own; without a declaration such a one is not read."""
    recorded = RECORDED / "quorum" / "trimmed-4.4.0" / "3000"
    log = with_own_record(read_log(recorded), tmp_path, -1)
    declared = replace(shipped("automq"), rows="", rules=())
    found, plain = conformed(log, declared), conformed(recorded)
    assert (found.verdict, found.snapshots_compared) == (plain.verdict, plain.snapshots_compared)
    assert plain.verdict is Verdict.CONFORMS
    assert conformed(log, fork_of("none")).verdict is not Verdict.CONFORMS


def test_a_log_that_begins_with_a_snapshot_of_a_fork_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its state is that of the snapshot, the fork's own beside Kafka's."""
    recorded = read_log(RECORDED / "quorum" / "trimmed-4.4.0" / "3000")
    log = with_own_record(recorded, tmp_path, 0)
    tree = ["show", log, "--at", "end", "--tree", "/automq/assigned/stream/assignedStreamId", "--fork", "automq"]
    code, document = says(capsys, *tree)
    assert (code, document["nodes"][0]["text"]) == (0, "7")
    code, document = says(capsys, "health", log, "--no-findings", "--fork", "automq")
    assert (code in (0, 1), document["fork"]["name"]) == (True, "AutoMQ")
    assert document["known_from"]["offset"] == 370
    assert says(capsys, "health", log, "--no-findings", "--fork", "none")[1]["known_from"]["offset"] == 388
