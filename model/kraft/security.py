"""Access control, SCRAM credentials, delegation tokens and client quotas: four small tables that no other table reads."""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

from .answers import Error
from .security_records import *
from .state import mv

dry = BOOL.var("validate_only")

# -- access control ----------------------------------------------------------------------------------------------------
readable, is_range, good_range = BOOL.var("readable"), BOOL.var("range"), BOOL.var("good_range")
matches = per(ACL, "matches", BOOL, ANY, what="fixed", about="the filter of the request is for the entry")
create_acl = event(
    "CreateAcl", acl, binding, readable, is_range, good_range,
    given=~granted[acl],
    source="Kafka 4.4", code="AclControlManager.createAcls",
)  # fmt: skip
delete_acls = event("DeleteAcls", readable, source="Kafka 4.4", code="AclControlManager.deleteAcls")
known_codes = let(
    "known_codes",
    (resource_code[binding] >= 2)
    & (resource_code[binding] <= 7)
    & (pattern_code[binding] >= 3)
    & (pattern_code[binding] <= 4)
    & (operation_code[binding] >= 2)
    & (operation_code[binding] <= 15)
    & (permission_code[binding] >= 2)
    & (permission_code[binding] <= 3),
)
ACCESS_CONTROL = table(
    "access control",
    create_acl("AL1", ~known_codes,              say=Error.INVALID_REQUEST),
    create_acl("AL2", resource_name[binding].is_(nameless) | ~readable, say=Error.INVALID_REQUEST),
    create_acl("AL3", is_range & (mv < 32),      say=Error.UNSUPPORTED_VERSION),
    create_acl("AL4", is_range & ~good_range,    say=Error.INVALID_REQUEST),
    create_acl("AL5", in_force[binding],         say=Error.NONE),
    create_acl("AL6", TRUE,                      ACL_ENTRY(acl, binding=binding), say=Error.NONE),
    delete_acls("AL7", ~readable,                say=Error.INVALID_REQUEST),
    delete_acls("AL8", TRUE, every(acl, granted[acl] & matches[acl], REMOVE_ACL_ENTRY(acl)), say=Error.NONE),
    mode="first match",
    total=True,
    about="One entry, or one filter, of a request: an entry that a request has twice is created once, and one that several filters "
    "are for is deleted once. Whether principal, host and filter can be parsed is a parameter of the event.",
    why={
        "AL1": "Resource types 2 to 7, patterns LITERAL and PREFIXED, operations 2 to 15, DENY and ALLOW.",
        "AL3": "A host that is a range of addresses, as in 10.0.0.0/8, came with 4.4-IV1.",
        "AL5": "The entry is there already: it is answered like a new one.",
        "AL6": "The id is random, and none that is in use. A removal of an id that is not there ends a controller at replay.",
        "AL8": "Of more than 10,000 entries none is deleted, and the request is refused.",
    },
)  # fmt: skip

# -- SCRAM credentials -------------------------------------------------------------------------------------------------
hashed, twice = ITERATIONS.var("iterations"), BOOL.var("twice")
upsert = event(
    "UpsertScramCredential", credential, hashed, twice, source="KIP-554", code="ScramControlManager.alterCredentials"
)
delete_credential = event(
    "DeleteScramCredential", credential, twice, source="KIP-554", code="ScramControlManager.alterCredentials"
)
before_scram = let("before_scram", mv < 11)
unnamed = let("unnamed", user[credential].is_(nameless))
no_mechanism = let("no_mechanism", (mechanism[credential] < 1) | (mechanism[credential] > 2))
hashed_enough = let("hashed_enough", (hashed >= 4096) & (hashed <= 16384))
SCRAM = table(
    "SCRAM credentials",
    delete_credential("SC1", before_scram,       say=Error.UNSUPPORTED_VERSION),
    delete_credential("SC2", unnamed,            say=Error.UNACCEPTABLE_CREDENTIAL),
    delete_credential("SC3", no_mechanism,       say=Error.UNSUPPORTED_SASL_MECHANISM),
    delete_credential("SC4", ~has_credential[credential], say=Error.RESOURCE_NOT_FOUND),
    delete_credential("SC5", twice,              say=Error.DUPLICATE_RESOURCE),
    delete_credential("SC6", TRUE, REMOVE_USER_SCRAM_CREDENTIAL(credential), say=Error.NONE),
    upsert("SC7", before_scram,                  say=Error.UNSUPPORTED_VERSION),
    upsert("SC8", unnamed,                       say=Error.UNACCEPTABLE_CREDENTIAL),
    upsert("SC9", no_mechanism,                  say=Error.UNSUPPORTED_SASL_MECHANISM),
    upsert("SC10", ~hashed_enough,               say=Error.UNACCEPTABLE_CREDENTIAL),
    upsert("SC11", twice,                        say=Error.DUPLICATE_RESOURCE),
    upsert("SC12", TRUE, USER_SCRAM_CREDENTIAL(credential, iterations=hashed), say=Error.NONE),
    mode="first match",
    total=True,
    about="One user of a request; deletions are asked before upserts. What a password was made into is in no table.",
    why={
        "SC4": "A removal of a credential that is not there ends a controller at replay.",
        "SC5": "The user is named again, whatever the other mechanism: neither is done. An error of the first stays.",
        "SC10": "Fewer than 4,096 iterations, or more than 16,384.",
        "SC12": "A credential that is there is written again.",
    },
)  # fmt: skip

