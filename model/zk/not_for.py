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
)  # fmt: skip
