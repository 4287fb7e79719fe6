"""All engines say the same of random small protocols, and a disagreement is a file that a person can run."""

import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from fencepost.checkers.exploration import explore
from fencepost.checkers.verdicts import Verdict
from tests.cases import each

from .comparing import ENGINES, Difference
from .drawing import drawn
from .pieces import made
from .plain import seen, seen_beyond
from .putting_back import DEFECTS
from .running import Ran, once, ran, smallest

EVERY = {name: ask for name, ask in ENGINES.items() if name != "tlc"}
"""What each protocol is asked: all but TLC, which takes more time than all the others."""
FIRST = 12
"""The protocols of which every run asks all engines."""
CHUNK = 1000


def disagreements(first: int, last: int, engines: dict[str, object], folder: Path) -> list[str]:
    """Return each disagreement on the protocols of some seeds in a sentence, with the file that shows it."""
    return told(ran(range(first, last), engines, most=300), folder)  # type: ignore[arg-type]


def told(found: Ran, folder: Path) -> list[str]:
    """Return each disagreement of a run in a sentence, with the file that shows it."""
    return [f"seed {one.seed}: {one.difference}: {one.written(folder)}" for one in found.disagreements]


@cache
def first() -> Ran:
    """Return what all engines say of the first protocols, asked once for two tests."""
    return ran(range(FIRST), EVERY, most=300)


def test_all_engines_agree_on_random_protocols(tmp_path: Path) -> None:
    """Counts, levels and verdicts of interpreter, exploration, machine code, symbolic search and proof are the same."""
    assert told(first(), tmp_path) == []


@pytest.mark.tlc
def test_tlc_agrees_on_a_few_of_them(tmp_path: Path) -> None:
    """TLC counts the same states of one, and finds the same of a claim of each kind."""
    assert disagreements(0, 1, {"tlc": ENGINES["tlc"]}, tmp_path) == []


@each("seed", [295, 539])
def test_a_row_that_writes_twice_is_a_step_of_its_run(seed: int, tmp_path: Path) -> None:
    """A claim broken by as many steps is reported as soon as the row that writes twice, by the symbolic search."""
    assert disagreements(seed, seed + 1, {"symbolic": ENGINES["symbolic"]}, tmp_path) == []


def test_what_the_end_of_a_range_alone_breaks_is_proved(tmp_path: Path) -> None:
    """That some number is above another is true of all numbers, and false at the end of a range: it is proved, and a
    search of a bound is inconclusive where no other run breaks it."""
    assert disagreements(1664, 1665, {name: ENGINES[name] for name in ("proof", "numpy")}, tmp_path) == []
    protocol = made(drawn(1664)).protocol
    assert "P3" in seen(protocol).first
    assert "P3" not in seen_beyond(protocol).first
    found = explore(protocol, "tiny", engine="numpy").property("P3")
    assert found.verdict is Verdict.INCONCLUSIVE
    assert "where the range of a counter ends" in found.message


def test_what_is_drawn_is_worth_comparing() -> None:
    """Most have several states, every kind of outcome is among them, and symbolic search refuses few."""
    counts = first().counts + ran(range(FIRST, 110), {"none": lambda protocol, plain: []}, most=0).counts
    assert counts["more than one state"] > 55
    assert counts["more than ten states"] > 11
    assert first().counts["refused by symbolic"] <= FIRST // 10
    for what in ("written twice", "deadlock", "out of range", "claims broken or witnessed"):
        assert counts[what] > 3, what
    for verdict in ("closed", "violated", "inconclusive", "vacuous"):
        assert counts[f"runs without end {verdict}"] > 0, verdict


def test_a_seed_draws_one_file() -> None:
    """The same seed draws the same text, other seeds other texts, and the language takes every one."""
    texts = [drawn(seed).printed() for seed in range(50)]
    assert texts == [drawn(seed).printed() for seed in range(50)]
    assert len(set(texts)) == 50


def test_a_disagreement_is_a_small_file_that_can_be_explored(tmp_path: Path) -> None:
    """With a defect put back, what is printed is short, says what differs, and can be explored."""
    defect = DEFECTS["nothing read"]
    with defect.put_back():
        [one, *_] = ran([defect.seed], {defect.engine: ENGINES[defect.engine]}).disagreements
    file = one.written(tmp_path)
    assert defect.reports in file.read_text(encoding="utf-8")
    assert len(made(drawn(defect.seed)).source) > len(one.source)
    assert len(one.source.splitlines()) < 40
    command = [sys.executable, "-m", "fencepost.checkers.cli.main", "explore", str(file), "--bound", "tiny"]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "violated" in said.stdout
    assert said.returncode == 1


def test_a_smaller_file_shows_the_same() -> None:
    """What is left out while a disagreement lasts is left out; a file that is no protocol shows nothing."""
    text = drawn(0)
    always: Difference = Difference("any", "kind", "what")

    def ask(protocol: object, plain: object) -> list[Difference]:
        return [always]

    less, _ = smallest(text, always, {"any": ask})  # type: ignore[dict-item]
    assert less.weight < text.weight
    assert once(replace(text, declared=()), {"any": ask}) is None  # type: ignore[dict-item]


@pytest.mark.nightly("test_all_engines_agree_on_random_protocols")
@pytest.mark.parametrize("chunk", range(20))
def test_all_engines_agree_on_twenty_thousand_protocols(chunk: int, tmp_path: Path) -> None:
    """As with the first twelve."""
    assert disagreements(CHUNK * chunk, CHUNK * (chunk + 1), EVERY, tmp_path) == []


@pytest.mark.nightly("test_tlc_agrees_on_a_few_of_them")
@pytest.mark.tlc
def test_tlc_agrees_on_two_hundred_protocols(tmp_path: Path) -> None:
    """As with a few."""
    assert disagreements(1000, 1200, {"tlc": ENGINES["tlc"]}, tmp_path) == []
