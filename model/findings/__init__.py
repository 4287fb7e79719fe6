"""Findings: where the tables of today's Kafka break what they should keep, each with the rows repaired."""

from .brokers import HEALTH
from .eligible import ELIGIBLE
from .finding import Finding
from .reassignments import REASSIGNED

FINDINGS: tuple[Finding, ...] = (*ELIGIBLE, *REASSIGNED, *HEALTH)

__all__ = ["FINDINGS", "Finding"]
