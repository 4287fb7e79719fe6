"""Prints terms as Python over the cells that a log shows.

What is hidden is known when a term is printed, so most of the text is two-valued.
"""
