"""Edits of the rows of access control, credentials, tokens and quotas, each with the claim that refutes it."""

from fencepost.model.kraft import KRAFT
from fencepost.model.kraft.security import as_it_was, by, end, found, hashed, holder, matches, now, others, until
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
from fencepost.model.language import FALSE, TRUE, Protocol, every, some

from .edits import Mutant, but


def _always(id: str) -> Protocol:
    """Return the KRaft tables with a row that refuses all that reaches it."""
    return KRAFT.but(id, when=TRUE, why="a mutant")


SECURITY = (
    Mutant(
        "G1",
        "AL8",
        "a deletion forgets what entries say, and leaves them",
        lambda: but("AL8", every(acl, granted[acl] & matches[acl], in_force[says[acl]].becomes(FALSE))),
    ),
    Mutant("G2", "AL6", "an entry that is in force is created again", lambda: KRAFT.without("AL5", why="a mutant")),
    Mutant(
        "G3",
        "AL6",
        "a new entry changes what all others say",
        lambda: but("AL6", ACL_ENTRY(acl, binding=binding), every(other, granted[other], says[other].becomes(binding))),
    ),
    Mutant("G4", "AL6", "a creation writes nothing", lambda: but("AL6")),
    Mutant(
        "G5",
        "AL8",
        "a deletion takes away every entry",
        lambda: but("AL8", every(acl, granted[acl], REMOVE_ACL_ENTRY(acl))),
    ),
    Mutant("G6", "SC6", "a credential is removed that is not there", lambda: KRAFT.without("SC4", why="a mutant")),
    Mutant(
        "G7",
        "SC12",
        "a credential is written with more iterations than were asked for",
        lambda: but("SC12", USER_SCRAM_CREDENTIAL(credential, iterations=hashed + 1)),
    ),
    Mutant(
        "G8",
        "TK10",
        "a renewal moves the end behind the latest",
        lambda: but("TK10", DELEGATION_TOKEN(token, latest=latest[token], expires=latest[token] + 1, **as_it_was)),
    ),
    Mutant(
        "G9",
        "TK10",
        "a renewal makes the token the renewer's own",
        lambda: but(
            "TK10", DELEGATION_TOKEN(token, latest=latest[token], expires=until, **{**as_it_was, "owner": some(by)})
        ),
    ),
    Mutant(
        "G10",
        "TK18",
        "a sweep leaves tokens that could be renewed longer",
        lambda: but("TK18", every(token, found & (latest[token] < now), REMOVE_DELEGATION_TOKEN(token))),
    ),
    Mutant(
        "G11",
        "TK18",
        "a sweep takes away every token",
        lambda: but("TK18", every(token, found, REMOVE_DELEGATION_TOKEN(token))),
    ),
    Mutant("G12", "TK15", "a token that is to end at once stays", lambda: but("TK15")),
    Mutant("G13", "TK10", "a renewal that is answered NONE writes nothing", lambda: but("TK10")),
    Mutant(
        "G14",
        "TK4",
        "a new token ends as late as it may",
        lambda: but(
            "TK4",
            DELEGATION_TOKEN(
                token, owner=some(holder), requester=some(by), renewers=others, issued=until, latest=end, expires=end
            ),
        ),
    ),
    Mutant("G15", "CQ9", "a user gets a key of addresses", lambda: KRAFT.without("CQ6", why="a mutant")),
    Mutant("G16", "CQ9", "a value is removed instead", lambda: but("CQ9", REMOVE_CLIENT_QUOTA(quota))),
    Mutant("G18", "CQ4", "a removal writes nothing", lambda: but("CQ4")),
    Mutant(
        "G17",
        "SC11",
        "a user who is named twice gets one of the credentials",
        lambda: but("SC11", USER_SCRAM_CREDENTIAL(credential, iterations=hashed)),
    ),
    Mutant(
        "G19",
        "AL6",
        "an entry is written whose codes no class of Kafka knows",
        lambda: KRAFT.without("AL1", why="a mutant"),
    ),
    Mutant(
        "G20",
        "AL6",
        "a range of addresses is written before all readers know it",
        lambda: KRAFT.without("AL3", why="a mutant"),
    ),
    Mutant("G21", "SC12", "a credential is written for any mechanism", lambda: KRAFT.without("SC9", why="a mutant")),
    Mutant("G22", "SC12", "a password may be hashed once", lambda: KRAFT.without("SC10", why="a mutant")),
    Mutant(
        "G23", "TK10", "tokens are renewed before all readers know them", lambda: KRAFT.without("TK6", why="a mutant")
    ),
    Mutant("G24", "TK17", "any requester may end a token", lambda: KRAFT.without("TK14", why="a mutant")),
    Mutant("G25", "TK17", "a token that is over is given another end", lambda: KRAFT.without("TK16", why="a mutant")),
    Mutant("G26", "TK10", "a token that is over is renewed", lambda: KRAFT.without("TK8", why="a mutant")),
    Mutant("G27", "TK4", "a renewer may be anything", lambda: KRAFT.without("TK3", why="a mutant")),
    Mutant("G28", "CQ9", "a request that only validates writes", lambda: KRAFT.without("CQ7", why="a mutant")),
    Mutant("G29", "CQ9", "a value that stays is written", lambda: KRAFT.without("CQ8", why="a mutant")),
    Mutant("G30", "SC4", "no credential is removed", lambda: _always("SC4")),
    Mutant("G31", "SC10", "no credential is written", lambda: _always("SC10")),
    Mutant("G32", "TK3", "no request gets a token", lambda: _always("TK3")),
    Mutant("G33", "TK9", "no token is renewed", lambda: _always("TK9")),
    Mutant("G34", "TK14", "no token ends", lambda: _always("TK14")),
    Mutant("G35", "CQ2", "no quota is removed", lambda: _always("CQ2")),
    Mutant("G36", "CQ8", "no quota is written", lambda: _always("CQ8")),
    Mutant("G37", "AL2", "no entry is created", lambda: _always("AL2")),
)
"""The claim, the row that it is checked for, what the edit does, and the tables with it."""
