"""The kinds of recorded answers of Kafka's own classes: which cell, column of a request or field each recorded name is.

A line becomes the state that it begins with (`state.py`) and a request of an event trace, which the adapters of traces
read (`requests`); `records.py` has the records of the answer. The kinds compute nothing but this: a metadata.version's
name becomes its level; an absent field gets the default that the recording's description states; the effective
min.insync.replicas is put into both things it is the smaller of; an elr list that is not ascending is marked as being
out of the order in which Kafka writes it; its index counts each of its members once; every replica is in the unassigned
directory; the word for a broker's directories, features or former registration is replaced by the value that the
description gives for it; ids of 64 bits are numbers here and text there.
"""

from __future__ import annotations

from .brokers import BROKER_HEARTBEAT, BROKER_REGISTRATION, PRODUCER_IDS
from .cluster import CONFIGURATIONS, ELECTIONS, FEATURES, REASSIGNMENT, TOPICS
from .judge import Kind
from .partitions import ALTER_PARTITION, PARTITION_CHANGE_BUILDER
from .security import ACLS, QUOTAS, SCRAM, TOKENS

KINDS: dict[str, Kind] = {
    one.name: one
    for one in (
        PARTITION_CHANGE_BUILDER,
        BROKER_HEARTBEAT,
        BROKER_REGISTRATION,
        ALTER_PARTITION,
        PRODUCER_IDS,
        CONFIGURATIONS,
        FEATURES,
        ELECTIONS,
        REASSIGNMENT,
        TOPICS,
        ACLS,
        SCRAM,
        TOKENS,
        QUOTAS,
    )
}
"""The kinds of recorded answers, by the name that their files have."""
