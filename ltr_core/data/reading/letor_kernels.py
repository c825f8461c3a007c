"""Kernels that read LETOR text: bytes in, rows out.

They accept a line only when they are sure of every byte in it. At any other line they stop and leave it to
`letor_line`, which is slow, exact, and knows the sentences. A number becomes the double nearest to its text
and then float32, exactly as ``np.float32(float(text))``: a product or quotient of two exact doubles where
that is one rounding (Clinger 1990), else Eisel and Lemire's product with a 128-bit power of five
(Lemire 2021; Mushtak and Lemire 2023 prove that it needs no fallback for up to 19 digits). Longer numbers
are cut at 19 digits and read twice, as cut and one higher: when both give the same double, that is the one.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

DONE, UNSURE = 0, 1  # at the end; at a line left to `letor_line`
# What `_parse_lines` writes into `out`:
POS, LINE, ROW, STATUS, LARGEST, ZERO_SEEN, NAN_SEEN = range(7)
N_OUT = 7
# How `missing` is told to the kernel:
MISSING_ERROR, MISSING_ZERO, MISSING_NAN = 0, 1, 2

_TAB, _NEWLINE, _RETURN, _SPACE, _QUOTE, _HASH = 9, 10, 13, 32, 34, 35
_PLUS, _MINUS, _DOT, _COLON, _EQUALS = 43, 45, 46, 58, 61

_EXACT = 1 << 53  # up to here every whole number is a double
_LOW_POWER, _HIGH_POWER = -342, 308
_TENS = 10.0 ** np.arange(23)  # the exact ones


def _powers_of_five() -> tuple[np.ndarray, np.ndarray]:
    """Return the upper and lower 64 bits of 5^q, q from -342 to 308, scaled into [2^127, 2^128)."""
    high, low = [], []
    for q in range(_LOW_POWER, _HIGH_POWER + 1):
        power = 5 ** abs(q)
        if q < 0:
            bits = (power - 1).bit_length()
            # Rounded up: the proof for negative powers asks for it.
            scaled = (1 << (bits + 127 if q >= -27 else 2 * bits + 128)) // power + 1
        else:
            scaled = power << 128
        scaled >>= max(0, scaled.bit_length() - 128)
        high.append(scaled >> 64)
        low.append(scaled & ((1 << 64) - 1))
    return np.array(high, dtype=np.uint64), np.array(low, dtype=np.uint64)


_FIVES_HIGH, _FIVES_LOW = _powers_of_five()
_U0, _U1, _U32, _U63, _MASK32 = (np.uint64(v) for v in (0, 1, 32, 63, 0xFFFFFFFF))


@njit(nogil=True, cache=True)
def _multiply(a, b):
    """Return the upper and lower 64 bits of a product of two unsigned 64-bit numbers."""
    a_high, a_low, b_high, b_low = a >> _U32, a & _MASK32, b >> _U32, b & _MASK32
    low = a_low * b_low
    middle = a_high * b_low + (low >> _U32)
    other = a_low * b_high + (middle & _MASK32)
    return a_high * b_high + (middle >> _U32) + (other >> _U32), (other << _U32) | (low & _MASK32)


@njit(nogil=True, cache=True)
def _scale(digits, power):
    """Return the double nearest to digits · 10^power (Eisel and Lemire); infinity when it is beyond."""
    if digits == _U0 or power < _LOW_POWER:
        return 0.0
    if power > _HIGH_POWER:
        return np.inf
    shift = 0
    while digits >> _U63 == _U0:
        digits = digits << _U1
        shift += 1
    high, low = _multiply(digits, _FIVES_HIGH[power - _LOW_POWER])
    if high & np.uint64(0x1FF) == np.uint64(0x1FF):
        more, _ = _multiply(digits, _FIVES_LOW[power - _LOW_POWER])
        low = low + more
        if more > low:
            high = high + _U1
    upper = np.int64(high >> _U63)
    mantissa = high >> np.uint64(upper + 9)
    exponent = ((217706 * power) >> 16) + 63 + upper - shift + 1023
    if exponent <= 0:
        if exponent < -62:
            return 0.0
        mantissa = mantissa >> np.uint64(1 - exponent)
        mantissa = (mantissa + (mantissa & _U1)) >> _U1
        return math.ldexp(float(mantissa), -1074)
    halfway = low <= _U1 and -4 <= power <= 23 and mantissa & np.uint64(3) == _U1
    if halfway and mantissa << np.uint64(upper + 9) == high:
        mantissa = mantissa ^ _U1
    mantissa = (mantissa + (mantissa & _U1)) >> _U1
    if exponent > 2046 or (exponent == 2046 and mantissa >= np.uint64(_EXACT)):
        return np.inf
    return math.ldexp(float(mantissa), int(exponent - 1075))


@njit(nogil=True, cache=True)
def _at(text, pos):
    """Return the byte at `pos`. Without numba's check for a negative index all is 1.35 times as fast."""
    return np.int64(text[np.uintp(pos)])


