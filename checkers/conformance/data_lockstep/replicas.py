"""The steps of brokers with one partition, each as rows of the slice; `spec/data-lockstep.md` has the mapping."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fencepost.checkers.conformance.lockstep.slices import Differs
from fencepost.model.kraft_data import state as s
from fencepost.traces import broker_steps as told

from .partition import MinimumDiffers, Slice

Values = Mapping[str, Any]
KEPT = "what a leader that leads on in the next epoch goes on knowing of its followers"
RESUMED = "a leader that comes back in its epoch has forgotten what it knew"
DELETED = "a log that was deleted with its replica"
SEVERAL = "several followers leave by one proposal"
LOST_WHILE_DOWN = "a broker that is down loses more"
BEGUN_ANEW = "a log that begins anew where the leader's starts"
AGAIN = "reads a leader epoch again after a restart"
PENDING_ENDS = "metadata of the known partition epoch end a pending proposal"

NO_BROKERS = frozenset[int]()


class Replicas(Slice):
    """A partition with its replicas; `configs` has from which metadata offsets each configuration holds."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.configs: list[tuple[int, int]] = []
        self.lives: dict[tuple[int, int], int] = {}
        self.asked: dict[tuple[int, int], int] = {}
        self.restarted: set[int] = set()
        self.lost = ""
        # What nearly every step asks; all of them begin with 0 or False, but for ISRs, configurations and lives.
        self._log_end, self._known_epoch, self._crashed, self._agrees, self._log, self._high_watermark = (
            self._places[cell][0]
            for cell in (s.log_end, s.known_epoch, s.crashed, s.truncated, s.log, s.high_watermark)
        )
        self._fetched_broker_epoch, self._known_high_watermark, self._proposing, self._known_isr, self._broker_epoch = (
            self._places[cell][0]
            for cell in (s.fetched_broker_epoch, s.known_high_watermark, s.proposing, s.known_isr, s.broker_epoch)
        )
        self._offsets = self._domains["offset"]

    # -- numbers ---------------------------------------------------------------------------------------------------
    def config_at(self, offset: int) -> int:
        """Return the configuration that holds where the metadata are read up to an offset."""
        return max((config for at, config in self.configs if at <= offset), default=1)

    def life(self, broker: int, broker_epoch: int) -> int:
        """Return a broker's life in the slice; raises `Differs` for a broker epoch under which it never registered."""
        if (broker, broker_epoch) not in self.lives:
            raise Differs(f"Broker {broker} never registered under the broker epoch {broker_epoch}.")
        return self.lives[broker, broker_epoch]

    def registered(self, broker: int, broker_epoch: int) -> None:
        """Note under which broker epoch a broker is in its present life."""
        self.meet_broker(broker)
        self.lives[broker, broker_epoch] = self.read(s.broker_epoch, broker)

    def another_minimum(self, minimum: int, offset: int) -> None:
        """Set another minimum that comes with another number of replicas, not with a configuration."""
        config = self.read(s.config) + 1
        self.meet("configuration", config)
        self.adopt("another number of replicas is another minimum")
        self.put(s.min_isr_in, (config,), minimum)
        self.put(s.config, (), config)
        version = self.read(s.partition_epoch)
        for cell in (s.first_config, s.last_config):
            self.put(cell, (version,), config)
        self.put(s.was_enough, (version,), len(self.read(s.isr_at, version)) >= minimum)
        self.configs.append((offset, config))

    # -- steps -----------------------------------------------------------------------------------------------------
    def step(self, broker: int, name: str, values: Values) -> str:
        """Check a broker's step; return why no row is about it, "" where rows are. Raises `Differs`."""
        if broker not in self.brokers:
            self.meet_broker(broker)
        return _JUDGES[name](self, broker, values)

    def _ends(self, broker: int, end: int) -> None:
        if (found := self._log_end.get(broker, 0)) != end:
            self.same(f"The log end of broker {broker}", found, end)

    def _leads(self, b: int, values: Values) -> str:
        e, v = values["leader_epoch"] + 1, values["partition_epoch"] + 1
        config = self._reads(e, v, values)
        self._ends(b, values["end"])
        known, leads = self.read(s.known_epoch, b), self.read(s.leader_of, e) == b
        if known == e and leads:
            return self._leads_on(b, e, v, config, values["start"])
        self.fire("TakeMetadata", b=b, v=v, c=config)
        self.restarted.discard(b)
        self.same("The leader", self.read(s.leader_of, e), b)
        self.same("The start of the leader epoch", self.read(s.epoch_start, e), values["start"])
        self.ask(b=b, d=e)
        self._keeps(e, known, values["kept"])
        for (follower, epoch), at in self.asked.items():
            if epoch == e:
                self._asked_early(follower, e, at)
        return ""

    def _reads(self, e: int, v: int, values: Values) -> int:
        """Compare the records that a broker has read with the decisions; return the configuration that it has read."""
        if v > self.read(s.partition_epoch):
            raise Differs(f"Partition epoch {v - 1} is not decided yet, and a broker has read it.")
        self.same(f"The leader epoch of partition epoch {v - 1}", self.read(s.epoch_at, v), e)
        if "isr" in values:
            self.same(f"The ISR of partition epoch {v - 1}", self.read(s.isr_at, v), frozenset(values["isr"]))
        return self.config_at(values["offset"])

    def _keeps(self, e: int, known: int, kept: list[list[int]]) -> None:
        if not kept:
            return
        if e > known + 1:
            self.out.declared["D29"] += 1
            self.leave("a leader missed the term of another (D29)")
        self.adopt(KEPT)
        for follower, offset, broker_epoch in kept:
            self.put(s.fetched, (e, follower), offset)
            if broker_epoch >= 0:
                self.put(s.fetched_broker_epoch, (e, follower), self.life(follower, broker_epoch))

    def _leads_on(self, b: int, e: int, v: int, config: int, start: int) -> str:
        if b in self.restarted:
            self.restarted.discard(b)
            self.adopt(RESUMED)
            for follower in self.brokers:
                self.put(s.fetched, (e, follower), 0)
                self.put(s.fetched_broker_epoch, (e, follower), 0)
            for cell in (s.proposing, s.alter_sent, s.alter_refused):
                self.put(cell, (e,), False)
            self.put(s.epoch_start, (e,), start)
        self.same("The start of the leader epoch", self.read(s.epoch_start, e), start)
        if v > self.read(s.known_partition_epoch, e) or config > self.read(s.known_config, e):
            self.fire("TakeMetadata", b=b, v=v, c=config)
        elif self.read(s.proposing, e):
            self.put(s.proposing, (e,), False)
            self.adopt(PENDING_ENDS)
            self.leave(PENDING_ENDS)
        return ""

    def _follows(self, b: int, values: Values) -> str:
        e, v = values["leader_epoch"] + 1, values["partition_epoch"] + 1
        config = self._reads(e, v, values)
        self._ends(b, values["end"])
        leader = self.read(s.leader_at, v)
        self.same("The leader", leader, None if values["leader"] < 0 else values["leader"])
        self.restarted.discard(b)
        if self.read(s.known_epoch, b) == e and leader != b:
            return AGAIN
        self.fire("TakeMetadata", b=b, v=v, c=config)
        self.same("What broker has read", self.fired[-1], "DM2")
        return ""

    def _configured(self, b: int, values: Values) -> str:
        e, config = values["leader_epoch"] + 1, self.config_at(values["offset"])
        if config > self.read(s.known_config, e):
            self.fire("TakeMetadata", b=b, v=self.read(s.known_partition_epoch, e), c=config)
        self._minimum(e, values["minimum"])
        return "" if self.fired else "the partition's min.insync.replicas is as it was"

    def _minimum(self, e: int, minimum: int) -> None:
        known = self.read(s.min_isr_in, self.read(s.known_config, e))
        try:
            self.same("min.insync.replicas as the leader knows it", known, minimum)
        except Differs as wrong:
            raise MinimumDiffers(str(wrong), wrong.near) from None

    def _appends(self, b: int, values: Values) -> str:
        e, base, end = values["leader_epoch"] + 1, values["base"], values["end"]
        self._ends(b, base)
        if end >= len(self._offsets):
            self.meet("offset", end)
        for _ in range(base, end):
            self.run("Append", b, e)
        self.out.records += end - base
        self._ends(b, end)
        return ""

    def _asks(self, f: int, values: Values) -> str:
        e, at = values["leader_epoch"] + 1, values["from"]
        self._ends(f, at)
        self.same("The broker's life", self._broker_epoch.get(f, 1), self.life(f, values["broker_epoch"]))
        self.same("The leader epoch that the follower knows", self._known_epoch.get(f, 0), e)
        self.asked[f, e] = at
        if not self._agrees.get(f, False) and not self._truncated(f, e):
            return "a fetch before it is known where the logs part"
        self.run("Fetch", f)
        return ""

    def _truncated(self, f: int, e: int) -> bool:
        """Whether a follower's log is a part of its leader's, which shows when its fetch is answered with records."""
        if self._agrees.get(f, False):
            return True
        ran = self.rows.applicable("FindNoDivergence", {"f": f, "e": e})
        if ran is None:
            return False
        self.take(ran)
        return True

    def _asked_early(self, f: int, e: int, at: int) -> None:
        """Count a fetch sent before the point of divergence was known, and before the leader's epoch had begun."""
        here = self._known_epoch.get(f, 0) == e and self._log_end.get(f, 0) == at
        known = self._agrees.get(f, False)
        if here and not known and not self._crashed.get(f, False) and self._truncated(f, e):
            self.fire("Fetch", f=f)

    def _notes(self, b: int, values: Values) -> str:
        e, f, at = values["leader_epoch"] + 1, values["follower"], values["from"]
        if not self._agrees.get(f, False) and self.asked.get((f, e)) == at:
            self._asked_early(f, e, at)
        self.run("FetchArrives", f, b, e, at)
        fetched = self._fetched_broker_epoch.get((e, f), 0)
        self.same("The life in which the follower fetched", fetched, self.life(f, values["broker_epoch"]))
        return ""

    def _takes(self, f: int, values: Values) -> str:
        e, base, end = values["asked"] + 1, values["base"], values["end"]
        self._ends(f, base)
        if end >= len(self._offsets):
            self.meet("offset", end)
        if not self._agrees.get(f, False) and self._known_epoch.get(f, 0) == e:
            self._truncated(f, e)
        epochs, log = values["epochs"], self._log
        for at in range(base, end):
            self.run("FetchAnswer", f, e)
            while len(epochs) > 1 and epochs[1][1] <= at:
                epochs = epochs[1:]
            if (found := log.get((f, at), 0)) != epochs[0][0] + 1:
                self.same(f"The leader epoch of record {at}", found, epochs[0][0] + 1)
        self._ends(f, end)
        return ""

    def _learns(self, f: int, values: Values) -> str:
        e, to = values["asked"] + 1, values["to"]
        self._ends(f, values["end"])
        if to <= self._known_high_watermark.get(f, 0):
            return "the follower has known a high watermark as high"
        if not self._agrees.get(f, False) and self._known_epoch.get(f, 0) == e:
            self._truncated(f, e)
        self.run("LearnHighWatermark", f, e, to)
        if not self.left:
            self.ask_read(b=f)
        return ""

    def _truncates(self, f: int, values: Values) -> str:
        e, n, asked = values["asked"] + 1, values["end"], values["last_epoch"] + 1
        end = self.read(s.leader_end, e)
        leaders = [self.read(s.leader_log, e, at) for at in range(end)]
        older = [epoch for epoch in leaders if epoch <= asked]
        if values["answered"] >= 0:
            self.same("Where the answered epoch ends in the leader's log", len(older), values["answered_end"])
        parameters = {"f": f, "e": e, "asked": asked, "k": max(older, default=0), "n": n}
        if self.rows.applicable("Truncate", parameters) is not None:
            self.ask_cut("DF1", **parameters)
        self.fire("Truncate", **parameters)
        self.ask(b=f)
        return ""

    def _acknowledges(self, b: int, values: Values) -> str:
        e, to = values["leader_epoch"] + 1, values["to"]
        known = self._known_isr.get(e, NO_BROKERS)
        self.same("The ISR that the leader knows", known, frozenset(values["isr"]))
        maximal = known | self.read(s.proposed_isr, e) if self._proposing.get(e, False) else known
        self.same("The maximal ISR", maximal, frozenset(values["maximal"]))
        self._minimum(e, values["minimum"])
        before = self._high_watermark.get(e, 0)
        if to <= before:
            return "the high watermark is below what was acknowledged, after a restart"
        self.run("RaiseHighWatermark", to, b, e)
        if not self.left:
            self.ask(sorted({before, to - 1, *(one for one in self._marks() if before <= one < to)}), e=e)
        return ""

    def _proposes(self, b: int, values: Values) -> str:
        e, isr = values["leader_epoch"] + 1, frozenset(values["isr"])
        known = self.read(s.known_isr, e)
        self.same("The partition epoch", self.read(s.known_partition_epoch, e), values["partition_epoch"] + 1)
        joining, leaving = sorted(isr - known), sorted(known - isr)
        if len(joining) + bool(leaving) != 1:
            raise Differs(f"A proposal of {sorted(isr)} where the ISR is {sorted(known)}: one joins or some leave.")
        for one in leaving[1:]:
            ran = self.rows.applicable("Propose", {"f": one, "b": b, "e": e})
            if ran is None:
                self.fire("Propose", f=one, b=b, e=e)
        self.fire("Propose", f=(joining or leaving)[0], b=b, e=e)
        if leaving[1:]:
            self.adopt(SEVERAL)
            self.put(s.proposed_isr, (e,), isr)
        self.same("The proposed ISR", self.read(s.proposed_isr, e), isr)
        for member in joining:
            told_epoch = values["epochs"][values["isr"].index(member)]
            life = self.life(member, told_epoch)
            self.same("The proposed member's life", self.read(s.proposed_broker_epoch, e, member), life)
        return ""

    def _hears(self, b: int, values: Values) -> str:
        e, v = values["leader_epoch"] + 1, values["partition_epoch"] + 1
        if values["error"] == "NONE":
            self.same("The newest partition epoch", v <= self.read(s.partition_epoch), True)
            self.fire("TakeMetadata", b=b, v=v, c=max(self.config_at(values["offset"]), self.read(s.known_config, e)))
            self.same("The ISR", self.read(s.known_isr, e), frozenset(values["isr"]))
            return ""
        if values["error"] == "INELIGIBLE_REPLICA":
            self.fire("ProposalRefused", b=b, e=e)
            return ""
        self.put(s.proposing, (e,), False)
        return f"a proposal ends with {values['error']}"

    def _stops(self, b: int, values: Values) -> str:
        noticed, end = values["how"] != "clean shutdown", values["end"]
        if self.read(s.crashed, b):
            if end < self.read(s.log_end, b):
                self.adopt(LOST_WHILE_DOWN)
                self._cut(b, end)
            return ""
        self.fire("Stop", b=b, n=end, noticed=noticed)
        self._ends(b, end)
        if noticed:
            self.ask(b=b)
        return ""

    def _cut(self, b: int, end: int) -> None:
        for at in range(end, self.read(s.log_end, b)):
            self.put(s.log, (b, at), 0)
        self.put(s.log_end, (b,), end)
        self.put(s.known_high_watermark, (b,), min(end, self.read(s.known_high_watermark, b)))

    def _starts(self, b: int, values: Values) -> str:
        self._ends(b, values["end"])
        self.restarted.add(b)
        return "a process starts with the log that it has"

    def _deletes(self, b: int, values: Values) -> str:
        v = self.read(s.partition_epoch)
        if self.read(s.epoch_at, v) > self.read(s.known_epoch, b) and self.read(s.leader_at, v) != b:
            self.fire("TakeMetadata", b=b, v=v, c=self.config_at(values["offset"]))
        self.adopt(DELETED)
        self._cut(b, 0)
        return "no row deletes a log"

    def _offline(self, b: int, values: Values) -> str:
        return "a log that cannot be read is not used"

    def _begins(self, f: int, values: Values) -> str:
        end, known = values["end"], self.read(s.known_epoch, f)
        self.adopt(BEGUN_ANEW)
        self.meet("offset", end)
        for at in range(end):
            self.put(s.log, (f, at), self.read(s.leader_log, known, at))
        self.put(s.log_end, (f,), end)
        # Only what is acknowledged is let go: the leader's log starts below its high watermark.
        acknowledged = self.read(s.high_watermark, known)
        self.put(s.known_high_watermark, (f,), end)
        self.put(s.acknowledged_in, (f,), known if end <= acknowledged else self.read(s.first_acknowledged_in, known))
        return "no row lets the beginning of a log go"


_JUDGES: Mapping[str, Callable[[Replicas, int, Values], str]] = {
    told.LEADS: Replicas._leads,
    told.FOLLOWS: Replicas._follows,
    told.CONFIGURED: Replicas._configured,
    told.APPENDS: Replicas._appends,
    told.ASKS: Replicas._asks,
    told.NOTES: Replicas._notes,
    told.TAKES: Replicas._takes,
    told.LEARNS: Replicas._learns,
    told.TRUNCATES: Replicas._truncates,
    told.ACKNOWLEDGES: Replicas._acknowledges,
    told.PROPOSES: Replicas._proposes,
    told.HEARS: Replicas._hears,
    told.STOPS: Replicas._stops,
    told.STARTS: Replicas._starts,
    told.DELETES: Replicas._deletes,
    told.OFFLINE: Replicas._offline,
    told.BEGINS: Replicas._begins,
}