# -- delegation tokens -------------------------------------------------------------------------------------------------
by, holder = PRINCIPAL.var("by"), PRINCIPAL.var("holder")
others = set_of(PRINCIPAL).var("renewers")
now, end, until = TIME.var("now"), TIME.var("end"), TIME.var("until")
enabled, of_users, at_once = BOOL.var("enabled"), BOOL.var("of_users"), BOOL.var("at_once")
published = per(
    TOKEN,
    "published",
    BOOL,
    ANY,
    what="fixed",
    about="the metadata image that the controller last published has the token",
)
found = let("found", published[token] & present(owner[token]))
create_token = event(
    "CreateDelegationToken", token, holder, by, others, now, end, until, enabled, of_users,
    given=absent(owner[token]) & (now <= until) & (until <= end),
    source="KIP-900", code="DelegationTokenControlManager.createDelegationToken",
)  # fmt: skip
renew_token = event(
    "RenewDelegationToken", token, by, now, until, enabled,
    given=until <= latest[token],
    source="KIP-900", code="DelegationTokenControlManager.renewDelegationToken",
)  # fmt: skip
expire_token = event(
    "ExpireDelegationToken", token, by, now, until, at_once, enabled,
    given=until <= latest[token],
    source="KIP-900", code="DelegationTokenControlManager.expireDelegationToken",
)  # fmt: skip
sweep = event(
    "SweepDelegationTokens", now, environment=True,
    source="KIP-900", code="DelegationTokenControlManager.sweepExpiredDelegationTokens",
)  # fmt: skip
before_tokens = let("before_tokens", mv < 14)
may_renew = let("may_renew", owner[token].is_(some(by)) | by.in_(renewers[token]))
is_over = let("is_over", (latest[token] < now) | (expires_at[token] < now))
as_it_was = {
    "owner": owner[token],
    "requester": requester[token],
    "renewers": renewers[token],
    "issued": issued_at[token],
}
prolonged = DELEGATION_TOKEN(token, latest=latest[token], expires=until, **as_it_was)
issued = DELEGATION_TOKEN(
    token, owner=some(holder), requester=some(by), renewers=others, issued=now, latest=end, expires=until
)
TOKENS = table(
    "delegation tokens",
    create_token("TK1", ~enabled,                say=Error.DELEGATION_TOKEN_AUTH_DISABLED),
    create_token("TK2", before_tokens,           say=Error.UNSUPPORTED_VERSION),
    create_token("TK3", ~of_users,               say=Error.INVALID_PRINCIPAL_TYPE),
    create_token("TK4", TRUE,                    issued, say=Error.NONE),
    renew_token("TK5", ~enabled,                 say=Error.DELEGATION_TOKEN_AUTH_DISABLED),
    renew_token("TK6", before_tokens,            say=Error.UNSUPPORTED_VERSION),
    renew_token("TK7", ~found,                   say=Error.DELEGATION_TOKEN_NOT_FOUND),
    renew_token("TK8", is_over,                  say=Error.DELEGATION_TOKEN_EXPIRED),
    renew_token("TK9", ~may_renew,               say=Error.DELEGATION_TOKEN_OWNER_MISMATCH),
    renew_token("TK10", TRUE,                    prolonged, say=Error.NONE),
    expire_token("TK11", ~enabled,               say=Error.DELEGATION_TOKEN_AUTH_DISABLED),
    expire_token("TK12", before_tokens,          say=Error.UNSUPPORTED_VERSION),
    expire_token("TK13", ~found,                 say=Error.DELEGATION_TOKEN_NOT_FOUND),
    expire_token("TK14", ~may_renew,             say=Error.DELEGATION_TOKEN_OWNER_MISMATCH),
    expire_token("TK15", at_once,                REMOVE_DELEGATION_TOKEN(token), say=Error.NONE),
    expire_token("TK16", is_over,                say=Error.DELEGATION_TOKEN_EXPIRED),
    expire_token("TK17", TRUE,                   prolonged, say=Error.NONE),
    sweep("TK18", TRUE, every(token, found & is_over, REMOVE_DELEGATION_TOKEN(token))),
    mode="first match",
    total=True,
    about="Tokens are looked up in the metadata image that was published last, behind the log: a token that is removed may be "
    "found once more, and one that is new may not be found yet.",
    why={
        "TK3": "A renewer is no User.",
        "TK4": "Its longest life and the time until it must be renewed are the request's or the controller's settings.",
        "TK10": "Owner, renewers and the end stay as they are. A token that was removed meanwhile is there again.",
        "TK15": "A negative period removes the token, if it is over too; no other renewal does.",
        "TK18": "At most 1,000 at once; if there are more the task runs again.",
    },
)  # fmt: skip

