"""Lemmas: what only induction needs. They hold between rows and claim nothing that `properties` does not."""

from __future__ import annotations

from fencepost.model.language import Always

LEMMAS: tuple[Always, ...] = ()
