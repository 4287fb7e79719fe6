"""The rule of normalisation: what of a page counts, whatever its layout."""

import pytest

from fencepost.checkers.citations.normalising import normal, normalised
from tests.citations.pages import COPY, HTML


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("  • No labels", "Nolabels"),
        ("  12. wait until all join", "waituntilalljoin"),
        ("- an unsigned varint", "anunsignedvarint"),
        ("-1 is none", "-1isnone"),
        ("3.5 of them", "3.5ofthem"),
        ("a ≤ b < c", "a≤b<c"),
        ("“one” 'two' | \u200bthree\u00a0four", "onetwothreefour"),
        ("\ufb01le № 3…", "fileNo3..."),
        ("---|---|", ""),
        ("   ", ""),
    ],
)
def test_what_of_a_line_counts(line: str, kept: str) -> None:
    """Marks of lists, spaces, quotation marks and bars are left out; signs and numbers stay; Unicode is NFKC."""
    assert normal(line) == kept


def test_html_and_a_saved_text_are_the_same() -> None:
    """The page as HTML has, between its first and its last sentence, the normalised text of the saved one."""
    begin, end = "Thelighthouse", "atwhichhour."
    one, other = normalised(COPY).text, normalised(HTML).text
    assert one[one.index(begin) : one.index(end)] == other[other.index(begin) : other.index(end)]
    assert "lamp=lit" not in other
    assert "color" not in other


def test_a_character_has_its_line() -> None:
    """A character of a normalised page has the line of the file, also within a paragraph of several lines."""
    text, html = normalised(COPY), normalised(HTML)
    assert text.line_at(text.text.index("Thebellisrung")) == 11
    assert html.line_at(html.text.index("Thebellisrung")) == 10
    assert html.line_at(html.text.index("Akeeperlights")) == 5


def test_lines_of_a_listing_are_lines() -> None:
    """Inside `pre` a line of the file is a line of the page, so that the mark of a list counts there too."""
    page = normalised("<html><body><pre>- one\n- two</pre><p>three\n- four</p></body></html>")
    assert page.text == "onetwothree-four"
    assert page.lines == (1, 2, 2)


def test_a_page_that_ends_in_the_middle_is_read() -> None:
    """Tags that are not closed, or closed twice, lose nothing of the text."""
    assert normalised("<html><p>one</p></p><script>x</script></script><div>two<br>three").text == "onetwothree"
