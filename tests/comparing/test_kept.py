"""Answers that are kept, what becomes of an edit when the time for obligations is spent, and repairs and logs."""

import json
from pathlib import Path

import pytest

from fencepost.checkers.comparing.accepted import accepted
from fencepost.checkers.comparing.kept import KeptAnswers
from fencepost.checkers.comparing.repairs import repairs
from fencepost.checkers.comparing.whatif import NOT_ASKED, WhatIf, whatif
from fencepost.checkers.named import family
from fencepost.checkers.proof import prove
from fencepost.checkers.proof.prover import Asked, hypotheses
from fencepost.checkers.verdicts import Verdict
from fencepost.model.language import TRUE, Protocol, always, event, forall
from fencepost.traces.errors import TraceError
from tests.comparing.test_differences import CLAIM, count, d, doors, is_open, locked, n, x
from tests.comparing.test_whatif import failing

pytestmark = pytest.mark.slow

BASE = doors(claims=(always("A1", CLAIM, source="doors"), always("A2", forall(x, ~locked[x]), source="doors")))
CARELESS = BASE.but("O1", when=~is_open[d], why="a test", name="careless")


def asked(variant: Protocol, folder: Path | None, repair: float = 0.0) -> WhatIf:
    """Ask what a variant breaks, with a folder of answers."""
    assert variant.base is not None
    return whatif(variant.base, variant, tuple, 0.0, cache=folder, repair=repair)


def lazy() -> Protocol:
    """Doors of which nothing is known but the claim that O1 breaks without its guard."""
    return doors().but("O1", when=~is_open[d], why="a test", name="lazy")


def test_what_was_asked_is_found_again_and_says_the_same(tmp_path: Path) -> None:
    """A second time every answer is a kept one, the counterexample among them, and a full proof fails alike."""
    first, again = asked(lazy(), tmp_path), asked(lazy(), tmp_path)
    assert (first.kept, again.kept) == (0, len(again.touched.pairs) + len(again.touched.stutters))
    assert again.kept > 0
    assert failing(first.proof) == failing(again.proof) == failing(prove(lazy(), assumptions=False)) == {("O1", "A1")}
    assert [one.counterexample is not None for one in again.broken] == [True]


def test_an_edit_asks_again_what_it_touches_alone(tmp_path: Path) -> None:
    """Another guard of O1 is another question; S1, edited as before, is the question that it was."""
    shut = lazy().but("S1", when=is_open[d] & (n > count) & TRUE & ~locked[d], why="a test", name="both")
    base = doors()
    both = whatif(base, shut, tuple, 0.0, cache=tmp_path)
    other = shut.but("O1", when=~is_open[d] & ~locked[d] & (count > 0), why="a test", name="both again")
    found = whatif(base, other, tuple, 0.0, cache=tmp_path)
    mine = {row for row, _ in found.touched.pairs}
    assert (both.kept, mine) == (0, {"O1", "S1"})
    assert found.kept == sum(row == "S1" for row, _ in found.touched.pairs)
    assert failing(found.proof) == failing(prove(other, assumptions=False))


@pytest.mark.parametrize("what", ["hypothesis", "guard", "effects", "claim"])
def test_whatever_is_part_of_the_question_makes_it_another(tmp_path: Path, what: str) -> None:
    """A hypothesis more, a guard, an effect or a claim that is another one: nothing is found."""
    base = doors()
    asked(lazy(), tmp_path)
    more = always("A9", forall(x, ~locked[x]), source="doors")
    other = {
        "hypothesis": lambda: lazy().claiming(more, name="other"),
        "guard": lambda: base.but("O1", when=~is_open[d] & (count > 0), why="a test", name="other"),
        "effects": lambda: base.but("O1", when=~is_open[d], effects=locked[d].becomes(TRUE), why="w", name="other"),
        "claim": lambda: lazy().claiming(always("A1", forall(x, ~is_open[x]), source="doors"), name="other"),
    }[what]()
    answers = KeptAnswers(tmp_path, other, hypotheses(other))
    assert (answers.get("O1", "A1"), answers.found) == (None, 0)
    same = KeptAnswers(tmp_path, lazy(), hypotheses(lazy()))
    assert same.get("O1", "A1") is not None


@pytest.mark.parametrize("answer", ["unknown", "abstraction"])
def test_what_is_undecided_is_never_kept(tmp_path: Path, answer: str) -> None:
    """A timeout and an unknown leave no file."""
    kept = KeptAnswers(tmp_path, doors(), hypotheses(doors()))
    kept.put(Asked("O1", "A1", 1, answer, 1.0, message="ended after 240 s"))  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []
    kept.put(Asked("O1", "A1", 1, "proved", 1.0))
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("damage", ["{", '{"format": 1}', "answer"])
def test_a_file_that_is_damaged_is_not_believed(tmp_path: Path, damage: str) -> None:
    """Half a file, one of another shape, one that says "unknown": the obligation is asked."""
    kept = KeptAnswers(tmp_path, doors(), hypotheses(doors()))
    kept.put(Asked("O1", "A1", 1, "proved", 1.0))
    [file] = tmp_path.iterdir()
    told = json.loads(file.read_text("utf-8"))
    told["answer"]["answer"] = "unknown"
    file.write_text(json.dumps(told) if damage == "answer" else damage, "utf-8")
    assert kept.get("O1", "A1") is None


