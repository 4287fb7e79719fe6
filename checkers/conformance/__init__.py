"""Recorded logs of real clusters checked against the tables: every record explained by a row, every property evaluated.

`prepared.py` makes a protocol ready once for all monitors. `beginning.py` chooses the start (offset 0, or the first
snapshot whose state is known), `snapshots.py` restores and compares snapshots, `monitor.py` checks Raft's rules
(offsets, epochs, control records) and passes units of batches to `units.py`, which parses each into results:
sequences of rows that write exactly these records. Damage clears the state that it may have touched; the next
snapshot restores it. `by_term.py` chooses the release of each leader's term, `causes.py` finds where a divergence
comes from, `static_settings.py` has what is assumed of server.properties, `old_forms.py` the records of older
controllers.

Three-valued conditions are closures (`kleene.py`), compiled to Python source when evaluated often (`printed.py`).
Large logs are evaluated by class (`classes.py`, ADR 12) and in runs of records (`run_units.py`, ADR 13 and 22), or in
parts (`parts.py`, ADR 17); `conform --plain` does without, with the same results. `many.py` checks several logs.
"""

from .conform import Judge, conform
from .many import Job, Stopped
from .monitor import Monitor
from .options import Options
from .passed import PASSED_THROUGH
from .progress import Progress
from .results import ConformResult, Doubt, LogFinding, LogResult, PropertyEvidence, Span, Violation
from .wire import BoundRecord, WireBinding

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
