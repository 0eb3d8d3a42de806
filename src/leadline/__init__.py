"""Leadline: is this retrieval change really better, on our documents?

A blind, frozen comparison of retrieval configurations. The use cases are in
`leadline.app`; the words (document, passage, question, run, measure) are
defined in the modules of the same name.
"""

__version__ = "0.1.0"
