"""A protocol's tables as TLA+, and TLC run on them: exploration's counts, depth and verdicts by another engine.

`module.py` prints a protocol, `configuration.py` a bound; `run_module.py` prints a run as a module that extends it,
and `replaying.py` has TLC take that run row by row.
"""

from .configuration import config_text, declared, instance, instances
from .module import DEADLOCK, Module, module_text, render
from .replaying import Confirmed, files, replay_by_tlc, shown
from .run import TlcResult, find_jar, find_java, run_tlc
from .run_module import RunModule, run_module
from .symmetric import Symmetric, symmetric

__all__ = [
    "DEADLOCK", "Confirmed", "Module", "RunModule", "Symmetric", "TlcResult", "config_text", "declared", "files",
    "find_jar", "find_java", "instance", "instances", "module_text", "render", "replay_by_tlc", "run_module", "run_tlc",
    "shown", "symmetric",
]  # fmt: skip
