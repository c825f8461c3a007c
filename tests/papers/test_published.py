"""The published numbers against checksums of the papers' own tables.

The sums below were taken from the papers' texts, and from LETOR's files of baselines, not from the file that
is tested: a wrong digit in any number changes one of them.
"""

from __future__ import annotations

import itertools
from decimal import Decimal

import pytest

from ltr_core.papers import letor_baselines, published

MPBOOST, FEATURERANK = "000 MPBoost (CIKM 2009)", "001 FeatureRank"
QBRANK, FRANK = "002 General boosting / QBRank (NIPS 2007)", "003 FRank (SIGIR 2007)"
MCRANK = "004 McRank (NIPS 2007)"
EXHIBITS = {MPBOOST: 13, FEATURERANK: 5, QBRANK: 7, FRANK: 14, MCRANK: 10}

# By paper and table: the sums of its columns of numbers, in their order.
COLUMNS = {
    (MPBOOST, "Section 5.1"): (9124 + 106 + 467, 97290 + 16140 + 50000, 245 + 45 + 1779),
    (MPBOOST, "Figure 4"): (0.16 + 0.13 - 0.24,),
    (MPBOOST, "Figure 5"): (1.5 + 2.2 + 1.8,),
    (FEATURERANK, "Table 3"): (0.3013, 0.2027, 0.1926, 0.1917),
    (QBRANK, "Section 4 data"): (4898, 105243 + 20000 + 40000 + 44000),  # the other queries are words
    (QBRANK, "Table 1"): (550, 7.9446, 7.8914, 7.3417),
    (QBRANK, "Figure 1"): (6.181,),
    (FRANK, "Table 1"): (14,),
    (FRANK, "Table 2"): (19600, 1741930),
    (FRANK, "Table 3"): (529, 2.825049),
    (FRANK, "Table 4"): (55, 7.035, 6.968, 6.907, 6.843, 6.327, 5.869),
    (FRANK, "t-test (section 4.4.3)"): (0.0114 + 0.007 + 0.0056,),
    (FRANK, "Table 5"): (27000, 836709, 5349548),
    (FRANK, "Table 6"): (27000, 3.644, 3.586, 3.545, 3.567, 2.134),
    (MCRANK, "Section 6.1-6.2"): (50 + 367 + 619 + 450, 652500 + 1741930 + 474590, 5500, 80, 0.14),
    (MCRANK, "Table 1"): (229.9, 60.1, 304.1, 85.1, 301.3, 86.6, 0.061, 291.7, 90.2, 0.00320038),
}
# The sums of each row's numbers.
ROWS = {
    (MPBOOST, "Section 5.1"): (106 + 16140 + 45, 9124 + 97290 + 245, 467 + 50000 + 1779),
    (MPBOOST, "Figure 4"): (0.16, 0.13, -0.24),
    (MPBOOST, "Figure 5"): (1.5, 2.2, 1.8),
    (FEATURERANK, "Table 3"): (0.8883,),
    (QBRANK, "Section 4 data"): (110141, 20000, 40000, 44000),
    (QBRANK, "Table 1"): (
        12.7298, 22.6121, 32.5007, 42.4023, 52.3194, 62.2461, 72.1791, 82.1173, 92.0607, 102.0102,
    ),
    (FRANK, "Table 1"): (1, 1, 1, 1, 10),
    (FRANK, "Table 2"): (397293, 667257, 696980),
    (FRANK, "Table 3"): (271.713802, 9.707845, 224.706398, 25.697004),
    (FRANK, "Table 4"): (4.812, 5.832, 6.880, 7.927, 8.972, 10.017, 11.060, 12.108, 13.150, 14.191),
    (FRANK, "t-test (section 4.4.3)"): (0.0114, 0.007, 0.0056),
    (FRANK, "Table 5"): (170050, 327044, 775955, 1906939, 3033269),
    (FRANK, "Table 6"): (1003.520, 2003.558, 4003.597, 8002.898, 12002.903),
    (MCRANK, "Section 6.1-6.2"): (1060.05, 653877.05, 1744589.02, 476560.02),
    (MCRANK, "Table 1"): (368.7, 384.6212, 297.326, 398.41700038),
}  # fmt: skip
# LETOR's baseline files: the sums of the columns and of the rows, in their order.
MQ2008 = (
    (1.8817, 2.1688, 2.3723, 1.1432, 2.4461, 2.2244, 1.2362, 2.3834),
    (3.1179, 3.1744, 3.1765, 3.2117, 3.1756),
)
OHSUMED = (
    (
        3.668686,
        3.424026,
        3.342388,
        3.274122,
        3.207718,
        3.150098,
        3.120744,
        3.103185,
        3.092875,
        3.085477,
        4.499567,
        4.287014,
        4.163203,
        4.020130,
        3.891602,
        3.764358,
        3.650527,
        3.566504,
        3.520442,
        3.481645,
        3.107420,
    ),
    (10.418215, 10.674984, 10.759396, 10.769844, 10.587756, 10.447418, 10.764118),
)
BASELINES = {"mq2008": MQ2008, "letor2_ohsumed": OHSUMED}
# LETOR's page has four digits of seven systems: NDCG@1, @3, @5, @10, P@1, P@10, MAP.
PAGE = (3.3967, 3.4469, 3.5583, 3.5181, 3.5106, 3.4216, 3.5414)
CLOSE = {"rel": 1e-12, "abs": 1e-9}


