"""An answer stands for other classes where all that was read is the same under other names, and for no others."""

from itertools import permutations
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fencepost.checkers.conformance.by_class import renaming
from fencepost.checkers.conformance.by_class.local import Local
from fencepost.checkers.conformance.by_class.renaming import Renaming
from fencepost.checkers.conformance.by_class.tracer import plain
from fencepost.checkers.conformance.classes.classed import literals
from fencepost.checkers.conformance.classes.frames import MISSING
from fencepost.checkers.conformance.classes.questions import Bound, Question
from fencepost.checkers.conformance.reading.monitor import Monitor
from fencepost.checkers.conformance.reading.options import Options
from fencepost.checkers.conformance.state.properties import Claims
from fencepost.checkers.conformance.state.replay import HardState
from fencepost.model.kraft import state as k
from fencepost.model.kraft.protocol import KRAFT
from fencepost.model.language import Always, Term
from fencepost.model.language.build import ascending, exists, forall, head, members, some
from fencepost.model.language.terms import Lit

from .test_classes import created

pytestmark = pytest.mark.usefixtures("by_class")

MONITOR = Monitor(KRAFT)
TOPIC = "A" * 22
BROKERS = (1, 2, 3, 4, 5)
CLAIMS = [
    plan
    for plan in Claims(MONITOR.layout).plans
    if isinstance(plan.claim, Always) and plan.by_entity and plan.vars == (k.p,)
]

brokers = st.sampled_from(BROKERS)
listed = st.lists(brokers, unique=True, max_size=3).map(tuple)
cells = st.fixed_dictionaries(
    {
        "exists": st.booleans(),
        "replicas": listed,
        "isr": listed,
        "leader": st.none() | brokers,
        "removing": st.frozensets(brokers, max_size=2),
        "elr": st.frozensets(brokers, max_size=2),
        "leader_epoch": st.integers(0, 2),
    }
)
others = st.fixed_dictionaries({"fenced": st.dictionaries(brokers, st.booleans())})
asked_of = st.lists(cells, min_size=2, max_size=5)


def local(partitions: list[dict[str, Any]], fenced: dict[int, bool] | None = None) -> tuple[Local, list[Any]]:
    """What is kept by class of partitions with some cells, in a state in which some brokers are fenced."""
    state = HardState(MONITOR.layout)
    state.see("Topic", TOPIC)
    for broker in BROKERS:
        state.see("Broker", broker)
    tables = {one.name: state.frame.tables[number] for number, one in enumerate(MONITOR.layout.states)}
    for broker, is_fenced in (fenced or {}).items():
        tables["fenced"][broker,] = is_fenced
    entities = [(TOPIC, number) for number in range(len(partitions))]
    for entity, said in zip(entities, partitions, strict=True):
        state.see("Partition", entity)
        tables["topic"][entity,] = TOPIC
        for name, value in said.items():
            tables[name][entity,] = value
    return Local(state), entities


def asked(mine: Local, what: str, code: Any, entity: Any, bound: tuple[Any, ...] = ()) -> Any:
    """What a term comes to for a partition, asked by its class."""
    state = mine.state
    key = Question((what,), mine.classes.of(entity), bound=mine.number(Bound(bound)))
    mine.keeps = True
    found = mine.known(key, entity, state.frame, state.version)
    if found is MISSING:
        with mine.tracer.tracing(entity):
            found = plain(code(state.frame, {k.p: entity, **dict(bound)}))
        mine.keep(key, found)
    return found


def answers(mine: Local, entities: list[Any], term: Term[Any]) -> tuple[list[Any], list[Any]]:
    """What a term comes to for partitions, asked by class and without."""
    code = MONITOR.layout.compiler.code(term)
    by_class = [asked(mine, "asked", code, one) for one in entities]
    mine.state.frame.forget()
    return by_class, [code(mine.state.frame, {k.p: one}) for one in entities]


HAS_LEADER = exists(k.b, k.b.in_(members(k.isr[k.p])) & k.leader[k.p].is_(some(k.b)) & ~k.fenced[k.b])
ONE = {"exists": True, "replicas": (1, 2, 3), "isr": (1, 2), "leader": 1}
SAME = {"exists": True, "replicas": (4, 5, 2), "isr": (4, 5), "leader": 4}
NOT_IN_SYNC = {"exists": True, "replicas": (4, 5, 2), "isr": (4, 5), "leader": 2}

PLACED = {number: list(order) for number, order in enumerate(list(permutations((1, 2, 3))) * 10)}


def without(name: str) -> Any:
    """Leaves the cells of one variable out of what is noted of an entity's own."""
    real = Renaming.hold

    def hold(self: Renaming, *what: Any) -> None:
        states, tracer = MONITOR.layout.states, self.tracer
        tracer.own_cells = {one for one in tracer.own_cells if states[one[1]].name != name}
        real(self, *what)

    return patch.object(Renaming, "hold", hold)


def test_what_is_the_same_under_other_names_is_evaluated_once() -> None:
    """Two partitions whose cells are each other's under other names of brokers are asked once."""
    mine, entities = local([ONE, SAME])
    assert answers(mine, entities, HAS_LEADER) == ([True, True], [True, True])
    assert (mine.evaluated, mine.renamed) == (1, 1)


def test_what_is_not_read_does_not_matter() -> None:
    """Partitions that differ in a cell which a term does not read are asked once."""
    mine, entities = local([ONE, ONE | {"elr": frozenset((3,))}])
    assert answers(mine, entities, HAS_LEADER) == ([True, True], [True, True])
    assert (mine.evaluated, mine.renamed) == (1, 1)


