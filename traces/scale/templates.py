"""The bytes of an episode with the places that differ from one time to the next, written by arrays.

An episode is encoded once, with a mark in place of each number that is relative. The marks, and the bytes of its ids
and names, are looked for in what was encoded: so no layout of a record is known here. What is written has as many bytes
each time, since these numbers are of fixed length and names keep theirs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fencepost.traces.batches import CHECKED_FROM, build_batch, build_control_batch, encode_batch
from fencepost.traces.crc32c import crc32c
from fencepost.traces.primitives import uuid_bytes

from .episodes import OFFSET, Episode, EpisodeBatch, Relative

Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int64]

_EPOCH_AT, _CRC_AT, _BASE_TIME_AT, _MAX_TIME_AT = 12, 17, 27, 35
_ID, _NUMBER = 16, 8
_MARK = 0x5CA1_AB1E_0000_0000
"""Numbers from here on stand for relative ones while an episode is encoded; no offset and no time is as large."""


@dataclass(frozen=True, slots=True)
class _Places:
    """Where values of one length go: the bytes of the episode, and for each value's bytes which value it is."""

    bytes: Numbers
    which: Numbers

    @classmethod
    def of(cls, found: Sequence[tuple[int, int]], length: int) -> _Places:
        at = np.array([place for place, _ in found], np.int64)
        which = np.array([number for _, number in found], np.int64)
        return cls((at[:, None] + np.arange(length)).ravel(), which)

    def write(self, data: Bytes, values: Bytes) -> None:
        if len(self.which):
            data[self.bytes] = values[self.which].ravel()


@dataclass(frozen=True, slots=True)
class Numbering:
    """The numbers before an episode: the next offset, Raft's epoch, the time in milliseconds, carried numbers."""

    offset: int
    epoch: int
    milliseconds: int
    carried: Mapping[str, int]

    def value(self, number: Relative) -> int:
        """Return what a relative number is."""
        return number.value + (self.offset if number.name == OFFSET else self.carried[number.name])

    def later(self, milliseconds: int) -> Numbering:
        """Return the same after some time."""
        return replace(self, milliseconds=self.milliseconds + milliseconds)

    def after(self, template: Template) -> Numbering:
        """Return what the next episode begins with."""
        ends = {name: self.value(number) for name, number in template.ends.items()}
        return Numbering(
            self.offset + template.records,
            self.epoch + template.epochs,
            self.milliseconds + template.milliseconds,
            {**self.carried, **ends},
        )


class Template:
    """An episode encoded: `bounds` are the bytes at which batches begin and the end, `offsets` their first offsets.

    `leader_epochs` and `times` are those of batches after the beginning's, `may_end` says after which the log may end.
    """

    def __init__(self, episode: Episode) -> None:
        self.kind, self.records, self.epochs = episode.kind, episode.records, episode.epochs
        self.milliseconds, self.ends = episode.milliseconds, dict(episode.ends)
        self.ids, self.names = len(episode.ids), len(episode.names)
        self.name_length = len(episode.names[0]) if episode.names else 0
        marks: dict[Relative, int] = {}
        parts, first = [], [0]
        for batch in episode.batches:
            parts.append(_encoded(batch, first[-1], marks))
            first.append(first[-1] + len(batch.records))
        whole = b"".join(parts)
        self.data: Bytes = np.frombuffer(whole, np.uint8)
        self.bounds: Numbers = np.cumsum([0, *map(len, parts)])
        self.offsets: Numbers = np.array(first, np.int64)
        self.may_end = np.array([batch.ends_result for batch in episode.batches])
        self.leader_epochs: Numbers = np.array([batch.epoch for batch in episode.batches], np.int64)
        self.times: Numbers = np.array([batch.milliseconds for batch in episode.batches], np.int64)
        self._headers = {
            (at, size): (self.bounds[:-1, None] + np.arange(at, at + size)).ravel()
            for at, size in ((0, 8), (_EPOCH_AT, 4), (_CRC_AT, 4), (_BASE_TIME_AT, 8), (_MAX_TIME_AT, 8))
        }
        self._marked = tuple(marks)
        self._id_places = _Places.of(_found(whole, [uuid_bytes(one) for one in episode.ids]), _ID)
        self._standing = _Places.of(_found(whole, [uuid_bytes(one) for one in episode.standing]), _ID)
        self._name_places = _Places.of(_found(whole, [one.encode() for one in episode.names]), self.name_length)
        self._number_places = _Places.of(_found(whole, [mark.to_bytes(_NUMBER) for mark in marks.values()]), _NUMBER)

    def for_log(self, standing: Bytes) -> Template:
        """Return the template of one log, whose standing ids are rows of bytes."""
        found = object.__new__(Template)
        found.__dict__.update(self.__dict__)
        found.data = self.data.copy()
        self._standing.write(found.data, standing)
        return found

    def batches_up_to(self, records: int) -> int:
        """Return after how many batches a log may end that is to have so many records more, all if there are fewer."""
        enough = np.flatnonzero(self.may_end & (self.offsets[1:] >= records))
        return int(enough[0]) + 1 if len(enough) else len(self.may_end)

    def written(self, start: Numbering, ids: Bytes, names: Bytes) -> bytes:
        """Return the bytes of the episode as it is written once; ids and names are rows of bytes."""
        data = self.data.copy()
        self._id_places.write(data, ids)
        self._name_places.write(data, names)
        numbers = np.array([start.value(number) for number in self._marked], np.int64)
        self._number_places.write(data, _big_endian(numbers, 8).reshape(-1, _NUMBER))
        self._header(data, 0, 8, start.offset + self.offsets[:-1])
        self._header(data, _EPOCH_AT, 4, start.epoch + self.leader_epochs)
        times = start.milliseconds + self.times
        self._header(data, _BASE_TIME_AT, 8, times)
        self._header(data, _MAX_TIME_AT, 8, times)
        whole = data.tobytes()
        sums = [crc32c(whole[begin + CHECKED_FROM : end]) for begin, end in pairwise(self.bounds.tolist())]
        self._header(data, _CRC_AT, 4, np.array(sums, np.int64))
        return data.tobytes()

    def _header(self, data: Bytes, at: int, size: int, values: Numbers) -> None:
        data[self._headers[at, size]] = _big_endian(values, size)


def _big_endian(values: Numbers, size: int) -> Bytes:
    return values.astype(">i8").view(np.uint8).reshape(-1, 8)[:, 8 - size :].ravel()


def _encoded(batch: EpisodeBatch, offset: int, marks: dict[Relative, int]) -> bytes:
    def marked(data: Mapping[str, Any]) -> dict[str, Any]:
        return {
            name: marks.setdefault(one, _MARK + len(marks)) if isinstance(one, Relative) else one
            for name, one in data.items()
        }

    more: dict[str, Any] = {"base_offset": offset, "epoch": 0, "timestamp": 0}
    if batch.is_control:
        control = [(record.type, marked(record.data)) for record in batch.records]
        return encode_batch(build_control_batch(control, **more))
    messages = [(record.type, record.version, marked(record.data)) for record in batch.records]
    return encode_batch(build_batch(messages, **more))


def _found(whole: bytes, values: Sequence[bytes]) -> list[tuple[int, int]]:
    """Return where values occur, with their numbers."""
    if not values:
        return []
    number = {value: place for place, value in enumerate(values)}
    pattern = re.compile(b"|".join(map(re.escape, values)), re.DOTALL)
    return [(match.start(), number[match.group()]) for match in pattern.finditer(whole)]
