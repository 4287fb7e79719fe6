"""The quick tier: which tests are in it, and what a test took, recorded in `durations.json`.

A test is in it unless a marker says that it needs Java, a browser or a long time, or `durations.json` has its function
with more than `QUICK` CPU seconds. One that is not recorded is in: what a run of the tier shows to be too slow, the run
names.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

APART = frozenset({"tlc", "spark", "kafka", "browser", "spin", "cargo", "slow", "nightly", "exhaustive"})
"""Markers that keep a test out of the quick tier."""

LEFT_OUT = frozenset({"nightly", "exhaustive"})
"""Markers of tests that run only when asked for."""

QUICK = 0.4
"""CPU seconds of the slowest case of a function up to which all its cases are in the quick tier."""

NAMED = 2.0
"""CPU seconds from which a run names a test of the tier: well above `QUICK`, as whoever comes first pays for imports
and for what a module shares."""

RECORDED = Path(__file__).with_name("durations.json")

COLLECTED = pytest.StashKey[tuple[pytest.Item, ...]]()
"""All tests that were collected, those too that the markers leave out."""

Durations = Mapping[str, Mapping[str, float]]
"""CPU seconds of the slowest case by file and function, of functions that take more than `QUICK` only."""


def read(path: Path = RECORDED) -> Durations:
    """Return what is recorded, nothing where there is no such file."""
    found: Durations = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return found


def split(nodeid: str) -> tuple[str, str]:
    """Return the file of a test, from the root of the repository, and its function, a class before it, no case."""
    file, _, rest = nodeid.partition("::")
    return file, rest.split("[", 1)[0]


def is_quick(nodeid: str, markers: Iterable[str], recorded: Durations) -> bool:
    """Return whether a test with these markers is in the quick tier."""
    file, function = split(nodeid)
    return APART.isdisjoint(markers) and recorded.get(file, {}).get(function, 0.0) <= QUICK


def left_out(markers: Iterable[str]) -> bool:
    """Return whether a test with these markers runs only when asked for."""
    return not LEFT_OUT.isdisjoint(markers)


def repeated(item: pytest.Item) -> str | None:
    """Return the test that a case repeats whose test has representative cases: itself with those, or nothing.

    A test with the marker `representative` runs with the cases that the marker names, and with the others every night.
    """
    marker = item.get_closest_marker("representative")
    if marker is None or left_out(one.name for one in item.iter_markers()):
        return None
    case = item.nodeid.partition("[")[2].removesuffix("]")
    return None if case in marker.args else split(item.nodeid)[1]


def longest_first(nodeids: Iterable[str], recorded: Durations) -> list[str]:
    """Return the files of tests by what they would take, were every case as slow as the slowest of its function."""
    found: dict[str, float] = {}
    for file, function in map(split, nodeids):
        found[file] = found.get(file, 0.0) + recorded.get(file, {}).get(function, 0.0)
    return sorted(found, key=lambda file: -found[file])


def merged(recorded: Durations, taken: Mapping[str, float]) -> dict[str, dict[str, float]]:
    """Return the record with the CPU seconds of the tests that ran, by node id.

    The larger figure stays, as a run may leave out the slowest case; to record anew, delete the file first.
    """
    found = {(file, name): seconds for file, names in recorded.items() for name, seconds in names.items()}
    for nodeid, seconds in taken.items():
        found[split(nodeid)] = max(found.get(split(nodeid), 0.0), round(seconds, 1))
    kept: dict[str, dict[str, float]] = {}
    for (file, name), seconds in sorted(found.items()):
        if seconds > QUICK:
            kept.setdefault(file, {})[name] = seconds
    return kept


def written(durations: Durations, path: Path = RECORDED) -> None:
    """Write a record, a line a function."""
    path.write_text(json.dumps(durations, indent=1, sort_keys=True) + "\n", encoding="utf-8")
