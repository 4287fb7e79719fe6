"""State of `kraft-data`: what the controller has decided, the logs of the brokers, what leaders know, what is in flight.

- What the controller decides under a partition epoch never changes, so the metadata log is maps by partition epoch. A broker that has
  not read the newest reads an older one, or leaves some out.
- A leader epoch has one leader, so what a leader remembers is kept by its leader epoch. A broker that still leads in an old epoch
  goes on there. `leader_log` is what the leader of an epoch has had at an offset: what its fetch answers carry, however late.
- A record is its offset and the leader epoch in which it was written.
- Epochs begin at 1; 0 means none yet.
"""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

__all__ = [
    "BROKER", "BROKERS", "CONFIG", "EPOCH", "LIFE", "NOBODY", "NO_ONE", "OFFSET", "SIZE", "VERSION", "Broker",
    "acknowledged_in", "alter_refused", "alter_sent", "asked", "b", "broker_epoch", "c", "config", "counts", "crashed",
    "d", "e", "elr", "elr_at", "enough", "epoch", "epoch_at", "epoch_start", "f", "fetch_broker_epoch", "fetch_offset",
    "fetched", "fetched_broker_epoch", "first_acknowledged_in", "first_config", "first_high_watermark", "g", "has",
    "high_watermark", "i", "isr", "isr_at", "k", "known_config", "known_epoch", "known_high_watermark", "known_isr",
    "known_partition_epoch", "last_config", "leader", "leader_at", "leader_end", "leader_log", "leader_of", "leads",
    "log", "log_end", "min_isr", "min_isr_in", "n", "o", "partition_epoch", "proposed_broker_epoch", "proposed_isr",
    "proposed_under", "proposing", "slowest", "slowest_end", "truncated", "unclean_at", "v", "w", "was_enough", "x",
]  # fmt: skip


class Broker(Entity):
    """A replica of the partition."""


BROKER = sort(Broker)
BROKERS = set_of(BROKER)
OFFSET = counter("offset")
EPOCH = counter("leader epoch")
VERSION = counter("partition epoch")
LIFE = counter("broker epoch")
CONFIG = counter("configuration", 1)
SIZE = threshold("size")

b, f, g, x = BROKER.var("b"), BROKER.var("f"), BROKER.var("g"), BROKER.var("x")
e, d, k, asked = EPOCH.var("e"), EPOCH.var("d"), EPOCH.var("k"), EPOCH.var("asked")
v, w = VERSION.var("v"), VERSION.var("w")
c = CONFIG.var("c")
o, i, n = OFFSET.var("o"), OFFSET.var("i"), OFFSET.var("n")
NOBODY, NO_ONE = nobody(BROKER), none_of(BROKER)

# -- the controller ----------------------------------------------------------------------------------------------------
config = cell("config", CONFIG, 1, about="the newest configuration")
min_isr_in = per(CONFIG, "min_isr_in", SIZE, ANY, what="fixed", about="min.insync.replicas in a configuration")
partition_epoch = cell("partition_epoch", VERSION, 0, about="0 before the partition is created")
leader_at = per(VERSION, "leader_at", maybe(BROKER), NONE, about="the leader under a partition epoch")
epoch_at = per(VERSION, "epoch_at", EPOCH, 0, about="the leader epoch under a partition epoch")
isr_at = per(VERSION, "isr_at", BROKERS, about="the ISR under a partition epoch")
elr_at = per(VERSION, "elr_at", BROKERS, about="the eligible leader replicas under a partition epoch")
unclean_at = per(
    EPOCH, "unclean_at", EPOCH, 0, about="the newest epoch up to this one that began with an unclean election"
)
first_config = per(VERSION, "first_config", CONFIG, 1, about="the configuration in which a partition epoch was decided")
last_config = per(VERSION, "last_config", CONFIG, 1, about="the newest in which it was the newest partition epoch")
broker_epoch = per(BROKER, "broker_epoch", LIFE, 1, about="the broker epoch of the registration")

leader, epoch = let("leader", leader_at[partition_epoch]), let("leader_epoch", epoch_at[partition_epoch])
isr, elr = let("isr", isr_at[partition_epoch]), let("elr", elr_at[partition_epoch])
min_isr = let("min_isr", min_isr_in[config])

# -- brokers -----------------------------------------------------------------------------------------------------------
log = per2(BROKER, OFFSET, "log", EPOCH, 0, about="the leader epoch of the record at an offset")
log_end = per(BROKER, "log_end", OFFSET, 0)
crashed = per(BROKER, "crashed", BOOL, about="stopped uncleanly and not registered again")
known_epoch = per(BROKER, "known_epoch", EPOCH, 0, about="the newest leader epoch that the broker has read")
truncated = per(BROKER, "truncated", BOOL, about="has cut its log to what it shares with the leader of that epoch")
known_high_watermark = per(
    BROKER, "known_high_watermark", OFFSET, 0,
    about="the highest that the broker has known, as a leader its own; where its log was cut, at most its end then",
)  # fmt: skip

