"""Recorded logs of real clusters checked against the tables: every record explained by a row, every property asked."""

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
