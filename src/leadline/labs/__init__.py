"""The labs: data, an experiment file, and thin scripts over the public API."""
