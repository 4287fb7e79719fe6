"""A controller sees to it that its own incarnation is registered (ControllerRegistrationManager, KIP-919)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol

from fencepost.reference.kraft.errors import ApiError
from fencepost.reference.kraft.levels import CONTROLLER_REGISTRATION, METADATA_VERSION
from fencepost.reference.kraft.messages import ControllerRegistrationRequest
from fencepost.reference.kraft.records import Message
from fencepost.traces.record_types import FEATURE_LEVEL_RECORD, REGISTER_CONTROLLER_RECORD, UNREGISTER_CONTROLLER_RECORD

REGISTRATIONS = (REGISTER_CONTROLLER_RECORD, UNREGISTER_CONTROLLER_RECORD)
FIRST_BACKOFF_NS = 100_000_000
LAST_BACKOFF_NS = 120_000_000_000


class Channel(Protocol):
    """A way to the active controller."""

    def send(
        self, request: Any, on_answer: Callable[[Any], None], on_timeout: Callable[[], None] | None = None
    ) -> None:
        """Send a request until it is answered."""


class ControllerRegistrationManager:
    """Watches the committed records for the controller's registration, and registers while it is not there.

    It does so at levels of metadata.version that know such registrations, standby and active alike, one request at a
    time; after a refusal it waits, twice as long each time.
    """

    def __init__(
        self,
        registration: ControllerRegistrationRequest,
        channel: Channel,
        after: Callable[[int, Callable[[], None]], object],
    ) -> None:
        self._registration, self._channel, self._after = registration, channel, after
        self._level = 0
        self._registered = False
        self._pending = False
        self._refused = 0

    def committed(self, records: Iterable[Message]) -> None:
        """Take note of committed records."""
        concerned, mine = False, self._registration
        for record in records:
            if record.type == FEATURE_LEVEL_RECORD and record.data["name"] == METADATA_VERSION:
                self._level, concerned = record.data["featureLevel"], True
            elif record.type in REGISTRATIONS and record.data["controllerId"] == mine.controller_id:
                self._registered, concerned = record.data.get("incarnationId") == mine.incarnation_id, True
        if concerned:
            self._maybe_register()

    def loaded(self, records: Iterable[Message]) -> None:
        """Take note of what a snapshot holds, in place of all before."""
        self._registered = False
        self.committed(records)

    def _maybe_register(self) -> None:
        if not self._registered and not self._pending and self._level >= CONTROLLER_REGISTRATION:
            self._pending = True
            self._channel.send(self._registration, self._answered)

    def _answered(self, answer: Any) -> None:
        self._pending = False
        if isinstance(answer, ApiError):
            backoff_ns = min(FIRST_BACKOFF_NS << self._refused, LAST_BACKOFF_NS)
            self._refused = min(self._refused + 1, 20)
            self._after(backoff_ns, self._maybe_register)
        else:
            self._refused = 0
