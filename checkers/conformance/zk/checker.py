"""The check of one recording: its known state, the evaluation of rows and properties, and the reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fencepost.checkers.conformance.classes.changes import Change
from fencepost.checkers.conformance.classes.frames import UNKNOWN
from fencepost.checkers.conformance.reading.screen import command, cut, labelled, listed, text
from fencepost.checkers.conformance.records.wire import entities_of, entity_text
from fencepost.checkers.conformance.results.results import LogFinding, Violation
from fencepost.checkers.conformance.state.properties import Broken, Claim, Claims, Properties
from fencepost.checkers.conformance.state.touched import Touched
from fencepost.checkers.unexplained import UNEXPLAINED, head, no_row_explains
from fencepost.model.language import Protocol
from fencepost.model.language.terms import Get
from fencepost.model.language.walk import nodes

from .facts import OF_BROKERS
from .known import CellValue, Known, KnownLayout
from .observations import Observation, Place
from .results import ZkResult
from .rows import Explained, Rows


class Tables:
    """A protocol prepared to check any number of recordings."""

    def __init__(self, protocol: Protocol, given: dict[str, Any]) -> None:
        self.protocol = protocol
        self.layout = KnownLayout(protocol, given)
        self.rows = Rows(protocol, self.layout)
        self.claims = Claims(self.layout, asks=_is_asked)


def _is_asked(claim: Claim) -> bool:
    """Whether a property can be evaluated: a broker's lines have an order in its own file, not across files."""
    reads = [node for node in nodes(claim.term) if isinstance(node, Get)]
    own = [node for node in reads if node.state.name in OF_BROKERS]
    return not own or (len(own) == len(reads) and len({node.keys[0] for node in own}) == 1)


class RecordingChecker:
    """The state of one recording, and the one way by which an event changes it."""

    def __init__(self, tables: Tables, result: ZkResult) -> None:
        self.tables, self.result = tables, result
        self.rows = tables.rows
        self.state = Known(tables.layout)
        self.properties = Properties(tables.claims, self.state)
        self.counted: Counter[str] = Counter()
        self.inferred: Counter[str] = Counter()
        self.classes: Counter[tuple[str, ...]] = Counter()
        self._reported: dict[tuple[int, str, str], Violation] = {}

    # -- events ----------------------------------------------------------------------------------------------------
    def explain(self, one: Observation, *, chained: bool = True) -> bool:
        """Find the row that explains an event, and continue from the observed state; False where none does.

        A state before that is not the one known is a gap, but where the lines that would say it are not logged
        (`chained` is false).
        """
        for var in self.rows.events[one.event].params:
            for sort, entity in entities_of(var.kind, one.params[var.name]) if var.name in one.params else ():
                self.state.see(sort, entity)
        sound = self._before(one, chained)
        found = self.rows.explain(one, self.state)
        if found is None:
            screen = divergence(self, one)
            broken = self._adopt(one, one.after)
            if sound:
                claim = next((b.claim for b in broken if b.claim.expected == "holds"), None)
                about = "" if claim is None else f" {claim.about}"
                why = next((line for line in screen.nearest), "")
                self.report(
                    claim.id if claim is not None else UNEXPLAINED,
                    one.place,
                    one.entity,
                    f"{no_row_explains(one.place.what or one.event)}{why}.{about}",
                    screen.lines,
                )
            for keys in one.about:
                self.state.forget(*keys, but=[name for name, _, _ in one.after])
                self.state.tell(one.after)
            return False
        self._count(found)
        # What had to be left open for the event is as it was after it.
        assumed = [cell for cell in found.assumed if one.adopts and cell[2] is not UNKNOWN]
        for name, keys, value in assumed:
            self.inferred[name] += self.state.value(name, *keys) != value
        self.state.tell(assumed)
        told = {(n, keys): value for n, keys, value in found.changes if one.keeps is None or n in one.keeps}
        told |= {(name, keys): value for name, keys, value in one.after}
        for broken_one in self._adopt(one, [(name, keys, value) for (name, keys), value in told.items()]):
            self._broken(broken_one, one)
        return True

    def _before(self, one: Observation, chained: bool) -> bool:
        sound = True
        for name, keys, value in one.before:
            known = self.state.value(name, *keys)
            if known is UNKNOWN:
                self.inferred[name] += 1
            elif known != value and chained:
                sound = False
                self.report(
                    "gap",
                    one.place,
                    one.entity,
                    f"{one.place.what or one.event} begins in {_said(value)}, what came before left {_said(known)}: "
                    "a line is missing, altered or out of order.",
                    divergence(self, one).lines,
                )
        self.state.tell(one.before)
        return sound

    def _adopt(self, one: Observation, told: Sequence[CellValue]) -> list[Broken]:
        changes = self.state.change(told)
        self.state.apply(changes)
        return self._ask(changes)

    def _ask(self, changes: Sequence[Change]) -> list[Broken]:
        if not changes:
            return []
        touched = Touched()
        touched.add(changes)
        before = self.state.before(changes)
        return [*self.properties.after_record(touched, before), *self.properties.after_result(touched, before)]

    def _broken(self, broken: Broken, one: Observation) -> None:
        claim = broken.claim
        if claim.expected == "violated":
            self.result.findings.append(
                LogFinding(claim.finding or claim.id, claim.id, one.place.offset, broken.entity, claim.about)
            )
        else:
            self.report(claim.id, one.place, one.entity, f"{claim.about} Not so after {one.place.what or one.event}.")

    def _count(self, found: Explained) -> None:
        if len(found.rows) == 1:
            self.counted[found.rows[0].id] += 1
        else:
            self.result.ambiguous += 1
            self.classes[tuple(sorted(row.id for row in found.rows))] += 1

    def tell(self, told: Sequence[CellValue]) -> None:
        """Take values over without an event."""
        self.state.tell(told)

    # -- reporting -------------------------------------------------------------------------------------------------
    def report(self, rule: str, place: Place, entity: str, message: str, screen: Sequence[str] = ()) -> None:
        """Report a violation; further ones of the same entity at the same place are folded into the first."""
        key = (place.offset, place.segment, entity)
        first = self._reported.get(key)
        if first is not None:
            first.folded.append(place.offset)
            self.result.folded += 1
            return
        self._reported[key] = found = Violation(
            rule, place.offset, place.segment, entity, message, place.line, screen=tuple(screen)
        )
        self.result.violations.append(found)


