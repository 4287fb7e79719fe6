"""Stages of a row that depend on the same cells, which no log shows: one shows which records another has written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from fencepost.checkers.conformance.classes.frames import Env, Frame, values
from fencepost.model.language import Var
from fencepost.model.language.kinds import EntityKind, OptionKind

from .plans import WritePlan

UNSEEN: Final = object()
"""Represents an entity that the log has not shown."""


def can_be_first(write: WritePlan, absent: Sequence[WritePlan], frame: Frame, env: Env) -> bool:
    """Whether cells that no log shows can be such that a row writes a record, and none of some others about the same in
    front of it.

    Values of the write's hidden cells are tried one after the other, and an entity that the log has not shown yet;
    one whose values cannot be listed stays unknown.
    """
    free = [var for var in write.hidden if var not in env and values(frame, var.kind) is not None]
    # Those of few values come first: where one of them decides, no other is tried.
    free.sort(key=lambda var: (_may_be_unseen(var), var.name))
    return _for_some(write, absent, free, frame, env)


def _for_some(write: WritePlan, absent: Sequence[WritePlan], free: Sequence[Var[Any]], frame: Frame, env: Env) -> bool:
    if write.when(frame, env) is False or any(one.when(frame, env) is True for one in absent):
        return False
    if not free:
        return True
    var, rest = free[0], free[1:]
    try:
        for value in (*(values(frame, var.kind) or ()), *((UNSEEN,) if _may_be_unseen(var) else ())):
            env[var] = value
            if _for_some(write, absent, rest, frame, env):
                return True
    finally:
        env.pop(var, None)
    return False


def _may_be_unseen(var: Var[Any]) -> bool:
    return isinstance(var.kind, (EntityKind, OptionKind))


def content_of(write: WritePlan, absent: Sequence[WritePlan]) -> Any:
    """Return what it depends on, beside the state and `WritePlan.reads`, whether a record is a write's."""
    return (write.content, *[one.content for one in absent]) if absent else write.content
