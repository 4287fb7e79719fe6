"""The questions of the recorded answers about access control, SCRAM credentials, delegation tokens and client quotas.

Requests of one part and of several, in a fixed order; `traces/recorded/oracle/README.md` describes the columns.
"""

import random
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations, product
from typing import Any

Line = dict[str, Any]
Entry = list[Any]

NEWEST, NO_RANGES, NO_TOKENS, TOKENS, NO_SCRAM, SCRAM, LOWEST = (
    "4.4-IV2", "4.4-IV0", "3.6-IV1", "3.6-IV2", "3.5-IV1", "3.5-IV2", "3.3-IV3",
)  # fmt: skip
TRUTH = (False, True)


# -- access control ----------------------------------------------------------------------------------------------------
def _entry(**other: Any) -> Entry:
    said: dict[str, Any] = {
        "type": 2, "name": "t", "pattern": 3, "principal": "User:alice", "host": "*", "operation": 3, "permission": 3,
    }  # fmt: skip
    return list({**said, **other}.values())


def _filter(**other: Any) -> Entry:
    said: dict[str, Any] = {
        "type": 1, "name": None, "pattern": 1, "principal": None, "host": None, "operation": 1, "permission": 1,
    }  # fmt: skip
    return list({**said, **other}.values())


_HOSTS = (
    "*", "", "h", "10.0.0.1", "**", " ", "10.0.0.0/8", "10.0.0.0/0", "10.0.0.0/32", "10.0.0.0/33", "10.0.0.0/99",
    "10.0.0.0/08", "10.0.0.0/008", "10.0.0.0/", "/8", "/", "10.0.0/8", "10.0.0.0.0/8", "256.0.0.0/8",
    "255.255.255.255/8", "010.0.0.0/8", "0010.0.0.0/8",
    "10.0.0.0/8/8", "10.0.0.0/+8", "10.0.0.0/-1", "10.0.0.0/8 ", " 10.0.0.0/8",
    "10.0.0.0 /8", "10.0.0.0/ 8", "10.0.0.0/x", "host/8", "10.0.0.0/255.0.0.0", "*/8", "10.0.0.*/8",
    "2001:db8::/32", "::/0", "::1/128", "::1/129", "::1/0128", "::1/08", "::1/", "::1/-1", "::1/+8", "::1/x", ":/8",
    ":::/8", "1:2:3:4:5:6:7:8/64", "1:2:3:4:5:6:7/64", "1:2:3:4:5:6:7:8:9/64", "1::2::3/64", "12345::/64", "g::/64",
    "::ffff:10.0.0.0/104", "::ffff:10.0.0/104", "::10.0.0.0/104", "::010.0.0.0/104", "fe80::1%1/64", "[::1]/64",
    "::1/64/64", " ::1/64", "::1/64 ", "::1 /64", "::1/ 64", "::00001/64", "2001:DB8::/32", "10.0.0.0:80/8", "a:b/8",
    "1:2:3:4:5:6:7::/64", "::2:3:4:5:6:7:8/64", "1::3:4:5:6:7:8/64", "1:2:3:4:5:6:10.0.0.1/64", "1:2/64", ":1/64",
    "1:/64", "\u0661\u0660.0.0.0/8", "10.0.0.0/\u0668", "::1/\u0668", "::\u0661/64",
)  # fmt: skip
"""Hosts, most of them ranges of addresses that are not quite right."""

_PRINCIPALS = ("User:alice", "User:", ":", "alice", "", "User:a:b", "Group:g", "User:*")
_STORED = [
    _entry(), _entry(principal="User:bob"), _entry(pattern=4), _entry(name="*"), _entry(type=3, name="g"),
    _entry(operation=4, permission=2), _entry(host="10.0.0.0/8"), _entry(name="tt"), _entry(name="", pattern=4),
]  # fmt: skip


def _created(asked: Sequence[Entry], acls: Sequence[Entry] = (), level: str = NEWEST) -> Line:
    return {"op": "createAcls", "mv": level, "acls": list(acls), "asked": list(asked)}


def _deleted(filters: Sequence[Entry], acls: Sequence[Entry] = _STORED) -> Line:
    return {"op": "deleteAcls", "mv": NEWEST, "acls": list(acls), "filters": list(filters)}


