"""The rankers that a user would pick instead, trained under the same splits, measures and charts.

They are imported when one of them is trained or loaded, never before: without them everything else works.
"""
