"""Printed rows, replays and claims against the monitor that evaluates each term by itself: the same to the letter."""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

import pytest

from fencepost.checkers.conformance.matching.parsing import Parse
from fencepost.checkers.conformance.printed_rows.matching import PrintedMatcher
from fencepost.checkers.conformance.printed_rows.units import PrintedUnits
from fencepost.checkers.conformance.reading.monitor import Monitor
from fencepost.checkers.conformance.reading.options import Options
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kraft.protocol import KRAFT
from fencepost.model.releases import RELEASES
from fencepost.traces import MetadataLog, read_log
from tests.oracles.test_same import RELEASES as WRITERS

from . import RECORDED
from .layers import Used, altered, beginning_late, noting

LATE = ("snapshots from 682", "snapshots from 1301")
RECORDINGS = tuple(name for name in WRITERS if name != "fake-chaos-elr")
ALTERED = tuple(
    f"{name} altered {seed}"
    for seed in range(40)
    for name in ("rolling-restart", "reassignment", "delete-recreate", "suspects-4.4.0", "elr-directory-fault-4.4.0")
)


def read(name: str) -> MetadataLog:
    """Return a recording, one of its altered logs, or what is left of it from a snapshot on."""
    recording, _, rest = name.partition(" ")
    log = read_log(RECORDED / recording)
    if rest.startswith("altered"):
        return altered(log, int(rest.split()[1]))[0]
    return beginning_late(log, int(rest.split()[1])) if rest else log


def writer(name: str) -> str:
    """Return the release whose tables a log is checked against."""
    return WRITERS.get(name.split()[0], "4.4")


@pytest.mark.representative(
    "elr-directory-fault-4.4.0", "elr-directory-fault-4.4.0 altered 7", "suspects-4.4.0 altered 5",
)  # fmt: skip
@pytest.mark.parametrize("name", [*RECORDINGS, *LATE, *ALTERED])
def test_printed_rows_and_claims_say_what_single_terms_say(name: str) -> None:
    """Verdict, rows, classes, violations with what stopped each row, findings, fields that could not be compared and
    counts of every property are those of the plain monitor; printed rows explain nearly all units of a recording that
    is read from its beginning."""
    protocol = RELEASES[writer(name)].for_logs
    with noting(PrintedUnits, "parse", lambda found: found is not None) as used:
        found = Monitor(protocol).judge(read(name))
    plain = Monitor(protocol, Options(by_class=False)).judge(read(name))
    assert repr(found) == repr(plain)
    assert found.rows
    assert sum(used) >= 0.9 * len(used) > 0 or " " in name


def test_each_unit_is_explained_in_the_same_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of every unit of a log with directories, reassignments and leaders, blocks, rows, parameters and changes are
    those that single terms give: more than a document shows."""
    from fencepost.checkers.conformance.reading import units

    compared = [0]
    real = units.Units._by_printed_rows
    simple = units.parse

    def both(self: units.Units, records: object, offsets: object) -> Parse | None:
        mine = real(self, records, offsets)  # type: ignore[arg-type]
        if mine is not None:
            theirs = simple(self.state, self.matcher, records, offsets)  # type: ignore[arg-type]
            assert _ways(mine) == _ways(theirs)
            assert [set(one) for one in mine.changes] == [set(one) for one in theirs.changes]
            # Simple evaluation has written and undone: the states of the printed one begin anew.
            compared[0] += 1
        return mine

    monkeypatch.setattr(units.Units, "_by_printed_rows", both)
    found = Monitor(RELEASES["4.4"].for_logs).judge(read_log(RECORDED / "suspects-4.4.0"))
    assert found.verdict is Verdict.CONFORMS
    assert compared[0] > 150


def _ways(parse: Parse) -> list[object]:
    return [
        (
            one.start,
            one.end,
            {(edge.start, edge.end, edge.row, edge.unjudged, frozenset(edge.binding.items())) for edge in one.edges},
        )
        for one in parse.blocks
    ]


@contextmanager
def _never() -> Iterator[Used]:
    """Have printed rows explain nothing."""
    with patch.object(PrintedMatcher, "parse", lambda self, records, offsets: None):
        yield []


def test_where_printed_rows_cannot_tell_single_terms_do() -> None:
    """A log of which printed rows explain no unit is checked all the same, with the same result."""
    log = read_log(RECORDED / "first-boot")
    with _never():
        found = Monitor(KRAFT).judge(log)
    assert repr(found) == repr(Monitor(KRAFT).judge(read_log(RECORDED / "first-boot")))
    assert found.verdict is Verdict.CONFORMS


def test_the_document_of_a_folder_of_short_logs_is_the_plain_one() -> None:
    """Logs that Kafka's own classes wrote, each of some twenty records, are checked as by single terms."""
    protocol = RELEASES["4.4"].for_logs
    logs = sorted(one for one in (RECORDED / "classes-4.4.0").iterdir() if one.is_dir())
    assert len(logs) > 3
    for path in logs:
        plain = Monitor(protocol, Options(by_class=False)).judge(read_log(path))
        assert repr(Monitor(protocol).judge(read_log(path))) == repr(plain)