def acls() -> Iterator[Line]:
    """Entries that are created, with every code that an entry can have and hosts of all kinds, and filters.

    ANY, and MATCH as a pattern, are in no entry: Kafka makes none of them before a controller is asked.
    """
    for level, host in product((LOWEST, NO_RANGES, "4.4-IV1", NEWEST), _HOSTS):
        yield _created([_entry(host=host)], level=level)
    for kind, operation in product((0, *range(2, 10), 127), (0, 2, 15, 16)):
        yield _created([_entry(type=kind, operation=operation)])
    for operation, permission in product((0, *range(2, 18), 127), (0, 2, 3, 4)):
        yield _created([_entry(operation=operation, permission=permission)])
    for pattern, name, principal in product((0, 3, 4, 5), ("t", "", "*"), _PRINCIPALS):
        yield _created([_entry(pattern=pattern, name=name, principal=principal)])
    wrong = [_entry(type=0), _entry(name=""), _entry(principal="x"), _entry(host="10/x"), _entry(host="")]
    parts = [_entry(), _entry(principal="User:bob"), _entry(host="10.0.0.0/8"), *wrong[:3]]
    for one, other, stored in product(parts, parts, (0, 1, 2)):
        yield _created([one, other], _STORED[:stored])
    for one, other, third in product(parts[:4], repeat=3):
        yield _created([one, other, third], _STORED[:1], NO_RANGES)
    yield _created(wrong * 2)
    yield _created([])
    yield from _filtered()


def _filtered() -> Iterator[Line]:
    for kind, pattern, name in product((0, 1, 2, 3, 7, 8, 127), range(6), (None, "t", "tt", "*", "", "ttt", "g")):
        yield _deleted([_filter(type=kind, pattern=pattern, name=name)])
    for principal, host in product(
        (None, "User:alice", "User:bob", "User:*", ""), (None, "*", "10.0.0.0/8", "10.0.0.1")
    ):
        yield _deleted([_filter(principal=principal, host=host)])
    for operation, permission in product((0, 1, 2, 3, 4, 15, 16, 127), (0, 1, 2, 3, 4)):
        yield _deleted([_filter(operation=operation, permission=permission)])
    parts = [_filter(), _filter(principal="User:bob"), _filter(pattern=2, name="tt"), _filter(type=3),
             _filter(operation=0), _filter(principal="User:eve"), _filter(pattern=3)]  # fmt: skip
    for one, other in product(parts, parts):
        yield _deleted([one, other])
    for some in permutations(parts[1:5], 3):
        yield _deleted(some, _STORED[:4])
    yield _deleted([_filter(), _filter()], [])
    yield _deleted([])


# -- SCRAM credentials -------------------------------------------------------------------------------------------------
_MECHANISMS = (0, 1, 2, 3, 127)
_ITERATIONS = (0, -1, 1, 4095, 4096, 8192, 16384, 16385, 2147483647)
_USERS = ("alice", "bob", "carol", "dave", "eve", "mallory", "peggy", "trent", "u1", "u2", "u10", "Aa", "BB", "\u00e9")


def _scram(
    deletions: Sequence[Sequence[Any]],
    upsertions: Sequence[Sequence[Any]],
    credentials: Sequence[Sequence[Any]] = (("alice", 1), ("bob", 2)),
    level: str = NEWEST,
) -> Line:
    return {
        "op": "alterScram", "mv": level, "credentials": [list(one) for one in credentials],
        "deletions": [list(one) for one in deletions], "upsertions": [list(one) for one in upsertions],
    }  # fmt: skip


def scram() -> Iterator[Line]:
    """One user, one user twice in every way, three users of whom some are refused, many users at once."""
    for level, user, mechanism in product((LOWEST, NO_SCRAM, SCRAM, NEWEST), ("alice", "bob", "new", ""), _MECHANISMS):
        yield _scram([(user, mechanism)], [], level=level)
        for iterations in _ITERATIONS if level == NEWEST else (4095, 4096):
            yield _scram([], [(user, mechanism, iterations)], level=level)
    drops = [("alice", 1), ("alice", 2), ("alice", 9), ("bob", 2), ("", 1)]
    puts = [("alice", 1, 4096), ("alice", 2, 100), ("alice", 9, 4096), ("bob", 1, 8192), ("", 1, 4096)]
    for size in (2, 3):
        for parts in product([*drops, *puts], repeat=size):
            asked = [[one for one in parts if len(one) == length] for length in (2, 3)]
            if list(parts) == asked[0] + asked[1]:
                yield _scram(*asked)
    for one, other in product([*drops, *puts], repeat=2):
        asked = [[part for part in (one, other) if len(part) == length] for length in (2, 3)]
        if [one, other] == asked[0] + asked[1]:
            yield _scram(*asked, level=NO_SCRAM)
    # The order of a hash table shows with more users than one; beyond twelve the table grows.
    draw = random.Random(1)
    for count in range(2, len(_USERS) + 1):
        for _ in range(6):
            users = draw.sample(_USERS, count)
            there = [(user, draw.choice((1, 2))) for user in users if draw.random() < 0.5]
            puts_of = [(user, draw.choice((1, 2, 2, 3)), draw.choice((4096, 8192, 100))) for user in users
                       if draw.random() < 0.6]  # fmt: skip
            drops_of = [(user, draw.choice((1, 2))) for user in users if draw.random() < 0.5]
            yield _scram(drops_of, puts_of, there)
    many = [f"user-{number}" for number in range(40)]
    yield _scram([], [(user, 1, 4096) for user in many], ())
    yield _scram([(user, 1) for user in many], [(user, 1, 4096) for user in many[:20]], [(user, 1) for user in many])
    yield _scram(
        [(user, 1) for user in many[:30]], [(user, 2, 4096) for user in many[30:]], [(user, 1) for user in many]
    )


