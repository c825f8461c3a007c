"""Numbers in LETOR text: exactly ``np.float32(float(text))``, whatever the text."""

import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ltr_core as ltr
from ltr_core.data.reading.letor_kernels import _read_number


def read(text):
    """The value that a whole file with this one number has."""
    return ltr.load(f"1 qid:1 1:{text} 2:1\n".encode(), name="x.txt").X[0, 0]


def kernel(text):
    """(value, sure) of the kernel alone."""
    value, end, sure = _read_number(np.frombuffer(text.encode() + b"\n" * 8, np.uint8).copy(), 0)
    assert not sure or end == len(text)
    return value, sure


FINITE = """
0 -0 0.0 -0.0 1 +1 -1 00012.500 .5 5. -.5 1e5 1E5 1e+5 1e-5 1e05 0e0 0e999999999999 1e-400 1e-320 4.9e-324
2.4703282292062327e-324 2.4703282292062328e-324 2.2250738585072011e-308 2.2250738585072014e-308
1e-45 7.006492321624085e-46 7.006492321624086e-46 1.17549435e-38 3.4028234e38
340282346638528859811704183484516925440
9007199254740993 9007199254740992 16777217 33554433 8.589973e9 123456789012345678901234567890 0.1 0.3 2.5e-1
0.30000000000000000000000000001 0.000000000000000000000000012345 1.00000017881393432617187499
1.00000017881393432617187500 1.00000017881393432617187501 5e-1 100000000000000000000000e-22
0.00748100000000000000000000000000000000000001 1.5e0000000000000000000001
""".split()  # noqa: SIM905 (readable)


@pytest.mark.parametrize("text", FINITE)
def test_each_text_becomes_the_nearest_number(text):
    with np.errstate(under="ignore"):
        expected = np.float32(float(text))
    assert struct.pack("f", read(text)) == struct.pack("f", expected)


@pytest.mark.parametrize(
    "text",
    [
        "1e400",
        "-1e400",
        "0x10",
        "1_000",
        "nan",
        "inf",
        "-Infinity",
        "1e",
        "1e+",
        "e5",
        ".",
        "+",
        "-",
        "--1",
        "1.2.3",
    ]
    + ["1d5", "1f", "1,5", "½", "١", "3.41e38", "1e39", "1e99999999999999999999", "1 000", "1-", "#1"],
)
def test_other_texts_are_refused(text):
    with pytest.raises(ltr.DataError) as caught:
        read(text)
    assert caught.value.line == 1 and caught.value.column >= 11


@settings(max_examples=300, deadline=None)
@given(value=st.floats(allow_nan=False, allow_infinity=False), digits=st.integers(0, 30))
def test_kernel_reads_doubles_to_the_last_bit(value, digits):
    for text in (repr(value), f"{value:.{digits}e}"):
        found, sure = kernel(text)
        assert not sure or struct.pack("d", found) == struct.pack("d", float(text))
        # Up to 19 digits nothing is left to the slow reader.
        assert (
            sure or len(text.split("e")[0].replace(".", "").replace("-", "")) > 19 or abs(float(text)) > 1e308
        )


@settings(max_examples=300, deadline=None)
@given(digits=st.integers(0, 10**25), power=st.integers(-360, 320), point=st.integers(0, 26))
def test_kernel_reads_any_decimal_to_the_last_bit(digits, power, point):
    text = str(digits)
    text = f"{text[:-point] if point else text}.{text[-point:] if point else ''}e{power}"
    found, sure = kernel(text)
    assert not sure or found == float(text)
    if not sure:
        assert len(str(digits)) > 19 or float(text) == np.inf


@settings(max_examples=200, deadline=None)
@given(mantissa=st.integers(2**52, 2**53 - 1), power=st.integers(0, 9), nudge=st.sampled_from([-1, 0, 1]))
def test_numbers_halfway_between_two_doubles_round_to_even(mantissa, power, nudge):
    text = str((2 * mantissa + 1) * 2**power + nudge)
    assert kernel(text) == (float(text), True)


def test_grades_are_doubles():
    data = ltr.load(
        b"0.1 qid:1 1:1\n0.30000000000000004 qid:1 1:2\n1e-3 qid:1 1:3\n2.0 qid:1 1:3\n", name="x.txt"
    )
    assert data.y.tolist() == [0.1, 0.30000000000000004, 1e-3, 2.0]
