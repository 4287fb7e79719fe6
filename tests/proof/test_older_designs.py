"""Designs and the ZooKeeper era: what is proved, what is declared violated and repaired, what guards are for."""

from collections.abc import Callable, Mapping
from functools import cache

import pytest

from fencepost.checkers.counterexample import holds
from fencepost.checkers.proof import Proof, hygiene, prove
from fencepost.model.kip46 import KIP46
from fencepost.model.kip46.mitigation import head_, number
from fencepost.model.kip46.state import queued
from fencepost.model.kip343 import KIP343
from fencepost.model.kip343 import state as of_343
from fencepost.model.kip631.v1 import KIP631_V1
from fencepost.model.kip631.v1 import state as of_631
from fencepost.model.kip631.v1.heartbeats import wants_shutdown
from fencepost.model.kip631.v1.partitions import chosen
from fencepost.model.kip631.v2 import KIP631_V2
from fencepost.model.language import TRUE, Always, Protocol, Step, first, just, those
from fencepost.model.museum.kip46_edits import MENDED, OR_COVERED, compares_brokers, compares_tasks, complete_in_sync
from fencepost.model.museum.kip631_v2 import KIP631_V2_MUSEUM
from fencepost.model.museum.zk_repairs import followers_first, isr_first
from fencepost.model.registry import FAMILIES
from fencepost.model.zk import ZK
from fencepost.model.zk import state as of_zk
from fencepost.model.zk.znodes import online

from .tiny import complete, failures, missed

