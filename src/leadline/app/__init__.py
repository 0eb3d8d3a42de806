"""The use cases, one module each, in the order in which a user meets them.

``init`` a project, ``label`` a question, ``check`` it, take a ``snapshot``,
``compare``, ``search``, ``explain``, ``verify``, and the ``demo``.
"""
