"""A protocol's tables as a page for readers: what rows, properties or protocols have in common is printed once."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from functools import partial

from fencepost.model.language import Protocol, markdown
from fencepost.model.language.properties import Always, LeadsTo, Property, Sometimes, Step
from fencepost.model.language.render import (
    STATE_CLASSES,
    STATE_HEAD,
    assumed_lines,
    definitions,
    event_lines,
    procedure_lines,
    property_text,
    record_lines,
    rows_text,
    state_lines,
    text,
)
from fencepost.model.registry import FAMILIES

ORIGINS = {"kraft-whole": ("kraft-loop",), "zk-data": ("kraft-data",)}
"""Protocols that share variables, events, procedures and definitions with others, whose pages have these."""

LEMMAS = "Lemmas"
_LEMMAS = "Always, at result boundaries; a proof needs them, and no source makes them."


def page(protocol: Protocol) -> str:
    """Return the page of a protocol: events, state, rows, definitions, procedures, records, properties, assumptions."""
    lines = [f"# {protocol.name}", "", protocol.about, "", *_sections(protocol)]
    return "\n".join(lines).rstrip("\n") + "\n"


def _sections(protocol: Protocol) -> Iterator[str]:
    origins = [FAMILIES[name].whole for name in ORIGINS.get(protocol.name, ())]

    def entries(of: Callable[[Protocol], Mapping[str, str]], head: Sequence[str] = ()) -> Iterator[str]:
        """Yield the entries that no origin has, then the names of the others with the page that has them."""
        lines, elsewhere = of(protocol), {origin.name: of(origin) for origin in origins}
        own = [line for name, line in lines.items() if not any(had.get(name) == line for had in elsewhere.values())]
        if own:
            yield from (*head, *own, "")
        for origin, had in elsewhere.items():
            names = [f"`{name}`" for name, line in lines.items() if had.get(name) == line]
            if names:
                yield from (f"As in [{origin}]({origin}.md): {', '.join(names)}.", "")

    yield from ("## events", "")
    yield from entries(lambda one: event_lines(one, environment=False))
    yield from entries(lambda one: event_lines(one, environment=True), head=("Of the environment:", ""))
    yield from ("## state", "", STATE_CLASSES, "")
    yield from entries(state_lines, STATE_HEAD)
    yield from (markdown(table) for table in protocol.tables)
    yield from ("## definitions", "", "Names that guards and effects use.", "")
    yield from entries(_definition_lines)
    if procedure_lines(protocol):
        yield from ("## procedures", "", "What several rows do under one name, step by step.", "")
        yield from entries(procedure_lines)
    if protocol.records:
        yield from (*record_lines(protocol), "")
    yield from ("## properties", "")
    for heading, ids in _headings(protocol).items():
        yield from (f"### {heading}", "")
        if heading == LEMMAS:
            yield from (_LEMMAS, "")
        yield from entries(partial(_property_lines, ids=ids))
    if assumed := assumed_lines(protocol):
        yield from ("### Assumed", "", *assumed)


def _definition_lines(protocol: Protocol) -> dict[str, str]:
    """Return the entries of a protocol's definitions by what is defined; a name that depends on the row has several."""
    found: dict[str, str] = {}
    for one in definitions(protocol):
        name = one.split(" = ", 1)[0]
        found[name] = f"{found[name]}\n- `{one}`" if name in found else f"- `{one}`"
    return found


def _headings(protocol: Protocol) -> dict[str, list[str]]:
    """Return the ids of properties under headings that say when they hold, the lemmas last."""
    found: dict[str, list[str]] = {}
    for one in protocol.properties:
        found.setdefault(_heading(one), []).append(one.id)
    return dict(sorted(found.items(), key=lambda entry: entry[0] == LEMMAS))


def _heading(one: Property) -> str:
    match one:
        case Always(lemma=True):
            return LEMMAS
        case Always():
            return f"Always, {one.scope}"
        case Step():
            return f"Every step, {one.scope}"
        case Sometimes():
            return "Sometimes"
        case LeadsTo():
            return "Leads to"


def _property_lines(protocol: Protocol, ids: Container[str]) -> dict[str, str]:
    """Return the entries of some properties by id."""
    return {one.id: "\n".join(_property(one)) for one in protocol.properties if one.id in ids}


def _property(one: Property) -> Iterator[str]:
    """Yield what a property says, on whose word, and below it its term."""
    if isinstance(one, LeadsTo):
        yield from (f"- {property_text(one)}", *([f"  {one.about}"] if one.about else []))
        return
    notes = [one.source] if one.source else []
    if not isinstance(one, Sometimes) and one.expected == "violated":
        notes.append(f"declared violated: {one.finding}")
    words = [f"**{one.id}**", *([one.about] if one.about else []), *([f"({'; '.join(notes)})"] if notes else [])]
    yield f"- {' '.join(words)}"
    of = rows_text(one) if isinstance(one, Step) else ""
    yield f"  {'steps' + of + ': ' if of else ''}`{text(one.term)}`"
