"""The names of record types and fields that other rooms bind to."""

import pytest

from fencepost.traces import CONTROL_TYPES, RECORD_TYPES, TraceError, default_of, fields_of, record_types, versions_of


def test_constants_are_the_schema() -> None:
    """The constants written out are exactly the record types of the schema, each named as its value."""
    constants = {name: value for name, value in vars(record_types).items() if name.isupper() and isinstance(value, str)}
    assert {value for name, value in constants.items() if name.endswith("_RECORD")} == RECORD_TYPES
    assert {value for name, value in constants.items() if not name.endswith("_RECORD")} == CONTROL_TYPES
    assert all(name == value for name, value in constants.items() if name.endswith("_RECORD"))


def test_fields_in_printed_order() -> None:
    """The fields of a type are those of its latest version, in the order of a dump, which is not that of the wire."""
    assert fields_of("PARTITION_RECORD") == (
        "partitionId",
        "topicId",
        "replicas",
        "isr",
        "removingReplicas",
        "addingReplicas",
        "leader",
        "leaderRecoveryState",
        "leaderEpoch",
        "partitionEpoch",
        "directories",
        "eligibleLeaderReplicas",
        "lastKnownElr",
    )
    assert fields_of("BROKER_REGISTRATION_CHANGE_RECORD", 0) == ("brokerId", "brokerEpoch", "fenced")
    assert fields_of("KRaftVersion") == ("version", "kRaftVersion")
    assert versions_of("REGISTER_BROKER_RECORD") == (0, 1, 2, 3, 4)


def test_defaults() -> None:
    """A field that a record leaves out has the default of the schema: -2 for the leader of a change."""
    assert default_of("PARTITION_CHANGE_RECORD", "leader") == -2
    assert default_of("PARTITION_CHANGE_RECORD", "isr") is None
    assert default_of("BROKER_REGISTRATION_CHANGE_RECORD", "fenced") == 0


def test_misspelt_names_are_reported() -> None:
    """A type, version or field that does not exist is refused with those that do."""
    with pytest.raises(TraceError) as caught:
        fields_of("PARTITION_CHANGED_RECORD")
    assert str(caught.value) == (
        f"'PARTITION_CHANGED_RECORD' is no record type; write one of {', '.join(sorted(RECORD_TYPES))}"
    )
    with pytest.raises(TraceError) as caught:
        fields_of("PARTITION_RECORD", 7)
    assert str(caught.value) == "PARTITION_RECORD has no version 7; it has 0, 1, 2"
    with pytest.raises(TraceError) as caught:
        default_of("FENCE_BROKER_RECORD", "brokerId")
    assert str(caught.value) == "FENCE_BROKER_RECORD has no field 'brokerId'; it has id, epoch"
