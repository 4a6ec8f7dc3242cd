"""A graph as a sparse matrix of SciPy."""

from typing import TYPE_CHECKING, Any, Union

from .columns import missing
from .limits import check_limit

if TYPE_CHECKING:
    from .graph import Graph


def _places_of(ids: Any, vertices: Any) -> Any:
    """The places of these ids among those of all vertices, which rise."""
    if len(vertices) > 0 and int(vertices[-1]) - int(vertices[0]) == len(vertices) - 1:
        return ids - vertices[0]
    return vertices.searchsorted(ids)


def matrix_of(graph: "Graph", weights: bool, limit: Union[int, str]) -> Any:
    """The adjacency matrix in compressed rows. BudgetError, with the estimate, above `limit`."""
    try:
        import numpy
        import scipy.sparse
    except ImportError:
        raise missing("scipy", "a sparse matrix") from None
    count, num_edges = graph.num_vertices, graph.num_edges
    index = numpy.dtype("i4" if max(count, num_edges) < 2**31 else "i8")
    value = numpy.dtype("f8" if weights else "i1")
    check_limit(f"{graph.path}: to_scipy: the matrix of {count:,} rows and {num_edges:,} entries",
                (count + 1) * (index.itemsize + 8) + num_edges * (index.itemsize + value.itemsize),
                limit)
    vertices = numpy.arange(count, dtype="u8") if graph.has_names else graph.vertices()
    starts = numpy.zeros(count + 1, dtype=index)
    numpy.cumsum(graph.out_degree(), out=starts[1:])
    filled = starts[:-1].copy()  # where each row's next entry goes
    columns = numpy.empty(num_edges, dtype=index)
    values = numpy.empty(num_edges, dtype=value) if weights else numpy.ones(num_edges, dtype=value)
    for lists in graph.lists(weights=weights):
        rows = _places_of(lists.vertex_ids, vertices).astype("i8")
        lengths = numpy.diff(lists.offsets)
        places = numpy.arange(lists.num_edges) + (filled[rows] - lists.offsets[:-1]).repeat(lengths)
        columns[places] = _places_of(lists.neighbor_ids, vertices)
        if weights:
            values[places] = lists.weights
        filled[rows] += lengths.astype(index)
    return scipy.sparse.csr_array((values, columns, starts), shape=(count, count))
