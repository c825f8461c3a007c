"""The words of the field: each explained where it stands first, each taught by a lesson that there is."""

from __future__ import annotations

import re

from pages.ui.kit.terms import TERMS, marked
from pages.ui.learn.course import LESSONS
from tests.dashboard import SMALL, open_app


def words(text):
    return re.findall(r'<span class="term"[^>]*>([^<]*)</span>', marked(text))


def test_the_first_of_each_word_is_explained():
    text = "LOGDD +0.021 NDCG@5 over BINARY, p = 0.004 (Holm); NDCG again"
    assert words(text) == ["LOGDD", "NDCG", "BINARY", "p", "Holm"]
    assert re.sub("<[^>]*>", "", marked(text)) == text


def test_only_whole_words_are():
    assert words("a recipe: stumps, unpaired, LDDx, p of it") == []
    assert words("<b>pair</b>") == ["pair"] and "&lt;b&gt;" in marked("<b>pair</b>")
    assert words("directed distance") == ["directed distance"]


def test_each_has_a_sentence_and_a_lesson():
    for word, (told, number) in TERMS.items():
        assert told.endswith(".") and number in LESSONS, word


def test_the_headline_explains_its_words():
    app = open_app(SMALL, page="compare")
    (headline,) = [h.value for h in app.get("html") if 'class="headline"' in h.value]
    assert 'class="term"' in headline and TERMS["NDCG"][0] in headline
