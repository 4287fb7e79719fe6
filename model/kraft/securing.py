"""The slice of KRaft about access control, SCRAM credentials, delegation tokens and client quotas."""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

from .bounds import NEWEST, slice_of, the
from .protocol import KRAFT
from .security import ACCESS_CONTROL, QUOTAS, SCRAM, TOKENS, by, hashed, holder, matches, others
from .security_properties import PROPERTIES
from .security_records import *
from .state import NAME, mv

_NOBODY, _SOMEBODY = the(0, NAME), the(1, NAME)
_BAD = binding.is_(the(0, BINDING))
_ANONYMOUS, _UNKNOWN = credential.is_(the(0, CREDENTIAL)), credential.is_(the(1, CREDENTIAL))
_OWNER, _RENEWER = the(0, PRINCIPAL), the(1, PRINCIPAL)
_OF_IP = quota.is_(the(0, QUOTA))
_FOR_CLIENTS, _FOR_ADDRESSES = the(0, QUOTA_KEY), the(1, QUOTA_KEY)
_MIXED, _OTHER_KEY = quota.is_(the(1, QUOTA)), quota.is_(the(3, QUOTA))
_APART = all_of(
    nameless.is_(_NOBODY),
    forall(
        binding,
        resource_code[binding].is_(2)
        & resource_name[binding].is_(when(_BAD, _NOBODY, _SOMEBODY))
        & pattern_code[binding].is_(3)
        & operation_code[binding].is_(3)
        & permission_code[binding].is_(3),
    ),
    forall(acl, says[acl].is_(the(0, BINDING)) & matches[acl].is_(acl.is_(the(0, ACL)))),
    forall(
        credential,
        user[credential].is_(when(_ANONYMOUS, _NOBODY, _SOMEBODY))
        & mechanism[credential].is_(when(_UNKNOWN, the(0, CODE), the(1, CODE))),
    ),
    *(one.is_(the(number, QUOTA_KIND)) for number, one in enumerate((of_user, of_client_id, of_ip))),
    *(
        one.is_(_FOR_CLIENTS)
        for one in (producer_byte_rate, consumer_byte_rate, request_percentage, controller_mutation_rate)
    ),
    connection_creation_rate.is_(_FOR_ADDRESSES),
    forall(
        quota,
        quota_kinds[quota].is_(when(_OF_IP, just(of_ip), when(_MIXED, just(of_ip, of_user), just(of_user))))
        & quota_names[quota].is_(just(_SOMEBODY))
        & quota_key[quota].is_(when(_OF_IP | _OTHER_KEY, _FOR_ADDRESSES, _FOR_CLIENTS)),
    ),
    any_of(mv.is_(7), mv.is_(NEWEST)),
)
SECURING = slice_of(
    "kraft_security",
    ACCESS_CONTROL.name,
    SCRAM.name,
    TOKENS.name,
    QUOTAS.name,
    of=KRAFT.redefine(
        "hashed_enough",
        lambda old: hashed.is_(1),
        name="kraft",
        why="enough iterations, and too few, are all there are",
    ),
    # G22 names the numbers of iterations, of which there are other ones here.
    unclaimed=("G22", *(one.id for one in KRAFT.properties if one not in PROPERTIES)),
    bounds={
        "security": (
            "two access control entries, a user, a token with an owner and one who may renew it, quotas of a user and an address",
            _APART,
            {"CreateDelegationToken": holder.is_(_OWNER) & by.is_(_OWNER) & others.is_(just(_RENEWER))},
            {
                "Acl": 2,
                "Binding": 3,
                "Credential": 3,
                "Token": 1,
                "Principal": 3,
                "Quota": 4,
                "QuotaKind": 3,
                "QuotaKey": 2,
                "Rate": 1,
                "Name": 2,
                "code": 3,
                "iterations": 1,
                "time": 1,
            },
        )
    },
)
