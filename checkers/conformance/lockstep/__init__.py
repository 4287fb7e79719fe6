"""The tables beside a running cluster: every step of its controllers is checked while it runs, by compiled rows.

A controller reports each operation to its observer when its records were replayed and scheduled;
`reference.kraft.steps` makes a `traces.steps.Step` of it. `judge.py` keeps a state for each claim
(`controller_state.py`, `soft.py`, `leader_logs.py`), reads the request with the adapters of event traces, runs the rows
that apply (`compiled.py`), and compares answer, records and soft state. `rows.py` prints rows, and `whole.py` runs them
where steps report the whole state. `claims.py` evaluates properties.
A step without a row is counted by name and reason; where the tables leave something out knowingly (`gaps.py`), the
cells are those of the controller, and counted. A run's steps are beside its logs as `events.ndjson.gz`.
"""

from .judge import LockStep
from .results import Divergence, LockStepResult, StepFinding
from .tasks import Given

__all__ = ["Divergence", "Given", "LockStep", "LockStepResult", "StepFinding"]
