"""A claim that asks of the entity with the number before is asked once for all that are alike, as one by one."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from fencepost.checkers.conformance.by_class.claims_by_class import ByClass
from fencepost.checkers.conformance.by_class.renaming import NAMES_OTHERS
from fencepost.checkers.conformance.classes.changes import Cell
from fencepost.checkers.conformance.classes.classes import Classes
from fencepost.checkers.conformance.classes.questions import Question
from fencepost.checkers.conformance.classes.siblings import Sibling, Siblings, sibling_of
from fencepost.checkers.conformance.reading.monitor import Monitor
from fencepost.checkers.conformance.state.properties import Plan, Properties
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kraft.protocol import KRAFT
from fencepost.model.kraft.state import exists_, index, p, q, topic
from fencepost.model.language import Term, exists, forall
from fencepost.model.language.terms import Quant
from fencepost.traces import write_log
from tests.cases import each

from .layers import both
from .test_classes import MANY, created
from .test_renaming import PLACED

pytestmark = pytest.mark.usefixtures("by_class")
LAYOUT = Monitor(KRAFT).layout


def one_by_one(monkeypatch: pytest.MonkeyPatch, id: str) -> Counter[int]:
    """Count the cells of partitions for which a claim, by its part, is asked one by one."""
    found = Counter[int]()
    ask = Properties.ask

    def noted(
        self: Properties, plan: Plan, touched: Iterable[Cell], before: Any, binding: Mapping[Any, Any] | None = None
    ) -> Any:
        cells = list(touched)
        found[plan.part] += sum(number in plan.reads for number, _ in cells) if plan.claim.id == id else 0
        return ask(self, plan, cells, before, binding)

    monkeypatch.setattr(Properties, "ask", noted)
    return found


def write(change: dict[int, dict[str, Any]], folder: Path) -> None:
    """Write a log whose last batch creates a topic of many partitions, alike but for changes."""
    log = created(change)
    write_log(replace(log, batches=(*log.batches[:-1], replace(log.batches[-1], segment=log.segments[0].name))), folder)


def test_the_number_of_a_partition_is_asked_by_class(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Of a topic of many partitions C19 is asked one by one of a few cells only, and counted as record by record."""
    write({}, tmp_path)
    asked = one_by_one(monkeypatch, "C19")
    mine, plain, decided = both(tmp_path)
    assert repr(mine) == repr(plain)
    assert mine.verdict is Verdict.CONFORMS
    assert any(decided)
    of_plain = 3 * MANY
    # The second reading, which is plain, asks of each of three cells of every partition.
    assert of_plain <= asked[1] < of_plain + MANY // 4
    assert mine.properties["C19"].with_premise >= MANY


def test_siblings_are_told_apart_by_what_is_asked_of_them(tmp_path: Path) -> None:
    """Of partitions on three brokers in any order C19 is evaluated a few times, and counted as record by record."""
    first = next(one.data for one in created({}).batches[-1].metadata_records if one.type == "PARTITION_RECORD")
    of = dict(zip(first["replicas"], first["directories"], strict=True))
    write(
        {
            number: {"replicas": order, "isr": order, "leader": order[0], "directories": [of[one] for one in order]}
            for number, order in PLACED.items()
        },
        tmp_path,
    )
    instance, evaluated = ByClass.instance, list[Any]()

    def noted(self: ByClass, key: Question, *what: Any) -> Any:
        if key.what[0] == NAMES_OTHERS:
            evaluated.append(key)
        return instance(self, key, *what)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ByClass, "instance", noted)
        mine, plain, decided = both(tmp_path)
    assert repr(mine) == repr(plain)
    assert any(decided)
    assert 0 < len(evaluated) < len({*map(tuple, PLACED.values())})


@pytest.mark.parametrize("left_out", [0, 1, 17, MANY - 2])
def test_a_number_that_is_left_out_is_found_by_class(left_out: int, tmp_path: Path) -> None:
    """Where a partition between others, or the first, has a number far behind, C19 falls as record by record."""
    write({left_out: {"partitionId": MANY + 7}}, tmp_path)
    mine, plain, _ = both(tmp_path)
    assert repr(mine) == repr(plain)
    assert "C19" in {one.rule for one in mine.violations}


