"""The JSON Schemas of the documents that commands print, made from the classes of results by msgspec."""

from __future__ import annotations

import ast
import difflib
import json
import sys
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, reduce
from importlib import import_module
from inspect import getsource, isfunction
from itertools import count
from operator import or_
from types import UnionType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Literal,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

import msgspec

from fencepost.checkers.document import Document, fields_of
from fencepost.checkers.verdicts import Refusal

from .documents import DOCUMENTS, Common, Failure
from .documents_of_logs import Also
from .outcome import COMMON

SARIF = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"
"""The schema of the standard, which what `check --sarif` writes follows."""
COMMAND = msgspec.Meta(description="the command, as it is called")
DRAFT = "https://json-schema.org/draft/2020-12/schema"

Fields = Mapping[str, tuple[Any, bool]]
"""The fields of a document by name: the type of each, and whether every document of the class has it."""


@dataclass(frozen=True)
class Schema:
    """The schema of a command's document. `$id` is `urn:fencepost:COMMAND:VERSION`.

    The version is raised where a field goes or means something else; a further field does not raise it.
    """

    command: str

    @property
    def id(self) -> str:
        """The name of the schema and its version."""
        return f"urn:fencepost:{self.command.replace(' ', '-')}:1"

    @cached_property
    def document(self) -> dict[str, Any]:
        """The schema as JSON values: a document is one of those that the command prints, or that of a failure."""
        structs = _Structs()
        command = {} if self.command == "failure" else {"command": (Annotated[Literal[self.command], COMMAND], True)}
        kinds = [structs.of(Failure, {**structs.fields(Failure), **command})]
        for said in DOCUMENTS[self.command]:
            parts = [_class(one) for one in said.split(" + ")]
            own = {name: one for part in parts for name, one in structs.fields(part).items() if name not in COMMON}
            kinds.append(structs.of(parts[0], {**structs.fields(Common), **command, **own}))
        found, known = _components(kinds)
        head = {"$schema": DRAFT, "$id": self.id, "title": f"fencepost {self.command}", "type": "object"}
        return {**head, "anyOf": found, "$defs": known}

    @property
    def text(self) -> str:
        """The schema as it is printed."""
        return json.dumps(self.document, indent=1, ensure_ascii=False)


def _components(kinds: Sequence[type]) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The schemas of some types and what they refer to, one of several objects too, which msgspec does not know."""
    inner: dict[str, Any] = {}

    def several(kind: type) -> dict[str, Any]:
        found, known = _components(kind.kinds)  # type: ignore[attr-defined]
        inner.update(known)
        return {"anyOf": found}

    found, known = msgspec.json.schema_components(kinds, schema_hook=several, ref_template="#/$defs/{name}")
    return list(found), {**known, **inner}


def known() -> dict[str, Schema]:
    """Return every schema by the words of its command, in alphabetical order."""
    return {command: Schema(command) for command in sorted(DOCUMENTS)}


def schema(command: str) -> Schema:
    """Return the schema of a command's document; raises `Refusal` where no command is called so."""
    found = known()
    if command == "sarif":
        raise Refusal(f"schema sarif: the standard has it: {SARIF}")
    if command not in found:
        close = difflib.get_close_matches(command, list(found), 1)
        hint = f"did you mean {close[0]}?" if close else f"use one of {', '.join(found)}"
        raise Refusal(f"schema {command}: no command that prints a document is called so; {hint}")
    return found[command]


def _class(path: str) -> type:
    """The class of a name in `DOCUMENTS`."""
    module, _, name = path.rpartition(":")
    short = {"": "cli.documents", "logs": "cli.documents_of_logs"}
    found: type = getattr(import_module(f"fencepost.checkers.{short.get(module, module)}"), name)
    return found


