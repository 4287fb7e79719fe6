"""The tables beside a running cluster: every step of its controllers is judged while it runs, by compiled rows."""

from .judge import LockStep
from .results import Divergence, LockStepResult, StepFinding
from .tasks import Given

__all__ = ["Divergence", "Given", "LockStep", "LockStepResult", "StepFinding"]
