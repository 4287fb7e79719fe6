"""JSON as Kafka's tools print it: no spaces, fields in the order given, Java's notation for floating-point numbers."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any

_ESCAPES = str.maketrans(
    {chr(code): f"\\u{code:04X}" for code in range(0x20)}
    | {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", '"': '\\"', "\\": "\\\\"}
)


def json_text(value: Any) -> str:
    """The text of a JSON value; raises TypeError for what is none."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return java_double(value)
    if isinstance(value, str):
        return f'"{value.translate(_ESCAPES)}"'
    if isinstance(value, (list, tuple)):
        return f"[{','.join(json_text(element) for element in value)}]"
    if isinstance(value, dict):
        return "{" + ",".join(f"{json_text(str(name))}:{json_text(part)}" for name, part in value.items()) + "}"
    raise TypeError(f"{value!r} is no JSON value")


def java_double(value: float) -> str:
    """A double as Java prints it: plain from 0.001 up to ten million, else with an exponent; NaN and infinities quoted.

    The digits are the fewest that name the number (JDK-4511638, as of JDK 19).
    """
    if not math.isfinite(value):
        return '"NaN"' if math.isnan(value) else '"Infinity"' if value > 0 else '"-Infinity"'
    sign = "-" if math.copysign(1.0, value) < 0 else ""
    if value == 0:
        return f"{sign}0.0"
    digits, exponent = _shortest(abs(value))
    if not -3 <= exponent < 7:
        return f"{sign}{digits[0]}.{digits[1:] or '0'}E{exponent}"
    if exponent < 0:
        return f"{sign}0.{'0' * (-exponent - 1)}{digits}"
    digits = digits.ljust(exponent + 2, "0")
    return f"{sign}{digits[: exponent + 1]}.{digits[exponent + 1 :]}"


def _shortest(value: float) -> tuple[str, int]:
    """The digits of a positive double without zeros at their end, and the power of ten of the first one."""
    text = f"{Decimal(repr(value)):e}"
    mantissa, exponent = text.split("e")
    if len(mantissa.replace(".", "").rstrip("0")) == 1:
        # Java takes the nearest of two digits where one digit would do.
        two = f"{value:.1e}"
        if float(two) == value:
            mantissa, exponent = two.split("e")
    return mantissa.replace(".", "").rstrip("0"), int(exponent)
