"""The table language itself, held without any engine."""
