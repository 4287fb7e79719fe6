"""`fencepost story --follow`: events of a log that grows, printed as they come."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from .streams import unread
from .terminal import show

if TYPE_CHECKING:
    from fencepost.checkers.conformance.records.static_settings import StaticSettings
    from fencepost.checkers.operations.about import About
    from fencepost.checkers.operations.moments import When
    from fencepost.traces import LogSource

EVERY = 0.5
"""The seconds between two looks at the end of the log."""


def followed(
    source: LogSource, begin: When, about: About, static: StaticSettings | None, most: int | None, json: bool
) -> dict[str, Any]:
    """Print what happens in a log until Ctrl-C, and return the document; with `json` it has the events."""
    from fencepost.checkers.operations.story import follow

    if not json:
        show([f"{source.path}: followed until Ctrl-C"])
    return follow(source, begin, about, static, most, shown=_Shown(json), keep=json)


class _Shown:
    """Prints events, and waits until the log may have grown."""

    def __init__(self, json: bool) -> None:
        self.json = json
        self.day = ""
        self.is_over = False

    def __call__(self, events: list[dict[str, Any]]) -> bool:
        """Print events, wait, and return whether to go on: until Ctrl-C, or until the reader has left."""
        from .story import day_of, of_events

        try:
            if not self.json:
                show(list(of_events(events, self.day)))
            self.day = day_of(events[-1]) if events else self.day
            self.is_over = self.is_over or unread()
            if not self.is_over:
                time.sleep(EVERY)
        except KeyboardInterrupt:
            self.is_over = True
        return not self.is_over
