"""docs/schemas is generated: after a change of the model run `python -m pipeline schemas docs/schemas`."""

from pathlib import Path

import pytest

from pipeline import codec

FOLDER = Path(__file__).parent.parent / "docs" / "schemas"


@pytest.mark.parametrize("name", sorted(codec.SCHEMAS))
def test_the_written_schema_is_the_models(name):
    written = (FOLDER / f"{name}.schema.json").read_bytes()

    assert written == codec.dump_json(codec.json_schema(name)), "run `python -m pipeline schemas docs/schemas`"


def test_no_schema_is_left_over():
    assert {path.name for path in FOLDER.iterdir()} == {f"{name}.schema.json" for name in codec.SCHEMAS}
