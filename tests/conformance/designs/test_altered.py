"""Runs that were altered: the checker finds the alteration in its place, and says what the tables have there."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from fencepost.checkers.cli.simulate_design import DESIGNS
from fencepost.checkers.conformance.designs import DesignJudge
from fencepost.checkers.conformance.designs.telling import ACTORS, IDLE
from fencepost.reference.kip343.cluster import Cluster
from fencepost.traces.design_steps import Changed, DesignStep, Header
from tests.cases import each

from .recorded import judged, recorded, whole

SEED = {"kip343": 1, "kip46": 5, "kip631-v1": 1, "kip631-v2": 1}
Steps = list[DesignStep]
Wanted = Callable[[DesignStep], bool]


def named(name: str, answer: str = "", variable: str = "") -> Wanted:
    """Return whether a step has a name, an answer that begins so, and a change of a variable."""

    def is_it(step: DesignStep) -> bool:
        writes = not variable or any(one.variable == variable for one in step.changed)
        return step.name == name and step.answer.startswith(answer) and writes

    return is_it


def answers(answer: str) -> Callable[[Steps, int], None]:
    """Return the alteration to another answer."""
    return lambda steps, at: steps.__setitem__(at, replace(steps[at], answer=answer))


def becomes(variable: str, value: Any) -> Callable[[Steps, int], None]:
    """Return the alteration of the value that a cell of a variable gets."""

    def alter(steps: Steps, at: int) -> None:
        changed = tuple(one._replace(value=value) if one.variable == variable else one for one in steps[at].changed)
        assert changed != steps[at].changed
        steps[at] = replace(steps[at], changed=changed)

    return alter


def keeps(variable: str) -> Callable[[Steps, int], None]:
    """Return the alteration that drops the changes of a variable."""

    def alter(steps: Steps, at: int) -> None:
        changed = tuple(one for one in steps[at].changed if one.variable != variable)
        assert changed != steps[at].changed
        steps[at] = replace(steps[at], changed=changed)

    return alter


def changes(variable: str, keys: tuple[int, ...], value: Any) -> Callable[[Steps, int], None]:
    """Return the alteration that adds a change."""
    more = Changed(variable, keys, value)
    return lambda steps, at: steps.__setitem__(at, replace(steps[at], changed=(*steps[at].changed, more)))


def says(name: str, value: Any) -> Callable[[Steps, int], None]:
    """Return the alteration of a parameter."""
    return lambda steps, at: steps.__setitem__(at, replace(steps[at], parameters={**steps[at].parameters, name: value}))


def says_nothing_of(name: str) -> Callable[[Steps, int], None]:
    """Return the alteration that drops a parameter."""
    return lambda steps, at: steps.__setitem__(
        at, replace(steps[at], parameters={k: v for k, v in steps[at].parameters.items() if k != name})
    )


def earlier(steps: Steps, at: int) -> None:
    """Let the clock go back."""
    steps[at] = replace(steps[at], time_ms=steps[at - 1].time_ms - 1)


def once_more(steps: Steps, at: int) -> None:
    """Take the step twice; the second is the wrong one."""
    steps.insert(at, steps[at])


def told_of(name: str, value: Any, node: str) -> Callable[[Steps, int], None]:
    """Return the alteration that puts a step of another name in the place, which changes nothing."""
    return lambda steps, at: steps.__setitem__(
        at, replace(steps[at], name=name, parameters={"b": value}, answer="", changed=(), node=node)
    )


def by(node: str) -> Callable[[Steps, int], None]:
    """Return the alteration of who did it."""
    return lambda steps, at: steps.__setitem__(at, replace(steps[at], node=node))


HEARD_343 = named("Heartbeat", "NONE Active", "state")
HEARD_V1 = named("Heartbeat", "NONE ACTIVE", "granted")
HEARD_V2 = named("Heartbeat", "NONE true", "last_contact")

ALTERATIONS: dict[str, tuple[str, Wanted, Callable[[Steps, int], None], str]] = {
    "kip343: an error": (
        "kip343",
        HEARD_343,
        answers("INVALID_INCARNATION_ID"),
        "it answered 'INVALID_INCARNATION_ID', H",
    ),
    "kip343: no answer": ("kip343", HEARD_343, answers(""), "it answered 'nothing', H"),
    "kip343: another state": ("kip343", HEARD_343, answers("NONE Inactive"), "it answered 'NONE Inactive', H"),
    "kip343: too many words": (
        "kip343",
        HEARD_343,
        answers("NONE Active Active"),
        "it answered 'NONE Active Active'; behind 'NONE Active' come 0 values",
    ),
    "kip343: too few words": ("kip343", HEARD_343, answers("NONE"), "it answered 'NONE', H3a says 'NONE Active'"),
    "kip343: an answer where none is asked": (
        "kip343",
        named("ElectLeader"),
        answers("NONE"),
        "it answered 'NONE', and no row of ElectLeader answers",
    ),
    "kip343: an error that says more": (
        "kip343",
        named("IsrChange", "NOT_LEADER"),
        answers("NOT_LEADER_FOR_PARTITION 3"),
        "come 0 values",
    ),
    "kip631-v1: too few words": (
        "kip631-v1",
        HEARD_V1,
        answers("NONE ACTIVE"),
        "it answered 'NONE ACTIVE'; behind 'NONE ACTIVE' come 1 values",
    ),
    "kip631-v2: too few words": (
        "kip631-v2",
        HEARD_V2,
        answers("NONE"),
        "it answered 'NONE'; behind 'NONE' come 3 values",
    ),
    "kip343: another value": (
        "kip343",
        HEARD_343,
        becomes("state", "Stopping"),
        "is 'Stopping', the rows make it 'Active'",
    ),
    "kip343: a value that is none": (
        "kip343",
        HEARD_343,
        becomes("state", "Asleep"),
        "is 'Asleep', the rows make it 'Active'",
    ),
    "kip343: a dropped change": ("kip343", HEARD_343, keeps("state"), "'Active', and the step keeps it"),
    "kip343: an added change": (
        "kip343",
        HEARD_343,
        changes("fenced", (1,), False),
        "fenced[1] is False, the rows make it True as before",
    ),
    "kip343: a change of a cell with too many keys": (
        "kip343",
        HEARD_343,
        changes("fenced", (1, 2), False),
        "fenced[1, 2]: the tables have 1 keys there",
    ),
    "kip343: an epoch that does not move": (
        "kip343",
        named("ElectLeader", variable="leader_epoch"),
        becomes("leader_epoch", 0),
        "is 0, the rows make it 1",
    ),
    "kip343: a leader that is not Active": (
        "kip343",
        named("ElectLeader", variable="leader"),
        says("leader", 1),
        "no row of ElectLeader applies",
    ),
    "kip343: another parameter": (
        "kip343",
        HEARD_343,
        says("incarnation", 0),
        "incarnation[4] is 1, the rows make it 0 as before",
    ),
    "kip343: a parameter that is none": ("kip343", HEARD_343, says("b", [4]), "[4] is no Broker"),
    "kip343: no parameter": (
        "kip343",
        HEARD_343,
        says_nothing_of("incarnation"),
        "Heartbeat has no parameter incarnation",
    ),
    "kip343: a step that finds nothing to do": (
        "kip343",
        HEARD_343,
        told_of("SeeDeregistration", 1, "controller-2"),
        "no row of SeeDeregistration applies",
    ),
    "kip343: a heartbeat that asks for what the broker does not wish": (
        "kip343",
        named("SendHeartbeat"),
        says("target", "Stopping"),
        "no row of SendHeartbeat applies",
    ),
    "kip343: another broker's heartbeat": ("kip343", named("SendHeartbeat"), by("broker-9"), "and broker-9 did it"),
    "kip343: an answer that was not given": (
        "kip343",
        named("HeartbeatReply"),
        says("error", "INVALID_REQUEST"),
        "was answered 'INVALID_REQUEST' that it has not heard of yet",
    ),
    "kip343: a controller that is not in office": (
        "kip343",
        HEARD_343,
        by("controller-9"),
        "controller-9 is not the controller, controller-",
    ),
    "kip343: a broker that elects": (
        "kip343",
        named("ElectLeader"),
        by("broker-1"),
        "ElectLeader is done by a node 'controller', not by 'broker-1'",
    ),
    "kip46: a failure of a broker that lives": (
        "kip46",
        named("OnBrokerFailure", variable="failed"),
        says("b", 6),
        "no row of OnBrokerFailure applies",
    ),
    "kip46: a task of an operator": (
        "kip46",
        named("PersistChunk"),
        by("operator"),
        "PersistChunk is done by a node 'controller', not by 'operator'",
    ),
    "kip631-v2: a controller that is not in office": (
        "kip631-v2",
        named("Commit", variable="committed"),
        by("controller-9"),
        "is not the controller",
    ),
    "kip343: the clock": ("kip343", HEARD_343, earlier, "the clock goes back from "),
    "kip46: another value": (
        "kip46",
        named("OnBrokerFailure", variable="failed"),
        becomes("failed", 3),
        "is 3, the rows make it ",
    ),
    "kip46: a dropped change": (
        "kip46",
        named("StartTask", variable="running"),
        keeps("running"),
        "True, and the step keeps it",
    ),
    "kip46: an added change": (
        "kip46",
        named("StartTask"),
        changes("live", (1,), False),
        "live[1] is False, the rows make it True as before",
    ),
    "kip46: the clock": ("kip46", named("StartTask"), earlier, "the clock goes back from "),
    "kip631-v1: an error": (
        "kip631-v1",
        HEARD_V1,
        answers("STALE_BROKER_EPOCH"),
        "it answered 'STALE_BROKER_EPOCH', V1",
    ),
    "kip631-v1: another lease": ("kip631-v1", HEARD_V1, answers("NONE ACTIVE 1"), "it answered 'NONE ACTIVE 1', V1"),
    "kip631-v1: another value": ("kip631-v1", HEARD_V1, becomes("lease_end", 7), "is 7, the rows make it "),
    "kip631-v1: a dropped change": ("kip631-v1", HEARD_V1, keeps("lease_end"), "and the step keeps it"),
    "kip631-v1: an added change": (
        "kip631-v1",
        HEARD_V1,
        changes("committed", (), 99),
        "committed is 99, the rows make it ",
    ),
    "kip631-v1: the clock": ("kip631-v1", HEARD_V1, earlier, "the clock goes back from "),
    "kip631-v2: an error": (
        "kip631-v2",
        HEARD_V2,
        answers("STALE_BROKER_EPOCH"),
        "it answered 'STALE_BROKER_EPOCH', V2",
    ),
    "kip631-v2: another word": (
        "kip631-v2",
        HEARD_V2,
        answers("NONE true true true"),
        "it answered 'NONE true true true', V2",
    ),
    "kip631-v2: a dropped change": ("kip631-v2", HEARD_V2, keeps("last_contact"), "and the step keeps it"),
    "kip631-v2: an added change": ("kip631-v2", HEARD_V2, changes("isr", (0,), []), "isr[0] is [], the rows make it "),
    "kip631-v2: the clock": ("kip631-v2", HEARD_V2, earlier, "the clock goes back from "),
}
"""By what is altered: the design, the step, the alteration, and what the divergence must say."""

REPEATED = {
    "kip343": (named("ElectLeader", variable="leader"), "no row of ElectLeader applies"),
    "kip46": (named("StartTask"), "no row of StartTask applies"),
    "kip631-v1": (named("Commit", variable="committed"), "no row of Commit applies"),
    "kip631-v2": (named("Commit", variable="committed"), "no row of Commit applies"),
}
"""By design: a step that cannot happen twice, and what the second divergence of the run says."""

MISSED = {
    "kip343": (HEARD_343, "no Heartbeat of broker 4 was answered 'NONE Active' that it has not heard of yet"),
    "kip46": (named("StartTask"), "no row of CatchUp applies"),
    "kip631-v1": (named("BeginRegistration"), "broker_state[1] is 'FENCED', the rows make it 'STARTING' as before"),
    "kip631-v2": (named("Register", variable="registered"), "no row of Commit applies"),
}
"""By design: a step that others need, and what is said of the first of those."""


def place(steps: Steps, wanted: Wanted) -> int:
    """Return where a step is."""
    return next(at for at, step in enumerate(steps) if wanted(step))


def run_of(design: str) -> tuple[Any, Steps]:
    """Return the header and the steps of a run without a divergence."""
    header, steps = recorded(design, SEED[design])
    return header, list(steps)


@pytest.mark.representative("kip46", "kip631-v2")
@pytest.mark.parametrize("design", SEED)
def test_the_runs_themselves_are_clean(design: str) -> None:
    """As they happened the runs have no divergence."""
    assert [str(one) for one in judged(*run_of(design)).divergences] == []


@each("name", ALTERATIONS)
def test_an_altered_step_is_found_in_place(name: str) -> None:
    """The first divergence is the step that was altered, and says which cell, answer or row is concerned."""
    design, wanted, alter, part = ALTERATIONS[name]
    header, steps = run_of(design)
    at = place(steps, wanted)
    alter(steps, at)
    (first, *_) = judged(header, steps[: at + 1]).divergences
    assert first.number == at + 1
    assert part in str(first)


@pytest.mark.parametrize("design", REPEATED)
def test_a_repeated_step_is_found_in_place(design: str) -> None:
    """What happened once cannot happen again at once: the second of the two is the divergence."""
    header, steps = run_of(design)
    wanted, part = REPEATED[design]
    at = place(steps, wanted)
    once_more(steps, at)
    (first,) = judged(header, steps[: at + 2]).divergences
    assert first.number == at + 2
    assert part in str(first)


@pytest.mark.representative("kip46", "kip631-v1")
@pytest.mark.parametrize("design", MISSED)
def test_a_dropped_step_is_missed_by_the_first_that_needs_it(design: str) -> None:
    """Without a step the next one that builds on it is no row."""
    header, steps = run_of(design)
    wanted, part = MISSED[design]
    del steps[place(steps, wanted)]
    assert part in str(judged(header, steps).divergences[0])


@pytest.mark.representative("kip46", "kip631-v2")
@pytest.mark.parametrize("design", SEED)
def test_a_step_that_finds_nothing_to_do_is_idle_only_where_it_may(design: str) -> None:
    """A step without changes of which no row applies is a divergence, but for the two of KIP-631's second version."""
    header, steps = run_of(design)
    judge = judged(header, steps)
    assert judge.divergences == []
    assert set(judge.tally.idle) == set(IDLE.get(design, ()))
    variants = [one for one in DESIGNS if one.partition("+")[0] == design]
    events = {row.event.name for one in variants for row in whole(one).rows}
    assert events >= set(ACTORS[design]) | set(judge.tally.idle)


