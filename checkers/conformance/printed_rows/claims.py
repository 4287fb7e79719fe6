"""Claims asked by printed code of what a record or a result has changed, each instance once, with what they count."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from typing import Any, Final, NamedTuple
from weakref import WeakKeyDictionary

from fencepost.checkers.conformance.classes.changes import Change
from fencepost.checkers.conformance.classes.frames import Frame
from fencepost.checkers.conformance.matching.parsing import Block
from fencepost.checkers.conformance.results.results import PropertyEvidence
from fencepost.checkers.conformance.state.printed_states import BEFORE_RECORD, BEFORE_RESULT, PRESENT, States
from fencepost.checkers.conformance.state.properties import Broken, Claims, Pattern, Plan, Properties, is_by_name
from fencepost.model.language import Always, Step, Var

from .bindings import RowPrinter
from .one_claim import AMONG, NO_PREMISE, Concerning, PrintedClaim
from .own_claims import OwnClaims, print_own_claims, print_row_claims

NOTHING_BOUND: Final[tuple[tuple[bool, ...], Sequence[Any]]] = (), ()
"""Which of a claim's parameters have a value, and the values, of one without parameters."""

NO_ENTITY: Final = object()
"""Takes the place of what comes first among the keys of changed cells where it is not the same of all."""


class _Counted:
    """Counts nothing that is kept: what one instance alone comes to."""

    __slots__ = ("judged", "unknown", "with_premise")

    def __init__(self) -> None:
        self.judged = self.with_premise = self.unknown = 0


class Group:
    """Claims of one moment about entities of a sort, each with its number, evaluated together for one entity."""

    def __init__(self, printed: PrintedClaims, prefix: str, plans: Sequence[tuple[int, Plan]]) -> None:
        self.printed, self.prefix, self.plans = printed, prefix, plans
        self._bits: dict[frozenset[int], int] = {}

    @cached_property
    def ask(self) -> OwnClaims:
        """The function that asks them."""
        claims = [self.printed.of(plan) for _, plan in self.plans]
        return print_own_claims(self.printed.printer.printer, claims, self.prefix)

    def reading(self, numbers: frozenset[int]) -> int:
        """Return which of them read one of some tables, as bits."""
        found = self._bits.get(numbers)
        if found is None:
            found = sum(1 << at for at, (_, plan) in enumerate(self.plans) if not numbers.isdisjoint(plan.reads))
            self._bits[numbers] = found
        return found


class RowClaims:
    """Claims of one row that are made of nothing but its parameters."""

    def __init__(self, printer: RowPrinter, claims: Sequence[PrintedClaim]) -> None:
        self.printer, self.claims = printer, claims
        params = {var for claim in claims for var in claim.params}
        self.params = tuple(sorted(params, key=lambda var: (var.name, str(var.kind))))
        self._asks: dict[tuple[bool, ...], Callable[..., None]] = {}

    def ask(self, known: tuple[bool, ...]) -> Callable[..., None]:
        """Return the function that asks them where some of the parameters are known."""
        found = self._asks.get(known)
        if found is None:
            params = [var for var, one in zip(self.params, known, strict=True) if one]
            found = print_row_claims(self.printer.printer, self.printer.names, self.claims, params)
            self._asks[known] = found
        return found


class PrintedClaims:
    """The claims of a protocol printed, for any number of logs."""

    def __init__(self, printer: RowPrinter, claims: Claims) -> None:
        self.printer, self.claims = printer, claims
        self._printed: dict[Plan, PrintedClaim] = {}
        self._of_row: dict[tuple[Plan, ...], RowClaims] = {}
        self.of_records = Moment(self, claims.of_records, BEFORE_RECORD)
        self.of_results = Moment(self, claims.of_results, BEFORE_RESULT)
        of_rows = dict.fromkeys(plan for plans in claims.of_rows.values() for plan in plans)
        self.of_rows = Moment(
            self, [plan for plan in of_rows if plan.inert and not self.of(plan).params], BEFORE_RESULT
        )

    def of_row(self, plans: tuple[Plan, ...]) -> RowClaims:
        """Return claims of one row printed together."""
        found = self._of_row.get(plans)
        if found is None:
            found = self._of_row[plans] = RowClaims(self.printer, [self.of(plan) for plan in plans])
        return found

    def of(self, plan: Plan) -> PrintedClaim:
        """Return a claim printed."""
        found = self._printed.get(plan)
        if found is None:
            found = self._printed[plan] = PrintedClaim(self.printer.printer, self.printer.names, plan)
        return found


