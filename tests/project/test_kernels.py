"""The rules for kernels, read off the syntax tree."""

from __future__ import annotations

import ast
from functools import cache

from tests.sources import CORE, calls_in, dotted, imports_of, kernels_in, name_of, none_of, place, tree_of

KNOWN = {"decorator", "nogil", "cache", "parallel", "inline", "error_model", "boundscheck"}


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
        or set(flags) - KNOWN  # fastmath among them: results would depend on the compiler's mood
    )


def test_kernels_are_private_and_the_parallel_ones_are_called_so():
    none_of(
        f"{place(path, node)}: {node.name}"
        for path, node, flags in all_kernels()
        if not node.name.startswith("_") or ("parallel" in flags) != node.name.endswith("_parallel")
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


def test_parallel_kernels_hold_only_a_prange_and_their_serial_twin():
    none_of(
        f"{place(path, node)}: {node.name}"
        for path, node, flags in all_kernels()
        if "parallel" in flags and not _is_a_bare_prange(node, {k.name for k, _ in kernels_in(path)})
    )


def _is_a_bare_prange(node, kernels):
    loops = [below for below in ast.walk(node) if isinstance(below, (ast.For, ast.While))]
    return (
        len(loops) == 1
        and isinstance(loops[0], ast.For)
        and dotted(loops[0].iter.func).endswith("prange")
        and bool({name for name, _ in calls_in(loops[0])} & kernels)
    )


def test_prange_is_in_parallel_kernels_and_they_are_launched_from_python():
    none_of(offender for path in CORE for offender in _misplaced_launches_in(path))


def _misplaced_launches_in(path):
    kernels = {node.name: flags for node, flags in kernels_in(path)}
    for node in ast.walk(tree_of(path)):
        if not isinstance(node, ast.FunctionDef):
            continue
        names = {name.rpartition(".")[2] for name, _ in calls_in(node)}
        if "prange" in names and "parallel" not in kernels.get(node.name, {}):
            yield f"{place(path, node)}: prange in {node.name}"
        if node.name in kernels:  # a parallel kernel below another kernel would be launched unseen
            yield from (f"{place(path, node)}: {name}" for name in names if name.endswith("_parallel"))
