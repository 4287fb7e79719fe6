"""What a lemma is for: the obligations that are not proved when it is no hypothesis any more."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from fencepost.checkers.document import Document
from fencepost.checkers.verdicts import Refusal
from fencepost.model.language import Always, Protocol, Step

from .obligations import claim_of
from .processes import shared, workers
from .prover import Answer, Prover, hypotheses, obligations
from .scope import Inexpressible

Pair = tuple[str, str]
PATIENCE = 60.0
"""Seconds for an obligation that neither short attempts nor a state of two entities a sort decide."""


@dataclass(frozen=True)
class Needs(Document):
    """What is left of a proof without one lemma: pairs of a row and a property, in the order of rows and properties.

    `refuted` are those that some state of few entities breaks which satisfies all other hypotheses: nothing but the
    lemma, or another one in its place, proves them. `unknown` are neither proved nor refuted. `asked` is how many were
    asked: those in which a row writes what another property reads.
    """

    DOCUMENT = "lemma=lemma.id about=lemma.about asked refuted unknown"

    lemma: Always
    asked: int
    refuted: tuple[Pair, ...]
    unknown: tuple[Pair, ...]

    @property
    def by_property(self) -> dict[str, tuple[str, ...]]:
        """The properties that need the lemma, each with the rows at which they do."""
        found: dict[str, list[str]] = {}
        for row, property in (*self.refuted, *self.unknown):
            found.setdefault(property, []).append(row)
        return {property: tuple(rows) for property, rows in found.items()}


def needs(protocol: Protocol, id: str, *, progress: Callable[[int, int, str], None] | None = None) -> Needs:
    """Return which obligations of a protocol are not proved without one of its hypotheses, a property on states.

    Every other obligation is asked once more with all other hypotheses, under one seed. Raises `Refusal` for an id that
    is no hypothesis: not a property on states, or one that is declared violated.
    """
    everything = hypotheses(protocol)
    lemma = next((one for one in everything if one.id == id), None)
    if lemma is None:
        has = ", ".join(one.id for one in everything) or "none"
        raise Refusal(f"prove {protocol.name}: {id} is no hypothesis of the proof; there are {has}")
    claims = [one for one in protocol.properties if isinstance(one, (Always, Step)) and one is not lemma]
    held = [one for one in claims if one.expected == "holds"]
    asked = [(row.id, claim.id) for row, claim, frame in obligations(protocol, protocol.rows, held) if not frame]
    prover = Prover(protocol, [one for one in everything if one is not lemma])
    with suppress(Inexpressible):
        prover.session(0)

    def make() -> Callable[[Any], Any]:
        def work(job: Pair) -> Answer:
            row, claim = protocol.row(job[0]), claim_of(protocol, *job)
            return prover.kept(row, claim, 1)

        return work

    answers: dict[Pair, Answer] = {}
    plan = [[one for one in asked if one[0] == row.id] for row in protocol.rows]
    for done, (job, answer, _) in enumerate(shared(make, plan, PATIENCE, workers()), 1):
        row, claim = job
        answers[row, claim] = answer or "unknown"
        if progress is not None:
            progress(done, len(asked), f"{row} × {claim}")
    refuted = tuple(one for one in asked if answers[one] == "refuted")
    unknown = tuple(one for one in asked if answers[one] not in ("proved", "refuted"))
    return Needs(lemma, len(asked), refuted, unknown)