# -- client quotas -----------------------------------------------------------------------------------------------------
new_rate = RATE.var("rate")
resolves, allowed = BOOL.var("resolves"), BOOL.var("allowed")
set_quota = event(
    "SetClientQuota", quota, new_rate, twice, resolves, allowed, dry,
    source="KIP-546", code="ClientQuotaControlManager.alterClientQuotas",
)  # fmt: skip
remove_quota = event(
    "RemoveClientQuota",
    quota,
    twice,
    resolves,
    dry,
    source="KIP-546",
    code="ClientQuotaControlManager.alterClientQuotas",
)
of_address = let("of_address", quota_kinds[quota].is_(just(of_ip)))
of_clients = let("of_clients", ~empty(quota_kinds[quota]) & (quota_kinds[quota] <= just(of_user, of_client_id)))
limits_clients = let(
    "limits_clients",
    any_of(
        *(
            quota_key[quota].is_(one)
            for one in (producer_byte_rate, consumer_byte_rate, request_percentage, controller_mutation_rate)
        )
    ),
)
legal_entity = let("legal_entity", (of_clients | of_address & resolves) & ~nameless.in_(quota_names[quota]))
legal_key = let("legal_key", of_clients & limits_clients | of_address & quota_key[quota].is_(connection_creation_rate))
QUOTAS = table(
    "client quotas",
    remove_quota("CQ10", twice,                  say=Error.INVALID_REQUEST),
    remove_quota("CQ1", ~legal_entity,           say=Error.INVALID_REQUEST),
    remove_quota("CQ2", dry,                     say=Error.NONE),
    remove_quota("CQ3", absent(rate[quota]),     say=Error.NONE),
    remove_quota("CQ4", TRUE,                    REMOVE_CLIENT_QUOTA(quota), say=Error.NONE),
    set_quota("CQ11", twice,                     say=Error.INVALID_REQUEST),
    set_quota("CQ5", ~legal_entity,              say=Error.INVALID_REQUEST),
    set_quota("CQ6", ~legal_key | ~allowed,      say=Error.INVALID_REQUEST),
    set_quota("CQ7", dry,                        say=Error.NONE),
    set_quota("CQ8", rate[quota].is_(some(new_rate)), say=Error.NONE),
    set_quota("CQ9", TRUE,                       CLIENT_QUOTA(quota, rate=new_rate), say=Error.NONE),
    mode="first match",
    total=True,
    about="One key of one entity; where a key of an entity is refused, no key of it is written. Whether an address resolves and a "
    "value is a finite number above 0, whole for byte rates, is a parameter of the event.",
    why={
        "CQ3": "What is not set is not removed again; its key may be any.",
        "CQ5": "An entity is a user, a client id or both, or an address; null means its default, an empty name is invalid.",
        "CQ6": "Addresses have connection_creation_rate, all others the other four keys.",
        "CQ8": "A value that stays the same is not written.",
        "CQ10": "A key that occurs twice in its entity, or an entity that was named before: what was asked first is done, and "
        "the entity's answer is this one.",
        "CQ11": "As CQ10.",
    },
)  # fmt: skip

SECURITY = (ACCESS_CONTROL, SCRAM, TOKENS, QUOTAS)