class _Structs:
    """The structs of one schema, in which msgspec reads what the classes of results say; no two have one name."""

    def __init__(self) -> None:
        self.made: dict[Any, type] = {}
        self.names: set[str] = set()

    def fields(self, of: Any) -> Fields:
        """Return the fields of a typed dictionary, or of a result's document."""
        if is_typeddict(of):
            hints = _hints(of)
            return {name: (self.kind(hint), get_origin(hint) is not NotRequired) for name, hint in hints.items()}
        if of.as_json is not Document.as_json:
            return self.fields(_hints(of.as_json)["return"])
        return {one.name: (self.attribute(of, one.attribute, one.how), True) for one in fields_of(of)}

    def attribute(self, of: Any, path: str, how: str) -> Any:
        """Return the type of an attribute of a class, or of an attribute of its value, as in `mutant.id`."""
        name, _, more = path.partition(".")
        found = getattr(of, name, None)
        found = getattr(found, "fget", None) or getattr(found, "func", None) or found
        hint = _hints(found)["return"] if isfunction(found) else _hints(of)[name]
        if more:
            return self.attribute(hint, more, how)
        kind = self.kind(hint)
        return _KINDS[how](kind) if how in _KINDS else kind

    def kind(self, hint: Any) -> Any:
        """Return a type as msgspec has it: results as structs, mappings by text, other collections as lists."""
        of, inside = get_origin(hint) or hint, get_args(hint)
        if of in (ClassVar, NotRequired):
            return self.kind(inside[0])
        if of is Annotated and isinstance(inside[1], Also):
            more = {name: (self.kind(one), inside[1].needed) for name, one in inside[1].fields.items()}
            return self.of(inside[0], {**self.fields(inside[0]), **more})
        if of is Annotated:
            says = msgspec.Meta(description=inside[1]) if isinstance(inside[1], str) else inside[1]
            return Annotated[self.kind(inside[0]), says]
        if of in (Union, UnionType):
            return _one_of([self.kind(one) for one in inside])
        if of is Literal or of is Any or of is None or not isinstance(of, type):
            return hint
        if is_typeddict(of) or issubclass(of, Document):
            if of not in self.made:
                self.made[of] = self.of(of, self.fields(of))
            return self.made[of]
        if issubclass(of, Mapping):
            return dict[str, int if of is Counter else self.kind(inside[1]) if inside else Any]  # type: ignore[misc]
        if issubclass(of, tuple) and inside and inside[-1] is not ...:
            return tuple[tuple(self.kind(one) for one in inside)]  # type: ignore[misc]
        if not issubclass(of, str) and issubclass(of, Collection):
            return list[self.kind(inside[0])] if inside else list  # type: ignore[misc]
        return of

    def of(self, of: Any, fields: Fields) -> type:
        """Return a struct of some fields, by the name of a class and with the docstring of that as description."""
        given = []
        for number, (name, (kind, needed)) in enumerate(fields.items()):
            default = {} if needed else {"default": msgspec.UNSET}
            field = msgspec.field(name=name, **default)
            given.append((f"f{number}", kind if needed else kind | msgspec.UnsetType, field))
        names = (of.__name__ + (str(number) if number > 1 else "") for number in count(1))
        name = next(one for one in names if one not in self.names)
        self.names.add(name)
        says = {"__doc__": " ".join((of.__doc__ or "").split("\n\n")[0].split())}
        return msgspec.defstruct(name, given, namespace=says, kw_only=True, forbid_unknown_fields=True)


_KINDS: dict[str, Callable[[Any], Any]] = {
    "count": lambda kind: int,
    "or_null": lambda kind: kind | None,
    "object": lambda kind: dict[str, get_args(get_args(kind)[0])[1]],  # type: ignore[misc]
}
"""The type of a field by what is done to its value, where that is another one."""


def _one_of(kinds: list[Any]) -> Any:
    """One of several types, of which msgspec allows a single object: several stand in a class of their own."""
    objects = [one for one in kinds if get_origin(one) is dict or isinstance(one, type(msgspec.Struct))]
    if len(objects) < 2:
        return reduce(or_, kinds)
    return reduce(or_, [one for one in kinds if one not in objects], type("OneOf", (), {"kinds": objects}))


@cache
def _hints(of: Any) -> dict[str, Any]:
    """The annotations of a class or a function; its module need not have imported them but for type checking."""
    return get_type_hints(of, localns=_names(of.__module__), include_extras=True)


@cache
def _names(module: str) -> dict[str, Any]:
    names = dict(vars(sys.modules[module]))
    for node in ast.parse(getsource(sys.modules[module])).body:
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            exec(compile(ast.Module(node.body, []), module, "exec"), names)
    return names
