"""Lock step over a reference controller: every step is a row or counted by name, and whatever is altered is found."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from fencepost.checkers.conformance.lockstep import LockStep
from fencepost.model.kraft.protocol import KRAFT
from fencepost.traces import events as trace
from fencepost.traces.steps import CLAIM, CONTACT, RENOUNCE, Step, WrittenRecord

from .watched import FORMATTED, SECOND, Watched, judged, story

CHANGE = "PARTITION_CHANGE_RECORD"


@pytest.fixture(scope="module")
def steps() -> list[Step]:
    """The steps of the story."""
    return story().steps


def first(steps: Sequence[Step], what: Callable[[Step], Any]) -> int:
    """Return the place of the first step of which something holds."""
    return next(number for number, step in enumerate(steps) if what(step))


def asks(kind: type[trace.Event], **fields: Any) -> Callable[[Step], bool]:
    """Return the question whether a step is a request of a kind with some values."""
    return lambda step: (
        isinstance(step.request, kind) and all(getattr(step.request, name) == value for name, value in fields.items())
    )


def writes(type_: str, **data: Any) -> Callable[[Step], bool]:
    """Return the question whether a step writes a record of a type with some data."""
    return lambda step: any(
        one.type == type_ and all(one.data.get(name) == value for name, value in data.items()) for one in step.records
    )


# -- what is right -----------------------------------------------------------------------------------------------------
def test_every_step_is_a_row_or_has_a_name(steps: list[Step]) -> None:
    """Nothing of the story differs from the tables, over forty rows are used, and what no row is about is counted."""
    judge, divergences = judged(steps)
    out = judge.out
    assert divergences == []
    assert out.steps == len(steps) == out.steps_judged + sum(out.not_judged.values())
    assert {name: count for (name, _), count in out.not_judged.items()} == {
        "contact": sum(step.name == CONTACT for step in steps),
        "createTopics (CreateTopics)": 1,
        "maybeFenceStaleBroker": sum(step.name == "maybeFenceStaleBroker" and not step.records for step in steps),
        "renounce": 1,
    }
    assert {
        "FO1",
        "AC1",
        "AC2",
        "NO1",
        "SI1",
        "F1",
        "F2",
        "R1",
        "R2",
        "R2u",
        "HB2",
        "HB6",
        "HB10",
        "CM1",
        "FE7",
    } <= set(out.rows)
    assert len(out.rows) >= 40


def test_findings_are_told_and_are_no_divergence(steps: list[Step]) -> None:
    """A second fence of a fenced broker (D23) is a finding of its row; the run agrees all the same."""
    judge, _ = judged(steps)
    assert judge.out.divergences == []
    assert judge.out.finding_counts["F2"] == judge.out.rows["F2"] > 0
    assert {(one.rule, one.finding) for one in judge.out.findings} >= {("F2", "D23")}


# -- what is altered ---------------------------------------------------------------------------------------------------
def with_request(step: Step, **fields: Any) -> Step:
    """Return a step with another answer or request."""
    assert step.request is not None
    return replace(step, request=replace(step.request, **fields))


def with_record(step: Step, number: int, **data: Any) -> Step:
    """Return a step one of whose records has other data."""
    records = list(step.records)
    records[number] = records[number]._replace(data={**records[number].data, **data})
    return replace(step, records=tuple(records))


def with_soft(step: Step, **fields: Any) -> Step:
    """Return a step after which something else is remembered of its first broker."""
    assert step.soft
    return replace(step, soft=(step.soft[0]._replace(**fields), *step.soft[1:]))


Alteration = tuple[str, Callable[[Step], bool], Callable[[Step], Step], str]
BEAT, CREATE, REGISTER = asks(trace.BrokerHeartbeat), asks(trace.CreateTopics), asks(trace.BrokerRegistration)
ACCEPTED = asks(trace.AlterPartition, answers=("NONE",))
UNPLACED = asks(trace.CreateTopics, error="INVALID_REPLICATION_FACTOR")
NO_TOPIC = asks(trace.DeleteTopics, error="UNKNOWN_TOPIC_ID")
LEAVING = asks(trace.BrokerHeartbeat, want_shut_down=True)


def answered(**fields: Any) -> Callable[[Step], Step]:
    """Return the alteration of a request or its answer."""
    return lambda step: with_request(step, **fields)


def stored(number: int, **data: Any) -> Callable[[Step], Step]:
    """Return the alteration of one record."""
    return lambda step: with_record(step, number, **data)


def remembered(**fields: Any) -> Callable[[Step], Step]:
    """Return the alteration of what is remembered of the first broker."""
    return lambda step: with_soft(step, **fields)


def done(**fields: Any) -> Callable[[Step], Step]:
    """Return the alteration of the step itself."""
    return lambda step: replace(step, **fields)


def version(step: Step) -> Step:
    """Write the first record in an older form."""
    return replace(step, records=(step.records[0]._replace(version=1), *step.records[1:]))


def refused(step: Step) -> Step:
    """Refuse the name of a topic."""
    return replace(with_request(step, error="INVALID_TOPIC_EXCEPTION"), records=())


def several_records(step: Step) -> bool:
    """Whether a heartbeat wrote several records."""
    return BEAT(step) and len(step.records) > 1


ALTERATIONS: list[Alteration] = [
    ("a heartbeat's flag", BEAT, answered(should_shut_down=True), "answer"),
    ("an error", BEAT, answered(error="STALE_BROKER_EPOCH"), "answer"),
    ("an error for none", NO_TOPIC, answered(error="NONE"), "answer"),
    ("the error of one part", ACCEPTED, answered(answers=("INELIGIBLE_REPLICA",)), "answer"),
    ("an answer that no row has", BEAT, answered(error="INVALID_CONFIG"), "answer"),
    ("a leader", writes(CHANGE), stored(0, leader=9), "records"),
    ("an ISR", writes(CHANGE), stored(0, isr=[3]), "records"),
    ("an epoch", writes("REGISTER_BROKER_RECORD"), stored(-1, brokerEpoch=99), "records"),
    ("a value", writes("CONFIG_RECORD", value="2"), stored(1, value="3"), "records"),
    ("a version", writes(CHANGE), version, "records"),
    ("a record dropped", writes(CHANGE), lambda step: replace(step, records=step.records[1:]), "records"),
    ("all records dropped", CREATE, done(records=()), "records"),
    ("a record more", writes("NO_OP_RECORD"), lambda step: replace(step, records=step.records * 2), "records"),
    ("groups in another order", several_records, lambda step: replace(step, records=step.records[::-1]), "records"),
    ("a fenced flag", CREATE, remembered(fenced=True), "soft"),
    ("a shutdown offset", LEAVING, remembered(shutdown_offset=5), "soft"),
    ("a registration offset", REGISTER, remembered(registration_offset=1), "soft"),
    ("a contact", CREATE, remembered(contact="expired"), "soft"),
    ("a broker forgotten", CREATE, lambda step: replace(step, soft=(step.soft or ())[1:]), "soft"),
    ("a refusal without need", CREATE, refused, "both"),
    ("a broker forgotten by a refusal", UNPLACED, lambda step: replace(step, soft=(step.soft or ())[1:]), "soft"),
    ("an exception", CREATE, done(fault="RuntimeException: x"), "answer"),
    ("a task that fails", lambda step: step.name == "writeNoOpRecord", done(records=(), fault="X"), "row"),
    ("an offset", CREATE, lambda step: replace(step, base_offset=step.base_offset + 1), "log"),
    ("an epoch without a claim", CREATE, lambda step: replace(step, epoch=step.epoch - 1), "order"),
]


@pytest.mark.parametrize(("what", "where", "alter", "found"), ALTERATIONS, ids=[one[0] for one in ALTERATIONS])
def test_an_alteration_is_found_at_its_step(
    steps: list[Step], what: str, where: Callable[[Step], bool], alter: Callable[[Step], Step], found: str
) -> None:
    """One thing that is altered is a divergence at the step where it was, and of the kind that it is."""
    place = first(steps, where)
    altered = [*steps[:place], alter(steps[place]), *steps[place + 1 : place + 2]]
    _, divergences = judged(altered)
    assert divergences, what
    assert (divergences[0].number, divergences[0].what) == (place + 1, found)
    text = divergences[0].text()
    assert text.startswith(f"step {place + 1}: {altered[place].name} of controller 3000")
    assert len(text.splitlines()) <= 40


def test_an_answer_that_was_not_kept_is_found_where_it_matters(steps: list[Step]) -> None:
    """A registration whose record is changed in what no answer shows is found at once: the record is compared."""
    place = first(steps, writes("REGISTER_BROKER_RECORD"))
    _, divergences = judged([*steps[:place], with_record(steps[place], -1, fenced=False)])
    assert [one.number for one in divergences] == [place + 1]


def test_the_state_goes_on_as_the_controller_s_did(steps: list[Step]) -> None:
    """After a divergence what was told is adopted: one fault does not hide the next, nor make others."""
    place = first(steps, asks(trace.BrokerHeartbeat))
    wrong = with_request(steps[place], should_shut_down=True)
    _, divergences = judged([*steps[:place], wrong, *steps[place + 1 :]])
    assert [one.number for one in divergences] == [place + 1]


# -- what no row is about ----------------------------------------------------------------------------------------------
def test_a_step_that_no_row_is_about_is_counted_by_name(steps: list[Step]) -> None:
    """A request without a row and an unknown event are counted; a record of no table is a divergence."""
    end = max(step.base_offset + len(step.records) for step in steps)
    last = steps[-1]
    state = WrittenRecord("ZK_MIGRATION_STATE_RECORD", 0, {"zkMigrationState": 0})
    odd = trace.OtherRequest(line=1, t_ms=1, log_end=end, error="NONE", name="ListThings", columns={})
    base = replace(last, base_offset=end, records=(), request=None, fault="", contact=None)
    more = [
        replace(base, name="describeThings"),
        replace(base, name="listThings", request=odd),
        replace(base, name="migrate", records=(state,)),
    ]
    judge, divergences = judged([*steps, *more])
    assert [one.message for one in divergences] == ["No record of the tables is a ZK_MIGRATION_STATE_RECORD."]
    names = dict(judge.out.not_judged.keys())
    assert names["describeThings"] == "no row is about it"
    assert names["listThings (ListThings)"] == "a form of the request that no row reads"


# -- claims ------------------------------------------------------------------------------------------------------------
def test_a_claim_begins_with_what_its_log_has() -> None:
    """What a renounced leader wrote and never committed is no part of the next claim's state."""
    node = Watched(at_once=False)
    node.lead()
    node.commit()
    node.clock.run()
    for broker in (1, 2):
        node.start(broker)
        node.commit()
        node.clock.run()
    node.create("lost", 1, 1)
    node.lose()
    node.lead()
    node.commit()
    node.clock.run()
    node.create("lost", 1, 1)
    node.commit()
    node.clock.run()
    _, divergences = judged(node.steps)
    assert divergences == []
    created = [step for step in node.steps if isinstance(step.request, trace.CreateTopics)]
    assert len(created) == 2
    assert created[0].base_offset == created[1].base_offset
    # A checker that kept the lost topic would find its name taken; one without the claim's step finds disorder.
    claims = [number for number, step in enumerate(node.steps) if step.name == CLAIM]
    _, wrong = judged(node.steps[: claims[1]] + node.steps[claims[1] + 1 :])
    assert wrong[0].what == "order"