def test_what_differs_in_a_cell_that_is_read_is_evaluated() -> None:
    """A partition with another cell among those that a term reads is asked for itself."""
    mine, entities = local([ONE, NOT_IN_SYNC])
    assert answers(mine, entities, HAS_LEADER) == ([True, False], [True, False])
    assert mine.evaluated == 2


def test_a_cell_that_is_left_out_of_what_was_read_is_missed() -> None:
    """Where one of the cells that a term reads is left out by hand, it gets the answer of another partition."""
    mine, entities = local([ONE, NOT_IN_SYNC])
    with without("leader"):
        assert answers(mine, entities, HAS_LEADER) == ([True, True], [True, False])


def test_what_is_read_of_brokers_is_read_under_their_new_names() -> None:
    """The same cells under other names say something else where a broker of them is not what the other was."""
    mine, entities = local([ONE, SAME], {4: True})
    assert answers(mine, entities, HAS_LEADER) == ([True, False], [True, False])


def test_brokers_that_only_a_quantifier_meets_get_names_too() -> None:
    """Brokers beside those of the entity are matched by what was read of them: here the one that is fenced."""
    everyone = forall(k.b, k.fenced[k.b].implies(~k.b.in_(members(k.replicas[k.p]))))
    mine, entities = local([ONE, {**SAME, "replicas": (5, 2, 1)}], {4: True})
    assert answers(mine, entities, everyone) == ([True, True], [True, True])
    assert (mine.evaluated, mine.renamed) == (1, 1)


def test_a_broker_that_was_never_seen_lends_no_name() -> None:
    """An entity that was not seen is not among those that a quantifier meets, so that no other takes its name."""
    anyone = exists(k.b, k.leader[k.p].is_(some(k.b)))
    mine, entities = local([{**ONE, "leader": 9}, ONE])
    assert answers(mine, entities, anyone) == ([False, True], [False, True])


def test_what_puts_brokers_in_order_is_evaluated() -> None:
    """A term that sorts brokers by their ids is asked of each class by its own names."""
    first = head(ascending(members(k.isr[k.p]))).is_(head(k.isr[k.p]))
    mine, entities = local([{"isr": (1, 2)}, {"isr": (5, 4)}])
    assert answers(mine, entities, first) == ([True, False], [True, False])


def test_a_broker_that_a_term_names_keeps_its_name() -> None:
    """A broker that is a literal in the protocol's terms is not renamed."""
    third = Lit(3, k.BROKER)
    with patch.object(renaming, "literals", lambda _: {"Broker": frozenset((3,))}):
        mine, entities = local([{"isr": (3, 2)}, {"isr": (1, 2)}, {"isr": (3, 4)}])
    assert answers(mine, entities, third.in_(members(k.isr[k.p]))) == ([True, False, True], [True, False, True])
    assert mine.evaluated == 2
    assert literals(KRAFT)["Broker"] <= {None}


def test_a_parameter_is_read_under_its_new_name() -> None:
    """What a variable is bound to is part of the question: another broker than the one that was asked about."""
    code = MONITOR.layout.compiler.code(k.leader[k.p].is_(some(k.b)))
    mine, (one, other) = local([ONE, SAME])
    assert asked(mine, "asked", code, one, ((k.b, 1),)) is True
    assert asked(mine, "asked", code, other, ((k.b, 4),)) is True
    assert mine.evaluated == 1
    assert asked(mine, "asked", code, other, ((k.b, 5),)) is False


def test_what_is_looked_for_in_vain_is_not_looked_for_for_ever() -> None:
    """After many questions that no answer fits nothing is held of such questions any more."""
    code = MONITOR.layout.compiler.code(HAS_LEADER)
    mine, (one,) = local([ONE])
    with patch.object(renaming, "MOST_MISSES", 2):
        for number in range(4):
            asked(mine, "asked", code, one, ((k.t, str(number)),))
        assert not mine.renaming.is_worth_it(Question(("asked",), 0))
        assert mine.renaming.is_worth_it(Question(("other",), 0))


@settings(max_examples=40)
@given(asked_of, others)
def test_claims_come_out_as_if_each_had_been_asked(partitions: list[dict[str, Any]], beside: dict[str, Any]) -> None:
    """Every claim about one partition says of any of some what it says where it is asked of it by itself."""
    mine, entities = local(partitions, **beside)
    for number, plan in enumerate(CLAIMS):
        by_class = [asked(mine, str(number), plan.body, one) for one in entities]
        mine.state.frame.forget()
        assert by_class == [plan.body(mine.state.frame, {k.p: one}) for one in entities]


def test_a_log_is_judged_the_same_whether_answers_are_found_under_other_names() -> None:
    """Of a log of many partitions on three brokers answers are found again, and all that is said of it is the same."""
    log = created({number: {"replicas": order, "isr": order, "leader": order[0]} for number, order in PLACED.items()})
    found: list[int] = []
    real = Renaming.find

    def noted(self: Renaming, *what: Any) -> Any:
        one = real(self, *what)
        found.append(one is not None)
        return one

    with patch.object(Renaming, "find", noted):
        renamed = repr(Monitor(KRAFT).judge(log))
    assert sum(found) > len(found) / 2
    assert renamed == repr(Monitor(KRAFT, Options(by_class=False)).judge(log))
