"""The headline of a verdict follows its exit code, whatever was found."""

import itertools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from fencepost.checkers.cli import explore as explore_command
from fencepost.checkers.cli.outcome import Outcome
from fencepost.checkers.cli.prove import outcome
from fencepost.checkers.exploration import explore
from fencepost.checkers.proof import Hygiene, HygieneFinding, Obligation, prove
from fencepost.checkers.verdicts import MEANINGS, ExitCode, Verdict, headline, worst
from tests.cases import each
from tests.examples.two_phase import TWO_PHASE

WORDS = {
    ExitCode.VIOLATED: "violated",
    ExitCode.USAGE: "inconclusive",
    ExitCode.INCONCLUSIVE: "inconclusive",
    ExitCode.VACUOUS: "vacuous",
    ExitCode.DISAGREEMENT: "engines disagree",
    ExitCode.DOES_NOT_CONFORM: "violates",
    ExitCode.DIFFERS_FROM_BASELINE: "differs",
    ExitCode.NOT_INDUCTIVE: "not inductive",
    ExitCode.INTERNAL: "inconclusive",
    ExitCode.STOPPED: "inconclusive",
}
"""How a verdict that ends with a code is headed where nothing better is known."""
SUCCESS = {"proved", "closed", "holds to depth", "witnessed", "conforms", "as declared", "violated as declared"}


@each("code", list(ExitCode), ids=lambda code: code.name)
def test_a_word_never_contradicts_its_code(code: ExitCode) -> None:
    """Whatever word an engine has, success heads what ends with 0 and nothing else, and each code has its own words."""
    for verdict in Verdict:
        word = headline(code, verdict)
        assert (word in SUCCESS) == (code is ExitCode.AS_DECLARED), (code, verdict, word)
        assert word == verdict.value or word == WORDS.get(code, "as declared")
        assert Outcome("a command", verdict.value, code).document(0.0)["verdict"] == word


def test_not_inductive_stands_between_differs_and_inconclusive() -> None:
    """The order of codes: 70, 5, 2, 1, 6, 4, 7, 8, 3; and every code has a meaning."""
    order = [70, 5, 2, 1, 6, 4, 7, 8, 3, 0]
    assert set(MEANINGS) == set(ExitCode)
    for i, code in enumerate(order):
        assert worst(ExitCode(other) for other in order[i:]) == code


PROOF = prove(TWO_PHASE, rows=("T1",))
RUN = Obligation("T1", "TC", Verdict.VIOLATED, "an example")
INDUCTION = replace(RUN, verdict=Verdict.NOT_INDUCTIVE)
OPEN = replace(RUN, verdict=Verdict.INCONCLUSIVE)
PROOFS = {
    "proved": (PROOF, 0),
    "violated": (replace(PROOF, refuted=1, failed=(RUN,)), 1),
    "not inductive": (replace(PROOF, refuted=1, failed=(INDUCTION,)), 8),
    "both": (replace(PROOF, refuted=2, failed=(INDUCTION, RUN)), 1),
    "unknown": (replace(PROOF, unknown=1, failed=(OPEN,)), 3),
    "vacuous": (replace(PROOF, vacuous=("T1",)), 4),
    "vacuous and not inductive": (replace(PROOF, vacuous=("T1",), refuted=1, failed=(INDUCTION,)), 4),
    "declared and kept": (replace(PROOF, undeclared=("TC",)), 7),
    "nothing asked": (replace(PROOF, obligations=0), 3),
}
TIDY = {
    "not asked": (None, 0),
    "tidy": (Hygiene(1, 1, ()), 0),
    "gap": (Hygiene(1, 0, (HygieneFinding("gap", "a table", ("T1",), "Ask", Verdict.VIOLATED, "no row"),)), 1),
    "overlap": (Hygiene(1, 0, (HygieneFinding("overlap", "a table", ("T1", "T2"), "Ask", Verdict.VIOLATED, ""),)), 1),
    "dead": (Hygiene(1, 0, (HygieneFinding("dead", "a table", ("T1",), "Ask", Verdict.CLOSED, ""),)), 4),
    "open": (Hygiene(1, 0, (HygieneFinding("gap", "a table", ("T1",), "Ask", Verdict.INCONCLUSIVE, ""),)), 3),
}


