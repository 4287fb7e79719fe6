"""The checkers of mutants: what a warm proof says is what a full one says, and each notices what it is there for."""

import os
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.cli.mutate_runs import (
    IMPATIENT,
    SNAPSHOTS,
    UNCLEAN,
    _kraft,
    _kraft_data,
    _kraft_loop,
    recorded_runs,
    seeds_of_a_mutant,
)
from fencepost.checkers.mutation import (
    Answer,
    Answers,
    Exploring,
    Judged,
    Logs,
    Mutant,
    Population,
    Proving,
    Simulating,
    declared,
    design_run,
    judged,
    proving,
)
from fencepost.checkers.mutation.declarations import FOLDER
from fencepost.checkers.mutation.exploring import CLOSED
from fencepost.checkers.mutation.proving import ALIKE
from fencepost.checkers.mutation.recorded import RECORDED
from fencepost.checkers.proof import hygiene, prove
from fencepost.checkers.verdicts import Verdict
from fencepost.model.language import AT_RESULT_BOUNDARIES, Protocol, absent, answering, step
from fencepost.model.registry import Family, find
from tests.examples.shelves import LIBRARY, WEAK, borrow, c, e, epoch, holder, may_borrow, r
from tests.examples.shelves import Answer as Said

MUTANTS = {one.id: one for one in Population(LIBRARY).all()}


def family(protocol: Protocol) -> Family:
    """Return the protocol as the command line does."""
    return Family(protocol.name, lambda: protocol, lambda: (protocol,), "")


def asked(base: Protocol, mutants: list[Mutant], *checkers: tuple[str, Any], **how: Any) -> dict[str, Judged]:
    """Return what became of mutants, by their ids."""
    made = checkers or (("prove", Proving(base)),)
    return {one.mutant.id: one for one in judged(mutants, made, **how)}


SAMPLE = (
    "JO1:bump-removed:effects.3.value/+", "JO1:conjunct-dropped:when/only", "JO1:effect-dropped:effects.1",
    "JO1:conjunct-negated:when/only", "JO2:row-dropped", "JO2:answer-altered:say/next",
    "BO1:conjunct-dropped:may_borrow/0", "BO1:row-dropped", "BO2:shifted-by-one:when/right",
    "BO3:disjunct-dropped:when/1",
    "BO3:literal-altered:when/1/0/up", "BO3:literal-altered:when/1/0/down", "BO3:rows-swapped:BO4", "BO3:row-dropped",
    "BO4:literal-altered:effects.0.loans/up", "BO4:record-dropped:effects.0", "BO4:field-dropped:effects.0.loans",
    "LE1:effect-dropped:effects.0", "LE1:scope-widened:effects.0.when/0", "BO1:rows-swapped:BO2",
)  # fmt: skip
"""Mutants of every row, about half of which a proof notices."""


@pytest.mark.representative("4")
@pytest.mark.parametrize("step", [4, 1])
def test_the_warm_path_agrees_with_the_full_proof(step: int) -> None:
    """A mutant is killed warm just where the full proof refutes an obligation, or hygiene finds something."""
    sample = SAMPLE[::step]
    warm = asked(LIBRARY, [MUTANTS[id] for id in sample])
    killed = {id for id, one in warm.items() if one.fate == "killed"}
    assert {one.fate for one in warm.values()} == {"killed", "survives"}
    for id in sample:
        made = MUTANTS[id].of(LIBRARY)
        full = prove(made)
        untidy = [one for one in hygiene(made).findings if one.verdict is not Verdict.INCONCLUSIVE]
        assert full.unknown == 0
        assert (id in killed) is bool(full.refuted or untidy), f"{id}: {warm[id].answers}, {full.lines()[1:3]}"


def test_a_kill_names_its_property_or_question() -> None:
    """Who kills a mutant is said with the row and the property, or with the question of hygiene."""
    found = asked(LIBRARY, [MUTANTS[id] for id in SAMPLE])

    def by(id: str) -> str:
        return found[id].answers[0].by

    assert by("BO3:disjunct-dropped:when/1").startswith("BO4 breaks ONCE")
    assert by("JO1:bump-removed:effects.3.value/+").startswith("JO1 breaks EPOCHS")
    assert by("JO1:conjunct-dropped:when/only") == "JO1 and JO2 both apply"
    assert by("BO3:rows-swapped:BO4") == "BO3 never applies"


