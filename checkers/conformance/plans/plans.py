"""Rows prepared for reading a log: the records of each, their order, and how its parameters are found."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from fencepost.checkers.conformance.classes.frames import Code
from fencepost.checkers.conformance.evaluation.denial import denied
from fencepost.checkers.conformance.evaluation.indexes import Selector, selector
from fencepost.checkers.conformance.evaluation.kleene import Compiler
from fencepost.checkers.conformance.evaluation.outcomes import can_be_sure
from fencepost.model.language import Field, Protocol, Record, Row, Term, Var
from fencepost.model.language.effects import Given, Stage, Written
from fencepost.model.language.kinds import BoolKind, EntityKind, EnumKind, Kind, OptionKind
from fencepost.model.language.terms import TRUE, Eq, Get, Ite, Named, Not, Quant
from fencepost.model.language.walk import bare, bound, conjuncts, free, fresh_name, nary, nodes, rebuild, substitute

from .cell_claims import consequences


@dataclass(frozen=True, slots=True)
class FieldPlan:
    """A field of a write: whether and with what value the row says it; no `value` where the row never says it."""

    field: Field[Any]
    said: Code | None
    value: Code | None
    var: Var[Any] | None
    already: Code | None = None
    said_term: Term[bool] = TRUE
    value_term: Term[Any] | None = None


@dataclass(frozen=True, slots=True)
class CluePlan:
    """A parameter that the log does not show, and what it may equal."""

    var: Var[Any]
    candidates: tuple[Code, ...]
    terms: tuple[Term[Any], ...]


@dataclass(frozen=True, slots=True)
class WritePlan:
    """A record that a stage writes for every binding of `binders` under `when`.

    `parts` are what `when` is the conjunction of; unless it `may_be_sure` no log shows enough to know that it holds.
    `selects` are how to find each binder's values by an index. `hidden` are variables for cells no log
    shows, one value a binding; `of_binders` and `of_hidden` are the fields that show one, `of_said` those whose
    presence shows a hidden truth value, with that value. `reads` are the variables on which it depends; writes of one
    `content` are the same. `demanded` are writes of the same or an earlier stage about the same entities that rest on
    the same hidden cells: their records demand this one.
    `preceding` are, by the numbers of earlier stages, their writes about the same entities that rest on the same hidden
    cells, with the part of their condition that this write's does not have: where such cells make some of them certain,
    their records are in front.
    """

    record: Record
    binders: tuple[Var[Any], ...]
    when: Code
    when_term: Term[bool]
    parts: tuple[Code, ...]
    selects: tuple[Selector | None, ...]
    outer: tuple[Var[Any], ...]
    fields: tuple[FieldPlan, ...]
    hidden: frozenset[Var[Any]]
    of_binders: tuple[tuple[str, Var[Any]], ...]
    of_hidden: tuple[tuple[str, Var[Any]], ...]
    of_said: tuple[tuple[str, Var[Any], bool], ...]
    clues: tuple[CluePlan, ...]
    version: Code | None
    version_term: Term[int] | None
    may_be_sure: bool
    reads: frozenset[Var[Any]]
    content: tuple[Any, ...]
    preceding: tuple[tuple[int, dict[int, WritePlan]], ...] = ()
    demanded: tuple[Demand, ...] = ()

    @property
    def certain(self) -> bool:
        """Whether exactly one record is written, whatever the state."""
        return not self.binders and self.when_term is TRUE


@dataclass(frozen=True, slots=True)
class Demand:
    """A write whose record demands that of another one where `further` holds.

    `stage` and `number` are its numbers. `further` is the other write with only that part of its condition that is not
    part of this one's.
    """

    stage: int
    number: int
    write: WritePlan
    further: WritePlan


@dataclass(frozen=True, slots=True)
class StagePlan:
    """The records of a stage, which may be in any order.

    `follow` are the records that can come next after them in the row, `may_end` says that none need come.
    """

    writes: tuple[WritePlan, ...]
    records: frozenset[Record]
    follow: frozenset[Record]
    may_end: bool

    @property
    def certain(self) -> bool:
        """Whether the stage is exactly one record."""
        return len(self.writes) == 1 and self.writes[0].certain


@dataclass(frozen=True)
class Conjunct:
    """A part of a guard; where it is an equation of a parameter and a term, `equals` are the ways to read it.

    One that is `late` asks about all entities of a sort: it costs more than to look whether the records fit.
    """

    term: Term[bool]
    code: Code
    params: frozenset[Var[Any]]
    equals: tuple[tuple[Var[Any], Term[Any]], ...]
    late: bool
    compiler: Compiler

    @cached_property
    def solves(self) -> tuple[tuple[Var[Any], Code], ...]:
        """The ways to read the equation: a parameter, and the code of what it equals."""
        return tuple((var, self.compiler.code(other)) for var, other in self.equals)

    @cached_property
    def denied(self) -> Code:
        """Whether the part is sure to be false."""
        return denied(self.compiler, self.term)


@dataclass(frozen=True, slots=True, eq=False)
class RowPlan:
    """A row as it is looked for in a log.

    `params` are its parameters and, as further ones, the cells that no log shows. `split` are those of few values on
    which its records depend: they are tried one by one, where an unknown value would let anything pass. `first` are, by
    record, the writes that can be the row's first record, each with how to find the only values of some of these under
    which it is written.
    """

    row: Row
    conjuncts: tuple[Conjunct, ...]
    stages: tuple[StagePlan, ...]
    clues: tuple[CluePlan, ...]
    split: tuple[Var[Any], ...]
    cells: dict[Var[Any], Get[Any]]
    first: dict[Record, tuple[tuple[WritePlan, dict[Var[Any], Selector]], ...]]

    @property
    def late(self) -> bool:
        """Whether the guard asks about all entities of a sort."""
        return any(one.late for one in self.conjuncts)

    def opens_with(self, record: Record) -> bool:
        """Whether a record can belong to nothing but the only write of the row's first stage."""
        writes = self.stages[0].writes
        return (
            len(writes) == 1
            and writes[0].record is record
            and not any(record in later.records for later in self.stages[1:])
        )


