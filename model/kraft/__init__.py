"""Today's KRaft controller (source S3 and Kafka 4.4 itself): the broker lifecycle is in `brokers.py`."""

from .builder import BUILDER
from .protocol import KRAFT

__all__ = ["BUILDER", "KRAFT"]
