"""Every construct of the language is proved where it should be and refuted where it should not."""

import enum
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from fencepost.checkers.proof import prove
from fencepost.model.language.vocabulary import *

from .tiny import SIZE, WORKER, failures, happening, v, w


class Job(Entity):
    """Something to be done."""


class Light(enum.Enum):
    """A traffic light."""

    RED = 0
    AMBER = 1
    GREEN = 2


JOB, TERM = sort(Job), counter("term")
j, k = JOB.var("j"), JOB.var("k")
n = TERM.var("n")


@dataclass(frozen=True)
class Case:
    """A protocol, the properties that every row of it keeps, and those that rows break, with the rows."""

    protocol: Protocol
    kept: tuple[str, ...]
    broken: dict[str, tuple[str, ...]]


def options() -> Case:
    """An option is taken by somebody and given up by all holders at once."""
    fit = per(WORKER, "fit", BOOL, ANY)
    holder = per(JOB, "holder", maybe(WORKER), NONE)
    take, leave = happening("Take", j, w), happening("Leave", w)
    return Case(
        protocol(
            "options",
            table(
                "jobs",
                take("TAKE", fit[w] & absent(holder[j]), holder[j].becomes(w)),
                leave("LEAVE", fit[w], fit[w].becomes(FALSE), every(j, holder[j].is_(w), holder[j].becomes(None))),
            ),
            properties=[
                always("held-by-the-fit", forall(j, present(holder[j]).implies(exists(v, holder[j].is_(v) & fit[v])))),
                step(
                    "never-handed-over",
                    forall(j, present(holder[j]).implies(absent(next_(holder[j])) | next_(holder[j]).is_(holder[j]))),
                ),
                always(
                    "one-job-each",
                    forall(j, forall(k, (present(holder[j]) & holder[j].is_(holder[k])).implies(j.is_(k)))),
                ),
            ],
        ),
        ("held-by-the-fit", "never-handed-over"),
        {"one-job-each": ("TAKE",)},
    )


def lists() -> Case:
    """A list is extended, cut down to a set, and made of a set."""
    order = cell("order", list_of(WORKER), ANY)
    among = cell("among", set_of(WORKER), ANY)
    other = cell("other", set_of(WORKER), ANY, what="fixed")
    add, cut, sorted_ = happening("Add", w), happening("Cut"), happening("Sort")
    return Case(
        protocol(
            "lists",
            table(
                "order",
                add("ADD", TRUE, order.becomes(then(order, only(w)))),
                cut("CUT", present(first(order, among)), order.becomes(keep(order, among))),
                sorted_("SORT", TRUE, order.becomes(ascending(among))),
            ),
            properties=[
                step(
                    "then-keeps-the-head",
                    present(head(order)).implies(next_(head(order)).is_(head(order))),
                    rows=("ADD",),
                ),
                step("then-adds-one", next_(members(order)).is_(members(order) | just(w)), rows=("ADD",)),
                step("first-is-the-head-of-keep", next_(head(order)).is_(first(order, among)), rows=("CUT",)),
                step("keep-intersects", next_(members(order)).is_(members(order) & among), rows=("CUT",)),
                step("ascending-has-the-members", next_(members(order)).is_(among), rows=("SORT",)),
                step("ascending-is-one-order", next_(keep(order, other)).is_(ascending(among & other)), rows=("SORT",)),
                step("nothing-is-left", next_(empty(drop(order, among))), rows=("SORT",)),
                step("then-puts-first", next_(head(order)).is_(w), rows=("ADD",)),
                step("keep-keeps-the-head", next_(head(order)).is_(head(order)), rows=("CUT",)),
                step("keep-keeps-all", next_(order).is_(order), rows=("CUT",)),
                step(
                    "ascending-changes-nothing",
                    (members(order).is_(among)).implies(next_(order).is_(order)),
                    rows=("SORT",),
                ),
            ],
        ),
        (
            "then-keeps-the-head",
            "then-adds-one",
            "first-is-the-head-of-keep",
            "keep-intersects",
            "ascending-has-the-members",
            "ascending-is-one-order",
            "nothing-is-left",
        ),
        {
            "then-puts-first": ("ADD",),
            "keep-keeps-the-head": ("CUT",),
            "keep-keeps-all": ("CUT",),
            "ascending-changes-nothing": ("SORT",),
        },
    )


def sets() -> Case:
    """A set is what a comprehension says, loses a member, and is compared with another."""
    fit = per(WORKER, "fit", BOOL)
    team = cell("team", set_of(WORKER))
    choose, gain, lose = happening("Choose"), happening("Gain", w), happening("Lose", w)
    return Case(
        protocol(
            "sets",
            table(
                "team",
                choose("CHOOSE", TRUE, team.becomes(those(v, fit[v]))),
                gain("GAIN", TRUE, fit[w].becomes(TRUE)),
                lose("LOSE", TRUE, fit[w].becomes(FALSE), team.becomes(team - just(w))),
            ),
            properties=[
                always("members-are-fit", forall(v, v.in_(team).implies(fit[v]))),
                always("a-subset-of-the-fit", team <= those(v, fit[v])),
                always("all-the-fit", those(v, fit[v]) <= team),
            ],
        ),
        ("members-are-fit", "a-subset-of-the-fit"),
        {"all-the-fit": ("GAIN",)},
    )


