"""A log put together of episodes by a seed, and written as segments: one seed and number are one log, to the byte."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import BinaryIO, Protocol

import numpy as np

from fencepost.traces.names import segment_name

from .episodes import Episode
from .templates import Bytes, Numbering, Template

FIRST_EPOCH = 1
FIRST_MILLISECOND = 1_750_000_000_000
LONGEST_PAUSE = 5_000
"""Milliseconds that pass at most between two episodes."""

_HEXADECIMAL = np.frombuffer(b"0123456789abcdef", np.uint8)
_CHOSEN_AT_ONCE = 1024


@dataclass(frozen=True, slots=True)
class LogPlan:
    """A log to write: its number among those of a seed, how many records it has at least, the bytes of a segment.

    It ends with the first result that reaches the number of records.
    """

    seed: int
    number: int
    records: int
    segment_bytes: int = 1 << 30


@dataclass(frozen=True, slots=True)
class Written:
    """Totals of a written log: records, bytes, segments, episodes by kind, and first offsets of altered episodes."""

    records: int
    bytes: int
    segments: int
    kinds: Mapping[str, int]
    altered: Mapping[int, int]


class Sink(Protocol):
    """Receives the bytes of a log, episode by episode; `count` is how many files it made."""

    count: int
    end_offset: int

    @property
    def size(self) -> int:
        """How many bytes were written."""

    def write(self, data: bytes, template: Template, start: Numbering, batches: int) -> None:
        """Take the first batches of an episode, which was written from some beginning."""

    def close(self) -> None:
        """End what is written."""


def randomness(seed: int, number: int, what: int = 0) -> np.random.Generator:
    """Return the random numbers of one log, for one of several uses that do not disturb each other."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(number, what))))


def choices(plan: LogPlan, kinds: int) -> Iterator[int]:
    """Yield which episode comes next, without end."""
    random = randomness(plan.seed, plan.number)
    while True:
        yield from random.integers(kinds, size=_CHOSEN_AT_ONCE).tolist()


class LogWriter:
    """Writes logs that begin with one episode and go on with others, in an order by the seed."""

    def __init__(self, beginning: Episode, episodes: Sequence[Episode]) -> None:
        self.beginning, self.episodes = beginning, tuple(episodes)
        self._standing = len(beginning.ids)
        self._beginning = Template(beginning)
        self._templates = [Template(one) for one in episodes]

    def certain(self, plan: LogPlan) -> list[int]:
        """Return the episodes of a log by their places, as far as all of each is surely written."""
        found: list[int] = []
        left = plan.records - self._beginning.records
        for chosen in choices(plan, len(self._templates)):
            left -= self._templates[chosen].records
            if left < 0:
                return found
            found.append(chosen)
        raise AssertionError("choices have no end")

    def write(self, plan: LogPlan, create: Callable[[str], BinaryIO], altered: Mapping[int, Episode]) -> Written:
        """Write a log, with other episodes at some places; `create` makes the file of a segment's name."""
        return self.fill(plan, _Segments(create, plan.segment_bytes), altered)

    def fill(self, plan: LogPlan, sink: Sink, altered: Mapping[int, Episode]) -> Written:
        """Write a log as `write` does, into anything that takes its bytes; it is closed."""
        kinds: dict[str, int] = {}
        begins: dict[int, int] = {}
        try:
            for place, template, start, data in self._episodes(plan, altered):
                batches = template.batches_up_to(plan.records - start.offset)
                sink.write(data, template, start, batches)
                kinds[template.kind] = kinds.get(template.kind, 0) + 1
                if place in altered:
                    begins[place] = start.offset
        finally:
            sink.close()
        return Written(sink.end_offset, sink.size, sink.count, dict(sorted(kinds.items())), begins)

    def _episodes(
        self, plan: LogPlan, altered: Mapping[int, Episode]
    ) -> Iterator[tuple[int, Template, Numbering, bytes]]:
        random = randomness(plan.seed, plan.number, 1)
        start = Numbering(0, FIRST_EPOCH, FIRST_MILLISECOND, {})
        standing = _ids(random, self._standing)
        yield -1, self._beginning, start, self._beginning.written(start, standing, _names(random, 0, 0))
        start = start.after(self._beginning)
        templates: dict[int, Template] = {}
        for place, chosen in enumerate(choices(plan, len(self._templates))):
            if start.offset >= plan.records:
                return
            if place in altered:
                template = Template(altered[place]).for_log(standing)
            else:
                if chosen not in templates:
                    templates[chosen] = self._templates[chosen].for_log(standing)
                template = templates[chosen]
            start = start.later(int(random.integers(1, LONGEST_PAUSE)))
            ids, names = _ids(random, template.ids), _names(random, template.names, template.name_length)
            yield place, template, start, template.written(start, ids, names)
            start = start.after(template)


def _ids(random: np.random.Generator, count: int) -> Bytes:
    """Random ids as Kafka makes them: version 4, and none that is written with a dash in front."""
    found = random.integers(256, size=(count, 16), dtype=np.uint8)
    found[:, 0] &= 0x7F
    found[:, 6] = found[:, 6] & 0x0F | 0x40
    found[:, 8] = found[:, 8] & 0x3F | 0x80
    return found


def _names(random: np.random.Generator, count: int, length: int) -> Bytes:
    """Random names: a letter and hexadecimal digits."""
    found = _HEXADECIMAL[random.integers(16, size=(count, length), dtype=np.uint8)]
    found[:, :1] = ord("t")
    return found


class _Segments:
    """The files of a log; a batch that does not fit begins the next."""

    def __init__(self, create: Callable[[str], BinaryIO], most: int) -> None:
        self._create, self._most = create, most
        self._file: BinaryIO | None = None
        self._size = 0
        self.written = self.count = self.end_offset = 0

    @property
    def size(self) -> int:
        return self.written

    def write(self, data: bytes, template: Template, start: Numbering, batches: int) -> None:
        bounds, done, offset = template.bounds, 0, start.offset
        while done < batches:
            room = int(bounds[done]) + self._most - self._size
            until = min(int(np.searchsorted(bounds, room, "right")) - 1, batches)
            if until <= done and self._size == 0:
                until = done + 1
            if until <= done or self._file is None:
                self._roll(offset + int(template.offsets[done]))
            if until > done and self._file is not None:
                part = data[int(bounds[done]) : int(bounds[until])]
                self._file.write(part)
                self._size += len(part)
                self.written += len(part)
                done = until
        self.end_offset = offset + int(template.offsets[batches])

    def _roll(self, offset: int) -> None:
        self.close()
        self._file, self._size = self._create(segment_name(offset)), 0
        self.count += 1

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None
