"""A record as plain data, and that data as HTML and as terminal text."""