@pytest.mark.parametrize("design", ["kip343", "kip631-v1", "kip631-v2"])
def test_a_start_that_is_dropped_is_missed_by_the_next_step_of_the_broker(design: str) -> None:
    """Without its start a broker can do nothing: the first step that it reports is the divergence."""
    header, steps = run_of(design)
    at = place(steps, named("StartBroker"))
    gone = steps.pop(at)
    assert (judged(header, steps[:at])).divergences == []
    first = judged(header, steps).divergences[0]
    assert first.number == 1 + next(n for n, one in enumerate(steps) if n >= at and one.node == gone.node)


@pytest.mark.parametrize(
    ("name", "said"),
    [("SendHeartbeat", "has heard of every Heartbeat that it sent"), ("Heartbeat", "that it has not heard of yet")],
)
def test_an_answer_needs_a_heartbeat_of_its_own(name: str, said: str) -> None:
    """Where nothing is lost a heartbeat that is left out, or its sending, is missed when the answer comes."""
    cluster = Cluster(1, brokers=3)
    header = Header(
        design="kip343", settings={**cluster.settings._asdict(), "initial": cluster.journal.cells.initial()}
    )
    cluster.start()
    cluster.run(12)
    steps = list(cluster.journal.steps)
    assert judged(header, steps).divergences == []
    at = max(n for n, one in enumerate(steps[:-20]) if one.name == name and one.parameters["b"] == 2)
    gone = steps.pop(at)
    first = judged(header, steps).divergences[0]
    assert (first.step.name, first.step.node) == ("HeartbeatReply", "broker-2")
    assert said in first.reason
    assert first.step.time_ms - gone.time_ms < cluster.settings.heartbeat_period


