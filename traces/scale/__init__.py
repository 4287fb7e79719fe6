"""Logs of any size, written from the bytes of recorded episodes: an episode is encoded once, then written many times.

`episodes` has what an episode is, `templates` its bytes with the places that differ from one time to the next, `logs`
puts a log together and writes its segments, `tables` its records as Parquet; `files` makes the files.
"""
