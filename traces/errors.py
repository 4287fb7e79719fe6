"""The errors this room raises: each is one sentence that says where, what, and what to do."""

from __future__ import annotations


class TraceError(ValueError):
    """The input cannot be read as a metadata log at all (missing, empty, another topic, no dump)."""


class CodecError(TraceError):
    """One record's bytes do not decode, or one record's data does not encode.

    `kind` is one of: `frame` (no metadata frame), `type` (unknown api key or record type), `version` (unknown record
    version), `bytes` (the body does not parse), `trailing` (bytes are left over), `data` (the data does not fit the
    schema).
    """

    def __init__(self, message: str, kind: str) -> None:
        super().__init__(message)
        self.kind = kind


class CompressedBatchError(TraceError):
    """A record batch is compressed, which a controller never writes, so it is not unpacked here."""
