"""`QueryLoss`: a per-query loss that the network's kernels call through a pointer.

The gradient models differ in one function only: scores and grades of a query → its loss and the slope of
that loss at each document. Handed to the epoch kernel as an address, the function stays in its algorithm's
own file, the kernel is compiled once for all of them, and an edit of a loss is noticed by numba's cache,
which does not look into the helpers of another file. A call costs 30 ns.
"""

from __future__ import annotations

import numpy as np
from numba import types
from numba.core.dispatcher import Dispatcher
from numba.core.typing import Signature
from numba.extending import typeof_impl

from ... import compiling, stopping

SIGNATURE = types.float64(
    types.float64[::1],  # scores of the query's documents
    types.float64[::1],  # their grades
    types.int64[::1],  # the documents by grade, best first, equal grades in file order
    types.uint64,  # seed for an order among equal grades; 0 keeps file order
    types.float64,  # the loss's own parameter (LambdaRank's k); 0 where it has none
    types.uint8[::1],  # other than 0 when there is to be an end: looked at where pairs are gone through
    types.boolean,  # whether the slopes are wanted: an epoch steps by them
    types.boolean,  # whether the loss is: a history shows it
    types.float64[::1],  # out: the slope of the loss at each document, if wanted
)


class QueryLoss(types.WrapperAddressProtocol):
    """A compiled per-query loss.

    Parameters
    ----------
    kernel : compiled function
        An ``@njit(nogil=True, cache=True)`` function with `SIGNATURE`, whose value is the loss, if wanted.
        It raises nothing: an exception cannot pass through a pointer.
    """

    def __init__(self, kernel: Dispatcher) -> None:
        self.kernel = kernel
        compiling.keep_address(kernel)

    def __call__(
        self, scores: np.ndarray, grades: np.ndarray, seed: int = 0, option: float = 0.0
    ) -> tuple[float, np.ndarray]:
        """Return the loss of one query and its slope at each document."""
        scores = np.array(scores, dtype=np.float64)
        grades = np.array(grades, dtype=np.float64)
        best = np.argsort(-grades, kind="stable")
        out = np.zeros(len(scores))
        given = (np.uint64(seed), float(option), stopping.cell(), True, True)
        return self.kernel(scores, grades, best, *given, out), out

    def signature(self) -> Signature:
        """Return the signature, as numba asks for it."""
        return SIGNATURE

    def __wrapper_address__(self) -> int:
        compiled = self.kernel.get_compile_result(SIGNATURE)
        return compiled.library.get_pointer_to_function(compiled.fndesc.llvm_cfunc_wrapper_name)


@typeof_impl.register(QueryLoss)
def _type_of(loss, context):
    return types.FunctionType(SIGNATURE)
