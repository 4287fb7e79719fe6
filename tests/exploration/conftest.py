"""Small protocols that the tests of exploration share."""

import enum
from pathlib import Path

import pytest

from fencepost.model.language.vocabulary import *


@pytest.fixture(scope="session", autouse=True)
def _cache(tmp_path_factory: pytest.TempPathFactory) -> object:
    """Compile into a folder of the test session, so that every run starts cold and leaves nothing behind."""
    patch = pytest.MonkeyPatch()
    folder: Path = tmp_path_factory.mktemp("cache")
    patch.setenv("XDG_CACHE_HOME", str(folder))
    yield folder
    patch.undo()


class Manager(Entity):
    """A resource manager."""


class RM(enum.Enum):
    """The state of a resource manager."""

    WORKING = "working"
    PREPARED = "prepared"
    COMMITTED = "committed"
    ABORTED = "aborted"


@pytest.fixture(scope="session")
def two_phase() -> Protocol:
    """Two-phase commit as Lamport's TwoPhase.tla has it; TLC's published count for three managers is 288."""
    manager = sort(Manager)
    r, x, y = manager.var("r"), manager.var("x"), manager.var("y")
    state = per(manager, "rm_state", one_of(RM), initial=RM.WORKING)
    done = cell("done", BOOL)
    prepared, heard = per(manager, "prepared", BOOL), per(manager, "heard", BOOL)
    commit, abort = cell("commit", BOOL), cell("abort", BOOL)

    def on(name: str, *params: Term[Manager]):  # type: ignore[no-untyped-def]
        return event(name, *params, source="TwoPhase.tla")

    rows = table(
        "two phase",
        on("RcvPrepared", r)("T1", ~done & prepared[r], heard[r].becomes(TRUE)),
        on("Commit")("T2", ~done & forall(x, heard[x]), done.becomes(TRUE), commit.becomes(TRUE)),
        on("Abort")("T3", ~done, done.becomes(TRUE), abort.becomes(TRUE)),
        on("Prepare", r)("R1", state[r].is_(RM.WORKING), state[r].becomes(RM.PREPARED), prepared[r].becomes(TRUE)),
        on("ChooseToAbort", r)("R2", state[r].is_(RM.WORKING), state[r].becomes(RM.ABORTED)),
        on("RcvCommit", r)("R3", commit, state[r].becomes(RM.COMMITTED)),
        on("RcvAbort", r)("R4", abort, state[r].becomes(RM.ABORTED)),
    )
    consistent = forall(x, forall(y, ~(state[x].is_(RM.ABORTED) & state[y].is_(RM.COMMITTED))))
    return protocol(
        "two_phase",
        rows,
        properties=[
            always("Consistent", consistent),
            sometimes("SomeoneCommits", exists(x, state[x].is_(RM.COMMITTED))),
            sometimes("Both", exists(x, state[x].is_(RM.COMMITTED)) & abort),
            always("NobodyCommits", forall(x, state[x].isnt(RM.COMMITTED)), expected="violated"),
        ],
        bounds={"three": Bound({"Manager": 3})},
        ends=True,
    )


class Broker(Entity):
    """A broker."""


class Partition(Entity):
    """A partition."""


@pytest.fixture(scope="session")
def replicas() -> Protocol:
    """A little of everything: any initial list, records that replay in stages, sets, options, thresholds, counters."""
    broker, partition = sort(Broker), sort(Partition)
    epoch, size = counter("epoch"), threshold("size")
    b, p, x = broker.var("b"), partition.var("p"), broker.var("x")
    target, flag, lost = list_of(broker).var("target"), BOOL.var("flag"), set_of(broker).var("lost")
    assigned = per(partition, "assigned", list_of(broker), initial=ANY, what="fixed")
    asked = cell("asked", size, initial=ANY, what="fixed")
    isr = per(partition, "isr", set_of(broker))
    order = per(partition, "order", list_of(broker))
    leader = per(partition, "leader", maybe(broker), initial=NONE)
    at = per(partition, "at", epoch, initial=0)
    noted = cell("noted", maybe(epoch), initial=NONE)
    fenced = per(broker, "fenced", BOOL)

    q, members_, who, number = (
        required("partition", partition),
        optional("isr", set_of(broker)),
        optional("leader", maybe(broker)),
        required("broker", broker),
    )
    change = record(
        "Change",
        q,
        fields=(members_, who),
        replay=(
            isr[q.value].becomes(members_.over(isr[q.value])),
            leader[q.value].becomes(who.over(leader[q.value])),
            only_if(who.said, at[q.value].becomes(at[q.value] + 1)),
        ),
    )
    fence = record("Fence", number, replay=fenced[number.value].becomes(TRUE))
    active = let("active", those(x, ~fenced[x]))
    left = let("left", isr[p] - just(b))
    won = let("won", first(assigned[p], left))
    rows = table(
        "replicas",
        event("Create", p, source="test")(
            "C1",
            empty(isr[p]) & ~empty(assigned[p]),
            isr[p].becomes(members(assigned[p]) & active),
            order[p].becomes(drop(assigned[p], nobody(broker))),
            leader[p].becomes(first(assigned[p], active)),
        ),
        event("Fence", b, source="test")(
            "F1", ~fenced[b], every(p, b.in_(isr[p]), change(p, isr=left, leader=said(won, leader[p].is_(b)))), fence(b)
        ),
        event("Return", b, flag, source="test")("F2", fenced[b] & flag, fenced[b].becomes(FALSE)),
        event("Reorder", p, target, lost, source="test")(
            "O1",
            at_least(lost, asked) & (lost <= isr[p]) & members(target).is_(lost) & target.isnt(ascending(lost)),
            order[p].becomes(then(target, order[p])),
            noted.becomes(at[p]),
            at[p].becomes(at[p] + 1),
        ),
        event("Refuse", b, source="test")("X1", fenced[b]),
    )
    led = forall(p, present(leader[p]).implies(leader[p].in_(isr[p])))
    return protocol(
        "replicas",
        rows,
        properties=[
            always("Led", led, scope=AFTER_EVERY_RECORD),
            always("NoFencedMember", forall(p, forall(x, x.in_(isr[p]).implies(~fenced[x])))),
            always("AllOrNone", forall(p, at[p].is_(0)) | ~exists(p, at[p].is_(0)), scope=AFTER_EVERY_RECORD),
            always("SomeoneActive", ~empty(active), scope=AT_RESULT_BOUNDARIES),
            step("EpochGrows", forall(p, at[p] <= next_(at[p]))),
            step("OneAtATime", forall(p, at[p].is_(next_(at[p])) | forall(b, fenced[b].is_(next_(fenced[b]))))),
            step("Fenced", next_(fenced[b]), rows=("F1",), scope=AT_RESULT_BOUNDARIES),
            step("ReorderKeeps", next_(at[p]).is_(at[p]), rows=("O1",), scope=AT_RESULT_BOUNDARIES),
            sometimes("Leaderless", exists(p, ~empty(assigned[p]) & ~present(leader[p]) & ~at[p].is_(0))),
            sometimes("Noted", present(noted)),
        ],
        bounds={
            "tiny": Bound({"Broker": 2, "Partition": 2, "epoch": 1, "size": 2}),
            "led": Bound({"Broker": 2, "Partition": 1, "epoch": 2, "size": 1}, start=forall(p, ~empty(assigned[p]))),
        },
    )
