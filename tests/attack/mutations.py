"""Changes of inputs that a reader must bear: of bytes, of lines, and of the fields of records, each from a seed."""

import random
import re
import struct
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from fencepost.traces import Batch, CodecError, Record, TraceError, build_batch, encode_batch
from fencepost.traces.crc32c import crc32c

ODD = (
    "", "-1", "x", "…", "null", "[]", "{}", '"a"', "1e400", "9" * 19, "9" * 5000, "[" * 3000, "٣", "\x1b[2J", "0",
    "true", "\x00", "\ud800", "::error file=x::y", "<b>&", "2147483648", str(2**61), str(2**63 - 1),
    str(-(2**63)), "1.5", "\u202e",
)  # fmt: skip
"""What is written in the place of a word of a text."""

HOSTILE = "a\x1b[2J\x1b]0;title\x07\n::error file=x::y\r<script>alert(1)</script>&\"'|`*?[\u202e\x9b"
"""A name that a terminal, a workflow, a page, a table or a shell would take for more than a name."""

INTEGERS = (-(2**63), -(2**31), -1, 0, 1, 2**15, 2**31 - 1, 2**31, 2**53, 2**61, 2**63 - 1)


def lines(given: Sequence[str], chance: random.Random) -> list[str]:
    """Some lines with one to three changes: a word replaced, a line lost, doubled, exchanged or cut."""
    found = list(given)
    for _ in range(chance.randint(1, 3)):
        if not found:
            break
        at = chance.randrange(len(found))
        match chance.randrange(8):
            case 0:
                del found[at]
            case 1:
                found.insert(at, chance.choice(found))
            case 2:
                found[at] = found[at][: chance.randrange(len(found[at]) + 1)]
            case _:
                words = re.split(r"([\w.-]+|[{}\[\]])", found[at])
                words[chance.randrange(len(words))] = chance.choice(ODD)
                found[at] = "".join(words)
    return found


def octets(given: bytes, chance: random.Random) -> bytes:
    """Bytes with one to four changes: a bit, a number of a field's size, a range lost, doubled, or cut off."""
    found = bytearray(given)
    for _ in range(chance.randint(1, 4)):
        at, size = chance.randrange(len(found) or 1), chance.choice((1, 2, 4, 8))
        match chance.randrange(8):
            case 0:
                del found[at : at + chance.randint(1, 40)]
            case 1:
                found[at:at] = found[at : at + chance.randint(1, 200)]
            case 2:
                del found[max(at, 1) :]
            case 3:
                found[at : at + 1] = bytes([chance.randrange(256)])
            case _:
                found[at : at + size] = (chance.choice(INTEGERS) & (2**64 - 1)).to_bytes(8, "big")[-size:]
    return bytes(found)


def sealed_octets(given: Sequence[Batch], chance: random.Random) -> bytes:
    """A segment with bytes of one batch changed behind its checksum, which is right again."""
    parts = [bytearray(encode_batch(one)) for one in given]
    one = parts[chance.randrange(len(parts))]
    for _ in range(chance.randint(1, 3)):
        at, size = chance.randrange(21, len(one)), chance.choice((1, 1, 2, 4, 8))
        one[at : at + size] = (chance.choice(INTEGERS) & (2**64 - 1)).to_bytes(8, "big")[-size:][: len(one) - at]
    one[17:21] = struct.pack(">I", crc32c(bytes(one[21:])))
    return b"".join(map(bytes, parts))


def fields(given: Sequence[Batch], chance: random.Random) -> bytes:
    """A segment in which a field of a record, a batch's time, epoch or offset, or the order of batches is another."""
    found = list(given)
    data = [n for n, one in enumerate(found) if not one.is_control and all(isinstance(r, Record) for r in one.records)]
    at = chance.choice(data)
    batch = found[at]
    match chance.randrange(8):
        case 0:
            time = chance.choice(INTEGERS)
            found[at] = replace(batch, base_timestamp=time, max_timestamp=time)
        case 1:
            found[at] = replace(batch, epoch=chance.choice((-1, 0, 7, 2**31 - 1)))
        case 2:
            other = chance.choice(data)
            found[at], found[other] = found[other], found[at]
        case 3:
            del found[at]
        case _:
            messages = [(one.type, one.version, dict(one.data)) for one in batch.records if isinstance(one, Record)]
            changed = chance.randrange(len(messages))
            kind, version, told = messages[changed]
            messages[changed] = kind, version, _other(told, chance)
            try:
                found[at] = build_batch(
                    messages, base_offset=batch.base_offset, epoch=batch.epoch, timestamp=batch.base_timestamp
                )
            except (CodecError, TraceError):  # the wire has no such value
                return sealed_octets(given, chance)
    made = bytearray()
    for one in found:
        raw = bytearray(encode_batch(one))
        raw[17:21] = struct.pack(">I", crc32c(bytes(raw[21:])))
        made += raw
    return bytes(made)


def _other(value: Any, chance: random.Random) -> Any:
    """A value of JSON with one of its parts replaced by another of its kind."""
    if isinstance(value, dict):
        if not value:
            return value
        name = chance.choice(sorted(value))
        return {**value, name: _other(value[name], chance)}
    if isinstance(value, list):
        if value and chance.random() < 0.5:
            at = chance.randrange(len(value))
            return [*value[:at], _other(value[at], chance), *value[at + 1 :]]
        return chance.choice(([], value * 2, value[::-1], value[:1]))
    if isinstance(value, bool) or value is None:
        return chance.choice((True, False, None))
    if isinstance(value, int):
        return chance.choice(INTEGERS)
    return chance.choice((HOSTILE, "", "x" * 300, "AAAAAAAAAAAAAAAAAAAAAA", "\ufffe"))