@njit(nogil=True, cache=True)
def _read_number(text, pos):
    """Return the number that starts at `pos`, the position after it, and whether it surely is one."""
    negative = _at(text, pos) == _MINUS
    if negative or _at(text, pos) == _PLUS:
        pos += 1
    digits = _U0
    power = 0
    kept = 0  # significant digits in `digits`
    has_digit = False
    cut = False
    fraction = False
    while True:
        d = _at(text, pos) - 48
        if 0 <= d <= 9:
            has_digit = True
            if kept < 19:
                digits = digits * np.uint64(10) + np.uint64(d)
                kept += digits != _U0
                power -= fraction
            else:
                cut = cut or d != 0
                power += not fraction
        elif d == _DOT - 48 and not fraction:
            fraction = True
        else:
            break
        pos += 1
    if not has_digit:
        return 0.0, pos, False
    if _at(text, pos) == 101 or _at(text, pos) == 69:
        pos += 1
        down = _at(text, pos) == _MINUS
        if down or _at(text, pos) == _PLUS:
            pos += 1
        start = pos
        exponent, pos = _read_digits(text, start, 0)
        if not 0 < pos - start <= 9:
            return 0.0, pos, False
        power += -exponent if down else exponent
    value = _scale(digits, power)
    sure = not math.isinf(value) and not (cut and _scale(digits + _U1, power) != value)
    return -value if negative else value, pos, sure


@njit(nogil=True, cache=True)
def _read_digits(text, pos, number):
    """Return a number with the digits from `pos` on behind its own, and where they end."""
    while True:
        d = _at(text, pos) - 48
        if d < 0 or d > 9:
            return number, pos
        number = number * 10 + d
        pos += 1


@njit(nogil=True, cache=True)
def _is_missing(text, pos):
    """Return the length of a NULL or NaN, in any case, at `pos`; 0 when there is none."""
    if _at(text, pos) | 32 != 110:
        return 0
    second, third = _at(text, pos + 1) | 32, _at(text, pos + 2) | 32
    if second == 97 and third == 110:
        return 3
    return 4 if second == 117 and third == 108 and _at(text, pos + 3) | 32 == 108 else 0


@njit(nogil=True, cache=True)
def _ends_word(c):
    return c == _SPACE or c == _NEWLINE or c == _TAB or c == _RETURN or c == _HASH  # noqa: SIM109 (faster)


@njit(nogil=True, cache=True)
def _skip_blanks(text, pos):
    while _at(text, pos) == _SPACE or _at(text, pos) == _TAB or _at(text, pos) == _RETURN:
        pos += 1
    return pos


@njit(nogil=True, cache=True)
def _find_doc_id(text, pos):
    """Return where the id of ``docid = …`` starts and stops in the comment at `pos`; 0, 0 without one."""
    pos = _skip_blanks(text, pos)
    if not (
        _at(text, pos) | 32 == 100
        and _at(text, pos + 1) | 32 == 111
        and _at(text, pos + 2) | 32 == 99
        and _at(text, pos + 3) | 32 == 105
        and _at(text, pos + 4) | 32 == 100
    ):
        return 0, 0
    pos = _skip_blanks(text, pos + 5)
    if _at(text, pos) != _EQUALS and _at(text, pos) != _COLON:
        return 0, 0
    pos = _skip_blanks(text, pos + 1)
    if _at(text, pos) == _QUOTE:
        stop = pos + 1
        while _at(text, stop) != _QUOTE and _at(text, stop) != _NEWLINE:
            stop += 1
        if _at(text, stop) == _QUOTE:
            return pos + 1, stop
    stop = pos
    while not _ends_word(_at(text, stop)) or _at(text, stop) == _HASH:
        stop += 1
    return pos, stop


