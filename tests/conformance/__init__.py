"""Tests of the conformance engine."""

from pathlib import Path

RECORDED = Path(__file__).resolve().parents[2] / "traces" / "recorded"
