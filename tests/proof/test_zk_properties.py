"""What the ZooKeeper-era tables claim of writes, answers, operations and messages: each refutes a mutant of its own."""

from functools import cache

import pytest

from fencepost.checkers.proof import prove
from fencepost.checkers.requirements import Mutant
from fencepost.model.language import Always, Protocol, Step, members
from fencepost.model.registry import find
from fencepost.model.zk import ZK
from fencepost.model.zk.answers import ANSWERS
from fencepost.model.zk.beginnings import BEGINNINGS
from fencepost.model.zk.lemmas import LEMMAS
from fencepost.model.zk.messages import MESSAGES
from fencepost.model.zk.partitions import clean, in_sync, next_epoch, preferred, replica_list
from fencepost.model.zk.phases import PHASES
from fencepost.model.zk.properties import PROPERTIES
from fencepost.model.zk.state import c, isr, leader_epoch, p, recovering
from fencepost.model.zk.written import WRITTEN
from fencepost.model.zk.znodes import lead, online
from tests.requirements.mutants import Judge, changed_rows, mutated

LATER = tuple(
    one
    for one in (*WRITTEN, *ANSWERS, *BEGINNINGS, *PHASES, *MESSAGES)
    if isinstance(one, Step) or (isinstance(one, Always) and not one.lemma)
)
EARLIER = tuple(one for one in (*PROPERTIES, *LEMMAS) if isinstance(one, (Always, Step)) and one.expected == "holds")
"""What was claimed before these: of single writes and states, and what induction needs."""


def without(falls: str, row: str, what: str) -> Mutant:
    """A row without a condition or an effect."""
    return Mutant(row, falls, without=what)


def instead(falls: str, row: str, old: str, new: str) -> Mutant:
    """A row with another term."""
    return Mutant(row, falls, change=old, to=new)


def dropped(falls: str, row: str) -> Mutant:
    """The tables without a row."""
    return Mutant(row, falls, dropped=True)