def _said(value: Any) -> str:
    return getattr(value, "name", None) or entity_text(value)


_ROWS = 9


@dataclass(frozen=True, slots=True)
class Divergence:
    """The lines of the screen, and for a sentence what the row that comes nearest asks, empty where there is none."""

    lines: tuple[str, ...]
    nearest: tuple[str, ...]


def divergence(checker: RecordingChecker, one: Observation) -> Divergence:
    """Report an event that no row explains on one screen: place, state before, event, and the guard of each row."""
    event = checker.rows.events[one.event]
    reasons = checker.rows.why_not(one, checker.state)
    near = _nearest(reasons)
    rows = [near, *(line for line in reasons if line is not near)] if near else ["no row is of this event"]
    told = [f"{name} {said(value)}" for name, _, value in (*one.after, *one.seen)]
    before = [f"{name} {said(checker.state.value(name, *keys))}" for name, keys, _ in (*one.before, *one.after)]
    lines = [
        head(checker.tables.protocol.name, f"{one.place.segment}:{one.place.line or one.place.offset}"),
        *labelled("entity", one.entity, most=2),
        *labelled("event", f"{event.name} {_params(one)}", most=2),
        *labelled("before", ", ".join(dict.fromkeys(before)) or "nothing is reported", most=3),
        *labelled("reported", ", ".join(told) or "nothing", most=3),
        *labelled("answer", ", ".join(sorted(said(a) for a in one.answers)) if one.answers else "any", most=1),
        *listed("rows", rows, most=_ROWS),
    ]
    nearest = (f": the nearest row, {near.replace('  ', ' ', 1).strip()}",) if near else ()
    return Divergence((*(cut(line) for line in lines), command(str(checker.result.path))), nearest)


def _nearest(reasons: Sequence[str]) -> str:
    """Return the nearest reason: a row that applies with another state is nearer than one whose guard is false."""
    for mark in (" makes ", " answers ", " asks "):
        for line in reasons:
            if mark in line:
                return line
    return reasons[0] if reasons else ""


def _params(one: Observation) -> str:
    return ", ".join(f"{name} {said(value)}" for name, value in one.params.items())


def said(value: Any) -> str:
    """Return a value as people read it."""
    if value is UNKNOWN:
        return "unknown"
    name = getattr(value, "name", None)
    return str(name) if name is not None else text(value)
