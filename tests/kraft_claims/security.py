"""Edits of the rows of access control, credentials, tokens and quotas, each with the claim that refutes it."""

from __future__ import annotations

from typing import Any

from fencepost.model.kraft import KRAFT
from fencepost.model.kraft.security import (
    as_it_was,
    by,
    end,
    found,
    hashed,
    holder,
    matches,
    now,
    others,
    until,
)
from fencepost.model.kraft.security_properties import other
from fencepost.model.kraft.security_records import (
    ACL_ENTRY,
    DELEGATION_TOKEN,
    REMOVE_ACL_ENTRY,
    REMOVE_CLIENT_QUOTA,
    REMOVE_DELEGATION_TOKEN,
    USER_SCRAM_CREDENTIAL,
    acl,
    binding,
    credential,
    granted,
    in_force,
    latest,
    quota,
    says,
    token,
)
from fencepost.model.language import FALSE, Protocol, every, some


def _but(id: str, *effects: Any) -> Protocol:
    return KRAFT.but(id, effects=effects, why="a mutant")


SECURITY = (
    (
        "G1",
        "AL8",
        "a deletion forgets what entries say, and leaves them",
        lambda: _but("AL8", every(acl, granted[acl] & matches[acl], in_force[says[acl]].becomes(FALSE))),
    ),
    ("G2", "AL6", "an entry that is in force is created again", lambda: KRAFT.without("AL5", why="a mutant")),
    (
        "G3",
        "AL6",
        "a new entry changes what all others say",
        lambda: _but(
            "AL6", ACL_ENTRY(acl, binding=binding), every(other, granted[other], says[other].becomes(binding))
        ),
    ),
    ("G4", "AL6", "a creation writes nothing", lambda: _but("AL6")),
    (
        "G5",
        "AL8",
        "a deletion takes away every entry",
        lambda: _but("AL8", every(acl, granted[acl], REMOVE_ACL_ENTRY(acl))),
    ),
    ("G6", "SC6", "a credential is removed that is not there", lambda: KRAFT.without("SC4", why="a mutant")),
    (
        "G7",
        "SC12",
        "a credential is written with more iterations than were asked for",
        lambda: _but("SC12", USER_SCRAM_CREDENTIAL(credential, iterations=hashed + 1)),
    ),
    (
        "G8",
        "TK10",
        "a renewal moves the end behind the latest",
        lambda: _but("TK10", DELEGATION_TOKEN(token, latest=latest[token], expires=latest[token] + 1, **as_it_was)),
    ),
    (
        "G9",
        "TK10",
        "a renewal makes the token the renewer's own",
        lambda: _but(
            "TK10", DELEGATION_TOKEN(token, latest=latest[token], expires=until, **{**as_it_was, "owner": some(by)})
        ),
    ),
    (
        "G10",
        "TK18",
        "a sweep leaves tokens that could be renewed longer",
        lambda: _but("TK18", every(token, found & (latest[token] < now), REMOVE_DELEGATION_TOKEN(token))),
    ),
    (
        "G11",
        "TK18",
        "a sweep takes away every token",
        lambda: _but("TK18", every(token, found, REMOVE_DELEGATION_TOKEN(token))),
    ),
    ("G12", "TK15", "a token that is to end at once stays", lambda: _but("TK15")),
    ("G13", "TK10", "a renewal that is answered NONE writes nothing", lambda: _but("TK10")),
    (
        "G14",
        "TK4",
        "a new token ends as late as it may",
        lambda: _but(
            "TK4",
            DELEGATION_TOKEN(
                token, owner=some(holder), requester=some(by), renewers=others, issued=until, latest=end, expires=end
            ),
        ),
    ),
    ("G15", "CQ9", "a user gets a key of addresses", lambda: KRAFT.without("CQ6", why="a mutant")),
    ("G16", "CQ9", "a value is removed instead", lambda: _but("CQ9", REMOVE_CLIENT_QUOTA(quota))),
    ("G18", "CQ4", "a removal writes nothing", lambda: _but("CQ4")),
    (
        "G17",
        "SC11",
        "a user who is named twice gets one of the credentials",
        lambda: _but("SC11", USER_SCRAM_CREDENTIAL(credential, iterations=hashed)),
    ),
)
"""The claim, the row that it is asked of, what the edit does, and the tables with it."""