MUTANTS: tuple[Mutant, ...] = (
    instead("ZI17", "ZP3p", "isr[p]", "live[c]"),
    instead("ZI17a", "ZC10", "wanted", "isr[p]"),
    dropped("ZI17c", "ZC10d"),
    dropped("ZI17j", "ZC10j"),
    dropped("ZI17n", "ZC10f"),
    instead("ZI18n", "ZP2", "first_replicas", "isr[p]"),
    instead("ZI18o", "ZP3o", "in_sync(c, p)", "isr[p]"),
    instead("ZI18s", "ZP3r", "isr[p]", "in_sync(c, p)"),
    instead("ZI18d", "ZP3d", "staying(c, p)", "isr[p]"),
    instead("ZI18r", "ZR4", "left", "isr[p]"),
    instead("ZI19", "ZP3r", "moving_to", "head(assigned[c, p])"),
    instead("ZI19f", "ZP2", "first of assigned[c, p] in online(c, p)", "head(assigned[c, p])"),
    instead("ZI19p", "ZP3p", "preferred", "moving_to"),
    instead("ZI19u", "ZP3n", "unclean[topic[p]]", "true"),
    without("ZI19n", "ZP2n", "partition_state[c, p] = NEW"),
    instead("ZI19k", "ZR4", "leads_on", "none"),
    instead("ZI1o", "ZP3o", "own_epoch[c]", "written_in[p]"),
    instead("ZI20", "ZP3d", "recovering[p]", "true"),
    instead("ZI20l", "ZP3d", "recovering[p]", "false"),
    dropped("ZI20a", "ZC10h"),
    without("ZI8d", "ZP5", "partition_state[c, p] := NONEXISTENT"),
    without("ZI8e", "ZR1", "replica_state[c, p, r] := NEW"),
    without("ZI8k", "ZP3u", "settled(c, p)"),
    without("ZI8l", "ZR3", "settled_replica(c, p, r)"),
    without("ZI1f", "ZR4h", "moved(c)"),
    without("ZI1g", "ZC5A1m", "resign(c)"),
    dropped("ZI21", "ZC5y"),
    without("ZI21n", "ZC5", "aim[c] := target"),
    dropped("ZI21l", "ZC5a"),
    dropped("ZI21c", "ZC5d"),
    instead("ZI21o", "ZC5U", "merged", "target"),
    without("ZI22", "ZC9u", "unknown"),
    instead("ZI22d", "ZC9", "topic[q] = t", "true"),
    without("ZI22l", "ZC9", "exists[q] := false"),
    without("ZI22q", "ZC9u", "unknown"),
    without("ZI23", "SE1", "if elected = c: elected := none"),
    without("ZI23e", "ZC0", "elected = none"),
    without("ZI24", "ZC0", "known_epoch[c, x] := broker_epoch[x]"),
    dropped("ZI10s", "ZC8u"),
    without("ZI25", "LI5", "applied[b, p] := cached_leader_epoch[c, p]"),
    dropped("ZI25f", "LI6"),
    without("ZI25s", "SR4", "leads[b, p] := false"),
    without("ZI25d", "SD4", "hosts[b, p] := false"),
    without("ZI25o", "SR5", "leads[b, p] := false"),
    without("ZI25x", "LI7", "heard[b] := own_epoch[c]"),
    without("ZI25u", "UM3", "sees[b] := live[c]"),
    instead("ZI30", "ZC0", "{x | alive[x]}", "shutting_down[c]"),
    without("ZI30n", "ZC4n", "live[c] := live[c] ∪ appeared"),
    instead("ZI30a", "ZC1a", "replicas[q]", "aim[c]"),
    instead("ZI30r", "ZC0", "alive[y]", "true"),
    instead("ZI30p", "ZC0", "stated[q]", "true"),
    instead("ZI30l", "ZC2l", "brokers", "live[c]"),
    without("ZI31", "ZR2", "assigned[c, p] := assigned[c, p] ++ [r]"),
    without("ZI31f", "ZR8", "cached_removing[c, p] := cached_removing[c, p] ∖ {r}"),
    without("ZI31r", "ZC5B2", "assigned[c, p] := targets(c, p)"),
    without("ZI31m", "ZC5B3", "due[c, p] := true"),
    without("ZI32", "ZC7a", "due[c, q] := true"),
    without("ZI32u", "ZC7u", "due[c, q] := true"),
    without("ZI32s", "ZC8a", "b ∈ assigned[c, q]"),
    without("ZI32r", "ZC3c", "resumed[c, q] := false"),
    without("ZI32d", "ZC9b", "due[c, q] := partition_state[c, q] ≠ NONEXISTENT"),
    without("ZI32z", "ZC9z", "deleting[c, t]"),
    without("ZI26n", "ZC8c", "call[c] := IDLE"),
    instead("ZI26o", "ZC0", "OVER_ONLINE", "OVER_ELECT"),
    without("ZI26b", "ZC4b", "fail(c, bounced)"),
    instead("ZI26", "ZC3b", "START_ELECT", "OVER_ELECT"),
    without("ZI27a", "ZC1a", "due[c, q] := true"),
    without("ZI27b", "ZC1c", "due[c, q] := true"),
    without("ZI27c", "ZC1d", "every q with about[c, q]: due_replicas[c, q] := assigned[c, q]"),
    without("ZI27d", "ZC4d", "live[c] := live[c] ∖ brokers"),
    without("ZI27e", "ZC6c", "elect_leaderless(c)"),
    without("ZI27g", "ZC2r", "subjects[c] := returning[c]"),
    without("ZI27h", "ZC0", "due_replicas[c, q] := replicas[q] ∩ {x | alive[x]}"),
    without("ZI27i", "ZC6b", "due_replicas[c, q] := assigned[c, q] ∖ live[c]"),
    without("ZI27k", "ZC8b", "due_replicas[c, q] := assigned[c, q] ∩ subjects[c]"),
    without("ZI27l", "ZC5A1", "due_replicas[c, p] := cached_adding[c, p]"),
    without("ZI27m", "ZC5U", "due_replicas[c, p] := unneeded"),
    instead("ZI27n", "ZC9c", "partition_state[c, q] ≠ NONEXISTENT", "due[c, q]"),
    without("ZI27o", "ZC9d", "due_replicas[c, q] := assigned[c, q] ∖ online(c, q)"),
    without(
        "ZI27p",
        "ZC9e",
        "every q with about[c, q]: due_replicas[c, q] := assigned[c, q] ∩ online(c, q) ∖ deleted_on(c, q)",
    ),
    instead("ZI27q", "ZC9q", "failed", "live[c]"),
    without("ZI27f", "ZC2c", "due_replicas[c, q] := failed_replicas(c, q)"),
    without("ZI28b", "ZC4b", "shutting_down[c] := shutting_down[c] ∖ brokers"),
    without("ZI28c", "ZC2r", "subjects[c] := returning[c]"),
    without("ZI28r", "ZC2r", "subjects[c] := returning[c]"),
    instead("ZI28s", "ZP3d", "takes_over", "leader[p]"),
    instead("ZI28f", "ZR4", "left", "isr[p]"),
    without("ZI29", "ZP2", "tell(c, p, first_replicas)"),
    without("ZI29a", "ZP3r", "tell(c, p, aim[c])"),
    without("ZI29p", "ZC5A1", "told[c, p] := told[c, p] ∪ to"),
    without("ZI29d", "ZP3d", "told[c, p] := told[c, p] ∪ to"),
    without("ZI29n", "ZR1", "tell(c, p, {r})"),
    without("ZI29i", "ZR4", "tell(c, p, others)"),
    without("ZI29s", "ZR4c", "stopped[c, p] := stopped[c, p] ∪ {r}"),
    without("ZI29e", "ZR5", "erased[c, p] := erased[c, p] ∪ {r}"),
    without("ZI29k", "ZR4k", "stop_epoch[c, p, r] := if deleting[c, topic[p]] then -1 else cached_leader_epoch[c, p]"),
    without("ZI29m", "ZP3p", "informed[c] := informed[c] ∪ live[c]"),
    without("ZI29r", "ZR3", "informed[c] := informed[c] ∪ live[c]"),
    without("ZI29u", "ZC4n", "informed[c] := live[c] ∪ appeared"),
)
"""Of each later claim a mutant that it refutes."""

