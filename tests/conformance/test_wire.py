"""The binding of model records to wire records."""

import enum
from typing import Any

import pytest

from fencepost.checkers.conformance.classes.frames import UNKNOWN
from fencepost.checkers.conformance.records.wire import WireBinding, encode
from fencepost.model.kraft.protocol import KRAFT
from fencepost.model.language import TableError
from fencepost.model.language.vocabulary import *
from fencepost.traces import Record as WireRecord
from fencepost.traces import read_log

from . import RECORDED


class Broker(Entity):
    """A broker id."""


class Partition(Entity):
    """A topic id and a number."""


class Recovery(enum.Enum):
    """A recovery state by its number."""

    RECOVERED = 0
    RECOVERING = 1


BROKER, PARTITION = sort(Broker), sort(Partition)
TOPIC = "AAAAAAAAAAAAAAAAAAAABQ"
CHANGE = record(
    "PARTITION_CHANGE_RECORD",
    required("partition", PARTITION, "topicId", "partitionId"),
    fields=(
        optional("isr", list_of(BROKER)),
        optional("leader", maybe(BROKER), absent=-2, none=-1),
        optional("elr", set_of(BROKER), "eligibleLeaderReplicas"),
        optional("recovery", one_of(Recovery), "leaderRecoveryState", absent=-1),
    ),
    ignored=("replicas", "removingReplicas", "addingReplicas", "lastKnownElr", "directories"),
    name="Change",
)
CONFIG_FIELDS = ("resourceType", "resourceName", "name", "value")
MIN = record(
    "CONFIG_RECORD",
    fields=(optional("value", threshold("size"), text=True),),
    only={"resourceType": 4, "resourceName": "", "name": "min.insync.replicas"},
    name="ClusterMin",
)
CONFIG = record("CONFIG_RECORD", ignored=CONFIG_FIELDS, name="Config")


def _bound(data: dict[str, Any], type_: str = "PARTITION_CHANGE_RECORD", version: int = 2) -> dict[str, Any]:
    found = WireBinding((CHANGE, CONFIG, MIN)).bind(WireRecord(7, 0, type_, version, data))
    assert found is not None
    return {"record": found.record.name, "problems": found.problems, **found.values}


def test_a_record_says_what_its_wire_fields_say() -> None:
    """Lists keep their order, sets lose it, a composite id is a tuple, an enum member is found by its value."""
    found = _bound(
        {
            "topicId": TOPIC,
            "partitionId": 3,
            "isr": [2, 1],
            "leader": 2,
            "eligibleLeaderReplicas": [5, 4],
            "leaderRecoveryState": 1,
        }
    )
    assert found == {
        "record": "Change",
        "problems": (),
        "partition": (TOPIC, 3),
        "isr": (2, 1),
        "leader": 2,
        "elr": frozenset({4, 5}),
        "recovery": Recovery.RECOVERING,
    }


def test_an_optional_field_says_nothing_where_it_is_missing_null_or_absent() -> None:
    """Missing, null and the declared absent value are one: the field is not said."""
    bare = _bound({"topicId": TOPIC, "partitionId": 0})
    null = _bound({"topicId": TOPIC, "partitionId": 0, "isr": None, "leader": -2, "leaderRecoveryState": -1})
    assert bare == null == {"record": "Change", "problems": (), "partition": (TOPIC, 0)}


def test_none_on_the_wire_is_said() -> None:
    """A leader of −1 means no leader, which is not the same as not said; an empty list is said too."""
    found = _bound({"topicId": TOPIC, "partitionId": 0, "leader": -1, "isr": []})
    assert found["leader"] is None
    assert found["isr"] == ()


def test_the_most_particular_record_is_taken_first() -> None:
    """Of the records of one wire type the one with the most constants that fit is meant, whatever their order."""
    key = {"resourceType": 4, "resourceName": "", "name": "min.insync.replicas"}
    assert _bound({**key, "value": "2"}, "CONFIG_RECORD", 0) == {"record": "ClusterMin", "problems": (), "value": 2}
    assert _bound({**key, "name": "other", "value": "2"}, "CONFIG_RECORD", 0)["record"] == "Config"


def test_text_that_does_not_parse_is_kept_as_unknown_with_a_sentence() -> None:
    """A configuration value that is no number stays undecodable, and the sentence shows it."""
    key = {"resourceType": 4, "resourceName": "", "name": "min.insync.replicas"}
    found = _bound({**key, "value": "two"}, "CONFIG_RECORD", 0)
    assert found["value"] is UNKNOWN
    assert found["problems"] == ("value: 'two' is no number",)


def test_a_type_that_no_record_binds_is_not_bound() -> None:
    """A wire record of a type that the tables do not have is nobody's."""
    assert WireBinding((CHANGE,)).bind(WireRecord(1, 0, "NO_OP_RECORD", 0, {})) is None


def test_every_finding_of_a_binding_is_reported_at_once_with_a_near_match() -> None:
    """A misspelt type, a misspelt field and a forgotten field are three findings of one exception."""
    wrong_type = record("PARTITION_CHANGE_RECROD", name="One")
    wrong_field = record(
        "FENCE_BROKER_RECORD", fields=(required("epoch", counter("offset"), "epok"),), ignored=("id",), name="Two"
    )
    with pytest.raises(TableError) as raised:
        WireBinding((wrong_type, wrong_field))
    told = str(raised.value)
    assert "did you mean PARTITION_CHANGE_RECORD?" in told
    assert "FENCE_BROKER_RECORD has no field epok" in told
    assert "did you mean epoch?" in told
    assert "says nothing of the wire field epoch" in told


def test_constants_count_as_said_of_their_fields() -> None:
    """A wire field is covered by a field, by a constant or by `ignored`; a boolean field may have a constant."""
    fenced = record(
        "REGISTER_CONTROLLER_RECORD",
        fields=(required("ready", BOOL, "zkMigrationReady"),),
        only={"controllerId": 1},
        ignored=("incarnationId", "endPoints", "features"),
        name="One",
    )
    assert WireBinding((fenced,)).by_type == {"REGISTER_CONTROLLER_RECORD": (fenced,)}


def _text(item: Any) -> str:
    """An entry of a list as text, structs with their fields in order."""
    return repr(sorted(item.items())) if isinstance(item, dict) else repr(item)


def test_encoding_a_bound_record_gives_its_wire_fields_back() -> None:
    """For every record of a real log, what was decoded encodes to the wire values that it was decoded from."""
    binding = WireBinding.of(KRAFT)
    compared = 0
    for wire in read_log(RECORDED / "kill-nine-elr").records():
        if not isinstance(wire, WireRecord):
            continue
        bound = binding.bind(wire)
        if bound is None:
            continue
        for name, value in encode(bound.record, bound.values).items():
            raw = wire.data.get(name)
            if raw is not None and value is not None:
                assert raw == value or sorted(map(_text, raw)) == sorted(map(_text, value))
                compared += 1
    assert compared > 1000