def test_a_weak_protocol_has_its_survivor() -> None:
    """Without the claim that no copy is lent more than twice, nothing notices that the row forgets to forbid it."""
    id = "BO3:disjunct-dropped:when/1"
    weak = asked(WEAK, [MUTANTS[id]], ("prove", Proving(WEAK)), ("explore", Exploring(family(WEAK))))[id]
    assert (weak.fate, [one.fate for one in weak.answers]) == ("survives", ["passed", "passed"])
    assert "obligations proved" in weak.answers[0].asked
    assert "tiny" in weak.answers[1].asked
    assert asked(LIBRARY, [MUTANTS[id]])[id].fate == "killed"


def test_an_altered_answer_is_noticed_by_a_claim_about_answers() -> None:
    """The row becomes one that the claim is about, and an example refutes it; without the claim the mutant survives."""
    refused = answering(borrow, Said.UNKNOWN, Said.LATE, Said.TAKEN)
    claim = step("FREE", absent(holder[c]), "Only a free copy is lent.", scope=AT_RESULT_BOUNDARIES, rows=~refused)
    free = LIBRARY.claiming(claim)
    assert prove(free).failed == ()
    (altered,) = (m for m in Population(LIBRARY).all(("BO3",)) if m.kind == "answer altered")
    assert asked(LIBRARY, [altered])[altered.id].fate == "survives"
    assert asked(free, [altered])[altered.id].answers[0].by.startswith("BO3 breaks FREE")


def test_exploration_notices_what_no_proof_can() -> None:
    """That nothing is lent any more breaks no invariant: the state that must be reached is not."""
    id = "BO4:field-dropped:effects.0.holder"
    found = asked(LIBRARY, [MUTANTS[id]], ("prove", Proving(LIBRARY)), ("explore", Exploring(family(LIBRARY))))[id]
    assert [one.fate for one in found.answers] == ["passed", "killed"]
    assert found.answers[1].by == "tiny: LENDS vacuous"


def test_the_first_kill_ends_a_mutant_unless_all_are_asked() -> None:
    """The checkers come in their order, and with all of them each one answers."""
    checkers = (("prove", Proving(LIBRARY)), ("explore", Exploring(family(LIBRARY))))
    id = "BO3:disjunct-dropped:when/1"
    assert len(asked(LIBRARY, [MUTANTS[id]], *checkers)[id].answers) == 1
    both = asked(LIBRARY, [MUTANTS[id]], *checkers, ask_all=True)[id]
    assert [one.fate for one in both.answers] == ["killed", "killed"]
    assert both.answers[1].by.startswith("tiny: ONCE violated after")


def test_what_is_proved_equivalent_is_no_survivor() -> None:
    """Two rows whose guards exclude each other may stand in any order: that is proved, and nothing else is asked."""
    apart = LIBRARY.but("BO2", when=may_borrow(r) & (e < epoch[r]), why="for this test")
    swapped = next(m for m in Population(apart).all(("BO1",)) if m.kind == "rows swapped")
    found = asked(apart, [swapped], ("prove", Proving(apart)), ("explore", Exploring(family(apart))), ask_all=True)
    one = found[swapped.id]
    assert (one.fate, len(one.answers)) == ("equivalent", 1)
    assert "just where they did it" in one.why_equivalent
    # Where the guards overlap, the order matters.
    assert asked(LIBRARY, [MUTANTS["BO1:rows-swapped:BO2"]])["BO1:rows-swapped:BO2"].fate == "survives"


def test_the_order_of_rows_that_do_the_same_says_nothing() -> None:
    """Two refusals with one answer may change places: the mutant is equivalent, though both guards may hold."""
    alike = LIBRARY.but("BO2", say=LIBRARY.row("BO1").say, effects=LIBRARY.row("BO1").effects, why="for this test")
    swapped = next(m for m in Population(alike).all(("BO1",)) if m.kind == "rows swapped")
    found = asked(alike, [swapped], ("prove", Proving(alike)))[swapped.id]
    assert (found.fate, found.why_equivalent) == ("equivalent", ALIKE)


