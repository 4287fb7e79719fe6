"""Several observers of the same controllers, notified one after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from fencepost.reference.kraft.controller.observer import SilentObserver

CALLS = tuple(name for name in vars(SilentObserver) if not name.startswith("_"))


class Observers(SilentObserver):
    """Passes every call on to several observers, in their order: to those that do anything at it."""

    def __init__(self, *observers: SilentObserver) -> None:
        for name in CALLS:
            silent = getattr(SilentObserver, name)
            calls = [getattr(one, name) for one in observers if getattr(type(one), name, None) is not silent]
            if calls:
                setattr(self, name, calls[0] if len(calls) == 1 else _all(calls))


def _all(calls: Sequence[Callable[..., None]]) -> Callable[..., None]:
    def call(*arguments: Any, **more: Any) -> None:
        for one in calls:
            one(*arguments, **more)

    return call
