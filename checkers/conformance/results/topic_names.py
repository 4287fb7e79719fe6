"""The names of the topics whose ids are in the messages about a log: people know a partition as orders-0."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import chain

from fencepost.traces import Batch, MetadataLog, Snapshot
from fencepost.traces.record_types import TOPIC_RECORD

from .results import LogResult

# A record as it lies in the log keeps its field.
_ID = re.compile(r'(?<!"topicId": ")(?<![\w-])[\w-]{22}(?=-\d+\b|\b)')


def topics_named(log: MetadataLog, result: LogResult) -> dict[str, str]:
    """Return the names of topics, by their ids, that a result's violations, findings and doubts speak of."""
    asked = {id for text in _texts(result) for id in _ID.findall(text)}
    found: dict[str, str] = {}
    parts: Iterable[Batch | Snapshot] = chain(log.whole, log.snapshots)
    for one in parts if asked else ():
        for record in one.records_of((TOPIC_RECORD,)):
            if record.data["topicId"] in asked:
                found[record.data["topicId"]] = record.data["name"]
    return found


def _texts(result: LogResult) -> Iterable[str]:
    for violation in result.violations:
        yield from (violation.entity, violation.message, *violation.screen)
        yield from (one.message for one in violation.evidence)
    for finding in result.findings:
        yield from (finding.entity, finding.message)
    for doubt in result.doubts:
        yield doubt.message


def by_name(text: str, topics: Mapping[str, str]) -> str:
    """Return a text with topics by their names."""
    return _ID.sub(lambda match: topics.get(match[0], match[0]), text) if topics else text


def spelled(entity: str) -> str:
    """Return an entity of a property's instance, p=orders-0, as people say it."""
    return re.sub(r"\bp=", "partition ", entity)
