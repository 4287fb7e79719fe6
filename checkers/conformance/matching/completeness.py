"""The records that a stage of a row is certain to write: where none of them is there, the row is no explanation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from fencepost.arrays import np
from fencepost.checkers.conformance.by_class.asking import asking_bound
from fencepost.checkers.conformance.by_class.local import NOT_LOCAL, Local
from fencepost.checkers.conformance.by_class.run_units import RunUnit
from fencepost.checkers.conformance.by_class.taken import Sure, Taken, numbers_of
from fencepost.checkers.conformance.classes.frames import MISSING, UNKNOWN
from fencepost.checkers.conformance.classes.questions import Bound, Question
from fencepost.checkers.conformance.plans.hidden_cells import can_be_first
from fencepost.checkers.conformance.plans.plans import WritePlan

if TYPE_CHECKING:
    import numpy.typing as npt

    from fencepost.checkers.conformance.matching.placing import Placing

OF_RECORD = 10_000
"""To go through so many entities costs as much as to hold one record against a row."""


def definite(placing: Placing, write: WritePlan) -> tuple[tuple[Any, ...], ...]:
    """Return the bindings under which a stage is sure to write this record."""
    if write.certain:
        return ((),)
    if not write.may_be_sure:
        return ()
    env, frame = placing.env, placing.frame
    key = ("definite", write.when_term, write.binders, *[env.get(v, UNKNOWN) for v in write.outer])
    found: tuple[tuple[Any, ...], ...] | None = frame.memo.get(key)
    if found is None:
        found = tuple(
            tuple(env[v] for v in write.binders)
            for _ in placing.matcher.state.bindings(write.binders, env, write.selects)
            if _is_sure(placing, write)
        )
        frame.memo[key] = found
    return found


def first_demanded(
    placing: Placing, write: WritePlan, taken: Sequence[Sequence[Taken]], found: Taken
) -> tuple[Any, ...] | None:
    """Return the first binding under which a write's record is missing though another one that was found demands it.

    `taken` are the bindings found, by stage and write; `found` those of this write.
    """
    for demand in write.demanded:
        for key in taken[demand.stage][demand.number]:
            if key not in found:
                placing.matcher.does(1)
                placing.env.update(zip(write.binders, key, strict=True))
                is_free = can_be_first(demand.write, (demand.further,), placing.frame, placing.env)
                placing.unbind(write)
                if not is_free:
                    return key
    return None


def sure_in_bulk(placing: Placing, write: WritePlan) -> tuple[Local, npt.NDArray[np.bool_]] | None:
    """Return by numbers for which entities a stage is certain to write this, None where this is to be evaluated."""
    unit, local = placing.records, placing.matcher.by_class()
    if not isinstance(unit, RunUnit) or local is None or local.tracing or not write.may_be_sure or write.certain:
        return None
    if len(write.binders) != 1 or str(write.binders[0].kind) != local.shape.sort:
        return None
    # All are gone through for those that have changed.
    placing.matcher.does(1 + len(local.classes.entities) // OF_RECORD)
    outer = {var: placing.env[var] for var in write.outer if var in placing.env}
    what = ("sure", local.number(write.content))
    name = (*what, tuple(outer.items()), placing.matcher.state.version)
    kept: Sure | None = unit.kept.get(name)
    if kept is None:
        select = write.selects[0]
        found = None if select is None else select(placing.matcher.state.frame, placing.env)
        kept, who = Sure(local.classes), numbers_of(local.classes, found)
    else:
        who = kept.changed()

    def evaluate(_: Question, at: int) -> None:
        placing.env[write.binders[0]] = local.classes.entities[who[at]]
        _is_sure(placing, write)
        placing.unbind(write)

    def question(at: int) -> Question | None:
        bound = local.bound(outer, local.classes.entities[who[at]])
        return None if bound is None else Question(what, numbers.item(at), bound=local.number(Bound(bound)))

    kept.forget(who)
    numbers = local.classes.of_number[who]
    asking = asking_bound(local, what, outer, numbers, who, placing.matcher.state)
    if not asking.all(question, evaluate):
        unit.kept.pop(name, None)
        return None
    kept.note(who, np.array(asking.results, np.bool_)[asking.which] if len(who) else False)
    unit.kept[name] = kept
    return local, kept.mask()


def _is_sure(placing: Placing, write: WritePlan) -> bool:
    """Whether a stage is sure to write a record under the present binding, asked once for a class."""
    local, env = placing.matcher.by_class(), placing.env
    if local is None or local.tracing or len(write.binders) != 1 or str(write.binders[0].kind) != local.shape.sort:
        # One part that is unknown is enough to know that it is not sure.
        return all(part(placing.frame, env) is True for part in write.parts)
    entity = env[write.binders[0]]
    outer = {var: env[var] for var in write.outer if var in env}
    bound = None if entity is UNKNOWN else local.bound(outer, entity)
    if bound is None:
        return all(part(placing.frame, env) is True for part in write.parts)
    what = ("sure", local.number(write.content))
    key = Question(what, local.classes.of(entity), bound=local.number(Bound(bound)))
    found = local.known(key, entity, placing.frame, placing.matcher.state.version)
    if found is NOT_LOCAL:
        return all(part(placing.frame, env) is True for part in write.parts)
    if found is MISSING:
        with local.tracer.tracing(entity):
            found = all(part(placing.matcher.state.frame, env) is True for part in write.parts)
        local.keep(key, found)
    return bool(found)
