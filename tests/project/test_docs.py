"""The generated tables: what stands in README.md is what the registries say."""

from __future__ import annotations

import pytest

from ltr_core import docs
from ltr_core.algorithms import ALGORITHMS
from ltr_core.datasets import DATASETS
from ltr_core.measures import MEASURES


def test_readme_tables_are_up_to_date():
    text = docs.README.read_text(encoding="utf-8")
    assert docs.rewrite(text) == text, "run python -m ltr_core.docs"
    for name in docs.TABLES:
        assert f"<!-- table: {name} -->" in text


@pytest.mark.parametrize(
    "table, registry", [("algorithms", ALGORITHMS), ("measures", MEASURES), ("datasets", DATASETS)]
)
def test_tables_have_a_line_for_each_entry_with_its_parameters(table, registry):
    lines = docs.TABLES[table]().splitlines()
    assert len(lines) == 2 + len(registry)
    assert len({line.replace("\\|", "").count("|") for line in lines}) == 1
    for name, entry in registry.items():
        (line,) = [line for line in lines if line.startswith(f"| `{name}` |")]
        for param in entry.params:
            assert f"`{param.name}`" in line


def test_only_what_is_marked_is_rewritten():
    before = "a\n<!-- table: measures -->\nold\n<!-- end of table -->\nb | c\n"
    after = docs.rewrite(before)
    assert after.startswith("a\n<!-- table: measures -->\n| name |")
    assert after.endswith("|\n<!-- end of table -->\nb | c\n") and "old" not in after