def thresholds() -> Case:
    """A decision waits for the lesser of a quorum and a team's size."""
    quorum = cell("quorum", SIZE, ANY, what="fixed")
    team = cell("team", set_of(WORKER), ANY, what="fixed")
    votes = cell("votes", set_of(WORKER))
    decided = cell("decided", BOOL)
    vote, decide = happening("Vote", w), happening("Decide")
    enough = at_least(votes, lesser(quorum, size_of(team, SIZE)))
    return Case(
        protocol(
            "thresholds",
            table(
                "votes",
                vote("VOTE", TRUE, votes.becomes(votes | just(w))),
                decide("DECIDE", enough, decided.becomes(TRUE)),
            ),
            properties=[
                always("enough", decided.implies(enough)),
                always(
                    "one-or-the-other", decided.implies(at_least(votes, quorum) | at_least(votes, size_of(team, SIZE)))
                ),
                always("all-of-the-team-are-as-many", (team <= votes).implies(at_least(votes, size_of(team, SIZE)))),
                always("a-quorum", decided.implies(at_least(votes, quorum))),
                always("the-size-of-the-team", decided.implies(at_least(votes, size_of(team, SIZE)))),
                always("the-team-itself", (decided & at_least(votes, size_of(team, SIZE))).implies(team <= votes)),
            ],
        ),
        ("enough", "one-or-the-other", "all-of-the-team-are-as-many"),
        {"a-quorum": ("DECIDE",), "the-size-of-the-team": ("DECIDE",), "the-team-itself": ("DECIDE",)},
    )


def greatest() -> Case:
    """A counter becomes the greatest of some."""
    seen = per(WORKER, "seen", TERM, 0)
    best = cell("best", TERM, 0)
    look, learn = happening("Look"), happening("Learn", w, n)
    return Case(
        protocol(
            "greatest",
            table(
                "terms",
                look("LOOK", TRUE, best.becomes(max_of(n, exists(v, seen[v].is_(n)), 0))),
                learn("LEARN", seen[w] < n, seen[w].becomes(n)),
            ),
            properties=[
                step("is-no-less-than-any", forall(v, seen[v] <= next_(best)), rows=("LOOK",)),
                step("is-one-of-them", next_(best).is_(0) | exists(v, seen[v].is_(next_(best))), rows=("LOOK",)),
                always("the-best-is-ahead", forall(v, seen[v] <= best)),
                step("never-goes-back", best <= next_(best), rows=("LOOK",)),
            ],
        ),
        ("is-no-less-than-any", "is-one-of-them"),
        {"the-best-is-ahead": ("LEARN",), "never-goes-back": ("LOOK",)},
    )


def enumerations() -> Case:
    """A light goes from one colour to the next."""
    light = cell("light", one_of(Light), Light.RED)
    go, wait, stop = happening("Go"), happening("Wait"), happening("Stop")
    return Case(
        protocol(
            "enumerations",
            table(
                "light",
                go("GO", light.is_(Light.RED), light.becomes(Light.GREEN)),
                wait("WAIT", light.is_(Light.GREEN), light.becomes(Light.AMBER)),
                stop("STOP", light.is_(Light.AMBER), light.becomes(Light.RED)),
            ),
            properties=[
                always("one-of-three", light.is_(Light.RED) | light.is_(Light.AMBER) | light.is_(Light.GREEN)),
                step("red-comes-after-amber", next_(light).is_(Light.RED).implies(light.isnt(Light.GREEN))),
                always("no-amber", light.isnt(Light.AMBER)),
            ],
        ),
        ("one-of-three", "red-comes-after-amber"),
        {"no-amber": ("WAIT",)},
    )


def counters() -> Case:
    """A counter has no end, and others follow it."""
    now = cell("now", TERM, 0)
    known = per(WORKER, "known", TERM, 0)
    tick, tell = happening("Tick"), happening("Tell", w, n, given=n <= now)
    return Case(
        protocol(
            "counters",
            table("time", tick("TICK", TRUE, now.becomes(now + 1)), tell("TELL", known[w] < n, known[w].becomes(n))),
            properties=[
                always("nobody-is-ahead", forall(v, known[v] <= now)),
                step("time-goes-on", now <= next_(now)),
                step("by-one", next_(now - 1).is_(now), rows=("TICK",)),
                always("two-at-most", now <= 2),
                always("all-know", forall(v, known[v].is_(now))),
            ],
        ),
        ("nobody-is-ahead", "time-goes-on", "by-one"),
        {"two-at-most": ("TICK",), "all-know": ("TICK",)},
    )