Guards = Mapping[str, tuple[Protocol, str, str]]
"""What a guard is for: the tables without it, the row that then breaks a property."""
DECLARED = {
    "kip343": {
        *((row, "HI1t") for row in ("H3s", "H3a")),
        *((row, "M1") for row in ("H6", "H-reg", "H-gone", "H12")),
        *((row, "M3") for row in ("H8", "HE3")),
        *((row, "M3t") for row in ("H6", "H8")),
        *((row, "M3c") for row in ("H6", "H8", "HE3")),
        ("H7", "HI3c"),
        ("H7", "HI3r"),
        ("H8", "HIu"),
        ("H8", "M7"),
        ("HT1", "HI10l"),
        ("H11", "HIa"),
    },
    "kip46": {("SH3", "SI1"), ("SH9", "SI1"), ("SH3", "M6"), ("SH9", "M6"), ("SH6", "M5")},
    "kip631-v1": {("V1.1b", "K1"), ("V1.6", "K4"), ("V1.6", "M6h"), ("VC2", "M3"), ("VH1", "M3")},
    "kip631-v2": {("V2.4s", "K8o"), ("BA1", "M3"), ("BA3", "M3"), ("BS5", "M3"), ("BA3", "K13")},
    "zk": {
        *((row, "ZI16") for row in ("ZP2", "ZP3o", "ZP3u", "ZP3r", "ZP3p", "ZP3d", "ZR4", "ZR4i", "ZC5A1", "ZC5B3k")),
        *((row, "ZI2r") for row in ("ZC5U", "ZC5B6")),
        *((row, "ZI2m") for row in ("ZC5U", "ZC5B2", "ZC0")),
    },
}
"""Which rows break what is declared violated, and no other row does."""
EDITED = {entry.name: entry.edit(KIP631_V2) for entry in KIP631_V2_MUSEUM}
WITHOUT: dict[str, Guards] = {
    "kip343": {
        "the incarnation of a heartbeat": (KIP343.without("H2", why="any id"), "H4", "HI1"),
        "the incarnation of an IsrChange": (KIP343.without("H10", why="any id"), "H11", "HI2"),
        "the leader of an IsrChange": (KIP343.without("H11a", why="anybody"), "H11", "HI2"),
        "the empty ISR": (KIP343.without("H11b", why="any set"), "H11", "HI5"),
        "the version of a legacy write": (KIP343.without("H9a", why="any writer"), "H9w", "HI2w"),
        "who may lead": (
            KIP343.redefine("candidates", lambda old: of_343.isr[of_343.p], why="anybody in sync"),
            "HE1",
            "HI7",
        ),
        "who is in sync": (
            KIP343.redefine(
                "candidates",
                lambda old: those(of_343.x, of_343.state[of_343.x].isnt(of_343.INACTIVE)),
                why="anybody there",
            ),
            "HE1",
            "M5",
        ),
        "who is in the metadata": (
            KIP343.redefine("served", lambda old: those(of_343.x, TRUE), why="everybody"),
            "HE3",
            "HI4",
        ),
        "who is legacy": (KIP343.without("H9", why="none").but("H-reg", when=TRUE, why="all alike"), "H-reg", "HI6"),
    },
    "kip46": {
        "one after the other": (KIP46.redefine("head", lambda old: queued[number], why="any task"), "SH4", "SI3"),
        "the size of a chunk": (KIP46.redefine("few", lambda old: TRUE, why="any size"), "SH3b", "SI3s"),
        "only what was generated": (KIP46.but("SH5", when=head_(number), why="any task"), "SH5", "SI4"),
        "all partitions are written": (
            KIP46.but("SH3c", when=TRUE, why="the entry goes before the tasks are written"),
            "SH3c",
            "SI5",
        ),
    },
    "kip631-v1": {
        "the epoch of a heartbeat": (KIP631_V1.without("V1.5s", why="any epoch"), "V1.6", "K5e"),
        "the time of reuse": (KIP631_V1.without("V1.3", why="at once"), "V1.1b", "K2"),
        "the time of reuse, for leases": (KIP631_V1.without("V1.3", why="at once"), "V1.1b", "M3f"),
        "the features": (KIP631_V1.without("V1.4", why="whatever it supports"), "V1.1", "K7"),
        "leaderships before a shutdown": (KIP631_V1.but("V1.11", when=wants_shutdown, why="at once"), "V1.11", "K8"),
        "who is fenced is not elected": (
            KIP631_V1.redefine("electable", lambda old: chosen.in_(of_631.isr[of_631.p]), why="anybody in the ISR"),
            "VE1",
            "M1",
        ),
        "who is out of sync is not elected": (
            KIP631_V1.redefine("electable", lambda old: ~of_631.fenced[chosen], why="anybody unfenced"),
            "VE1",
            "M5",
        ),
        "a lease that is over": (
            KIP631_V1.redefine("lease_begins", lambda old: of_631.now, why="from the answer"),
            "VH1",
            "L5",
        ),
        "an earlier lease that was longer": (
            KIP631_V1.redefine("new_lease_end", lambda old: of_631.now + of_631.next_lease, why="the last one"),
            "V1.6r",
            "L5",
        ),
    },
    "kip631-v2": {
        "S-e: the next available offset": (EDITED["latest_committed"], "V2.6", "K1"),
        "the id is kept for a broker that is silent": (KIP631_V2.without("V2.6d", why="no conflict"), "V2.6", "K2"),
        "features": (KIP631_V2.without("V2.6f", why="any broker"), "V2.6", "K7"),
        "#9: the own registration": (EDITED["one_too_few"], "V2.1", "K4"),
        "#37: the partitions first": (EDITED["fence_first"], "V2.3", "K9"),
        "a registration takes the leaderships": (EDITED["keeps_leaders"], "V2.6", "K9"),
        "who is active": (EDITED["any_controller"], "V2.3", "M7"),
        "members are unfenced": (EDITED["fenced_member"], "AI5", "P7"),
        "#12: somebody is left": (EDITED["adding_only"], "V2.8d", "P3"),
        "logs are compared": (EDITED["keeps_stray_logs"], "BS3", "K13r"),
    },
    "zk": {
        "Z3: the check of the controller epoch": (ZK.without("ZP3m", why="no check"), "ZP3o", "ZI1"),
        "Z3: the check of a creation": (ZK.without("ZP2m", why="no check"), "ZP2", "ZI1w"),
        "Z3: the check of an AlterPartition": (ZK.without("ZC10m", why="no check"), "ZC10", "ZI1"),
        "Z3: the check of a topic's znode": (ZK.without("ZC5B6m", why="no check"), "ZC5B6", "ZI1w"),
        "a session": (ZK.without("ZP3s", why="no session needed"), "ZP3o", "ZI1w"),
        "Z5: the last member": (
            ZK.redefine("left", lambda old: of_zk.isr[of_zk.p] - just(of_zk.r), why="no member stays"),
            "ZR4",
            "ZI4",
        ),
        "a leader that leaves": (
            ZK.redefine("leads_on", lambda old: of_zk.leader[of_zk.p], why="it stays leader"),
            "ZR4",
            "ZI2",
        ),
        "a leader in the ISR": (
            ZK.redefine("moving_to", lambda old: first(of_zk.aim[of_zk.c], online(of_zk.c, of_zk.p)), why="anybody"),
            "ZP3r",
            "ZI7",
        ),
        "legal changes of partitions": (ZK.without("ZP0", why="anything goes"), "ZP1", "ZI8"),
        "legal changes of replicas": (ZK.without("ZR0", why="anything goes"), "ZR6", "ZI8r"),
        "Z1: the controller epoch of a request": (ZK.without("LI1", why="any requester"), "LI4", "ZI5"),
        "Z17: the broker epoch of a request": (ZK.without("LI2", why="any receiver"), "LI4", "ZI5p"),
        "the leader epoch of a request": (ZK.without("LI3", why="whatever it had"), "LI5", "ZI5a"),
    },
}
ANY_NUMBER = ("kip343", "kip631-v2")
"""Protocols of which a counterexample may need more than three entities of a sort."""
ALWAYS = {
    "kip631-v2": [
        *("S-e: the next available offset", "#9: the own registration", "members are unfenced"),
        *("#12: somebody is left", "features"),
    ],
    "zk": [
        *("Z3: the check of a creation", "Z5: the last member", "legal changes of partitions"),
        *("Z17: the broker epoch of a request", "the leader epoch of a request"),
    ],
}
"""Guards that every run leaves out; all of the other protocols."""
REPAIRED = {
    "SH11": (compares_brokers(KIP46).claiming(*MENDED), {"M5", "M6"}),
    "M5": (complete_in_sync(KIP46), {"SI1", "M6"}),
    "SH9, option 1": (compares_tasks(KIP46).claiming(*OR_COVERED), {"SI1", "M5", "M6"}),
}
REPAIRS = pytest.mark.parametrize("repair", [followers_first, isr_first])


