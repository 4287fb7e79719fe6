"""The changes that replaying a record makes in a state, found once for all entities of a class."""

from __future__ import annotations

from fencepost.checkers.conformance.classes.changes import Change
from fencepost.checkers.conformance.classes.frames import MISSING
from fencepost.checkers.conformance.classes.questions import Question
from fencepost.checkers.conformance.records.wire import BoundRecord
from fencepost.checkers.conformance.state.replay import HardState

from .local import NOT_LOCAL, Local
from .tracer import meant


def changes_of(state: HardState, local: Local | None, record: BoundRecord) -> tuple[Change, ...]:
    """Return what replaying a record changes in the present state, as `HardState.changes` does.

    `local` has what was found by class in the states of this log, None where each record is replayed.
    """
    if local is None or state.classes is not local.classes:
        return state.changes(record)
    subject = local.subject(record)
    if subject is None:
        return state.changes(record)
    entity, said = subject
    key = Question(("replay", record.record.name), local.classes.of(entity), said=said)
    found = local.known(key, entity, state.frame, state.version)
    if found is NOT_LOCAL:
        return state.changes(record)
    if found is MISSING:
        with local.tracer.tracing(entity):
            made = state.replayed(local.seen(record))
        if state.leaves_over(made):
            # It changes another entity, too.
            local.keep(key, NOT_LOCAL)
            return state.changes(record)
        found = tuple([(local.named(one.cell), *local.values(one, entity)) for one in made])
        local.keep(key, found)
        if not local.tracer.local:
            return state.changes(record)
    frame = state.frame
    return tuple(
        [
            Change(
                (number, tuple([meant(one, entity, frame) for one in keys])),
                meant(old, entity, frame),
                meant(new, entity, frame),
            )
            for (number, keys), old, new in found
        ]
    )