def test_a_timer_that_fires_early_is_no_row() -> None:
    """Healing that begins before the interval is over is found, though what SI1 claims is declared violated."""
    header, steps = run_of("kip46")
    at = place(steps, named("TimerFires"))
    about = steps[at].parameters["b"]
    noted = max(n for n, one in enumerate(steps[:at]) if one.name == "OnBrokerFailure" and one.parameters["b"] == about)
    early = replace(steps[at], time_ms=steps[noted].time_ms)
    assert judged(header, steps[: at + 1]).divergences == []
    (found,) = judged(header, [*steps[: noted + 1], early]).divergences
    assert found.number == noted + 2
    assert found.reason.startswith("no row of TimerFires applies; nearest is SH3: timer[b] ≤ now is false: timer[b]=")


@pytest.mark.representative("kip46")
@pytest.mark.parametrize("design", SEED)
def test_a_step_that_no_table_is_about_is_counted(design: str) -> None:
    """A step of an unknown name is no divergence, and is never silent: it is counted by its name, its cells taken."""
    header, steps = run_of(design)
    steps.insert(5, replace(steps[5], name="Rest", parameters={}, answer="", changed=()))
    judge = judged(header, steps)
    assert judge.divergences == []
    assert dict(judge.tally.unjudged) == {"Rest": 1}
    assert judge.tally.steps == len(steps)


