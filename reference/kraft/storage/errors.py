"""The one error of this package: a sentence for the person at the command line."""

from __future__ import annotations


class StorageError(Exception):
    """A directory, a configuration or a request that cannot be used; the text says where, what, and what to do."""
