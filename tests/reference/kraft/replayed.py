"""The managers of a controller without the controller: recorded logs and snapshots replayed through them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

from fencepost.reference.kraft.controller.managers import Managers
from fencepost.reference.kraft.records import Message
from fencepost.reference.kraft.settings import Settings
from fencepost.reference.timeline import SnapshotRegistry
from fencepost.traces.records import Record

RECORDED = Path(__file__).parents[3] / "traces" / "recorded"
"""The recorded runs of real Kafka."""


class Replayed(Managers):
    """All managers on one timeline; a transaction that is aborted is taken back, as the controller does."""

    def __init__(self, settings: Settings | None = None) -> None:
        self.registry = SnapshotRegistry()
        super().__init__(self.registry, "cluster", settings or Settings(), random.Random(0), ())
        self._transaction = -1

    def replay(self, message: Message, offset: int) -> None:
        """Apply one record; one of a type that is not known here is an error."""
        match message.type:
            case "BEGIN_TRANSACTION_RECORD":
                self.registry.create(offset - 1)
                self._transaction = offset
            case "ABORT_TRANSACTION_RECORD":
                self.registry.revert_to(self._transaction - 1)
            case "END_TRANSACTION_RECORD":
                self._transaction = -1
            case _:
                super().replay(message, offset)

    def replay_all(self, messages: Sequence[Message], base_offset: int = 0) -> Replayed:
        """Apply records one after the other."""
        for offset, message in enumerate(messages, base_offset):
            self.replay(message, offset)
        return self


def message_of(record: Record) -> Message:
    """Return a record that was read as one that can be replayed."""
    return Message(record.type, record.version, record.data)


def recorded_names() -> list[str]:
    """Return the folders of the recorded logs."""
    return sorted(one.name for one in RECORDED.iterdir() if (one / "00000000000000000000.log").exists())
