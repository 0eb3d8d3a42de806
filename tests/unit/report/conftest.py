"""What several tests of the report take."""

import pytest

from leadline.files.record import Record
from tests.unit.report.handbook import synthetic


@pytest.fixture(scope="session")
def big() -> Record:
    """Ten thousand questions under eight configurations."""
    return synthetic(10_000, 8, measures=("nDCG@10", "R@10"), depth=12)
