"""The sizes at which each protocol is walked: more than explorations close, with all tables together."""

from collections.abc import Mapping

SIZES: Mapping[str, Mapping[str, int]] = {
    "kraft": {
        "Broker": 3, "Directory": 5, "Feature": 2, "Incarnation": 2, "Name": 2, "Node": 1, "Partition": 2, "Range": 2,
        "Request": 1, "Setting": 1, "Topic": 1, "Value": 2, "copies": 2, "index": 1, "level": 33, "offset": 40,
        "leader epoch": 40, "partition epoch": 60, "producer id": 5000, "size": 3, "Credential": 1, "iterations": 1,
        "Acl": 1, "Binding": 1, "Principal": 1, "Quota": 1, "QuotaKey": 1, "QuotaKind": 1, "Rate": 1, "Token": 1,
        "code": 1, "time": 2,
    },
    "zk": {
        "Controller": 2, "Partition": 2, "Broker": 3, "controller epoch": 4, "broker epoch": 6, "Topic": 1,
        "leader epoch": 40, "version": 60,
    },
    "kip343": {"Broker": 2, "czxid": 8, "time": 30, "duration": 3, "Partition": 2, "leader epoch": 30},
    "kip46": {"Broker": 3, "Partition": 2, "time": 30, "chunk": 3, "size": 4, "controller epoch": 5},
    "kip631-v1": {
        "Broker": 2, "incarnation": 5, "time": 24, "offset": 40, "Partition": 2, "leader epoch": 20, "Exchange": 3,
    },
    "kip631-v2": {
        "Broker": 3, "incarnation": 5, "time": 24, "offset": 40, "Partition": 2, "Topic": 1, "leader epoch": 20,
    },
    "lease": {"Broker": 3, "units": 4, "leader epoch": 12},
}  # fmt: skip
