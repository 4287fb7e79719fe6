"""A partition of `kraft` as the controller's part of `kraft-data`: what each cell of the slice is there, and which row a step is.

`CELLS` maps the state, `CASES` the steps. A target says in which case a step of `kraft` has to be which row of the slice; that row's
guard and effects are then read in terms of `kraft`, by way of `CELLS`. Of the targets of a group the first whose case fits decides, and
the last fits always: a step that keeps all of the claims is a row of the slice, or changes nothing there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from fencepost.model.kraft import KRAFT
from fencepost.model.kraft import state as kraft
from fencepost.model.kraft.directories import BOTH_PARTS
from fencepost.model.language import State
from fencepost.model.language.kinds import EntityKind, ListKind, OptionKind, SetKind
from fencepost.model.language.refinement import Case, Group, Outside, Refinement, Target
from fencepost.model.language.terms import Before, Get, Named, Quant, SetOf
from fencepost.model.language.vocabulary import *
from fencepost.model.language.walk import free, nary, negation, nodes, rebuild, substitute

from . import controller, reassignment
from . import state as data
from .any_controller import any_controller as replaced
from .protocol import KRAFT_DATA
from .quantified import for_all

p, m, x, y, b = kraft.p, kraft.m, kraft.x, kraft.y, kraft.b
_there, _begins = kraft.exists_[p], ~kraft.exists_[p] & next_(kraft.exists_[p])
_isr, _elr, _leader, _topic = members(kraft.isr[p]), kraft.elr[p], kraft.leader[p], kraft.topic[p]
_replicas = members(kraft.replicas[p])


def _from_one(number: Term[int]) -> Term[int]:
    """An epoch of the partition as the slice counts: from 1, with 0 before the partition is created."""
    return when(_there, number + 1, Lit(0, number.kind))


# -- the state ---------------------------------------------------------------------------------------------------------
# fmt: off
CELLS: Mapping[Term[Any], Term[Any]] = {
    # what the controller has decided last
    data.partition_epoch:                        _from_one(kraft.partition_epoch[p]),
    data.leader_at[data.partition_epoch]:        _leader,
    data.epoch_at[data.partition_epoch]:         _from_one(kraft.leader_epoch[p]),
    data.isr_at[data.partition_epoch]:           _isr,
    data.elr_at[data.partition_epoch]:           _elr,
    reassignment.replicas_at[data.partition_epoch]: _replicas,
    data.min_isr_in[data.config]:                kraft.min_isr(p),
    # the proposal that is processed: one of each leader epoch in the slice, a request here
    data.alter_sent[data.e]:                     kraft.sent[m] & kraft.about[m].is_(p),
    data.proposed_under[data.e]:                 kraft.from_partition_epoch[m] + 1,
    data.proposed_isr[data.e]:                   members(kraft.wanted[m]),
    data.proposed_broker_epoch[data.e, data.x]:  kraft.member_epoch[m, x],
    # brokers: in the slice every stop that a new broker epoch follows has lost records, and a broker epoch of the slice is
    # all those of kraft from one such stop to the next (RF30 to RF32)
    data.broker_epoch[data.x]:                   kraft.epoch[x],
    data.crashed[data.b]:                        TRUE,
}
CHOSEN: Mapping[Term[Any], Term[Any]] = {
    # what an event of the slice chooses is what the step of kraft has chosen
    reassignment.new_isr:                        next_(_isr),
    reassignment.new_elr:                        next_(_elr),
    reassignment.new_replicas:                   next_(_replicas),
    controller.members_:                         next_(_isr),
    data.g:                                      next_(_leader),
    some(data.g):                                next_(_leader),
    data.e:                                      kraft.from_leader_epoch[m] + 1,
    data.c.is_(data.config + 1):                 TRUE,
}
# fmt: on
DECIDED = tuple(
    at[data.partition_epoch]
    for at in (data.leader_at, data.epoch_at, data.isr_at, data.elr_at, reassignment.replicas_at)
)
"""Variables of the slice that describe the partition; its other variables are history of its own steps."""
COUNTED: Mapping[Kind[Any], Kind[Any]] = {
    data.EPOCH: kraft.LEADER_EPOCH,
    data.VERSION: kraft.PARTITION_EPOCH,
    data.SIZE: kraft.SIZE,
}
"""The numbers of the slice, and those of `kraft` that they are."""
_marked = next_(kraft.recovery[p]).is_(kraft.Recovery.RECOVERING)


def _kind(kind: Kind[Any]) -> Kind[Any]:
    match kind:
        case EntityKind():
            return kraft.BROKER
        case OptionKind() | SetKind() | ListKind():
            return replace(kind, of=_kind(kind.of))
    return COUNTED.get(kind, kind)


def translated(term: Term[Any]) -> Term[Any]:
    """Return a term of the slice in terms of `kraft`; raises `ValueError` for a cell that `CELLS` does not have."""
    found = CELLS.get(term, CHOSEN.get(term))
    if found is not None:
        return found
    match term:
        case Named() | Before():
            return translated(term.term)
        case Var():
            return Var(term.name, _kind(term.kind))
        case Lit():
            return Lit(term.value, _kind(term.kind))
        case SetOf():
            return SetOf(kraft.BROKER, tuple(translated(item) for item in term.items))
        case Quant():
            return Quant(term.quantifier, Var(term.var.name, _kind(term.var.kind)), translated(term.body))
        case Get():
            raise ValueError(f"no cell of kraft corresponds to {term.state.name}")
    return rebuild(term, translated)


ANY_CONTROLLER = replaced(KRAFT_DATA)
_one_enough = at_least(just(data.x), data.min_isr) & data.f.in_(data.elr) & data.b.in_(data.elr)
_as_it_is = {
    reassignment.new_isr: data.isr,
    reassignment.new_elr: data.elr,
    reassignment.new_replicas: reassignment.replicas,
}
KEPT: tuple[Always, ...] = (
    always("RK1", absent(data.leader) | data.leader.in_(data.isr), "The leader is in the ISR.", "KIP-966"),
    always(
        "RK2",
        at_least(data.isr, data.min_isr).implies(data.elr.is_(data.NOBODY)),
        "With an ISR of min.insync.replicas members the ELR is empty.",
        "KIP-966",
    ),
    always(
        "RK3",
        forall(data.x, ~(data.x.in_(data.isr) & data.x.in_(data.elr))),
        "No broker is both in the ISR and eligible.",
        "KIP-966",
    ),
    always(
        "RK4",
        for_all(data.x, data.f, data.b, _one_enough.implies(data.f.is_(data.b))),
        "If one replica is enough, at most one is eligible.",
        "KIP-966",
    ),
    always(
        "RK7",
        (data.isr | data.elr) <= reassignment.replicas,
        "Members of the ISR and of the ELR are replicas.",
        "KIP-966",
    ),
)
"""Invariants of the slice, on which a step of `kraft` may rely: as long as its steps are rows of the slice, its states are states of it."""
AGAIN = always(
    "RK6",
    (data.partition_epoch > 0).implies(substitute(ANY_CONTROLLER.row("DC21").when, _as_it_is)),
    "A change may be written that changes nothing of this: DC21 with the ISR, the ELR and the replicas that there are.",
    "KIP-966",
)
SLICE = ANY_CONTROLLER.claiming(*KEPT, AGAIN, name="kraft-data+any-controller")
"""The slice with any controller that keeps to the interface: its theorem is one of every controller that refines it."""


# -- the steps ---------------------------------------------------------------------------------------------------------
_same_minimum = ~_there | next_(kraft.min_insync_of(_topic)).is_(kraft.min_insync_of(_topic))


def step_of(row: Row) -> Term[bool]:
    """Return that a step of the partition `p` of `kraft` is a row of the slice: under its guard, with its effects and no other.

    A result may write the partition more than once, first with what the slice does not have, as in which directories it is: so the
    partition epoch rises by one or more, each but the last of which is a DC21 that changes nothing (`AGAIN`). A proposal is taken
    in one record.
    """
    written = {update.target.state: update.value for stage in row.stages for update in stage.updates}
    epoch = CELLS[data.partition_epoch]
    parts = [translated(row.when)]
    if _state(data.partition_epoch) in written:
        risen = translated(written[_state(data.partition_epoch)])
        parts.append(next_(epoch).is_(risen) if data.e in row.params else next_(epoch) >= risen)
    for cell in DECIDED:
        value = written.get(_state(cell))
        parts.append(next_(CELLS[cell]).is_(CELLS[cell] if value is None else translated(value)))
    if _state(data.config) not in written:
        parts.append(_same_minimum)
    unclean = _state(data.unclean_at[data.e])
    if unclean in written and not any(isinstance(one, Get) and one.state is unclean for one in nodes(written[unclean])):
        parts.append(_marked)
    return nary("and", parts)


def _state(cell: Term[Any]) -> State[Any]:
    assert isinstance(cell, Get)
    return cell.state


_new_epoch = forall(x, kraft.epoch[x] < next_(kraft.epoch[b]))
_only_its_epoch = forall(x, x.isnt(b).implies(next_(kraft.epoch[x]).is_(kraft.epoch[x])))


def _follows(row: Row) -> Term[bool]:
    """Return that a row of the slice may follow the step: it has the broker `b` back under a broker epoch that none has had."""
    return next_(translated(row.when)) & _new_epoch & _only_its_epoch


_taken_away = kraft.registered[x] & ~next_(kraft.registered[x])
_decides = next_(kraft.partition_epoch[p]).isnt(kraft.partition_epoch[p])
_same_leader = next_(_leader).is_(_leader) & next_(kraft.leader_epoch[p]).is_(kraft.leader_epoch[p])
_to_proposed = next_(_leader).in_(members(kraft.wanted[m]))
_alone = forall(x, forall(y, (x.in_(_isr) & y.in_(_isr)).implies(x.is_(y))))
_unchanged = nary("and", [_same_minimum, *(next_(CELLS[cell]).is_(CELLS[cell]) for cell in DECIDED)])


OUTSIDE = (
    Outside("RO1", ~_there | ~next_(_there), "The partition is deleted, or not there."),
    Outside(
        "RO2",
        (kraft.elr_level < 1) | next_(kraft.elr_level < 1),
        "Eligible leader replicas are off before or after (D21).",
    ),
    Outside("RO3", ~next_(kraft.undisturbed(p)), "A record was computed from an outdated state (D26, D34)."),
    Outside(
        "RO4",
        next_(_topic).isnt(_topic) | next_(kraft.replication[_topic]).isnt(kraft.replication[_topic]),
        "The replication factor changes, and with it what is enough (D25).",
    ),
    Outside(
        "RO5", kraft.miscounted(p), "The index of eligible leader replicas is wrong: a change is written twice (D6)."
    ),
    Outside("RO8", ~next_(_elr <= _replicas), "A broker that is no replica is eligible (D15)."),
)
_UNNAMED = Outside(
    "RO6",
    exists(x, x.in_(kraft.wanted[m]) & kraft.member_epoch[m, x].is_(-1)),
    "The proposal names a member without its broker epoch (before KIP-903).",
)
_DECREE = (
    "A reassignment that is cancelled uncleanly puts an old replica into the ISR that was not proposed, without a mark."
)
_UNMARKED = "The leader's directory has failed: its proposal ends the recovery, and another is elected uncleanly without a mark."
_PAUSE = (
    "A broker that stopped in good order is back under another broker epoch: in the slice that is a pause, and the "
    "broker epoch stays."
)
_GONE = "A broker whose registration an operator takes away has no broker epoch until it registers again (RF7)."
BEGINNING = Group((Target("RF1", "DC1", _begins, "The partition begins."),), _unchanged, beside=True)
DECISIONS = Group(
    (
        Target("RF17", "DC17", ~_same_minimum & ~_decides, "Another minimum, and no change of the partition."),
        Target("RF18", "DC18", ~_same_minimum, "Another minimum, and the ELR is cleared."),
        Target("RF0", "", ~_decides, "No change."),
        Target("RF21", "DC21", _same_leader, "The leader and its epoch stay.", ("RC4",), _DECREE),
        Target("RF22", "DC22", absent(next_(_leader)), "The next epoch has no leader.", ("RC4",), _DECREE),
        Target("RF23", "DC23", next_(_leader).in_(_isr), "A member of the ISR leads in the next epoch."),
        Target("RF24", "DC24", next_(_leader).in_(_elr) & _alone, "An eligible replica leads, of an ISR of one at most."),
        Target("RF28", "DC28", TRUE, "Any other broker leads, and the election is marked.", ("RC4",), _DECREE),
    ),
    _unchanged,
    OUTSIDE,
)  # fmt: skip
PROPOSALS = Group(
    (
        Target("RF0p", "", ~_decides, "The proposal is the ISR that there is."),
        Target("RF25", "DC25", _same_leader, "The proposal is accepted, and the leader stays."),
        Target("RF26", "DC26", absent(next_(_leader)), "The proposal is accepted, and the next epoch has no leader."),
        Target("RF27", "DC27", _to_proposed, "The proposal is accepted, and a proposed member leads in the next epoch."),
        Target("RF28p", "DC28", TRUE, "Any other broker leads, and the election is marked.", ("A14",), _UNMARKED),
    ),
    _unchanged,
    (*OUTSIDE, _UNNAMED),
    ("A14",),
)  # fmt: skip
RETURNS = Group(
    (Target("RF7", "DC7", TRUE, "A broker that has stopped uncleanly is back, and is in no list."),),
    _unchanged,
    OUTSIDE,
    ("R1", "R2u"),
    beside=True,
)
"""Cases of a step, each with its row of the slice: where the partition begins, in general, where a proposal is taken, and after a registration."""
EPOCHS = Group(
    (
        Target("RF30", "", exists(x, _taken_away), "A registration is taken away.", ("UR3",), _GONE),
        Target("RF31", "", TRUE, "Every broker keeps its broker epoch.", ("R2",), _PAUSE),
    ),
    forall(x, next_(kraft.epoch[x]).is_(kraft.epoch[x])),
    beside=True,
    but=dict.fromkeys(RETURNS.rows, "the broker has another broker epoch in the slice, too (RF7)"),
)
PAUSES = Group(
    (Target("RF32", "", TRUE, "A broker is back after a clean stop, under a broker epoch that none has had."),),
    _new_epoch & _only_its_epoch,
    rows=("R2",),
    beside=True,
)
"""Effects of a step on broker epochs."""
_TWICE = "It changes the same partition twice, the second time from the state before the first"
ASIDE = {"AD3": f"{_TWICE} (D26).", **dict.fromkeys(BOTH_PARTS, f"{_TWICE} (D34).")}
"""Rows of which nothing is asked. Of the partitions that AD3 does not change from an outdated state the claims do hold."""

APART = {
    "AC1": "Before the cluster is formatted there is no partition.",
    "AC3": "Before the cluster is formatted there is no partition.",
    "FE8": "Eligible leader replicas are switched off (D21).",
}
"""Rows all of whose steps are outside."""


def _cases(group: Group) -> Iterator[Case]:
    """Yield each target of a group with what it claims."""
    before = [negation(one.steps) for one in group.outside]
    if group.outside:
        before += [translated(one.term) for one in KEPT]
    about_one = any(p in KRAFT.row(row).params for row in group.rows)
    for target in group.targets:
        case = nary("and", [*before, target.case])
        goal = case.implies(_goal(group, target))
        never = negation(case)
        claim = step(
            target.id,
            goal if about_one or p not in free(goal) else forall(p, goal),
            target.about,
            "KIP-966",
            scope=AT_RESULT_BOUNDARIES,
            rows=group.rows,
            except_rows=group.but,
            expected="violated" if target.broken else "holds",
            by=target.broken,
        )
        unseen = replace(
            claim, term=never if about_one or p not in free(never) else forall(p, never), expected="holds", by=()
        )
        yield Case(group, target, claim, unseen)
        before.append(negation(target.case))


def _goal(group: Group, target: Target) -> Term[bool]:
    if not target.row:
        return group.kept
    row = SLICE.row(target.row)
    return _follows(row) if data.b in row.params else step_of(row)


CASES = tuple(case for group in (BEGINNING, DECISIONS, PROPOSALS, RETURNS, EPOCHS, PAUSES) for case in _cases(group))
_copied = _begins & next_(kraft.partition_epoch[p]).isnt(0)
_begun = replace(BEGINNING, targets=tuple(replace(one, case=one.case & ~_copied) for one in BEGINNING.targets))
_decided = replace(DECISIONS, but={**ASIDE, **dict.fromkeys(PROPOSALS.rows, "the proposal that it takes is in no log")})
_shown = tuple(case for group in (_begun, _decided, RETURNS) for case in _cases(group))
IN_LOGS = tuple(case.claim for case in _shown)
"""The claims that a log shows: of a partition that begins, of decisions of the controller, of a broker that is back."""
_changes = _there & negation(_unchanged)


def _end(id: str, never: Term[bool], about: str) -> Step:
    return step(id, forall(p, negation(never)), about, "KIP-966", scope=AT_RESULT_BOUNDARIES, expected="violated")


ENDS = (
    *(_end(one.id, _changes & one.steps, one.about) for one in OUTSIDE),
    _end("RO7", _copied, "The partition is copied from ZooKeeper, with epochs of its own."),
    *(
        replace(
            case.never,
            id="RU1",
            about="An election is unclean and marked: what was acknowledged before it may be lost.",
            expected="violated",
        )
        for case in _shown
        if case.target.id == "RF28"
    ),
)
"""Claims, each declared violated, that a change of a partition is none of those of which the theorem says nothing, and no unclean
election. A log shows which are."""
MINIMUM = always(
    "RK5",
    (kraft.elr_level < 1) | kraft.cluster_min_set,
    "With eligible leader replicas the cluster has a min.insync.replicas.",
    "7.16",
    scope=AT_RESULT_BOUNDARIES,
)
"""Of `kraft`, for RF17: to finalize the feature again changes no minimum."""


def claiming(base: Protocol) -> Protocol:
    """Return `kraft`, or an edit of it, with the claims that its steps are rows of the slice.

    Nothing is claimed of steps without eligible leader replicas. R1 asks whether they are on, and is given the answer, which spares the
    solver a case for every partition.
    """
    on = base.redefine(
        "elr_on", lambda _: TRUE, why="nothing is claimed where they are off (RO2)", name=base.name, rows=("R1",)
    )
    return on.claiming(MINIMUM, *(case.claim for case in CASES))


KRAFT_REFINES = Refinement(
    claiming(KRAFT), SLICE, CASES, (*KEPT, AGAIN), (MINIMUM,), ASIDE, APART, claiming, IN_LOGS, ENDS, PROPOSALS.rows,
    "AcknowledgedIsKept",
)  # fmt: skip
"""The claim that `kraft` refines `kraft-data` with any controller."""
