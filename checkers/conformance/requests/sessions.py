"""The sessions of brokers: when each was last heard of, and whether that may be, or must be, too long ago."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fencepost.checkers.conformance.lockstep.controller_state import ControllerState
from fencepost.model.kraft import state as k
from fencepost.model.language.interpreter import CellKey

TOLERANCE = 0.2
"""The part of the session timeout by which times may be wrong: it is not the controller that notes those of a trace."""


class Sessions:
    """Contacts along a trace, by its clock. Without a `timeout` (in milliseconds) any contact may be over at any time.

    A contact that is over is expired by the tables' own event; this says only when the clock allows it.
    """

    def __init__(self, controller: ControllerState, timeout: int | None) -> None:
        self.timeout = timeout
        self._contacts = controller.cells.tables[controller.shape.numbers[k.contact.state]]
        self._since: dict[Any, int] = {}

    def note(self, soft: Mapping[CellKey, Any], now: int) -> None:
        """Note which contacts the changes of a row begin, at a time in milliseconds."""
        for (state, keys), contact in soft.items():
            if state is k.contact.state and contact is k.Contact.RECENT:
                self._since[keys[0]] = now

    def over(self, now: int) -> list[Any]:
        """Return the brokers whose contact is over for certain."""
        if self.timeout is None:
            return []
        limit = self.timeout * (1 + TOLERANCE)
        return [broker for broker, since in self._recent() if now - since > limit]

    def perhaps_over(self, now: int) -> list[Any]:
        """Return the brokers whose contact may be over."""
        limit = 0 if self.timeout is None else self.timeout * (1 - TOLERANCE)
        return [broker for broker, since in self._recent() if now - since >= limit]

    def _recent(self) -> Iterator[tuple[Any, int]]:
        for broker, contact in self._contacts.items():
            if contact is k.Contact.RECENT:
                yield broker, self._since.get(broker, 0)
