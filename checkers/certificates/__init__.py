"""Certificates of closed explorations: every state, in a plain format, and a check of them by the interpreter alone.

- `states`: a state as a number, and the file;
- `guards`: with which parameters a row fires in many states;
- `check`: first states, successors and claims, evaluated by the interpreter. Nothing of the search is imported.
"""

from .check import Checked, check
from .states import Certificate, NotCertified, Numbering, read, write

__all__ = ["Certificate", "Checked", "NotCertified", "Numbering", "check", "read", "write"]