class Writer:
    """A row that writes records; its `plan` is made when a record first comes that may be the `first` of it."""

    def __init__(self, protocol: Protocol, row: Row, compiler: Compiler) -> None:
        self.row, self._protocol, self._compiler = row, protocol, compiler
        self.first = _first([stage for stage in row.stages if stage.written])

    @cached_property
    def plan(self) -> RowPlan:
        """The row as it is looked for."""
        return _RowPlanner(self._protocol, self.row, self._compiler).plan()


class ByFirst:
    """The plans of rows by the records that can come first in them; those of a record are made at first use."""

    def __init__(self, writers: Iterable[Writer]) -> None:
        self._writers: dict[Record, list[Writer]] = {}
        for one in writers:
            for record in one.first:
                self._writers.setdefault(record, []).append(one)
        self._plans: dict[Record, tuple[RowPlan, ...]] = {}

    def writers(self, record: Record) -> Sequence[Writer]:
        """Return the rows of which a record can be the first."""
        return self._writers.get(record, ())

    def get(self, record: Record, default: tuple[RowPlan, ...]) -> tuple[RowPlan, ...]:
        """Return the plans of the rows of which a record can be the first; a default where there are none."""
        found = self._plans.get(record)
        if found is None:
            writers = self._writers.get(record)
            found = self._plans[record] = default if writers is None else tuple(one.plan for one in writers)
        return found


class Plans:
    """The rows of a protocol that write records, and their plans by the records that can come first in them.

    A row whose records say nothing is not looked for where the environment writes the same: no log distinguishes them.

    `chained` are names of events that are parts of one request, in their order.
    """

    def __init__(self, protocol: Protocol, compiler: Compiler, chained: Iterable[Sequence[str]] = ()) -> None:
        self.protocol = protocol
        self._later: dict[str, frozenset[str]] = {}
        for names in chained:
            for at, name in enumerate(names, start=1):
                self._later[name] = self._later.get(name, frozenset()) | frozenset(names[at:])
        self.rows = tuple(self._writers(compiler, protocol.rows))
        self.by_first = ByFirst(self.rows)

    def _writers(self, compiler: Compiler, rows: Iterable[Row]) -> Iterator[Writer]:
        for row in rows:
            if any(s.written for s in row.stages) and not says_nothing(self.protocol, row):
                yield Writer(self.protocol, row, compiler)

    def varied(self, variant: Protocol, compiler: Compiler, events: Collection[str]) -> Plans:
        """Return the plans of a variant that differs from the protocol in rows of some events only."""
        other = copy(self)
        other.protocol = variant
        mine = tuple(one for one in self.rows if one.row.event.name not in events)
        other.rows = (*mine, *other._writers(compiler, (row for row in variant.rows if row.event.name in events)))
        other.by_first = ByFirst(other.rows)
        return other

    def only(self, keeps: Callable[[Row], bool]) -> Plans:
        """Return the plans of some of the rows."""
        fewer = copy(self)
        fewer.rows = tuple(one for one in self.rows if keeps(one.row))
        fewer.by_first = ByFirst(fewer.rows)
        return fewer

    def later(self, row: Row) -> frozenset[str]:
        """Return the events that may be further parts of the request of which a row answers one."""
        return self._later.get(row.event.name, frozenset())


