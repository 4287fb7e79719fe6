"""The lines of a KRaft controller's own log that say what its event loop does: claims, commits, appends, renunciations.

Understood are the forms that controllers of Kafka 3.9 to 4.4 wrote in the recordings (`FORMS`); the text in front of
`[QuorumController id=N]` is not read. Lines of other forms are counted.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from .errors import TraceError
from .storage import lines_of, open_file


class Claim(NamedTuple):
    """A node has become the active controller: its epoch, and where it writes next."""

    line: int
    node: int
    epoch: int
    next_write: int


class Renounced(NamedTuple):
    """The active controller of an epoch is a standby again; `reverted_to` is the last offset of the state it keeps."""

    line: int
    node: int
    epoch: int
    reverted_to: int


class Led(NamedTuple):
    """A node has heard of an epoch, and who leads in it: None where it is not yet known."""

    line: int
    node: int
    epoch: int
    leader: int | None


class Committed(NamedTuple):
    """A batch is committed for a node: its last offset and its epoch; `is_active` where the node itself wrote it."""

    line: int
    node: int
    offset: int
    epoch: int
    is_active: bool
    is_control: bool


class Appended(NamedTuple):
    """The active controller has given records to Raft, which end with an offset; `is_atomic`: as one batch."""

    line: int
    node: int
    records: int
    offset: int
    is_atomic: bool


class Transaction(NamedTuple):
    """A node has replayed the record that begins or ends a transaction, which is at an offset."""

    line: int
    node: int
    record: str
    offset: int


class FirstHighWatermark(NamedTuple):
    """A leader knows for the first time what is committed in its epoch: the end of it."""

    line: int
    node: int
    epoch: int
    end: int


class Parked(NamedTuple):
    """An answer waits in the purgatory until an offset is stable; `writes` is whether its operation wrote records."""

    line: int
    node: int
    operation: str
    offset: int
    writes: bool


class Answered(NamedTuple):
    """An operation has ended without an error, and its answer has left."""

    line: int
    node: int
    operation: str


class Started(NamedTuple):
    """A controller process of a cluster begins."""

    line: int
    node: int
    cluster: str


LoopLine: TypeAlias = (
    Claim | Renounced | Led | Committed | Appended | Transaction | FirstHighWatermark | Parked | Answered | Started
)


@dataclass(frozen=True, slots=True)
class LoopLines:
    """The lines of one file that were understood, in its order, and how many were not."""

    path: str
    lines: tuple[LoopLine, ...]
    others: int = 0
    forms: Mapping[str, int] = field(default_factory=dict)


FORMS: Mapping[str, str] = {
    "claim": r"Becoming the active controller at epoch (\d+), next write offset (\d+)\.",
    "renounced": r"\S+ event failed with .* at epoch (\d+) in \d+ microseconds\. "
    r"Renouncing leadership and reverting to the last committed offset (-?\d+)\.",
    "led": r"In the new epoch (\d+), the leader is (\(none\)|\d+)\.",
    "committed": r"Completing purgatory items up to offset (\d+) and epoch (\d+)\.",
    "replayed": r"Replaying commits from the active node up to offset (\d+) and epoch (\d+)\.",
    "control": r"Skipping handling commit for batch with no data records with offset (\d+) and epoch (\d+)\.",
    "appended": r"Appended (\d+) record\(s\) in \d+ batch\(es\), ending with offset (\d+)\.",
    "atomic": r"Atomically appended (\d+) record\(s\) ending with offset (\d+)\.",
    "transaction": r"Replayed (Begin|End)TransactionRecord\(.*\) at offset (\d+)\.",
    "parked": r"(Read-write|Read-only) operation (\S+) will be completed when the log reaches offset (\d+)\.?",
    "answered": r"Processed (\S+\(\d+\)) in \d+ us",
    "started": r"Creating new QuorumController with clusterId ([A-Za-z0-9_-]+)",
    "first-high-watermark": r"High watermark set to LogOffsetMetadata\(offset=(\d+), .*\) for the first time for epoch "
    r"(\d+) ",
}
"""The text of each kind of line, behind `[QuorumController id=N] ` or, for the last one, `[RaftManager id=N] `."""

_PREFIX = re.compile(r"\[(?:QuorumController|RaftManager) id=(\d+)\] ")
_COMPILED = {name: re.compile(form) for name, form in FORMS.items()}

_MAKE: Mapping[str, Callable[[int, int, tuple[str, ...]], LoopLine]] = {
    "claim": lambda line, node, said: Claim(line, node, int(said[0]), int(said[1])),
    "renounced": lambda line, node, said: Renounced(line, node, int(said[0]), int(said[1])),
    "led": lambda line, node, said: Led(line, node, int(said[0]), int(said[1]) if said[1].isdecimal() else None),
    "committed": lambda line, node, said: Committed(line, node, int(said[0]), int(said[1]), True, False),
    "replayed": lambda line, node, said: Committed(line, node, int(said[0]), int(said[1]), False, False),
    "control": lambda line, node, said: Committed(line, node, int(said[0]), int(said[1]), False, True),
    "appended": lambda line, node, said: Appended(line, node, int(said[0]), int(said[1]), False),
    "atomic": lambda line, node, said: Appended(line, node, int(said[0]), int(said[1]), True),
    "transaction": lambda line, node, said: Transaction(line, node, said[0], int(said[1])),
    "parked": lambda line, node, said: Parked(line, node, said[1], int(said[2]), said[0] == "Read-write"),
    "answered": lambda line, node, said: Answered(line, node, said[0]),
    "started": lambda line, node, said: Started(line, node, said[0]),
    "first-high-watermark": lambda line, node, said: FirstHighWatermark(line, node, int(said[1]), int(said[0])),
}


def parse_line(text: str, number: int) -> tuple[str, LoopLine] | None:
    """Return the form of a line and what it says, None for a line of another form; `number` is the line's."""
    prefix = _PREFIX.search(text)
    if prefix is None:
        return None
    for name, form in _COMPILED.items():
        match = form.match(text, prefix.end())
        if match is not None:
            return name, _MAKE[name](number, int(prefix[1]), match.groups())
    return None


def read_loop_lines(path: str) -> LoopLines:
    """Read a controller's log, gzipped or not; raises TraceError where it cannot be read to its end."""
    lines: list[LoopLine] = []
    forms: Counter[str] = Counter()
    others = 0
    try:
        with open_file(path) as stream:
            for number, raw in enumerate(lines_of(stream, path), start=1):
                found = parse_line(raw.decode("utf-8", errors="replace").rstrip("\n"), number)
                if found is None:
                    others += 1
                else:
                    forms[found[0]] += 1
                    lines.append(found[1])
    except (EOFError, OSError, zlib.error) as error:
        raise TraceError(f"{path}: the file cannot be read to its end ({error}): copy it again") from error
    return LoopLines(path, tuple(lines), others, forms)
