"""Scenarios on the classes of Kafka 4.4.0 and on the reference: equal answers, equal records with all fields.

A difference is shortened to a scenario that `fencepost ask` runs.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from functools import partial
from pathlib import Path

import pytest

from fencepost.checkers.verdicts import ExitCode
from tests.scenarios.drawn import drawn, drawn_of_operators

from .scenarios import MAIN, Asked, asked, asked_of_operators, differences, shortened

pytestmark = pytest.mark.kafka

Ask = Callable[[Sequence[str]], list[str]]
FILES = sorted((Path(__file__).resolve().parents[2] / "traces" / "scenarios").glob("*.txt"))
STEPS = 80
"""The steps of a drawn scenario behind its beginning."""

NO_ROW = "who may lead is no replica any more (D9)"
"""How the reason begins of the one kind of drawn step that the tables have no row for."""


@pytest.fixture(scope="module")
def ask(asked: Callable[[str, Sequence[str]], list[str]]) -> Ask:
    """Return a function that puts the lines of scenarios to the managers of Kafka 4.4.0."""
    return partial(asked, MAIN)


def on_kafka(ask: Ask, scenarios: Iterable[Asked]) -> list[list[str]]:
    """Return where the classes differ from the reference, of each scenario."""
    found = list(scenarios)
    printed = ask([json.dumps(line) for one in found for line in one.lines])
    differ, at = [], 0
    for one in found:
        differ.append(list(differences(one, printed[at : at + len(one.lines)])))
        at += len(one.lines)
    return differ


def compare(ask: Ask, seeds: range) -> None:
    """Compare drawn scenarios with Kafka and the tables; fail with a short scenario of the first difference."""
    scenarios = {}
    for seed in seeds:
        scenarios[seed], report = asked(drawn(seed, STEPS), f"seed {seed}")
        assert report.code in (ExitCode.AS_DECLARED, ExitCode.DIFFERS_FROM_BASELINE), f"seed {seed}"
        reasons = {one.unexplained for _, one in report.operations if one.unexplained}
        assert all(one.startswith(NO_ROW) for one in reasons), f"seed {seed}: {reasons}"
    for seed, differ in zip(seeds, on_kafka(ask, scenarios.values()), strict=True):
        if differ:
            short = shortened(drawn(seed, STEPS), lambda text: bool(on_kafka(ask, [asked(text, "short")[0]])[0]))
            pytest.fail(f"seed {seed}: {differ[0]}\n{short}")


def test_drawn_scenarios_are_as_kafka_answers_them(ask: Ask) -> None:
    """Eight scenarios of 80 steps: answers and records with all fields are equal, and rows explain them."""
    compare(ask, range(8))


@pytest.mark.nightly("test_drawn_scenarios_are_as_kafka_answers_them")
@pytest.mark.parametrize("part", range(20))
def test_further_scenarios_are_as_kafka_answers_them(ask: Ask, part: int) -> None:
    """20,000 further scenarios, a thousand in each part."""
    compare(ask, range(1000 * (part + 1), 1000 * (part + 2)))


def of_operators(ask: Ask, seeds: range) -> dict[int, str]:
    """Return where Kafka's classes differ from the reference in what operators do, the first place of each seed."""
    texts = ["\n".join(drawn_of_operators(seed, 18)) for seed in seeds]
    differ = on_kafka(ask, [asked_of_operators(text, "drawn") for text in texts])
    return {seed: found[0] for seed, found in zip(seeds, differ, strict=True) if found}


def test_what_operators_do_is_as_kafka_answers_it(ask: Ask) -> None:
    """Of 18 high words in any order, six seeds, answers and records are equal, also where several sessions end at once.

    Which of these brokers is fenced first is the order of a hash table.
    """
    assert of_operators(ask, range(20, 26)) == {}


@pytest.mark.nightly("test_what_operators_do_is_as_kafka_answers_it")
@pytest.mark.parametrize("part", range(10))
def test_further_things_that_operators_do_are_as_kafka_answers_them(ask: Ask, part: int) -> None:
    """1,000 further scenarios of high words, a hundred in each part."""
    assert of_operators(ask, range(100 * (part + 1), 100 * (part + 2))) == {}


def test_the_scenarios_of_the_folder_are_as_kafka_answers_them(ask: Ask) -> None:
    """Each file of `traces/scenarios` is answered alike by the classes; one rewrites epochs, and is left out."""
    texts = {one.name: one.read_text(encoding="utf-8") for one in FILES}
    texts = {name: text for name, text in texts.items() if "\nrewrite " not in text}
    assert len(texts) == len(FILES) - 1
    differ = on_kafka(ask, [asked(text, name)[0] for name, text in texts.items()])
    assert {name: one[0] for name, one in zip(texts, differ, strict=True) if one} == {}


@pytest.mark.representative("a minimum leaves the ELR as it is")
@pytest.mark.parametrize(
    ("steps", "guess"),
    [
        ("kill 2,3\nkill 1\nconfig topic t min.insync.replicas=3", ["eligibleLeaderReplicas", [1]]),
        ("config topic t unclean.leader.election.enable=true\nisr t-0 1\nstop 1", ["leader", -1]),
    ],
    ids=["a minimum leaves the ELR as it is", "a clean stop elects no leader"],
)
def test_a_wrong_guess_is_noticed(ask: Ask, steps: str, guess: list[object]) -> None:
    """With what one would answer from memory in place of what the reference writes, a difference is found."""
    scenario, _ = asked(f"brokers 1,2,3\ntopic t 1,2,3 min.insync.replicas=2\n{steps}", "guess")
    other = deepcopy(scenario)
    said, records = next(
        one for one in reversed(other.answers) if any(each[0] == "PARTITION_CHANGE_RECORD" for each in one[1])
    )
    at = next(at for at, each in enumerate(records) if each[0] == "PARTITION_CHANGE_RECORD")
    records[at] = [*records[at][:2], {**records[at][2], str(guess[0]): guess[1]}]
    assert said is not None
    right, wrong = on_kafka(ask, [scenario, other])
    assert right == []
    assert len(wrong) == 1


def test_a_difference_is_shortened() -> None:
    """Of a scenario that differs while it has two of its steps, the cluster and these two are left."""
    text = "\n".join(["cluster", *(f"stop {one}" for one in range(30))])
    short = shortened(text, lambda one: "stop 7" in one.splitlines() and "stop 21" in one.splitlines(), most=400)
    assert short.splitlines() == ["cluster", "stop 7", "stop 21"]
