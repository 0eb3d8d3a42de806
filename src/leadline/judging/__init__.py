"""Everything that has seen the labels. Never imports ``leadline.retrieval``."""
