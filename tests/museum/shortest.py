"""What tests of entries with one claim each share: it falls by the shortest run, and not in the tables as they are."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import cache

import pytest

from fencepost.checkers.exploration import Exploration, explore
from fencepost.checkers.verdicts import Verdict
from fencepost.model.language import Protocol
from fencepost.model.museum import MUSEUM, Entry, Expected
from fencepost.model.registry import FAMILIES
from tests.museum.runs import check_the_run
from tests.unbroken import unbroken


def entries(base: str) -> list[Entry]:
    """Return the entries of a protocol, without those over the switch to diskless storage (`test_diskless.py`)."""
    return [one for one in MUSEUM if one.base == base and not one.name.startswith("diskless")]


def each(base: str, large: Collection[str] = (), nightly: Mapping[str, str] | None = None) -> pytest.MarkDecorator:
    """Return the parameter `entry` over those of which something is expected, the large ones marked as slow.

    Those that are `nightly` have the test that makes their claim in every run.
    """
    repeats = nightly or {}

    def marks(name: str) -> list[pytest.MarkDecorator]:
        if name in repeats:
            return [pytest.mark.nightly(repeats[name])]
        return [pytest.mark.slow] if name in large else []

    return pytest.mark.parametrize(
        "entry",
        [pytest.param(one, id=one.name, marks=marks(one.name)) for one in entries(base) if one.expected],
    )


def looked_at(tables: Protocol, expected: Expected) -> Exploration:
    """Explore for the claim that falls, as deep as that takes."""
    alone = replace(tables, properties=(tables.property(expected.property),))
    return explore(alone, expected.at(alone), max_depth=expected.length + 1, deadlock=False)


def check_the_shortest_run(entry: Entry) -> None:
    """The claim falls after exactly as many rows as declared, by the row declared, in a run that was replayed."""
    [expected] = entry.expected
    found = looked_at(entry.edited(FAMILIES[entry.base].explored), expected).property(expected.property)
    assert found.verdict is Verdict.VIOLATED
    check_the_run(found.trace, expected)


@cache
def _unedited(base: str, bound: str) -> Exploration:
    """Explore a protocol at a bound for the claims of all entries there, as deep as the longest of their runs."""
    tables = FAMILIES[base].explored
    there = [one for entry in entries(base) for one in entry.expected if repr(one.at(tables)) == bound]
    claims = dict.fromkeys(one.property for one in there)
    asked = replace(tables, properties=tuple(map(tables.property, claims)))
    return explore(asked, there[0].at(asked), max_depth=max(one.length for one in there) + 1, deadlock=False)


def check_the_tables_hold(entry: Entry) -> None:
    """As deep as that and deeper, at the same bound, the tables without the edit keep the claim."""
    [expected] = entry.expected
    found = _unedited(entry.base, repr(expected.at(FAMILIES[entry.base].explored)))
    assert unbroken(found.property(expected.property))
