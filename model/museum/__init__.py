"""Historical defects of Kafka as edits of the tables, each with the verdict that the engines must give."""

from .entry import Entry, Expected
from .kip46 import KIP46_MUSEUM
from .kraft import KRAFT_MUSEUM
from .lease import LEASE_MUSEUM
from .zk import ZK_MUSEUM

MUSEUM: tuple[Entry, ...] = (*KRAFT_MUSEUM, *ZK_MUSEUM, *KIP46_MUSEUM, *LEASE_MUSEUM)

__all__ = ["MUSEUM", "Entry", "Expected"]
