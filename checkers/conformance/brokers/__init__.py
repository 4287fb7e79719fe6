"""Recorded brokers' log directories checked against the metadata log and a ledger of acknowledged records."""

from .judge import judge_recording
from .results import DataResult, DataViolation

__all__ = ["DataResult", "DataViolation", "judge_recording"]