# -- delegation tokens -------------------------------------------------------------------------------------------------
_NOW, _LONG = 1_000_000, 9_223_372_036_854_775_807


def _token(**other: Any) -> Line:
    return {"mv": NEWEST, "enabled": True, "now": _NOW, "maxLifetime": 5000, "expiry": 1000, "tokens": [], **other}


def _issued(
    identifier: str, latest: int, expires: int, owner: str = "User:alice", renewers: Sequence[str] = ()
) -> list[Any]:
    return [identifier, owner, "User:root", list(renewers), _NOW - 1000, latest, expires]


def tokens() -> Iterator[Line]:
    """Tokens that are issued, renewed and expired by several principals, before and after their end, and swept."""
    for level, enabled, owner, renewers, lifetime in product(
        (LOWEST, NO_TOKENS, TOKENS, NEWEST), TRUTH, (None, "User:bob", "Group:g"),
        ((), ("User:carol",), ("User:carol", "User:carol", "User:bob"), ("Group:g",), ("User:carol", "group:g")),
        (-1, 0, 1, 999, 5000, 5001, _LONG),
    ):  # fmt: skip
        if (enabled and level in (TOKENS, NEWEST)) or lifetime == -1:
            yield {
                **_token(mv=level, enabled=enabled), "op": "createToken", "by": "User:alice", "owner": owner,
                "renewers": list(renewers), "lifetime": lifetime,
            }  # fmt: skip
    for longest, expiry, lifetime in product((1, 5000, _LONG), (1, 5000, 9000, _LONG), (-1, 1, 6000, _LONG)):
        yield {
            **_token(maxLifetime=longest, expiry=expiry), "op": "createToken", "by": "User:alice", "owner": None,
            "renewers": [], "lifetime": lifetime,
        }  # fmt: skip
    ends = (_NOW - 1, _NOW, _NOW + 1, _NOW + 500, _NOW + 5000)
    for latest, expires, by, (op, period) in product(
        ends, ends, ("User:alice", "User:carol", "User:root", "User:eve", "Group:alice"),
        [*(("renewToken", period) for period in (-1, 0, 1, 700, 5000, _LONG)),
         *(("expireToken", period) for period in (-_LONG, -1, 0, 1, 700, 5000, _LONG))],
    ):  # fmt: skip
        if expires <= latest and (by in ("User:alice", "User:eve") or period in (-1, 700)):
            there = [_issued("a", latest, expires, renewers=("User:carol",)), _issued("b", _NOW + 9, _NOW + 9)]
            yield {**_token(tokens=there), "op": op, "by": by, "token": "a", "period": period}
    for op, level, enabled, token in product(
        ("renewToken", "expireToken"), (LOWEST, NO_TOKENS, TOKENS, NEWEST), TRUTH, ("a", "none")
    ):
        there = [_issued("a", _NOW + 9, _NOW + 9)]
        for period in (-1, 1):
            yield {
                **_token(tokens=there, mv=level, enabled=enabled), "op": op, "by": "User:alice", "token": token,
                "period": period,
            }  # fmt: skip
    for some in combinations([(latest, expires) for latest in ends for expires in ends if expires <= latest], 2):
        there = [_issued(name, *end) for name, end in zip("ab", some, strict=True)]
        yield {**_token(tokens=there), "op": "sweepTokens"}
    for many in (0, 999, 1000, 1001, 2500):
        yield {**_token(many=many), "op": "sweepTokens"}