def says_nothing(protocol: Protocol, row: Row) -> bool:
    """Whether each record of a row has no fields and changes nothing, and a row of the environment writes it too."""
    written = _records(row)
    if row.event.environment or not written or any(one.about or one.fields or one.replay for one in written):
        return False
    return written <= {one for other in protocol.rows if other.event.environment for one in _records(other)}


def _records(row: Row) -> set[Record]:
    return {one.record for stage in row.stages for one in stage.written}


_Lifted = dict[tuple[Term[Any], frozenset[Var[Any]]], Term[Any]]
"""Terms as they were lifted, by the binders around them: those of a row share most of theirs."""


class _RowPlanner:
    def __init__(self, protocol: Protocol, row: Row, compiler: Compiler) -> None:
        self.protocol, self.row, self.compiler = protocol, row, compiler
        self.params = frozenset(row.params)
        self.cells: dict[Get[Any], Var[Any]] = {}
        self._lifted: _Lifted = {}

    def plan(self) -> RowPlan:
        written = [stage for stage in self.row.stages if stage.written]
        stages: list[StagePlan] = []
        for at in reversed(range(len(written))):
            stages.insert(0, self.stage(written[at], written[at + 1 :]))
        stages = [self.demanding(stages, number) for number in range(len(stages))]
        stages = [self.preceded(stages, number) for number in range(len(stages))]
        guard = self.lifted(self.protocol.guard(self.row))
        known = self.params | set(self.cells.values())
        asked = (*conjuncts(guard), *self.implied(guard))
        given = frozenset[Var[Any]]().union(*(one.reads.union(one.outer) for stage in stages for one in stage.writes))
        plain_parts = tuple(self.conjunct(term, known) for term in asked)
        further = tuple(self.conjunct(term, known) for term in self.together(plain_parts, given))
        clues = []
        for clue in self.row.event.clues:
            if isinstance(clue.target, Get) and not free(clue.target) <= self.params:
                continue
            target = self.cells.get(clue.target) if isinstance(clue.target, Get) else clue.target
            if target is not None:
                terms = tuple(map(self.lifted, clue.candidates))
                clues.append(CluePlan(target, tuple(map(self.compiler.code, terms)), terms))
        read = frozenset[Var[Any]]().union(*(self.variables(stage) for stage in self.row.stages))
        split = tuple(v for v in (*self.row.params, *self.cells.values()) if v in read and _few(v.kind))
        return RowPlan(
            self.row,
            (*plain_parts, *further),
            tuple(stages),
            tuple(clues),
            split,
            {var: get for get, var in self.cells.items()},
            self.first(stages, split),
        )

    def first(
        self, stages: Sequence[StagePlan], split: Sequence[Var[Any]]
    ) -> dict[Record, tuple[tuple[WritePlan, dict[Var[Any], Selector]], ...]]:
        """Return `RowPlan.first`; a record of which nothing is found so is left out."""
        found: dict[Record, tuple[tuple[WritePlan, dict[Var[Any], Selector]], ...]] = {}
        for stage in stages if split else ():
            for write in stage.writes:
                selects = {var: selector(self.compiler, var, write.when_term) for var in split}
                known = {var: select for var, select in selects.items() if select is not None}
                found[write.record] = (*found.get(write.record, ()), (write, known))
            if any(write.certain for write in stage.writes):
                break
        return {record: some for record, some in found.items() if all(known for _, known in some)}

    def variables(self, stage: Stage) -> frozenset[Var[Any]]:
        """The parameters and hidden cells on which what a stage writes depends."""
        terms = [t for w in stage.written for t in (w.when, *(x for g in w.fields for x in (g.said, g.value)))]
        return frozenset[Var[Any]]().union(*(free(self.lifted(term)) for term in terms))

    def conjunct(self, term: Term[bool], known: frozenset[Var[Any]]) -> Conjunct:
        equals = []
        if isinstance(term, Eq):
            for one, other in ((term.left, term.right), (term.right, term.left)):
                var = plain(one)
                if var in known:
                    assert var is not None
                    equals.append((var, other))
        late = any(isinstance(node, Quant) for node in nodes(term))
        return Conjunct(term, self.compiler.code(term), free(term), tuple(equals), late, self.compiler)

    def stage(self, stage: Stage, later: Sequence[Stage]) -> StagePlan:
        writes = tuple(self.write(written) for written in stage.written)
        return StagePlan(
            writes,
            frozenset(write.record for write in writes),
            _first(later),
            not any(_is_certain(one) for stage in later for one in stage.written),
        )

    def demanding(self, stages: Sequence[StagePlan], number: int) -> StagePlan:
        """Return a stage whose writes know what demands them (`WritePlan.demanded`)."""

        def demands(write: WritePlan) -> Iterator[Demand]:
            for early, stage in enumerate(stages[: number + 1]):
                for at, one in enumerate(stage.writes):
                    if one is not write and one.binders == write.binders and not one.hidden.isdisjoint(write.hidden):
                        yield Demand(early, at, one, self.beyond(one, write))

        stage = stages[number]
        return replace(stage, writes=tuple(replace(one, demanded=tuple(demands(one))) for one in stage.writes))

    def preceded(self, stages: Sequence[StagePlan], number: int) -> StagePlan:
        """Return a stage whose writes know what earlier stages write about the same (`WritePlan.preceding`)."""

        def preceding(write: WritePlan) -> Iterator[tuple[int, dict[int, WritePlan]]]:
            for early, stage in enumerate(stages[:number]):
                some = {
                    at: self.beyond(write, one)
                    for at, one in enumerate(stage.writes)
                    if one.binders == write.binders and not one.hidden.isdisjoint(write.hidden)
                }
                if some:
                    yield early, some

        def preceded(write: WritePlan) -> WritePlan:
            before = tuple(preceding(write))
            reads = write.reads.union(*(one.reads for _, some in before for one in some.values()))
            return replace(write, preceding=before, reads=reads)

        stage = stages[number]
        return replace(stage, writes=tuple(map(preceded, stage.writes)))

    def beyond(self, given: WritePlan, other: WritePlan) -> WritePlan:
        """Return another write with only that part of its condition that a given one's does not have."""
        known = conjuncts(given.when_term)
        rest = nary("and", (part for part in conjuncts(other.when_term) if part not in known))
        return replace(other, when_term=rest, when=self.compiler.code(rest))

    def write(self, written: Written) -> WritePlan:
        written = _apart(written, self.params)
        binders = written.binders
        inner = _Hidden(self, frozenset(binders))
        when = inner.lifted(written.when)
        given = {g.field: g for g in written.fields}
        fields = []
        terms: list[Term[Any]] = [when]
        for field in (*written.record.about, *written.record.fields):
            one = given.get(field.name)
            if one is None:
                fields.append(FieldPlan(field, None, None, None))
                continue
            said, value = inner.lifted(one.said), inner.lifted(one.value)
            terms += [said, value]
            code = self.compiler.code(said) if said is not TRUE else None
            already = None if field.already is None else self.compiler.code(field.already)
            fields.append(FieldPlan(field, code, self.compiler.code(value), plain(value), already, said, value))
        version = None if written.record.version is None else self.lifted(written.record.version)
        clues = tuple(inner.clues())
        hidden = frozenset(inner.made.values())
        told = [(one.field.name, one.var) for one in fields if one.var is not None]
        return WritePlan(
            written.record,
            binders,
            self.compiler.code(when),
            when,
            tuple(self.compiler.code(part) for part in conjuncts(when)),
            tuple(selector(self.compiler, var, when) for var in binders),
            tuple(sorted(free(when) - set(binders), key=lambda v: v.name)),
            tuple(fields),
            hidden,
            tuple((name, var) for name, var in told if var in binders),
            tuple((name, var) for name, var in told if var in hidden),
            tuple(_of_said(given, inner.lifted, hidden)),
            clues,
            None if version is None else self.compiler.code(version),
            version,
            can_be_sure(when, inner.made.values()),
            frozenset[Var[Any]]().union(*map(free, terms)) - {*binders, *inner.made.values()},
            (written.record, binders, *terms, tuple(inner.made.items()), tuple((one.var, one.terms) for one in clues)),
        )

    def together(self, parts: Sequence[Conjunct], given: Collection[Var[Any]]) -> Iterator[Term[bool]]:
        """Yield, for each entity of the guard that no record shows, that there is one of which all its parts hold."""
        solved = {var for one in parts for var, _ in one.equals}
        for var in self.row.params:
            about = [one.term for one in parts if var in one.params]
            if isinstance(var.kind, EntityKind) and var not in given and var not in solved and len(about) > 1:
                yield Quant("some", var, nary("and", about))

    def implied(self, guard: Term[bool]) -> Iterator[Term[bool]]:
        """Return what claims about hidden cells that the guard reads say of cells that a log shows."""
        cells = dict(self.cells)

        def lifted(term: Term[bool]) -> Term[bool]:
            result: Term[bool] = lift(term, self.params, self.compiler, cells, frozenset(), {})
            return result

        return consequences(self.protocol, guard, cells, lifted)

    def lifted(self, term: Term[Any]) -> Term[Any]:
        """Return the term with the cells that no log shows as variables, of one value throughout the row."""
        return lift(term, self.params, self.compiler, self.cells, frozenset(), self._lifted)


