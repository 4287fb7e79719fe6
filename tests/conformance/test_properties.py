"""Properties asked of logs, on the toy."""

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Any

import pytest

from fencepost.checkers.conformance import LogResult, Monitor
from fencepost.checkers.conformance.classes.frames import Frame, values
from fencepost.checkers.conformance.reading.options import Options
from fencepost.checkers.conformance.state.properties import Plan, Properties
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kraft.protocol import KRAFT
from fencepost.model.language import AT_RESULT_BOUNDARIES, always, exists, forall, sometimes
from fencepost.traces import MetadataLog, read_log

from . import RECORDED, toy
from .toy import changes, fences, isr, p, partition, three_brokers, topic, up, x


def judged(*batches: list[toy.Message], monitor: Monitor | None = None) -> LogResult:
    """Check a toy log."""
    return (monitor or Monitor(toy.TOY)).judge(toy.log(*batches))


def test_a_property_is_reported_where_it_begins_to_be_false() -> None:
    """A leader outside its ISR is reported at the record that made it so, once, not again while it stays."""
    result = judged(*three_brokers(), [changes(0, isr=[2, 3])], [toy.NOTHING], [toy.NOTHING])
    broken = [(v.rule, v.offset, v.entity) for v in result.violations]
    assert broken == [("unexplained", 9, f"partition {toy.TOPIC_ID}-0")]
    assert result.violations[0].folded == [9]


def test_a_property_at_result_boundaries_is_not_asked_inside_a_result() -> None:
    """A broker leaves its partitions before it goes down, so at a boundary no ISR holds a broker that is down."""
    result = judged(*three_brokers(), [changes(0, isr=[2, 3], leader=2), fences(1, 1)])
    assert result.verdict is Verdict.CONFORMS
    assert result.properties["T-active"].judged > 0
    assert result.properties["T-active"].unknown == 0


def test_a_property_that_only_the_boundary_breaks_is_found_there() -> None:
    """A table that fences without leaving explains the fence; that a broker which is down is in an ISR is found."""
    tolerant = toy.TOY.but(
        "LOST", why="a fence alone", effects=(toy.FENCE(toy.b, epoch=toy.epoch[toy.b]),), name="tolerant"
    )
    result = Monitor(tolerant).judge(toy.log(*three_brokers(), [fences(1, 1)]))
    assert [(v.rule, v.offset) for v in result.violations] == [("T-active", 9)]
    assert "x=1" in result.violations[0].entity


def test_a_declared_violation_is_a_finding_and_the_log_conforms() -> None:
    """A property that is expected to be violated is reported as a finding and leaves the verdict."""
    claim = always(
        "T-two", forall(p, isr[p].isnt(toy.replicas[p])), "None is in full sync.", expected="violated", finding="T2"
    )
    result = Monitor(toy.TOY.claiming(claim)).judge(toy.log(*three_brokers()))
    assert result.verdict is Verdict.CONFORMS
    assert [(f.finding, f.by, f.offset) for f in result.findings] == [("T2", "T-two", 8)]


def test_a_property_that_the_log_did_not_put_to_the_test_is_vacuous() -> None:
    """Steps of a leader and of a row that no record shows are named as vacuous; those that were asked are not."""
    result = judged([topic(), partition(0, [1], leader_=-1)])
    assert set(result.vacuous) >= {"T-epoch", "T-rises"}
    assert "T-rises" not in judged(*three_brokers()).vacuous


def test_a_property_over_hidden_state_is_counted_as_unknown() -> None:
    """What only soft state decides is never judged: neither violated nor held, but counted."""
    claim = always("T-beats", forall(x, up[x].implies(toy.beating[x])), "Who is up beats.", scope=AT_RESULT_BOUNDARIES)
    result = Monitor(toy.TOY.claiming(claim)).judge(toy.log(*three_brokers()))
    assert result.verdict is Verdict.CONFORMS
    assert result.properties["T-beats"].unknown == 3


def test_witnesses_are_not_asked_of_logs() -> None:
    """A `sometimes` is a matter of exploration: it leaves no trace in a log's evidence."""
    result = Monitor(toy.TOY.claiming(sometimes("T-some", exists(x, up[x])))).judge(toy.log(*three_brokers()))
    assert "T-some" not in result.properties


def _stripped(log: MetadataLog) -> MetadataLog:
    return replace(log, batches=[*log.batches[:40], *log.batches[44:]], snapshots=[])


@pytest.mark.representative("elr-directory-fault-4.4.0-whole", "elr-directory-fault-4.4.0-with-a-gap")
@pytest.mark.parametrize("change", [lambda log: log, _stripped], ids=["whole", "with-a-gap"])
@pytest.mark.parametrize("name", ["rolling-restart", "elr-directory-fault-4.4.0"])
def test_instances_that_an_index_leaves_out_are_counted_as_those_that_are_tried(
    name: str, change: Callable[[MetadataLog], MetadataLog], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counts, violations and findings are those of all values being tried, of one variable and of two, and where cells
    are not known."""
    log, tried, left_out = change(read_log(RECORDED / name)), Properties._tried, set[bool]()

    def noted(self: Properties, plan: Plan, frame: Frame, env: Any, at: int, *rest: Any) -> Collection[Any]:
        kept, var = tried(self, plan, frame, env, at, *rest), plan.vars[at]
        if len(kept) < len(values(frame, var.kind) or ()):
            left_out.add(plan.premises.under_second[0] is not None and at == 0)
        return kept

    monkeypatch.setattr(Properties, "_tried", noted)
    found = repr(Monitor(KRAFT, Options(by_class=False)).judge(log))
    assert left_out == {True, False} or (left_out and change is _stripped)
    monkeypatch.setattr(
        Properties, "_tried", lambda self, plan, frame, env, at, *rest: values(frame, plan.vars[at].kind) or ()
    )
    assert repr(Monitor(KRAFT, Options(by_class=False)).judge(log)) == found
