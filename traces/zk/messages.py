"""Base of the kinds of messages: a class per template, found again by the beginning of a text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

from .forms import Form, by_head
from .values import form

M = TypeVar("M", bound="Message")

_HEAD = 4


class Message:
    """The message of a line, without its head; the fields of a class are the values that its template names.

    `kind` is the name of the kind of line; classes of one kind differ in what they say. `level` is that of Kafka,
    where it always is the same; a line has its own.
    """

    __slots__ = ()
    kind: ClassVar[str]
    level: ClassVar[str]
    form: ClassVar[Form[Any]]

    @property
    def text(self) -> str:
        """The message as it is in the log."""
        return self.form.text(self)


class Speaker:
    """All the messages of one kind of sender, filled by the classes' decorators in order of declaration."""

    def __init__(self) -> None:
        self.classes: list[type[Message]] = []
        self._found: dict[str, tuple[Form[Any], ...]] = {}
        self._anywhere: tuple[Form[Any], ...] = ()

    def says(self, kind: str, level: str, template: str) -> Callable[[type[M]], type[M]]:
        """Return a decorator that gives a message's class its kind, its level and its template."""

        def given(one: type[M]) -> type[M]:
            one.kind, one.level, one.form = kind, level, form(one, template)
            self.classes.append(one)
            found = by_head((each.form for each in self.classes), _HEAD)
            self._anywhere = found.pop("", ())
            self._found = {head: (*forms, *self._anywhere) for head, forms in found.items()}
            return one

        return given

    def read(self, text: str) -> Message | None:
        """Return what a text says, or None where no class of this sender has such texts."""
        for one in self._found.get(text[:_HEAD], self._anywhere):
            found: Message | None = one.read(text)
            if found is not None:
                return found
        return None