class _Sleeps:
    def judge(self, mutant: Mutant, earlier: Sequence[Answer] = ()) -> Answer:
        time.sleep(600)
        raise AssertionError


class _Dies:
    def judge(self, mutant: Mutant, earlier: Sequence[Answer] = ()) -> Answer:
        os._exit(9)


class _Fails:
    def judge(self, mutant: Mutant, earlier: Sequence[Answer] = ()) -> Answer:
        raise ValueError("a defect")


@pytest.mark.parametrize(
    ("checker", "told"),
    [
        (_Sleeps(), "ended after 1 s"),
        (_Dies(), "its process was ended, as when memory runs out"),
        (_Fails(), "ValueError: a defect"),
    ],
)
def test_what_is_not_answered_is_not_decided(checker: Any, told: str) -> None:
    """A checker that takes too long, dies or fails is no kill, and no survivor either."""
    mutant = MUTANTS["JO2:row-dropped"]
    (found,) = judged([mutant], [("prove", checker)], timeout=1 if isinstance(checker, _Sleeps) else 600)
    assert found.fate == "not decided"
    assert told in found.answers[0].asked


@pytest.mark.parametrize("protocol", [path.stem for path in sorted(FOLDER.glob("*.toml"))])
def test_the_lists_are_about_mutants_that_there_are(protocol: str) -> None:
    """Every mutant that is listed as equivalent is one of its protocol, and does what the list says."""
    listed = declared(protocol)
    everything = {one.id: one for one in Population(find(protocol).whole).all()}
    assert listed.stale(everything, {}) == ()


@cache
def kraft_mutants() -> dict[str, Mutant]:
    """The mutants of some rows of kraft."""
    return {one.id: one for one in Population(find("kraft").whole).all(("HB2", "HB5", "A5"))}


def test_recorded_answers_notice_an_altered_answer(tmp_path: Path) -> None:
    """Kafka's own classes answered otherwise than a mutant; that of a row without recordings is not asked."""
    for file in (RECORDED / "oracle").glob("alter-partition*"):
        (tmp_path / file.name).symlink_to(file)
    answers = Answers(find("kraft").whole, tmp_path)
    found = answers.judge(kraft_mutants()["A5:answer-altered:say/next"])
    assert (found.fate, found.by.split(",")[0]) == ("killed", "alter-partition")
    assert answers.judge(Mutant("NO1", "row dropped", "", "NO1: the row is gone")).fate == "not asked"


def test_a_recorded_log_notices_a_row_that_is_gone() -> None:
    """A log that shows a row is not explained without it; rows that no log shows are not asked."""
    of_name = find("zk")
    logs = Logs(Family("zk", of_name.tables, of_name.cut, "", recorded=("zk/first-boot",)))
    (shown,) = logs.shown
    assert len(shown.rows) >= 10
    gone = [logs.judge(Mutant(id, "row dropped", "", f"{id}: gone")) for id in sorted(shown.rows)]
    assert sum(one.fate == "killed" for one in gone) >= 8
    assert all("zk/first-boot: " in one.by for one in gone if one.fate == "killed")
    idle = Mutant(_unshown(of_name, shown.rows), "answer altered", "", "nothing", lambda row: row)
    assert logs.judge(idle).fate == "not asked"


def _unshown(of_name: Family, rows: frozenset[str]) -> str:
    return next(r.id for r in of_name.whole.rows if r.id not in rows)


