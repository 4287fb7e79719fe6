"""What the bounds of the ZooKeeper era are not for: properties that nothing puts to the test there, with the reason."""

from __future__ import annotations

from fencepost.model.language import NotFor, not_for

NOT_FOR: tuple[NotFor, ...] = (
    not_for("there is one broker, which leads alone", "ZI3a", "tiny deletion redeletion"),
    not_for("nothing is reassigned", "ZI6 ZI6k", "tiny failover failures directories deletion redeletion deletions elections requests zombies"),
    not_for("nothing is reassigned", "ZI6e ZI6s ZI9c", "deletion redeletion deletions requests zombies"),
    not_for("no replica is removed", "ZI9", "requests zombies"),
    not_for("no broker comes back", "ZI10", "directories reassignment deposed redeletion moving zombies"),
    not_for("the leader stays the same", "ZI3e ZI7 ZI7u ZI11w", "deposed zombies"),
    not_for("who leads and who is in sync stays the same", "ZI3 ZI3c", "zombies"),
    not_for("no other leader is elected", "ZI7 ZI7u", "redeletion"),
    not_for("no broker comes back, or is new", "ZI30n ZI27g ZI28c ZI28r", "directories reassignment"),
    not_for("no broker goes", "ZI28b", "directories reassignment"),
    not_for("no broker shuts down in a controlled way", "ZI18d ZI27k ZI28s ZI28f", "tiny failures directories reassignment"),
    not_for("no controller takes over partitions from another", "ZI30r ZI30p", "failures directories"),
    not_for("no election is given up while somebody is online", "ZI19n", "tiny directories reassignment"),
    not_for("no leader asks for an ISR that would have to be refused, or none asks at all", "ZI17c ZI17j", "tiny directories"),
    not_for("no leader asks for another ISR", "ZI17a ZI17n", "tiny"),
    not_for("no leader is elected from outside the ISR", "ZI20 ZI20l ZI20a", "tiny directories reassignment"),
    not_for("no leader is lost", "ZI18o ZI27d", "reassignment"),
    not_for("no log directory fails", "ZI30l", "tiny failures"),
    not_for("no preferred leader is elected", "ZI19p", "tiny failures directories reassignment"),
    not_for("no topic is deleted", "ZI22 ZI22d ZI22q ZI27n ZI27o ZI27p ZI27q", "tiny failures directories reassignment"),
    not_for("no topic is deleted", "ZI31f", "tiny failures directories"),
    not_for("no write of a controller fails", "ZI1f", "failures directories"),
    not_for("no write of a controller fails", "ZI1g", "failures directories reassignment"),
    not_for("nothing is reassigned", "ZI27l ZI27m", "tiny failures directories"),
    not_for("nothing is reassigned", "ZI32r", "directories"),
    not_for("no broker starts while a partition is reassigned", "ZI32r", "reassignment"),
    not_for("what may be asked for is assumed, and adds only a broker that is live", "ZI21l", "reassignment"),
    not_for("no reassignment is cancelled", "ZI21c", "reassignment"),
    not_for("nothing is reassigned, and no preferred leader is elected", "ZI18s", "tiny failures directories"),
    not_for("the ISR never grows", "ZI17", "tiny"),
)  # fmt: skip
