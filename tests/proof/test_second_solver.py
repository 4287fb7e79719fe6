"""A second solver answers what Z3 finds unsatisfiable: confirmed, not decided, or a disagreement that is named."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.proof import Folder, Kept, hypotheses, prove, questions, second, second_opinion
from fencepost.checkers.proof.prover import Prover, excepted, obligations
from fencepost.checkers.proof.questions import question
from fencepost.checkers.verdicts import ExitCode
from fencepost.model.language import Always, Protocol, Step
from fencepost.model.registry import find

from .test_lemmas import with_lemmas

NAMES = ("kraft", "kraft-data", "kraft-loop", "zk", "kip343", "kip46", "kip631-v1", "kip631-v2")
SIMPLE = "(set-logic ALL)\n(declare-const p Bool)\n(assert p)\n{}(check-sat)\n"
ENDLESS = "(set-logic ALL)\n(declare-fun f (Int) Int)\n(assert (forall ((x Int)) (> (f (f x)) (f x))))\n(check-sat)\n"


def pairs(protocol: Protocol, declared: bool) -> list[tuple[Any, Any]]:
    """Return the rows and properties that are asked, those that are declared to break them or the others."""
    claims = [one for one in protocol.properties if isinstance(one, (Always, Step))]
    every = obligations(protocol, protocol.rows, claims)
    return [(row, claim) for row, claim, frame in every if not frame and excepted(row, claim) == declared]


def proved(name: str, count: int, folder: Path) -> Iterator[Kept]:
    """Yield the questions of some obligations of a protocol that Z3 proves."""
    protocol = find(name).whole
    prover = Prover(protocol, hypotheses(protocol), folder=Folder(folder))
    for row, claim in random.Random(4).sample(pairs(protocol, declared=False), count):
        yield from prover.ask(row, claim, 1).questions


def test_a_sample_of_every_protocol_is_confirmed(tmp_path: Path) -> None:
    """Of 16 obligations of eight protocols the second solver confirms every question."""
    kept = []
    for name in NAMES:
        (tmp_path / name).mkdir()
        kept += [*proved(name, 2, tmp_path / name)]
    assert len({one.about for one in kept}) >= 13, "some pairs have no question: their row writes nothing then"
    found = second_opinion(kept, limit=10)
    assert found.against == ()
    assert found.confirmed == found.asked == found.questions == len({one.file for one in kept}), found.lines()


@pytest.mark.nightly("test_a_sample_of_every_protocol_is_confirmed")
@pytest.mark.parametrize("name", [*NAMES, "kraft-voters", "kraft-whole", "zk-data", "lease"])
def test_every_question_of_a_protocol_is_confirmed(name: str, tmp_path: Path) -> None:
    """Of every question on which the proof of a protocol rests, at most one in a hundred is not decided."""
    found = second_opinion(prove(find(name).whole, assumptions=False, folder=Folder(tmp_path)).questions)
    assert found.against == ()
    assert found.confirmed >= 0.99 * found.asked > 0, found.lines()


def broken(name: str, count: int, folder: Path) -> Iterator[list[Kept]]:
    """Yield the questions of some rows and properties of which Z3 shows a state that the row breaks."""
    protocol = find(name).whole
    prover = Prover(protocol, hypotheses(protocol))
    for row, claim in random.Random(4).sample(pairs(protocol, declared=True), count):
        if prover.broken(row, claim, 1) is None:
            continue
        session = prover.session(0)
        made = [
            question("goal", f"{row.id} × {claim.id}", number, session, [*prover._given(0, row, claim), goal.formula])
            for number, goal in enumerate(prover.goals(0, row, claim))
        ]
        yield [Folder(folder).keep(one) for one in made]


@pytest.mark.representative("designs")
@pytest.mark.parametrize(
    ("names", "least"), [(("kip46", "kip631-v2"), 3), (("kip631-v1", "kraft"), 2)], ids=["designs", "others"]
)
def test_what_is_shown_to_be_broken_is_never_confirmed(names: tuple[str, ...], least: int, tmp_path: Path) -> None:
    """Of no row that a state shows to break a property does the second solver find every way to do so impossible."""
    asked = [kept for name in names for kept in broken(name, 2, tmp_path)]
    assert len(asked) >= least
    confirmed = [kept for kept in asked if second_opinion(kept, limit=1).confirmed == len(kept)]
    assert confirmed == []


def test_each_question_of_a_proof_is_written_once(tmp_path: Path) -> None:
    """Every proved obligation of two-phase commit has a file, whose first line names it; cvc5 confirms them all."""
    proof = prove(with_lemmas(), seeds=2, folder=Folder(tmp_path))
    assert proof.verdict.value == "proved"
    assert {one.file for one in proof.questions} == {*tmp_path.iterdir()}
    assert all(one.file.read_text(encoding="utf-8").splitlines()[0].startswith("; ") for one in proof.questions)
    assert len({one.about for one in proof.questions}) >= 0.9 * proof.obligations
    found = second_opinion(proof.questions)
    assert (found.confirmed, found.code) == (len(proof.questions), ExitCode.AS_DECLARED)
    assert prove(with_lemmas()).questions == ()


def kept_as(folder: Path, *texts: str) -> list[Kept]:
    """Return texts as questions."""
    made = [questions.Question("goal", f"R{number} × P", 1, text) for number, text in enumerate(texts)]
    return [Folder(folder).keep(one) for one in made]


def test_an_answer_is_confirmed_contradicted_or_open(tmp_path: Path) -> None:
    """Unsat confirms, sat contradicts, and what is out of time, cannot be read or says nothing is not decided."""
    kept = kept_as(tmp_path, SIMPLE.format("(assert (not p))"), SIMPLE.format(""), ENDLESS, "(assert q)", "")
    found = second_opinion(kept, limit=1)
    assert (found.confirmed, [one.about for one in found.against]) == (1, ["R1 × P"])
    assert {one.about: one.answer for one in found.undecided}.keys() == {"R2 × P", "R3 × P", "R4 × P"}
    why = {one.about: one.answer for one in found.undecided}
    assert why["R3 × P"].startswith("not read: ")
    assert why["R4 × P"] == "no answer"
    assert found.code is ExitCode.DISAGREEMENT
    assert second_opinion(kept[2:], limit=1).code is ExitCode.INCONCLUSIVE
    assert second_opinion([kept[0], kept[3]], limit=1).code is ExitCode.AS_DECLARED
    known = [*kept[:2], *kept[3:]]
    drawn = [second_opinion(known, sample=2, seed=7, limit=1) for _ in range(2)]
    assert drawn[0] == drawn[1]
    assert (drawn[0].asked, drawn[0].questions) == (2, 4)


def test_the_process_of_a_question_has_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A question that uses its seconds of processor time, or more memory than is allowed, is not decided."""

    def for_ever(_: str) -> str:
        while True:
            pass

    monkeypatch.setattr(second, "_said", for_ever)
    answer, said, seconds = second.answered("", 1)
    assert (answer, said) == ("undecided", "not decided in 1 s")
    assert 0.5 < seconds < 2.5
    monkeypatch.setattr(second, "_said", lambda _: str(len(bytearray(second.MEMORY))))
    assert second.answered("", 5)[:2] == ("undecided", "it needs more memory than is allowed")