def test_a_seed_notices_a_row_that_is_gone() -> None:
    """The steps of a reference where a row fires are no rows of the mutant any more; only such seeds are asked."""
    import importlib

    simulation: Any = importlib.import_module("fencepost.reference.kip343.simulation")
    whole = find("kip343").whole
    checker = Simulating(whole, [design_run(2, simulation.header(2), list(simulation.run(2, 30.0)))])
    ((_, rows, _, _),) = checker.runs
    gone = [checker.judge(Mutant(id, "row dropped", "", f"{id}: gone")) for id in sorted(rows)]
    assert sum(one.fate == "killed" for one in gone) > len(gone) / 2
    assert all(one.by.startswith("seed 2, ") for one in gone if one.fate == "killed")
    # A step of the environment has no row beside the one that is gone: lock step would count it, and go on.
    taken_back = checker.judge(Mutant("HZ6", "row dropped", "", "gone"))
    assert taken_back.by == "seed 2, no row is about BeginShutdown any more"
    idle = next(r.id for r in whole.rows if r.id not in rows)
    assert checker.judge(Mutant(idle, "answer altered", "", "nothing", lambda row: row)).fate == "not asked"


def test_the_steps_of_brokers_notice_a_row_that_does_less() -> None:
    """The steps of the reference's brokers are rows of kraft-data, and no rows of it where one does less or is gone."""
    whole = find("kraft-data").whole
    checker = Simulating(whole, [_kraft_data(48, **IMPATIENT)])
    ((_, rows, _, _),) = checker.runs
    assert {"DL5", "DX2", "DF1"} <= rows
    everything = {one.id: one for one in Population(whole).all(("DL3", "DL6", "DF2", "DX2", "DC16"))}
    for id in ("DL3:row-dropped", "DL6:condition-dropped:all_have/0/if", "DF2:bump-removed:effects.1.value/+"):
        found = checker.judge(everything[id])
        assert (found.fate, found.by.split(",")[0]) == ("killed", "seed 48"), id
    assert checker.judge(everything["DX2:conjunct-dropped:when/1"]).fate == "passed"
    assert checker.judge(everything["DC16:row-dropped"]).fate == "not asked"


@pytest.mark.nightly("test_the_steps_of_brokers_notice_a_row_that_does_less")
def test_seeds_of_kraft_data_show_every_row_but_one() -> None:
    """The seeds that mutants of kraft-data are run beside show all rows but DC16, and the tables explain each."""
    runs = recorded_runs(find("kraft-data"))
    checker = Simulating(find("kraft-data").whole, runs, seeds_of_a_mutant(find("kraft-data")))
    assert len(checker.runs) == len(runs) == checker.seeds
    shown = frozenset().union(*(one.rows for one in checker.runs))
    assert {row.id for row in find("kraft-data").whole.rows} - shown == {"DC16"}


def test_the_steps_of_loops_notice_a_row_that_does_less() -> None:
    """The steps of the reference's loops are rows of kraft-loop, and no rows of it where one does less or is gone."""
    whole = find("kraft-loop").whole
    checker = Simulating(whole, [_kraft_loop(4, **SNAPSHOTS)])
    ((_, rows, _, _),) = checker.runs
    assert {"QS1", "QW15", "QK5"} <= rows
    everything = {one.id: one for one in Population(whole).all(("QK5", "QS1", "QW15", "QC3", "QW13"))}
    for id in ("QK5:row-dropped", "QS1:row-dropped", "QW15:literal-altered:when/1/0/up"):
        found = checker.judge(everything[id])
        assert (found.fate, found.by.split(",")[0]) == ("killed", "seed 4"), id
    assert checker.judge(everything["QC3:disjunct-dropped:effects.5.1.0.value/0/1"]).fate == "passed"
    assert checker.judge(everything["QW13:row-dropped"]).fate == "not asked"


@pytest.mark.nightly("test_the_steps_of_loops_notice_a_row_that_does_less")
def test_seeds_of_kraft_loop_show_the_rows_that_they_can() -> None:
    """The seeds that mutants of kraft-loop are run beside show 25 of its rows, and the tables explain each."""
    of_name = find("kraft-loop")
    checker = Simulating(of_name.whole, recorded_runs(of_name), seeds_of_a_mutant(of_name))
    assert len(checker.runs) == checker.seeds
    shown = frozenset().union(*(one.rows for one in checker.runs))
    never = {"QA3", "QA4", "QC5", "QC6", "QK2", "QK4", "QS2", "QW6", "QW11", "QW13", "QW14"}
    assert {row.id for row in of_name.whole.rows} - shown == never


