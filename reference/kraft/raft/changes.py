"""How a leader changes the voters: one at a time, each committed before the next, as in Kafka's voter handlers.

Every request is answered at once, with Kafka's name of the error. In Kafka an operator has its answer when the record
is committed, and a controller that joins by itself when it is appended (KIP-1186).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .leading import Leading

NONE, NOT_LEADER, TIMED_OUT = "NONE", "NOT_LEADER_OR_FOLLOWER", "REQUEST_TIMED_OUT"
UNSUPPORTED, INVALID, DUPLICATE, NOT_FOUND = (
    "UNSUPPORTED_VERSION",
    "INVALID_REQUEST",
    "DUPLICATE_VOTER",
    "VOTER_NOT_FOUND",
)
INVALID_UPDATE = "INVALID_UPDATE_VERSION"
DYNAMIC = 1
"""The kraft.version with which voters change, the highest that there is."""


def add_voter(leader: Leading, controller: int) -> str:
    """Add a controller that has all that the leader has; return the error."""
    node = leader.node
    if refusal := _not_now(leader):
        return refusal
    if controller in node.voters:
        return DUPLICATE
    if node.known[controller].max_kraft_version < node.kraft_version:
        return INVALID
    if not leader.has_seen(controller):
        return TIMED_OUT
    leader.append_voters([*node.voters.values(), node.known[controller]])
    return NONE


def remove_voter(leader: Leading, controller: int) -> str:
    """Remove a voter, the leader itself among them, but never the only one; return the error."""
    node = leader.node
    if refusal := _not_now(leader):
        return refusal
    if controller not in node.voters or len(node.voters) == 1:
        return NOT_FOUND
    leader.append_voters([voter for voter in node.voters.values() if voter.id != controller])
    return NONE


def update_voter(leader: Leading, controller: int) -> str:
    """Write what a voter says of itself, or remember it with kraft.version 0; return the error."""
    node = leader.node
    if not leader.is_established or leader.is_changing:
        return TIMED_OUT
    if node.known[controller].max_kraft_version < node.kraft_version:
        return INVALID
    if controller not in node.voters:
        return NOT_FOUND
    if node.kraft_version:
        leader.append_voters([node.known[voter] for voter in node.voters])
    else:
        leader.known_levels[controller] = node.known[controller].max_kraft_version
    return NONE


def upgrade(leader: Leading) -> str:
    """Raise kraft.version where every voter is known to know it; return the error."""
    node = leader.node
    if not leader.is_established:
        return NOT_LEADER
    if node.kraft_version >= DYNAMIC:
        return NONE
    if any(leader.known_levels.get(voter, 0) < DYNAMIC for voter in node.voters):
        return INVALID_UPDATE
    leader.append_voters(list(node.voters.values()), DYNAMIC)
    return NONE


def _not_now(leader: Leading) -> str:
    """Return why a leader changes no voters now, in Kafka's order; empty where it may."""
    if not leader.is_established:
        return TIMED_OUT
    if not leader.node.kraft_version:
        return UNSUPPORTED
    return TIMED_OUT if leader.is_changing else ""
