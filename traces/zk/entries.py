"""The records of state-change.log: a line with its head taken apart, and the lines that continue it.

The head is log4j's `[%d] %p %m (%c)`: date and time to the millisecond, in the time zone of the broker; the level; the
message, which begins with its sender; the logger's name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache

from fencepost.traces.times import utc

from . import broker_problems  # noqa: F401 - declares the rest of a broker's messages
from .broker_lines import BROKER
from .causes import Cause, cause_of
from .controller_lines import CONTROLLER
from .messages import Message, Speaker

LOGGER = "state.change.logger"

SPEAKERS: dict[str, Speaker] = {"Controller": CONTROLLER, "Broker": BROKER}
"""The messages of each kind of sender."""

_TAIL = f" ({LOGGER})"
_NO_SENDER = "the line names neither a controller nor a broker as its sender"
_HEAD = re.compile(
    r"\[(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3})\] ([A-Z]+) (\[[A-Z][^]]*\]) (.*) \(state\.change\.logger\)",
    re.ASCII | re.DOTALL,
)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Sender:
    """The sender of a line: a controller with its epoch (None in the few lines that lack it), or a broker."""

    role: str
    id: int
    epoch: int | None = None

    @property
    def text(self) -> str:
        """The sender as printed in front of a message."""
        return f"[{self.role} id={self.id}]" if self.epoch is None else f"[{self.role} id={self.id} epoch={self.epoch}]"


@dataclass(frozen=True, slots=True)
class Entry:
    """A record that was read: `line` is its number in the file from 1, `trailer` the lines that continue it."""

    file: str
    line: int
    time: str
    level: str
    sender: Sender
    message: Message
    trailer: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """The name of the kind of line, such as `C.partition.new`."""
        return self.message.kind

    @property
    def place(self) -> str:
        """The place of the record: file and line number."""
        return f"{self.file}:{self.line}"

    @property
    def time_ms(self) -> int:
        """Milliseconds since 1970, the time taken for UTC."""
        return milliseconds(self.time)

    @property
    def cause(self) -> Cause | None:
        """The exception that follows the line, or None."""
        return cause_of(self.trailer)

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines of the record, without their ends."""
        head = f"[{self.time}] {self.level} {self.sender.text} {self.message.text}{_TAIL}"
        return (head, *self.trailer)


@dataclass(frozen=True, slots=True)
class Unparsed:
    """A record that no kind of line explains, with its lines as they stand, and why."""

    file: str
    line: int
    lines: tuple[str, ...]
    reason: str

    @property
    def place(self) -> str:
        """The place of the record: file and line number."""
        return f"{self.file}:{self.line}"


Record = Entry | Unparsed
"""A parsed line of state-change.log, with the lines that continue it."""


def said(time_ms: int, sender: Sender, message: Message, trailer: tuple[str, ...] = (), level: str = "") -> Entry:
    """Return the record that a sender writes at a time (milliseconds since 1970), which has no place yet.

    The level is the message's own unless another is given; `trailer` are the lines of an exception.
    """
    return Entry("", 0, time_text(time_ms), level or message.level, sender, message, trailer)


def is_head(line: str) -> bool:
    """Whether a line begins a record: a date and time in brackets."""
    return line[:1] == "[" and line[24:26] == "] " and line[1:5].isdigit() and line[20:21] == ","


def record_of(file: str, number: int, head: str, trailer: Sequence[str]) -> Record:
    """Return the record of a line and the lines that continue it, all without their ends; never raises."""
    match = _HEAD.fullmatch(head)
    if match is None:
        return Unparsed(file, number, (head, *trailer), _fault(head))
    time, level, who, said = match.groups()
    sender = _sender(who)
    if sender is None:
        return Unparsed(file, number, (head, *trailer), _NO_SENDER)
    message = SPEAKERS[sender.role].read(said)
    if message is None:
        return Unparsed(file, number, (head, *trailer), f"no kind of line of a {sender.role.lower()} reads like this")
    return Entry(file, number, time, level, sender, message, tuple(trailer))


def _fault(head: str) -> str:
    """Return the fault of a line that does not have the layout of this log."""
    if not is_head(head):
        return "the line has no date in front, nor does one before it"
    if not head.endswith(_TAIL):
        return f"the line does not end with the logger's name, {LOGGER}"
    return _NO_SENDER


def text_of(record: Record) -> str:
    """Return the lines of a record, each with its end, as they stand in the log."""
    return "".join(f"{line}\n" for line in record.lines)


@lru_cache(maxsize=1024)
def _sender(text: str) -> Sender | None:
    inside = text[1:-1].split(" ")
    parts = [part.partition("=") for part in inside[1:]]
    if inside[0] not in SPEAKERS or [name for name, _, _ in parts] not in (["id"], ["id", "epoch"]):
        return None
    if not all(number.isascii() and number.isdigit() for _, _, number in parts):
        return None
    found = Sender(inside[0], *(int(number) for _, _, number in parts))
    return found if found.text == text and (found.epoch is None or found.role == "Controller") else None


def milliseconds(time: str) -> int:
    """Return milliseconds since 1970 for `YYYY-MM-DD hh:mm:ss,mmm`, taken for UTC; raises ValueError for no time."""
    return _seconds(time[:19]) * 1000 + int(time[20:])


@lru_cache(maxsize=1024)
def _seconds(text: str) -> int:
    moment = datetime.strptime(text, "%Y-%m-%d %H:%M:%S").replace(tzinfo=UTC)
    return int((moment - _EPOCH).total_seconds())


def time_text(time_ms: int) -> str:
    """Return a time in milliseconds since 1970 as the logs write it, in UTC."""
    moment = utc(time_ms)
    return f"{time_ms} ms" if moment is None else f"{moment:%Y-%m-%d %H:%M:%S},{time_ms % 1000:03d}"