def test_what_no_time_is_left_for_is_unknown_and_nothing_of_it_is_kept(tmp_path: Path) -> None:
    """With a limit of nothing every obligation is open, the proof is inconclusive, and the folder stays empty."""
    found = whatif(doors(), lazy(), tuple, 0.0, limit=0.0, cache=tmp_path)
    assert found.not_asked == len(found.touched.pairs) + len(found.touched.stutters) > 0
    assert {one.message for one in found.proof.failed} == {NOT_ASKED}
    assert (found.proof.verdict, list(tmp_path.iterdir())) == (Verdict.INCONCLUSIVE, [])


def test_a_condition_of_the_base_that_was_dropped_repairs_the_row() -> None:
    """O1 without "not locked" breaks A1; with it A1 is proved, and a full proof agrees."""
    found = asked(lazy(), None, 5.0).repairs
    assert [(one.row, one.of, one.where, one.condition, one.kept) for one in found.found] == [
        ("O1", "base", "O1", "not locked[d]", ("A1",))
    ]
    mended = lazy().but("O1", when=~is_open[d] & ~locked[d], why="a test", name="mended")
    assert failing(prove(mended, assumptions=False)) == set()


def test_a_condition_of_a_neighbouring_row_repairs_what_the_base_never_had() -> None:
    """A row that is new has no guard of the base: a condition of another row is suggested, or its negation."""
    opens = event("Open", d, source="doors")
    other = doors(more=(opens("O9", locked[d] & is_open[d], locked[d].becomes(~TRUE)),))
    row = opens("O7", ~is_open[d], is_open[d].becomes(TRUE))
    broken = other.plus(row, why="a test", table="doors", name="new")
    found = whatif(other, broken, tuple, 0.0, repair=5.0)
    assert {(one.row, one.property) for one in found.broken} == {("O7", "A1")}
    assert [(one.row, one.of, one.where, one.condition) for one in found.repairs.found] == [
        ("O7", "base", "O9", "not locked[d]")
    ]


def test_a_property_that_proofs_of_the_base_rely_on_repairs_what_lacks_it() -> None:
    """Where A2 claims nothing any more O1 breaks A1; that A2 would be enough is proved, and so is A2 itself."""
    weaker = always("A2", forall(x, (is_open[x] & locked[x]).implies(locked[x])), source="doors")
    base = BASE.but("O1", when=~is_open[d], why="a test", name="doors")
    variant = base.claiming(weaker, name="weaker")
    found = whatif(base, variant, tuple, 0.0, repair=5.0)
    assert {(one.row, one.property) for one in found.broken} == {("O1", "A1")}
    lemmas = [one for one in found.repairs.found if one.of == "lemma"]
    assert [(one.row, one.where, one.kept, one.itself) for one in lemmas] == [("O1", "A2", ("A1",), True)]


def test_what_does_not_exclude_the_counterexample_is_not_asked() -> None:
    """Where nothing that a row or the base says is false in the counterexample there is no suggestion."""
    base = doors(when=~is_open[d], claims=())
    variant = base.claiming(always("A1", CLAIM, source="doors"), name="claims")
    found = whatif(base, variant, tuple, 0.0)
    assert {(one.row, one.property) for one in found.broken} == {("O1", "A1")}
    outcome = repairs(base, variant, found.broken, (), 5.0)
    assert (outcome.candidates, outcome.asked, outcome.found) == (0, 0, ())


LOGS = Path(__file__).resolve().parents[2] / "traces" / "recorded"


@pytest.mark.slow
def test_a_log_that_only_one_of_two_designs_accepts_is_named_with_its_offset() -> None:
    """A recording of D15 at work: the tables accept it, those with the repair refuse it, and others both accept."""
    variant = family("kraft+D15").whole
    assert variant.base is not None
    paths = [str(LOGS / "suspects-4.4.0"), str(LOGS / "first-boot")]
    shown, other = accepted(variant.base, variant, paths)
    assert (shown.only, shown.offsets, shown.verdicts[0]) == ("base", (None, 69), Verdict.CONFORMS)
    assert shown.refusals[1].startswith("unexplained: No row explains this PARTITION_CHANGE_RECORD")
    assert (other.only, other.open, other.verdicts) == ("", False, (Verdict.CONFORMS, Verdict.CONFORMS))


def test_a_path_without_a_log_is_refused(tmp_path: Path) -> None:
    """Nothing to check is no agreement."""
    variant = family("kraft+D15").whole
    assert variant.base is not None
    with pytest.raises(TraceError, match="log"):
        accepted(variant.base, variant, [str(tmp_path)])
