"""What every test needs: those that need Java are skipped, and say so, where there is none."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

NEEDS = {"tlc": "java", "spark": "java", "kafka": "mvn"}
"""The program that tests with a marker need."""


def _found(program: str) -> bool:
    home = os.environ.get("JAVA_HOME")
    inside = shutil.which(program, path=str(Path(home, "bin"))) if home else None
    return bool(shutil.which(program) or inside)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what needs a program that is not there; in continuous integration what needs Kafka's jars fails instead."""
    missing = {program for program in NEEDS.values() if not _found(program)}
    if os.environ.get("CI") == "true":
        missing.discard(NEEDS["kafka"])
    for item in items:
        for marker, program in NEEDS.items():
            if program in missing and item.get_closest_marker(marker) is not None:
                item.add_marker(pytest.mark.skip(reason=f"needs {program}, which is not on the PATH"))
