"""Releases: the tables of the next newer one with named differences, each with its source and its traces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from fencepost.model.kraft.cluster import activate, begins, is_mv, mv_level, to, update
from fencepost.model.kraft.levels import METADATA_VERSION_LEVELS
from fencepost.model.kraft.state import elr_level, mv
from fencepost.model.language import Bound, Protocol, Term, always
from fencepost.model.language.properties import Always, Assumption, Property, Step, assume
from fencepost.model.language.terms import Eq
from fencepost.model.language.walk import rewrite

from .edits import Edit, Tables, Without, edited
from .zookeeper import MIGRATING, claimed

LEVEL_CLAIM = "MV"
"""The id of the claim that a release finalizes no metadata.version that it does not know."""


@dataclass(frozen=True)
class Difference:
    """One rule that a release has otherwise than the next newer one.

    `rule` says what the release does, `newer` what the next one does instead, `source` where that is written down,
    `shows` what a log shows of it. Either `edits` change the tables, or the rows `beyond` are none of the release's: they
    need a higher metadata.version than it has. `breaks` are properties that do not hold of the release for this reason, each
    with the id under which the defect is known.
    """

    name: str
    rule: str
    newer: str
    source: str
    shows: str
    edits: tuple[Edit, ...] = ()
    beyond: tuple[str, ...] = ()
    breaks: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Release:
    """A release of Kafka: the tables that its controller follows, at whichever metadata.version it runs.

    `name` is its number, as 4.2; `differences` tell it from the next `newer` one, None for the newest; `unexpressed` are
    sentences about rules of it that the tables do not tell apart. The tables are made when they are first asked for, and
    then raise `TableError` where an edit finds nothing to change.
    """

    name: str
    newest: Protocol = field(repr=False)
    newer: Release | None = field(default=None, repr=False)
    differences: tuple[Difference, ...] = ()
    unexpressed: tuple[str, ...] = ()

    @property
    def protocol(self) -> str:
        """The name of the release's tables: those called kraft are the newest release's."""
        return self.newest.name if self.newer is None else f"{self.newest.name}@{self.name}"

    @property
    def called(self) -> str:
        """Return the name of the software that the tables describe."""
        return f"Kafka {self.name}"

    @property
    def and_newer(self) -> tuple[Release, ...]:
        """The releases from the newest one to this."""
        return (*(() if self.newer is None else self.newer.and_newer), self)

    _of_it, _is_to_it = "rules of the older release", "older than"

    @property
    def newest_level(self) -> int:
        """The highest metadata.version of the release, as a level."""
        return METADATA_VERSION_LEVELS[self.newest_level_name]

    @property
    def newest_level_name(self) -> str:
        """The highest metadata.version of the release, by its name."""
        return [name for name in METADATA_VERSION_LEVELS if name.startswith(f"{self.name}-")][-1]

    @property
    def sliced(self) -> Protocol:
        """The slice of the newest tables that is explored; logs are checked without it."""
        from fencepost.model.kraft.explored import EXPLORED

        return EXPLORED

    @cached_property
    def tables(self) -> Tables:
        """The rows of the protocol for logs."""
        return self.newest.tables if self.newer is None else edited(self.newer.tables, self._edits)

    @cached_property
    def whole(self) -> Protocol:
        """The whole protocol: read and proved."""
        out = self.beyond
        return self._claiming(edited(self.tables, (Without(out),)) if out else self.tables)

    @cached_property
    def for_logs(self) -> Protocol:
        """The whole protocol and the rows that need a level which the release has not.

        A log at such a level is refused for the level, by the claim `LEVEL_CLAIM`, and not once more by each record that
        comes with it.
        """
        return self._claiming(self.tables) if self.beyond else self.whole

    @cached_property
    def migrating(self) -> Protocol:
        """The tables for logs of a cluster that comes from ZooKeeper, which controllers up to 3.9 know."""
        plain = self.for_logs
        return replace(
            plain,
            name=f"{plain.name}-migrating",
            about=f"The KRaft controller of Kafka {self.name} with the migration from ZooKeeper.",
            tables=edited(plain.tables, MIGRATING),
            properties=claimed(plain.properties),
            base=plain,
            why="the cluster comes from ZooKeeper",
        )

    @property
    def beyond(self) -> tuple[str, ...]:
        """The rows that need a higher metadata.version than the release has."""
        own = tuple(id for one in self.differences for id in one.beyond)
        return (*(() if self.newer is None else self.newer.beyond), *own)

    def _claiming(self, tables: Tables) -> Protocol:
        if self.newer is None:
            return self.newest
        known = always(
            LEVEL_CLAIM,
            mv <= self.newest_level,
            f"{self.called} knows metadata.version up to {self.newest_level} ({self.newest_level_name}).",
            source="MetadataVersion",
        )
        inputs = (
            assume(f"{LEVEL_CLAIM}-update", ~is_mv | (to <= self.newest_level), event=update.name),
            assume(f"{LEVEL_CLAIM}-format", mv_level <= self.newest_level, event=activate.name),
            assume(f"{LEVEL_CLAIM}-cut", mv_level <= self.newest_level, event=begins.name),
        )
        return self._made(self.newest, tables, (known,), inputs)

    @cached_property
    def explored(self) -> Protocol:
        """The slice that is explored, at the release's highest metadata.version; what differs outside it does not show."""
        return self.sliced if self.newer is None else self.of(self.sliced)

    def of(self, newest: Protocol) -> Protocol:
        """Return the newest tables, or a slice of them, as the release has it; what it does not have differs in nothing."""
        return self._made(newest, self._tables_of(newest), (), ())

    def _at_its_level(self, bound: Bound) -> Bound:
        """The bound with a start that has the release's highest level, and its eligible leader replicas."""
        has_elr = self.newest_level >= 23

        def other(term: Term[Any]) -> Term[Any] | None:
            if isinstance(term, Eq) and term.left is mv:
                return mv.is_(self.newest_level)
            if isinstance(term, Eq) and term.left is elr_level and not has_elr:
                return elr_level.is_(0)
            return None

        return replace(bound, start=rewrite(bound.start, other))

    def _tables_of(self, newest: Protocol) -> Tables:
        if self.newer is None:
            return newest.tables
        return edited(self.newer._tables_of(newest), self._edits, slice_=newest is not self.newest)

    def steps(self) -> Iterator[tuple[Difference, Tables, Tables]]:
        """Yield each difference with the rows before and after it, beginning with those of the next newer release."""
        if self.newer is not None:
            before = self.newer.tables
            for one in self.differences:
                after = edited(before, one.edits)
                yield one, before, after
                before = after

    @property
    def _edits(self) -> tuple[Edit, ...]:
        return tuple(edit for one in self.differences for edit in one.edits)

    @property
    def broken(self) -> dict[str, str]:
        """The properties that do not hold of the release, each with the defect that is the reason."""
        older = {id: defect for one in self.differences for id, defect in one.breaks}
        return {**({} if self.newer is None else self.newer.broken), **older}

    def _made(
        self, base: Protocol, tables: Tables, claims: tuple[Property, ...], inputs: tuple[Assumption, ...]
    ) -> Protocol:
        assert self.newer is not None
        events = {row.event.name for table in tables for row in table.rows}
        return replace(
            base,
            name=self.protocol,
            about=f"The KRaft controller of {self.called}: the tables of {self.newer.name} with {len(self.differences)} "
            f"{self._of_it}.",
            tables=tables,
            properties=(*(_declared(one, self.broken.get(one.id, "")) for one in base.properties), *claims),
            inputs=(*(one for one in base.inputs if one.event in events), *inputs),
            bounds={name: self._at_its_level(bound) for name, bound in base.bounds.items()},
            base=base,
            why=f"{self.called} is {self._is_to_it} {self.newer.name}",
        )


def _declared(one: Property, defect: str) -> Property:
    if defect and isinstance(one, (Always, Step)):
        return replace(one, expected="violated", finding=defect, by=())
    return one
