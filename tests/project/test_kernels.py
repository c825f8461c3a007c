"""The rules for kernels, read off the syntax tree."""

from __future__ import annotations

import ast
from functools import cache

from tests.sources import CORE, imports_of, kernels_in, name_of, none_of, place, tree_of

KNOWN = {"decorator", "nogil", "cache", "inline", "error_model", "boundscheck"}


@cache
def all_kernels():
    return [(path, node, flags) for path in CORE for node, flags in kernels_in(path)]


def test_there_are_kernels():
    assert len(all_kernels()) > 10


def test_kernels_carry_the_house_flags():
    none_of(
        f"{place(path, node)}: {node.name} {flags}"
        for path, node, flags in all_kernels()
        if (flags["decorator"], flags.get("nogil"), flags.get("cache")) != ("njit", True, True)
        # fastmath among them: results would depend on the compiler's mood; and parallel, which compiles the
        # code four times over and aborts the process when two Python threads are inside
        or set(flags) - KNOWN
    )


def test_kernels_are_private():
    none_of(
        f"{place(path, node)}: {node.name}"
        for path, node, _ in all_kernels()
        if not node.name.startswith("_")
    )


def test_outputs_come_last():
    def out_of_order(node):
        outputs = [a.arg.startswith("out") for a in node.args.args]
        return outputs != sorted(outputs)

    none_of(f"{place(path, node)}: {node.name}" for path, node, _ in all_kernels() if out_of_order(node))


def test_no_sum_is_left_to_blas():
    """It shares long sums out among threads: the last digit would depend on how many there are."""
    blas = ("dot", "matmul", "inner", "vdot", "tensordot", "linalg", "multi_dot", "multivariate_normal")
    for path in CORE:
        for node in ast.walk(tree_of(path)):
            a_product = isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.MatMult)
            a_call = isinstance(node, ast.Attribute) and node.attr in blas
            a_plan = isinstance(node, ast.keyword) and node.arg == "optimize"
            assert not (a_product or a_call or a_plan), f"{name_of(path)}, line {node.lineno}: take sums.dot"


def test_lanes_past_the_end_hold_numbers():
    """What is left in memory may be next to 0, and sums with it take ten times as long."""
    none_of(
        f"{place(path, call)}: take np.zeros"
        for path, node, _ in all_kernels()
        for call in ast.walk(node)
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "np.empty"
        if {n.id for n in ast.walk(call) if isinstance(n, ast.Name)} & {"_LANES", "_WIDTH", "_ROW"}
    )


def test_kernels_do_not_call_themselves():
    none_of(
        f"{place(path, node)}: {node.name}"
        for path, node, _ in all_kernels()
        if any(below.id == node.name for below in _names_read_in(node))
    )


def test_kernels_use_nothing_of_another_file():
    """Numba's cache does not see the edits of another file."""
    none_of(
        f"{place(path, node)}: {node.name} uses {below.id}"
        for path, node, _ in all_kernels()
        for below in _names_read_in(node)
        if below.id in _foreign_names_in(path) - {a.arg for a in node.args.args}
    )


def _names_read_in(node):
    return (n for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load))


@cache
def _foreign_names_in(path):
    return {
        alias.asname or alias.name
        for module, _, imported in imports_of(path)
        if module.partition(".")[0] == "ltr_core"
        for alias in imported.names
    }
