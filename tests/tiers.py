"""Tiers of tests and the CPU time of each folder: which tests `make test` leaves out, and what a folder may take.

A test without a marker of `LEFT_OUT` runs in `make test`. `budgets.toml` has the CPU seconds that the tests of a folder
take together in `make test`; a run ends with the folders that took more.
"""

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

LEFT_OUT = frozenset({"nightly", "exhaustive"})
"""Markers of tests that run only when asked for."""

LONG = frozenset({"slow", "spark", "tlc", "kafka"})
"""Markers of tests that take seconds: a run begins with their files."""

FORKING = (
    *("tests/proof/", "tests/mutation/", "tests/cli/test_mutate.py", "tests/findings/", "tests/matrix/"),
    *("tests/kraft_claims/", "tests/kraft_data/", "tests/kraft_loop/", "tests/zk_data/"),
)
"""Beginnings of files whose tests fork processes for the solver: a run begins with them, as a fork of a process that
has run other tests takes several times as long."""

BUDGETS = Path(__file__).with_name("budgets.toml")

COLLECTED = pytest.StashKey[tuple[pytest.Item, ...]]()
"""All tests that were collected, those too that the markers leave out."""


def budgets(path: Path = BUDGETS) -> dict[str, float]:
    """Return the CPU seconds of each folder below `tests`, and of `collection` by one process."""
    return {folder: float(seconds) for folder, seconds in tomllib.loads(path.read_text(encoding="utf-8")).items()}


def split(nodeid: str) -> tuple[str, str]:
    """Return the file of a test, from the root of the repository, and its function, a class before it, no case."""
    file, _, rest = nodeid.partition("::")
    return file, rest.split("[", 1)[0]


def folder_of(nodeid: str) -> str:
    """Return the folder below `tests` in which a test lies, however deep."""
    return nodeid.split("/")[1]


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


def longest_first(tests: Iterable[tuple[str, Iterable[str]]]) -> list[str]:
    """Return the files of tests, each a node id and its markers: first those that fork and take seconds.

    Behind the files of `FORKING` come those with most tests that take seconds.
    """
    found: dict[str, int] = {}
    for nodeid, markers in tests:
        file, _ = split(nodeid)
        found[file] = found.get(file, 0) + (not LONG.isdisjoint(markers))
    return sorted(found, key=lambda file: (not file.startswith(FORKING), -found[file]))


def by_folder(taken: Mapping[str, float]) -> dict[str, float]:
    """Return the CPU seconds of each folder from those of each test, by node id."""
    found: dict[str, float] = {}
    for nodeid, seconds in taken.items():
        found[folder_of(nodeid)] = found.get(folder_of(nodeid), 0.0) + seconds
    return found


def exceeded(taken: Mapping[str, float], allowed: Mapping[str, float]) -> dict[str, float]:
    """Return the folders, with their CPU seconds, that took more than their budget."""
    return {folder: seconds for folder, seconds in taken.items() if seconds > allowed.get(folder, 0.0)}
