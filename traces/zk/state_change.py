"""state-change.log of a ZooKeeper-era cluster: read lazily into records, and written byte for byte.

Within one controller epoch the order of the lines in the file is exact; their times are not, as several threads write.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from fencepost.traces.errors import TraceError

from .entries import LOGGER, Record, Unparsed, record_of, text_of
from .log_files import scan, write_lines

_ADVICE = "give a state-change.log of Kafka, plain or gzipped"
_OTHER_LOGGER = re.compile(r"\((?!state\.change\.logger\))([\w.$]+)\)$")


_OF_KRAFT = re.compile(
    r"\[Broker id=\d+\] (?:Transitioning \d+ partition\(s\) to local |Creating new partition \S+ with topic id )"
)
_OF_BOTH = {"B.leader", "B.follower"}
"""Lines of a broker that a KRaft broker writes, too."""


def read_state_change(path: str | Path) -> Iterator[Record]:
    """Yield the records of a state-change.log in the file's order, lazily.

    What no kind of line explains is an `Unparsed` record. Raises `TraceError` for a file that is missing, damaged, or
    the log of another logger altogether, and one of a KRaft broker.
    """
    file = str(path)
    ours, other, kraft, zookeeper = False, "", False, False
    for number, head, trailer in scan(file, _ADVICE):
        record = record_of(file, number, head, trailer)
        if not ours and isinstance(record, Unparsed):
            logger = _OTHER_LOGGER.search(head)
            # A line that is cut off, or of a kind not known, is of this log.
            ours, other = logger is None, logger[1] if logger else other
        else:
            ours = True
        if isinstance(record, Unparsed):
            kraft = kraft or _OF_KRAFT.search(head) is not None
        else:
            zookeeper = zookeeper or record.kind not in _OF_BOTH
        yield record
    if kraft and not zookeeper:
        raise TraceError(
            f"{file}: this is a KRaft broker's state-change.log, which follows what the controllers decided: their "
            "decisions are in the metadata log; give the directory __cluster_metadata-0 of a controller"
        )
    if other and not ours:
        raise TraceError(f"{file}: every line is of another logger ({other}), none of {LOGGER}; {_ADVICE}")


def write_state_change(path: str | Path, records: Iterable[Record]) -> None:
    """Write records to a file, gzipped where its name ends with `.gz`: the bytes they were read from."""
    write_lines(path, map(text_of, records))