class _Hidden:
    """The cells that no log shows and that depend on the binders of one write."""

    def __init__(self, planner: _RowPlanner, binders: frozenset[Var[Any]]) -> None:
        self.planner, self.binders = planner, binders
        self.made: dict[Get[Any], Var[Any]] = {}
        self._outer: _Lifted = {}
        self._inner: _Lifted = {}

    def lifted(self, term: Term[Any]) -> Term[Any]:
        planner, binders = self.planner, self.binders
        outer = lift(term, planner.params - binders, planner.compiler, planner.cells, binders, self._outer)
        return lift(outer, planner.params | binders, planner.compiler, self.made, frozenset(), self._inner)

    def clues(self) -> Iterator[CluePlan]:
        """The event's clues about these cells; their candidates speak of the fields of the record at hand."""
        for clue in self.planner.row.event.clues:
            var = self.made.get(clue.target) if isinstance(clue.target, Get) else None
            if var is not None:
                terms = tuple(map(self.lifted, clue.candidates))
                yield CluePlan(var, tuple(map(self.planner.compiler.code, terms)), terms)


def lift(
    term: Term[Any],
    params: frozenset[Var[Any]],
    compiler: Compiler,
    cells: dict[Get[Any], Var[Any]],
    inside: frozenset[Var[Any]],
    memo: _Lifted,
) -> Term[Any]:
    """Return a term with a variable in place of each cell that no log shows, which is added to `cells`.

    `params` are the variables that such a cell may be of, `inside` those that are bound around the term.
    """
    found = memo.get((term, inside))
    if found is not None:
        return found
    result: Term[Any]
    if isinstance(term, Get) and term.state not in compiler.known and free(term) <= params - inside:
        result = cells.setdefault(term, Var(str(term), term.kind))
    elif not compiler.hides(term):
        result = term
    else:
        own = bound(term)
        under = inside if own is None else inside | {own}
        result = rebuild(term, lambda child: lift(child, params, compiler, cells, under, memo))
    memo[(term, inside)] = result
    return result


