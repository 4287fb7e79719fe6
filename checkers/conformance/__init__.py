"""Recorded logs of real clusters checked against the tables: every record explained by a row, every property evaluated.

The log of a KRaft controller passes through the packages from the bottom to the top; none imports one below it here:

- `conform.py` is the entrance; `by_term.py` chooses the release of each leader's term, `many.py` checks several logs,
  `strict.py` a log under one release;
- `explain` finds the cause of a violation, the history of an entity and the coverage of rows by reading a log again;
- `reading` reads one log: `reading/monitor.py` checks Raft's rules (offsets, epochs, control records) and passes
  batches to `reading/units.py`; damage clears the state that it may have touched, the next snapshot restores it;
- `printed_rows` explains the records of a batch by rows as Python functions, while every cell is known (ADR 28);
- `by_class` keeps what was evaluated for all entities of a class, and evaluates runs of records (ADR 32): its matcher
  and its claims are subclasses of those that evaluate each entity by itself, which know nothing of it;
- `matching` explains records term by term, entity by entity, as `conform --plain` does, with the same results;
- `state` replays records and evaluates properties; `plans` prepares rows for matching;
- `evaluation` evaluates terms of which some cells are hidden; `classes` stores the cells of equal entities once;
- `records` binds records to the tables; `results` is what a check finds.

`spark` does the same in the tasks of a Spark job, `zk` for recordings of the ZooKeeper era, `quorum` and `brokers` for
the files of several nodes. `lockstep`, `loop_lockstep`, `data_lockstep`, `zk_lockstep`, `designs` and `requests` check
steps of reference controllers and traces of requests, `answers` recorded answers of Kafka's own classes.
"""

from .conform import Judge, conform
from .many import Job, Stopped
from .reading.monitor import Monitor
from .reading.options import Options
from .records.passed import PASSED_THROUGH
from .records.wire import BoundRecord, WireBinding
from .results.progress import Progress
from .results.results import ConformResult, Doubt, LogFinding, LogResult, PropertyEvidence, Span, Violation

__all__ = [
    "PASSED_THROUGH",
    "BoundRecord",
    "ConformResult",
    "Doubt",
    "Job",
    "Judge",
    "LogFinding",
    "LogResult",
    "Monitor",
    "Options",
    "Progress",
    "PropertyEvidence",
    "Span",
    "Stopped",
    "Violation",
    "WireBinding",
    "conform",
]
