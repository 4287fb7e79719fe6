"""A protocol's tables as TLA+, and TLC run on them: exploration's counts, depth and verdicts by another engine."""

from .configuration import config_text, declared, write_modules
from .module import DEADLOCK, Module, module_text, render
from .run import TlcResult, find_jar, find_java, run_tlc

__all__ = [
    "DEADLOCK", "Module", "TlcResult", "config_text", "declared", "find_jar", "find_java", "module_text", "render",
    "run_tlc", "write_modules",
]  # fmt: skip
