"""A map, a set and a single value that remember what they were at each snapshot of their registry.

An element carries its start epoch: the epoch after the newest snapshot when it was put in. What is overwritten or
removed is kept by the newest snapshot if it was there when that snapshot was taken (copy on write), so a snapshot costs
nothing until something changes. Elements are immutable values; a collection inside another is a value replaced whole.
"""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from typing import Generic, TypeVar, overload

from .registry import Snapshot, SnapshotRegistry

K = TypeVar("K")
V = TypeVar("V")
D = TypeVar("D")


class _Element(Generic[V]):
    __slots__ = ("start", "value")

    def __init__(self, value: V, start: int) -> None:
        self.value, self.start = value, start


class TimelineMap(MutableMapping[K, V]):
    """A map whose earlier states can be read, and returned to; in the order in which keys were put in."""

    def __init__(self, registry: SnapshotRegistry) -> None:
        self._registry = registry
        self._current: dict[K, _Element[V]] = {}
        self._number = registry.register(self)

    # -- reading ---------------------------------------------------------------------------------------------------
    def __getitem__(self, key: K) -> V:
        return self._current[key].value

    def __contains__(self, key: object) -> bool:
        return key in self._current

    def __len__(self) -> int:
        return len(self._current)

    def __iter__(self) -> Iterator[K]:
        return iter(self._current)

    @overload
    def get(self, key: K, default: None = None, /) -> V | None: ...
    @overload
    def get(self, key: K, default: V | D, /) -> V | D: ...
    def get(self, key: K, default: V | D | None = None, /) -> V | D | None:
        """Return the value of a key as it is now."""
        element = self._current.get(key)
        return default if element is None else element.value

    def at(self, key: K, epoch: int) -> V | None:
        """Return the value that a key had at a snapshot's epoch, None where it had none."""
        element = self._at(key, epoch)
        return None if element is None else element.value

    def items_at(self, epoch: int) -> dict[K, V]:
        """Return all keys and values as they were at a snapshot's epoch."""
        keys = dict.fromkeys(self._current)
        for snapshot in self._since(epoch):
            keys |= dict.fromkeys(snapshot.deltas.get(self._number, ()))
        found = ((key, self._at(key, epoch)) for key in keys)
        return {key: element.value for key, element in found if element is not None}

    def _at(self, key: K, epoch: int) -> _Element[V] | None:
        element = self._current.get(key)
        if element is not None and element.start <= epoch:
            return element
        for snapshot in self._since(epoch):
            kept: _Element[V] | None = snapshot.deltas.get(self._number, {}).get(key)
            if kept is not None:
                # The first one met decides: one that is too new says that there was none at the epoch.
                return kept if kept.start <= epoch else None
        return None

    def _since(self, epoch: int) -> list[Snapshot]:
        return [snapshot for snapshot in self._registry.snapshots if snapshot.epoch >= epoch]

    # -- writing ---------------------------------------------------------------------------------------------------
    def __setitem__(self, key: K, value: V) -> None:
        current, snapshots = self._current, self._registry.snapshots
        latest = snapshots[-1].epoch if snapshots else -1
        old = current.get(key)
        if old is not None and snapshots and old.start <= latest:
            snapshots[-1].deltas.setdefault(self._number, {})[key] = old
        current[key] = _Element(value, latest + 1)

    def __delitem__(self, key: K) -> None:
        self._keep(key, self._current[key])
        del self._current[key]

    def _keep(self, key: K, element: _Element[V]) -> None:
        snapshots = self._registry.snapshots
        if snapshots and element.start <= snapshots[-1].epoch:
            snapshots[-1].deltas.setdefault(self._number, {})[key] = element

    # -- taking back -----------------------------------------------------------------------------------------------
    def revert(self, deltas: list[Snapshot], target: int) -> None:
        """Take back what was changed after the snapshot at `target`."""
        if any(self._number in snapshot.deltas for snapshot in deltas) or any(
            element.start > target for element in self._current.values()
        ):
            restored: dict[K, _Element[V]] = {}
            for snapshot in reversed(deltas):
                restored |= snapshot.deltas.get(self._number, {})
            self._current = {key: one for key, one in self._current.items() if one.start <= target}
            self._current |= {key: one for key, one in restored.items() if one.start <= target}

    def reset(self) -> None:
        """Become empty."""
        self._current = {}


class TimelineSet(Generic[K]):
    """A set whose earlier states can be read, and returned to; in the order in which elements were put in."""

    def __init__(self, registry: SnapshotRegistry) -> None:
        self._map: TimelineMap[K, bool] = TimelineMap(registry)

    def __contains__(self, element: object) -> bool:
        return element in self._map

    def __len__(self) -> int:
        return len(self._map)

    def __iter__(self) -> Iterator[K]:
        return iter(self._map)

    def add(self, element: K) -> None:
        """Put an element in; nothing changes where it is in already."""
        if element not in self._map:
            self._map[element] = True

    def discard(self, element: K) -> None:
        """Take an element out, if it is in."""
        self._map.pop(element, None)

    def at(self, epoch: int) -> list[K]:
        """Return the elements as they were at a snapshot's epoch."""
        return list(self._map.items_at(epoch))


class TimelineValue(Generic[V]):
    """A single value whose earlier states can be read, and returned to; at first, and after a reset, `initial`."""

    def __init__(self, registry: SnapshotRegistry, initial: V) -> None:
        self._map: TimelineMap[str, V] = TimelineMap(registry)
        self.initial = initial

    @property
    def value(self) -> V:
        """The value as it is now."""
        return self._map.get("", self.initial)

    @value.setter
    def value(self, value: V) -> None:
        self._map[""] = value

    def at(self, epoch: int) -> V:
        """Return the value as it was at a snapshot's epoch."""
        element = self._map._at("", epoch)
        return self.initial if element is None else element.value
