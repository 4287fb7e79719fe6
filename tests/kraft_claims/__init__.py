"""Claims of the KRaft tables, each with an edit of a row that it refutes and nothing before it did."""
