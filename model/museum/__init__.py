"""Historical defects of Kafka as edits of the tables, each with the verdict that the engines must give."""

from .entry import Entry, Expected
from .kip46 import KIP46_MUSEUM
from .kip343 import KIP343_MUSEUM
from .kip631_v1 import KIP631_V1_MUSEUM
from .kip631_v2 import KIP631_V2_MUSEUM
from .kraft import KRAFT_MUSEUM
from .kraft_data import KRAFT_DATA_MUSEUM
from .kraft_loop import KRAFT_LOOP_MUSEUM
from .kraft_whole import KRAFT_WHOLE_MUSEUM
from .lease import LEASE_MUSEUM
from .zk import ZK_MUSEUM
from .zk_data import ZK_DATA_MUSEUM

MUSEUM: tuple[Entry, ...] = (
    *KRAFT_MUSEUM,
    *KRAFT_DATA_MUSEUM,
    *KRAFT_LOOP_MUSEUM,
    *KRAFT_WHOLE_MUSEUM,
    *ZK_MUSEUM,
    *ZK_DATA_MUSEUM,
    *KIP343_MUSEUM,
    *KIP46_MUSEUM,
    *KIP631_V1_MUSEUM,
    *KIP631_V2_MUSEUM,
    *LEASE_MUSEUM,
)

__all__ = ["MUSEUM", "Entry", "Expected"]
