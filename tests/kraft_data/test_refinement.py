"""Every row of `kraft` is a row of `kraft-data`, or none: what its steps do to a partition, any controller may do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import fencepost
from fencepost.checkers.proof import edited, refine
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kraft import KRAFT
from fencepost.model.kraft.brokers import i, named_dirs, no_contact, registers, told
from fencepost.model.kraft.builder import Election, change
from fencepost.model.kraft.cluster_records import TOPIC_MIN_INSYNC
from fencepost.model.kraft.configurations import deletes, n, size
from fencepost.model.kraft.records import PARTITION_CHANGE
from fencepost.model.kraft.state import b, electable, leader_epoch, p, replicas
from fencepost.model.kraft_data.refinement import KRAFT_REFINES
from fencepost.model.language import FALSE, Protocol, else_, first, literal, said
from fencepost.model.language.effects import Assign
from fencepost.model.registry import find

ROOT = Path(fencepost.__file__).resolve().parent
WHY = "an edit that breaks the interface"


def elects_anybody(base: Protocol) -> Protocol:
    """Where nobody may lead cleanly the first active replica does, without a mark."""
    return base.redefine("clean", lambda old: else_(old, first(replicas[p], electable(p))), why=WHY, rows=("EL3",))


def grows_by_itself(base: Protocol) -> Protocol:
    """An election puts every replica into the ISR, proposed or not."""
    effects = change(p, replicas[p], electable(p), election=literal(Election.PREFERRED))
    return base.but("EL3", effects=effects, why=WHY)


def keeps_the_leader_epoch(base: Protocol) -> Protocol:
    """Another leader leads in the leader epoch of the one before."""
    kept = [e for e in PARTITION_CHANGE.replay if not (isinstance(e, Assign) and e.target.state is leader_epoch.state)]
    return base.replaying(PARTITION_CHANGE.name, *kept, why=WHY)


def stays_after_an_unclean_stop(base: Protocol) -> Protocol:
    """A broker that stopped uncleanly registers and stays in its ISRs (KAFKA-18106)."""
    return base.but("R2u", effects=(registers(b, i, named_dirs, told), no_contact(b)), why=WHY)


def keeps_the_eligible(base: Protocol) -> Protocol:
    """Another minimum leaves the eligible leader replicas as they are (KAFKA-16540)."""
    return base.but("CF5", effects=TOPIC_MIN_INSYNC(n, value=said(size, if_=~deletes)), why=WHY)


def is_never_enough(base: Protocol) -> Protocol:
    """Whoever leaves the ISR is eligible, also where the ISR has min.insync.replicas members."""
    return base.redefine("enough_in_sync", lambda _: FALSE, why=WHY, rows=("OD3",))


def museum(name: str) -> Callable[[Protocol], Protocol]:
    """Return the edit of `kraft` that an entry of the museum makes."""
    return lambda _: find(f"kraft+{name}").whole


EDITS: dict[str, tuple[Callable[[Protocol], Protocol], str, set[str]]] = {
    "elects anybody": (elects_anybody, "EL3", {"RF28"}),
    "grows by itself": (grows_by_itself, "EL3", {"RF21"}),
    "keeps the leader epoch": (keeps_the_leader_epoch, "EL3", {"RF23"}),
    "stays after an unclean stop": (stays_after_an_unclean_stop, "R2u", {"RF7"}),
    "keeps the eligible": (keeps_the_eligible, "CF5", {"RF17"}),
    "is never enough": (is_never_enough, "OD3", {"RF21"}),
    "partition epochs stay": (museum("J1"), "EL3", {"RF0"}),
    "proposals under old partition epochs": (museum("A8-"), "A14", {"RF25"}),
    "members that restarted (KIP-903)": (museum("A13-"), "A14", {"RF25"}),
}


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_that_breaks_the_interface_is_refuted(name: str) -> None:
    """An edited row makes a step that is no row of the slice; the interpreter has replayed it."""
    edit, row, broken = EDITS[name]
    found = refine(edited(KRAFT_REFINES, edit(KRAFT)), rows=[row])
    assert found.verdict is Verdict.NOT_INDUCTIVE
    failed = found.of(row).failed
    assert broken <= {one.property for one in failed}, [(one.property, one.verdict) for one in failed]
    assert all(one.counterexample is not None and one.counterexample.steps for one in failed if one.refuted)
