"""TLA+ and TLC against the interpreter and against published figures."""
