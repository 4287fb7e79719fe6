"""Hygiene: what is wrong with tables whatever they claim: gaps, overlaps, and rows that never apply."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import z3

from fencepost.checkers.counterexample import cells_text, holds
from fencepost.checkers.document import Document
from fencepost.checkers.failures import Noting, cell_text
from fencepost.checkers.unexplained import no_row_of
from fencepost.checkers.verdicts import ReplayFailed, Verdict
from fencepost.model.language import FALSE, TRUE, Event, Protocol, Record, Row, Table, Valuation, Var, World, satisfying
from fencepost.model.language.interpreter import CellKey
from fencepost.model.language.render import text, value_text
from fencepost.model.language.walk import conjuncts, free, nary, negation

from .attempts import SLICE
from .finite import Finite
from .logic import neg
from .models import Found, Reader, minimised, native, read_cells, state_of, world_of
from .processes import shared, workers
from .prover import FINITE_LIMIT, Prover, hypotheses
from .questions import Folder, Kept, Kind, question
from .scope import Inexpressible, Scope
from .session import Formula, Session, parameters
from .solvers import direct, solved, solver_of

What = Literal["gap", "overlap", "dead", "shadowed", "unwritten"]

SIZES = (1, 2, 3)
"""How many entities of each sort the finite scopes have that are asked one after the other."""


@dataclass(frozen=True)
class HygieneFinding(Document):
    """Something wrong with a table, or a question about it that is open.

    A **gap**: an input that no row of an event takes, in a table that claims to be total. An **overlap**: two rows of
    a disjoint table that both apply. A **dead** row applies in no state; a **shadowed** one would, but an earlier row
    always applies first: an example shows which, and it is in `rows` too. **Unwritten** is a field of a record that
    none of `rows`, which write the record, gives. `verdict` is violated where an example shows
    a gap or an overlap, closed for a row that is dead or shadowed at every size asked and for a field that is
    unwritten, inconclusive where the solver gave up. Examples are as small as possible, and the interpreter has
    confirmed them; `state` has the cells that they read. `false` has, of a gap, the conjuncts that are false there,
    each with the rows of which it is the first.
    """

    DOCUMENT = "what table rows event verdict message state=state_text binding=binding_text false:object places:object"

    what: What
    table: str
    rows: tuple[str, ...]
    event: str
    verdict: Verdict
    message: str
    world: World | None = None
    state: Valuation | None = None
    binding: dict[str, Any] | None = None
    places: tuple[tuple[str, str], ...] = ()
    false: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @property
    def subject(self) -> str:
        """What is wrong where: the headline of a page that has nothing worse to tell."""
        if self.what == "gap":
            return f"gap in table {self.table}: no row takes every {self.event}"
        if self.what == "unwritten":
            return self.message.split(";")[0]
        rows = " and ".join(self.rows)
        return f"{self.what} in table {self.table}: {rows}"

    @property
    def state_text(self) -> dict[str, str] | None:
        """The state of the example as text, by its cells."""
        return None if self.state is None else {cell_text(one): value_text(value) for one, value in self.state.items()}

    @property
    def binding_text(self) -> dict[str, str] | None:
        """The parameters of the example as text, by name."""
        return None if self.binding is None else {name: value_text(value) for name, value in self.binding.items()}

    def lines(self) -> list[str]:
        """Return the finding as text: what it is, the example, and where its table, its event and its rows stand."""
        lines = [f"{self.what} in table {self.table}: {self.verdict.value}: {self.message}"]
        if self.state is not None and self.binding is not None:
            given = ", ".join(f"{name}={value_text(value)}" for name, value in self.binding.items())
            lines.append(f"  example: {self.event}({given})")
            lines.append(
                "  in the state: " + (cells_text(self.state, self.state) or "every variable at its initial value")
            )
        lines += [f"  false: {conjunct} (of {', '.join(rows)})" for conjunct, rows in self.false]
        lines += [f"  {what}: {place}" for what, place in self.places]
        return lines


@dataclass(frozen=True)
class Hygiene(Document):
    """What was asked of the tables and what came of it; `proved` counts what is settled for any number of entities.

    `kept` are the questions that were found unsatisfiable for it, where they are kept.
    """

    DOCUMENT = "asked proved findings"

    asked: int
    proved: int
    findings: tuple[HygieneFinding, ...]
    kept: tuple[Kept, ...] = ()


@dataclass(frozen=True)
class _Reply:
    answer: Literal["never", "here", "unknown", "few"]
    found: Found | None = None
    kept: Kept | None = None


Question = tuple[What, str, tuple[str, ...], str]


def questions(protocol: Protocol) -> Iterator[Question]:
    """Yield what is to be asked of the tables."""
    for table in protocol.tables:
        for event in dict.fromkeys(row.event for row in table.rows):
            mine = [row for row in table.rows if row.event is event]
            if table.claims_totality_of(event):
                yield "gap", table.name, tuple(row.id for row in mine), event.name
            if table.mode == "disjoint":
                for index, row in enumerate(mine):
                    for other in mine[index + 1 :]:
                        yield "overlap", table.name, (row.id, other.id), event.name
            for row in mine:
                yield "dead", table.name, (row.id,), event.name


def hygiene(
    protocol: Protocol,
    *,
    applying: Collection[str] = (),
    timeout: float = 240.0,
    only: Callable[[Question], bool] | None = None,
    folder: Folder | None = None,
) -> Hygiene:
    """Look for gaps, overlaps, and rows that are dead or shadowed, in every state that satisfies the invariants.

    Examples come from a few entities and are run by the interpreter; that there is no gap or overlap is proved for
    any number where the solver can. That a row is alive is asked of few entities only, and not of the rows in
    `applying`, of which a proof has found it already. `only` chooses among the questions, `folder` is where
    those that are settled for any number of entities are written. Raises
    `ReplayFailed` where the interpreter disagrees with an example.
    """
    asked = [one for one in questions(protocol) if only is None or only(one)]
    known = [one for one in asked if one[0] == "dead" and one[2][0] in applying]
    left = [one for one in asked if one not in known]
    size = max(1, len(left) // 12)
    batches = [left[i : i + size] for i in range(0, len(left), size)]

    def make() -> Callable[[Any], Any]:
        asker = _Asker(protocol, folder)
        return asker.ask

    proved, found, kept = 0, [], []
    for which, reply, why in shared(make, batches, timeout, workers()):
        one = _finding(protocol, which, reply or _Reply("unknown"), why)
        proved += reply is not None and reply.answer == "never"
        kept += [reply.kept] if reply is not None and reply.kept is not None else []
        if one is not None:
            found.append((asked.index(which), one))
    unwritten = () if only is not None else unwritten_fields(protocol)
    findings = (*(one for _, one in sorted(found, key=lambda pair: pair[0])), *unwritten)
    return Hygiene(len(asked), proved, findings, tuple(kept))


def unwritten_fields(protocol: Protocol) -> Iterator[HygieneFinding]:
    """Yield the fields that no row gives of the records that rows write, but those that say why."""
    given: dict[Record, set[str]] = {}
    rows: dict[Record, dict[str, Row]] = {}
    for row in protocol.rows:
        for written in (one for stage in row.stages for one in stage.written):
            rows.setdefault(written.record, {})[row.id] = row
            given.setdefault(written.record, set()).update(one.field for one in written.fields if one.said is not FALSE)
    for record, mine in rows.items():
        for field in record.fields:
            if field.name in given[record] or field.unwritten:
                continue
            first = next(iter(mine.values()))
            message = f"no row gives the field {field.name} of {record.name}; leave it out, or say why (unwritten=)"
            yield HygieneFinding(
                "unwritten", protocol.table_of(first).name, tuple(mine), first.event.name, Verdict.CLOSED, message,
                places=((f"record {record.name}", str(record.place)),),
            )  # fmt: skip


def _finding(protocol: Protocol, question: Question, reply: _Reply, why: str) -> HygieneFinding | None:
    found = _told(protocol, question, reply, why)
    return None if found is None else replace(found, places=_places(protocol, found))


def _places(protocol: Protocol, found: HygieneFinding) -> tuple[tuple[str, str], ...]:
    """Where a finding's table, event and rows stand; of a gap the table and the event."""
    table = next(one for one in protocol.tables if one.name == found.table)
    event = protocol.row(found.rows[0]).event
    places = [(f"table {table.name}", str(table.place)), (f"event {event.name}", str(event.place))]
    named = () if found.what == "gap" else found.rows
    return (*places, *((f"row {id}", str(protocol.row(id).place)) for id in named))


