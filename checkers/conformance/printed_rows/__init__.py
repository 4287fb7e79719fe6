"""Explains the records of a log by rows printed as Python, while every cell that the rows read is known."""