def equation(of: Term[Any]) -> Sibling | None:
    """The related entity of a quantifier."""
    assert isinstance(of, Quant)
    return sibling_of(LAYOUT.compiler, of)


def test_a_sibling_is_told_by_equations_of_all_parts_of_an_id() -> None:
    """Equations with the same cells of another entity say who it is, whatever their sides and sums."""
    number = {one.name: at for one, at in LAYOUT.numbers.items()}
    found = equation(exists(q, topic[q].is_(topic[p]) & exists_[q] & index[p].is_(index[q] + 1)))
    assert found is not None
    assert found.outer is p
    assert dict(found.more) == {number["topic"]: 0, number["index"]: -1}
    assert found.reads == {number["exists"]}
    more = equation(exists(q, topic[p].is_(topic[q]) & (index[q] - 2).is_(index[p])))
    assert more is not None
    assert dict(more.more) == {number["topic"]: 0, number["index"]: 2}


def test_what_asks_something_else_has_no_sibling() -> None:
    """Over all, with two numbers, with a condition on who asks, and without an equation: there is no related entity."""
    same, before = topic[q].is_(topic[p]), index[p].is_(index[q] + 1)
    assert equation(forall(q, same & before)) is None
    assert equation(exists(q, same & before & exists_[p])) is None
    assert equation(exists(q, same & before & index[p].is_(index[q] + 2))) is None
    assert equation(exists(q, exists_[q])) is None


def by_number(classes: Classes, slots: dict[int, int], more: int) -> list[int]:
    """The numbers of the related entities of all entities."""
    siblings = Siblings(classes, slots, frozenset())
    sibling = Sibling(p, ((0, 0), (1, more)), frozenset())
    by = siblings.by(sibling)
    assert by == more
    return [int(one) for one in siblings.numbers(sibling, more)]


@pytest.mark.parametrize("more", [-1, 1, 3])
def test_siblings_are_found_by_what_ids_say(more: int) -> None:
    """Of entities met in any order the related one is that of the same name whose number is more by so much, if any."""
    lot = Random(more)
    ids = [(topic, number) for topic in ("t", "u", "v") for number in range(12) if lot.random() < 0.7]
    lot.shuffle(ids)
    classes = Classes("Partition", (False, False), (0, 1), frozenset(), (0,))
    for first, count in ((0, 5), (5, len(ids))):
        classes.meet_all(ids[first:count])
        seen = ids[:count]
        wanted = [seen.index((t, n + more)) if (t, n + more) in seen else -1 for t, n in seen]
        assert by_number(classes, {0: 0, 1: 1}, more) == wanted


def test_an_id_that_is_not_said_in_full_has_no_sibling() -> None:
    """A sum of another part than the number, and a cell that a record counts, give no related entity."""
    classes = Classes("Partition", (False, False, False), (0, 1, None), frozenset({2}), (0,))
    classes.meet(("t", 0))
    slots = {0: 0, 1: 1, 2: 2}
    siblings = Siblings(classes, slots, frozenset({2}))
    assert siblings.by(Sibling(p, ((1, -1),), frozenset())) is None
    assert siblings.by(Sibling(p, ((0, 1), (1, -1)), frozenset())) is None
    assert siblings.by(Sibling(p, ((0, 0), (1, -1)), frozenset({2}))) is None
    assert siblings.by(Sibling(p, ((0, 0), (1, -1)), frozenset())) == -1


@each("seed", range(5))
def test_entities_met_at_once_are_numbered_as_one_by_one(seed: int) -> None:
    """Meeting many entities gives them the numbers, classes and parents that meeting each in turn does."""
    lot = Random(seed)
    ids = [(lot.choice("tuv"), lot.randrange(100)) for _ in range(150)]
    made = [Classes("Partition", (False, False), (0, 1), frozenset(), (0,)) for _ in range(2)]
    for start in range(0, len(ids), 40):
        made[0].meet_all(ids[start : start + 40])
        for one in ids[start : start + 40]:
            made[1].meet(one)
    first, second = made
    assert first.entities == second.entities
    assert first.index == second.index
    assert first.sizes == second.sizes
    count = len(first.entities)
    assert np.array_equal(first.parent_of[:count], second.parent_of[:count])
    assert np.array_equal(first.of_number[:count], second.of_number[:count])
