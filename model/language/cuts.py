"""Results that are cut: a controller is replaced when only the first records of what a row writes are committed.

A result that is no single batch may end there. What is left is the state after these records; what a new controller does before
anything else, given as updates of soft state, is replayed on it. So a protocol with its cuts is one of committed states: each run of it
is what some log of several controllers says, and each such log is a run.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import Any

from .effects import Applied, Assign, Effect, Every, Only, Write, flat
from .errors import caller
from .kinds import EntityKind, set_of
from .properties import AT_RESULT_BOUNDARIES, COMMITTED, Always, Property, Step
from .protocol import Protocol
from .records import record
from .tables import Row, Table
from .terms import TRUE, Term, Var
from .walk import expand, nary, stages

CUT_RESULTS = "cut results"
"""The name of the table of what is left of results."""


def pieces(effects: Iterable[Effect], when: Term[bool] = TRUE) -> Iterator[Effect]:
    """Yield the effects that write records, each of which is one stage: procedures and conditions around several are opened."""
    for effect in effects:
        if isinstance(effect, Applied):
            yield from pieces(expand(effect), when)
        elif isinstance(effect, Only):
            yield from pieces(effect.body, nary("and", (when, effect.when)))
        elif any(stage.written for stage in stages((effect,))):
            yield effect if when is TRUE else Only(when, (effect,))


def _part(piece: Effect) -> tuple[Effect, Var[Any]] | None:
    """Return the piece for some elements only, with the variable of these; None for a piece of one record."""
    if isinstance(piece, Only):
        inner = _part(piece.body[0])
        return None if inner is None else (Only(piece.when, (inner[0],)), inner[1])
    if isinstance(piece, Every) and isinstance(piece.var.kind, EntityKind):
        done = Var("done", set_of(piece.var.kind))
        return Every(piece.var, nary("and", (piece.when, piece.var.in_(done))), piece.body), done
    return None


def ghosts(effects: Iterable[Effect]) -> Iterator[Effect]:
    """Yield the plain updates of ghosts among some effects: what claims remember of a row, they remember of one that is cut."""
    for effect in effects:
        if isinstance(effect, (Applied, Only, Every)):
            inner = tuple(ghosts(expand(effect) if isinstance(effect, Applied) else effect.body))
            if inner:
                yield from inner if isinstance(effect, Applied) else (replace(effect, body=inner),)
        elif isinstance(effect, Assign) and effect.target.state.what == "ghost":
            yield effect


def cuts(row: Row, guard: Term[bool], claims: Write) -> Iterator[Row]:
    """Yield the row cut after each of its stages but the last, and inside those of one record for each of several elements."""
    found = tuple(pieces(row.effects))
    for number, piece in enumerate(found):
        inside = _part(piece)
        if inside is None and number == len(found) - 1:
            continue
        left, choose = (piece, ()) if inside is None else (inside[0], (inside[1],))
        yield replace(
            row,
            id=f"{row.id}_cut{number + 1}",
            when=guard,
            effects_=(*ghosts(row.effects), *found[:number], left, claims),
            say=None,
            throws="",
            choose=(*row.choose, *choose),
            why="",
            finding="",
            place=caller(),
        )


def with_cuts(
    protocol: Protocol,
    claiming: object,
    *,
    name: str,
    why: str,
    whole: Collection[str] = (),
    promised: Collection[str] = (),
) -> Protocol:
    """Return the protocol with every result cut anywhere, save those of the rows in `whole`, each of which writes a single batch.

    `claiming` are the updates with which a new controller begins; they are replayed on what is left of the result. What is claimed of
    states at result boundaries is claimed of committed state: where a result is cut, too. What is claimed of the steps of some rows is
    claimed of these rows cut, too, unless it is `promised` of whole results only; where that is said of all steps, any cut may break it.
    """
    claims = record("ControllerChange", replay=flat(claiming), name="ControllerChange", source="S3:171")()
    made = {
        row.id: tuple(cuts(row, protocol.guard(row), claims))
        for row in protocol.rows
        if row.changes and row.id not in whole
    }

    every = tuple(one.id for some in made.values() for one in some)

    def cut(ids: tuple[str, ...]) -> tuple[str, ...]:
        return (*ids, *(one.id for id in ids for one in made.get(id, ())))

    def also(claim: Property) -> Property:
        if isinstance(claim, Always):
            scope = COMMITTED if claim.scope == AT_RESULT_BOUNDARIES else claim.scope
            return replace(claim, scope=scope, by=cut(claim.by))
        if not isinstance(claim, Step):
            return claim
        if claim.id not in promised:
            out = tuple((id, why) for one, why in claim.left_out for id in cut((one,)))
            return replace(claim, rows=cut(claim.rows), by=cut(claim.by), left_out=out)
        return claim if claim.rows else replace(claim, expected="violated", by=(*claim.by, *every))

    return replace(
        protocol,
        name=name,
        tables=(
            *protocol.tables,
            Table(CUT_RESULTS, tuple(one for some in made.values() for one in some), "disjoint", why, {}, caller()),
        ),
        properties=tuple(also(one) for one in protocol.properties),
        base=protocol.base or protocol,
        why=why,
    )
