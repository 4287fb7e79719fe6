"""`fencepost health`: figures of recorded logs, each read off the dump beside the log by hand."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.conformance.records.software import Software
from fencepost.checkers.findings_pages import action
from fencepost.checkers.operations.moments import spelled, when
from fencepost.checkers.operations.replaying import Replaying
from fencepost.checkers.operations.watching import Watch
from fencepost.traces import find_log, read_log
from tests.conformance.alter import rewritten
from tests.widths import too_wide

Says = Callable[..., Any]


def asked(fencepost_says: Says, log: Path, *options: object) -> Any:
    """One call of `health` with a JSON document, the log's known defects not looked for."""
    return fencepost_says("health", log, *map(str, options), "--no-findings", "--json")


def since(found: list[dict[str, Any]], name: str = "partition", of: str = "since") -> dict[Any, int]:
    """The offsets since which something is so, by what it is said of."""
    return {one[name]: one[of]["offset"] for one in found}


def test_offline_fenced_and_reassigning_with_since_when(fencepost_says: Says, recorded: Path) -> None:
    """Broker 1's fence takes s-0's only replica away; three reassignments of offsets 154 to 156 are under way."""
    said = asked(fencepost_says, recorded / "reassignment", "--at", 170)
    document = said.document
    assert (said.code, document["verdict"], document["status"]) == (1, "unhealthy", "unhealthy")
    assert (document["at"]["offset"], document["at"]["time"]) == (170, "2026-11-21T07:13:02.693Z")
    partitions, brokers = document["partitions"], document["brokers"]
    assert since(partitions["offline"]) == {"s-0": 169}
    assert partitions["offline"][0]["waits_for"] == [1]
    assert since(partitions["elr_in_use"]) == {"s-0": 169}
    assert since(partitions["reassigning"]) == {"r-1": 154, "r-2": 155, "s-1": 156}
    assert since(partitions["reassigning"], of="progress") == {"r-1": 163, "r-2": 155, "s-1": 168}
    waits = {one["partition"]: one["waits_for"] for one in partitions["reassigning"]}
    # r-2 goes from three replicas to two: since 4.3 a target that shrinks waits for all of its members (KAFKA-19975).
    assert waits == {"r-1": [3], "r-2": [3, 1], "s-1": [3]}
    assert since(brokers["fenced"], "broker") == {1: 170, 3: 151}
    # 1795245182693 - 1795245177802 ms
    assert brokers["fenced"][1]["since"]["seconds"] == 4.891
    assert document["unclean_elections"] == []


def test_an_unclean_election_and_its_recovery(fencepost_says: Says, recorded: Path) -> None:
    """s-0 gets a leader from no ISR and no ELR at offset 187, and is recovering at the log's moment there."""
    document = asked(fencepost_says, recorded / "reassignment", "--at", 187).document
    (one,) = document["unclean_elections"]
    assert (one["partition"], one["at"]["offset"], one["leader"]) == ("s-0", 187, 1)
    assert (one["isr_before"], one["elr_before"], one["recovering"]) == ([], [], True)
    assert since(document["partitions"]["leader_recovering"]) == {"s-0": 187}
    assert document["partitions"]["offline"] == []


def test_every_unclean_election_is_seen(fencepost_says: Says, recorded: Path) -> None:
    """Up to offset 345 of the log six leaders were in no ISR and no ELR, one of a partition that still recovered."""
    document = asked(fencepost_says, recorded / "kill-nine-elr", "--at", 345).document
    elections = [(one["partition"], one["at"]["offset"], one["leader"]) for one in document["unclean_elections"]]
    assert elections == [
        ("solo-2", 95, 0),
        ("unc-2", 163, 0),
        ("solo-2", 164, 0),
        ("solo-3", 191, 1),
        ("solo-1", 278, 3),
        ("unc-1", 290, 3),
    ]
    assert since(document["partitions"]["leader_recovering"])["solo-2"] == 95


