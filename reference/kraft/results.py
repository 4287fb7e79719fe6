"""Results of the controller's operations: records to write, and the answer once they are committed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from .records import Message

T = TypeVar("T", covariant=True)

MAX_RECORDS_PER_USER_OP = 10_000
"""No operation of a user writes more records (S3:130); more is answered POLICY_VIOLATION."""


@dataclass(frozen=True, slots=True)
class ControllerResult(Generic[T]):
    """Records and a response; an atomic result is one batch, any other may be split at 10,000 records."""

    records: tuple[Message, ...]
    response: T
    atomic: bool = False
