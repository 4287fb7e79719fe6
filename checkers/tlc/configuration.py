"""Bounds as configurations of TLC, and the files of a protocol: modules, each with its configuration."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from fencepost.checkers.verdicts import ExitCode, Refusal
from fencepost.model.language import AFTER_EVERY_RECORD, Always, LeadsTo, Property, Protocol, Row, Sometimes, Step
from fencepost.model.language.terms import Lit
from fencepost.model.language.walk import nodes

from .module import DEADLOCK, SYMMETRY, Module, render

LARGEST = 2**31 - 1
"""The greatest number that TLC computes with (tlc2.value.impl.IntValue)."""


def config_text(protocol: Protocol, bound: str, properties: tuple[str, ...] | None = None, name: str = "") -> str:
    """Return the configuration of TLC for a bound: by default with the properties that are declared to hold.

    Raises `Refusal` for a bound or a property that the protocol does not have.
    """
    return configuration(render(protocol, name), bound, properties)


def configuration(module: Module, bound: str, properties: tuple[str, ...] | None = None) -> str:
    """Return the configuration of a rendered module for a bound; raises `Refusal` for unknown bounds and properties."""
    protocol = module.protocol
    if bound not in protocol.bounds:
        raise Refusal(f"{protocol.name} has no bound {bound}: use one of {', '.join(protocol.bounds) or 'none'}.")
    sizes = protocol.bounds[bound].sizes
    literals = (node.value for node in nodes(*protocol.terms()) if isinstance(node, Lit))
    numbers = [*(one for one in literals if isinstance(one, int)), *(sizes[one.size] for one in module.constants)]
    if max(numbers, default=0) > LARGEST:
        raise Refusal(
            f"{protocol.name} at {bound}: TLC's numbers end at {LARGEST}, and {max(numbers)} is in the tables or the "
            "bound: give the bound a smaller size, or leave TLC out",
            ExitCode.INCONCLUSIVE,
        )
    chosen = declared(protocol) if properties is None else _properties(protocol, properties)
    temporal = [one for one in chosen if isinstance(one, LeadsTo)]
    if len(temporal) > 1:
        raise Refusal(f"{protocol.name}: TLC takes one specification a run: ask for one leads-to property at a time.")
    if temporal and module.model_sets:
        raise Refusal(f"{protocol.name}: {temporal[0].id} is about runs without end, which TLC does not ask of orbits.")
    specification = module.specifications[temporal[0].id] if temporal else "Spec"
    lines = [f"SPECIFICATION {specification}"]
    lines += [f"INVARIANT {module.invariants[p.id]}" for p in chosen if isinstance(p, (Always, Sometimes))]
    lines += [f"INVARIANT {module.still[p.id]}" for p in chosen if p.id in module.still]
    if DEADLOCK in (properties or ()) or (properties is None and not protocol.ends):
        lines.append(f"INVARIANT {DEADLOCK}")
    lines += [f"PROPERTY {module.invariants[p.id]}" for p in chosen if isinstance(p, (Step, LeadsTo))]
    if module.model_sets:
        lines.append(f"SYMMETRY {SYMMETRY}")
    lines += module.constant_lines(bound, protocol.bounds[bound].sizes)
    return "\n".join(lines) + "\n"


def ranges(module: Module, bound: str, id: str) -> str:
    """Return the configuration that asks whether a range alone disables a row short of the goal of a leads-to claim."""
    lines = ["SPECIFICATION Spec", f"INVARIANT {module.inside[id]}"]
    lines += module.constant_lines(bound, module.protocol.bounds[bound].sizes)
    return "\n".join(lines) + "\n"


def declared(protocol: Protocol) -> tuple[Property, ...]:
    """Return the properties that a run of TLC checks unless others are named: those declared to hold.

    Steps of certain rows are left out: TLC would try every binding of those rows for every transition. So are steps
    from record to record where a row writes several: TLC sees a row as one step.
    """
    whole = all(_one_step(row) for row in protocol.rows)
    wanted = (p for p in protocol.properties if isinstance(p, (Always, Step)) and p.expected == "holds")
    return tuple(
        p for p in wanted if isinstance(p, Always) or (not p.rows and (whole or p.scope != AFTER_EVERY_RECORD))
    )


def not_asked(protocol: Protocol, asked: Iterable[Property]) -> dict[str, str]:
    """Return the properties that a run of TLC which asks some leaves out, each with the reason."""
    ids = {one.id for one in asked}
    return {one.id: _reason(one) for one in protocol.properties if one.id not in ids}


def _reason(one: Property) -> str:
    if isinstance(one, LeadsTo):
        return f"of runs without end: --property {one.id}"
    if isinstance(one, Sometimes):
        return "a witness"
    if one.expected == "violated":
        return "declared violated"
    if isinstance(one, Step) and one.rows:
        return "of certain rows"
    if isinstance(one, Step) and one.scope == AFTER_EVERY_RECORD:
        return "from record to record"
    return "another was asked for"


def _one_step(row: Row) -> bool:
    """Return whether a row writes at most one record, and nothing before or after it."""
    return len(row.stages) < 2 and not any(one.binders for stage in row.stages for one in stage.written)


def _properties(protocol: Protocol, ids: tuple[str, ...]) -> tuple[Property, ...]:
    known = {one.id: one for one in protocol.properties}
    for id in ids:
        if id not in known and id != DEADLOCK:
            raise Refusal(f"{protocol.name} has no property {id}: use one of {', '.join((*known, DEADLOCK))}.")
    return tuple(known[id] for id in ids if id != DEADLOCK)


def instance(module: Module, bound: str, properties: tuple[str, ...] | None = None) -> dict[str, str]:
    """Return a module and its configuration for a bound by their file names, `kraft_tiny.tla` and `kraft_tiny.cfg`.

    TLC finds a configuration by itself where its file has the module's name. Raises `Refusal` for a bound or a property
    that the protocol does not have.
    """
    return {f"{module.name}.tla": module.text, f"{module.name}.cfg": configuration(module, bound, properties)}


def instances(name: str, whole: Protocol, bounds: Mapping[str, Protocol]) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the files of a protocol of a name: the module of all tables, then those of each bound, named after it.

    `bounds` has the slice of each bound. A bound has a module of its own: slices of one protocol share names.
    """
    module = render(whole, name)
    yield "", {f"{module.name}.tla": module.text}
    for bound, one in bounds.items():
        yield bound, instance(render(one, f"{name}_{bound}"), bound)
