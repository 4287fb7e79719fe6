"""The invariants in SQL and the properties of the tables say the same of recordings and of faulty logs."""

import ast
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from fencepost.checkers.conformance import LogResult, conform
from fencepost.model.language import Always, Step
from fencepost.model.releases import RELEASES as TABLES
from fencepost.traces import MetadataLog, read_log
from tests.conformance import RECORDED
from tests.conformance.test_every_recording import settings

from .claims import ALIASES, READS, ROWS, RULES, SCOPES, Claims, Compared, compared, entities_of, judged, named
from .columns import table_of
from .faults import ALTERATIONS, WHERE, Faulty, altered, piece
from .judge import Broken, Judgement, Oracle, judge_parquet, write
from .unsaid import UNSAID

RELEASES = {
    "controller-failover": "4.3",
    "delete-recreate": "4.3",
    "elr-directory-fault-4.4.0": "4.4",
    "elr-index-fault-4.4.0": "4.4",
    "fake-chaos-elr": "4.4",
    "first-boot": "4.3",
    "kill-nine-data-4.4.0": "4.4",
    "kill-nine-elr": "4.3",
    "levels-down-and-up-4.4.0": "4.4",
    "metadata-upgrade": "4.3",
    "min-isr-while-isr-empty-4.4.0": "4.4",
    "node-config-moved-4.4.0": "4.4",
    "reassignment": "4.3",
    "rolling-restart": "4.3",
    "scram-bootstrap-4.4.0": "4.4",
    "snapshots": "4.3",
    "static-settings-elr-4.4.0": "4.4",
    "suspects-4.4.0": "4.4",
    "upgrade-3.9-to-4.4": "3.9",
}
"""The recordings that pieces are taken of, with the release that wrote them, or their beginning."""

BY_TERM = ("zk-migration-3.9.2",)
"""Recordings of which no piece is taken: no release that is given explains them."""

COPIED = {"P33": 11, "P7r": 1, "P7": 1}
"""What the oracle says of `zk-migration-3.9.2` and the tables do not, where partitions are copied from ZooKeeper: such
a partition begins with the epochs and the ISR that it had, before its brokers have registered again."""

SAMPLE, EVERY = 16, 1000


@cache
def recorded(scenario: str) -> MetadataLog:
    """Return a recording."""
    path = RECORDED / scenario
    return read_log(path / "00000000000000000000.log" if (path / "others").exists() else path)


def faulty(seed: int) -> Faulty:
    """Return a log with faults: of every third a pair; some begin with a snapshot where a segment begins."""
    rng = random.Random(seed)
    scenario = rng.choice(sorted(RELEASES))
    log = recorded(scenario)
    # Behind the last but one segment there are too few records.
    bases = {one.base_offset for one in log.segments[1:-1]}
    first = rng.choice([0, *(one.end_offset for one in log.snapshots if one.end_offset in bases)])
    return altered(scenario, piece(log, first, rng.choice([120, 250])), rng, seed % 3 == 0)


def asked(logs: Sequence[Faulty]) -> list[tuple[Faulty, LogResult, Claims, Judgement]]:
    """Return what both say of logs; the oracle gets all of them at once."""
    said = Oracle(table_of((str(n), one.log) for n, one in enumerate(logs))).judgements()
    return [(one, *judged(one.log, RELEASES[one.recording]), said[str(n)]) for n, one in enumerate(logs)]


@cache
def sample() -> list[tuple[Faulty, LogResult, Claims, Judgement]]:
    """Return what both say of the logs that every run checks."""
    return asked([faulty(seed) for seed in range(SAMPLE)])


def differing(found: Sequence[tuple[Faulty, Compared]]) -> list[tuple[str, object, tuple[str, ...]]]:
    """Return the logs of which both do not say the same."""
    return [(one.recording, one.altered, it.differences) for one, it in found if it.differences]


# -- recordings --------------------------------------------------------------------------------------------------------
def told(result: LogResult) -> set[tuple[str, int, tuple[str, ...]]]:
    """Return what `conform` answers of invariants: violations, and properties that are declared violated."""
    found = [(one.rule, one.offset, one.entity) for one in result.violations]
    found += [(one.by, one.offset, one.entity) for one in result.findings]
    return {(id, at, entities_of(of)) for id, at, of in found if id in SCOPES or id in ALIASES or id in RULES}


@pytest.mark.representative("first-boot", "reassignment")
@pytest.mark.slow
@pytest.mark.parametrize("scenario", [*RELEASES, *BY_TERM])
def test_a_recording_has_the_same_violations(scenario: str) -> None:
    """Property, offset and entities are what `conform` answers by the release in force, with nothing in doubt."""
    path = RECORDED / scenario
    (result,) = conform(
        [path / "00000000000000000000.log" if (path / "others").exists() else path], None, static=settings(path)
    ).logs
    oracle = Oracle(table_of([(scenario, recorded(scenario))])).judgements()[scenario]
    ours = {
        (id, oracle.ends.get(at, at) if SCOPES.get(named(id)) == "result" else at, of) for id, at, of in told(result)
    }
    theirs = {(one.property, one.offset, one.entities) for one in oracle.broken if not oracle.leaves_open(one)}
    assert not result.doubts
    assert not ours - theirs
    if scenario in BY_TERM:
        assert Counter(id for id, _, _ in theirs - ours) == COPIED
    else:
        assert theirs == ours


