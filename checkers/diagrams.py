"""State machines and lives as pictures, from the rows, and as Mermaid for Markdown; `drawing` makes SVG of them."""

from __future__ import annotations

import enum
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from fencepost.checkers.verdicts import Refusal
from fencepost.model.language import Protocol
from fencepost.model.language.kinds import EnumKind
from fencepost.model.language.lives import Change, Life, changes, has_states, life_of
from fencepost.model.language.lives import name_of as plain_name
from fencepost.model.language.machines import Edge, Machine, machines
from fencepost.model.registry import Family


@dataclass(frozen=True)
class Arrow:
    """A change from one state to another, and the lines that stand beside it."""

    source: str
    target: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Picture:
    """A picture of a life cycle: states by their usual names, arrows, and sentences below.

    `first` is the state in which it begins, None where it may begin in several; `starts` says by which rows.
    """

    title: str
    about: str
    states: tuple[str, ...]
    first: str | None
    arrows: tuple[Arrow, ...]
    starts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    everywhere: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()


def name_of(state: enum.Enum) -> str:
    """Return what Kafka calls a state, or its name in the tables."""
    from fencepost.model.zk.names import STATE_NAMES

    return STATE_NAMES.get(state) or plain_name(state)


def pictures(family: Family) -> tuple[Picture, ...]:
    """Return what there is to draw of a protocol: its state machines, then the lives of its brokers."""
    return (
        *(of_machine(one) for one in machines(family.whole)),
        *(found for one in family.lives if (found := of_life(family.whole, one)).arrows),
    )


def of_cells(protocol: Protocol, name: str | None) -> tuple[Picture, ...]:
    """Return what there is to draw of variables: the one with a name, else every one of an enumeration that changes.

    Raises `Refusal` for a name of no variable, or of one whose values are no states.
    """
    able = [one for one in protocol.states if has_states(one)]
    if name is None:
        chosen = [one for one in able if isinstance(one.kind, EnumKind)]
    else:
        chosen = [one for one in able if one.name == name]
        if not chosen:
            there = any(one.name == name for one in protocol.states)
            wrong = "has no states to draw, being no Bool or enumeration of one key" if there else "is no variable"
            raise Refusal(f"--cell {name}: {wrong}; {_which(one.name for one in able)}")
    return tuple(found for one in chosen if (found := of_life(protocol, life_of(one))).arrows)


def _which(names: Iterable[str]) -> str:
    listed = ", ".join(names)
    return f"there are {listed}" if listed else "the protocol has none that could be drawn"


def of_machine(machine: Machine) -> Picture:
    """Return a state machine as a picture: the rows of one table beside each arrow."""
    initial = getattr(machine.state.initial, "value", None)
    return Picture(
        _title(machine.table.name),
        machine.table.about,
        tuple(name_of(one) for one in machine.states),
        name_of(initial) if isinstance(initial, enum.Enum) and initial in machine.states else None,
        tuple(Arrow(name_of(e.source), name_of(e.target), _listed(e)) for e in machine.edges),
        {name_of(state): rows for state, rows in machine.starts.items()},
        remarks=(kept(machine),) if machine.kept else (),
    )


def of_life(protocol: Protocol, life: Life) -> Picture:
    """Return a life as a picture: events and rows beside each arrow; what comes from everywhere is said below."""
    found = changes(protocol, life)
    states = tuple(one for one in life.states if any(one in (c.source, c.target) for c in found))
    everywhere = _from_everywhere(found, states)
    arrows = [
        Arrow(
            one.source,
            one.target,
            tuple(
                f"{event} {', '.join(rows)}"
                for event, rows in one.rows.items()
                if (one.target, event, rows) not in everywhere
            ),
        )
        for one in found
    ]
    to: dict[str, tuple[str, ...]] = {}
    for target, event, rows in everywhere:
        to[target] = (*to.get(target, ()), f"{event} {', '.join(rows)}")
    remarks = [f"From every other state to {target}: {'; '.join(lines)}." for target, lines in to.items()]
    remarks += [f"Not drawn: {', '.join(life.apart)}, which sets a whole cluster up at once."] if life.apart else []
    drawn = tuple(one for one in arrows if one.lines)
    return Picture(_title(life.name), life.about, states, life.first or None, drawn, {}, to, tuple(remarks))


def _from_everywhere(found: Sequence[Change], states: tuple[str, ...]) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """Return the target, event and rows of what leads there from every other state, if these are three or more."""
    counted = Counter((one.target, event, rows) for one in found for event, rows in one.rows.items())
    return tuple(key for key, count in counted.items() if count == len(states) - 1 >= 3)


def _listed(edge: Edge) -> tuple[str, ...]:
    """The rows of an edge, two on a line, or all of them where it is a loop."""
    at_once = len(edge.rows) if edge.source is edge.target else 2
    return tuple(" ".join(edge.rows[k : k + at_once]) for k in range(0, len(edge.rows), at_once))


def _title(name: str) -> str:
    return name[:1].upper() + name[1:]


def kept(machine: Machine) -> str:
    """Return one sentence on the rows that leave the state as it is."""
    return f"These rows keep the state: {', '.join(machine.kept)}." if machine.kept else ""


# -- Mermaid -----------------------------------------------------------------------------------------------------------
def mermaid(picture: Picture) -> str:
    """Return a picture as the text of a Mermaid diagram."""
    lines = ["stateDiagram-v2"]
    lines += [f'    state "{one}" as {_id(one)}' for one in picture.states if _id(one) != one]
    lines += [f"    [*] --> {_id(picture.first)}"] if picture.first else []
    lines += [f"    [*] --> {_id(state)} : {', '.join(rows)}" for state, rows in picture.starts.items()]
    lines += [f"    {_id(arrow.source)} --> {_id(arrow.target)} : {_beside(arrow)}" for arrow in ordered(picture)]
    lines += [
        f"    note right of {_id(state)} : from every other state<br>{'<br>'.join(events)}"
        for state, events in picture.everywhere.items()
    ]
    return "\n".join(lines)


def mermaid_page(drawn: Sequence[Picture]) -> str:
    """Return pictures as Markdown with a Mermaid diagram each, and the sentences below it."""
    parts = ["# State machines"]
    for one in drawn:
        parts += [f"## {one.title}", one.about, f"```mermaid\n{mermaid(one)}\n```", *one.remarks]
    return "\n\n".join(part for part in parts if part) + "\n"


def _id(name: str) -> str:
    """A name that Mermaid takes for one word."""
    return re.sub(r"\W+", "_", name)


def _beside(arrow: Arrow) -> str:
    """Return the text beside an arrow: rows after commas, events below one another."""
    events = any(" " in line and line.split()[0].isalpha() for line in arrow.lines)
    return "<br>".join(arrow.lines) if events else ", ".join(" ".join(arrow.lines).split())


def ordered(picture: Picture) -> list[Arrow]:
    """Return the changes by how far they are from the first state, so that a diagram reads as a life does."""
    column = columns(picture)
    return sorted(picture.arrows, key=lambda a: (column[a.source], picture.states.index(a.source), column[a.target]))


def columns(picture: Picture) -> dict[str, int]:
    """Return how many changes each state is away from the first one; what is not reached so comes after all others."""
    first = picture.first or picture.states[0]
    column, frontier = {first: 0}, [first]
    while frontier:
        following = []
        for arrow in picture.arrows:
            if arrow.source in frontier and arrow.target not in column:
                column[arrow.target] = column[arrow.source] + 1
                following.append(arrow.target)
        frontier = following
    last = max(column.values()) + 1
    return {state: column.get(state, last) for state in picture.states}
