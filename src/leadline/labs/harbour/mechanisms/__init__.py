"""Eight small mechanisms around retrieval; each runs here, offline, and says what ran."""
