"""Current faults of the network: how each link behaves, and which are cut."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Link:
    """How messages from one process to another fare; delays in nanoseconds, the others are shares of all messages.

    Messages keep their order, as on a connection, but for the share `reorder`: these are late by up to
    `reorder_delay_ns` and let later ones overtake them. A duplicate takes a delay of its own.
    """

    min_delay_ns: int = 200_000
    max_delay_ns: int = 1_000_000
    loss: float = 0.0
    duplication: float = 0.0
    reorder: float = 0.0
    reorder_delay_ns: int = 20_000_000


class Cut:
    """A set of links that carry nothing, as (source, target); to be given back to `Faults.heal`."""

    __slots__ = ("pairs",)

    def __init__(self, pairs: tuple[tuple[str, str], ...]) -> None:
        self.pairs = pairs


class Change:
    """A set of links that behave otherwise; to be given back to `Faults.restore`."""

    __slots__ = ("link", "pairs")

    def __init__(self, pairs: tuple[tuple[str, str], ...], link: Link) -> None:
        self.pairs, self.link = pairs, link


class Faults:
    """The faults of a network, which may be changed at any time. Cuts and changes may overlap.

    A link carries again when every cut over it is healed; of several changes to a link the latest counts. `cut_pairs`
    are the links that carry nothing, as (source, target), `links` those that behave otherwise than `usual`.

    >>> faults = Faults()
    >>> cut = faults.cut(["a"], ["b", "c"])
    >>> faults.is_cut("b", "a"), faults.is_cut("b", "c")
    (True, False)
    >>> faults.heal(cut)
    >>> faults.is_cut("b", "a")
    False
    """

    def __init__(self, usual: Link | None = None) -> None:
        self.usual = usual or Link()
        self._cuts: list[Cut] = []
        self._changes: list[Change] = []
        self.cut_pairs: frozenset[tuple[str, str]] = frozenset()
        self.links: dict[tuple[str, str], Link] = {}

    def cut(self, sources: Iterable[str], targets: Iterable[str], *, both_ways: bool = True) -> Cut:
        """Cut the links from each of the sources to each of the targets, and back if `both_ways`."""
        cut = Cut(_pairs(sources, targets, both_ways))
        self._cuts.append(cut)
        self._count()
        return cut

    def heal(self, cut: Cut) -> None:
        """End a cut; ending it again has no effect."""
        self._cuts = [one for one in self._cuts if one is not cut]
        self._count()

    def change(self, sources: Iterable[str], targets: Iterable[str], link: Link, *, both_ways: bool = True) -> Change:
        """Let the links from each of the sources to each of the targets, and back if `both_ways`, behave so."""
        change = Change(_pairs(sources, targets, both_ways), link)
        self._changes.append(change)
        self._count()
        return change

    def restore(self, change: Change) -> None:
        """End a change; ending it again has no effect."""
        self._changes = [one for one in self._changes if one is not change]
        self._count()

    def heal_all(self) -> None:
        """End all cuts and all changes; `usual` stays as it is."""
        self._cuts, self._changes = [], []
        self._count()

    def is_cut(self, source: str, target: str) -> bool:
        """Whether nothing gets from one process to another now."""
        return (source, target) in self.cut_pairs

    def link(self, source: str, target: str) -> Link:
        """Return how messages from one process to another fare now, cuts aside."""
        return self.links.get((source, target), self.usual)

    def _count(self) -> None:
        self.cut_pairs = frozenset(pair for cut in self._cuts for pair in cut.pairs)
        self.links = {pair: change.link for change in self._changes for pair in change.pairs}


def _pairs(sources: Iterable[str], targets: Iterable[str], both_ways: bool) -> tuple[tuple[str, str], ...]:
    targets = tuple(targets)
    there = [(source, target) for source in sources for target in targets if source != target]
    back = [(target, source) for source, target in there] if both_ways else []
    return tuple(dict.fromkeys(there + back))