def _told(protocol: Protocol, question: Question, reply: _Reply, why: str) -> HygieneFinding | None:
    what, table, rows, event = question
    if what == "dead":
        if reply.answer == "here":
            return None
        if reply.answer == "unknown":
            message = why or "the solver does not know whether the row ever applies"
            return HygieneFinding("dead", table, rows, event, Verdict.INCONCLUSIVE, message)
        if reply.answer == "never":
            message = f"{rows[0]}: no state enables it (up to 3 of each sort)"
            return HygieneFinding("dead", table, rows, event, Verdict.CLOSED, message)
        message = f"{rows[0]}: an earlier row always applies first (up to 3 of each sort)"
        if reply.found is None:
            return HygieneFinding("shadowed", table, rows, event, Verdict.CLOSED, message)
        state, world, binding = _judged(protocol, question, reply.found)
        named = {var.name: value for var, value in binding.items()}
        earlier = _earlier(protocol, rows[0], state, world, binding)
        both = (*rows, earlier)
        return HygieneFinding("shadowed", table, both, event, Verdict.CLOSED, message, world, state, named)
    if reply.answer == "never" or reply.answer == "few":
        return None
    if reply.found is None:
        return HygieneFinding(what, table, rows, event, Verdict.INCONCLUSIVE, why or "the solver does not know")
    state, world, binding = _judged(protocol, question, reply.found)
    said = f"{no_row_of(event)}, and the table claims to be total"
    message = said if what == "gap" else f"{rows[0]} and {rows[1]} both apply, and the table is disjoint"
    named = {var.name: value for var, value in binding.items()}
    shown = _read_by(protocol, rows, state, world, binding)
    false = tuple(_first_false(protocol, rows, state, world, binding)) if what == "gap" else ()
    return HygieneFinding(what, table, rows, event, Verdict.VIOLATED, message, world, shown, named, false=false)


