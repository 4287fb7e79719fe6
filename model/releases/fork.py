"""Tables of a fork: those of the release that it was made from, with its own rules as edits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from fencepost.model.kraft.outdated import confined
from fencepost.model.language import Bound, Event, Protocol, Term
from fencepost.model.language.properties import Always, Assumption, Property, Step
from fencepost.model.language.tables import Clue
from fencepost.model.language.terms import Get

from .edits import Redefine, Tables
from .release import Release


@dataclass(frozen=True)
class Narrowed:
    """Claims that are made only of the partitions `p` for which a condition holds, as `there` says in words."""

    ids: tuple[str, ...]
    where: Term[bool]
    there: str


@dataclass(frozen=True)
class OfFork(Release):
    """A fork's tables: those of the release that it was made from, which is the `newer` one here, with its own rules.

    `title` is what the fork is called, with its release; `falls` are claims about Kafka's tables that the fork's rules
    make false, and that are not claimed of it; `narrowed` are claimed of some partitions only; `own` are claims about the
    fork's rules alone, which are made of the whole protocol. `sizes` are those of its own kinds at each bound. Definitions
    that the rules have otherwise mean the same in the claims.
    """

    title: str = ""
    falls: tuple[str, ...] = ()
    narrowed: tuple[Narrowed, ...] = ()
    own: tuple[Property, ...] = ()
    sizes: Mapping[str, int] = field(default_factory=dict)

    _of_it, _is_to_it = "rules of its own", "a fork of"

    @property
    def called(self) -> str:
        """The fork's name with its release."""
        return self.title

    @property
    def newest_level_name(self) -> str:
        """The highest metadata.version of the release that it was made from."""
        assert self.newer is not None
        return self.newer.newest_level_name

    def _made(
        self, base: Protocol, tables: Tables, claims: tuple[Property, ...], inputs: tuple[Assumption, ...]
    ) -> Protocol:
        made = super()._made(base, tables, claims, inputs)
        kept = (self._otherwise(one) for one in made.properties if one.id not in self.falls)
        return replace(made, properties=(*kept, *(self.own if base is self.newest else ())))

    def _at_its_level(self, bound: Bound) -> Bound:
        found = super()._at_its_level(bound)
        return replace(found, sizes={**found.sizes, **self.sizes})

    def _otherwise(self, claim: Property) -> Property:
        if not isinstance(claim, (Always, Step)):
            return claim
        term = claim.term
        for edit in self._edits:
            term = edit.rewriting(term) if isinstance(edit, Redefine) else term
        claim = claim if term is claim.term else replace(claim, term=term)
        for one in self.narrowed:
            claim = confined(claim, one.where, one.there) if claim.id in one.ids else claim
        return claim


def betrayed(target: Term[Any], *candidates: Term[Any]) -> Callable[[Event], Event]:
    """Return what adds to an event how its records betray a cell that no log shows."""
    assert isinstance(target, Get)
    return lambda event: replace(event, clues=(*event.clues, Clue(target, candidates)))
