"""Whether a row writes exactly the records that stand at a place in a log, and under which parameters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from fencepost.model.language import Row, Var
from fencepost.model.language.kinds import OptionKind
from fencepost.model.language.walk import conjuncts

from .attempts import UNSAID, Attempt, Kind, cells_read
from .frames import MISSING, UNKNOWN, Env, values
from .local import NOT_LOCAL, Local, Window, type_at
from .plans import Conjunct, Plans, RowPlan, StagePlan, WritePlan
from .replay import Cell, Change, HardState
from .wire import BoundRecord, entity_text, said_by

MOST_BINDINGS = 20_000
"""How many bindings of one row are tried at one place before the log is called undecided there."""

END = -1
"""Stands among the forgiven offsets for the end of a unit: nothing is missing there."""

MOST_SOLUTIONS = 8
"""How many bindings of one row are kept for one span; more add nothing to which rows explain it."""


Records: TypeAlias = Sequence[BoundRecord] | Window


@dataclass(frozen=True, slots=True)
class Edge:
    """Records [start, end) of a unit explained by a row under a binding; `row` is None for records that no row is asked
    about.

    `unjudged` names the fields whose predicted value the log does not determine. One that `is_further` is a part of the
    request whose first part stands in front of it.
    """

    start: int
    end: int
    row: Row | None
    binding: dict[Var[Any], Any] = field(default_factory=dict)
    unjudged: tuple[str, ...] = ()
    is_further: bool = False


class Matcher:
    """Finds the rows that explain records in the present state of a log.

    `forgiven` are records (by offset) that have been reported: they may be what a row says of the same entity, whatever
    their fields, and nothing is missing in front of them. `shorter` also accepts groups that leave out what may belong
    to them; `could_be_shorter` tells whether there were any. `attempts`, where not None, collects what stopped each
    row; `furthest` is the last record at which one stopped.
    """

    def __init__(self, state: HardState, plans: Plans, local: Local | None = None) -> None:
        self.state, self.plans, self.local = state, plans, local
        self.forgiven: set[int] = set()
        self.shorter = False
        self.attempts: list[Attempt] | None = None
        self.furthest = 0
        self.exhausted: set[int] = set()
        self._run: tuple[Sequence[BoundRecord], list[int]] = ((), [])
        self._tried = 0
        self._placed: list[tuple[int, BoundRecord]] = []
        self.whole = True
        self.could_be_shorter = False

    def edges(self, records: Sequence[BoundRecord], start: int, events: frozenset[str] | None = None) -> list[Edge]:
        """Return the edges from a place: every row and binding whose records are those that follow.

        With `events` only rows of these are asked.
        """
        if events is None and (known := self._known(records, start)) is not None:
            return known
        return self._edges(records, start, events)

    def changes(self, record: BoundRecord) -> tuple[Change, ...]:
        """Return what replaying a record changes in the present state, found once for all entities of a class."""
        local = self.local if self.local is not None and self.state.classes is self.local.classes else None
        subject = None if local is None else local.subject(record)
        if local is None or subject is None:
            return self.state.changes(record)
        entity, said = subject
        key = ("replay", local.classes.of[entity], said)
        found = local.known(key, entity, self.state.frame, self.state.version)
        if found is NOT_LOCAL:
            return self.state.changes(record)
        if found is MISSING:
            with local.tracer.tracing(entity):
                made = self.state.changes(record)
            own = all(one.cell[0] in local.shape.slots and one.cell[1][0] == entity for one in made)
            found = tuple((one.cell[0], one.cell[1][1:], one.old, one.new) for one in made)
            local.keep(key, found if own else NOT_LOCAL)
            return made
        return tuple([Change((number, (entity, *rest)), old, new) for number, rest, old, new in found])

    def by_class(self) -> Local | None:
        """Return what was evaluated by class, None where that is not asked: reports are told of each entity."""
        local = self.local
        asked = self.attempts is None and not self.forgiven and not self.shorter
        return local if local is not None and asked and self.state.classes is local.classes else None

    def _known(self, records: Sequence[BoundRecord], start: int) -> list[Edge] | None:
        """Return the edges of one record where they are the same for all entities of its class, None where not."""
        local = self.by_class()
        subject = None if local is None else local.subject(records[start])
        if local is None or subject is None:
            return None
        entity, said = subject
        end = self._run_end(records, start)
        # Rows that write many records read what type the next one is, and what follows those of this type.
        behind = records[end].record if end < len(records) else None
        key = ("edges", local.classes.of[entity], said, behind, end == start + 1)
        found = local.known(key, entity, self.state.frame, self.state.version)
        if found is NOT_LOCAL:
            return None
        if found is MISSING:
            return self._keep(local, key, entity, records, start, end)
        edges, self.could_be_shorter = found[0], self.could_be_shorter or found[1]
        return [Edge(start, start + 1, row, local.unbound(env, entity), unjudged) for row, env, unjudged in edges]

    def _run_end(self, records: Sequence[BoundRecord], start: int) -> int:
        """Return the first place behind one whose record is of another type."""
        if self._run[0] is not records:
            ends = [len(records)] * len(records)
            for at in range(len(records) - 2, -1, -1):
                ends[at] = ends[at + 1] if records[at].record is records[at + 1].record else at + 1
            self._run = records, ends
        return self._run[1][start]

    def _keep(
        self, local: Local, key: tuple[Any, ...], entity: Any, records: Sequence[BoundRecord], start: int, end: int
    ) -> list[Edge]:
        before, self.could_be_shorter = self.could_be_shorter, False
        with local.tracer.tracing(entity):
            edges = self._edges(Window(records, start, end, local.tracer), start, None)
        result: Any = NOT_LOCAL
        if all(edge.end == start + 1 for edge in edges) and not self.exhausted:
            bound = [(edge.row, local.bound(edge.binding, entity), edge.unjudged) for edge in edges]
            if all(env is not None for _, env, _ in bound):
                result = (tuple(bound), self.could_be_shorter)
        local.keep(key, result)
        self.could_be_shorter = self.could_be_shorter or before
        return edges

    def _edges(self, records: Records, start: int, events: frozenset[str] | None) -> list[Edge]:
        found: list[Edge] = []
        for plan in self.plans.by_first.get(records[start].record, ()):
            if events is not None and plan.row.event.name not in events:
                continue
            self._tried = 0
            solutions: dict[int, int] = {}
            for env in self._bindings(plan, records, start):
                self._tried += 1
                if self._tried > MOST_BINDINGS:
                    self.exhausted.add(records[start].wire.offset)
                    break
                for end, unjudged, learned in _Run(self, plan, records, start, env).ends():
                    if self.attempts is None and not self._late(plan, learned):
                        continue
                    if solutions.get(end, 0) < MOST_SOLUTIONS:
                        solutions[end] = solutions.get(end, 0) + 1
                        found.append(Edge(start, end, plan.row, learned, unjudged))
        return found

    def parts(
        self, records: Sequence[BoundRecord], start: int, events: frozenset[str], since: Iterable[Change]
    ) -> list[Edge]:
        """Return the edges from a place by rows of some events, asked in the state before the changes made last."""
        present, self.state = self.state, self.state.seen_before(since)
        try:
            return [replace(edge, is_further=True) for edge in self.edges(records, start, events)]
        finally:
            self.state = present

    # -- parameters ------------------------------------------------------------------------------------------------
    def _bindings(self, plan: RowPlan, records: Records, start: int) -> Iterator[Env]:
        """Yield the parameters that the records allow: read from them, solved from equations, from clues, or tried."""
        env = self._read(plan, records, start)
        if env is None:
            return
        if not self._solve(plan, env, start) or not self._allowed(plan, env, start, None):
            return
        # What the row writes first gives most away; a later record of it does where its place is certain.
        yield from self._clued(plan, env, ((start, records[start]), *self._placed), start, 0)

    def _clued(
        self, plan: RowPlan, env: Env, shown: Sequence[tuple[int, BoundRecord]], start: int, index: int
    ) -> Iterator[Env]:
        if index == len(plan.clues):
            yield from self._split(plan, env, start, 0)
            return
        clue = plan.clues[index]
        found: list[Any] = []
        at = start
        for place, record in () if clue.var in env else shown:
            if not found:
                found, at = self._candidates(clue.candidates, env, record), place
        if not found:
            yield from self._clued(plan, env, shown, start, index + 1)
            return
        for value in found:
            further = {**env, clue.var: value}
            if self._solve(plan, further, start) and self._allowed(plan, further, start, clue.var, at):
                yield from self._clued(plan, further, shown, start, index + 1)

    def _candidates(self, candidates: Sequence[Any], env: Env, record: BoundRecord) -> list[Any]:
        said = {**env, **said_by(record)}
        found: list[Any] = []
        for code in candidates:
            value = code(self.state.frame, said)
            if value is not UNKNOWN and value not in found:
                found.append(value)
        return found

    def _split(self, plan: RowPlan, env: Env, start: int, index: int) -> Iterator[Env]:
        while index < len(plan.split) and plan.split[index] in env:
            index += 1
        if index == len(plan.split):
            yield env
            return
        var = plan.split[index]
        for value in values(self.state.frame, var.kind) or (UNKNOWN,):
            further = {**env, var: value}
            if self._solve(plan, further, start) and self._allowed(plan, further, start, var):
                yield from self._split(plan, further, start, index + 1)

    def _read(self, plan: RowPlan, records: Records, start: int) -> Env | None:
        """Read parameters off the records whose place in the row is certain; None where such a record is not there."""
        env: Env = {}
        at, exact = start, True
        self.whole = True
        self._placed = []
        passed: set[Any] = set()
        for number, stage in enumerate(plan.stages):
            if not stage.certain:
                if number == 0 and plan.opens_with(records[start].record):
                    _unify(stage.writes[0], records[start], env, set(stage.writes[0].binders))
                passed |= stage.records
                exact = False
                continue
            write = stage.writes[0]
            if not exact:
                if write.record in passed:
                    return env
                if isinstance(records, Window):
                    at = records.after(at, passed)
                while at < len(records) and type_at(records, at) in passed:
                    at += 1
            if at >= len(records) or type_at(records, at) is not write.record:
                self.whole = False
                return None if self.attempts is None else env
            if not _unify(write, records[at], env, set()) and self.attempts is None and not self._forgives(records, at):
                return None
            if not self._forgives(records, at):
                self._placed.append((at, records[at]))
            at, exact, passed = at + 1, True, set()
        return env

    def _forgives(self, records: Records, at: int) -> bool:
        return bool(self.forgiven) and at < len(records) and records[at].wire.offset in self.forgiven

    def _solve(self, plan: RowPlan, env: Env, start: int) -> bool:
        """Bind parameters that the guard equates with what is known; False where it equates one with nothing."""
        again = True
        while again:
            again = False
            for conjunct in plan.conjuncts:
                for var, code in conjunct.solves:
                    if var in env:
                        continue
                    value = code(self.state.frame, env)
                    if value is None and not isinstance(var.kind, OptionKind):
                        self._refused(plan, conjunct, env, start, read=True)
                        return False
                    if value is not UNKNOWN:
                        env[var] = value
                        again = True
        return True

    def _allowed(self, plan: RowPlan, env: Env, start: int, var: Var[Any] | None, at: int | None = None) -> bool:
        """Whether no part of the guard is false; with a variable, only the parts that speak of it are asked.

        `at` is the record that has told the variable, where that is a later one than the first.
        """
        for conjunct in plan.conjuncts:
            # What asks about everybody is asked once the records fit, or where it is to be told what stopped the row.
            if conjunct.late and self.attempts is None:
                continue
            if (var is None or var in conjunct.params) and conjunct.code(self.state.frame, env) is False:
                self._refused(plan, conjunct, env, start, read=var is None, at=at)
                return False
        return True

    def _late(self, plan: RowPlan, env: Env) -> bool:
        return not any(c.late and c.denied(self.state.frame, env) for c in plan.conjuncts)

    def _refused(
        self, plan: RowPlan, conjunct: Conjunct, env: Env, start: int, read: bool, at: int | None = None
    ) -> None:
        at = start if at is None else at
        self.furthest = max(self.furthest, at)
        if self.attempts is not None:
            detail = cells_read(conjunct.term, env, self.state)
            attempt = Attempt(plan.row, start, at, "guard", conjunct.term, detail=detail, agreeing=int(read))
            attempt.whole = self.whole
            self.attempts.append(attempt)


_End = tuple[int, tuple[str, ...], Env]


class _Run:
    """One row under one binding, held against the records from a place on."""

    def __init__(self, matcher: Matcher, plan: RowPlan, records: Records, start: int, env: Env) -> None:
        self.matcher, self.plan, self.records, self.start, self.env = matcher, plan, records, start, env
        self.frame = matcher.state.frame

    def ends(self) -> list[_End]:
        """Return where the row's records can end, each with the fields that could not be judged and the parameters."""
        bound = len(self.env)
        return [
            end
            for end in self._stage(0, self.start, (), self.env)
            if end[0] > self.start
            and (len(end[2]) == bound or self.matcher._allowed(self.plan, end[2], self.start, None))
        ]

    def _stage(self, number: int, at: int, unjudged: tuple[str, ...], env: Env) -> list[_End]:
        if number == len(self.plan.stages):
            return [(at, unjudged, env)]
        found: list[_End] = []
        for end, here, learned in self._group(self.plan.stages[number], at, env):
            found += self._stage(number + 1, end, unjudged + here, learned)
        return found

    def _group(self, stage: StagePlan, at: int, env: Env) -> list[_End]:
        """Return the places where a stage can end, the longest reading first."""
        taken: list[set[tuple[Any, ...]]] = [set() for _ in stage.writes]
        unjudged: tuple[str, ...] = ()
        found: list[_End] = []
        here, self.env = at, dict(env)
        while True:
            if self.matcher.shorter and self._complete(stage, taken, here):
                found.append((here, unjudged, dict(self.env)))
            skipped = self._take_known(stage, taken, here)
            if skipped > here:
                here = skipped
                continue
            more = self._take(stage, taken, here) if here < len(self.records) else None
            if more is None:
                break
            unjudged += more
            here += 1
        self.matcher.furthest = max(self.matcher.furthest, here)
        if not self.matcher.shorter and self._goes_on(stage, at, here) and self._complete(stage, taken, here):
            found.append((here, unjudged, self.env))
        found.reverse()
        return found

    def _take_known(self, stage: StagePlan, taken: list[set[tuple[Any, ...]]], at: int) -> int:
        """Take records that are known by class to fit the stage's only write, nothing of them left open; return the
        first that is not."""
        local = self.matcher.by_class()
        if local is None or local.tracing or len(stage.writes) != 1 or len(stage.writes[0].binders) != 1:
            return at
        write, done = stage.writes[0], taken[0]
        bound = local.unnamed(self._read_by(write))
        if bound is None:
            return at
        name, of = ("fits", local.number(write.content), local.number(bound)), local.classes.of
        records, type_, version = self.records, write.record, self.matcher.state.version
        while at < len(records) and records[at].record is type_:
            subject = local.subject(records[at])
            if subject is None:
                break
            entity, said = subject
            if (entity,) in done:
                break
            found = local.standing((*name, of[entity], said), entity, version)
            if found is None or found[0] != () or found[1]:
                break
            done.add((entity,))
            at += 1
        return at

    def _goes_on(self, stage: StagePlan, start: int, here: int) -> bool:
        """Whether what stands after a stage can be what the row writes next; asked first, since it costs nothing."""
        if here == self.start:
            # Nothing of the row was found yet: unless something comes, it explains nothing.
            return type_at(self.records, here) in stage.follow
        if here < len(self.records):
            possible = stage.may_end or type_at(self.records, here) in stage.follow or self._forgiven(here)
        else:
            possible = stage.may_end or END in self.matcher.forgiven
        # Where something of the stage was found, what is missing of it is worth telling.
        return possible or (self.matcher.attempts is not None and here > start)

    def _forgiven(self, at: int) -> bool:
        forgiven = self.matcher.forgiven
        return bool(forgiven) and (self.records[at].wire.offset if at < len(self.records) else END) in forgiven

    def _take(self, stage: StagePlan, taken: list[set[tuple[Any, ...]]], at: int) -> tuple[str, ...] | None:
        type_ = type_at(self.records, at)
        # What is written once, and stands there already, cannot be what comes next.
        if all(write.record is not type_ or (taken[n] and not write.binders) for n, write in enumerate(stage.writes)):
            return None
        record = self.records[at]
        for number, write in enumerate(stage.writes):
            if write.record is not record.record:
                continue
            for key in self._binders(write, record):
                if key in taken[number]:
                    continue
                judged = self._judged(write, record, at)
                if judged is not None:
                    taken[number].add(key)
                    self._unbind(write)
                    return judged
            self._unbind(write)
        return None

    def _binders(self, write: WritePlan, record: BoundRecord) -> Iterator[tuple[Any, ...]]:
        """Bind the variables of an `every` to what the record is about; those that it does not show are tried."""
        env = self.env
        for plan in write.fields:
            if plan.var in write.binders and plan.field.name in record.values:
                assert plan.var is not None
                env[plan.var] = record.values[plan.field.name]
        open_ = tuple(v for v in write.binders if v not in env)
        for _ in self.matcher.state.bindings(open_, env):
            yield tuple(env[v] for v in write.binders)

    def _unbind(self, write: WritePlan) -> None:
        for var in (*write.binders, *write.hidden):
            self.env.pop(var, None)

    def _read_by(self, write: WritePlan) -> Env:
        """Return what the variables are bound to on which a write depends, in an order that is always the same."""
        return {var: self.env[var] for var in write.reads if var in self.env}

    def _judged(self, write: WritePlan, record: BoundRecord, at: int) -> tuple[str, ...] | None:
        """Return what `_fits` does, once for all entities of a class."""
        local = self.matcher.by_class()
        subject = None if local is None else local.subject(record)
        if local is None or subject is None or local.tracing:
            return self._fits(write, record, at)
        entity, said = subject
        env = self._read_by(write)
        bound = local.bound(env, entity)
        if bound is None:
            return self._fits(write, record, at)
        key = ("fits", local.number(write.content), local.number(bound), local.classes.of[entity], said)
        matcher = self.matcher
        found = local.known(key, entity, self.frame, matcher.state.version)
        if found is NOT_LOCAL:
            return self._fits(write, record, at)
        if found is MISSING:
            before, matcher.could_be_shorter = matcher.could_be_shorter, False
            real = self.frame
            with local.tracer.tracing(entity):
                self.frame = matcher.state.frame
                judged = self._fits(write, record, at)
            self.frame = real
            learned = len(self._read_by(write)) > len(env)
            local.keep(key, NOT_LOCAL if learned else (judged, matcher.could_be_shorter))
            matcher.could_be_shorter = matcher.could_be_shorter or before
            return judged
        matcher.could_be_shorter = matcher.could_be_shorter or found[1]
        judged_before: tuple[str, ...] | None = found[0]
        return judged_before

    def _fits(self, write: WritePlan, record: BoundRecord, at: int) -> tuple[str, ...] | None:
        """Return the fields that could not be judged where the row may write this record, None where it does not."""
        env, frame = self.env, self.frame
        for hidden in write.hidden:
            env.pop(hidden, None)
        for clue in write.clues:
            found = self.matcher._candidates(clue.candidates, env, record)
            if len(found) == 1:
                env[clue.var] = found[0]
        for plan in write.fields:
            if plan.var is not None and plan.var in write.hidden and plan.field.name in record.values:
                env.setdefault(plan.var, record.values[plan.field.name])
        forgiven = record.wire.offset in self.matcher.forgiven
        included = write.when(frame, env)
        if included is UNKNOWN:
            self.matcher.could_be_shorter = True
        if included is False:
            self._stopped(at, "other", detail=self._denied(write))
            return () if forgiven and self._about(write, record) else None
        if forgiven and self._about(write, record):
            return ()
        unjudged: list[str] = []
        learned: Env = {}
        agreeing = 0
        for plan in write.fields:
            name = plan.field.name
            observed = record.values.get(name, UNSAID)
            said = False if plan.value is None else True if plan.said is None else plan.said(frame, env)
            if said is False or (observed is UNSAID and said is UNKNOWN):
                if observed is UNSAID:
                    agreeing += 1
                    continue
                self._stopped(at, "field", name, UNSAID, observed, agreeing)
                return None
            assert plan.value is not None
            predicted = plan.value(frame, env)
            if plan.already is not None:
                stored = plan.already(frame, said_by(record))
                if observed is UNSAID and (predicted == stored or UNKNOWN in (predicted, stored)):
                    continue
                if observed == stored and predicted == stored:
                    self._stopped(at, "field", name, UNSAID, observed, agreeing)
                    return None
            if observed is UNSAID:
                self._stopped(at, "field", name, predicted, UNSAID, agreeing)
                return None
            if predicted is UNKNOWN and plan.var is not None and observed is not UNKNOWN:
                # A parameter that nothing told before: this record does, and every later use must agree with it.
                if learned.setdefault(plan.var, observed) != observed:
                    self._stopped(at, "field", name, learned[plan.var], observed, agreeing)
                    return None
            elif predicted is UNKNOWN or observed is UNKNOWN:
                unjudged.append(f"{record.record.name}.{name}")
            elif predicted != observed:
                self._stopped(at, "field", name, predicted, observed, agreeing)
                return None
            else:
                agreeing += 1
        if write.version is not None and record.wire.version is not None:
            version = write.version(frame, env)
            if version is not UNKNOWN and version != record.wire.version:
                self._stopped(at, "field", "version", version, record.wire.version, agreeing)
                return None
        env.update(learned)
        return tuple(unjudged)

    def _denied(self, write: WritePlan) -> str:
        """Return the cells that decide that a record is not written, empty where nobody asks."""
        if self.matcher.attempts is None:
            return ""
        parts = zip(conjuncts(write.when_term), write.parts, strict=True)
        false = next((term for term, part in parts if part(self.frame, self.env) is False), None)
        return "" if false is None else cells_read(false, self.env, self.matcher.state)

    def _about(self, write: WritePlan, record: BoundRecord) -> bool:
        for plan in write.fields[: len(write.record.about)]:
            predicted = UNKNOWN if plan.value is None else plan.value(self.frame, self.env)
            if predicted is not UNKNOWN and predicted != record.values.get(plan.field.name):
                return False
        return True

    def _complete(self, stage: StagePlan, taken: list[set[tuple[Any, ...]]], at: int) -> bool:
        if self._forgiven(at):
            return True
        for number, write in enumerate(stage.writes):
            for key in self._definite(write):
                if key not in taken[number]:
                    self._missing(at, write, key)
                    return False
        return True

    def _definite(self, write: WritePlan) -> tuple[tuple[Any, ...], ...]:
        """The bindings under which the stage is sure to write this record."""
        if write.certain:
            return ((),)
        if not write.may_be_sure:
            return ()
        env, frame = self.env, self.frame
        key = ("definite", write.when_term, write.binders, *[env.get(v, UNKNOWN) for v in write.outer])
        found: tuple[tuple[Any, ...], ...] | None = frame.memo.get(key)
        if found is None:
            found = tuple(
                tuple(env[v] for v in write.binders)
                for _ in self.matcher.state.bindings(write.binders, env, write.selects)
                if self._is_sure(write)
            )
            frame.memo[key] = found
        return found

    def _is_sure(self, write: WritePlan) -> bool:
        """Whether the stage is sure to write a record under the present binding, asked once for a class."""
        local, env = self.matcher.by_class(), self.env
        if local is None or local.tracing or len(write.binders) != 1 or str(write.binders[0].kind) != local.shape.sort:
            # One part that is unknown is enough to know that it is not sure.
            return all(part(self.frame, env) is True for part in write.parts)
        entity = env[write.binders[0]]
        bound = local.bound({var: env[var] for var in write.outer if var in env}, entity)
        if bound is None or entity is UNKNOWN:
            return all(part(self.frame, env) is True for part in write.parts)
        key = ("sure", id(write), local.number(bound), local.classes.of[entity])
        found = local.known(key, entity, self.frame, self.matcher.state.version)
        if found is NOT_LOCAL:
            return all(part(self.frame, env) is True for part in write.parts)
        if found is MISSING:
            with local.tracer.tracing(entity):
                found = all(part(self.matcher.state.frame, env) is True for part in write.parts)
            local.keep(key, found)
        return bool(found)

    def _missing(self, at: int, write: WritePlan, key: tuple[Any, ...]) -> None:
        """Note that the row would write a record here that is not there."""
        attempts = self.matcher.attempts
        if attempts is None:
            return
        if attempts and (attempts[-1].row, attempts[-1].at, attempts[-1].kind) == (self.plan.row, at, "field"):
            # The record at hand was all but the one: which field differs says more than that it is missing.
            return
        self.env.update(zip(write.binders, key, strict=True))
        about = []
        for plan in write.fields[: len(write.record.about)]:
            value = UNKNOWN if plan.value is None else plan.value(self.frame, self.env)
            about.append((str(plan.field.kind), value))
        self._unbind(write)
        detail = f"{write.record.name}({', '.join(entity_text(value) for _, value in about)})"
        keys = tuple(value for _, value in about)
        cells = tuple((number, keys) for number in self.matcher.state.layout.cells_of(write.record))
        self._stopped(at, "group", detail=detail, missing=tuple(about), cells=() if UNKNOWN in keys else cells)

    def _stopped(
        self,
        at: int,
        kind: Kind,
        field: str = "",
        predicted: Any = None,
        observed: Any = None,
        agreeing: int = 0,
        detail: str = "",
        missing: tuple[tuple[str, Any], ...] = (),
        cells: tuple[Cell, ...] = (),
    ) -> None:
        attempts = self.matcher.attempts
        if attempts is not None:
            attempts.append(
                Attempt(
                    self.plan.row, self.start, at, kind, None, field, predicted, observed, detail, agreeing,
                    self.matcher.whole, missing, cells,
                )
            )  # fmt: skip


def _unify(write: WritePlan, record: BoundRecord, env: Env, not_these: set[Var[Any]]) -> bool:
    """Bind the variables that a write gives as fields to what the record says; False where two fields disagree."""
    for plan in write.fields:
        var = plan.var
        if var is None or var in not_these or var in write.hidden or plan.field.name not in record.values:
            continue
        value = record.values[plan.field.name]
        if value is UNKNOWN:
            continue
        if env.setdefault(var, value) != value:
            return False
    return True