@pytest.mark.slow
def test_the_recordings_show_some() -> None:
    """The comparison of recordings is not one of empty sets: three properties are violated in some."""
    found = Oracle(table_of((one, recorded(one)) for one in RELEASES)).judgements()
    counted = Counter(one.property for said in found.values() for one in said.broken if not said.leaves_open(one))
    assert counted == {"P7s": 45, "P13b": 12, "P5": 7}


# -- faulty logs -------------------------------------------------------------------------------------------------------
@pytest.mark.slow
def test_sql_and_conform_say_the_same_of_a_sample() -> None:
    """Of 16 logs with faults each violation of one is one of the other, but for what `compared` allows."""
    found = [(one, compared(one.log, result, claims, oracle)) for one, result, claims, oracle in sample()]
    assert differing(found) == []
    assert sum(it.both for _, it in found) > SAMPLE
    # What is allowed is the exception: where a record is missing that would have said more.
    assert sum(it.unknown for _, it in found) * 5 < sum(it.both for _, it in found)


@pytest.mark.nightly("test_sql_and_conform_say_the_same_of_a_sample")
def test_sql_and_conform_say_the_same_of_a_thousand() -> None:
    """The same of 1,000 others; every alteration is among them at every border, and every invariant is broken."""
    logs = [faulty(seed) for seed in range(SAMPLE, SAMPLE + EVERY)]
    every = asked(logs)
    found = [(one, compared(one.log, result, claims, oracle)) for one, result, claims, oracle in every]
    assert differing(found) == []
    done = Counter(one for log in logs for one in log.altered)
    assert {name for name, _ in done} == ALTERATIONS.keys()
    assert {where for _, where in done} == set(WHERE)
    broken = {one.property for *_, oracle in every for one in oracle.broken}
    assert broken == SCOPES.keys() | ROWS | RULES
    both = sum(it.both for _, it in found)
    print(f"{len(logs)} logs, {both} violations of both, {sum(it.unknown for _, it in found)} of the oracle alone")


@pytest.mark.slow
def test_a_violation_that_one_of_both_does_not_see_is_noticed() -> None:
    """Each violation taken from what SQL says of the sample, or from what `conform` claims, is a difference."""
    seen: set[str] = set()
    for one, result, claims, oracle in sample():
        if claims.doubted or any(it.rule in ("gap", "undecodable") for it in result.violations):
            continue
        for it in oracle.broken:
            fewer = replace(oracle, broken=oracle.broken - {it}, spans=())
            if it.scope != "row" and not oracle.leaves_open(it):
                assert compared(one.log, result, claims, fewer).differences, it
                seen.add(it.property)
        for it in claims.broken:
            less = Claims(claims.broken - {it}, claims.doubted)
            if it.scope == "record":
                assert compared(one.log, result, less, oracle).differences, it
    assert len(seen) > 6


@pytest.mark.slow
def test_what_is_explained_must_be_sound() -> None:
    """Where SQL says that a row's claim is broken, a result of `conform` without a violation is a difference."""
    for one, result, claims, oracle in sample():
        rows = [it for it in oracle.broken if it.property in ROWS]
        if rows and not claims.doubted and not compared(one.log, result, claims, oracle).differences:
            said = replace(result, violations=[], doubts=[])
            assert any("conform explains it" in it for it in compared(one.log, said, claims, oracle).differences)
            return
    pytest.fail("the sample shows none")


def test_every_property_is_stated_or_named() -> None:
    """Each property of each release is stated in SQL, or is among those that are not, with a reason; none is both."""
    asked = {
        named(one.id)
        for release in TABLES.values()
        for one in release.for_logs.properties
        if isinstance(one, Step) or (isinstance(one, Always) and not one.lemma)
    }
    unsaid = [id for ids in UNSAID.values() for id in ids]
    assert len(unsaid) == len(set(unsaid))
    assert set(unsaid).isdisjoint(SCOPES.keys() | ROWS)
    assert asked == set(unsaid) | SCOPES.keys() | ROWS - {"P17c"}
    assert SCOPES.keys() == READS.keys()


# -- the oracle --------------------------------------------------------------------------------------------------------
def test_the_oracle_is_apart_from_what_it_judges() -> None:
    """Neither the columns nor the SQL's runner import the tables or the monitor."""
    folder = Path(__file__).parent
    for name in ("__init__.py", "columns.py", "judge.py"):
        tree = ast.parse((folder / name).read_text(encoding="utf-8"))
        found = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        found += [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
        assert not [one for one in found if one.startswith(("fencepost.model", "fencepost.checkers"))]
    text = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.sql"))
    assert all(f"-- {id}: " in text for id in SCOPES.keys() | ROWS | RULES)


def test_parquet_says_the_same(tmp_path: Path) -> None:
    """Decoded records in a Parquet file are checked as those in memory are, and the time is reported."""
    log = recorded("suspects-4.4.0")
    write(log, tmp_path / "decoded.parquet")
    found = judge_parquet(tmp_path / "decoded.parquet")
    assert found.violations == (("log", Broken("P5", "record", 69, ("te2PgrnuR5KoCB0Pw1i_Cw-0",))),)
    assert found.cpu_seconds > 0