def test_exploration_notices_a_row_that_fires_no_more() -> None:
    """Where every state is seen, a row that fired in some state and fires in none of the mutant's is noticed."""
    data = find("zk-data")
    checker = Exploring(Family("zk-data", lambda: data.whole, lambda: (data.bounds["back"],), ""))
    everything = {one.id: one for one in Population(data.whole).all(("DF3",))}
    found = checker.judge(everything["DF3:row-dropped"])
    assert (found.fate, found.by) == ("killed", "back: DL2 fires no more")
    assert checker.judge(everything["DF3:conjunct-dropped:when/1"]).fate == "passed"


@cache
def of_nodes() -> dict[str, Mutant]:
    """The mutants of the row that stores a node's unclean.leader.election.enable."""
    return {one.id: one for one in Population(find("kraft").whole).all(("CF28",))}


def test_a_run_under_static_settings_notices_what_a_node_allows() -> None:
    """A seed with unclean.leader.election.enable=true in server.properties runs as the rows say, and notices CF28."""
    checker = Simulating(find("kraft").whole, [_kraft(6, **UNCLEAN)])
    ((_, rows, _, _),) = checker.runs
    assert "CF28" in rows
    for id in ("CF28:row-dropped", "CF28:record-dropped:effects.0", "CF28:conjunct-dropped:effects.0.value.said/only"):
        found = checker.judge(of_nodes()[id])
        assert (found.fate, found.by.split(",")[0]) == ("killed", "seed 6"), id


@pytest.mark.nightly("test_a_recorded_log_notices_a_row_that_is_gone")
def test_a_recording_is_asked_under_its_static_settings() -> None:
    """A recording that conforms only where a setting is true is asked under it, and notices that a row is gone."""
    logs = Logs(replace(find("kraft"), recorded=()))
    (shown,) = logs.shown
    assert shown.name == "static-settings-elr-4.4.0"
    assert "AC1" in shown.rows
    assert logs.judge(Mutant("AC1", "row dropped", "", "AC1: gone")).fate == "killed"


def test_an_input_that_no_row_takes_is_found_with_three_of_each_sort() -> None:
    """HD10 asks more of a heartbeat, and the input that it gives up needs three brokers: hygiene names the gap."""
    kraft = find("kraft").whole
    id = "HD10:condition-dropped:drained/0/if"
    mutant = next(one for one in Population(kraft).all(("HD10",)) if one.id == id)
    found = asked(kraft, [mutant])[id]
    assert found.answers[0].by == "an input of HeartbeatWithOfflineDirectories that no row takes"


def test_a_claim_is_asked_again_where_the_solver_gives_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where resources run out for all claims of a row together, each is asked by itself with more."""
    id = "BO3:disjunct-dropped:when/1"
    monkeypatch.setattr(proving, "LIMIT", 1)
    found = asked(LIBRARY, [MUTANTS[id]])[id].answers[0]
    assert found.by.startswith("BO4 breaks ONCE (up to 3 of each sort")
    monkeypatch.setattr(proving, "MORE", 1)
    assert asked(LIBRARY, [MUTANTS[id]])[id].fate == "not decided"


@pytest.mark.nightly("test_exploration_notices_a_row_that_fires_no_more")
def test_a_bound_is_explored_whole_where_its_recorded_states_take_little_time() -> None:
    """`handover` has more states than every bound explores, and is closed within the time: QS2 breaks QL27r there
    beyond the first 3,000."""
    loop = find("kraft-loop")
    here = replace(loop.bounds["handover"], bounds={"handover": loop.bounds["handover"].bounds["handover"]})
    exploring = Exploring(Family("kraft-loop", lambda: loop.whole, lambda: (here,), ""))
    [shown] = exploring.shown
    assert (shown.closed, shown.states) == (True, CLOSED)
    id = "QS2:scope-altered:effects.0.restarts.11.when/1"
    mutant = next(one for one in Population(loop.whole).all(("QS2",)) if one.id == id)
    assert exploring.judge(mutant).by.startswith("handover: QL2")