ALONE = (
    "ZI10s", "ZI17c", "ZI18o", "ZI19n", "ZI1f", "ZI20a", "ZI21", "ZI22", "ZI22q", "ZI23", "ZI24", "ZI25",
    "ZI25d", "ZI25u", "ZI26", "ZI26b", "ZI26n", "ZI27c", "ZI27d", "ZI27e", "ZI27g", "ZI27i", "ZI27m", "ZI27o",
    "ZI27p", "ZI28b", "ZI28c", "ZI28r", "ZI29d", "ZI29i", "ZI29k", "ZI29m", "ZI29n", "ZI29p", "ZI29r", "ZI29s",
    "ZI30", "ZI30n", "ZI31", "ZI31f", "ZI31m", "ZI32r", "ZI32s", "ZI8e", "ZI8k", "ZI8l",
)  # fmt: skip
"""The claims whose mutant nothing earlier refutes: what was claimed before would have let it pass."""


@cache
def judge() -> Judge:
    """Return what is prepared once for all mutants."""
    return Judge(ZK)


def test_every_later_claim_has_a_mutant() -> None:
    """No claim is there that nothing shows to be needed."""
    assert sorted(one.falls for one in MUTANTS) == sorted({one.falls for one in MUTANTS})
    assert {one.id for one in LATER} == {one.falls for one in MUTANTS} | {"ZI21z"}


def survives(one: Mutant, *claims: Always | Step) -> bool:
    """Return whether all rows that a mutant changes keep all of the claims."""
    edited = mutated(ZK, one)
    return not any(judge().breaks(edited, row, *claims) for row in changed_rows(ZK, one))


@pytest.mark.slow
def test_a_claim_refutes_its_mutant() -> None:
    """Where the row is edited it breaks the claim, in a state that satisfies all invariants."""
    claims = {one.id: one for one in ZK.properties if isinstance(one, (Always, Step))}
    assert [one.falls for one in MUTANTS if survives(one, claims[one.falls])] == []


@pytest.mark.nightly("test_a_claim_refutes_its_mutant")
@pytest.mark.slow
def test_nothing_earlier_refutes_it() -> None:
    """The mutant keeps all that was claimed before: without the later claim it would be proved."""
    assert [one.falls for one in MUTANTS if one.falls in ALONE and not survives(one, *EARLIER)] == []


_ANYBODY = in_sync(c, p) | (members(replica_list) & online(c, p))
_written = ZK.row("ZP3o").effects[1:], ZK.row("ZP3p").effects[1:]
GROWING: dict[str, Protocol] = {
    "ZP3o": ZK.but(
        "ZP3o",
        effects=(lead(c, p, clean, _ANYBODY, next_epoch, recovering[p]), *_written[0]),
        why="every online replica joins the ISR after its leader was lost",
    ),
    "ZP3p": ZK.but(
        "ZP3p",
        effects=(lead(c, p, preferred, isr[p] | online(c, p), leader_epoch[p] + 1, recovering[p]), *_written[1]),
        why="every online replica joins the ISR by a preferred election",
    ),
}


@pytest.mark.representative("ZP3o")
@pytest.mark.parametrize("row", list(GROWING))
def test_replicas_that_are_not_in_sync_stay_out_of_the_isr(row: str) -> None:
    """One edit that takes live replicas into the ISR, which may lack records, is refuted by name (M5 rests on it)."""
    found = prove(GROWING[row], rows=(row,), properties=("ZI17",), assumptions=False)
    assert [(one.row, one.property, one.refuted) for one in found.failed] == [(row, "ZI17", True)]
    assert found.failed[0].counterexample is not None


def test_nothing_earlier_noticed_them() -> None:
    """All earlier claims are kept where replicas that are not in sync come into the ISR: they were too weak."""
    assert not any(judge().breaks(edited, row, *EARLIER) for row, edited in GROWING.items())


def test_the_order_of_a_target_is_kept() -> None:
    """A reassignment that lists the present replicas first, as the page has it, loses the order of its target."""
    edited = find("zk+page_merge_order").whole
    claim = ZK.property("ZI21z")
    assert isinstance(claim, Step)
    assert judge().breaks(edited, "ZC5U", claim)
    assert not judge().breaks(edited, "ZC5U", *EARLIER)
