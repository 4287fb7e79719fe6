"""Records that no controller writes are found where they are, or may have been written, for a reason given.

Hidden cells have only values that the claims allow, and a record that implies another one demands it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.conformance.reading.monitor import Monitor
from fencepost.checkers.conformance.reading.options import Options
from fencepost.checkers.conformance.records.passed import PASSED_THROUGH
from fencepost.checkers.conformance.results.results import LogResult
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kraft.protocol import KRAFT
from fencepost.model.language import Protocol
from fencepost.traces import MetadataLog, read_log

from . import RECORDED
from .alter import Message, with_messages

NO_OP: Message = ("NO_OP_RECORD", 0, {})
OF_STATIC = {"static_unclean": True}


@dataclass(frozen=True)
class Altered:
    """A recording in which the record at one offset is a NoOp, or the repetition of an earlier one.

    `found` is the offset of the first violation, `said` a part of its message; without `found` the log conforms, and
    `said` has the reason.
    """

    recording: str
    offset: int
    said: str
    found: int | None = None
    repeats: int | None = None
    data: Message | None = None


def _min_insync(kind: int, name: str, value: str) -> Message:
    return (
        "CONFIG_RECORD",
        0,
        {"resourceType": kind, "resourceName": name, "name": "min.insync.replicas", "value": value},
    )


STATIC, NINE, ROLLING, FAULT = (
    "static-settings-elr-4.4.0",
    "kill-nine-elr",
    "rolling-restart",
    "elr-directory-fault-4.4.0",
)
FOUND = [
    # What a topic's or the cluster's minimum clears is demanded, whichever row is said to have written it.
    Altered(STATIC, 332, "it would also write ClearElr(r)", 332),
    Altered(STATIC, 355, "it would also write ClearAllElr()", 355),
    Altered(STATIC, 377, "it would also write ClearAllElr()", 377),
    Altered(ROLLING, 187, "it would also write ClearElr(b)", 187, data=_min_insync(2, "b", "2")),
    Altered(ROLLING, 187, "it would also write ClearAllElr()", 187, data=_min_insync(4, "", "2")),
    Altered(NINE, 63, "it would also write ClearAllElr()", 63, repeats=27),
    # What clears without a minimum is no row's.
    Altered(NINE, 57, "CLEAR_ELR_RECORD", 57, repeats=53),
    # A topic's setting is not written where it stays the same.
    Altered(NINE, 63, "CONFIG_RECORD of name unc", 63, repeats=59),
    Altered(NINE, 63, "CONFIG_RECORD of name m1", 63, repeats=40),
    # Who is unfenced is not unfenced again.
    Altered(ROLLING, 71, "its guard asks fenced[b] where fenced[3] = false", 71, repeats=13),
    Altered(NINE, 63, "its guard asks fenced[b] where fenced[1] = false", 63, repeats=25),
    # What fences a leader names the partitions that it leaves.
    Altered(FAULT, 119, "it would also write PartitionChange", 122),
]
NOT_FOUND = [
    Altered(ROLLING, 54, "the expired session of a fenced broker fences it again (D23)", repeats=53),
    Altered(ROLLING, 82, "a broker that is silent may register again before the task fences it"),
    Altered(ROLLING, 12, "a feature is written again at the level that it has", repeats=4),
    Altered(ROLLING, 12, "the same process registers again", repeats=11),
    Altered(ROLLING, 12, "the same controller registers again", repeats=10),
    Altered(ROLLING, 14, "a later heartbeat names the cordoned directories"),
    Altered(FAULT, 122, "the leaders may have proposed the ISRs without the broker"),
    Altered("reassignment", 217, "a broker's setting is written again though it stays the same", repeats=213),
]
"""What no log can show: each is what Kafka may have written, for the reason given."""


GONE = object()
"""Instead of a value: the record does not have the field."""


@dataclass(frozen=True)
class Meant:
    """A recording in which some records say something else, by their offsets: `fields` has what they say instead, and
    nothing where a NoOp takes their place. `said` is in the message of the first violation, which is at `found`;
    without `found` the log conforms, and `said` has the reason.
    """

    about: str
    recording: str
    fields: Mapping[int, Mapping[str, Any] | None]
    said: str
    found: int | None = None
    repeats: Mapping[int, int] = field(default_factory=dict)
    version: int | None = None

    def messages(self) -> dict[int, Message]:
        """Return the records instead of those that are altered."""
        there = _there(self.recording)
        found: dict[int, Message] = {at: there[other] for at, other in self.repeats.items()}
        for offset, fields in self.fields.items():
            if fields is None:
                found[offset] = NO_OP
                continue
            type_, version, data = there[offset]
            said = {name: value for name, value in {**data, **fields}.items() if value is not GONE}
            found[offset] = (type_, version if self.version is None else self.version, said)
        return found


DATA, SUSPECTS, SECURITY, LEVELS, MOVES = (
    "kill-nine-data-4.4.0",
    "suspects-4.4.0",
    "scram-bootstrap-4.4.0",
    "metadata-upgrade",
    "reassignment",
)
LATER = {"brokerEpoch": 197}
DIRECTORY = "YRfGfPLy7oj_Gsst1ZgwDQ"
"""A directory of broker 0 of the recording of suspects."""
MEANT = [
    # Who is in sync, eligible, or was the last to lead.
    Meant("an ISR below the minimum, none eligible", DATA, {53: {"isr": [2]}}, "it writes elr {1, 3}", 53),
    Meant(
        "who left a large ISR is eligible",
        DATA,
        {146: {"eligibleLeaderReplicas": [1, 2]}},
        "it writes elr {2}, the log {1, 2}",
        146,
    ),
    Meant("another was the last to lead", DATA, {164: {"lastKnownElr": [2]}}, "it writes last_known [3]", 164),
    Meant("who is elected stays eligible", DATA, {184: {"eligibleLeaderReplicas": [2, 3]}}, "it writes elr {3}", 184),
    Meant("the last to lead is kept beside a leader", DATA, {186: {"lastKnownElr": GONE}}, "writes last_known []", 186),
    Meant(
        "the last to lead leads and need not recover",
        DATA,
        {201: {"leaderRecoveryState": GONE}},
        "it writes recovery RECOVERING, the log not given",
        201,
    ),
    Meant(
        "an ISR grows while its leader recovers",
        DATA,
        {203: {"leaderRecoveryState": GONE}},
        "it writes isr not given, the log [2, 3]",
        203,
    ),
    Meant(
        "the epoch of a broker is the offset of its record, behind others of the result, all through the log",
        DATA,
        dict.fromkeys((197, 199, 200, 229, 235, 243), LATER),
        "it writes epoch 193, the log 197",
        197,
    ),
    Meant(
        "who came back without its log stays eligible for one partition",
        DATA,
        {196: None},
        "it would also write PartitionChange",
        196,
    ),
    Meant("an election of the preferred leader elects another", DATA, {130: {"leader": 1}}, "it writes leader 3", 130),
    # Partitions, their replicas and directories.
    Meant("a new partition has a fenced broker in sync", SUSPECTS, {81: {"isr": [1, 2, 4, 0, 3]}}, "writes isr", 81),
    Meant("a new partition begins at leader epoch 1", SUSPECTS, {40: {"leaderEpoch": 1}}, "writes leader_epoch 0", 40),
    Meant(
        "a replica lies in another broker's directory, its leader stays",
        SUSPECTS,
        {62: {"directories": [DIRECTORY, "AAAAAAAAAAAAAAAAAAAAAQ"]}},
        "it would also write PartitionChange",
        64,
    ),
    Meant(
        "a reassignment is complete though its last replica is not in sync",
        SUSPECTS,
        {127: {"isr": [1, 2]}},
        "it writes isr not given, the log [1, 2]",
        127,
    ),
    Meant("who is in sync is still being added", SUSPECTS, {135: {"addingReplicas": GONE}}, "it writes adding {}", 135),
    Meant(
        "a broker goes that leads",
        SUSPECTS,
        {182: {"brokerId": 1, "brokerEpoch": 24}},
        "No row explains this UNREGISTER_BROKER_RECORD of broker 1",
        182,
    ),
    Meant("a topic is removed twice", SUSPECTS, {}, "its guard asks live[t]", 219, repeats={219: 218}),
    Meant("a cancellation elects who is not in sync", MOVES, {226: {"leader": 3}}, "it writes leader not given", 226),
    Meant(
        "a replica goes that the target has",
        MOVES,
        {235: {"removingReplicas": [1]}},
        "it writes removing not given, the log {1}",
        235,
    ),
    # Settings, levels and versions of records.
    Meant("a setting of no topic", MOVES, {215: {"resourceName": "q"}}, "its guard asks not unknown_topic", 215),
    Meant("a level goes back across its gate", LEVELS, {22: {"featureLevel": 7}}, "= metadata.version and crosses", 22),
    Meant(
        "a credential before levels know of any", LEVELS, {}, "its guard asks not before_scram", 42, repeats={42: 51}
    ),
    Meant("a record of an older version than its level has", LEVELS, {160: {}}, "it writes version 2", 160, version=1),
    # What security and producers are given.
    Meant(
        "a renewal lengthens what a token can last",
        SECURITY,
        {131: {"maxTimestamp": 1795368682697}},
        "it writes latest 1795368672697",
        131,
    ),
    Meant(
        "a token outlives its last day",
        SECURITY,
        {131: {"expirationTimestamp": 1795368672702}},
        "No row explains this DELEGATION_TOKEN_RECORD",
        131,
    ),
    Meant("a credential goes that there is not", SECURITY, {124: {"mechanism": 1}}, "asks has_credential[c]", 124),
    Meant("a right is taken twice", SECURITY, {141: {"id": "rWB5_cMITuq91Esw_msMQg"}}, "it writes no such record", 141),
    Meant("a credential of too few iterations", SECURITY, {156: {"iterations": 4095}}, "asks hashed_enough", 156),
    Meant("a quota goes that there is not", SECURITY, {158: {"key": "producer_byte_rate"}}, "its guard asks rate", 158),
    Meant("half a block of producer ids", SECURITY, {161: {"nextProducerId": 1500}}, "it writes next 2000", 161),
    Meant("ids for a former epoch of a broker", SECURITY, {160: {"brokerEpoch": 24}}, "its guard asks known", 160),
    Meant(
        "a setting of a node that has not registered",
        SECURITY,
        {232: {"resourceName": "7"}},
        "controller.quorum.voters may name the node, which no log shows",
    ),
]


@cache
def _log(recording: str) -> MetadataLog:
    return replace(read_log(RECORDED / recording), snapshots=())


@cache
def _there(recording: str) -> dict[int, Message]:
    """The records of a recording by their offsets."""
    batches = (batch for batch in _log(recording).batches if not batch.is_control)
    return {r.offset: (r.type, r.version, dict(r.data)) for batch in batches for r in batch.metadata_records}


@cache
def _monitor(recording: str, by_class: bool) -> Monitor:
    given = OF_STATIC if recording == STATIC else {}
    return Monitor(KRAFT, Options(PASSED_THROUGH, by_class=by_class, given=given))


def judged(one: Altered, directory: Path, by_class: bool = True) -> LogResult:
    """Return what is found of an altered recording."""
    new = one.data or (NO_OP if one.repeats is None else _there(one.recording)[one.repeats])
    return _asked_of(one.recording, {one.offset: new}, directory, by_class)


def _asked_of(recording: str, messages: Mapping[int, Message], directory: Path, by_class: bool = True) -> LogResult:
    """Return what is found of a recording with other records at some offsets."""
    altered = read_log(with_messages(_log(recording), messages, directory))
    return _monitor(recording, by_class).judge(altered)


def _name(one: Altered) -> str:
    return f"{one.recording}-{one.offset}-{'none' if one.repeats is None else one.repeats}"


@pytest.mark.representative("elr-directory-fault-4.4.0-119-none", "rolling-restart-187-none0", "kill-nine-elr-63-59")
@pytest.mark.parametrize("one", FOUND, ids=_name)
def test_what_a_hidden_cell_cannot_be_is_found(one: Altered, tmp_path: Path) -> None:
    """A record that only an impossible value of a hidden cell would explain violates, at its offset."""
    result = judged(one, tmp_path)
    assert result.verdict is Verdict.VIOLATES
    # A claim about the row may be found broken at the record before the missing one.
    [found] = [each for each in result.violations if each.offset == one.found][:1]
    assert result.violations[0].offset in (one.found, one.found - 1)
    assert one.said in found.message


def test_what_kafka_may_have_written_conforms(tmp_path: Path) -> None:
    """What a hidden cell can be is not refused: the other alterations conform."""
    refused = []
    for number, one in enumerate(NOT_FOUND):
        (tmp_path / str(number)).mkdir()
        result = judged(one, tmp_path / str(number))
        refused += [(_name(one), v.offset, v.message) for v in result.violations]
    assert not refused


@pytest.mark.representative(*(MEANT[number].about for number in (2, 12, 21)))
@pytest.mark.parametrize("one", [one for one in MEANT if one.found is not None], ids=lambda one: one.about)
def test_what_no_controller_means_is_found(one: Meant, tmp_path: Path) -> None:
    """What records say instead violates where they say it, or at the next record of their result."""
    result = _asked_of(one.recording, one.messages(), tmp_path)
    assert result.verdict is Verdict.VIOLATES
    first = result.violations[0]
    assert (first.offset, one.said in first.message) == (one.found, True), first.message


def test_what_a_controller_may_mean_conforms(tmp_path: Path) -> None:
    """What nothing in a log decides is not refused."""
    left = [one for one in MEANT if one.found is None]
    assert left
    for one in left:
        result = _asked_of(one.recording, one.messages(), tmp_path)
        assert (result.verdict, result.violations) == (Verdict.CONFORMS, []), one.about


@pytest.mark.nightly("tests/conformance/test_layers.py::test_a_log_is_judged_with_a_layer_as_without")
@pytest.mark.parametrize("one", [FOUND[0], FOUND[6], FOUND[9]], ids=_name)
def test_without_classes_the_same_is_found(one: Altered, tmp_path: Path) -> None:
    """Evaluated record by record the log has the same violations as by class."""
    (tmp_path / "by-class").mkdir()
    (tmp_path / "plain").mkdir()
    by_class, plain = judged(one, tmp_path / "by-class"), judged(one, tmp_path / "plain", by_class=False)
    assert [v.message for v in plain.violations] == [v.message for v in by_class.violations]


def _asked(protocol: Protocol) -> dict[str, set[str]]:
    plans = Monitor(protocol, Options(PASSED_THROUGH)).plans.rows
    return {
        one.row.id: {str(part.term) for part in one.plan.conjuncts}
        for one in plans
        if one.row.event.name == "Heartbeat"
    }


def test_a_guard_implies_what_its_claims_say() -> None:
    """Rows about what the controller remembers of a heartbeat ask of the registration what B14 says that it is."""
    asked = _asked(KRAFT)
    assert {id for id, terms in asked.items() if "fenced[b]" in terms} == {"HB1", "HB2"}
    assert {id for id, terms in asked.items() if "not fenced[b]" in terms} == {"HB4", "HB5", "HB6", "HB7"}
    assert "not fenced[b] and in_controlled_shutdown[b]" in asked["HB10"]
    claims = tuple(one for one in KRAFT.properties if one.id != "B14")
    without = _asked(replace(KRAFT, name="kraft without B14", properties=claims))
    assert not any("fenced[b]" in term for terms in without.values() for term in terms)
