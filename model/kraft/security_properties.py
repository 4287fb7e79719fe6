"""Properties of access control, SCRAM credentials, delegation tokens and client quotas."""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

from .answers import Error
from .security import (
    SECURITY,
    allowed,
    at_once,
    by,
    dry,
    enabled,
    end,
    good_range,
    hashed,
    holder,
    is_over,
    is_range,
    known_codes,
    legal_entity,
    legal_key,
    matches,
    new_rate,
    now,
    of_users,
    others,
    published,
    readable,
    twice,
    until,
)
from .security_records import *
from .state import mv

other = ACL.var("other")
_REFUSALS = tuple(
    row.id
    for table in SECURITY
    for row in table.rows
    if isinstance(row.say, Lit) and isinstance(row.say.value, Error) and row.say.value is not Error.NONE
)
_nothing_changes = let(
    "nothing_changes_in_security",
    forall(acl, next_(granted[acl]).is_(granted[acl]))
    & forall(
        credential,
        next_(has_credential[credential]).is_(has_credential[credential])
        & next_(iterations[credential]).is_(iterations[credential]),
    )
    & forall(token, next_(has_token[token]).is_(has_token[token]) & next_(expires_at[token]).is_(expires_at[token]))
    & forall(quota, next_(rate[quota]).is_(rate[quota])),
)

no_name_or_mechanism = user[credential].is_(nameless) | (mechanism[credential] < 1) | (mechanism[credential] > 2)
not_theirs = ~published[token] | absent(owner[token]) | ~(owner[token].is_(some(by)) | by.in_(renewers[token]))