printed: WeakKeyDictionary[Claims, PrintedClaims] = WeakKeyDictionary()
"""Claims as they are printed, by what they are printed of."""


def claims_of(printer: RowPrinter, claims: Claims) -> PrintedClaims:
    """Return claims as they are printed, the same for all logs."""
    found = printed.get(claims)
    if found is None or found.printer is not printer:
        found = printed[claims] = PrintedClaims(printer, claims)
    return found


class Apart:
    """A claim that is evaluated by itself where cells of tables have changed, with its place among others.

    `searches` are how to find the instances that a changed cell concerns, by the `numbers` of tables that have changed.
    """

    def __init__(self, at: int, claim: PrintedClaim, numbers: frozenset[int]) -> None:
        self.at, self.claim, self.numbers = at, claim, numbers

    def __getstate__(self) -> dict[str, Any]:
        # What is found of the claim again costs little.
        return {name: one for name, one in vars(self).items() if name != "searches"}

    @cached_property
    def searches(self) -> Sequence[tuple[int, Concerning]]:
        """How to find the instances, each with the number of the table."""
        concerning = self.claim.concerning.items()
        return tuple([(number, one) for number, some in concerning if number in self.numbers for one in some])


@dataclass(frozen=True, slots=True)
class Concerned:
    """The claims to evaluate where cells of some tables have changed: claims one by one, and by the sort of an entity
    those that its own cells concern alone, as bits.

    `together` are the places of the latter among the claims of a moment.
    """

    apart: tuple[Apart, ...]
    own: tuple[tuple[Group, int], ...]
    together: frozenset[int]


class Moment:
    """The claims of records, or of results: those about entities of which their own cells say which are concerned are
    asked together."""

    def __init__(self, printed: PrintedClaims, plans: Sequence[Plan], prefix: str) -> None:
        self.printed, self.plans, self.prefix = printed, plans, prefix
        of_sort: dict[tuple[str, bool], list[tuple[int, Plan]]] = {}
        for at, plan in enumerate(plans):
            if plan.vars and any((0, *plan.every[1:]) in patterns for patterns in plan.reads.values()):
                key = str(plan.vars[0].kind), isinstance(plan.claim, Step)
                of_sort.setdefault(key, []).append((at, plan))
        self.groups = {key: Group(printed, prefix, some) for key, some in of_sort.items()}
        self._places = {at: (key, n) for key, some in of_sort.items() for n, (at, _) in enumerate(some)}
        self._concerned: dict[frozenset[int], Concerned] = {}
        self._by_plan = {plan: at for at, plan in enumerate(plans)}
        self._only: dict[Any, tuple[tuple[Group, int], ...]] = {}

    def place(self, plan: Plan, numbers: frozenset[int]) -> int | None:
        """Return the place of a claim evaluated with others where cells of tables have changed, None of another."""
        at = self._by_plan.get(plan)
        return at if at is not None and at in self.concerned(numbers).together else None

    def only(self, places: frozenset[int], numbers: frozenset[int]) -> tuple[tuple[Group, int], ...]:
        """Return the claims among some that are evaluated together."""
        key = (places, numbers)
        found = self._only.get(key)
        if found is None:
            chosen: dict[tuple[str, bool], int] = {}
            for at in places:
                group, number = self._places[at]
                chosen[group] = chosen.get(group, 0) | 1 << number
            found = self._only[key] = tuple((self.groups[key], bits) for key, bits in chosen.items())
        return found

    def concerned(self, numbers: frozenset[int]) -> Concerned:
        """Return the claims to evaluate where cells of tables, by their numbers, have changed."""
        found = self._concerned.get(numbers)
        if found is None:
            found = self._concerned[numbers] = self._find(numbers)
        return found

    def _find(self, numbers: frozenset[int]) -> Concerned:
        apart: list[Apart] = []
        own: dict[tuple[str, bool], int] = {}
        together = set[int]()
        for at, plan in enumerate(self.plans):
            mine = numbers & plan.reads.keys()
            if not mine:
                continue
            if at in self._places and all(plan.reads[one] == {(0, *plan.every[1:])} for one in mine):
                key, number = self._places[at]
                own[key] = own.get(key, 0) | 1 << number
                together.add(at)
            else:
                apart.append(Apart(at, self.printed.of(plan), numbers))
        return Concerned(
            tuple(apart), tuple((self.groups[key], bits) for key, bits in own.items()), frozenset(together)
        )