def test_a_variable_that_no_table_has_is_counted() -> None:
    """A cell of an unknown variable is no divergence, and is counted by its name."""
    header, steps = run_of("kip343")
    changes("colour", (1,), "red")(steps, 5)
    judge = judged(header, steps)
    assert judge.divergences == []
    assert dict(judge.tally.untold) == {"colour": 1}


def test_a_parameter_that_no_table_has_is_counted() -> None:
    """A parameter that the event has not is no divergence, and is counted by its name and the step's."""
    header, steps = run_of("kip343")
    at = place(steps, HEARD_343)
    says("colour", 7)(steps, at)
    judge = judged(header, steps)
    assert judge.divergences == []
    assert dict(judge.tally.untold) == {"colour of Heartbeat": 1}


def test_after_a_divergence_the_state_is_as_told() -> None:
    """A value that was reported wrong once is one divergence: the next steps are checked from the reported value."""
    header, steps = run_of("kip343")
    at = place(steps, named("ElectLeader", variable="leader_epoch"))
    becomes("leader_epoch", 0)(steps, at)
    later = place(steps[at + 1 :], lambda one: one.name == "ElectLeader") + at + 1
    assert [one.number for one in judged(header, steps[:later]).divergences] == [at + 1]


def test_an_idle_step_changes_nothing() -> None:
    """Steps count as idle only where they tell no change and no answer; with either the same step is a divergence."""
    header, steps = run_of("kip631-v2")
    judge = DesignJudge(whole("kip631-v2"), header)
    at = 0
    while True:
        assert judge.step(steps[at]) is None
        if judge.tally.idle:
            break
        at += 1
    assert (steps[at].changed, steps[at].answer) == ((), "")
    steps[at] = replace(steps[at], changed=(Changed("serving", (1,), True),))
    (found,) = judged(header, steps[: at + 1]).divergences
    assert found.number == at + 1
    assert f"no row of {steps[at].name} applies" in str(found)
    steps[at] = replace(steps[at], changed=(), answer="NONE")
    (found,) = judged(header, steps[: at + 1]).divergences
    assert f"no row of {steps[at].name} applies" in str(found)
