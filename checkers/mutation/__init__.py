"""Mutation: rows altered one at a time, and which checker notices: how much the claims and the recordings detect.

`Population` has the mutants of a protocol, `drawn` a sample of them; `judged` runs the prepared checkers,
each mutant in a process of its own; `Survey` is the outcome, `declared` the entries of `spec/mutation` about it.

`mutants.py` makes the mutants; `proving.py`, `exploring.py`, `recorded.py` and `simulating.py` are the checkers,
`run.py` forks a process for each mutant, `declarations.py` reads `spec/mutation`.
"""

from .declarations import Declared, Entry, declared
from .exploring import Exploring, cache_folder
from .mutants import KINDS, Mutant, Population, diff
from .proving import Proving
from .recorded import Answers, Logs
from .results import CHECKERS, INSIDE, Answer, Judged, Survey
from .run import Checker, judged, refuse_without_fork
from .sample import Sample, drawn
from .simulating import Recorded, Simulating
from .simulating import design as design_run
from .simulating import kraft as kraft_run
from .simulating import kraft_data as kraft_data_run
from .simulating import kraft_loop as kraft_loop_run
from .simulating import kraft_voters as kraft_voters_run
from .simulating import zk as zk_run

__all__ = [
    "CHECKERS",
    "INSIDE",
    "KINDS",
    "Answer",
    "Answers",
    "Checker",
    "Declared",
    "Entry",
    "Exploring",
    "Judged",
    "Logs",
    "Mutant",
    "Population",
    "Proving",
    "Recorded",
    "Sample",
    "Simulating",
    "Survey",
    "cache_folder",
    "declared",
    "design_run",
    "diff",
    "drawn",
    "judged",
    "kraft_data_run",
    "kraft_loop_run",
    "kraft_run",
    "kraft_voters_run",
    "refuse_without_fork",
    "zk_run",
]
