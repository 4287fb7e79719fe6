"""Aiven's Inkless as the reference has it: tags of partition records, by which classic topics become diskless.

Read in aiven/inkless, main b1fcb5f6f7 (InitDisklessLogFields, ReplicationControlManager, ConfigurationControlManager,
ReplicaManager, InitDisklessLogState). A record's data hold what its tags say, by these names. The object store is left
out: what is produced to a diskless partition is refused. Unfencing a broker is as in Kafka.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import Any

from .levels import LEVELS, METADATA_VERSION, MINIMUM, SUPPORTED_FEATURES

INKLESS = "inkless"
"""The name of the fork, as the settings of a cluster have it."""

DISKLESS_ENABLE = "diskless.enable"
SEAL, PRODUCERS, EPOCH_AT_SEAL = "classicToDisklessStartOffset", "producerStates", "leaderEpochAtSeal"
NO_SWITCH, PENDING = -1, -2
NEWEST = LEVELS["4.2-IV1"]
"""The highest metadata.version that it knows: it is made from Kafka 4.2."""
TAGS = {SEAL: 100, PRODUCERS: 101, EPOCH_AT_SEAL: 102}
"""The number of each tag, by the name that it has among a record's data."""

_PRODUCER = struct.Struct(">qhiiqq")
ProducerState = tuple[int, int, int, int, int, int]
"""Producer id and epoch, first and last sequence of its last batch, the offset and the time of that."""


def supported(fork: str) -> dict[str, tuple[int, int]]:
    """Return the features that a controller supports, of Kafka's 4.4.0 where it is that of no fork."""
    return {**SUPPORTED_FEATURES, METADATA_VERSION: (MINIMUM, NEWEST)} if fork == INKLESS else SUPPORTED_FEATURES


def split(data: Mapping[str, Any]) -> tuple[Mapping[str, Any], list[tuple[int, bytes]]]:
    """Return the fields that are Kafka's, and the tags with their bytes, in the order of their numbers."""
    if SEAL not in data:
        return data, []
    tags = [(TAGS[SEAL], struct.pack(">q", data[SEAL]))]
    if PRODUCERS in data:
        states: Sequence[ProducerState] = data[PRODUCERS]
        tags.append(
            (TAGS[PRODUCERS], struct.pack(">i", len(states)) + b"".join(_PRODUCER.pack(*one) for one in states))
        )
    if EPOCH_AT_SEAL in data:
        tags.append((TAGS[EPOCH_AT_SEAL], struct.pack(">i", data[EPOCH_AT_SEAL])))
    return {name: value for name, value in data.items() if name not in TAGS}, tags


def switch(data: Mapping[str, Any], before: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what is known of a partition's switch after a record: a negative seal takes the other tags along."""
    if SEAL not in data:
        return before
    kept = {} if data[SEAL] < 0 else before
    said = {**kept, **{name: data[name] for name in TAGS if name in data}}
    return {} if said[SEAL] == NO_SWITCH else said
