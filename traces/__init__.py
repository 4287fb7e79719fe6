"""How a run is written down and read back: metadata records, Kafka's binary log and snapshots, kafka-dump-log text.

Nothing here knows a rule of the protocol; everything here is read from bytes, or written to them, exactly.

A large batch is walked once (`framing.py`); its records are decoded on demand (`lazy_records.py`) or given as columns
(`runs.py`). `events.py` has traces of requests and answers, `steps.py` and the `…_steps.py` beside it those of
simulated processes, `redaction.py` writes a log with other names.
"""

from .batches import build_batch, build_control_batch, decode_batch, encode_batch
from .codec import decode_control, decode_value, encode_control, encode_value
from .dump_writer import dump_lines, dump_text
from .errors import CodecError, CompressedBatchError, TraceError
from .followed import followed
from .log_writer import build_snapshot, placed, write_log, write_snapshot
from .logs import LogSource, find_log, find_logs, iterate_file, iterate_log, read_log, read_snapshot
from .names import SnapshotId, parse_segment_name, parse_snapshot_name, segment_name, snapshot_name
from .record_types import CONTROL_TYPES, RECORD_TYPES, default_of, fields_of, versions_of
from .records import (
    AnyRecord,
    Batch,
    ControlRecord,
    Header,
    Item,
    MetadataLog,
    Quarantined,
    Record,
    Segment,
    Snapshot,
    TrailingZeros,
    Undecodable,
)

__all__ = [
    "CONTROL_TYPES",
    "RECORD_TYPES",
    "AnyRecord",
    "Batch",
    "CodecError",
    "CompressedBatchError",
    "ControlRecord",
    "Header",
    "Item",
    "LogSource",
    "MetadataLog",
    "Quarantined",
    "Record",
    "Segment",
    "Snapshot",
    "SnapshotId",
    "TraceError",
    "TrailingZeros",
    "Undecodable",
    "build_batch",
    "build_control_batch",
    "build_snapshot",
    "decode_batch",
    "decode_control",
    "decode_value",
    "default_of",
    "dump_lines",
    "dump_text",
    "encode_batch",
    "encode_control",
    "encode_value",
    "fields_of",
    "find_log",
    "find_logs",
    "followed",
    "iterate_file",
    "iterate_log",
    "parse_segment_name",
    "parse_snapshot_name",
    "placed",
    "read_log",
    "read_snapshot",
    "segment_name",
    "snapshot_name",
    "versions_of",
    "write_log",
    "write_snapshot",
]

if __name__ != "fencepost.traces":
    raise ImportError("this package is fencepost.traces: write `import fencepost.traces`, not `import traces`")