PROPERTIES = (
    always(
        "G1",
        forall(acl, granted[acl].implies(in_force[says[acl]])),
        "What an access control entry says is in force.",
        "AclControlManager.replay",
    ),
    always(
        "G2",
        forall(
            acl, forall(other, (granted[acl] & granted[other] & says[acl].is_(says[other])).implies(acl.is_(other)))
        ),
        "No two access control entries say the same.",
        "AclControlManager.createAcls",
    ),
    step(
        "G3",
        forall(acl, (granted[acl] & next_(granted[acl])).implies(next_(says[acl]).is_(says[acl]))),
        "An id of an access control entry that is in use is never given to another.",
        "AclControlManager.newAclId",
        scope=AT_RESULT_BOUNDARIES,
    ),
    step(
        "G4",
        next_(in_force[binding]),
        "An access control entry that is answered NONE is in force.",
        "AclControlManager.createAcls",
        scope=AT_RESULT_BOUNDARIES,
        rows=("AL5", "AL6"),
    ),
    step(
        "G5",
        forall(acl, next_(granted[acl]).is_(granted[acl] & ~matches[acl])),
        "Of the access control entries those that a filter matches are gone after it, and no other.",
        "AclControlManager.deleteAcls",
        scope=AT_RESULT_BOUNDARIES,
        named_for="it is about the deletion by filters; AL6 grants",
        rows=("AL8",),
    ),
    step(
        "G6",
        has_credential[credential] & next_(~has_credential[credential]),
        "A SCRAM credential that is deleted was there, and is gone.",
        "ScramControlManager.replay",
        scope=AT_RESULT_BOUNDARIES,
        rows=("SC6",),
    ),
    step(
        "G7",
        next_(has_credential[credential] & iterations[credential].is_(hashed)),
        "A SCRAM credential that is answered NONE is there.",
        "ScramControlManager.alterCredentials",
        scope=AT_RESULT_BOUNDARIES,
        rows=("SC12",),
    ),
    always(
        "G8",
        forall(token, has_token[token].implies(present(owner[token]) & (expires_at[token] <= latest[token]))),
        "A delegation token has an owner, and never lives longer than it may at most.",
        "KIP-48",
    ),
    step(
        "G9",
        forall(
            token,
            present(owner[token]).implies(
                next_(owner[token]).is_(owner[token])
                & next_(requester[token]).is_(requester[token])
                & next_(renewers[token]).is_(renewers[token])
                & next_(issued_at[token]).is_(issued_at[token])
                & next_(latest[token]).is_(latest[token])
            ),
        ),
        "Whose a delegation token is, who may renew it and when it ends at the latest never change.",
        "KIP-48",
        scope=AT_RESULT_BOUNDARIES,
    ),
    step(
        "G10",
        forall(token, (published[token] & present(owner[token]) & is_over).implies(next_(~has_token[token]))),
        "A delegation token that is over, and published, is gone after the sweep.",
        "DelegationTokenControlManager.sweepExpiredDelegationTokens",
        scope=AT_RESULT_BOUNDARIES,
        rows=("TK18",),
    ),
    step(
        "G11",
        forall(token, (has_token[token] & ~(published[token] & is_over)).implies(next_(has_token[token]))),
        "A sweep takes away no delegation token that is not over, and none that is not published.",
        "DelegationTokenControlManager.sweepExpiredDelegationTokens",
        scope=AT_RESULT_BOUNDARIES,
        rows=("TK18",),
    ),
    step(
        "G12",
        next_(~has_token[token]),
        "A delegation token that is to end at once is gone.",
        "DelegationTokenControlManager.expireDelegationToken",
        scope=AT_RESULT_BOUNDARIES,
        rows=("TK15",),
    ),
    step(
        "G13",
        next_(has_token[token] & expires_at[token].is_(until)),
        "A delegation token that is renewed, or is to end later, ends when it was answered.",
        "KIP-48",
        scope=AT_RESULT_BOUNDARIES,
        rows=("TK10", "TK17"),
    ),
    step(
        "G14",
        next_(
            has_token[token]
            & owner[token].is_(some(holder))
            & requester[token].is_(some(by))
            & renewers[token].is_(others)
            & latest[token].is_(end)
            & expires_at[token].is_(until)
        ),
        "A delegation token that is answered NONE is there, as it was asked for.",
        "KIP-48",
        scope=AT_RESULT_BOUNDARIES,
        rows=("TK4",),
    ),
    always(
        "G15",
        forall(quota, present(rate[quota]).implies(legal_key & ~nameless.in_(quota_names[quota]))),
        "A client quota is for a user, a client id or both, or for an address, and has one of their keys.",
        "KIP-546",
    ),
    step(
        "G16",
        next_(rate[quota]).is_(some(new_rate)),
        "A client quota that is answered NONE has its value.",
        "KIP-546",
        scope=AT_RESULT_BOUNDARIES,
        rows=("CQ8", "CQ9"),
    ),
    step(
        "G18",
        next_(absent(rate[quota])),
        "A client quota whose removal is answered NONE is not set.",
        "KIP-546",
        scope=AT_RESULT_BOUNDARIES,
        rows=("CQ3", "CQ4"),
    ),
    step(
        "G17",
        _nothing_changes,
        "A refused request about access control, credentials, tokens or quotas changes none of them.",
        "Kafka 4.4",
        scope=AT_RESULT_BOUNDARIES,
        named_for="it is about requests that are refused; other rows do what is asked for, and the bootstrap writes credentials",
        rows=_REFUSALS,
    ),
    step(
        "G19",
        readable
        & ~resource_name[binding].is_(nameless)
        & (resource_code[binding] > 1)
        & (resource_code[binding] < 8)
        & (pattern_code[binding].is_(3) | pattern_code[binding].is_(4))
        & (operation_code[binding] > 1)
        & (operation_code[binding] < 16)
        & (permission_code[binding].is_(2) | permission_code[binding].is_(3)),
        "An access control entry that is answered NONE can be read, and has a name and codes that Kafka knows.",
        "AclControlManager.validateNewAcl",
        scope=AT_RESULT_BOUNDARIES,
        rows=("AL5", "AL6"),
    ),
    step(
        "G20",
        is_range.implies(good_range & (mv > 31)),
        "An access control entry for a range of addresses is answered NONE from 4.4-IV1 on, if it is a range.",
        "KIP-1276",
        scope=AT_RESULT_BOUNDARIES,
        rows=("AL5", "AL6"),
    ),
    step(
        "G21",
        (mv > 10)
        & ~twice
        & ~user[credential].is_(nameless)
        & (mechanism[credential].is_(1) | mechanism[credential].is_(2)),
        "A SCRAM credential is written or removed from 3.5-IV2 on, of a user with a name who is named once, by a mechanism "
        "that Kafka knows.",
        "ScramControlManager.alterCredentials",
        scope=AT_RESULT_BOUNDARIES,
        rows=("SC6", "SC12"),
    ),
    step(
        "G22",
        (hashed > 4095) & (hashed < 16385),
        "A password is hashed 4,096 times at least, and 16,384 times at most.",
        "ScramMechanism.minIterations",
        scope=AT_RESULT_BOUNDARIES,
        rows=("SC12",),
    ),
    step(
        "G23",
        enabled & (mv > 13),
        "Delegation tokens are answered NONE only where the controller has a secret for them, from 3.6-IV2 on.",
        "DelegationTokenControlManager.createDelegationToken",
        scope=AT_RESULT_BOUNDARIES,
        rows=("TK4", "TK10", "TK15", "TK17"),
    ),
    step(
        "G24",
        published[token] & (owner[token].is_(some(by)) | by.in_(renewers[token])),
        "A principal that renews or expires a delegation token is its owner or one of its renewers.",
        "KIP-48",
        scope=AT_RESULT_BOUNDARIES,
        rows=("TK10", "TK15", "TK17"),
    ),
    step(
        "G25",
        (latest[token] >= now) & (expires_at[token] >= now) & ~at_once,
        "A delegation token that is over is not renewed, nor given another end.",
        "DelegationTokenControlManager.renewDelegationToken",
        scope=AT_RESULT_BOUNDARIES,
        rows=("TK17",),
    ),
    step(
        "G26",
        (latest[token] >= now) & (expires_at[token] >= now),
        "A delegation token that is over is not renewed.",
        "DelegationTokenControlManager.renewDelegationToken",
        scope=AT_RESULT_BOUNDARIES,
        rows=("TK10",),
    ),
    step(
        "G27",
        of_users,
        "Every renewer of a new delegation token is a User.",
        "KIP-900",
        scope=AT_RESULT_BOUNDARIES,
        rows=("TK4",),
    ),
    step(
        "G28",
        ~dry & ~twice,
        "A client quota is written or removed by a request that does more than validate, and names the key once.",
        "KIP-546",
        scope=AT_RESULT_BOUNDARIES,
        rows=("CQ4", "CQ9"),
    ),
    step(
        "G29",
        ~next_(rate[quota]).is_(rate[quota]),
        "A client quota is written only where it changes.",
        "ClientQuotaControlManager.alterClientQuotas",
        scope=AT_RESULT_BOUNDARIES,
        rows=("CQ4", "CQ9"),
    ),
    step(
        "G30",
        (mv < 11) | no_name_or_mechanism | ~has_credential[credential] | twice,
        "The removal of a SCRAM credential is refused only before 3.5-IV2, of a user without a name, by a mechanism that Kafka "
        "does not know, where there is none, or where the user is named again.",
        "ScramControlManager.alterCredentials",
        scope=AT_RESULT_BOUNDARIES,
        rows=("SC1", "SC2", "SC3", "SC4", "SC5"),
    ),
    step(
        "G31",
        (mv < 11) | no_name_or_mechanism | (hashed < 4096) | (hashed > 16384) | twice,
        "A SCRAM credential is refused only before 3.5-IV2, of a user without a name, by a mechanism that Kafka does not know, "
        "hashed too seldom or too often, or where the user is named again.",
        "ScramControlManager.alterCredentials",
        scope=AT_RESULT_BOUNDARIES,
        rows=("SC7", "SC8", "SC9", "SC10", "SC11"),
    ),
    step(
        "G32",
        ~enabled | (mv < 14) | ~of_users,
        "A new delegation token is refused only where the controller has no secret, before 3.6-IV2, or for a renewer who is no User.",
        "DelegationTokenControlManager.createDelegationToken",
        scope=AT_RESULT_BOUNDARIES,
        rows=("TK1", "TK2", "TK3"),
    ),
    step(
        "G33",
        ~enabled | (mv < 14) | not_theirs | is_over,
        "A delegation token is not renewed only where the controller has no secret, before 3.6-IV2, where it is not found or over, "
        "or for who is neither owner nor renewer.",
        "DelegationTokenControlManager.renewDelegationToken",
        scope=AT_RESULT_BOUNDARIES,
        rows=("TK5", "TK6", "TK7", "TK8", "TK9"),
    ),
    step(
        "G34",
        ~enabled | (mv < 14) | not_theirs | ~at_once & is_over,
        "A delegation token does not end as it is asked to only where the controller has no secret, before 3.6-IV2, where it is not "
        "found, for who is neither owner nor renewer, or, if it should not end at once, where it is over.",
        "DelegationTokenControlManager.expireDelegationToken",
        scope=AT_RESULT_BOUNDARIES,
        rows=("TK11", "TK12", "TK13", "TK14", "TK16"),
    ),
    step(
        "G35",
        twice | ~legal_entity | dry | absent(rate[quota]),
        "A client quota is not removed only where the key is named again, of an entity that can have none, by a request that only "
        "validates, or where there is none.",
        "KIP-546",
        scope=AT_RESULT_BOUNDARIES,
        rows=("CQ10", "CQ1", "CQ2", "CQ3"),
    ),
    step(
        "G36",
        twice | ~legal_entity | ~legal_key | ~allowed | dry | rate[quota].is_(some(new_rate)),
        "A client quota is not written only where the key is named again, of an entity or a key that can have none, with a value "
        "that is not allowed, by a request that only validates, or where it stays as it is.",
        "KIP-546",
        scope=AT_RESULT_BOUNDARIES,
        rows=("CQ11", "CQ5", "CQ6", "CQ7", "CQ8"),
    ),
    step(
        "G37",
        ~known_codes
        | resource_name[binding].is_(nameless)
        | ~readable
        | is_range & ((mv < 32) | ~good_range)
        | in_force[binding],
        "An access control entry is not written only where a code is unknown, the resource has no name, it cannot be read, it has a "
        "range of addresses that is malformed or before 4.4-IV1, or is in force.",
        "AclControlManager.validateNewAcl",
        scope=AT_RESULT_BOUNDARIES,
        rows=("AL1", "AL2", "AL3", "AL4", "AL5"),
    ),
)
