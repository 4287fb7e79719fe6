"""Replication of one partition of `kraft`: from the controller's decisions to the records in the logs of its brokers."""

from .protocol import KRAFT_DATA

__all__ = ["KRAFT_DATA"]
