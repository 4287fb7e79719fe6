"""The event loop of the KRaft controller: what every node of the quorum does between a request and its committed records."""

from .protocol import KRAFT_LOOP

__all__ = ["KRAFT_LOOP"]
