"""A log whose uncommitted tail a failover may lose (S2:20): what the metadata said at each offset, and how it comes back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fencepost.model.language.kinds import IntKind
from fencepost.model.language.state import NOTHING_SAID, Map, Map2
from fencepost.model.language.vocabulary import *
from fencepost.model.language.walk import stages


@dataclass(frozen=True)
class Since:
    """For induction: what was written at some offset is as it was ever since, `now` and at each `earlier` offset."""

    now: Term[bool]
    earlier: Term[bool]

    def claims(self, now: str, earlier: str, why: str) -> tuple[Always, Always]:
        """Return the two as lemmas of these ids, with the reason for the first."""
        return (
            lemma(now, self.now, why),
            lemma(earlier, self.earlier, "The same of what the metadata said at each earlier offset."),
        )


@dataclass(frozen=True)
class Tail:
    """The variables of the metadata, each with what it was when an offset was the newest.

    `kept` are pairs of a variable and its history; `offset` is the kind of offsets, `next_offset` and `committed` the
    variables of the log; `known` are histories that the protocol keeps without it.
    """

    offset: Kind[int]
    next_offset: Term[int]
    committed: Term[int]
    known: tuple[Map2[Any, int, Any], ...]
    kept: tuple[tuple[Map[Any, Any], Map2[Any, int, Any], Var[Any]], ...]

    @property
    def may_lose(self) -> Term[bool]:
        """Whether the log has a record that is not committed."""
        return self.committed + 1 < self.next_offset

    def claims(self, id: str) -> tuple[Always]:
        """Return what induction needs of the log itself."""
        told = (self.committed >= 0) & (self.committed < self.next_offset)
        return (lemma(id, told, "For M8c: what is committed was written."),)

    def saves(self) -> Effects:
        """Note what the metadata said before the result that takes the next offset."""
        return tuple(
            every(x, TRUE, history[x, self.next_offset - 1].becomes(variable[x]))
            for variable, history, x in self.kept
            if history not in self.known
        )

    def restores(self) -> Effects:
        """Return to what the metadata said when the last committed offset was the newest: nothing later is in the log."""
        return (
            self.next_offset.becomes(self.committed + 1),
            *(every(x, TRUE, variable[x].becomes(history[x, self.committed])) for variable, history, x in self.kept),
        )

    def loses(self) -> Term[bool]:
        """Return that a step leaves the log and the metadata as they were when the last committed offset was the newest."""
        return next_(self.next_offset).is_(self.committed + 1) & all_of(
            *(forall(x, next_(variable[x]).is_(history[x, self.committed])) for variable, history, x in self.kept)
        )

    def same_since(self, at: Map[Any, Any], *others: Map[Any, Any], if_: Map[Any, bool] | None = None) -> Since:
        """Return for induction that what was written at `at` is as it was ever since, now and at each earlier offset.

        With `if_` that is said only where this is true.
        """
        o, s = self.offset.var("o"), self.offset.var("s")
        histories = {one.state: (one, past, x) for one, past, x in self.kept}
        told, told_past, x = histories[at.state]
        there, there_past = (TRUE, TRUE) if if_ is None else (if_[x], histories[if_.state][1][x, s])
        group = [histories[one.state] for one in (at, *others)]
        past = (o >= 0) & (o < self.next_offset - 1)
        now = all_of(*(history[x, o].is_(variable[x]) for variable, history, _ in group))
        then = all_of(*(history[x, o].is_(history[x, s]) for _, history, _ in group))
        return Since(
            forall(x, forall(o, (past & there & (told[x] <= o)).implies(now))),
            forall(
                x,
                forall(
                    o,
                    forall(
                        s,
                        (past & (o <= s) & (s < self.next_offset - 1) & there_past & (told_past[x, s] <= o)).implies(
                            then
                        ),
                    ),
                ),
            ),
        )

    def kept_by(self, protocol: Protocol, why: str) -> Protocol:
        """Return the protocol in which every row that writes to the log notes what the metadata said before."""
        for row in protocol.rows:
            if any(update.target == self.next_offset for stage in stages(row.effects) for update in stage.updates):
                protocol = protocol.but(row.id, effects=(row.effects, self.saves()), why=why, name=protocol.name)
        return protocol


def _first(variable: Map[Any, Any]) -> Any:
    """Return the initial value of a history: the variable's own initial value, where that is one value."""
    if variable.state.initial is not None:
        return variable.state.initial
    return variable.state.kind.lo if isinstance(variable.state.kind, IntKind) else NOTHING_SAID


def tail(
    offset: Kind[int],
    next_offset: Term[int],
    committed: Term[int],
    *variables: tuple[Map[Any, Any], Any],
    known: Mapping[Map[Any, Any], Map2[Any, int, Any]] | None = None,
) -> Tail:
    """Return the tail of a log over variables with one key each, given with the key's bound variable.

    `known` are histories that the protocol keeps already.
    """
    return Tail(
        offset,
        next_offset,
        committed,
        tuple((known or {}).values()),
        tuple(
            (
                one,
                (known or {}).get(one)
                or per2(
                    one.state.keys[0],
                    offset,
                    f"past_{one.state.name}",
                    one.state.kind,
                    _first(one),
                    about=f"{one.state.name} when an offset was the newest",
                ),
                x,
            )
            for one, x in variables
        ),
    )
