"""Access control, SCRAM credentials, delegation tokens and client quotas: what the log says of them, and their records."""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

from .state import LEVEL, NAME

__all__ = [
    "ACL", "ACL_ENTRY", "BINDING", "CLIENT_QUOTA", "CODE", "CREDENTIAL", "DELEGATION_TOKEN", "ITERATIONS", "PRINCIPAL",
    "QUOTA", "QUOTA_KEY", "QUOTA_KIND", "RATE", "REMOVE_ACL_ENTRY", "REMOVE_CLIENT_QUOTA", "REMOVE_DELEGATION_TOKEN",
    "REMOVE_USER_SCRAM_CREDENTIAL", "TIME", "TOKEN", "USER_SCRAM_CREDENTIAL", "Acl", "Binding", "Credential",
    "Principal", "Quota", "QuotaKey", "QuotaKind", "Rate", "Token", "acl", "binding", "connection_creation_rate",
    "consumer_byte_rate", "controller_mutation_rate", "credential", "expires_at", "granted", "has_credential",
    "has_token", "in_force", "issued_at", "iterations", "latest", "mechanism", "nameless", "of_client_id", "of_ip",
    "of_user", "operation_code", "owner", "pattern_code", "permission_code", "producer_byte_rate", "quota", "quota_key",
    "quota_kinds", "quota_names", "rate", "renewers", "request_percentage", "requester", "resource_code",
    "resource_name", "says", "token", "user",
]  # fmt: skip


class Acl(Entity):
    """The id of an access control entry, random."""


class Binding(Entity):
    """The content of an access control entry: resource type, name and pattern, principal, host, operation, permission."""


class Credential(Entity):
    """A user with a SCRAM mechanism."""


class Token(Entity):
    """The id of a delegation token, random."""


class Principal(Entity):
    """A principal, as in User:alice."""


class Quota(Entity):
    """A client quota: the entity that it is for, which is a user, a client id, both, or an address; and its key."""


class QuotaKind(Entity):
    """The type of a part of a client quota entity: user, client-id, ip."""


class QuotaKey(Entity):
    """The quota's key, such as producer_byte_rate."""


class Rate(Entity):
    """The value of a client quota."""


ACL, BINDING, CREDENTIAL, TOKEN, PRINCIPAL = sort(Acl), sort(Binding), sort(Credential), sort(Token), sort(Principal)
QUOTA, QUOTA_KIND, QUOTA_KEY, RATE = sort(Quota), sort(QuotaKind), sort(QuotaKey), sort(Rate)
CODE = counter("code")
ITERATIONS = counter("iterations")
TIME = counter("time")

acl, binding = ACL.var("a"), BINDING.var("v")
credential, token, quota = CREDENTIAL.var("c"), TOKEN.var("k"), QUOTA.var("q")
nameless = constant("nameless", NAME, "", about="the empty name")

# -- access control ----------------------------------------------------------------------------------------------------
granted = per(ACL, "granted", BOOL, about="there is an access control entry of the id")
says = per(ACL, "says", BINDING, ANY, about="what the entry says; of one that is removed what it said")
in_force = per(BINDING, "in_force", BOOL, about="an entry says it: it is created once only")
resource_code = part_of(BINDING, "resource_code", CODE, 0)
resource_name = part_of(BINDING, "resource_name", NAME, 1)
pattern_code = part_of(BINDING, "pattern_code", CODE, 2)
operation_code = part_of(BINDING, "operation_code", CODE, 5)
permission_code = part_of(BINDING, "permission_code", CODE, 6)

_FIRST = Lit(0, LEVEL)
_acl = required("acl", ACL, "id")
_says = required(
    "binding",
    BINDING,
    "resourceType",
    "resourceName",
    "patternType",
    "principal",
    "host",
    "operation",
    "permissionType",
)
ACL_ENTRY = record(
    "ACCESS_CONTROL_ENTRY_RECORD",
    _acl,
    fields=(_says,),
    replay=(
        granted[_acl.value].becomes(TRUE),
        says[_acl.value].becomes(_says.value),
        in_force[_says.value].becomes(TRUE),
    ),
    version=_FIRST,
    name="AccessControlEntry",
    source="AclControlManager.replay",
)
REMOVE_ACL_ENTRY = record(
    "REMOVE_ACCESS_CONTROL_ENTRY_RECORD",
    _acl,
    replay=(in_force[says[_acl.value]].becomes(FALSE), granted[_acl.value].becomes(FALSE)),
    version=_FIRST,
    name="RemoveAccessControlEntry",
    source="AclControlManager.replay",
)

# -- SCRAM credentials -------------------------------------------------------------------------------------------------
has_credential = per(CREDENTIAL, "has_credential", BOOL, about="the user has a credential of the mechanism")
iterations = per(CREDENTIAL, "iterations", ITERATIONS, 0, about="how often the password was hashed")
user = part_of(CREDENTIAL, "scram_user", NAME, 0)
mechanism = part_of(CREDENTIAL, "mechanism", CODE, 1, about="1 SCRAM-SHA-256, 2 SCRAM-SHA-512")

