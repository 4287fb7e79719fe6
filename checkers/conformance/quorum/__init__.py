"""The logs of a quorum's controllers checked together: one committed prefix, one writer an epoch, what they logged."""

from .judge import judge_quorum
from .results import QuorumResult, QuorumViolation, Tail

__all__ = ["QuorumResult", "QuorumViolation", "Tail", "judge_quorum"]
