"""Everything at once: what is proved, explored, recounted by TLC, and which recorded logs and answers conform."""

from .run import STEPS, Check, check
from .stages import Stage
from .texts import places, texts
from .tiers import TIERS

__all__ = ["STEPS", "TIERS", "Check", "Stage", "check", "places", "texts"]