@each(("proof", "tidy"), list(itertools.product(PROOFS, TIDY)))
def test_the_page_of_a_proof_is_headed_by_its_exit_code(proof: str, tidy: str) -> None:
    """Of a proof and of the tables' hygiene the worse heads page and document, and a table's fault is named there."""
    (found, of_proof), (tables, of_tables) = PROOFS[proof], TIDY[tidy]
    said = outcome(found, tables, TWO_PHASE)
    code = worst([ExitCode(of_proof), ExitCode(of_tables)])
    assert said.code == code
    head = str(said.page[0])
    word = "proved" if code == 0 else WORDS[code]
    assert said.verdict == word
    assert head.startswith(f"two_phase: {word}"), head
    named = code == of_tables and code != of_proof
    assert (f"{tidy} in table a table" in head) == (named and tidy in ("gap", "overlap", "dead")), head
    assert all(len(line) <= 400 for line in map(str, said.page))


@each(
    ("verdict", "expected", "code", "word"),
    [
        (Verdict.CLOSED, "holds", 0, "closed"),
        (Verdict.VIOLATED, "holds", 1, "violated"),
        (Verdict.VIOLATED, "violated", 0, "closed"),
        (Verdict.CLOSED, "violated", 7, "differs"),
        (Verdict.VACUOUS, "holds", 4, "vacuous"),
        (Verdict.INCONCLUSIVE, "holds", 3, "inconclusive"),
    ],
)
def test_the_page_of_an_exploration_is_headed_by_its_exit_code(
    verdict: Verdict, expected: Any, code: int, word: str
) -> None:
    """An exploration that closes, and lacks a declared violation, is not headed by closed."""
    found = explore(TWO_PHASE, "three")
    (one,) = found.properties
    whole = verdict if code in (1, 3, 4) else Verdict.CLOSED
    altered = replace(found, verdict=whole, properties=(replace(one, verdict=verdict, expected=expected),))
    said = explore_command.outcome("explore", TWO_PHASE, altered)
    assert (int(said.code), said.verdict) == (code, word)
    assert str(said.page[0]).startswith(f"two_phase at three: {word}")


def test_numbers_agree_with_their_nouns() -> None:
    """One is one row, one property and one question, none and two are rows, properties and findings."""
    page = " ".join(map(str, outcome(PROOF, Hygiene(1, 1, ()), TWO_PHASE).page))
    assert (PROOF.row_count, PROOF.property_count, PROOF.obligations) == (1, 1, 1)
    assert "1 row, 1 property: in 1 obligation the row writes what the property reads" in page
    assert "hygiene: 1 question about gaps, overlaps and rows that never apply, 1 settled" in page
    assert page.count("0 findings") == 1
    two = replace(PROOF, row_count=2, property_count=2, obligations=2)
    assert "2 rows, 2 properties: in 2 obligations the row" in " ".join(map(str, outcome(two, None, TWO_PHASE).page))


def test_what_is_violated_as_declared_is_not_headed_by_proved(
    page_and_document: Callable[..., Any], fencepost_says: Callable[..., Any]
) -> None:
    """Where the one property asked is declared violated, page and document say that it is and by which row; exit 0."""
    asked = ("prove", "lease", "--property", "LE4")
    said, documented = page_and_document(*asked)
    assert " ".join(said.out.split()).startswith("lease: violated, as expected (LE4 by LC1, LH4, LH7): "), said.out
    document = documented.document
    assert (document["verdict"], document["exit_code"]) == ("violated as declared", 0)
    quick = fencepost_says(*asked, "--quick", "--json").document
    assert (quick["verdict"], quick["exit_code"]) == ("violated as declared", 0)


