"""Everything at once: what is proved, explored, recounted by TLC, and which recorded logs and answers conform."""

from .judgements import (
    Comparison,
    compare,
    exploration_code,
    exploration_findings,
    hygiene_code,
    proof_code,
    proof_findings,
    refined_code,
)
from .run import STEPS, Check, check
from .stages import Stage
from .texts import places, texts
from .tiers import TIERS

__all__ = [
    "STEPS",
    "TIERS",
    "Check",
    "Comparison",
    "Stage",
    "check",
    "compare",
    "exploration_code",
    "exploration_findings",
    "hygiene_code",
    "places",
    "proof_code",
    "proof_findings",
    "refined_code",
    "texts",
]