@cache
def proved(name: str, seeds: int) -> Proof:
    """Return the proof of every property of every row, made once for several tests."""
    return prove(FAMILIES[name].whole, seeds=seeds, assumptions=False)


@pytest.mark.parametrize(
    ("name", "seeds"),
    [
        *(
            pytest.param(one, 2 if one == "zk" else 1, marks=pytest.mark.nightly(f"fencepost check {one}"))
            for one in DECLARED
        ),
        *(pytest.param(one, 20, marks=pytest.mark.exhaustive) for one in DECLARED),
    ],
)
def test_all_rows_are_proved_whatever_the_seed(name: str, seeds: int) -> None:
    """Every row keeps every property not declared violated, for any number of entities, from each of the seeds."""
    proof = proved(name, seeds)
    assert proof.seeds == tuple(range(1, seeds + 1))
    complete(proof)
    assert {(one.row, one.property) for one in proof.failed} == DECLARED[name]
    assert not proof.undeclared


@pytest.mark.parametrize(
    ("name", "seeds"),
    [
        pytest.param(one, seeds, marks=pytest.mark.nightly(f"fencepost check {one}"))
        for one, seeds in (("kip631-v1", 1), ("zk", 2))
    ],
)
def test_what_is_declared_violated_is_broken_by_these_rows_and_no_other(name: str, seeds: int) -> None:
    """The row leads out of a state in which every invariant holds, and the claim too."""
    proof = proved(name, seeds)
    assert set(failures(proof)) == DECLARED[name]
    for one in proof.failed:
        trace, claim = one.counterexample, FAMILIES[name].whole.property(one.property)
        assert trace is not None
        assert [step.row.id for step in trace.steps] == [one.row]
        assert isinstance(claim, (Always, Step))
        if isinstance(claim, Always):
            assert holds(claim.term, trace.start, trace.world)
            assert not holds(claim.term, trace.end, trace.world)