def test_what_is_proved_is_so_but_for_what_is_not(page_and_document: Callable[..., Any]) -> None:
    """A headline that says "proved" of several properties names those among them that are violated as declared."""
    page, documented = page_and_document("prove", "lease", "--property", "LE4", "--property", "LE1")
    said = " ".join(page.out.split())
    assert said.startswith("lease: proved for any number of entities but for LE4, violated as declared:"), said
    assert documented.document["verdict"] == "proved"


def test_a_gap_heads_the_page_with_its_witness(page_and_document: Callable[..., Any], lamp: Callable[..., str]) -> None:
    """A proved protocol with a gap says so first: the table, then the example, the event and where both stand."""
    total = {'press("L2", lit, lit.becomes(FALSE)))': 'press("L2", lit & ~lit, lit.becomes(FALSE)), total=True)'}
    said, documented = page_and_document("prove", lamp("TRUE", **total))
    assert said.code == 1
    lines = said.out.splitlines()
    assert lines[0].startswith("lamp: violated: gap in table lamp: no row takes every Press")
    assert any("example: Press()" in line for line in lines)
    assert any("in the state: lit=true" in line for line in lines)
    assert any("lamp.py:" in line and "event Press" in line for line in lines)
    document = documented.document
    assert (document["verdict"], document["exit_code"]) == ("violated", 1)
    gap = next(one for one in document["hygiene"]["findings"] if one["what"] == "gap")
    assert (gap["state"], gap["binding"]) == ({"lit": "true"}, {})


def test_an_enabling_condition_leaves_a_proof_green(
    fencepost_says: Callable[..., Any], lamp: Callable[..., str]
) -> None:
    """A table that does not claim to be total says when its events may happen: nothing is wrong with it."""
    said = fencepost_says("prove", lamp("TRUE"), "--json").document
    assert (said["verdict"], said["exit_code"], said["hygiene"]["findings"]) == ("proved", 0, [])


def test_what_is_not_inductive_ends_with_8(page_and_document: Callable[..., Any], two_phase: str) -> None:
    """A property that exploration closes is not called violated: the code is 8, with what was searched and a lemma."""
    said, documented = page_and_document("prove", two_phase, "--search", "5")
    document = documented.document
    assert (document["verdict"], document["exit_code"]) == ("not inductive", 8)
    assert (document["refuted"], document["not_inductive"]) == (3, 3)
    for one in document["failed"]:
        assert one["verdict"] == "not inductive"
        assert one["search"]["reached"] is False
        assert one["search"]["candidate_lemma"]["facts"]
    page = said.out
    assert page.startswith("two_phase: not inductive for any number of entities")
    assert "not reached within depth" in page
    assert "that none has is no lemma by itself: T3 breaks it" in " ".join(page.split())
    assert max(map(len, page.splitlines())) <= 100


def test_without_a_search_nothing_is_said_of_runs(fencepost_says: Callable[..., Any], two_phase: str) -> None:
    """`--no-search` leaves what is not inductive as it is."""
    document = fencepost_says("prove", two_phase, "--row", "R3", "--no-search", "--json").document
    assert document["exit_code"] == 8
    assert [one["search"] for one in document["failed"]] == [None]


def test_what_is_reached_ends_with_1_and_a_run(fencepost_says: Callable[..., Any], lamp: Callable[..., str]) -> None:
    """A break that a run from the initial state shows is a violation, and the page has the run."""
    said = fencepost_says("prove", lamp("~lit"))
    assert said.code == 1
    assert said.out.startswith("lamp: violated for all states")
    assert "L1 breaks A1, in a run from an initial state:" in said.out


def test_the_help_lists_every_exit_code(fencepost_says: Callable[..., Any]) -> None:
    """The help names each exit code with its meaning."""
    said = " ".join(fencepost_says("--help").out.split())
    for code, meaning in MEANINGS.items():
        assert f"{int(code)} {meaning}" in said
