"""Elements with constant matrices of their own: products of these with local vectors, and rows of derivatives made of
them.

The entry has the calling convention of compiled functions.  Its workspace starts with the words below; what they point
to lives as long as the type of element, or stands in the workspace itself.  It multiplies vectors by their matrices,
y = B x, calls the formulas, which know y as symbols, and then adds to the entries of the derivative by x those of the
derivative by y times B (:mod:`~dalembert.equations.builders.contraction`).
"""

from __future__ import annotations

from dalembert.linalg.vector_operations import add_scaled, copy
from dalembert.native.kernel import Ints, Reals, call_entry, compiled, entry, ints_at, reals_at, reassociated, view
from dalembert.native.legend import Legend

contraction_word = Legend(
    "first words of the workspace of elements with matrices of their own",
    FORMULAS="compiled function of the formulas",
    WORK="its workspace",
    INPUTS="place of the addresses of its inputs: those of programs, then y of each vector",
    N_INPUTS="number of the inputs of programs",
    OUTPUTS="place of the addresses of its outputs; that of the matrix is behind the words",
    N_OUTPUTS="number of its outputs",
    MATRIX="number of the output that is a matrix",
    PRODUCTS="place of the words about y = B x",
    N_PRODUCTS="number of vectors x",
    COEFFICIENTS="address of what the formulas know of the matrix: entries, then derivatives by y",
    DENSE="address of the matrix in full, by rows",
    SIZE="number of its entries",
    COLUMNS="number of its columns",
    CONSTANT="address of what is the same everywhere of it",
    N_PLACES="number of entries that formulas give",
    PLACES="address of their places in the matrix",
    N_TERMS="number of derivatives by y",
    TERMS="address of the words about them",
    N_TARGETS="number of entries that are passed on",
    TARGETS="address of their places in the matrix",
)
product_word = Legend(
    "words about a product y = B x of an element",
    STAGE="number of the input that x is part of",
    FIRST="place of x there",
    B="address of the matrix, by rows",
    ROWS="number of its rows",
    LENGTH="number of its columns, the length of x",
    Y="address of y",
    NEEDED="request bits of the outputs that need y",
    COLUMN="column of the whole matrix at which derivatives by x begin; −1 if there are none",
)
term_word = Legend(
    "words about the derivative of a row of an element's matrix by an entry of y",
    ROW="row of the matrix",
    PRODUCT="number of the product y = B x",
    ENTRY="number of the entry of y, the row of B",
)


@reassociated
def _dot(row: Reals, x: Reals) -> float:
    total = 0.0
    for j in range(row.size):
        total += row[j] * x[j]
    return total


@compiled
def _multiply(about: Ints, inputs: Ints) -> None:
    """y = B x."""
    n = about[product_word.LENGTH]
    x = reals_at(inputs[about[product_word.STAGE]] + 8 * about[product_word.FIRST], n)
    y = reals_at(about[product_word.Y], about[product_word.ROWS])
    for i in range(y.size):
        y[i] = _dot(reals_at(about[product_word.B] + 8 * i * n, n), x)


@compiled
def _expand(work: Ints, products: Ints, out: Reals) -> None:
    """The matrix: what is constant, what formulas give, and derivatives by y times rows of B."""
    columns = work[contraction_word.COLUMNS]
    dense = reals_at(work[contraction_word.DENSE], work[contraction_word.SIZE])
    copy(reals_at(work[contraction_word.CONSTANT], dense.size), dense)
    places = ints_at(work[contraction_word.PLACES], work[contraction_word.N_PLACES])
    n_terms = work[contraction_word.N_TERMS]
    terms = ints_at(work[contraction_word.TERMS], term_word.end * n_terms)
    known = reals_at(work[contraction_word.COEFFICIENTS], places.size + n_terms)
    for k in range(places.size):
        dense[places[k]] += known[k]
    for k in range(n_terms):
        term = view(terms, k * term_word.end, term_word.end)
        about = view(products, term[term_word.PRODUCT] * product_word.end, product_word.end)
        n = about[product_word.LENGTH]
        row = reals_at(about[product_word.B] + 8 * n * term[term_word.ENTRY], n)
        target = view(dense, term[term_word.ROW] * columns + about[product_word.COLUMN], n)
        add_scaled(known[places.size + k], row, target)
    targets = ints_at(work[contraction_word.TARGETS], work[contraction_word.N_TARGETS])
    for k in range(targets.size):
        out[k] = dense[targets[k]]


@entry
def evaluate(request: int, changed: int, inputs: Ints, outputs: Ints, work: Ints) -> int:
    """Outputs of one element."""
    n_products = work[contraction_word.N_PRODUCTS]
    products = view(work, work[contraction_word.PRODUCTS], n_products * product_word.end)
    for k in range(n_products):
        about = view(products, k * product_word.end, product_word.end)
        if about[product_word.NEEDED] & request:
            _multiply(about, inputs)
    own_inputs = view(work, work[contraction_word.INPUTS], work[contraction_word.N_INPUTS] + n_products)
    for k in range(work[contraction_word.N_INPUTS]):
        own_inputs[k] = inputs[k]
    own_outputs = view(work, work[contraction_word.OUTPUTS], work[contraction_word.N_OUTPUTS])
    for k in range(work[contraction_word.N_OUTPUTS]):
        own_outputs[k] = outputs[k]
    matrix = work[contraction_word.MATRIX]
    own_outputs[matrix] = work[contraction_word.COEFFICIENTS]
    status = call_entry(
        work[contraction_word.FORMULAS], request, 0, own_inputs, own_outputs, work[contraction_word.WORK]
    )
    if status == 0 and (request >> matrix) & 1:
        _expand(work, products, reals_at(outputs[matrix], work[contraction_word.N_TARGETS]))
    return status
