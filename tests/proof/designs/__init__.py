"""What the designs that were never built claim: edits of rows, each noticed by one claim and by no older one."""