def _apart(written: Written, params: frozenset[Var[Any]]) -> Written:
    """Return the write with binders that are none of the row's parameters."""
    renamed = {v: fresh_name(v, params | set(written.binders)) for v in written.binders if v in params}
    if not renamed:
        return written
    given = tuple(Given(g.field, substitute(g.said, renamed), substitute(g.value, renamed)) for g in written.fields)
    binders = tuple(renamed.get(v, v) for v in written.binders)
    return Written(written.record, binders, substitute(written.when, renamed), given)


def _of_said(
    given: Mapping[str, Given], lifted: Callable[[Term[bool]], Term[bool]], hidden: Collection[Var[Any]]
) -> Iterator[tuple[str, Var[Any], bool]]:
    """Yield the fields that are there where a hidden truth value is true, or where it is not (`WritePlan.of_said`)."""
    for name, one in given.items():
        said = bare(lifted(one.said))
        var = bare(said.term) if isinstance(said, Not) else said
        if isinstance(var, Var) and var in hidden:
            yield name, var, var is said


def plain(term: Term[Any]) -> Var[Any] | None:
    """Return the variable that a term is but for its name or an option around it, None where it is more."""
    while True:
        if isinstance(term, Named):
            term = term.term
        elif isinstance(term, Ite) and term.condition is TRUE:
            term = term.then
        else:
            return term if isinstance(term, Var) else None


def _few(kind: Kind[Any]) -> bool:
    if isinstance(kind, OptionKind):
        return _few(kind.of)
    return isinstance(kind, (BoolKind, EnumKind, EntityKind))


def _is_certain(written: Written) -> bool:
    """Whether exactly one record is written, whatever the state."""
    return not written.binders and written.when is TRUE


def _first(stages: Iterable[Stage]) -> frozenset[Record]:
    """Return the records that can come first of some stages."""
    found: set[Record] = set()
    for stage in stages:
        found |= {one.record for one in stage.written}
        if any(map(_is_certain, stage.written)):
            break
    return frozenset(found)
