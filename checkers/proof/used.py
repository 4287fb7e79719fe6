"""What proves one obligation: the few hypotheses that suffice, and what is left of it without each of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fencepost.checkers.document import Document
from fencepost.checkers.verdicts import Refusal
from fencepost.model.language import Always, Protocol, Row, Step

from .asked import Answer
from .assumptions import without
from .cores import Core, recorded
from .obligations import excepted, hypotheses, obligations, selected
from .prover import Prover
from .rankings import ranked
from .recording import Recorder


@dataclass(frozen=True)
class UsedHypothesis(Document):
    """A hypothesis that an obligation rests on; `without` is what becomes of the obligation with all others but it.

    Where that is "proved", other hypotheses do in its place.
    """

    id: str
    about: str
    without: Answer


@dataclass(frozen=True)
class Used(Document):
    """The hypotheses that suffice for a row to keep a property, of `given` ones; with fewer of these it is not proved.

    `used` is None where no few were found, and where the `answer` is not that it is proved.
    """

    DOCUMENT = "row property answer given used"

    row: str
    property: str
    answer: Answer
    given: int
    used: tuple[UsedHypothesis, ...] | None


def used(protocol: Protocol, row_id: str, id: str) -> Used:
    """Return what proves that a row keeps a property, asked under one seed.

    Raises `Refusal` for an unknown id, for what is not asked (the row writes nothing which the property reads, or the
    property leaves it out), and for a claim of runs without end, which is several obligations.
    """
    whole = ranked(protocol)
    claims, rows = selected(whole, [id], [row_id])
    asked = [(row, one) for row, one, frame in obligations(whole, rows, claims) if not frame and one in claims]
    asked = [(row, one) for row, one in asked if not excepted(row, one)]
    if len(asked) > 1:
        raise Refusal(f"prove {protocol.name}: {id} is {len(asked)} obligations; name one: {_named(asked)}")
    if not asked:
        why = f"the row writes nothing that {id} reads, or {id} leaves it out"
        raise Refusal(f"prove {protocol.name}: {row_id} × {id} is not asked: {why}")
    [(row, claim)] = asked
    everything = hypotheses(whole)
    recorder = Recorder(whole, everything, cores={})
    recorder.seeds = (1,)
    related = _recorded(whole, row.id, claim.id)
    cores = [recorder.shrunk(row, claim, goal, related) for goal in recorder.goals_once(0, row, claim)]
    names = recorder.session(0).hypotheses
    if None in cores:
        answer = Prover(whole, everything).ask(row, claim, 1).answer
        return Used(row_id, id, answer, len(names), None)
    core = dict.fromkeys(one for some in cores for one in some or ())
    about = {one.id: one.about for one in everything} | {one.id: one.about for one in whole.assumptions}
    found = tuple(UsedHypothesis(one, about[one], _left(whole, row.id, claim, one)) for one in names if one in core)
    return Used(row_id, id, "proved", len(names), found)


def _named(asked: Sequence[tuple[Row, Always | Step]]) -> str:
    return ", ".join(one.id for _, one in asked)


def _recorded(protocol: Protocol, row: str, id: str) -> Core:
    """Return the hypotheses that are recorded for an obligation, none where none are."""
    found = recorded(protocol)
    kept = found.slices.get((row, id))
    return kept.hypotheses if kept is not None else found.cores.get((row, id), ())


def _left(whole: Protocol, row_id: str, claim: Always | Step, id: str) -> Answer:
    """Return what becomes of an obligation without one hypothesis."""
    bare = without(whole, (id,)) if any(one.id == id for one in whole.assumptions) else whole
    prover = Prover(bare, [one for one in hypotheses(bare) if one.id != id])
    return prover.kept(bare.row(row_id), claim, 1)