def every_update() -> Case:
    """An update of every element swaps values that are read before it."""
    left, right = per(WORKER, "left", BOOL, ANY), per(WORKER, "right", BOOL, ANY)
    chosen = per(WORKER, "chosen", BOOL, ANY, what="fixed")
    swap, set_ = happening("Swap"), happening("Set", w)
    both = (left[w].becomes(right[w]), right[w].becomes(left[w]))
    return Case(
        protocol(
            "every_update",
            table(
                "pairs", swap("SWAP", TRUE, every(w, chosen[w], *both)), set_("SET", chosen[w], left[w].becomes(TRUE))
            ),
            properties=[
                step(
                    "swapped",
                    forall(v, chosen[v].implies(next_(left[v]).is_(right[v]) & next_(right[v]).is_(left[v]))),
                    rows=("SWAP",),
                ),
                step("the-others-stay", forall(v, (~chosen[v]).implies(next_(left[v]).is_(left[v])))),
                step("left-stays", forall(v, next_(left[v]).is_(left[v]))),
            ],
        ),
        ("swapped", "the-others-stay"),
        {"left-stays": ("SWAP", "SET")},
    )


def conditional() -> Case:
    """An effect under a condition happens there only."""
    awake, rested = per(WORKER, "awake", BOOL, ANY), per(WORKER, "rested", BOOL, ANY)
    sleep = happening("Sleep", w)
    return Case(
        protocol(
            "conditional",
            table("nights", sleep("SLEEP", TRUE, only_if(awake[w], awake[w].becomes(FALSE), rested[w].becomes(TRUE)))),
            properties=[
                step("who-was-awake-rests", awake[w].implies(next_(rested[w]) & ~next_(awake[w])), rows=("SLEEP",)),
                step("who-was-not-does-not", (~awake[w]).implies(next_(rested[w]).is_(rested[w])), rows=("SLEEP",)),
                step("everybody-rests", next_(rested[w]), rows=("SLEEP",)),
            ],
        ),
        ("who-was-awake-rests", "who-was-not-does-not"),
        {"everybody-rests": ("SLEEP",)},
    )


def stages() -> Case:
    """Records are replayed over what the earlier ones left, with fields that are read before the row."""
    worker = required("worker", WORKER, "workerId")
    term = required("term", TERM)
    note = optional("note", BOOL)
    high, copy = cell("high", TERM, 0), cell("copy", TERM, 0)
    noted = cell("noted", BOOL)
    joined = per(WORKER, "joined", BOOL)
    raised = record("RAISED", term, fields=(note,), replay=(high.becomes(term.value), noted.becomes(note.over(noted))))
    copied = record(
        "COPIED", worker, term, replay=(copy.becomes(term.value), joined[worker.value].becomes(high <= term.value))
    )
    move = happening("Move", w)
    return Case(
        protocol(
            "stages",
            table("log", move("MOVE", TRUE, raised(high + 1, note=said(TRUE, if_=high.is_(copy))), copied(w, high))),
            properties=[
                step("the-copy-is-of-before", next_(copy).is_(high), scope=AT_RESULT_BOUNDARIES),
                step("the-replay-is-over-after", ~next_(joined[w]), scope=AT_RESULT_BOUNDARIES, rows=("MOVE",)),
                step(
                    "what-is-not-said-stays",
                    high.isnt(copy).implies(next_(noted).is_(noted)),
                    scope=AT_RESULT_BOUNDARIES,
                ),
                step("one-record-one-change", next_(high).is_(high) | next_(copy).is_(copy)),
                step("one-row-one-change", next_(high).is_(high) | next_(copy).is_(copy), scope=AT_RESULT_BOUNDARIES),
                step("the-copy-is-of-after", next_(copy).is_(next_(high)), scope=AT_RESULT_BOUNDARIES, rows=("MOVE",)),
                always("nobody-joins", forall(v, ~joined[v]), scope=AT_RESULT_BOUNDARIES),
                always("never-noted", ~noted),
            ],
        ),
        (
            "the-copy-is-of-before",
            "the-replay-is-over-after",
            "what-is-not-said-stays",
            "one-record-one-change",
            "nobody-joins",
        ),
        {"one-row-one-change": ("MOVE",), "the-copy-is-of-after": ("MOVE",), "never-noted": ("MOVE",)},
    )


CASES = (options, lists, sets, thresholds, greatest, enumerations, counters, every_update, conditional, stages)


@pytest.mark.representative("counters", "greatest")
@pytest.mark.parametrize("make", CASES, ids=lambda make: str(make.__name__))
def test_a_construct_is_proved_and_refuted(make: Callable[[], Case]) -> None:
    """What holds of a construct is proved for any number; what does not is refuted by the row that breaks it."""
    case = make()
    proof = prove(case.protocol)
    found = failures(proof)
    assert set(found) == {(row, name) for name, rows in case.broken.items() for row in rows}, proof.lines()
    assert proof.unknown == 0
    for (row, _), one in found.items():
        trace = one.counterexample
        assert one.refuted
        assert trace is not None, one.message
        assert trace.steps[-1].row.id == row
    for name in case.kept:
        alone = prove(case.protocol, properties=(name,), seeds=(1, 2))
        assert (alone.refuted, alone.unknown) == (0, 0), alone.lines()
        assert alone.proved >= 1
