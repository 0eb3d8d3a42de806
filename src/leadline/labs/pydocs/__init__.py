"""The recorded comparison: four configurations over four questions on Python docs."""
