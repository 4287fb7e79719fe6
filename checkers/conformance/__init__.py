"""Recorded logs of real clusters held against the tables: every record explained by a row, every property asked."""

from .conform import Judge, conform
from .many import Job, Stopped
from .monitor import Monitor
from .options import Options
from .passed import PASSED_THROUGH
from .progress import Progress
from .results import ConformResult, Doubt, LogFinding, LogResult, PropertyEvidence, Span, Violation
from .sensitivity import Alteration, Removal, Sensitivity, Survival, WithoutRows, alterations, without_rows
from .wire import BoundRecord, WireBinding

__all__ = [
    "PASSED_THROUGH",
    "Alteration",
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
    "Removal",
    "Sensitivity",
    "Span",
    "Stopped",
    "Survival",
    "Violation",
    "WireBinding",
    "WithoutRows",
    "alterations",
    "conform",
    "without_rows",
]