@pytest.mark.representative(*(f"{name}-{one}" for name, guards in WITHOUT.items() for one in ALWAYS.get(name, guards)))
@pytest.mark.parametrize(
    ("name", "guard"),
    [pytest.param(name, one, id=f"{name}-{one}") for name, guards in WITHOUT.items() for one in guards],
)
def test_a_guard_that_is_dropped_is_missed(name: str, guard: str) -> None:
    """Without the guard a row breaks the property, and the interpreter replays it."""
    missed(*WITHOUT[name][guard], most=None if name in ANY_NUMBER else 3)


@pytest.mark.parametrize("name", [pytest.param(one, marks=[pytest.mark.slow] * (one == "zk")) for one in DECLARED])
def test_tables_are_tidy(name: str) -> None:
    """No input is left without a row, no two rows of one kind overlap, and every row applies in some state."""
    assert hygiene(FAMILIES[name].whole).findings == ()


@pytest.mark.representative("SH11")
@pytest.mark.parametrize("name", list(REPAIRED))
def test_a_variant_keeps_what_it_is_for(name: str) -> None:
    """Brokers compared at failover keep SI1, tasks that end in sync M5, option 1 SI5; the rest stays as it was."""
    variant, broken = REPAIRED[name]
    proof = prove(variant, assumptions=False)
    complete(proof)
    assert {one.property for one in proof.failed} == broken


def test_a_fence_that_is_implicit_keeps_every_claim_of_the_explicit_one() -> None:
    """#37: with either form of FenceBroker the fenced broker leads nothing, and no epoch has two leaders."""
    proof = prove(
        EDITED["implicit_fence"],
        rows=("V2.2", "V2.3"),
        properties=("K9", "M2", "M5", "P1", "P2", "P3", "P7f", "P9"),
        assumptions=False,
    )
    assert (proof.refuted, proof.unknown, proof.expected) == (0, 0, 0), proof.lines()
    assert proof.proved


@pytest.mark.nightly("test_the_rows_of_a_repair_keep_every_property")
def test_repaired_creation_and_elections_keep_zi16() -> None:
    """Replicas Online before a leader is elected, and no New replica elected: then it only follows."""
    proof = prove(followers_first(ZK), properties=("ZI16", "ZLr"), assumptions=False)
    complete(proof)
    assert proof.expected == 0


@pytest.mark.nightly("test_the_rows_of_a_repair_keep_every_property")
def test_repaired_reassignment_keeps_zi2() -> None:
    """Replicas that leave the ISR before the lists: then the ISR is within them, in the znode and in the cache."""
    proof = prove(isr_first(ZK), properties=("ZI2", "ZI2r", "ZI2m"), assumptions=False)
    complete(proof)
    assert proof.expected == 0


@pytest.mark.representative("isr_first")
@REPAIRS
def test_the_rows_of_a_repair_keep_every_property(repair: Callable[[Protocol], Protocol]) -> None:
    """The rows that a repair edits or adds keep the lemmas too that the repair relies on."""
    repaired = repair(ZK)
    rows = tuple(row.id for row in repaired.rows if row not in ZK.rows)
    assert rows
    complete(prove(repaired, rows=rows, assumptions=False))


@pytest.mark.nightly("test_the_rows_of_a_repair_keep_every_property")
@REPAIRS
def test_repairs_are_proved_with_their_lemmas(repair: Callable[[Protocol], Protocol]) -> None:
    """Every row of the repaired tables keeps every property, those too that the repair does not edit."""
    complete(prove(repair(ZK), assumptions=False))
