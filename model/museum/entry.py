"""Museum entries: an edit of a base protocol, its story, and what must become of which property."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from fencepost.model.language import Bound, Property, Protocol, Step, Term


@dataclass(frozen=True)
class Expected:
    """The verdict that an engine must give: the property that fails, and the length of a shortest trace in rows.

    `bound` is the bound at which exploration finds it, `sizes` what differs from it; `start` and `given` replace its
    start condition and what it assumes of events. Proof refutes the property with a counterexample to induction; `row`
    is then the row that breaks it.
    """

    property: str
    length: int
    bound: str = "tiny"
    sizes: Mapping[str, int] | None = None
    row: str = ""
    start: Term[bool] | None = None
    given: Mapping[str, Term[bool]] | None = None

    def at(self, protocol: Protocol) -> Bound:
        """Return where the edited protocol and its base are explored; raises `KeyError` for an unknown bound."""
        base = protocol.bounds[self.bound]
        return replace(
            base,
            sizes={**base.sizes, **(self.sizes or {})},
            start=base.start if self.start is None else self.start,
            given=base.given if self.given is None else self.given,
        )


def _itself(protocol: Protocol) -> Protocol:
    return protocol


@dataclass(frozen=True)
class Entry:
    """A historical defect: its name, the ids under which Kafka knows it, the edit, and why it was wrong.

    `also` are further names. `ground` is a variant that the edit starts from. `claims` are properties that the protocol
    does not make, or makes in a weaker form. `within` is the slice that is searched, where it is not the first one.
    With `repairs` the base has the defect, and the edit takes it away.
    """

    name: str
    base: str
    known_as: str
    why: str
    edit: Callable[[Protocol], Protocol]
    expected: tuple[Expected, ...]
    also: tuple[str, ...] = ()
    ground: Callable[[Protocol], Protocol] = _itself
    claims: tuple[Property, ...] = ()
    within: Protocol | None = None
    repairs: bool = False

    def grounded(self, protocol: Protocol) -> Protocol:
        """Return what the edit starts from, with the claims."""
        return _claiming(self.ground(protocol), self.claims)

    def edited(self, protocol: Protocol) -> Protocol:
        """Return the variant, with the claims."""
        edited = _claiming(self.edit(self.ground(protocol)), self.claims)
        return replace(edited, name=f"{protocol.name}+{self.name}", base=protocol)

    def explored(self, first: Protocol) -> Protocol:
        """Return the variant of the slice that is searched, the first one where the entry names none.

        A slice of the entry's own has the bounds at which what is expected shows: the first under the name of the bound
        that it changes, further ones with the property behind it. A run may end there, since they allow little.
        """
        edited = self.edited(self.within or first)
        if self.within is None or not self.expected:
            return edited
        names = (
            one.bound if number == 0 else f"{one.bound}-{one.property}" for number, one in enumerate(self.expected)
        )
        events = {event.name for event in edited.events}
        bounds = {}
        for name, one in zip(names, self.expected, strict=True):
            bound = one.at(edited)
            bounds[name] = replace(bound, given={event: bound.given[event] for event in bound.given if event in events})
        return replace(edited, bounds={**edited.bounds, **bounds}, ends=True)


def _claiming(protocol: Protocol, claims: tuple[Property, ...]) -> Protocol:
    """Return the protocol with those claims that speak of rows which it has, or of no particular ones."""
    ids = {row.id for row in protocol.rows}
    made = []
    for one in claims:
        if isinstance(one, Step) and one.rows:
            rows = tuple(row for row in one.rows if row in ids)
            if not rows:
                continue
            one = replace(one, rows=rows)
        made.append(one)
    return protocol.claiming(*made, name=protocol.name) if made else protocol