# -- client quotas -----------------------------------------------------------------------------------------------------
_PRODUCE, _FETCH, _REQUESTS, _MUTATIONS, _CONNECTIONS = _QUOTA_KEYS = (
    "producer_byte_rate", "consumer_byte_rate", "request_percentage", "controller_mutation_rate",
    "connection_creation_rate",
)  # fmt: skip
_ENTITIES: tuple[tuple[tuple[str, str | None], ...], ...] = (
    (("user", "u"),), (("user", None),), (("user", ""),), (("client-id", "c"),), (("client-id", None),),
    (("client-id", ""),), (("user", "u"), ("client-id", "c")), (("client-id", "c"), ("user", "u")),
    (("user", None), ("client-id", None)), (("user", "u"), ("client-id", "")), (("ip", "10.0.0.1"),), (("ip", None),),
    (("ip", ""),), (("ip", "10.0.0.1"), ("user", "u")), (("ip", None), ("client-id", None)), (("group", "g"),),
    (("group", "g"), ("user", "u")), ((),)[0], (("user", "u"), ("user", "w")), (("user", "u"), ("user", "u")),
    (("", "u"),), (("User", "u"),),
)  # fmt: skip
_ADDRESSES = (
    "10.0.0.1", "10.0.1", "10.1", "10", "4294967295", "010.0.0.1", "10.16777215", "10.1.65535", "::1", "::00001",
    "[::1]", "fe80::1%1", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7", "1::2::3", ":::", "12345::", "::ffff:10.0.0.1",
    "::10.0.0", "1:10.0.0.1", "g::",
)  # fmt: skip
"""Addresses, and what has a colon and is none: any other text is a host's name, which a resolver is asked for."""

_VALUES: tuple[Any, ...] = (
    None, 1.0, 1000.0, 2000.0, 0.0, -1.0, 0.5, 1.5, 1.0000005, 1.000002, 0.9999995, 1e-7, "NaN", "Infinity",
    "-Infinity", 2147483647.0, 2147483648.0, 9.223372036854775e18, 9.223372036854776e18, 1e19, 1e300,
)  # fmt: skip


def _quota(asked: Sequence[Any], quotas: Sequence[Any] = (), dry: bool = False) -> Line:
    return {"op": "alterQuotas", "quotas": list(quotas), "asked": list(asked), "dry": dry}


def _of(entity: Sequence[tuple[str, str | None]], *changes: Sequence[Any]) -> list[Any]:
    return [[list(part) for part in entity], [list(one) for one in changes]]


def quotas() -> Iterator[Line]:
    """Every kind of entity, key and value; several keys of an entity and several entities, some of them refused."""
    user, address = _ENTITIES[0], _ENTITIES[10]
    stored = [
        [[["user", "u"]], _PRODUCE, 1000.0], [[["user", "u"]], _REQUESTS, 50.0],
        [[["ip", "10.0.0.1"]], _CONNECTIONS, 10.0], [[["user", "u"], ["client-id", "c"]], _FETCH, 1000.0],
    ]  # fmt: skip
    for entity, key, value, dry in product(
        _ENTITIES, (*_QUOTA_KEYS, "sleep_rate", ""), (None, 10.0, 1000.0, -1.0), TRUTH
    ):
        if not dry or entity in (user, address, ()):
            yield _quota([_of(entity, (key, value))], stored, dry)
    for entity, key, value in product((user, address, _ENTITIES[6]), _QUOTA_KEYS, _VALUES):
        yield _quota([_of(entity, (key, value))], stored)
    for name in _ADDRESSES:
        yield _quota([_of((("ip", name),), (_CONNECTIONS, 5.0))])
        yield _quota([_of((("ip", name),), (_CONNECTIONS, None))])
    changes = [
        (_PRODUCE, 1000.0), (_PRODUCE, 2000.0), (_REQUESTS, None), (_FETCH, 7.0), (_FETCH, 7.5), (_CONNECTIONS, 1.0),
        (_MUTATIONS, 0.5), ("sleep_rate", None),
    ]  # fmt: skip
    for size in (2, 3):
        for some in permutations(changes, size):
            if size == 2 or changes.index(some[0]) < changes.index(some[1]):
                yield _quota([_of(user, *some)], stored)
    yield _quota([_of(user, *[(key, 5.0) for key in _QUOTA_KEYS[:4]])])
    yield _quota([_of(user)], stored)
    yield _quota([])
    parts = [
        _of(user, (_PRODUCE, 5.0)), _of(user, (_PRODUCE, None)), _of(user, (_PRODUCE, -5.0)),
        _of(address, (_CONNECTIONS, 5.0)), _of(_ENTITIES[15], (_PRODUCE, 5.0)),
        _of(_ENTITIES[6], (_FETCH, None), (_PRODUCE, 3.0)), _of(_ENTITIES[7], (_FETCH, 2.0), (_REQUESTS, -3.0)),
    ]  # fmt: skip
    for one, other in product(parts, parts):
        yield _quota([one, other], stored)
    for some in permutations(parts[:5], 3):
        yield _quota(some, stored, dry=some[0] is parts[0])


KINDS = (acls, scram, tokens, quotas)
"""The kinds that the answers are recorded as."""
