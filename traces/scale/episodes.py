"""An episode: batches that a controller wrote between two times at which the cluster was in the same state.

What differs when the same happens again later in a log is named and not written out: offsets, broker epochs, producer
ids and Raft's epochs are relative, the ids and names of what the episode makes for itself are listed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

OFFSET = ""
"""The number that every episode has: the offset of its first record."""


@dataclass(frozen=True, slots=True)
class Relative:
    """A 64-bit number of a record: so much more than the number of that name was when the episode began."""

    name: str
    value: int


@dataclass(frozen=True, slots=True)
class EpisodeRecord:
    """A record of an episode; numbers of `data` may be `Relative`. Of a control record the version is not used."""

    type: str
    version: int
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class EpisodeBatch:
    """A batch of an episode: its Raft epoch, and its milliseconds, counted from the episode's beginning.

    `ends_result` says whether the controller could have stopped here: no result goes on in the next batch.
    """

    records: tuple[EpisodeRecord, ...]
    epoch: int
    milliseconds: int
    ends_result: bool = True
    is_control: bool = False


@dataclass(frozen=True, slots=True)
class Episode:
    """An episode's records, and the numbers after it: `ends` has those that are others than before.

    `ids` and `names` are new each time that the episode is written, and `names` keep their length; `standing` are ids
    that are the same in a whole log, and others in another.
    """

    kind: str
    batches: tuple[EpisodeBatch, ...]
    milliseconds: int
    epochs: int = 0
    ids: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    standing: tuple[str, ...] = ()
    ends: Mapping[str, Relative] = field(default_factory=dict)

    @property
    def records(self) -> int:
        """How many offsets the episode takes."""
        return sum(len(batch.records) for batch in self.batches)

    def positions(self) -> Iterator[tuple[int, int, EpisodeRecord]]:
        """Yield batch number, place in the batch, and record, in the order of offsets."""
        for number, batch in enumerate(self.batches):
            for place, record in enumerate(batch.records):
                yield number, place, record

    def with_batch(self, number: int, batch: EpisodeBatch) -> Episode:
        """Return the episode with another batch in place of one, of as many records."""
        return replace(self, batches=(*self.batches[:number], batch, *self.batches[number + 1 :]))

    def without(self, offsets: frozenset[int]) -> Episode:
        """Return the episode without some records, by their offsets in it; numbers that are offsets move along."""

        def moved(number: Relative) -> Relative:
            if number.name != OFFSET:
                return number
            return Relative(OFFSET, number.value - sum(offset < number.value for offset in offsets))

        batches, offset = [], 0
        for batch in self.batches:
            kept = []
            for record in batch.records:
                if offset not in offsets:
                    data = {name: moved(one) if isinstance(one, Relative) else one for name, one in record.data.items()}
                    kept.append(replace(record, data=data))
                offset += 1
            if kept:
                batches.append(replace(batch, records=tuple(kept)))
        ends = {name: moved(number) for name, number in self.ends.items()}
        return replace(self, batches=tuple(batches), ends=ends)
