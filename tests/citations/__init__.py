"""Citations: the rule of normalisation on made-up pages, and copies of made-up sources compared with an index."""
