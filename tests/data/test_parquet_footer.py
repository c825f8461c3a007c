"""A Parquet file's footer: the sizes that pyarrow reads, and no end of the process where it is hostile."""

from __future__ import annotations

import io

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

import ltr_core as ltr
from ltr_core.data.reading.parquet_footer import column_sizes
from tests.fuzz.targets import corpus


def written(columns: dict, **how) -> bytes:
    out = io.BytesIO()
    pyarrow.parquet.write_table(pa.table(columns), out, **how)
    return out.getvalue()


def as_pyarrow_reads(content: bytes) -> dict[str, int]:
    about, sizes = pyarrow.parquet.ParquetFile(io.BytesIO(content)).metadata, {}
    for group in range(about.num_row_groups):
        for column in map(about.row_group(group).column, range(about.num_columns)):
            path = column.path_in_schema
            sizes[path] = sizes.get(path, 0) + column.total_uncompressed_size
    return sizes


FILES = {
    "plain": written({"grade": [1, 0], "qid": ["a", "b"], "ä": [0.5, None]}),
    "groups": written({"a": np.arange(5000), "b": np.arange(5000) % 7}, row_group_size=700),
    "packed": written({"a": np.arange(5000)}, compression="zstd", use_dictionary=False),
    "wide": written({f"f{i}": [1.0] for i in range(40)}),
    "nested": written({"a": [{"x": 1, "y": [1, 2]}], "b": [[1, 2]]}),
    "told of": written({"a": [True, False]}, store_schema=True, write_page_index=True),
    "old": written({"a": [1]}, version="1.0", data_page_version="1.0"),
    "none": written({}),
}


@pytest.mark.parametrize("name", FILES)
def test_the_sizes_are_those_that_pyarrow_reads(name):
    assert column_sizes(FILES[name]) == as_pyarrow_reads(FILES[name])


@pytest.mark.parametrize("name", ["plain", "nested"])
def test_damage_anywhere_is_an_error_or_another_size(name):
    whole = FILES[name]
    begin = len(whole) - 8 - int.from_bytes(whole[-8:-4], "little")
    for at in range(begin, len(whole)):
        for flip in (0x01, 0x80, 0xFF):
            hurt = bytearray(whole)
            hurt[at] ^= flip
            try:
                sizes = column_sizes(bytes(hurt))
            except OSError as error:
                assert "footer" in str(error)
            else:
                assert all(isinstance(size, int) for size in sizes.values())
    for end in range(0, len(whole), 7):
        with pytest.raises(OSError, match="footer"):
            column_sizes(whole[:end])


def test_a_footer_of_structs_in_structs_ends():
    deep = b"\x1c" * 100_000
    with pytest.raises(OSError, match="damaged"):
        column_sizes(deep + len(deep).to_bytes(4, "little") + b"PAR1")


def test_files_that_once_ended_the_process_are_a_sentence():
    """pyarrow throws while it describes a column and nobody catches it: an upload took the server along."""
    assert corpus("parquet")
    for content in corpus("parquet"):
        with pytest.raises(ltr.DataError, match="the Parquet file is damaged"):
            ltr.load(content, name="x.parquet")
