"""One module a file format: strict reading, writing that leaves old or new."""
