"""What the designs that were never built claim: edits of their rows, each of which one claim notices and no older one."""
