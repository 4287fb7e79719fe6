"""The value that a record leaves in a cell that no log shows: all rows that write the record give the cell one value.

It is the cell's value until a record of another row that sets the cell, or until the leader changes: then the cell is
unknown again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, Final

from fencepost.checkers.conformance.classes.frames import UNKNOWN, Frame
from fencepost.checkers.conformance.evaluation.kleene import Compiler
from fencepost.model.language import Protocol, Record, Row, Term, Var
from fencepost.model.language.effects import Update, Written
from fencepost.model.language.kinds import EntityKind
from fencepost.model.language.state import State
from fencepost.model.language.terms import FALSE, TRUE, Get
from fencepost.model.language.walk import bare, conjuncts, free, nary, negation

from .cell_claims import atoms_of, consequences, instances, opened
from .plans import lift

ANY_OFFSET: Final = 0
"""The end of the log at which values are compared with what guards ask: an offset is never negative."""

Writers = dict[Record, list[tuple[Row, Written]]]
"""By record, the rows that write it, with what they write."""
Left = Mapping[Record, Term[Any] | None]
"""By record, the value that it leaves in a variable's cell of the entity that it is about; None where it may be any."""


def left_cells(protocol: Protocol, compiler: Compiler, active: str) -> dict[State[Any], Left]:
    """Return the variables of which a record shows a cell, with what records leave in them.

    They are lost with the leader, and of one entity. `active` names the variable that a change of the leader sets; a
    protocol without it has none.
    """
    found: dict[State[Any], Left] = {}
    if any(state.name == active for state in protocol.states):
        writers: Writers = defaultdict(list)
        for row in protocol.rows:
            for stage in row.stages:
                for written in stage.written:
                    writers[written.record].append((row, written))
        for state in protocol.states:
            if state.what == "soft" and len(state.keys) == 1 and isinstance(state.keys[0], EntityKind):
                left = _Variable(protocol, compiler, state, active, writers).left()
                if any(value is not None for value in left.values()):
                    found[state] = left
    return found


class _Variable:
    """A variable that no log shows, and the rows that set it, those of a failover left out."""

    def __init__(
        self, protocol: Protocol, compiler: Compiler, state: State[Any], active: str, writers: Writers
    ) -> None:
        self.protocol, self.compiler, self.state, self.writers = protocol, compiler, state, writers
        log_end = None if protocol.log_end is None else compiler.known.get(protocol.log_end.state)
        self.frame = Frame([{(): ANY_OFFSET} if at == log_end else {} for at in range(len(compiler.known))], {})
        self.setting = {
            row: [one for one in updates if one.target.state is state]
            for row in protocol.rows
            if (updates := [one for stage in row.stages for one in stage.updates])
            and not any(one.target.state.name == active for one in updates)
        }

    def left(self) -> dict[Record, Term[Any] | None]:
        """Return what records leave in the cell; nothing where a row sets it without a sign in the log."""
        given = {record: value for record in self.writers if (value := self._given_by(record)) is not None}
        kept = {record: value for record, value in given.items() if self._is_kept(value, given)}
        return {record: kept.get(record) for record in given} if kept else {}

    def _given_by(self, record: Record) -> Term[Any] | None:
        """Return the value that every row which writes a record gives the cell of what it is about.

        None where one does not set it; a variable of the row represents values that differ.
        """
        if len(record.about) != 1 or record.about[0].kind != self.state.keys[0]:
            return None
        values = [self._given(row, written) for row, written in self.writers[record]]
        if None in values:
            return None
        return values[0] if len({str(one) for one in values}) == 1 else Var("other", self.state.kind)

    def _given(self, row: Row, written: Written) -> Term[Any] | None:
        if not written.binders:
            for one in self.setting.get(row, ()):
                if _is_about(written, one) and not one.binders and one.when is TRUE:
                    return bare(one.value)
        return None

    def _is_kept(self, value: Term[Any], given: Mapping[Record, Any]) -> bool:
        """Whether no row takes a value back without a record that shows it."""
        if free(value) or self._value(value) is UNKNOWN:
            return False
        silent = [(row, one) for row, updates in self.setting.items() for one in updates if not _shows(row, one, given)]
        return all(str(bare(one.value)) == str(value) or self._is_excluded(row, one, value) for row, one in silent)

    def _is_excluded(self, row: Row, update: Update, value: Term[Any]) -> bool:
        """Whether a row cannot fire where the cell that it sets has a value, by its guard and the protocol's claims."""
        params, cells = frozenset(row.params), dict[Get[Any], Var[Any]]()

        def lifted(term: Term[Any]) -> Term[Any]:
            return lift(term, params, self.compiler, cells, frozenset(), {})

        cell = lifted(update.target)
        if update.binders or not isinstance(cell, Var):
            return False
        guard = opened(lifted(self.protocol.guard(row)))
        claims = [opened(lifted(claim)) for claim in instances(self.protocol, tuple(cells))]
        asked = {atom for term in (guard, *claims) for atom in atoms_of(term, frozenset((cell,)))}
        known = [one for atom in asked for one in self._known(atom, cell, value)]
        if any(negation(one) in conjuncts(guard) for one in known):
            return True
        return FALSE in consequences(self.protocol, nary("and", (guard, *known)), cells, lifted)

    def _known(self, atom: Term[bool], cell: Var[Any], value: Term[Any]) -> Iterator[Term[bool]]:
        """Yield a condition, or its negation, as a value of the cell decides it; nothing where it does not."""
        found = self.compiler.code(atom)(self.frame, {cell: self._value(value)}) if free(atom) == {cell} else UNKNOWN
        if found is not UNKNOWN:
            yield atom if found else negation(atom)

    def _value(self, value: Term[Any]) -> Any:
        return self.compiler.code(value)(self.frame, {})


def _shows(row: Row, update: Update, given: Mapping[Record, Any]) -> bool:
    """Whether a row that sets a cell always writes a record that shows it."""
    return any(
        written.record in given and not written.binders and written.when is TRUE and _is_about(written, update)
        for stage in row.stages
        for written in stage.written
    )


def _is_about(written: Written, update: Update) -> bool:
    """Whether a record is about the entity whose cell is set."""
    about = next(one.value for one in written.fields if one.field == written.record.about[0].name)
    return bare(update.target.keys[0]) is bare(about)