def test_a_reassignment_that_completes_is_no_unclean_election(fencepost_says: Says, recorded: Path) -> None:
    """r-0's new leader 4 joins the ISR with the record that makes it leader (offset 79): nothing is lost."""
    assert asked(fencepost_says, recorded / "reassignment", "--at", 79).document["unclean_elections"] == []


def test_a_broker_that_flaps_is_counted_within_the_window(fencepost_says: Says, recorded: Path) -> None:
    """Broker 0 is fenced at 83, 130 and 298; a window of 40 s leaves the first out."""
    log = recorded / "kill-nine-elr"
    document = asked(fencepost_says, log, "--at", 345).document
    assert document["brokers"]["flapping"] == [{"broker": 0, "registrations": 3, "fences": 3, "unfences": 3}]
    assert since(document["brokers"]["fenced"], "broker") == {0: 298, 1: 323, 2: 345}
    assert asked(fencepost_says, log, "--at", 345, "--window", 40).document["brokers"]["flapping"] == []


def test_a_healthy_cluster_ends_with_0(fencepost_says: Says, recorded: Path) -> None:
    """Before the first kill no partition lacks a leader, a replica or its minimum, and no broker is fenced."""
    said = asked(fencepost_says, recorded / "kill-nine-elr", "--at", 60)
    assert (said.code, said.document["verdict"]) == (0, "healthy")
    counts = said.document["counts"]
    assert (counts["brokers"], counts["active_brokers"], counts["topics"], counts["partitions"]) == (4, 4, 5, 18)
    assert counts["offline"] == counts["under_min_isr"] == counts["under_replicated"] == counts["fenced_brokers"] == 0


def test_a_registration_that_waits_to_be_unfenced(fencepost_says: Says, recorded: Path) -> None:
    """Between its registration at offset 92 and its unfence at 94 broker 0 is registered and was never unfenced."""
    log = recorded / "kill-nine-elr"
    found = asked(fencepost_says, log, "--at", 92).document["brokers"]["never_unfenced"]
    assert [(one["broker"], one["registered"]["offset"], one["ended"]) for one in found] == [(0, 92, None)]
    assert asked(fencepost_says, log, "--at", 94).document["brokers"]["never_unfenced"] == []


@pytest.mark.parametrize(
    "text", ["2026-11-21T07:13:00Z", "2026-11-21T08:13:00+01:00", "07:13", "7:13:00", "2026-11-21T07:13"]
)
def test_a_time_stands_for_the_records_up_to_it(fencepost_says: Says, recorded: Path, text: str) -> None:
    """The last record that is not later than 07:13:00 UTC has offset 158, whichever way the time is written."""
    document = asked(fencepost_says, recorded / "reassignment", "--at", text).document
    assert document["at"]["offset"] == 158
    assert document["at"]["now"] == "2026-11-21T07:13:00.000Z"
    # Broker 3 was fenced at 07:12:57.802.
    assert document["brokers"]["fenced"][0]["since"]["seconds"] == 2.198


def test_the_static_minimum_counts_where_the_log_says_none(fencepost_says: Says, recorded: Path) -> None:
    """No record up to offset 100 sets the minimum (the first one, of the cluster, is at 200); broker 0 is in no ISR.

    So u0's three partitions with two of three replicas in the ISR are under a minimum of 3, at one of 2.
    """
    log = (recorded / "metadata-upgrade", "--at", 100)
    plain = asked(fencepost_says, *log)
    assert (plain.code, plain.document["counts"]["under_min_isr"], plain.document["status"]) == (0, 0, "attention")
    under = asked(fencepost_says, *log, "--static", "min.insync.replicas=3")
    assert (under.code, set(since(under.document["partitions"]["under_min_isr"]))) == (1, {"u0-0", "u0-1", "u0-2"})
    at = asked(fencepost_says, *log, "--static", "min.insync.replicas=2").document["partitions"]
    assert set(since(at["at_min_isr"])) == {"u0-0", "u0-1", "u0-2"}
    later = asked(fencepost_says, recorded / "metadata-upgrade", "--at", 201, "--static", "min.insync.replicas=3")
    assert later.document["partitions"]["under_min_isr"] == []


