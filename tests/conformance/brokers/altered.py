"""A copy of the recorded brokers' directories, to be altered: batches, checkpoints, ledger, each rewritten soundly."""

import gzip
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fencepost.checkers.conformance.brokers import DataResult, judge_recording
from fencepost.traces import Batch, encode_batch
from fencepost.traces.brokers import (
    EpochEntry,
    format_leader_epochs,
    format_offsets,
    parse_leader_epochs,
    parse_offsets,
    read_partition,
)

RECORDED = Path(__file__).resolve().parents[3] / "traces" / "recorded" / "kill-nine-data-4.4.0"
"""At its end broker 3 has stopped cleanly and is in no ISR; 1 and 2 were killed and are the ELR of each ledger-N."""

HIGH_WATERMARKS = "replication-offset-checkpoint"
RECOVERY_POINTS = "recovery-point-offset-checkpoint"


class Copied:
    """The copy in a directory, and what may be altered in it."""

    def __init__(self, place: Path) -> None:
        self.path = place / "recording"
        shutil.copytree(RECORDED, self.path)

    def judged(self) -> DataResult:
        """Check the copy as it is now."""
        return judge_recording(str(self.path))

    def folder(self, broker: int, partition: str) -> Path:
        """Return a partition's folder."""
        return self.path / "brokers" / str(broker) / partition

    def batches(self, broker: int, partition: str, change: Callable[[list[Batch]], list[Batch]]) -> None:
        """Write other batches in place of those of a partition; each stays in its segment."""
        folder = self.folder(broker, partition)
        changed = change(list(read_partition(str(folder)).batches))
        for file in folder.glob("*.log.gz"):
            mine = [encode_batch(one) for one in changed if one.segment == file.name.removesuffix(".gz")]
            file.write_bytes(gzip.compress(b"".join(mine)))

    def epochs(self, broker: int, partition: str, change: Callable[[list[EpochEntry]], list[EpochEntry]]) -> None:
        """Write other entries into a leader-epoch checkpoint."""
        file = self.folder(broker, partition) / "leader-epoch-checkpoint"
        file.write_text(format_leader_epochs(change(list(parse_leader_epochs(file.read_text(), str(file))))))

    def offset(self, broker: int, name: str, partition: tuple[str, int], offset: int) -> None:
        """Write another offset of a partition into a checkpoint."""
        file = self.path / "brokers" / str(broker) / name
        file.write_text(format_offsets({**parse_offsets(file.read_text(), str(file)), partition: offset}))

    def ledger(self, change: Callable[[list[dict[str, Any]]], list[dict[str, Any]]]) -> None:
        """Write other lines into the ledger."""
        file = self.path / "ledger.ndjson.gz"
        lines = change([json.loads(line) for line in gzip.decompress(file.read_bytes()).splitlines()])
        file.write_bytes(gzip.compress("".join(json.dumps(one) + "\n" for one in lines).encode()))
