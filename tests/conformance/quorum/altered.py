"""A copy of the recorded logs of a quorum, to be altered: batches, lines, snapshots, each rewritten soundly."""

import gzip
import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from fencepost.checkers.conformance.quorum import QuorumResult, judge_quorum
from fencepost.checkers.conformance.quorum.replays import Replay
from fencepost.traces import Batch, build_control_batch, encode_batch, find_logs, read_log

RECORDED = Path(__file__).resolve().parents[3] / "traces" / "recorded"
FAILOVER = RECORDED / "controller-failover"
"""Node 3002's log, which ends at 816, one record beyond the others; nine more below `others`; the lines of all."""

LAST, THIRD = "controller-3000", "controller-3001"
"""Two of the logs at the end: both end at 815."""


class Copied:
    """The copy in a directory, and what may be altered in it."""

    def __init__(self, place: Path, lines: bool = True) -> None:
        self.path = place / "quorum"
        shutil.copytree(FAILOVER, self.path)
        if not lines:
            (self.path / "controller.log.gz").unlink()

    def judged(self, replay: Replay | None = None, high_watermark: int | None = None) -> QuorumResult:
        """Check the copy as it is now."""
        paths = [self.path, self.path / "others"]
        return judge_quorum(find_logs(paths, keep=True), replay=replay, high_watermark=high_watermark)

    def log(self, name: str = "") -> Path:
        """Return the directory of a log: that of node 3002 without a name."""
        return self.path / "others" / name if name else self.path

    def batches(self, name: str, change: Callable[[list[Batch]], Sequence[Batch]]) -> None:
        """Write other batches in place of those of a log, which has one segment."""
        directory = self.log(name)
        write(directory, change(list(read_log(directory).batches)))

    def first(self, part: str) -> str:
        """Return the first line that has a text."""
        lines = gzip.decompress((self.path / "controller.log.gz").read_bytes()).decode().splitlines()
        return next(line for line in lines if part in line)

    def times(self, old: str) -> int:
        """Return how often a text is in the lines."""
        return gzip.decompress((self.path / "controller.log.gz").read_bytes()).decode().count(old)

    def line(self, old: str, new: str, times: int = 1) -> int:
        """Write another text in place of one in a line, and return the number of the first such line."""
        file = self.path / "controller.log.gz"
        text = gzip.decompress(file.read_bytes()).decode()
        assert text.count(old) == times, (old, text.count(old))
        file.write_bytes(gzip.compress(text.replace(old, new).encode()))
        return text[: text.index(old)].count("\n") + 1


def write(directory: Path, batches: Sequence[Batch]) -> None:
    """Write batches as the one segment of a log directory."""
    directory.mkdir(parents=True, exist_ok=True)
    data = b"".join(encode_batch(one) for one in batches)
    (directory / "00000000000000000000.log").write_bytes(data)


def at(batches: Sequence[Batch], offset: int) -> int:
    """Return the number of the batch that begins at an offset."""
    return next(number for number, one in enumerate(batches) if one.base_offset == offset)


def moved(batch: Batch, by: int) -> Batch:
    """Return a batch with other offsets."""
    records = tuple(replace(one, offset=one.offset + by) for one in batch.records)
    return replace(
        batch, base_offset=batch.base_offset + by, last_offset=batch.last_offset + by, records=records, raw=None
    )


def leader_change(offset: int, epoch: int, leader: int) -> Batch:
    """Return the batch with which a leader opens its epoch."""
    voters = [{"voterId": node} for node in (3000, 3001, 3002)]
    data = {"version": 0, "leaderId": leader, "voters": voters, "grantingVoters": voters[:2]}
    return build_control_batch([("LeaderChange", data)], base_offset=offset, epoch=epoch, timestamp=1)
