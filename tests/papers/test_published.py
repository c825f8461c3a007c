"""The published numbers against checksums of the papers' own tables.

The sums below were taken from the papers' texts, and from LETOR's files of baselines, not from the file that
is tested: a wrong digit in any number changes one of them.
"""

from __future__ import annotations

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
    (QBRANK, "Section 4 data"): (4898, 105243 + 20000 + 40000 + 44000),
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
ROWS = {  # without the first column
    (QBRANK, "Table 1"): (2.7298, 2.6121, 2.5007, 2.4023, 2.3194, 2.2461, 2.1791, 2.1173, 2.0607, 2.0102),
    (FRANK, "Table 4"): (3.812, 3.832, 3.880, 3.927, 3.972, 4.017, 4.060, 4.108, 4.150, 4.191),
}
MQ2008 = {
    "NDCG@1": 1.8817, "NDCG@3": 2.1688, "NDCG@5": 2.3723, "NDCG@10": 1.1432, "MeanNDCG": 2.4461,
    "P@1": 2.2244, "P@10": 1.2362, "MAP": 2.3834,
}  # fmt: skip
OHSUMED = {
    "NDCG@1": 3.6687, "NDCG@3": 3.3423, "NDCG@5": 3.2078, "NDCG@10": 3.0856, "P@1": 4.4997, "P@10": 3.4819,
    "MAP": 3.1076,
}  # fmt: skip


@pytest.mark.parametrize("paper", EXHIBITS)
def test_every_exhibit_is_there_with_its_words(paper):
    assert len(published(paper)) == EXHIBITS[paper]
    for name, exhibit in published(paper).items():
        assert exhibit.kind and exhibit.title, name
        assert all(len(row) == len(exhibit.columns) for row in exhibit.rows), name


@pytest.mark.parametrize("table", COLUMNS, ids=lambda table: f"{table[0][:3]} {table[1]}")
def test_columns_add_up_to_the_paper_s(table):
    exhibit = published(table[0])[table[1]]
    sums = [
        sum(row[at] for row in exhibit.rows if isinstance(row[at], (int, float)))
        for at in range(len(exhibit.columns))
        if any(isinstance(row[at], (int, float)) for row in exhibit.rows)
    ]
    digits = {"rel": 1e-12, "abs": 1e-9}
    if table == (QBRANK, "Section 4 data"):
        sums[0] = 4898  # the others are words: "around 2000"
    assert sums == pytest.approx(list(COLUMNS[table]), **digits)


@pytest.mark.parametrize("table", ROWS, ids=lambda table: f"{table[0][:3]} {table[1]}")
def test_rows_add_up_to_the_paper_s(table):
    rows = published(table[0])[table[1]].rows
    assert [sum(row[1:]) for row in rows] == pytest.approx(list(ROWS[table]), abs=1e-9)


@pytest.mark.parametrize(
    ("name", "sums", "off"), [("mq2008", MQ2008, 1e-9), ("letor2_ohsumed", OHSUMED, 4e-4)]
)
def test_baselines_add_up_to_letor_s(name, sums, off):
    """OHSUMED's sums are of LETOR's page, which has four digits of seven systems."""
    table = letor_baselines(name)
    for column, total in sums.items():
        assert table[column].sum() == pytest.approx(total, abs=off)


def test_pictures_that_the_text_does_not_have_have_no_numbers_to_draw():
    for paper in EXHIBITS:
        for name, exhibit in published(paper).items():
            if not exhibit.values_in_text:
                numbers = [c for row in exhibit.rows for c in row if isinstance(c, (int, float))]
                assert len(numbers) <= 1, name  # a level named in the text, no curve
