"""What holds for every test: no test depends on how fast a machine is."""

from hypothesis import settings

settings.register_profile("leadline", deadline=None)
settings.load_profile("leadline")
