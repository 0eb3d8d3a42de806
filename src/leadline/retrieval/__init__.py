"""Everything that ranks passages. Never imports ``leadline.judging``."""
