"""Completions for a shell: names of protocols and their variants, of bounds, of rows and of properties."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import typer

from fencepost.model.language import TableError
from fencepost.model.registry import FAMILIES, OF_MATRIX, Family, UnknownProtocol

NAMED = ("protocol", "variant", "what", "new", "from_")
"""The parameters of commands that name the protocol of which bounds, rows and properties are completed."""


def protocols(incomplete: str) -> list[str]:
    """Return the protocols that begin so: behind `+` the variants of one, behind `@` the releases of kraft.

    Variants are looked up for one protocol alone, once its name is written.
    """
    base, plus, _ = incomplete.partition("+")
    if plus:
        known = (f"{base}+{name}" for name in _variants(base.partition("@")[0]))
        return sorted(one for one in known if one.startswith(incomplete))
    if "@" in incomplete:
        from fencepost.model.releases import FORKS, RELEASES

        return [one for number in (*RELEASES, *FORKS) if (one := f"kraft@{number}").startswith(incomplete)]
    return [name for name in FAMILIES if name.startswith(incomplete)]


def _variants(base: str) -> Iterator[str]:
    from fencepost.model.museum import entries

    yield from OF_MATRIX
    for entry in entries(base):
        yield from (entry.name, *entry.also)
    if base == "kraft":
        from fencepost.model.findings import FINDINGS

        yield from (one.id for one in FINDINGS)


def bounds(context: typer.Context, incomplete: str) -> list[str]:
    """Return the bounds of the protocol that is named on the command line, none where none is."""
    return _of(context, incomplete, lambda family: family.bounds)


def rows(context: typer.Context, incomplete: str) -> list[str]:
    """Return the ids of the rows of the protocol that is named on the command line, none where none is."""
    return _of(context, incomplete, lambda family: (row.id for row in family.whole.rows))


def properties(context: typer.Context, incomplete: str) -> list[str]:
    """Return the ids of the properties of the protocol that is named on the command line, none where none is."""
    return _of(context, incomplete, lambda family: (one.id for one in family.whole.properties))


def steps_of_scenarios(incomplete: str) -> list[str]:
    """Return the first words of a scenario's steps that begin so; none of an empty word, for which files are shown."""
    from fencepost.checkers.scenarios.parsing import WORDS

    return [one for one in WORDS if incomplete and one.startswith(incomplete)]


def _of(context: typer.Context, incomplete: str, names: Callable[[Family], Iterable[str]]) -> list[str]:
    """Return the names of a protocol with this beginning; a shell never gets an error."""
    from fencepost.checkers.named import family
    from fencepost.checkers.verdicts import Refusal

    # Where the value of an option is what is to be completed, the parser leaves the arguments as they are.
    told = (*(context.params.get(one) for one in NAMED), *(one for one in context.args if not one.startswith("-")))
    said = next((one for one in told if isinstance(one, str)), None)
    if said is None:
        return []
    try:
        found = tuple(names(family(said)))
    except (UnknownProtocol, TableError, Refusal):
        return []
    return [one for one in dict.fromkeys(found) if one.startswith(incomplete)]


__all__ = ["bounds", "properties", "protocols", "rows", "steps_of_scenarios"]
