"""Many cheap cases in one test, which lists those that fail; how many examples are drawn.

`pytest.mark.parametrize` makes a test of each case, which costs more than a case of a millisecond: pytest collects,
schedules and reports it in every worker. `each` has its form; its cases share the fixtures of the one test.
"""

import inspect
import os
from collections.abc import Callable, Iterable
from typing import Any

import pytest

Test = Callable[..., None]
PARAM = type(pytest.param())


def each(
    names: str | tuple[str, ...], values: Iterable[Any], ids: Callable[[Any], str] | None = None
) -> Callable[[Test], Test]:
    """Return a decorator that runs a test with each of some values.

    Names are those of the arguments that take a value, or the parts of one; `ids` says how a failing case is called.
    Raises a group of what the failing cases raise, each with its case, and a TypeError for a `pytest.param`.
    """
    cases = list(values)
    if any(isinstance(case, PARAM) for case in cases):
        raise TypeError("each takes plain values: with pytest.param use pytest.mark.parametrize")

    def decorate(test: Test) -> Test:
        parts = (names,) if isinstance(names, str) else names

        def run(**fixtures: Any) -> None:
            failed: list[BaseException] = []
            for case in cases:
                given = dict(zip(parts, (case,) if isinstance(names, str) else case, strict=True))
                try:
                    test(**fixtures, **given)
                except (Exception, pytest.fail.Exception) as error:
                    error.add_note(f"the case: {ids(case) if ids else given}")
                    failed.append(error)
            if failed:
                raise BaseExceptionGroup(f"{len(failed)} of {len(cases)} cases", failed)

        signature = inspect.signature(test)
        others = [one for name, one in signature.parameters.items() if name not in parts]
        run.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        run.__name__, run.__doc__, run.__module__ = test.__name__, test.__doc__, test.__module__
        run.pytestmark = list(getattr(test, "pytestmark", ()))  # type: ignore[attr-defined]
        return run

    return decorate


def examples(count: int) -> int:
    """Return how many examples Hypothesis draws for a test: a quarter of a count, in `make nightly` all of it."""
    return count if os.environ.get("FENCEPOST_EXAMPLES") == "all" else max(1, count // 4)