def test_known_defects_up_to_the_moment(fencepost_says: Says, recorded: Path) -> None:
    """D23 first shows at offset 60 of the log: it is reported with what to do from there on, and not before."""
    found = fencepost_says("health", recorded / "rolling-restart", "--findings", "--at", 60, "--json").document
    assert [(one["finding"], one["offset"], one["action"]) for one in found["findings"]] == [("D23", 60, action("D23"))]
    assert found["judged"]["verdict"] == "conforms"
    before = fencepost_says("health", recorded / "rolling-restart", "--findings", "--at", 59, "--json").document
    assert before["findings"] == []


def test_the_state_is_printed_before_defects_are_looked_for(
    fencepost_says: Says, recorded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who stops the command while the log is checked has read the state already."""

    def stopped(*arguments: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("fencepost.checkers.conformance.conform", stopped)
    said = fencepost_says("health", recorded / "rolling-restart")
    assert said.code == 130
    assert "healthy at offset" in said.out or "attention at offset" in said.out
    assert "known defects" not in said.out


def test_the_software_is_found_out_where_records_say_it(
    fencepost_says: Says, recorded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether the software has tables is asked behind records of registrations and levels, not behind every batch."""
    asked: list[int] = []
    older = Software.older_software
    monkeypatch.setattr(Software, "older_software", lambda self: asked.append(self.noted) or older(self))
    assert fencepost_says("story", recorded / "rolling-restart", "--no-rows").code == 0
    assert asked
    assert len(asked) == len(set(asked))


@pytest.fixture
def later(recorded: Path, tmp_path: Path) -> Path:
    """A log that begins at offset 241, with snapshots that end at 332 and 440."""
    for path in (recorded / "snapshots").iterdir():
        if path.name[0].isdigit() and 241 <= int(path.name[:20]) <= 440:
            shutil.copy(path, tmp_path)
    return tmp_path


def test_a_log_that_begins_at_a_snapshot(fencepost_says: Says, recorded: Path, later: Path) -> None:
    """The state is that of the whole log; what held in the snapshot has held at least since then; before, unknown."""
    document = asked(fencepost_says, later, "--at", 400).document
    whole = asked(fencepost_says, recorded / "snapshots", "--at", 400).document
    assert (document["known_from"]["offset"], document["known_from"]["exact"]) == (331, False)
    assert {name: count for name, count in document["counts"].items() if name != "unclean_elections"} == {
        name: count for name, count in whole["counts"].items() if name != "unclean_elections"
    }
    assert since(document["partitions"]["at_min_isr"]) == since(whole["partitions"]["at_min_isr"])
    # Two reassignments, of offsets 278 and 281, are in the snapshot.
    under_way = asked(fencepost_says, later, "--at", 333).document["partitions"]["reassigning"]
    assert since(under_way) == {"s1-4-1": 331, "s1-5-1": 331}
    assert {one["since"]["exact"] for one in under_way} == {False}
    said = asked(fencepost_says, later, "--at", 300)
    assert (said.code, said.document["verdict"]) == (3, "inconclusive")


def test_a_snapshot_alone_has_a_state(fencepost_says: Says, recorded: Path) -> None:
    """A checkpoint file is enough for the state at its end."""
    file = recorded / "snapshots" / "00000000000000000332-0000000001.checkpoint"
    document = asked(fencepost_says, file).document
    whole = asked(fencepost_says, recorded / "snapshots", "--at", 331).document
    assert document["at"]["offset"] == 331
    assert document["counts"]["partitions"] == whole["counts"]["partitions"] > 0


def test_damage_is_inconclusive_and_a_torn_end_is_not(fencepost_says: Says, recorded: Path, tmp_path: Path) -> None:
    """A flipped byte in the middle ends with 3; a file that ends inside its last batch shows what is before it."""
    name = "00000000000000000000.log"
    whole = (recorded / "reassignment" / name).read_bytes().rstrip(b"\0")
    torn, flipped = tmp_path / "torn", tmp_path / "flipped"
    torn.mkdir()
    flipped.mkdir()
    (torn / name).write_bytes(whole[:-3])
    (flipped / name).write_bytes(whole[:12000] + bytes([whole[12000] ^ 1]) + whole[12001:])
    said = asked(fencepost_says, torn)
    assert (said.code, said.document["counts"]["fenced_brokers"]) == (0, 5)
    assert said.document["notes"] == [f"{name} ends inside a batch: what is in front of it counts."]
    assert asked(fencepost_says, flipped).code == 3


@pytest.mark.parametrize(
    ("at", "sentence"),
    [
        ("yesterday", "--at yesterday: give an offset, a time such as 2026-11-20T10:32:00Z or 10:32, or end"),
        ("25:10", "--at 25:10: give an offset, a time such as 2026-11-20T10:32:00Z or 10:32, or end"),
        ("900", "offset 900 is behind the log's end; its last record is at offset "),
        (
            "2020-01-01",
            "no record up to 2020-01-01: the log begins at offset 0 (2026-11-21 07:12:21 UTC); ask for a later moment",
        ),
    ],
)
def test_a_moment_that_is_none_is_refused(fencepost_says: Says, recorded: Path, at: str, sentence: str) -> None:
    """What is no moment, or none of the log's, is one sentence and exit code 2."""
    said = fencepost_says("health", recorded / "reassignment", "--at", at)
    assert said.code == 2
    assert sentence in said.sentence


def test_a_path_with_several_logs_is_refused(fencepost_says: Says, recorded: Path) -> None:
    """Health is of one log: a folder of several is refused."""
    assert fencepost_says("health", recorded / "controller-failover" / "others").code == 2


def test_a_time_later_than_the_log_is_noted(fencepost_says: Says, recorded: Path) -> None:
    """A moment behind the log's end counts durations up to it, and says that the log ends before."""
    document = asked(fencepost_says, recorded / "kill-nine-elr", "--at", "2026-11-22").document
    assert document["notes"] == ["The log ends at offset 718, before the time that is asked for."]
    assert document["brokers"]["fenced"][0]["since"]["seconds"] > 40_000


@pytest.mark.parametrize("at", ["170", "end"])
def test_the_page_says_what_the_document_says(fencepost_says: Says, recorded: Path, at: str) -> None:
    """The page fits the terminal, names every offline partition by its topic's name, and shows no topic id."""
    log = recorded / "reassignment"
    document = asked(fencepost_says, log, "--at", at).document
    page = fencepost_says("health", log, "--at", at, "--no-findings").out
    assert too_wide(page) == []
    assert all(one["partition"] in page for one in document["partitions"]["offline"])
    assert "iGqyLTCSRNWHDr9Vz46GZQ" not in page
    assert f"fenced brokers: {document['counts']['fenced_brokers']}" in page


def test_partitions_are_grouped_by_cause(fencepost_says: Says, recorded: Path) -> None:
    """All 20 partitions of four dead brokers are offline: a line each, below whom they wait for, on one screen."""
    page = fencepost_says("health", recorded / "kill-nine-elr", "--at", "363", "--no-findings").out
    lines = page.splitlines()
    for one in asked(fencepost_says, recorded / "kill-nine-elr", "--at", "363").document["partitions"]["offline"]:
        (line,) = [each for each in lines if each.startswith(f"    {one['partition']}  ")]
        assert f"(since {one['since']['time'][11:19]} @{one['since']['offset']}): no leader" in line
        assert line.endswith((f"ELR {one['elr']}", f"ELR {one['elr']}; recovering"))
    assert "  offline, comes back with broker 3: 5" in lines
    assert "partitions with a problem: 20 (OfflinePartitionsCount 20, UnderMinIsr 20, Under" in page
    assert len(lines) < 65


def test_the_state_is_the_one_that_show_replays(recorded: Path) -> None:
    """Reading batch by batch comes to the state that the monitor's reader comes to, cell by cell."""
    from fencepost.checkers.cli.show_state import log_at, read_past

    path = str(recorded / "kill-nine-elr")
    source = find_log(path)
    mine = Replaying(source, when("500", source))
    mine.run(Watch())
    past, _ = read_past(log_at(path), 500)
    numbers = {one.name: number for number, one in enumerate(past.state.layout.states)}
    compared = 0
    for number, one in enumerate(mine.state.layout.states):
        if one.what != "hard":
            continue
        for keys, value in mine.state.frame.tables[number].items():
            assert past.state.read((numbers[one.name], keys)) == value, (one.name, keys)
            compared += 1
    assert compared > 300


def test_durations_have_two_units() -> None:
    """A duration is printed with its two largest units."""
    assert [spelled(s) for s in (0.25, 12, 75, 3600, 90_000)] == ["250 ms", "12.0 s", "1 min 15 s", "1 h", "1 d 1 h"]


@pytest.mark.parametrize(
    ("at", "status", "said"),
    [
        (15, "attention", "PRE_MIGRATION since offset 3, nothing is copied yet; no broker has registered with the con"),
        (48, "attention", "PRE_MIGRATION since offset 3, nothing is copied yet; brokers registered in ZooKeeper mode:"),
        (
            300,
            "unhealthy",
            "MIGRATION since offset 80, the metadata is copied, and changes are written to both; brokers",
        ),
        (500, "unhealthy", "POST_MIGRATION since offset 449, it is over"),
    ],
)
def test_a_migration_from_zookeeper_says_for_whom_it_waits(
    fencepost_says: Says, recorded: Path, at: int, status: str, said: str
) -> None:
    """The state of the last ZkMigrationState record, and the brokers that still run in ZooKeeper mode."""
    log = recorded / "zk-migration-3.9.2"
    assert asked(fencepost_says, log, "--at", at).document["status"] == status
    page = fencepost_says("health", log, "--at", str(at), "--no-findings").out
    assert f"migration from ZooKeeper: {said}" in " ".join(page.split())


def test_a_cluster_that_never_saw_zookeeper_has_no_migration(fencepost_says: Says, recorded: Path) -> None:
    """Neither a log without the record nor one whose state is 0 has a line about it."""
    for log in (recorded / "reassignment", Path(__file__).parents[1] / "conformance" / "fixtures" / "kraft-version"):
        said = asked(fencepost_says, log)
        assert said.document["migration"] is None


def test_a_log_of_older_software_has_undecided_defects(fencepost_says: Says, recorded: Path, tmp_path: Path) -> None:
    """Where no tables are known the state is printed, and the known defects are not decided, in one sentence."""

    def old(message: tuple[str, int, dict[str, Any]]) -> tuple[str, int, dict[str, Any]]:
        type_, version, data = message
        if type_ == "REGISTER_BROKER_RECORD":
            return (type_, version, {**data, "features": []})
        is_left_out = type_ == "REGISTER_CONTROLLER_RECORD" or data.get("name") == "metadata.version"
        return ("NO_OP_RECORD", 0, {}) if is_left_out else message

    log = rewritten(read_log(recorded / "first-boot"), old, tmp_path)
    said = fencepost_says("health", log)
    page = " ".join(said.out.split())
    assert (
        "known defects of the release that the log shows: not decided undecided: written by Kafka 3.2 or older" in page
    )
    assert "does not conform" not in page
    assert "no row is asked" in " ".join(fencepost_says("story", log).out.split())


FIXTURES = Path(__file__).parent / "fixtures"
"""Two logs of real clusters: of 4.4.0 with three log directories a broker, of 4.2.2 with a dead broker."""


def test_directories_that_are_cordoned_or_gone_are_told(fencepost_says: Says) -> None:
    """Broker 0 gets no replicas since 362; broker 2 registers at 282 without a directory that it had."""
    log = FIXTURES / "directories-4.4.0"
    document = asked(fencepost_says, log).document
    brokers = document["brokers"]
    assert document["status"] == "attention"
    assert [(one["broker"], one["since"]["offset"], one["all"]) for one in brokers["cordoned"]] == [(0, 362, True)]
    lost = {(one["broker"], one["directory"]): one["since"]["offset"] for one in brokers["lost_directories"]}
    assert lost == {(1, "evhAF3qKwQ5sg62UmuHrWg"): 160, (2, "SU7WEAjsynXIHeTfEKsFJw"): 282}
    page = fencepost_says("health", log, "--no-findings").out
    assert "broker 0  for 1.5 s (since 02:29:51 @362): all of them: it gets no replicas" in page
    words = "fenced until it has caught up, without log directory SU7WEAjsynXIHeTfEKsFJw @282"
    assert words in " ".join(fencepost_says("story", log, "--from", "282", "--to", "282").out.split())


def test_partitions_not_led_by_the_preferred_replica(fencepost_says: Says) -> None:
    """Kafka's PreferredReplicaImbalanceCount, and for each broker how many of those that prefer it it leads."""
    document = asked(fencepost_says, FIXTURES / "directories-4.4.0").document
    found = document["partitions"]["not_preferred"]
    assert {one["replicas"][0] for one in found} == {2}
    assert all(one["leader"] != 2 for one in found)
    assert [(one["broker"], one["leads"], one["preferred"]) for one in document["leaders"]][2] == (2, 1, 6)
    assert document["counts"]["not_preferred"] == len(found) == 5


def test_a_reassignment_waits_for_a_replica_that_is_kept(fencepost_says: Says) -> None:
    """Until 4.2 each replica of the target has to be in the ISR, kept ones too: broker 1 is dead."""
    said = fencepost_says("health", FIXTURES / "kept-replica-4.2.2", "--no-findings")
    page = " ".join(said.out.split())
    assert "removes [0]; waits for broker 1 (fenced): every replica that is kept must be in the ISR" in page
    waits = asked(fencepost_says, FIXTURES / "kept-replica-4.2.2").document["partitions"]["reassigning"]
    assert {one["partition"]: one["waits_for"] for one in waits} == {"e-0": [1], "q-0": [1]}
    assert not too_wide(said.out)


def test_replicas_on_a_broker_that_was_unregistered(fencepost_says: Says, recorded: Path, tmp_path: Path) -> None:
    """A broker that is unregistered while it holds replicas is distinguished from one that is fenced."""
    offset = 151

    def gone(message: tuple[str, int, dict[str, Any]]) -> tuple[str, int, dict[str, Any]]:
        type_, _, data = message
        if type_ != "BROKER_REGISTRATION_CHANGE_RECORD" or (data["brokerId"], data.get("fenced")) != (3, 1):
            return message
        return ("UNREGISTER_BROKER_RECORD", 0, {"brokerId": 3, "brokerEpoch": data["brokerEpoch"]})

    altered = rewritten(read_log(recorded / "reassignment"), gone, tmp_path)
    document = asked(fencepost_says, altered, "--at", 170).document
    (found,) = document["brokers"]["gone"]
    assert (found["broker"], found["unregistered"]["offset"]) == (3, offset)
    page = " ".join(fencepost_says("health", altered, "--at", "170", "--no-findings").out.split())
    assert f"broker 3 unregistered at offset {offset}" in page
    assert f"3 (not registered since offset {offset})" in page


def test_what_holds_back_an_upgrade(fencepost_says: Says, recorded: Path) -> None:
    """While nodes of two releases are registered the page says to which level all can go, and which hold it back."""
    log = recorded / "upgrade-3.9-to-4.4"
    document = asked(fencepost_says, log, "--at", 300).document
    upgrade = document["upgrade"]
    assert upgrade["held_back_by"]
    assert upgrade["others_support"] is not None
    page = " ".join(fencepost_says("health", log, "--at", "300", "--no-findings").out.split())
    assert f"{', '.join(upgrade['held_back_by'])} support" in page


@pytest.mark.parametrize(
    ("recording", "at", "partition", "offset"),
    [
        ("min-isr-while-isr-empty-4.4.0", 120, "x-0", 98),
        ("min-isr-while-isr-empty-4.4.0", 225, "y-0", 222),
        ("levels-down-and-up-4.4.0", 200, "at24-0", 166),
    ],
)
def test_a_partition_that_has_no_candidate_left_says_since_when(
    fencepost_says: Says, recorded: Path, recording: str, at: int, partition: str, offset: int
) -> None:
    """Where a ClearElr took the last candidates health says that an election needs unclean, since which record."""
    said = fencepost_says("health", recorded / recording, "--at", str(at), "--json")
    [found] = [one for one in said.document["partitions"]["offline"] if one["partition"] == partition]
    assert (said.code, found["needs_unclean"]["since"]["offset"]) == (1, offset)
    assert (found["needs_unclean"]["by"], len(found["needs_unclean"]["elr_before"])) == ("CLEAR_ELR_RECORD", 1)
    assert "D33" in {one["finding"] for one in said.document["findings"]}
    page = fencepost_says("health", recorded / recording, "--at", str(at), "--no-findings").out
    assert "offline, an election needs unclean" in page
    assert f"by CLEAR_ELR_RECORD @{offset}" in " ".join(page.split())


def test_a_partition_whose_candidate_is_down_needs_no_unclean_election(fencepost_says: Says, recorded: Path) -> None:
    """y-0 has no leader either, but an eligible leader replica that comes back; x-0 is led again from 309 on."""
    log = recorded / "min-isr-while-isr-empty-4.4.0"
    partitions = asked(fencepost_says, log, "--at", 120).document["partitions"]
    [found] = [one for one in partitions["offline"] if one["partition"] == "y-0"]
    assert (found["elr"], found["needs_unclean"]) == ([1], None)
    partitions = asked(fencepost_says, log).document["partitions"]
    assert [one["needs_unclean"] for one in partitions["offline"]] == [None] * 4


@pytest.mark.parametrize("command", ["story LOG --from 90 --to 98", "why LOG partition x-0 --at 98"])
def test_story_and_why_name_the_finding(fencepost_says: Says, recorded: Path, command: str) -> None:
    """Both commands say at offset 98 that no replica may lead but by an unclean election, which is D33."""
    log = str(recorded / "min-isr-while-isr-empty-4.4.0")
    arguments = [log if one == "LOG" else one for one in command.split()]
    said = fencepost_says(*arguments, "--json")
    assert said.code == 0
    assert [one["offset"] in (97, 98) for one in said.document["findings"] if one["finding"] == "D33"] == [True]
    page = " ".join(fencepost_says(*arguments).out.split())
    assert "no replica may lead now but by an unclean election" in page


def test_a_partition_led_from_a_failed_directory_is_listed(fencepost_says: Says, recorded: Path) -> None:
    """A leader in a directory that its broker no longer has is attention: the partition and the directory (D34)."""
    log = recorded / "classes-4.4.0" / "unfence-elr"
    before = fencepost_says("health", log, "--at", "14", "--no-findings", "--json").document
    assert before["partitions"]["led_in_failed_directory"] == []
    document = fencepost_says("health", log, "--no-findings", "--json").document
    [one] = document["partitions"]["led_in_failed_directory"]
    assert (document["status"], document["counts"]["led_in_failed_directory"]) == ("attention", 1)
    assert (one["partition"], one["leader"], one["since"]["offset"]) == ("t-0", 1, 15)
    assert one["failed_directory"] == document["brokers"]["lost_directories"][0]["directory"]
    page = fencepost_says("health", log, "--no-findings").out
    assert f"directory {one['failed_directory']}" in page
