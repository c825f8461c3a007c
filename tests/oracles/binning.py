"""Binning as McRank's Appendix I tells it: try every length there is, smallest first."""

from __future__ import annotations


def lay(values, length):
    """The bins that one length gives: lists of distinct values, from the smallest up."""
    bins = []
    for x in sorted(values):
        if bins and x - bins[-1][0] <= length:
            bins[-1].append(x)
        else:
            bins.append([x])
    return bins


def bin_thresholds(column, max_bins, smallest=1e-8):
    """The largest value of each bin but the last."""
    distinct = sorted({float(x) + 0.0 for x in column})
    if len(distinct) <= max_bins:
        return distinct[:-1]
    lengths = {smallest} | {b - a for a in distinct for b in distinct if b - a > smallest}
    for length in sorted(lengths):
        bins = lay(distinct, length)
        if len(bins) <= max_bins:
            return [cut[-1] for cut in bins[:-1]]


def quantile_thresholds(column, max_bins):
    """Cut after the values at shares 1/B, 2/B, … of the sorted documents."""
    ordered = sorted(float(x) + 0.0 for x in column)
    if len(set(ordered)) <= max_bins:
        return sorted(set(ordered))[:-1]
    cuts = set()
    for b in range(1, max_bins):
        position = -(-b * len(ordered) // max_bins)  # the smallest whole number not below b n / B
        cuts.add(ordered[position - 1])
    return sorted(cuts - {ordered[-1]})


def bin_of(x, cuts):
    """How many thresholds lie below x."""
    return sum(x > cut for cut in cuts)