_credential = required("credential", CREDENTIAL, "name", "mechanism")
_iterations = required("iterations", ITERATIONS)
USER_SCRAM_CREDENTIAL = record(
    "USER_SCRAM_CREDENTIAL_RECORD",
    _credential,
    fields=(_iterations,),
    replay=(has_credential[_credential.value].becomes(TRUE), iterations[_credential.value].becomes(_iterations.value)),
    ignored=("salt", "storedKey", "serverKey"),
    version=_FIRST,
    name="UserScramCredential",
    source="ScramControlManager.replay",
)
REMOVE_USER_SCRAM_CREDENTIAL = record(
    "REMOVE_USER_SCRAM_CREDENTIAL_RECORD",
    _credential,
    replay=has_credential[_credential.value].becomes(FALSE),
    version=_FIRST,
    name="RemoveUserScramCredential",
    source="ScramControlManager.replay",
)

# -- delegation tokens -------------------------------------------------------------------------------------------------
has_token = per(TOKEN, "has_token", BOOL, about="the token is there")
owner = per(TOKEN, "owner", maybe(PRINCIPAL), NONE, about="none for a token that never was; kept when it is removed")
requester = per(TOKEN, "requester", maybe(PRINCIPAL), NONE, about="who asked for the token")
renewers = per(TOKEN, "renewers", set_of(PRINCIPAL), about="who may renew it, beside its owner")
issued_at = per(TOKEN, "issued_at", TIME, 0)
latest = per(TOKEN, "latest", TIME, 0, about="the time at which it ends, however often it is renewed")
expires_at = per(TOKEN, "expires_at", TIME, 0, about="the time at which it ends unless it is renewed")

_token = required("token", TOKEN, "tokenId")
_owner = required("owner", maybe(PRINCIPAL))
_requester = required("requester", maybe(PRINCIPAL))
_renewers = required("renewers", set_of(PRINCIPAL))
_issued = required("issued", TIME, "issueTimestamp")
_latest = required("latest", TIME, "maxTimestamp")
_expires = required("expires", TIME, "expirationTimestamp")
DELEGATION_TOKEN = record(
    "DELEGATION_TOKEN_RECORD",
    _token,
    fields=(_owner, _requester, _renewers, _issued, _latest, _expires),
    replay=(
        has_token[_token.value].becomes(TRUE),
        owner[_token.value].becomes(_owner.value),
        requester[_token.value].becomes(_requester.value),
        renewers[_token.value].becomes(_renewers.value),
        issued_at[_token.value].becomes(_issued.value),
        latest[_token.value].becomes(_latest.value),
        expires_at[_token.value].becomes(_expires.value),
    ),
    version=_FIRST,
    name="DelegationToken",
    source="DelegationTokenDelta.replay",
)
REMOVE_DELEGATION_TOKEN = record(
    "REMOVE_DELEGATION_TOKEN_RECORD",
    _token,
    replay=has_token[_token.value].becomes(FALSE),
    version=_FIRST,
    name="RemoveDelegationToken",
    source="DelegationTokenDelta.replay",
)

# -- client quotas -----------------------------------------------------------------------------------------------------
rate = per(QUOTA, "rate", maybe(RATE), NONE, about="the value of the quota, none where it is not set")
quota_kinds = part_of(QUOTA, "quota_kinds", set_of(QUOTA_KIND), (0, "entityType"), about="what its entity consists of")
quota_names = part_of(
    QUOTA, "quota_names", set_of(NAME), (0, "entityName"), about="the names of its entity, defaults left out"
)
quota_key = part_of(QUOTA, "quota_key", QUOTA_KEY, 1)
of_user, of_client_id, of_ip = (constant(one, QUOTA_KIND, one) for one in ("user", "client-id", "ip"))
producer_byte_rate, consumer_byte_rate, request_percentage, controller_mutation_rate, connection_creation_rate = (
    constant(one, QUOTA_KEY, one)
    for one in (
        "producer_byte_rate",
        "consumer_byte_rate",
        "request_percentage",
        "controller_mutation_rate",
        "connection_creation_rate",
    )
)

_quota = required("quota", QUOTA, "entity", "key")
_rate = required("rate", RATE, "value")
CLIENT_QUOTA = record(
    "CLIENT_QUOTA_RECORD",
    _quota,
    fields=(_rate,),
    only={"remove": False},
    replay=rate[_quota.value].becomes(_rate.value),
    version=_FIRST,
    name="ClientQuota",
    source="ClientQuotaControlManager.replay",
)
REMOVE_CLIENT_QUOTA = record(
    "CLIENT_QUOTA_RECORD",
    _quota,
    only={"remove": True},
    replay=rate[_quota.value].becomes(none_of(RATE)),
    ignored=("value",),
    version=_FIRST,
    name="RemoveClientQuota",
    source="ClientQuotaControlManager.replay",
)
