"""Records explained by rows evaluated term by term: rows placed at an offset, batches parsed into results."""
