"""The words of one line, taken one after the other: each reader says what it expected where another word is there."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from fencepost.checkers.verdicts import Refusal
from fencepost.reference.kraft.levels import LEVELS, METADATA_VERSION, NAMES

from .words import Brokers, PartitionName

T = TypeVar("T")

LARGEST = 2**31 - 1
"""The greatest id, epoch and level that Kafka has room for."""

NONE = "none"
"""Means an empty list, or no leader."""

_TOPIC = re.compile(r"[a-zA-Z0-9._-]{1,249}")
_DIRECTORY = re.compile(r"[A-Za-z0-9_-]{1,22}")
_DURATION = re.compile(r"(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h)")
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_LONGEST = 86_400.0


class Line:
    """The words of a line from the second on; `place` and `usage` are what an error says of it."""

    def __init__(self, place: str, words: Sequence[str], usage: str) -> None:
        self.place, self.usage, self.head = place, usage, words[0]
        self.words, self.at = list(words[1:]), 0

    # -- the words -------------------------------------------------------------------------------------------------
    @property
    def next(self) -> str:
        """The next word, empty at the end of the line."""
        return self.words[self.at] if self.at < len(self.words) else ""

    def is_over(self) -> bool:
        """Whether every word was taken."""
        return self.at == len(self.words)

    def take(self, expected: str) -> str:
        """Return the next word; raises Refusal at the end of the line."""
        if self.is_over():
            raise self.refuse(f"{expected} is missing")
        self.at += 1
        return self.words[self.at - 1]

    def skip(self, *words: str) -> bool:
        """Take the next words if they are these, and return whether they were."""
        if tuple(self.words[self.at : self.at + len(words)]) != words:
            return False
        self.at += len(words)
        return True

    def end(self) -> None:
        """Raise Refusal if a word is left."""
        if not self.is_over():
            raise self.refuse(f"{self.next!r} is one word too many")

    def refuse(self, why: str) -> Refusal:
        """Return the error of this line: where it is, what is wrong, and how the step is written."""
        return Refusal(f"{self.place}: {self.head}: {why}; write {self.usage}")

    def one_of(self, expected: str, words: Sequence[str]) -> str:
        """Return the next word, which is one of some."""
        word = self.take(expected)
        if word not in words:
            raise self.refuse(f"{word!r} is no {expected}: use {' or '.join(words)}")
        return word

    # -- values ----------------------------------------------------------------------------------------------------
    def number(self, expected: str, least: int = 0, most: int = LARGEST) -> int:
        """Return a whole number from `least` to `most`."""
        word = self.take(expected)
        found = whole(word)
        if found is None or not least <= found <= most:
            raise self.refuse(f"{word!r} is no {expected}: use a whole number from {least} to {most}")
        return found

    def offset(self, expected: str) -> int:
        """Return a number to add, with its sign: +1 or -1."""
        word = self.take(expected)
        found = whole(word.lstrip("+")) if not word.startswith("+-") else None
        if found is None or abs(found) > LARGEST:
            raise self.refuse(f"{word!r} is no {expected}: use a number to add, as in +1 or -1")
        return found

    def broker(self) -> int:
        """Return a broker id."""
        return self.number("broker id")

    def brokers(self, expected: str = "list of broker ids", least: int = 1) -> Brokers:
        """Return broker ids with commas between them, `none` for an empty list where `least` is 0."""
        return self.ids(self.take(expected), expected, least)

    def ids(self, word: str, expected: str, least: int = 1) -> Brokers:
        """Return the broker ids of a word."""
        if least == 0 and word == NONE:
            return ()
        found = [whole(one) for one in word.split(",")]
        if any(one is None or not 0 <= one <= LARGEST for one in found):
            empty = f", or {NONE}" if least == 0 else ""
            raise self.refuse(f"{word!r} is no {expected}: use ids with commas between them, as in 1,2,3{empty}")
        return tuple(one for one in found if one is not None)

    def different(self, brokers: Brokers) -> Brokers:
        """Return broker ids; raises Refusal where one is named twice."""
        if len(set(brokers)) < len(brokers):
            raise self.refuse(f"{','.join(map(str, brokers))} names a broker twice")
        return brokers

    def assignment(self) -> tuple[Brokers, ...]:
        """Return the replicas of some partitions, with a slash between partitions."""
        word = self.take("assignment of replicas")
        return tuple(self.ids(one, "list of replicas") for one in word.split("/"))

    def topic(self) -> str:
        """Return the name of a topic."""
        word = self.take("topic")
        if not _TOPIC.fullmatch(word):
            raise self.refuse(f"{word!r} is no name of a topic: use letters, digits, '.', '_' and '-'")
        return word

    def partition(self, word: str | None = None) -> PartitionName:
        """Return a partition by its topic's name and its number."""
        word = self.take("partition") if word is None else word
        topic, dash, number = word.rpartition("-")
        found = whole(number)
        if not (dash and _TOPIC.fullmatch(topic) and found is not None and 0 <= found <= LARGEST):
            raise self.refuse(f"{word!r} is no partition: use a topic's name and a number, as in orders-0")
        return topic, found

    def partitions(self) -> tuple[PartitionName, ...]:
        """Return all partitions up to the end of the line."""
        found = [self.partition()]
        while not self.is_over():
            found.append(self.partition())
        return tuple(found)

    def directories(self, empty: bool = False) -> tuple[str, ...]:
        """Return names of log directories with commas between them, `none` for none where that is allowed."""
        word = self.take("list of log directories")
        if empty and word == NONE:
            return ()
        found = word.split(",")
        if not all(map(_DIRECTORY.fullmatch, found)):
            raise self.refuse(f"{word!r} is no list of log directories: use names or ids with commas between, as d1,d2")
        if len(set(found)) < len(found):
            raise self.refuse(f"{word} names a log directory twice")
        return tuple(found)

    def directory(self) -> str:
        """Return the name of one log directory."""
        found = self.directories()
        if len(found) > 1:
            raise self.refuse(f"{','.join(found)} are several log directories: name one")
        return found[0]

    def seconds(self) -> float:
        """Return a duration in seconds."""
        word = self.take("duration")
        found = _DURATION.fullmatch(word)
        seconds = float(found[1]) * _UNITS[found[2]] if found else 0.0
        if not 0 < seconds <= _LONGEST:
            raise self.refuse(f"{word!r} is no duration: use 500ms, 10s, 5m or 1h, up to 24h")
        return seconds

    def pairs(self) -> dict[str, str]:
        """Return settings, NAME=VALUE, up to the end of the line; raises Refusal for a name that is there twice."""
        found: dict[str, str] = {}
        while not self.is_over():
            name, value = self.pair()
            if name in found:
                raise self.refuse(f"{name} is set twice")
            found[name] = value
        return found

    def pair(self) -> tuple[str, str]:
        """Return the next setting, NAME=VALUE."""
        word = self.take("setting")
        name, equals, value = word.partition("=")
        if not (name and equals):
            raise self.refuse(f"{word!r} is no setting: use NAME=VALUE, as in min.insync.replicas=2")
        return name, value

    def level(self, feature: str) -> int:
        """Return a feature's level: a number, or a name of metadata.version."""
        word = self.take(f"level of {feature}")
        found = whole(word)
        if feature == METADATA_VERSION and word in LEVELS:
            return LEVELS[word]
        if found is None or not 0 <= found < 2**15 or (feature == METADATA_VERSION and found and found not in NAMES):
            names = f", or a name as {NAMES[max(NAMES)]}" if feature == METADATA_VERSION else ""
            raise self.refuse(f"{word!r} is no level of {feature}: use a number{names}")
        return found

    def any_of(self, options: dict[str, Callable[[], T]]) -> dict[str, T]:
        """Take options in any order, each once, each a word or several and then what its reader takes, to the end."""
        found: dict[str, T] = {}
        while not self.is_over():
            name = next((one for one in options if self.skip(*one.split(" "))), None)
            if name is None:
                raise self.refuse(f"{self.next!r} is none of {', '.join(options)}")
            if name in found:
                raise self.refuse(f"{name} is there twice")
            found[name] = options[name]()
        return found


def whole(word: str) -> int | None:
    """Return the whole number that a word is, None for any other word."""
    sign, digits = ("-", word[1:]) if word.startswith("-") else ("", word)
    return int(sign + digits) if digits.isascii() and digits.isdigit() and len(digits) <= 10 else None
