"""Passwords for SASL/SCRAM that a cluster is formatted with, so that its first users can log in."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
from dataclasses import dataclass

from fencepost.reference.kraft.records import Message

from .errors import StorageError
from .uuids import RandomBits

HIGHEST_ITERATIONS = 16_384
LOWEST_ITERATIONS = 4_096
_ARGUMENT = re.compile(r"([^=]+)=\[(.*)\]")
_SALT_BITS = 26 * 8
_WRITE = "write SCRAM-SHA-256=[name=alice,password=secret]"


@dataclass(frozen=True, slots=True)
class _Mechanism:
    """A SCRAM mechanism: the number in records, and the digest."""

    number: int
    digest: str


MECHANISMS = {"SCRAM-SHA-256": _Mechanism(1, "sha256"), "SCRAM-SHA-512": _Mechanism(2, "sha512")}


def scram_record(argument: str, random: RandomBits) -> Message:
    """Return the credential record for `MECHANISM=[name=...,password=...]`, also with iterations, salt, saltedpassword.

    `random` makes a salt where none is given. Raises StorageError; no sentence repeats a password. Source: RFC 5802,
    ScramParser.
    """
    matched = _ARGUMENT.fullmatch(argument.strip())
    if matched is None:
        raise StorageError(f"--add-scram: this is no credential: {_WRITE}")
    mechanism = MECHANISMS.get(matched[1].strip())
    if mechanism is None:
        raise StorageError(f"--add-scram: there is no mechanism {matched[1]}; there are {', '.join(MECHANISMS)}")
    parts = _parts(matched[2])
    name = parts.pop("name", None)
    if name is None:
        raise StorageError(f"--add-scram: the user's name is missing: {_WRITE}")
    iterations = _iterations(parts.pop("iterations", str(LOWEST_ITERATIONS)))
    salt_text = parts.pop("salt", None)
    password, salted_text = parts.pop("password", None), parts.pop("saltedpassword", None)
    if parts:
        raise StorageError(f"--add-scram: nothing is called {next(iter(parts))} in a credential: {_WRITE}")
    if password is None and (salted_text is None or salt_text is None):
        raise StorageError("--add-scram: a password is missing: give password, or saltedpassword with its salt")
    if salt_text is None:
        salt = random.getrandbits(_SALT_BITS).to_bytes(_SALT_BITS // 8, "big")
    else:
        salt = _decoded("salt", salt_text)
    if password is not None:
        salted = hashlib.pbkdf2_hmac(mechanism.digest, password.encode(), salt, iterations)
    else:
        salted = _decoded("saltedpassword", salted_text or "")
    client_key = hmac.new(salted, b"Client Key", mechanism.digest).digest()
    data = {
        "name": name,
        "mechanism": mechanism.number,
        "salt": _encoded(salt),
        "storedKey": _encoded(hashlib.new(mechanism.digest, client_key).digest()),
        "serverKey": _encoded(hmac.new(salted, b"Server Key", mechanism.digest).digest()),
        "iterations": iterations,
    }
    return Message("USER_SCRAM_CREDENTIAL_RECORD", 0, data)


def _parts(text: str) -> dict[str, str]:
    parts = {}
    for part in text.split(","):
        name, equals, value = part.partition("=")
        if not equals:
            raise StorageError(f"--add-scram: a part of the credential has no equals sign: {_WRITE}")
        is_quoted = len(value) >= 2 and value.startswith('"') and value.endswith('"')
        parts[name.strip()] = value[1:-1] if is_quoted else value
    return parts


def _iterations(text: str) -> int:
    if not re.fullmatch(r"\d{1,9}", text, re.ASCII) or not LOWEST_ITERATIONS <= int(text) <= HIGHEST_ITERATIONS:
        raise StorageError(
            f"--add-scram: iterations={text}: write a whole number of {LOWEST_ITERATIONS} to {HIGHEST_ITERATIONS}"
        )
    return int(text)


def _decoded(name: str, text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise StorageError(f"--add-scram: the {name} is not base64") from None


def _encoded(value: bytes) -> str:
    return base64.b64encode(value).decode("ascii")