def test_a_contact_is_over_by_the_clock() -> None:
    """A broker that is silent for longer than its session is found silent when it is fenced, and not before."""
    node = Watched()
    node.lead()
    node.start(1)
    node.heartbeat(1)
    node.clock.run(11 * SECOND)
    _, divergences = judged(node.steps)
    assert divergences == []
    _, late = judged(node.steps, session_timeout_ms=60_000)
    assert late[0].what in ("soft", "row")
    fence = first(node.steps, lambda step: step.name == "maybeFenceStaleBroker" and bool(step.records))
    assert late[0].number <= fence + 1


def test_one_judge_knows_nothing_of_another(steps: list[Step]) -> None:
    """Tables are made ready once a process; what one run has done is no part of the next one's state."""
    _, divergences = judged(steps)
    again, more = judged(steps)
    assert divergences == more == []
    assert again.out.steps == len(steps)
    fresh = LockStep(KRAFT, given=FORMATTED)
    assert fresh.out.steps == 0
    found = fresh.step(steps[1])
    assert found is not None
    assert found.what == "order"


def test_steps_of_a_leader_that_is_none_any_more(steps: list[Step]) -> None:
    """After it has renounced a controller does nothing; a step that says otherwise is out of order."""
    place = first(steps, lambda step: step.name == RENOUNCE)
    _, divergences = judged([*steps[: place + 1], replace(steps[place - 1])])
    assert [one.what for one in divergences] == ["order"]
