"""`fencepost show fork`: the forks of Kafka that are declared, or all that one declaration has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from fencepost.checkers.verdicts import ExitCode

from .outcome import Outcome
from .terminal import Unfolded

if TYPE_CHECKING:
    from fencepost.traces.forks import Fork, OwnRecord, OwnTag, Words

WORD = "fork"


def answer(of: str | None) -> Outcome:
    """Return the names of the shipped forks, or the declaration of a name or a file; raises TraceError for no such."""
    from fencepost.traces.forks import SHIPPED, fork_of, shipped

    forks = [*map(shipped, SHIPPED)] if of is None else [fork_of(of)]
    document = {"forks": [_as_json(one) for one in forks]}
    page = [line for one in forks for line in (_brief(one) if of is None else _page(one))]
    return Outcome("show", "shown", ExitCode.AS_DECLARED, document, page)


def _as_json(fork: Fork) -> dict[str, Any]:
    return {
        "name": fork.name,
        "file": fork.file,
        "releases": fork.releases,
        "about": fork.about,
        "rows": fork.rows or None,
        "sign": {
            "features": list(fork.sign.features), "configs": list(fork.sign.configs), "tags": list(fork.sign.tags)
        },
        "rules": list(fork.rules),
        "records": [
            {
                "key": one.key,
                "name": one.name,
                "versions": str(one.versions),
                "fields": list(one.written),
                "state": one.state or None,
                "removes": one.removes or None,
                "changes": list(one.changes),
                "story": [_line(words) for words in one.words],
                "about": one.about,
            }
            for one in fork.records
        ],
        "tags": [
            {
                "tag": one.tag,
                "name": one.name,
                "on": {type: str(versions) for type, versions in one.on.items()},
                "type": one.text,
                "state": one.state or None,
                "changes": list(one.changes),
                "story": [_line(words) for words in one.words],
                "about": one.about,
            }
            for one in fork.tags
        ],
        "conditions": [{"of": one.of, "field": one.field, "say": one.say} for one in fork.conditions],
    }  # fmt: skip


def _line(words: Words) -> str:
    if not words.field:
        return words.say
    if words.starts is not None:
        return f"where {words.field} starts with {words.starts}: {words.say}"
    return f"where {words.field} is {' or '.join(map(_value, words.values))}: {words.say}"


def _value(value: Any) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def _brief(fork: Fork) -> Iterator[str]:
    said = f"{len(fork.records)} record types, {len(fork.tags)} tags, {len(fork.rules)} rules of its own"
    yield f"{fork.called}: {fork.name} {fork.releases}: {said}"
    yield f"  {fork.about}"


def _page(fork: Fork) -> Iterator[Any]:
    yield f"{fork.name} {fork.releases}".rstrip() if fork.name else "no fork: every record is read as Apache Kafka's"
    yield f"  {fork.about}"
    sign = fork.sign
    signs: Mapping[str, tuple[Any, ...]] = {"feature": sign.features, "setting": sign.configs, "tag": sign.tags}
    known = [f"{kind} {one}" for kind, some in signs.items() for one in some]
    if fork.name:
        yield f"  recognised by: {', '.join(known) or 'nothing; name it with --fork'}"
    if fork.rows:
        yield f"  checked against the rows of {fork.rows}"
    if fork.rules:
        yield from ("", "rules of its controller that are not Kafka's:")
        for rule in fork.rules:
            yield f"  - {rule}"
    for record in fork.records:
        yield from ("", *_record(record))
    for tag in fork.tags:
        yield from ("", *_tag(tag))
    if fork.conditions:
        yield from ("", "noted by health:")
        for one in fork.conditions:
            yield f"  - {one.of}, {one.field}: {one.say}"


def _record(one: OwnRecord) -> Iterator[Any]:
    yield f"{one.key} {one.name}, version {one.versions}"
    yield from (Unfolded(f"  {text}") for text in one.written)
    yield from _rest(one)


def _tag(one: OwnTag) -> Iterator[Any]:
    yield f"tag {one.tag} {one.name} on {', '.join(f'{type} {versions}' for type, versions in one.on.items())}"
    yield Unfolded(f"  {one.text}")
    yield from _rest(one)


def _rest(one: OwnRecord | OwnTag) -> Iterator[str]:
    if one.about:
        yield f"  {one.about}"
    yield f"  changes of Kafka's cells: {', '.join(one.changes) or 'none'}"
    if one.state:
        yield f"  kept under {one.state}"
    removes = getattr(one, "removes", "")
    if removes:
        yield f"  removes {removes}"
    for words in one.words:
        yield f"  - {_line(words)}"