class Cells:
    """The cells that changes are of, each once: their keys by the numbers of their tables, and these numbers, of all
    cells and by what comes first among their keys: `entity` where that is the same of all."""

    __slots__ = ("by_entity", "by_number", "entity", "numbers")

    def __init__(self, changes: Sequence[Change]) -> None:
        by_number: dict[int, dict[tuple[Any, ...], None]] = {}
        for (number, keys), _, _ in changes:
            if number in by_number:
                by_number[number][keys] = None
            else:
                by_number[number] = {keys: None}
        self.by_number, self.numbers = by_number, frozenset(by_number)
        self.by_entity: list[tuple[Any, frozenset[int]]] = []
        firsts = {keys[0] if keys else None for some in by_number.values() for keys in some}
        if len(firsts) == 1:
            [self.entity] = firsts
            return
        self.entity = NO_ENTITY
        by_entity: dict[Any, list[int]] = {}
        for number, some in by_number.items():
            for keys in some:
                by_entity.setdefault(keys[0] if keys else None, []).append(number)
        self.by_entity = [(entity, frozenset(by_entity[entity])) for entity in sorted(by_entity, key=str)]


class OfBlock(NamedTuple):
    """The claims about rows to evaluate of a block, each by its place among them: those about entities whose own cells
    they read, by the place in the moment; those about nothing but a row's parameters; and all others.
    """

    together: Mapping[int, int]
    own: tuple[tuple[Group, int], ...]
    of_row: tuple[tuple[int, Plan], ...]
    apart: tuple[Apart, ...]


