"""TLC takes the runs that exploration found, row by row, and refuses a run that was altered, at the altered step."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from fencepost.checkers.exploration import explore
from fencepost.checkers.exploration.result import DEADLOCK as OURS
from fencepost.checkers.stepping import Differs, WrittenRun, written, written_run
from fencepost.checkers.tlc import DEADLOCK, Confirmed, render, replay_by_tlc, run_module
from fencepost.checkers.verdicts import ExitCode, Refusal
from fencepost.model.language.vocabulary import *
from fencepost.model.registry import find
from tests.examples.two_phase import TWO_PHASE, Decision, Progress, commit_sent, decision, progress, x

NC = TWO_PHASE.claiming(
    always("NC", forall(x, progress[x].isnt(Progress.COMMITTED))),
    sometimes("SENT", commit_sent),
    step("OPEN", decision.is_(Decision.DONE).implies(next_(decision).is_(Decision.OPEN))),
    leads_to("ENDS", decision.is_(Decision.OPEN), decision.is_(Decision.DONE), fair=()),
)


def _document(tables: Protocol, bound: str, id: str) -> dict[str, Any]:
    """Return the shortest run to a violation or a witness, as it is written down."""
    trace = explore(tables, bound, engine="numpy").property(id).trace
    assert trace is not None
    document: dict[str, Any] = json.loads(json.dumps(written_run(tables.name, bound, trace, id)))
    return document


def _replayed(tables: Protocol, bound: str, document: dict[str, Any], shows: str) -> Confirmed:
    return replay_by_tlc(tables, bound, written(document, tables), shows)


@pytest.fixture(scope="module")
def committed() -> dict[str, Any]:
    """A run of two-phase commit in which a manager commits after eight rows."""
    return _document(NC, "three", "NC")


@pytest.mark.representative("NC-8")
@pytest.mark.tlc
@pytest.mark.parametrize(("id", "steps"), [("NC", 8), ("SENT", 7), ("OPEN", 2)])
def test_a_run_is_confirmed(id: str, steps: int) -> None:
    """The run to an invariant's violation, a witness and a step's violation is one for TLC, and ends as it says."""
    found = _replayed(NC, "three", _document(NC, "three", id), id)
    assert (found.verdict, found.code, found.steps, found.still) == ("confirmed", ExitCode.AS_DECLARED, steps, ())


@pytest.mark.tlc
def test_a_dead_end_is_confirmed() -> None:
    """In the last state of a run to a deadlock TLC finds no row enabled."""
    number = counter("number")
    at = cell("at", number, 0)
    rows = table("t", event("Count", source="here")("C1", at < 2, at.becomes(at + 1)))
    tables = protocol("ended", rows, bounds={"two": Bound({"number": 2})})
    document = _document(tables, "two", OURS)
    assert _replayed(tables, "two", document, DEADLOCK).steps == 2


def _cell(document: dict[str, Any]) -> None:
    document["trace"]["steps"][4]["state"]["abort_sent"] = "true"


def _left_out(document: dict[str, Any]) -> None:
    del document["trace"]["steps"][1]


def _parameter(document: dict[str, Any]) -> None:
    document["trace"]["steps"][7]["binding"]["r"] = "1"


def _cut(document: dict[str, Any]) -> None:
    document["trace"]["steps"].pop()


def _start(document: dict[str, Any]) -> None:
    document["trace"]["start"]["commit_sent"] = "true"


ALTERED = [
    (_cell, r"step 5 \(\w+\) differs: abort_sent is false after it by TLC, and the run says true"),
    (_left_out, r"step 2 \(\w+\) differs: .* after it by TLC, and the run says"),
    (
        _parameter,
        r"step 8 \(R3\) differs: progress\[0\] is \w+ after it by TLC, and the run says COMMITTED, and 1 more",
    ),
    (_cut, "TLC confirms all 7 steps, and NC is not violated at their end"),
    (_start, "TLC says that the first state is no initial one"),
]
REPEATS = pytest.mark.nightly("test_an_altered_run_is_refused[cell]")


@pytest.mark.tlc
@pytest.mark.parametrize(
    ("alter", "said"),
    [ALTERED[0], *(pytest.param(*one, marks=REPEATS) for one in ALTERED[1:])],
    ids=["cell", "left out", "parameter", "cut", "start"],
)
def test_an_altered_run_is_refused(
    committed: dict[str, Any], alter: Callable[[dict[str, Any]], None], said: str
) -> None:
    """A run with one cell altered, a step left out or another parameter is refused by TLC, which names the step.

    So is one that begins elsewhere, or that does not end as it says.
    """
    altered = json.loads(json.dumps(committed))
    alter(altered)
    with pytest.raises(Differs, match=f"two_phase at three: {said}") as refused:
        _replayed(NC, "three", altered, "NC")
    assert refused.value.code is ExitCode.VIOLATED


@pytest.mark.tlc
def test_a_row_that_is_not_enabled_is_named(committed: dict[str, Any]) -> None:
    """Where the guard of the next row is false TLC stops, and the false conjunct is printed."""
    committed = json.loads(json.dumps(committed))
    steps = committed["trace"]["steps"]
    steps[0] = {**steps[0], "row": "R3"}
    with pytest.raises(Differs, match=r"step 1 differs: TLC says that R3\(r=\d\) is not enabled .* commit_sent"):
        _replayed(NC, "three", committed, "NC")


@pytest.mark.tlc
def test_a_state_inside_a_row_is_inconclusive() -> None:
    """TLC takes the last row of a run that ends between its records whole, and cannot say what is so between them."""
    a, b = cell("a", BOOL), cell("b", BOOL)
    first, second = record("A", replay=a.becomes(TRUE)), record("B", replay=b.becomes(TRUE))
    rows = table("t", event("Go", source="here")("G1", ~a, first(), second()))
    tables = protocol("halves", rows, properties=[always("BOTH", a.implies(b))], bounds={"one": Bound({})}, ends=True)
    document = _document(tables, "one", "BOTH")
    assert document["trace"]["inside_last_row"]
    found = _replayed(tables, "one", document, "BOTH")
    assert (found.inside, found.decided, found.code) == (True, False, ExitCode.INCONCLUSIVE)


def test_what_tlc_cannot_be_asked_is_refused(committed: dict[str, Any]) -> None:
    """A run that begins anywhere, one of other sizes, and one about runs without end are refused in a sentence."""
    run, module = written(committed, NC), render(NC)
    with pytest.raises(Refusal, match="begins anywhere"):
        run_module(module, "three", replace(run, initial=False), None)
    with pytest.raises(Refusal, match="no size of ResourceManager"):
        run_module(module, "three", replace(run, world=replace(run.world, entities={})), None)
    with pytest.raises(Refusal, match="ENDS is about runs without end"):
        replay_by_tlc(NC, "three", run, "ENDS")
    with pytest.raises(Refusal, match="no property XX: use one of TC, NC"):
        replay_by_tlc(NC, "three", run, "XX")


@pytest.mark.parametrize(
    ("cell", "value", "said"),
    [
        ("counted[7]", "true", "step 3 .*'7' is no ResourceManager"),
        ("counted[0]", "perhaps", "step 3 .*'perhaps' is no Bool"),
        ("nowhere", "true", "step 3 .*'nowhere' is no variable"),
    ],
)
def test_a_document_with_what_there_is_not_is_refused(
    committed: dict[str, Any], cell: str, value: str, said: str
) -> None:
    """A cell or a value that the tables do not have is a faulty document: the step is named, and TLC is not asked."""
    document = json.loads(json.dumps(committed))
    document["trace"]["steps"][2]["state"][cell] = value
    with pytest.raises(Refusal, match=said) as refused:
        written(document, NC)
    assert refused.value.code is ExitCode.USAGE


def _run_of(run: WrittenRun) -> str:
    return run_module(render(NC), "three", run, NC.property("NC")).text


def test_the_module_of_a_run_reads_as_the_run(committed: dict[str, Any]) -> None:
    """A step is its row for the parameters that are written, and what the run says that it changes; the rest stays."""
    run = written(committed, NC)
    text = _run_of(run)
    last = run.steps[-1]
    r = next(iter(last.binding.values()))
    assert f"Row_8 == \\E r \\in ResourceManager : r = {r} /\\ R3(r)\n" in text
    assert f'Changes_8 ==\n  /\\ progress\' = [progress EXCEPT ![{r}] = "COMMITTED"]\n  /\\ UNCHANGED <<' in text
    assert "NotAtTheEnd == rows_taken = 8 => NC\n" in text
    assert '[k \\in ResourceManager |-> "WORKING"]' in text
    assert max(len(line) for line in text.split("\n")) <= 120


DEFECTS = [
    ("kraft+J3", "tiny", "P7"),
    ("kraft-data+stays-eligible", "tiny", "AcknowledgedIsKept"),
    ("kraft-loop+completes-at-once", "tiny", "QL14"),
    ("kraft-whole+reverts-but-the-fence", "cut-fence", "DW3"),
    ("zk+Z2", "smallest", "ZI1u"),
    ("zk+Z3", "smallest", "ZI1"),
    ("zk-data+loses-the-last", "tiny", "AcknowledgedIsKept"),
    ("kip343+never_self_fences", "tiny", "HI10"),
    ("kip46+S-c-timer", "tiny", "SI2"),
    ("kip631-v1+lease_from_answer", "lengths", "M3f"),
    ("kip631-v2+latest_committed", "tiny", "K1"),
    ("lease+moved", "tiny", "LE1"),
]
"""A defect of each protocol, of states or of steps, with a bound that shows it; the second of `zk` inside a row."""


@pytest.mark.tlc
@pytest.mark.nightly("tests/cli/test_tlc_runs.py::test_a_run_is_confirmed_from_the_command_line")
@pytest.mark.parametrize(("variant", "bound", "id"), DEFECTS, ids=[variant for variant, _, _ in DEFECTS])
def test_a_museum_run_is_confirmed(variant: str, bound: str, id: str) -> None:
    """The shortest run to a defect of each protocol is one for TLC, and breaks there what the entry says."""
    tables = find(variant).bounds[bound]
    tables = replace(tables, properties=(tables.property(id),))
    trace = explore(tables, bound, stop_at_first=True, deadlock=False).property(id).trace
    assert trace is not None
    confirmed = _replayed(tables, bound, json.loads(json.dumps(written_run(variant, bound, trace, id))), id)
    assert (confirmed.verdict, confirmed.steps) == ("confirmed", len(trace.steps))
    assert confirmed.inside == (trace.middle is not None)
