"""Protocols that were not shaped for these engines: other people's specifications restated in the table language."""
