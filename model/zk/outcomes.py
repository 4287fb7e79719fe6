"""Outcomes of attempts, by the words that controllers log and by Kafka's error names."""

from __future__ import annotations

import enum


class Outcome(enum.Enum):
    """The outcome of a state change: done, or why the state was kept."""

    DONE = ""
    ILLEGAL = "illegal"
    NO_LEADER = "no leader"
    IS_LEADER = "is leader"
    NO_STATE = "no state"
    NEWER_CONTROLLER = "newer controller"
    SESSION_EXPIRED = "session expired"
    EPOCH_MOVED = "epoch moved"


class Error(enum.Enum):
    """The errors of requests by Kafka's names and numbers."""

    UNKNOWN_SERVER_ERROR = -1
    NONE = 0
    UNKNOWN_TOPIC_OR_PARTITION = 3
    NOT_LEADER_OR_FOLLOWER = 6
    STALE_CONTROLLER_EPOCH = 11
    INVALID_REPLICA_ASSIGNMENT = 39
    NOT_CONTROLLER = 41
    INVALID_REQUEST = 42
    KAFKA_STORAGE_ERROR = 56
    FENCED_LEADER_EPOCH = 74
    STALE_BROKER_EPOCH = 77
    NO_REASSIGNMENT_IN_PROGRESS = 85
    INVALID_UPDATE_VERSION = 95
    INELIGIBLE_REPLICA = 107