class AskedClaims:
    """Evaluates the claims of one log, whose `properties` have the broken instances and count the evaluated ones.

    `before` makes the state in front of a step as simple evaluation reads it, in which an inner quantifier is
    evaluated.
    """

    def __init__(self, states: States, printer: RowPrinter, properties: Properties) -> None:
        self.states, self.properties = states, properties
        claims = properties.claims
        self.printed = claims_of(printer, claims)
        self._evidence: Mapping[str, PropertyEvidence] = {}
        self._of_log: dict[Group, tuple[list[PropertyEvidence], list[tuple[int, set[Any]]]]] = {}
        self._changes: Sequence[Change] = ()
        self._cells = Cells(())
        self._of_block: dict[Any, OfBlock] = {}

    def _cells_of(self, changes: Sequence[Change]) -> Cells:
        """Return the cells of changes, those of a result of one record as they were found behind the record."""
        if changes is not self._changes:
            self._changes, self._cells = changes, Cells(changes)
        return self._cells

    def after_record(self, changes: Sequence[Change], before: Callable[[], Frame]) -> list[Broken]:
        """Return what a record broke: the cells that it changed, in the states as they are before and behind it."""
        return self._after(self.printed.of_records, changes, before) if changes else []

    def after_result(self, changes: Sequence[Change], before: Callable[[], Frame]) -> list[Broken]:
        """Return what a whole result broke."""
        return self._after(self.printed.of_results, changes, before) if changes else []

    def of_block(self, block: Block, changes: Sequence[Change], before: Callable[[], Frame]) -> Iterator[Broken]:
        """Yield the steps that are claimed of a block's row and do not hold of its result."""
        cells = self._cells_of(changes)
        edges = block.edges
        binding: Mapping[Var[Any], Any] = edges[0].binding if len(edges) == 1 else {}
        is_whole = len(edges) == 1 or all(
            one.row is not None and (one.start, one.end) == (block.start, block.end) for one in edges
        )
        key = (block.rows, len(edges) == 1, is_whole, bool(binding), cells.numbers)
        asked = self._of_block.get(key)
        if asked is None:
            asked = self._of_block[key] = self._sort_out(block, bool(binding), cells.numbers)
        found: list[tuple[int, list[Broken]]] = []
        for one in asked.apart:
            plan = one.claim.plan
            given = binding if is_by_name(plan) else {}
            patterns = self._patterns(one, cells, before) if plan.inert else [plan.every]
            self._ask(one.at, one.claim, patterns, BEFORE_RESULT, given, found)
        if asked.of_row:
            self._ask_of_row(asked.of_row, binding, found)
        if asked.own:
            together: list[tuple[int, list[Broken]]] = []
            self._ask_together(asked.own, cells, together)
            found += [(asked.together[place], broken) for place, broken in together]
        found.sort(key=itemgetter(0))
        yield from (broken for _, some in found for broken in some)

    def _sort_out(self, block: Block, is_bound: bool, numbers: frozenset[int]) -> OfBlock:
        """Return the claims to evaluate of a block where cells of some tables have changed."""
        moment, together = self.printed.of_rows, dict[int, int]()
        of_row: list[tuple[int, Plan]] = []
        apart: list[Apart] = []
        for at, (plan, _) in enumerate(self.properties.claims.of_block(block)):
            place = moment.place(plan, numbers)
            if place is not None:
                together[place] = at
            elif not plan.vars and is_bound and is_by_name(plan):
                of_row.append((at, plan))
            elif not plan.inert or not numbers.isdisjoint(plan.reads):
                apart.append(Apart(at, self.printed.of(plan), numbers))
        own = moment.only(frozenset(together), numbers) if together else ()
        return OfBlock(together, own, tuple(of_row), tuple(apart))

    def _after(self, moment: Moment, changes: Sequence[Change], before: Callable[[], Frame]) -> list[Broken]:
        cells = self._cells_of(changes)
        concerned = moment.concerned(cells.numbers)
        found: list[tuple[int, list[Broken]]] = []
        self._ask_together(concerned.own, cells, found)
        for one in concerned.apart:
            self._ask(one.at, one.claim, self._patterns(one, cells, before), moment.prefix, {}, found)
        found.sort(key=itemgetter(0))
        return [broken for _, some in found for broken in some]

    def _ask_of_row(
        self, plans: Sequence[tuple[int, Plan]], binding: Mapping[Var[Any], Any], found: list[tuple[int, list[Broken]]]
    ) -> None:
        """Evaluate claims about the parameters of one row, and add the broken ones by the places of the claims."""
        of_row = self.printed.of_row(tuple([plan for _, plan in plans]))
        ask = of_row.ask(tuple([var in binding for var in of_row.params]))
        counts = [self.properties.evidence[plan.claim.id] for _, plan in plans]
        false: list[tuple[int, tuple[Any, ...]]] = []
        ask(self.states.names, *[binding[var] for var in of_row.params if var in binding], counts, false)
        for number, _ in false:
            at, plan = plans[number]
            found.append((at, [self._as_broken(plan, ())]))

    def _ask_together(
        self, own: Sequence[tuple[Group, int]], cells: Cells, found: list[tuple[int, list[Broken]]]
    ) -> None:
        """Evaluate claims for each entity whose own cells they read, and add the broken ones by their places."""
        if self._evidence is not self.properties.evidence:
            self._evidence, self._of_log = self.properties.evidence, {}
        if cells.entity is not NO_ENTITY:
            # Each of the claims reads one of the tables that have changed.
            for group, asked in own:
                self._ask_own(group, asked, cells.entity, found)
            return
        for group, asked in own:
            # Where a cell of another sort has the same key no claim of the group reads its table so.
            for entity, numbers in cells.by_entity:
                bits = asked & group.reading(numbers)
                if bits:
                    self._ask_own(group, bits, entity, found)

    def _ask_own(self, group: Group, asked: int, entity: Any, found: list[tuple[int, list[Broken]]]) -> None:
        """Evaluate claims for one entity, and add the broken ones by the places of the claims."""
        counts, invariants = self._of_log.get(group) or self._begin(group)
        false: list[tuple[int, tuple[Any, ...]]] = []
        if not group.ask(self.states.names, entity, asked, counts, false):
            for number, (at, plan) in enumerate(group.plans):
                if asked >> number & 1:
                    claim = self.printed.of(plan)
                    self._ask(at, claim, [((entity,), *plan.every[1:])], group.prefix, {}, found)
            return
        by_plan: dict[int, list[tuple[Any, ...]]] = {}
        for number, instance in false:
            by_plan.setdefault(number, []).append(instance)
        for number, broken in invariants:
            if broken and asked >> number & 1 and any(one[0] == entity for one in broken):
                by_plan.setdefault(number, [])
        for number, some in by_plan.items():
            at, plan = group.plans[number]
            found.append((at, self._begun(self.printed.of(plan), [((entity,), *plan.every[1:])], some)))

    def _begin(self, group: Group) -> tuple[list[PropertyEvidence], list[tuple[int, set[Any]]]]:
        """Return what counts the claims of a group, and the broken instances of its invariants by their numbers."""
        evidence, broken = self.properties.evidence, self.properties.broken
        self._of_log[group] = found = (
            [evidence[plan.claim.id] for _, plan in group.plans],
            [
                (number, broken[plan.claim.id, plan.part])
                for number, (_, plan) in enumerate(group.plans)
                if isinstance(plan.claim, Always)
            ],
        )
        return found

    @staticmethod
    def _patterns(asked: Apart, cells: Cells, before: Callable[[], Frame]) -> Sequence[Pattern]:
        """Return which instances changed cells concern."""
        patterns: dict[Pattern, None] = {}
        searched: set[tuple[Any, ...]] = set()
        for number, (find, places, by_keys) in asked.searches:
            for keys in cells.by_number[number]:
                if not by_keys:
                    what = (find, *[keys[at] for at in places])
                    if what in searched:
                        continue
                    searched.add(what)
                patterns[find(keys, before)] = None
        return tuple(patterns)

    def _ask(
        self,
        at: int,
        claim: PrintedClaim,
        patterns: Sequence[Pattern],
        prefix: str,
        binding: Mapping[Var[Any], Any],
        found: list[tuple[int, list[Broken]]],
    ) -> None:
        """Add the instances of a claim that are false, an invariant's where it begins to be, with the claim's place."""
        if not patterns:
            return
        bound = NOTHING_BOUND
        if claim.params:
            given = tuple([var in binding for var in claim.params])
            bound = given, [binding[var] for var in claim.params if var in binding]
        false: list[tuple[Any, ...]] = []
        self._instances(claim, patterns, prefix, (self.properties.evidence[claim.plan.claim.id], false), bound)
        if false or not claim.is_step:
            broken = self._begun(claim, patterns, false)
            if broken:
                found.append((at, broken))

    def _begun(
        self, claim: PrintedClaim, patterns: Sequence[Pattern], false: Sequence[tuple[Any, ...]]
    ) -> list[Broken]:
        """Return those of false instances that are news: of an invariant those that were not false before.

        Of the instances of some patterns, which were asked, the others hold again.
        """
        plan = claim.plan
        if not claim.is_step:
            broken = self.properties.broken[plan.claim.id, plan.part]
            if broken:
                self._mend(claim, patterns, broken, false)
                false = [one for one in false if one not in broken]
            broken.update(false)
        return [self._as_broken(plan, one) for one in false]

    def _instances(
        self,
        claim: PrintedClaim,
        patterns: Sequence[Pattern],
        prefix: str,
        found: tuple[PropertyEvidence, list[tuple[Any, ...]]],
        bound: tuple[tuple[bool, ...], Sequence[Any]],
    ) -> None:
        """Evaluate the instances of any of some patterns, each once; count them and add those that fail."""
        given, values = bound
        names, false = self.states.names, found[1]
        if len(patterns) > 1 and claim.plan.every in patterns:
            patterns = [claim.plan.every]
        if len(patterns) == 1 and all(one is None or len(one) == 1 for one in patterns[0]):
            [pattern] = patterns
            fixed = tuple([one is not None for one in pattern])
            claim.ask(prefix, fixed, given)(names, *found, *[one[0] for one in pattern if one is not None], *values)
            if len(false) > 1:
                self._sort(claim, false)
            return
        seconds = _by_first(patterns, claim.plan.every)
        if seconds is not None:
            every = (True, *[False for _ in claim.variables[1:]])
            for value in sorted(seconds, key=str) if len(seconds) > 1 else seconds:
                some = seconds[value]
                if some is not None:
                    each = sorted(some, key=str) if len(some) > 1 else some
                    claim.ask(prefix, (True, AMONG), given)(names, *found, value, each, *values)
                    continue
                failed: list[tuple[Any, ...]] = []
                claim.ask(prefix, every, given)(names, found[0], failed, value, *values)
                if len(failed) > 1:
                    self._sort(claim, failed)
                false += failed
            return
        if len(claim.variables) == 1:
            claim.ask(prefix, (False,), given)(names, *found, *values)
            self._sort(claim, false)
            return
        if len(claim.variables) == 2 and self._crossed(claim, patterns, prefix, found, bound):
            return
        self._nested(claim, patterns, prefix, found, bound)

    def _crossed(
        self,
        claim: PrintedClaim,
        patterns: Sequence[Pattern],
        prefix: str,
        found: tuple[PropertyEvidence, list[tuple[Any, ...]]],
        bound: tuple[tuple[bool, ...], Sequence[Any]],
    ) -> bool:
        """Evaluate all instances of some values of the first variable, and all of one value of the second, each once.

        False, with nothing asked, where the patterns are others.
        """
        rows = [one[0][0] for one in patterns if one[0] is not None and len(one[0]) == 1 and one[1] is None]
        columns = [one[1][0] for one in patterns if one[0] is None and one[1] is not None and len(one[1]) == 1]
        if len(columns) != 1 or len(rows) + 1 != len(patterns):
            return False
        (evidence, false), (given, values), names = found, bound, self.states.names
        [column] = columns
        claim.ask(prefix, (False, True), given)(names, evidence, false, column, *values)
        # Those of the rows are among them, and are evaluated below.
        twice, ask = _Counted(), claim.ask(prefix, (True, True), given)
        for row in rows:
            ask(names, twice, [], row, column, *values)
        evidence.judged -= twice.judged
        evidence.with_premise -= twice.with_premise
        evidence.unknown -= twice.unknown
        false[:] = [one for one in false if one[0] not in rows]
        ask = claim.ask(prefix, (True, False), given)
        for row in rows:
            ask(names, evidence, false, row, *values)
        self._sort(claim, false)
        return True

    def _sort(self, claim: PrintedClaim, false: list[tuple[Any, ...]]) -> None:
        """Put instances into the order in which a log has named their entities."""
        domains = [self.states.state.domains.get(str(var.kind), {}) for var in claim.variables]
        false.sort(key=lambda one: [seen.get(value, -1) for seen, value in zip(domains, one, strict=True)])

    def _nested(
        self,
        claim: PrintedClaim,
        patterns: Sequence[Pattern],
        prefix: str,
        found: tuple[PropertyEvidence, list[tuple[Any, ...]]],
        bound: tuple[tuple[bool, ...], Sequence[Any]],
        outer: tuple[Any, ...] = (),
    ) -> None:
        """Evaluate instances of patterns that overlap, or name several values: one variable after the other."""
        names, evidence, (given, values), at = self.states.names, found[0], bound, len(outer)
        if at == len(claim.variables):
            claim.ask(prefix, (True,) * at, given)(names, *found, *outer, *values)
            return
        every = [one for one in patterns if one[at] is None]
        named: dict[Any, list[Pattern]] = {}
        for pattern in patterns:
            for value in pattern[at] or ():
                named.setdefault(value, []).append(pattern)
        test = claim.premises(prefix, at, given)
        seen = self.states.state.domains.get(str(claim.variables[at].kind), {})
        for value in seen if every else sorted(named, key=str):
            failed = 0 if test is None else test(names, *outer, value, *values)
            if failed:
                evidence.judged += 1
                evidence.with_premise += failed == NO_PREMISE
            else:
                self._nested(claim, [*every, *named.get(value, ())], prefix, found, bound, (*outer, value))

    def _mend(
        self,
        claim: PrintedClaim,
        concerned: Sequence[Pattern],
        broken: set[tuple[Any, ...]],
        false: Sequence[tuple[Any, ...]],
    ) -> None:
        """Forget the instances of an invariant that hold again."""
        again = broken.difference(false)
        if not again:
            return
        if claim.variables and not any(pattern[0] is None for pattern in concerned):
            firsts = {value for pattern in concerned for value in pattern[0] or ()}
            again = {one for one in again if one[0] in firsts}
        every = (True,) * len(claim.variables)
        for one in again:
            if any(_matches(pattern, one) for pattern in concerned):
                counted, failed = _Counted(), list[Any]()
                claim.ask(PRESENT, every, (False,) * len(claim.params))(self.states.names, counted, failed, *one)
                if not counted.unknown and not failed:
                    broken.discard(one)

    @staticmethod
    def _as_broken(plan: Plan, instance: tuple[Any, ...]) -> Broken:
        env = dict(zip(plan.vars, instance, strict=True))
        return Broken(plan.claim, tuple((var.name, str(var.kind), env[var]) for var in plan.told))


def _by_first(patterns: Sequence[Pattern], every: Pattern) -> dict[Any, dict[Any, None] | None] | None:
    """Return the values of the first variable, each with those of the second, or None for all instances of it.

    None where the patterns leave the first variable open, or say more than a second one.
    """
    rest = every[1:]
    found: dict[Any, dict[Any, None] | None] = {}
    for pattern in patterns:
        first = pattern[0]
        if first is None:
            return None
        if pattern[1:] == rest:
            found.update(dict.fromkeys(first))
            continue
        if len(pattern) != 2 or pattern[1] is None:
            return None
        for value in first:
            seconds = found.setdefault(value, {})
            if seconds is not None:
                seconds.update(dict.fromkeys(pattern[1]))
    return found


def _matches(pattern: Pattern, instance: tuple[Any, ...]) -> bool:
    return all(some is None or one in some for some, one in zip(pattern, instance, strict=True))