@njit(nogil=True, cache=True)
def _parse_lines(text, end, wants_qid, missing, limit, X, y, qid, doc_spans, last_line, out):
    """Read lines from out[POS] on into rows from out[ROW] on; out[STATUS] tells why it ended.

    `text` has some line feeds behind `end`. A row of X has the value of feature index i in column i.
    Larger indices than X is wide are read, not stored: out[LARGEST] tells. An index above `limit` is not
    sure. `last_line` is scratch space, as wide as X, filled with -1 before the first call on this text.
    """
    pos, line, row = out[POS], out[LINE], out[ROW]
    width = X.shape[1]
    largest = out[LARGEST]
    out[STATUS] = UNSURE
    while pos < end:
        start_of_line = pos
        out[POS], out[LINE], out[ROW] = pos, line, row
        pos = _skip_blanks(text, pos)
        if _at(text, pos) != _NEWLINE and _at(text, pos) != _HASH:
            grade, pos, sure = _read_number(text, pos)
            if not sure or grade < 0.0 or not _ends_word(_at(text, pos)):
                return
            y[row] = grade + 0.0  # no negative zero
            has_qid = False
            highest = -1  # index so far on this line: a higher one cannot be a second time
            while True:
                pos = _skip_blanks(text, pos)
                index = _at(text, pos) - 48
                if 0 <= index <= 9:
                    start = pos
                    index, pos = _read_digits(text, start, 0)
                    if index > limit or pos - start > 9 or _at(text, pos) != _COLON:
                        return
                    # The common number here and now: at most 18 digits, no exponent.
                    start = pos + 1
                    negative = _at(text, start) == _MINUS
                    first = start + negative
                    digits, pos = _read_digits(text, first, 0)
                    n_digits = pos - first
                    decimals = 0
                    if _at(text, pos) == _DOT:
                        first = pos + 1
                        digits, pos = _read_digits(text, first, digits)
                        decimals = pos - first
                    if _ends_word(_at(text, pos)) and 0 < n_digits + decimals <= 18 and digits <= _EXACT:
                        value = digits / _TENS[decimals]
                        if negative:
                            value = -value
                    else:
                        value, pos, sure = _read_number(text, start)
                        if not sure:
                            length = _is_missing(text, start)
                            if length == 0 or missing == MISSING_ERROR:
                                return
                            pos = start + length
                            value = 0.0
                            if missing == MISSING_NAN:
                                value = np.nan
                                out[NAN_SEEN] = 1
                        if not _ends_word(_at(text, pos)) or math.isinf(np.float32(value)):
                            return
                    if index < width:
                        if index <= highest and last_line[index] == start_of_line:
                            return
                        last_line[index] = start_of_line
                        X[row, index] = value
                    if index > largest:
                        largest = index
                    if index == 0:
                        out[ZERO_SEEN] = 1
                    highest = max(highest, index)
                elif index == _NEWLINE - 48 or index == _HASH - 48:
                    break
                elif _at(text, pos) == 113 and _at(text, pos + 1) == 105 and _at(text, pos + 2) == 100:
                    if has_qid or _at(text, pos + 3) != _COLON:
                        return
                    negative = _at(text, pos + 4) == _MINUS
                    start = pos + 4 + negative
                    number, pos = _read_digits(text, start, 0)
                    if not _ends_word(_at(text, pos)) or not 0 < pos - start <= 18:
                        return
                    qid[row] = -number if negative else number
                    has_qid = True
                else:
                    return
            if has_qid != wants_qid:
                return
            if _at(text, pos) == _HASH:
                doc_spans[row, 0], doc_spans[row, 1] = _find_doc_id(text, pos + 1)
            row += 1
        while _at(text, pos) != _NEWLINE:
            pos += 1
        pos += 1
        line += 1
        out[LARGEST] = largest
    out[POS], out[LINE], out[ROW], out[STATUS] = pos, line, row, DONE
