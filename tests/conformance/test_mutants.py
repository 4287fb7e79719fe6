"""Bytes of recorded logs changed at random, by fixed seeds: nothing crashes or hangs, no other meaning goes unseen."""

from __future__ import annotations

import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from fencepost.checkers.conformance import PASSED_THROUGH, Monitor, Options
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kraft.protocol import KRAFT

from .mutants import SHORTER, TOLERATED, Original, Outcome, mutated, outcome, reason

MONITOR = Monitor(KRAFT, Options(PASSED_THROUGH))
SECONDS = 60.0
"""The most that one mutant may take; it takes far less, but machines are shared."""

SEEN = ("refused", "unreadable", "violates", "undecided")
PASSING = 11
"""The seed of a mutant of `first-boot` in which a control record says something else."""

OCCURS = {
    ("control record", "data"): ("first-boot", PASSING),
    SHORTER: ("first-boot", 18),
    ("CONFIG_RECORD", "name"): ("first-boot", 21),
    ("TOPIC_RECORD", "name"): ("elr-index-fault-4.4.0", 1729),
    ("REGISTER_BROKER_RECORD", "incarnationId"): ("first-boot", 1360),
    ("REGISTER_BROKER_RECORD", "features"): ("metadata-upgrade", 5),
    ("ACCESS_CONTROL_ENTRY_RECORD", "resourceName"): ("delete-recreate", 38),
    ("DELEGATION_TOKEN_RECORD", "owner"): ("scram-bootstrap-4.4.0", 49),
    ("REGISTER_CONTROLLER_RECORD", "controllerId"): ("first-boot", 1242),
}
"""For every change that is tolerated, a recording and the seed of its mutant that passes by it alone."""

ALL = {
    "first-boot": 200, "rolling-restart": 200, "elr-index-fault-4.4.0": 100, "metadata-upgrade": 100,
    "elr-directory-fault-4.4.0": 100, "suspects-4.4.0": 80, "delete-recreate": 80, "kill-nine-elr": 60,
    "controller-failover": 50, "snapshots": 30,
}  # fmt: skip
"""How many mutants of each recording: a thousand together, fewer of those that take longer."""


@cache
def original(scenario: str) -> Original:
    """Return a recorded log with its verdict."""
    return Original.of(scenario, MONITOR)


def mutants(scenario: str, count: int) -> Iterator[tuple[str, Outcome, float]]:
    """Yield what was done to each mutant of a recording, what became of it, and in how many seconds."""
    for seed in range(count):
        with tempfile.TemporaryDirectory() as directory:
            done = mutated(original(scenario), seed, Path(directory))
            started = time.monotonic()
            found = outcome(original(scenario), Path(directory), MONITOR)
            yield done, found, time.monotonic() - started


def assert_all_seen(scenario: str, count: int) -> Counter[str]:
    """Check every mutant of a recording, and return how many there are of each outcome."""
    kinds: Counter[str] = Counter()
    for done, found, seconds in mutants(scenario, count):
        assert found.kind in (*SEEN, "same records", "passes"), f"{scenario}, {done}: {found}"
        assert (found.kind == "passes") is (found.why != ""), f"{scenario}, {done}: {found}"
        assert seconds < SECONDS, f"{scenario}, {done}: {seconds:.0f} s"
        kinds[found.kind] += 1
    assert sum(kinds[kind] for kind in SEEN) > kinds["passes"]
    return kinds


@pytest.mark.representative("first-boot-20")
@pytest.mark.parametrize(("scenario", "count"), [("first-boot", 20), ("first-boot", 60), ("rolling-restart", 40)])
def test_some_mutants(scenario: str, count: int) -> None:
    """Every mutant of a small recording is seen, or says the same, or passes by a field for which there is a reason."""
    kinds = assert_all_seen(scenario, count)
    assert kinds["unreadable"] > count // 12
    assert kinds["violates"] > count // 12


@pytest.mark.exhaustive
@pytest.mark.parametrize("scenario", ALL)
def test_a_thousand_mutants(scenario: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The same of ten recordings; those that no table explains in full yet must be reported otherwise than before."""
    kinds = assert_all_seen(scenario, ALL[scenario])
    with capsys.disabled():
        print(f"\n{scenario}: {dict(sorted(kinds.items()))}")


def test_a_thousand_are_a_thousand() -> None:
    """The counts of the slow test add up to what its name says."""
    assert sum(ALL.values()) == 1000


def test_an_unseen_change_would_be_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The mutant that passes for a reason is an unseen one when the reason is taken away."""
    whole = original("first-boot")
    assert (whole.result.verdict, outcome(whole, whole.directory, MONITOR).kind) == (Verdict.CONFORMS, "same records")
    mutated(whole, PASSING, tmp_path)
    found = outcome(whole, tmp_path, MONITOR)
    assert (found.kind, found.changes) == ("passes", (("control record", "data"),))
    monkeypatch.delitem(TOLERATED, ("control record", "data"))
    assert outcome(whole, tmp_path, MONITOR).kind == "unseen"


@pytest.mark.representative("change0", "change4")
@pytest.mark.parametrize("change", TOLERATED)
def test_every_tolerated_change_occurs(change: tuple[str, str], tmp_path: Path) -> None:
    """No reason is in the list in vain: a mutant passes by it, as long as the tables do not see more."""
    scenario, seed = OCCURS[change]
    mutated(original(scenario), seed, tmp_path)
    found = outcome(original(scenario), tmp_path, MONITOR)
    assert (found.kind, found.changes, found.why) == ("passes", (change,), TOLERATED[change])


def test_what_is_tolerated_is_read_off_the_tables() -> None:
    """A field that every record of its type ignores has a reason, and so has what a request chose."""
    assert reason(("REGISTER_BROKER_RECORD", "rack"), MONITOR)
    assert reason(("CLIENT_QUOTA_RECORD", "value"), MONITOR)
    assert reason(("USER_SCRAM_CREDENTIAL_RECORD", "salt"), MONITOR)
    for change in (("PARTITION_CHANGE_RECORD", "leader"), ("PARTITION_RECORD", "isr"), ("record", "type")):
        assert reason(change, MONITOR) == ""
        assert change not in TOLERATED