def is_number(cell):
    return isinstance(cell, (int, float))


def sums(lines):
    """The sums of the lines that have numbers."""
    return [sum(filter(is_number, line)) for line in lines if any(map(is_number, line))]


def adds_up(table, rows):
    """Whether a table's columns and rows come to the paper's sums."""
    columns = sums(zip(*rows, strict=True))
    same = columns == pytest.approx(list(COLUMNS[table]), **CLOSE)
    return same and (table not in ROWS or sums(rows) == pytest.approx(list(ROWS[table]), **CLOSE))


def baselines_add_up(name, rows):
    columns, across = BASELINES[name]
    return sums(zip(*rows, strict=True)) == pytest.approx(list(columns), **CLOSE) and sums(
        rows
    ) == pytest.approx(list(across), **CLOSE)


def unit(number):
    """One unit of a number's last digit."""
    return float(Decimal(1).scaleb(Decimal(repr(number)).as_tuple().exponent))


def wrong(rows):
    """Yield the rows with one number changed in its last digit, for each number; then with two exchanged."""
    places = [(i, j) for i, row in enumerate(rows) for j, cell in enumerate(row) if is_number(cell)]

    def put(*changes):
        out = [list(row) for row in rows]
        for (i, j), cell in changes:
            out[i][j] = cell
        return out

    for i, j in places:
        yield put(((i, j), rows[i][j] + unit(rows[i][j])))
    for (i, j), (k, m) in itertools.pairwise(sorted(places, key=lambda at: (at[1], at[0]))):
        if rows[i][j] != rows[k][m] and j == m:
            yield put(((i, j), rows[k][m]), ((k, m), rows[i][j]))


@pytest.mark.parametrize("paper", EXHIBITS)
def test_every_exhibit_is_there_with_its_words(paper):
    assert len(published(paper)) == EXHIBITS[paper]
    for name, exhibit in published(paper).items():
        assert exhibit.kind and exhibit.title, name
        assert all(len(row) == len(exhibit.columns) for row in exhibit.rows), name


@pytest.mark.parametrize("table", COLUMNS, ids=lambda table: f"{table[0][:3]} {table[1]}")
def test_tables_add_up_to_the_paper_s_and_wrong_ones_do_not(table):
    rows = published(table[0])[table[1]].rows
    assert adds_up(table, rows)
    changed = list(wrong(rows))
    assert changed and not any(adds_up(table, other) for other in changed)


def test_every_table_with_numbers_has_sums():
    with_numbers = {
        (paper, name)
        for paper in EXHIBITS
        for name, exhibit in published(paper).items()
        if sums(exhibit.rows)
    }
    assert with_numbers - COLUMNS.keys() == {(MCRANK, "Figure 3(a)"), (MCRANK, "Figure 3(b)")}  # B alone
    assert with_numbers & COLUMNS.keys() == ROWS.keys() | {(QBRANK, "Figure 1")}  # which has one number


@pytest.mark.parametrize("name", BASELINES)
def test_baselines_add_up_to_letor_s_and_wrong_ones_do_not(name):
    rows = letor_baselines(name).to_numpy().tolist()
    assert baselines_add_up(name, rows)
    assert not any(baselines_add_up(name, other) for other in wrong(rows))


def test_ohsumed_s_baselines_are_those_of_letor_s_page():
    columns = ["NDCG@1", "NDCG@3", "NDCG@5", "NDCG@10", "P@1", "P@10", "MAP"]
    assert letor_baselines("letor2_ohsumed")[columns].sum(axis=1).to_list() == pytest.approx(PAGE, abs=4e-4)


def test_pictures_that_the_text_does_not_have_have_no_numbers_to_draw():
    for paper in EXHIBITS:
        for name, exhibit in published(paper).items():
            if not exhibit.values_in_text:
                numbers = [c for row in exhibit.rows for c in row if isinstance(c, (int, float))]
                assert len(numbers) <= 1, name  # a level named in the text, no curve
