"""A broker: its registration, what it makes of its controller's requests, and what it asks as a leader."""

from .broker import Broker, BrokerSettings
from .hosted import HostedPartition
from .replica_manager import ReplicaManager

__all__ = ["Broker", "BrokerSettings", "HostedPartition", "ReplicaManager"]