def _read_by(
    protocol: Protocol, rows: Sequence[str], state: Valuation, world: World, binding: dict[Var[Any], Any]
) -> Valuation:
    """Return what a state has of the cells that some rows read on the way to whether they apply."""
    seen: set[CellKey] = set()
    noting = Noting(state, seen)
    for id in rows:
        _applies(protocol.row(id), noting, world, binding)
    return Valuation({cell: value for cell, value in state.items() if cell in seen})


def _first_false(
    protocol: Protocol, rows: Sequence[str], state: Valuation, world: World, binding: dict[Var[Any], Any]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the conjuncts of guards that are false in a state, each with the rows of which it is the first that is."""
    found: dict[str, list[str]] = {}
    for id in rows:
        row = protocol.row(id)
        known = [one for one in conjuncts(row.when) if free(one) <= set(binding)]
        false = next((one for one in known if not holds(one, state, world, binding=binding)), row.when)
        found.setdefault(text(false), []).append(id)
    yield from ((conjunct, tuple(ids)) for conjunct, ids in found.items())


def _judged(protocol: Protocol, question: Question, found: Found) -> tuple[Valuation, World, dict[Var[Any], Any]]:
    what, _, rows, _ = question
    state, world = state_of(protocol, found), world_of(protocol, found)
    event = protocol.row(rows[0]).event
    binding = {v: native(x, v.kind) for v, x in zip(event.params, found.binding, strict=False)}
    if not holds(event.given, state, world, binding=binding):
        raise ReplayFailed(f"{protocol.name}: {what} of {rows}: the event's assumption is false in the example")
    if what == "dead":
        _earlier(protocol, rows[0], state, world, binding)
    applying = [id for id in rows if _applies(protocol.row(id), state, world, binding)]
    if len(applying) != (0 if what == "gap" else len(rows)):
        raise ReplayFailed(f"{protocol.name}: {what} of {rows}: the interpreter finds {applying} to apply")
    return state, world, binding


def _earlier(protocol: Protocol, id: str, state: Valuation, world: World, binding: dict[Var[Any], Any]) -> str:
    """Return the first row of the same event that applies before a row that does too, by the interpreter."""
    row = protocol.row(id)
    same = [one for one in protocol.table_of(row).rows if one.event is row.event]
    first = next((one.id for one in same[: same.index(row)] if _applies(one, state, world, binding)), None)
    if first is None:
        raise ReplayFailed(f"{protocol.name}: {id} is shadowed, and the interpreter finds no earlier row to apply")
    return first


def _applies(row: Row, state: Valuation, world: World, binding: dict[Var[Any], Any]) -> bool:
    chosen = tuple(v for v in row.params if v not in binding)
    return any(
        holds(row.when, state, world, binding={**binding, **more}) for more in satisfying(TRUE, chosen, state, world)
    )


class _Asker:
    """The questions, asked in one process."""

    def __init__(self, protocol: Protocol, folder: Folder | None = None) -> None:
        self.protocol, self.folder = protocol, folder
        self.prover = Prover(protocol, hypotheses(protocol))

    def ask(self, question: Question) -> _Reply:
        what, table, rows, _ = question
        chosen = [self.protocol.row(id) for id in rows]
        if what == "dead":
            return self._alive(next(t for t in self.protocol.tables if t.name == table), chosen[0])
        return self._never(what, chosen)

    def _alive(self, table: Table, row: Row) -> _Reply:
        inputs = (a.term for a in self.protocol.inputs if a.event == row.event.name)
        if self.prover.enabled(row):
            return _Reply("here")
        alone = nary("and", (row.event.given, *inputs, row.when))
        if table.mode != "first match" or not self.prover.possible(row.params, alone):
            return _Reply("never")
        return _Reply("few", self._example("dead", row.event, [row])[1])

    def _never(self, what: What, rows: Sequence[Row]) -> _Reply:
        event = rows[0].event
        try:
            session = self.prover.session(0)
            facts, _ = self._facts(session, what, event, rows)
            known = session.everything()
            # Most guards exclude each other in any state, whether or not it satisfies what is assumed.
            for before, limit, seed in (([], SLICE // 4, 0), (known, 4 * SLICE, 0), (known, 4 * SLICE, 1)):
                asked = [*before, *facts]
                if _check(session, asked, limit, seed)[0] == z3.unsat:
                    return _Reply("never", kept=self._kept(what, event, rows, session, asked))
        except Inexpressible:
            pass
        decided, found = self._example(what, event, rows)
        return _Reply("here", found) if found is not None else _Reply("few" if decided else "unknown")

    def _kept(
        self, what: What, event: Event, rows: Sequence[Row], session: Session, facts: Sequence[Formula]
    ) -> Kept | None:
        """Return the question that was found unsatisfiable, written where questions are kept."""
        if self.folder is None:
            return None
        kind: Kind = "gap" if what == "gap" else "overlap"
        about = event.name if what == "gap" else " × ".join(row.id for row in rows)
        table = self.protocol.table_of(rows[0]).name
        return self.folder.keep(question(kind, f"{table} {about}", 1, session, facts))

    def _example(self, what: What, event: Event, rows: Sequence[Row]) -> tuple[bool, Found | None]:
        """Return whether the solver decided for few entities, and the smallest example there is."""
        decided = True
        for size in SIZES:
            session = self.prover.session(size)
            facts, environment = self._facts(session, what, event, rows)
            result, solver = _check(session, [*session.everything(), *facts], FINITE_LIMIT)
            decided = decided and result == z3.unsat
            if result == z3.sat:
                scope = session.scope
                assert isinstance(scope, Finite)
                model = minimised(session, solver, session.base)
                reader = Reader(scope, model)
                binding = tuple(reader.value(environment[v], v.kind) for v in event.params)
                cells = read_cells(session, reader, session.base)
                return True, Found(scope.sizes, scope.steps, cells, binding, None, None, None)
        return decided, None

    def _facts(self, session: Session, what: What, event: Event, rows: Sequence[Row]) -> tuple[list[Formula], Any]:
        environment, facts = parameters(session, event.params)
        inputs = (a.term for a in self.protocol.inputs if a.event == event.name)
        given = nary("and", (event.given, *inputs))
        formulas = [Formula(facts, frozenset()), session.held(given, session.base, environment)]
        for row in rows:
            extra = tuple(v for v in row.params if v not in event.params)
            if what != "gap":
                more, own = parameters(session, extra)
                here = type(environment)({**environment, **more})
                held = session.held(row.when, session.base, here)
                formulas.append(Formula((*own, *held.facts), held.needs))
            elif not extra:
                formulas.append(session.held(negation(row.when), session.base, environment))
            else:
                formulas.append(_nobody(session, row, extra, environment))
        return formulas, environment


def _nobody(session: Session, row: Row, extra: tuple[Var[Any], ...], environment: Any) -> Formula:
    """Return the fact that no choice of a row's own parameters satisfies its guard."""
    scope: Scope = session.scope

    def applies(*values: Any) -> Any:
        here = environment
        for var, value in zip(extra, values, strict=True):
            here = here.bind(var, value)
        return session.lowering.value(row.when, session.base, here)

    with session.lowering.collecting() as needs:
        fact = neg(scope.some([v.kind for v in extra], applies))
    return Formula((fact,), frozenset(needs))


def _check(session: Session, facts: Sequence[Formula], limit: int, seed: int = 0) -> tuple[Any, Any]:
    solver = solver_of(session, facts)
    direct(solver, (("rlimit", limit), ("random_seed", seed)))
    return solved(solver), solver


__all__ = ["Hygiene", "HygieneFinding", "hygiene", "questions"]
