"""Citations: what `S3:244` in a row, a property or a page points to, and whether a copy of the source still says it."""

from .comparing import Compared, Place, compared
from .index import Citation, Line, Part, Text, citations, explained, named, texts
from .normalising import Normalised, normalised

__all__ = [
    "Citation", "Compared", "Line", "Normalised", "Part", "Place", "Text", "citations", "compared", "explained",
    "named", "normalised", "texts",
]  # fmt: skip
