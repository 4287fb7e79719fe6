"""TLA+ for a protocol's tables, and TLC run on it: the same counts, depth and verdicts as exploration, by somebody else's engine."""

from .module import Module, config_text, module_text, render, write_modules
from .run import DEADLOCK, TlcResult, find_jar, find_java, run_tlc

__all__ = [
    "DEADLOCK", "Module", "TlcResult", "config_text", "find_jar", "find_java", "module_text", "render", "run_tlc",
    "write_modules",
]  # fmt: skip
