"""Checks of some rows: unproved properties of an edited one, and the rows that may break some properties."""

from collections.abc import Sequence

from fencepost.checkers.proof import Obligation
from fencepost.checkers.proof.obligations import claim_of
from fencepost.checkers.proof.prove import judged
from fencepost.checkers.proof.prover import STUTTER, Prover, hypotheses, obligations
from fencepost.checkers.proof.rankings import RankingStep, ranked
from fencepost.checkers.verdicts import Verdict
from fencepost.model.language import Always, Protocol, Step


def writers(protocol: Protocol, ids: Sequence[str]) -> list[str]:
    """Return the rows that write what some properties read, or are named by them; all others keep them by that."""
    claims = [one for one in protocol.properties if isinstance(one, (Always, Step)) and one.id in ids]
    assert {one.id for one in claims} == set(ids), ids
    listed = obligations(protocol, protocol.rows, claims)
    return list(dict.fromkeys(row.id for row, claim, frame in listed if not frame and claim in claims))


def failed(
    protocol: Protocol, id: str, properties: Sequence[str] | None = None, broken: str = ""
) -> tuple[Obligation, ...]:
    """Return what is not proved of a row, of all properties or of some, each refutation replayed by the interpreter.

    What is expected to be broken is looked for among few entities before a proof of it is tried.

    It is what `prove` of that row says. What `prove` asks besides says nothing of the row: that the first states keep
    the properties, that some state meets the condition of each, and that steps which change nothing keep them, where
    the row of the base asks for that too.
    """
    claims = [one for one in protocol.properties if isinstance(one, (Always, Step))]
    claims = [one for one in claims if properties is None or one.id in properties]
    assert properties is None or {one.id for one in claims} == set(properties), properties
    still: set[str] = set()
    if protocol.base is not None and any(row.id == id for row in protocol.base.rows):
        before = obligations(protocol.base, [protocol.base.row(id)], claims)
        still = {one.id for _, one, frame in before if frame}
    assumed = hypotheses(protocol)
    prover = Prover(protocol, assumed)
    found = []
    for row, claim, frame in obligations(protocol, [protocol.row(id)], claims):
        if frame and (isinstance(claim, Always) or claim.id in still):
            continue
        name = STUTTER if frame else row.id
        expected = prover.broken(row, claim, 1) if claim.id == broken and not frame else None
        answers = {(name, claim.id, 1): expected or prover.ask(None if frame else row, claim, 1)}
        found.append(judged(protocol, row.id, name, claim, answers, (1,), assumed, frame))
    return tuple(one for one in found if one.verdict is not Verdict.PROVED)


def of_ranking(protocol: Protocol, row: str, id: str) -> Obligation:
    """Return what few entities, else the proof, find of an obligation of a row or, for "nothing", of states alone."""
    whole = ranked(protocol)
    claim, assumed = claim_of(whole, row, id), hypotheses(whole)
    prover, at = Prover(whole, assumed), None if row == STUTTER else whole.row(row)
    asked = prover.broken(at, claim, 1) or prover.ask(at, claim, 1)
    return judged(whole, row, row, claim, {(row, id, 1): asked}, (1,), assumed, False)


def proved(protocol: Protocol) -> bool:
    """Return whether every obligation of a protocol is proved, those of its rankings among them."""
    assumed = hypotheses(protocol)
    prover = Prover(protocol, assumed)
    claims = [one for one in protocol.properties if isinstance(one, (Always, Step))]
    asked = [(None if frame else row, claim) for row, claim, frame in obligations(protocol, protocol.rows, claims)]
    asked += [
        (None, one) for one in claims if isinstance(one, Always) or (isinstance(one, RankingStep) and one.of_states)
    ]
    return all(prover.ask(row, claim, 1).answer == "proved" for row, claim in asked)
