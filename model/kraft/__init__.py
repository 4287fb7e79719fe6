"""Today's KRaft controller (source S3 and Kafka 4.4 itself): the broker lifecycle is in `brokers.py`.

`brokers.py` has the broker lifecycle, `builder.py` the partition change builder; `partitions.py`, `reassignment.py`,
`elections.py`, `topics.py` and `directories.py` call it. `configurations.py` and `cluster.py` have the remaining
managers, `security.py` access control, credentials, tokens and quotas. Claims are in `properties.py` and the
`…_properties.py` beside it; `slices.py` and `bounds.py` say what is explored.
"""

from .builder import BUILDER
from .protocol import KRAFT

__all__ = ["BUILDER", "KRAFT"]
