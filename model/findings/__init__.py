"""Findings: where the tables of today's Kafka break what they should keep, each with the rows repaired."""

from .brokers import HEALTH
from .eligible import ELIGIBLE
from .finding import Finding
from .forgotten import FORGOTTEN
from .nodes import NODES
from .reassignments import REASSIGNED

FINDINGS: tuple[Finding, ...] = (*ELIGIBLE, *REASSIGNED, *HEALTH, *FORGOTTEN, *NODES)

__all__ = ["FINDINGS", "Finding"]
