"""Words for the story: what a record does, what a request is about, what was refused of it, who is who."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from fencepost.reference.kraft import messages as m
from fencepost.reference.kraft.errors import ApiError, Errors
from fencepost.reference.kraft.levels import NAMES
from fencepost.reference.kraft.records import Message
from fencepost.traces.in_words import in_words, setting

EXPLAINED = {
    "DUPLICATE_BROKER_REGISTRATION": "its former process may still be alive, so it asks again until that is fenced"
}
"""Why a request is refused, where the name of the error does not say enough."""

NO_REFUSAL = frozenset({Errors.NONE, Errors.ELECTION_NOT_NEEDED, Errors.NEW_LEADER_ELECTED})
"""Errors in an answer by which nothing is refused: there is nothing to do, or more was done than was asked."""

_TOLD = frozenset(
    {
        "UNREGISTER_BROKER_RECORD",
        "FEATURE_LEVEL_RECORD",
        "CONFIG_RECORD",
        "ABORT_TRANSACTION_RECORD",
        "REGISTER_CONTROLLER_RECORD",
        "PRODUCER_IDS_RECORD",
        "CLEAR_ELR_RECORD",
    }
)
"""The types of record that a story of a run prints beside brokers, topics and partitions."""

_PROCESS = re.compile(r"\b(controller|broker|producer)-(\d+)\b")
_LETTERS = {"controller": "C", "broker": "B", "producer": "P"}


def short(text: str) -> str:
    """Return a text with the names of processes as the story has them.

    >>> short("cut from controller-3000 to broker-1, administrator")
    'cut from C3000 to B1, admin'
    """
    return _PROCESS.sub(lambda one: f"{_LETTERS[one[1]]}{one[2]}", text).replace("administrator", "admin")


def counted(count: int, one: str) -> str:
    """Return a number and what it counts.

    >>> counted(1, "partition"), counted(2, "partition")
    ('1 partition', '2 partitions')
    """
    return f"{count} {one}{'s' * (count != 1)}"


def of_record(message: Message) -> str:
    """Tell what a record of a broker, a feature or a configuration does; nothing for what needs no telling."""
    return in_words(message.type, message.data, NAMES) if message.type in _TOLD else ""


def of_configuration(data: Any) -> str:
    """Return a configuration's name with its value."""
    return setting(data)


def asked(request: m.Request | None) -> str:
    """Name what a request is about."""
    match request:
        case m.BrokerRegistrationRequest() | m.UnregisterBrokerRequest():
            return f"of broker {request.broker_id}"
        case m.CreateTopicsRequest():
            return ", ".join(one.name for one in request.topics)
        case m.UpdateFeaturesRequest():
            return ", ".join(f"{name}={level}" for name, level, _ in request.updates)
        case m.AlterPartitionReassignmentsRequest():
            return ", ".join(f"{one.topic}-{one.partition}" for one in request.partitions)
    return ""


def refusals(name: str, response: Any, topics: dict[str, str]) -> Iterator[str]:
    """Tell what of a request was refused, where its answer has an error for each part; `topics` are names by id."""
    for answer in response if isinstance(response, tuple) else ():
        error: Any = getattr(answer, "error", None)
        match answer:
            case m.AlterPartitionAnswer():
                what = f"{topics.get(answer.topic_id, answer.topic_id)}-{answer.partition}"
            case m.PartitionAnswer():
                what = f"{answer.topic}-{answer.partition}"
            case m.CreateTopicAnswer():
                what = answer.name
            case m.ResourceAnswer():
                what = answer.resource.name or "default"
            case (str() as what, ApiError() as failed):
                error = failed.error
            case _:
                what = ""
        if error is not None and error not in NO_REFUSAL:
            yield f"{name} {what}: refused, {error.name}".replace(" :", ":")