# -- leaders, by their leader epoch ------------------------------------------------------------------------------------
leader_of = per(EPOCH, "leader_of", maybe(BROKER), NONE, about="who has begun to lead in the epoch")
epoch_start = per(EPOCH, "epoch_start", OFFSET, 0, about="where the leader's log ended when the epoch began")
leader_log = per2(EPOCH, OFFSET, "leader_log", EPOCH, 0, about="the leader's log, as it answers fetches")
leader_end = per(EPOCH, "leader_end", OFFSET, 0, about="the end of that log")
high_watermark = per(EPOCH, "high_watermark", OFFSET, 0, about="the leader's: what it has acknowledged ends here")
first_high_watermark = per(
    EPOCH, "first_high_watermark", OFFSET, 0, about="the one that the leader knew when it began, and sends at first"
)
known_partition_epoch = per(EPOCH, "known_partition_epoch", VERSION, 0, about="the newest that the leader has read")
known_isr = per(EPOCH, "known_isr", BROKERS, about="the ISR of that partition epoch")
known_config = per(EPOCH, "known_config", CONFIG, 1, about="the configuration that the leader has read")
fetched = per2(EPOCH, BROKER, "fetched", OFFSET, 0, about="how far a follower has fetched, as the leader knows")
fetched_broker_epoch = per2(EPOCH, BROKER, "fetched_broker_epoch", LIFE, 0, about="and under which broker epoch")
proposing = per(EPOCH, "proposing", BOOL, about="a proposal is pending: the maximal ISR has those proposed, too")

# -- in flight ---------------------------------------------------------------------------------------------------------
alter_sent = per(
    EPOCH, "alter_sent", BOOL, what="message", about="AlterPartition of a leader that no answer has refused"
)
alter_refused = per(EPOCH, "alter_refused", BOOL, what="message", about="its answer INELIGIBLE_REPLICA")
proposed_isr = per(EPOCH, "proposed_isr", BROKERS, what="message", about="AlterPartition: the new ISR")
proposed_under = per(EPOCH, "proposed_under", VERSION, 0, what="message", about="AlterPartition: the partition epoch")
proposed_broker_epoch = per2(
    EPOCH, BROKER, "proposed_broker_epoch", LIFE, 0, what="message", about="AlterPartition: the epoch of a member"
)
fetch_offset = per2(
    EPOCH, BROKER, "fetch_offset", OFFSET, 0, what="message",
    about="Fetch: from where the newest of a follower in a leader epoch is; an older one may arrive after it",
)  # fmt: skip
fetch_broker_epoch = per2(
    EPOCH, BROKER, "fetch_broker_epoch", LIFE, 0, what="message", about="Fetch: the broker epoch; 0 if there is none"
)

# -- for the proof -----------------------------------------------------------------------------------------------------
was_enough = per(
    VERSION, "was_enough", BOOL, what="ghost",
    about="the ISR has had min.insync.replicas members of a configuration that was in force under the partition epoch",
)  # fmt: skip
elected_in = per2(
    BROKER, EPOCH, "elected_in", EPOCH, 0, what="ghost",
    about="the newest epoch for which the broker was elected cleanly, and all elections since this one cleanly, too",
)  # fmt: skip
slowest = per(
    EPOCH, "slowest", maybe(BROKER), NONE, what="ghost",
    about="of the candidates that have left the epoch behind, the one that had fetched least in it",
)  # fmt: skip
slowest_end = per(EPOCH, "slowest_end", OFFSET, 0, what="ghost", about="how far that one had fetched")

acknowledged_in = per(
    BROKER,
    "acknowledged_in",
    EPOCH,
    0,
    what="ghost",
    about="the epoch whose leader acknowledged up to known_high_watermark",
)
first_acknowledged_in = per(
    EPOCH,
    "first_acknowledged_in",
    EPOCH,
    0,
    what="ghost",
    about="the epoch whose leader acknowledged up to first_high_watermark",
)


@definition
def leads(b: Term[Broker], e: Term[int]) -> Term[bool]:
    """The broker leads in an epoch, as far as it knows."""
    return leader_of[e].is_(b) & known_epoch[b].is_(e) & ~crashed[b]


def counts(x: Term[Broker], e: Term[int]) -> Term[bool]:
    """The broker is in the maximal ISR of an epoch's leader: in the ISR it knows, or in the one it has proposed."""
    return x.in_(known_isr[e]) | (proposing[e] & x.in_(proposed_isr[e]))


@definition
def enough(e: Term[int]) -> Term[bool]:
    """The ISR that the leader of an epoch knows has min.insync.replicas members, as the leader knows that."""
    return at_least(known_isr[e], min_isr_in[known_config[e]])


# A function and no definition: Z3 is quicker where it sees these conditions themselves.
def candidate(b: Term[Broker], e: Term[int]) -> Term[bool]:
    """The broker may come to lead after an epoch, with no unclean election between: it is in the ISR or the ELR, or has been
    elected and has not read it.
    """
    now = (unclean_at[epoch] <= e) & (b.in_(isr) | b.in_(elr))
    return now | ((elected_in[b, e] > e) & (elected_in[b, e] > known_epoch[b]))


def has(b: Term[Broker], e: Term[int], o: Term[int]) -> Term[bool]:
    """The broker has the record that the leader of an epoch has at an offset."""
    return (o < log_end[b]) & log[b, o].is_(leader_log[e, o])
