"""Lives found in the tables: every change that a run makes is there, and each is there because rows allow it."""

import itertools
import random

import pytest

from fencepost.model.language import TRUE, Bound, Protocol, Valuation, World, run, satisfying
from fencepost.model.language.lives import Life, cells_of, changes, state_at
from fencepost.model.registry import FAMILIES, find

LIVES = [
    pytest.param(family.whole, family.explored, life, id=f"{name}: {life.name}")
    for name, family in FAMILIES.items()
    for life in family.lives
]


def steps(protocol: Protocol, seed: int, length: int) -> list[tuple[str, Valuation, Valuation]]:
    """Return a random run at the first bound: each row that was run, the state before it and the state after it."""
    from fencepost.checkers.exploration.conditions import inside
    from tests.exploration.plain_exploration import initial_states

    draw = random.Random(seed)
    bound: Bound = protocol.bounds[next(iter(protocol.bounds))]
    world = World.of(bound.sizes, protocol.kinds)
    state = draw.choice(list(itertools.islice(initial_states(protocol, bound, world), 500)))
    found = []
    for _ in range(length):
        rows = [row for row in protocol.rows if row.changes]
        draw.shuffle(rows)
        for row in rows:
            guard = protocol.guard(row) & bound.given.get(row.event.name, TRUE)
            enabled = list(satisfying(guard, row.params, state, world))
            after = run(row, draw.choice(enabled), state, world).after if enabled else state
            if after != state and inside(after, world):
                found.append((row.id, state, after))
                state = after
                break
        else:
            break
    return found


@pytest.mark.representative(
    "kip343: a broker, as the controller sees it", "kip343: a broker's own process", "kip46: a broker that fails",
    "kip631-v2: a broker's own process", "kip46: a task of the queue",
)  # fmt: skip
@pytest.mark.parametrize(("whole", "explored", "life"), LIVES)
def test_every_change_of_a_run_is_there(whole: Protocol, explored: Protocol, life: Life) -> None:
    """What the interpreter makes of the rows, by chance, is a change of the life, with that row."""
    known = {
        (one.source, one.target, row) for one in changes(whole, life) for rows in one.rows.values() for row in rows
    }
    named = {one.name: one for one in cells_of(life)}
    seen = 0
    for seed in range(60):
        if seed >= 6 and seen:
            break
        for row, before, after in steps(explored, seed, 60):
            entities = {keys for state, keys in {*before, *after} if state.name in named and keys}
            for keys in entities:
                at = [
                    state_at(life, {one: values.read(one, keys if one.keys else ()) for one in named.values()})
                    for values in (before, after)
                ]
                if at[0] != at[1] and row not in life.apart:
                    assert (at[0], at[1], row) in known
                    seen += 1
    assert seen > 0


@pytest.mark.parametrize(("whole", "explored", "life"), LIVES)
def test_a_life_has_no_unknown_ends(whole: Protocol, explored: Protocol, life: Life) -> None:
    """It begins in its first state, and every state in it is reached from there."""
    found = changes(whole, life)
    reached = {life.first}
    for _ in life.states:
        reached |= {one.target for one in found if one.source in reached}
    assert {one.source for one in found} | {one.target for one in found} == reached
    assert all(one.source != one.target and one.rows for one in found)


def test_a_change_goes_with_its_row() -> None:
    """Without the controller's timer nothing makes a broker Inactive but its registration and a failover (S0:48)."""
    [life, _] = find("kip343").lives
    with_timer, without = (
        {row for one in changes(protocol, life) if one.target == "Inactive" for ids in one.rows.values() for row in ids}
        for protocol in (find("kip343").whole, find("kip343").whole.without("H6", why="no timer"))
    )
    assert with_timer - without == {"H6"}
    assert without == {"H-reg", "H-gone", "H12"}


def test_the_states_are_those_of_the_text() -> None:
    """From RUNNING a broker goes back to FENCED in KIP-631's first version, by an answer or the end of its lease."""
    [_, process] = find("kip631-v1").lives
    back = [
        one for one in changes(find("kip631-v1").whole, process) if (one.source, one.target) == ("RUNNING", "FENCED")
    ]
    assert [dict(one.rows) for one in back] == [{"HeartbeatReply": ("VH3",), "OwnLeaseExpires": ("V1.9",)}]
    [_, process] = find("kip631-v2").lives
    found = {(one.source, one.target): dict(one.rows) for one in changes(find("kip631-v2").whole, process)}
    assert ("RUNNING", "RECOVERY") not in found


def test_a_variant_has_a_life_of_its_own() -> None:
    """A variant's and a release's rows make its picture: KIP-46's queue without a check never drops a task."""
    assert find("kraft@4.2").lives == find("kraft").lives
    tasks = find("kip46").lives[1]
    whole = find("kip46").whole
    assert [one for one in changes(whole, tasks) if "DropTask" in one.rows]
    assert not [one for one in changes(whole.without("SH5", why="no check"), tasks) if "DropTask" in one.rows]
