"""One row under one binding against the records from a place on, evaluated once for all entities of a class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from fencepost.arrays import np
from fencepost.checkers.conformance.classes.frames import MISSING, UNKNOWN
from fencepost.checkers.conformance.classes.questions import Bound, Question
from fencepost.checkers.conformance.matching.placing import End, Placing
from fencepost.checkers.conformance.matching.placing import Taken as Bindings
from fencepost.checkers.conformance.plans.hidden_cells import content_of
from fencepost.checkers.conformance.plans.plans import StagePlan, WritePlan
from fencepost.checkers.conformance.records.wire import BoundRecord

from .asking import asking_bound
from .local import NOT_LOCAL, Local
from .run_units import RunUnit
from .taken import Sure, Taken, numbers_of
from .tracer import plain

if TYPE_CHECKING:
    from .matching_by_class import ClassMatcher

OF_RECORD = 10_000
"""To go through so many entities costs as much as to hold one record against a row."""


class ClassPlacing(Placing):
    """One row under one binding, where what was evaluated for an entity is known for all of its class."""

    matcher: ClassMatcher

    def _local(self) -> Local | None:
        """Return what was evaluated by class, None where it cannot be asked."""
        local = self.matcher.active()
        return None if local is None or local.tracing else local

    def new_taken(self) -> Taken:
        """Return a place for the bindings of which records will be found, one by one or those of a run at once."""
        return Taken()

    def whole_group(self, stage: StagePlan, at: int, found: list[End]) -> tuple[int, list[Any], tuple[str, ...]]:
        """Return the longest reading of a stage: from a place within a run, the rest of what was taken before it."""
        kept, name = self.kept(stage, at)
        known: Any = kept.get(name)
        behind = None if known is None else self._behind(stage, known, at)
        if behind is None:
            return super().whole_group(stage, at, found)
        kept[name] = (at, self.matcher.state.version), known[1], behind, (), False
        return known[1], behind, ()

    def _behind(self, stage: StagePlan, known: Any, at: int) -> list[Taken] | None:
        """Return what a stage takes from a place on, where that is the rest of what it took from one in front of it.

        None where it is not. What fits is known of each record until its entity changes: those behind the place are as
        they were.
        """
        (start, version), here, taken, unjudged, shorter = known
        local, write = self.matcher.active(), stage.writes[0]
        if version != self.matcher.state.version or not start < at < here or unjudged or shorter or local is None:
            return None
        if len(write.binders) != 1 or str(write.binders[0].kind) != local.shape.sort:
            return None
        assert isinstance(self.records, RunUnit)
        behind = taken[0].behind(local, self.records, start, at)
        return None if behind is None else [behind]

    def kept(self, stage: StagePlan, at: int) -> tuple[dict[Any, Any], tuple[Any, ...]]:
        """Return where what is read of a stage is kept, and under which name; what is read in runs, for the unit."""
        local = self.matcher.active()
        if local is not None and local.tracing:
            return {}, ()
        if local is None or not isinstance(self.records, RunUnit):
            return super().kept(stage, at)
        absent = self.shared_by_rows(stage)
        if absent is None:
            return {}, ()
        write = stage.writes[0]
        return self.records.kept, ("group", local.number(content_of(write, absent)), *self.read_by(write).items())

    def take_known(self, stage: StagePlan, taken: Sequence[Bindings], at: int) -> tuple[int, tuple[str, ...], bool]:
        """Take records that are known by class to fit the stage's only write; return as any placing does."""
        local, shorter = self._local(), self.matcher.shorter
        if local is None or (shorter and not isinstance(self.records, RunUnit)):
            return at, (), False
        if len(stage.writes) != 1 or len(stage.writes[0].binders) != 1:
            return at, (), False
        write, done = stage.writes[0], taken[0]
        assert isinstance(done, Taken)
        absent = self.absent_of_all(write)
        if absent is None:
            return at, (), False
        key = ("fits", local.number(content_of(write, absent)))
        if isinstance(self.records, RunUnit):
            env, state = self.read_by(write), self.matcher.state
            end, start = self.records.first_of(self.matcher.forgiven, at), at
            if shorter:
                end = min(end, self._first_end(stage, done, at, local))
            at, unjudged, leaves_out, is_other = done.take_run(
                local, self.records, write.record, key, env, at, end, state
            )
            self.matcher.could_be_shorter |= leaves_out
            if shorter:
                # They count as if each had been taken by itself: how they are read does not decide what is too much.
                self.matcher.does((at - start) * (1 + (self._work_of_all() if self._follows(stage, start) else 0)))
            # What stops a row is reported for each record.
            return at, unjudged, is_other and self.matcher.attempts is None
        bound = local.unnamed(self.read_by(write))
        if bound is None:
            return at, (), False
        with_, of = local.number(Bound(bound)), local.classes.of
        records, type_ = self.records, write.record
        frame, version = self.matcher.state.frame, self.matcher.state.version
        while at < len(records) and records[at].record is type_:
            subject = local.subject(records[at])
            if subject is None:
                break
            entity, said = subject
            if (entity,) in done or self.matcher.forgives(records, at):
                break
            found = local.standing(Question(key, of(entity), said=said, bound=with_), entity, frame, version)
            if found is None or found[0] != () or found[1]:
                break
            done.add((entity,))
            at += 1
        return at, (), False

    def _first_end(self, stage: StagePlan, done: Taken, at: int, local: Local) -> int:
        """Return the first place behind one where a group that may be shorter can end, where it can in no one between.

        The same place where that is not known.
        """
        assert isinstance(self.records, RunUnit)
        piece = self.records.piece(at)
        if not self._follows(stage, at):
            return piece.end
        kept = self._sure_in_bulk(stage.writes[0])
        if kept is None or piece.who is None:
            return at
        missing = done.without(local, kept.mask())
        places = np.flatnonzero(np.isin(piece.who[at - piece.start :], missing))
        if len(places) < len(missing):
            # The group is complete nowhere in these records: a record that it is sure to have is not among them.
            return piece.end
        return at + places.item(-1) + 1 if len(places) else at

    def _work_of_all(self) -> int:
        """Return what it costs to go through all entities for those that have changed."""
        return 1 + len(self.matcher.local.classes.entities) // OF_RECORD

    def fits(
        self, write: WritePlan, record: BoundRecord, at: int, absent: tuple[WritePlan, ...]
    ) -> tuple[str, ...] | None:
        """Return the fields that could not be checked, evaluated once for all entities of a class."""
        local = self._local()
        subject = None if local is None else local.subject(record)
        forgiven = record.wire.offset in self.matcher.forgiven
        if local is None or subject is None or forgiven:
            return super().fits(write, record, at, absent)
        entity, said = subject
        env = self.read_by(write)
        bound = local.bound(env, entity)
        if bound is None:
            return super().fits(write, record, at, absent)
        what = ("fits", local.number(content_of(write, absent)))
        key = Question(what, local.classes.of(entity), said=said, bound=local.number(Bound(bound)))
        matcher = self.matcher
        found = local.known(key, entity, self.frame, matcher.state.version)
        if found is NOT_LOCAL:
            return super().fits(write, record, at, absent)
        if found is MISSING:
            before, matcher.could_be_shorter = matcher.could_be_shorter, False
            attempts, matcher.attempts = matcher.attempts, None
            real = self.frame
            with local.tracer.tracing(entity):
                self.frame = matcher.state.frame
                judged = super().fits(write, local.seen(record), at, absent)
            self.frame, matcher.attempts = real, attempts
            # A number of its own is of this entity only: the next record's must not take it for its own.
            self.env.update({var: plain(value) for var, value in self.env.items()})
            learned = len(self.read_by(write)) > len(env)
            found = (judged, matcher.could_be_shorter)
            local.keep(key, NOT_LOCAL if learned else found)
            matcher.could_be_shorter = before
        matcher.could_be_shorter = matcher.could_be_shorter or found[1]
        judged_before: tuple[str, ...] | None = found[0]
        if judged_before is None and matcher.attempts is not None:
            # What stops a row is reported for each entity.
            return super().fits(write, record, at, absent)
        return judged_before

    def first_missing(
        self, write: WritePlan, taken: Sequence[Sequence[Bindings]], found: Bindings
    ) -> tuple[Any, ...] | None:
        """Return the first binding under which a stage is sure to write a record that is not there, None for none."""
        kept = self._sure_in_bulk(write)
        if kept is None:
            return super().first_missing(write, taken, found)
        assert isinstance(found, Taken)
        missing = found.first_without(self.matcher.local, kept.mask())
        return None if missing is None else (missing,)

    def _sure_in_bulk(self, write: WritePlan) -> Sure | None:
        """Return for which entities a stage is certain to write this, None where this is to be evaluated."""
        unit, local = self.records, self._local()
        if not isinstance(unit, RunUnit) or local is None or not write.may_be_sure or write.certain:
            return None
        if len(write.binders) != 1 or str(write.binders[0].kind) != local.shape.sort:
            return None
        self.matcher.does(self._work_of_all())
        outer = {var: self.env[var] for var in write.outer if var in self.env}
        what = ("sure", local.number(write.content))
        name = (*what, tuple(outer.items()), self.matcher.state.version)
        kept: Sure | None = unit.kept.get(name)
        if kept is None:
            select = write.selects[0]
            found = None if select is None else select(self.matcher.state.frame, self.env)
            kept, who = Sure(local.classes), numbers_of(local.classes, found)
        else:
            who = kept.changed()

        def evaluate(_: Question, at: int) -> None:
            self.env[write.binders[0]] = local.classes.entities[who[at]]
            self.is_sure(write)
            self.unbind(write)

        def question(at: int) -> Question | None:
            bound = local.bound(outer, local.classes.entities[who[at]])
            return None if bound is None else Question(what, numbers.item(at), bound=local.number(Bound(bound)))

        kept.forget(who)
        numbers = local.classes.of_number[who]
        asking = asking_bound(local, what, outer, numbers, who, self.matcher.state)
        if not asking.all(question, evaluate):
            unit.kept.pop(name, None)
            return None
        kept.note(who, np.array(asking.results, np.bool_)[asking.which] if len(who) else False)
        unit.kept[name] = kept
        return kept

    def is_sure(self, write: WritePlan) -> bool:
        """Whether a stage is sure to write a record under the present binding, asked once for a class."""
        local, env = self._local(), self.env
        if local is None or len(write.binders) != 1 or str(write.binders[0].kind) != local.shape.sort:
            return super().is_sure(write)
        entity = env[write.binders[0]]
        outer = {var: env[var] for var in write.outer if var in env}
        bound = None if entity is UNKNOWN else local.bound(outer, entity)
        if bound is None:
            return super().is_sure(write)
        what = ("sure", local.number(write.content))
        key = Question(what, local.classes.of(entity), bound=local.number(Bound(bound)))
        found = local.known(key, entity, self.frame, self.matcher.state.version)
        if found is NOT_LOCAL:
            return super().is_sure(write)
        if found is MISSING:
            with local.tracer.tracing(entity):
                found = all(part(self.matcher.state.frame, env) is True for part in write.parts)
            local.keep(key, found)
        return bool(found)
