"""The word list of the lint: words of sentences are found, identifiers are not."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["codespell"]
LISTED = dict(line.split("->") for line in (ROOT / SETTINGS["dictionary"]).read_text(encoding="utf-8").splitlines())


def found(line: str) -> list[str]:
    """Return the listed words that codespell finds in a line under the project's settings."""
    line = re.sub(SETTINGS["ignore-regex"], " ", line)
    return [word for word in re.findall(SETTINGS["regex"], line) if word.lower() in LISTED]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('"""Nobody is told twice."""', ["Nobody", "told"]),  # codespell:ignore
        ("# The broker is fenced by whoever leads, as the log tells.", ["whoever", "tells"]),  # codespell:ignore
        ("| P3 | what stands there | nobody leads |", ["stands", "nobody"]),  # codespell:ignore
        ("    told that it may be active", ["told"]),  # codespell:ignore
    ],
)
def test_words_of_sentences_are_found(line: str, words: list[str]) -> None:
    """A listed word in a docstring, a comment, a cell of a table or a continued line is found."""
    assert found(line) == words


@pytest.mark.parametrize(
    "line",
    [
        'told = per(BROKER, "told", BOOL, FALSE, what="message")',
        "from fencepost.model.language import forall, next_, nobody, step",
        "    elr_index[p, x].becomes(when(x.in_(elr.over(nobody(BROKER))), ONCE, NEVER)),",
        "    return [one for told in lines if told]",
        "The ghost `told` has the epoch.",
    ],
)
def test_identifiers_are_left_alone(line: str) -> None:
    """A variable or an operator of that name is no word of a sentence."""
    assert found(line) == []


def test_each_word_has_terms_to_write_instead() -> None:
    """Each listed word is in lower case and names what to write; none is a replacement of another."""
    assert all(word.islower() and terms.strip() for word, terms in LISTED.items())
    assert LISTED.keys().isdisjoint({term.strip() for terms in LISTED.values() for term in terms.split(",")})
