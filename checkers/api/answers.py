"""Answers about a log: the JSON document of a command, without the fields that every document has, as a mapping."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from fencepost.checkers.counting import counted
from fencepost.checkers.document import in_notebook


class Answer(Mapping[str, Any]):
    """A document as a mapping of its fields; a notebook shows it as tables. `table_hash` is that of the tables."""

    TABLES: ClassVar[Mapping[str, str]] = {}
    """Lists that a notebook shows as tables, by their names, each with its columns as words."""

    def __init__(self, document: Mapping[str, Any], table_hash: str | None = None) -> None:
        self._document, self.table_hash = dict(document), table_hash

    def __getitem__(self, name: str) -> Any:
        return self._document[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._document)

    def __len__(self) -> int:
        return len(self._document)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self['path']}>"

    def _repr_html_(self) -> str:
        return in_notebook(repr(self)[1:-1], self._document, self.TABLES)

    def as_json(self) -> dict[str, Any]:
        """Return the document as JSON values."""
        return dict(self._document)


class Health(Answer):
    """How a cluster is at a moment of its log, as `fencepost health --json` has it."""

    def __repr__(self) -> str:
        return f"<Health {self['path']}: {self.status} at offset {self['at']['offset']}>"

    def _repr_html_(self) -> str:
        columns = "partition leader isr replicas min_isr"
        conditions = {name: columns for name, found in self.partitions.items() if found}
        brokers = {name: found for name, found in self["brokers"].items() if found and isinstance(found, list)}
        of_brokers = {name: " ".join(one for one in found[0]) for name, found in brokers.items() if _are_objects(found)}
        return in_notebook(
            repr(self)[1:-1],
            {**self["counts"], **self.partitions, **{f"brokers {name}": found for name, found in brokers.items()}},
            conditions | {f"brokers {name}": head for name, head in of_brokers.items()},
        )

    @property
    def status(self) -> str:
        """Whether the cluster is healthy, unhealthy, or wants attention."""
        return str(self["status"])

    @property
    def is_unhealthy(self) -> bool:
        """Whether some partition does not serve, or takes no record with acks=all."""
        return self.status == "unhealthy"

    @property
    def partitions(self) -> Mapping[str, list[dict[str, Any]]]:
        """The partitions under each condition."""
        found: Mapping[str, list[dict[str, Any]]] = self["partitions"]
        return found


def _are_objects(found: list[Any]) -> bool:
    return all(isinstance(one, Mapping) for one in found)


class Story(Answer):
    """The events of a log, as `fencepost story --json` has them."""

    TABLES = {"events": "time offset last_offset words"}

    def __repr__(self) -> str:
        return f"<Story {self['path']}: {counted(len(self.events), 'event')}>"

    @property
    def events(self) -> list[dict[str, Any]]:
        """The events in the log's order."""
        found: list[dict[str, Any]] = self["events"]
        return found

    @property
    def ends(self) -> str | None:
        """The reason why the story ends at some record, None where it has the whole log."""
        found: str | None = self["ends"]
        return found


class Why(Answer):
    """The records behind the state of an entity, as `fencepost why --json` has them."""

    TABLES = {"chain": "offset time words", "began": "offset name certain may_come_from"}

    def __repr__(self) -> str:
        entity = self["entity"]
        return f"<Why {entity['sort']} {entity['name']} of {self['path']}: {counted(len(self.chain), 'record')}>"

    @property
    def chain(self) -> list[dict[str, Any]]:
        """The records that changed it, each with the rows that may have written it."""
        found: list[dict[str, Any]] = self["chain"]
        return found


class Redacted(Answer):
    """A log that was written with other names, as `fencepost redact --json` has it."""
