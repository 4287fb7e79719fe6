"""One partition in the state of the slice: decisions as rows, the theorem where a row may break it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from fencepost.checkers.conformance.lockstep.cells import MISSING, Cells
from fencepost.checkers.conformance.lockstep.slices import Differs, SliceState
from fencepost.checkers.conformance.lockstep.whole import Ran
from fencepost.model.kraft_data import state as s
from fencepost.model.kraft_data.properties import SHARED, TRUNCATION
from fencepost.model.language.state import State
from fencepost.model.language.terms import Get

from .control import Change, Decided
from .results import DataResult
from .tables import LISTED, Claim, Tables

ELR_OFF = "eligible leader replicas are off"
MOVED = "a reassignment is under way or ended"
DIRECTORY = "a directory failed or was assigned"
UNCLEAN = ("DC19", "DC20")
"""The rows of unclean elections."""


BEGIN_A_STRETCH = (
    s.leader_end, s.epoch_start, s.high_watermark, s.known_high_watermark, s.log_end, s.slowest_end,
)  # fmt: skip
"""Cells whose values are where a stretch of offsets begins that no cell distinguishes."""


class MinimumDiffers(Differs):
    """The leader knows another min.insync.replicas than the tables have."""


def _state(cell: Get[Any] | Any) -> State[Any]:
    found: State[Any] = cell.state
    return found


class Slice(SliceState):
    """The cells of one partition. Epochs, offsets and lives are the slice's: epochs from 1 on."""

    out: DataResult

    def __init__(self, tables: Tables, out: DataResult) -> None:
        super().__init__(tables.rows, out, LISTED)
        self.tables, self._assumptions = tables, tables.assumptions
        self._counters = {
            event: tuple((at, sort, self._domains[sort]) for at, sort in listed)
            for event, listed in tables.listed.items()
        }
        self._places = _Places(self)
        # The theorem is asked of some offsets only.
        self._view = Cells(self.cells.tables, dict(self._domains))
        self.left = ""
        self.brokers: set[int] = set()

    # -- cells -----------------------------------------------------------------------------------------------------
    def read(self, cell: Any, *keys: Any) -> Any:
        """Return what a cell holds; raises `EvaluationError` for one that has no value."""
        table, first = self._places[cell]
        found = table.get(keys[0] if len(keys) == 1 else keys, first)
        return self.rows.read(_state(cell), *keys) if found is MISSING else found

    def put(self, cell: Any, keys: tuple[Any, ...], value: Any) -> None:
        """Set a cell to a reported value that no row makes."""
        self.rows.put(_state(cell), keys, value)

    def adopt(self, why: str) -> None:
        """Count something that is taken over from a step."""
        self.out.adopted[why] += 1

    def leave(self, why: str) -> None:
        """Stop the evaluation of the theorem for this partition."""
        if not self.left:
            self.left = why
            self.out.left[why] += 1

    def meet_broker(self, broker: int) -> None:
        """Know a broker."""
        if broker not in self.brokers:
            self.brokers.add(broker)
            self._domains["Broker"][broker] = None

    def meet(self, sort: str, number: int) -> None:
        """Know the numbers of a counter up to one."""
        known = self._domains[sort]
        if number >= len(known):
            known.update(dict.fromkeys(range(len(known), number + 1)))

    # -- rows ------------------------------------------------------------------------------------------------------
    def run(self, event: str, *values: Any) -> None:
        """Run the row of an event that applies; raises `Differs` where none does, or an assumption does not hold."""
        for at, sort, known in self._counters[event]:
            if values[at] >= len(known):
                self.meet(sort, values[at])
        if event in self._assumptions:
            self._assume(event, dict(zip(self.rows.names[event], values, strict=True)))
        row = self._running[event](self.cells, *values)
        if row is None:
            raise self._no_row(event, values)
        self.fired.append(row.id)
        self._counted[row.id] += 1

    def _assume(self, event: str, parameters: Mapping[str, Any]) -> None:
        ran = self.rows.applicable(event, parameters)
        for assumption in () if ran is None else self.tables.assumed(event, parameters):
            if assumption.id != "DA5":
                row = "" if ran is None else ran.row.id
                raise Differs(f"{row} rests on {assumption.id}, which does not hold: {assumption.about}", row)
            # Kafka does not see to it (spec/data-evidence.md).
            self.out.declared["DA5"] += 1
            self.leave("DA5 does not hold")

    def same(self, what: str, tables: Any, told: Any) -> None:
        """Raise `Differs` where the tables and a step differ."""
        if tables != told:
            raise Differs(f"{what} is {_text(tables)} by the tables, {_text(told)} by the step.", self.last)

    # -- the controller --------------------------------------------------------------------------------------------
    def create(self, now: Decided, minimum: int) -> None:
        """Begin with a partition that was created."""
        for broker in now.replicas:
            self.meet_broker(broker)
        self.meet("configuration", 1)
        self.meet("leader epoch", now.leader_epoch + 1)
        self.meet("partition epoch", now.partition_epoch + 1)
        self.put(s.min_isr_in, (1,), minimum)
        if now.leader is None:
            raise Differs("A partition is created without a leader.")
        self.fire("Create", g=now.leader, members=now.isr)
        self._compare(now)

    def is_anybody_eligible(self) -> bool:
        """Whether the ELR has members."""
        return bool(self.read(s.elr_at, self.read(s.partition_epoch)))

    def reconfigure(self, minimum: int, clears: bool) -> None:
        """Set another min.insync.replicas, or the same again."""
        config = self.read(s.config) + 1
        self.meet("configuration", config)
        self.put(s.min_isr_in, (config,), minimum)
        if clears:
            self.meet("partition epoch", self.read(s.partition_epoch) + 1)
        self.fire("ClearElr" if clears else "SetMinIsr", c=config)

    def change(self, change: Change, events: Iterable[str], broker: int | None, outside: str) -> bool:
        """Replay a partition change by one of some events; return whether a row has it.

        `broker` registers with it. `outside` says why it may be none of the rows, "" where it has to be.
        """
        before, now = change.before, change.now
        assert before is not None
        for one in now.replicas:
            self.meet_broker(one)
        self.meet("leader epoch", now.leader_epoch + 1)
        self.meet("partition epoch", now.partition_epoch + 1)
        for event, parameters in self._readings(events, before, now, broker):
            ran = self.rows.applicable(event, parameters)
            if ran is not None and self._makes(ran, before, now):
                self.take(ran)
                return True
        hard = (before.isr, before.leader, before.leader_epoch, before.elr)
        if hard == (now.isr, now.leader, now.leader_epoch, now.elr):
            self._write(now)
            self.adopt("a partition epoch that changes neither leader, ISR nor ELR")
            return True
        if not outside:
            raise Differs(f"No row of {', '.join(events)} has the change from {_shown(before)} to {_shown(now)}.")
        self._write(now)
        return False

    def _readings(
        self, events: Iterable[str], before: Decided, now: Decided, broker: int | None
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        brokers = sorted(self.brokers)
        read = self._registered_under(broker)
        for event in events:
            names = [var.name for var in self.rows.events[event].params]
            if "e" in names and before.leader_epoch + 1 not in self._domains["leader epoch"]:
                continue
            common: dict[str, Any] = {"e": before.leader_epoch + 1, "c": self.read(s.config) + 1, "read": read}
            if event.startswith("Register"):
                common["b"] = broker
            if event == "RegisterUncleanlyElectsUncleanly":
                common["read"] = before.leader_epoch + 2
            choices: list[dict[str, Any]] = [{}]
            if "b" in names and "b" not in common:
                choices = [{"b": one} for one in brokers]
            if "g" in names:
                choices = [{**one, "g": now.leader} for one in choices if now.leader is not None]
            for one in choices:
                parameters = {**common, **one}
                yield event, {name: parameters[name] for name in names}

    def _registered_under(self, broker: int | None) -> int:
        version = self.read(s.partition_epoch)
        under: int = self.read(s.epoch_at, version)
        return under + 1 if broker is not None and self.read(s.leader_at, version) == broker else under

    def _makes(self, ran: Ran, before: Decided, now: Decided) -> bool:
        version = now.partition_epoch + 1
        made = (
            self.rows.new_value(ran, _state(s.partition_epoch)) if _changes(ran,
            self.rows.numbers[_state(s.partition_epoch)])
            else self.read(s.partition_epoch),
            *(self.rows.new_value(ran, _state(one), version) for one in (s.leader_at, s.epoch_at, s.isr_at, s.elr_at)),
        )  # fmt: skip
        if made != (version, now.leader, now.leader_epoch + 1, now.isr, now.elr):
            return False
        # An unclean election is marked; a clean one leaves the mark as it is.
        return now.recovering if ran.row.id in UNCLEAN else before.recovering or not now.recovering

    def _compare(self, now: Decided) -> None:
        version = now.partition_epoch + 1
        self.same("The partition epoch", self.read(s.partition_epoch), version)
        self.same("The leader", self.read(s.leader_at, version), now.leader)
        self.same("The leader epoch", self.read(s.epoch_at, version), now.leader_epoch + 1)
        self.same("The ISR", self.read(s.isr_at, version), now.isr)
        self.same("The ELR", self.read(s.elr_at, version), now.elr)

    def _write(self, now: Decided) -> None:
        """Take a change over that no row has, with what every change writes beside it."""
        old, new, under = self.read(s.partition_epoch), now.partition_epoch + 1, now.leader_epoch + 1
        before = self.read(s.epoch_at, old)
        unclean, config = self.read(s.unclean_at, before), self.read(s.config)
        self.put(s.partition_epoch, (), new)
        self.put(s.leader_at, (new,), now.leader)
        self.put(s.epoch_at, (new,), under)
        self.put(s.isr_at, (new,), now.isr)
        self.put(s.elr_at, (new,), now.elr)
        self.put(s.first_config, (new,), config)
        self.put(s.last_config, (new,), config)
        self.put(s.was_enough, (new,), len(now.isr) >= self.read(s.min_isr_in, config))
        self.put(s.unclean_at, (under,), under if now.recovering and under > before else unclean)
        if now.leader is not None and under > before and not now.recovering:
            for epoch in self._domains["leader epoch"]:
                if epoch >= unclean:
                    self.put(s.elected_in, (now.leader, epoch), under)

    # -- the theorem -----------------------------------------------------------------------------------------------
    def ask(self, offsets: Iterable[int] | None = None, **given: Any) -> None:
        """Evaluate the theorem at some offsets, all that can differ where none are named; variables by name, too."""
        if self.left:
            return
        self._ask(self.tables.claims, offsets, given)

    def ask_read(self, **given: Any) -> None:
        """Evaluate the claims about how far consumers may read."""
        if not self.left:
            self._ask(self.tables.read_claims, None, given)

    def _ask(self, claims: Iterable[Claim], offsets: Iterable[int] | None, given: Mapping[str, Any]) -> None:
        view = self._view
        view.set_domain("offset", dict.fromkeys(self._marks() if offsets is None else offsets))
        for claim in claims:
            self.out.asked += 1
            broken = claim.broken(view, given)
            if broken:
                raise Differs(f"{claim.id} does not hold of {broken}: {claim.about}", self.last)

    def _marks(self) -> list[int]:
        """Return offsets of which at least one is in each stretch that no cell distinguishes.

        A stretch begins where a log ends or an epoch's records do, at a high watermark, or where an epoch started.
        """
        found = {0}.union(*[self._places[cell][0].values() for cell in BEGIN_A_STRETCH])
        return sorted(found | {one - 1 for one in found if one})

    def ask_cut(self, row: str, **binding: Any) -> None:
        """Evaluate the claims about a round of truncation, in the state before it, at the offsets of the theorem."""
        for claim in (SHARED,) if self.left else TRUNCATION:
            self.out.asked += 1
            values = {var: binding[var.name] for var in self.rows.events["Truncate"].params}
            if not self.rows.value(claim.term, values):
                raise Differs(f"{claim.id} does not hold: {claim.about}", row)


class _Places(dict[Any, tuple[dict[Any, Any], Any]]):
    """By cell the table of one partition that has its values, and what it begins with."""

    def __init__(self, of: Slice) -> None:
        super().__init__()
        self._rows, self._tables = of.rows, of.cells.tables

    def __missing__(self, cell: Any) -> tuple[dict[Any, Any], Any]:
        number = self._rows.numbers[_state(cell)]
        found = self[cell] = self._tables[number], self._rows.initial[number]
        return found


def _changes(ran: Ran, number: int) -> bool:
    return any(one[0] == number for one in ran.changes)


def _text(value: Any) -> str:
    if isinstance(value, frozenset):
        return "{" + ", ".join(map(str, sorted(value))) + "}"
    return "none" if value is None else str(value)


def _shown(one: Decided) -> str:
    return f"leader {_text(one.leader)}, leader epoch {one.leader_epoch}, ISR {_text(one.isr)}, ELR {_text(one.elr)}"
