"""Eight small mechanisms around retrieval; each runs offline and says what ran."""
