"""Forms of edges that other packages have, and dictionaries, as columns and rows."""

import itertools
import warnings
from collections.abc import Mapping, Set
from typing import Any, Dict, Iterator, Tuple

from .errors import Warning

WHAT_TO_GIVE = ("give files, a list of edges [(0, 1), (5, 6)], columns (sources, targets), a data "
                "frame, a matrix of SciPy or a graph of NetworkX")
FORMS = """edges: what to read, one of
    a path, or a list of paths: files in any format of `edgemill ingest`
    a tuple of columns, (sources, targets) or (sources, targets, weights): arrays, lists or
        columns of numbers; sources and targets may be texts, the names of vertices
    a list of edges, [(source, target), ...] or [(source, target, weight), ...]
    a data frame, or an array of NumPy, with two or three columns; those of a frame are found by
        names such as source and target, from and to, weight, and else by their order
    an object with an Arrow stream (pyarrow.Table, polars.DataFrame), as a data frame
    a sparse matrix of SciPy: an entry (i, j) is an edge from i to j, and its value the weight
    a graph of NetworkX, or its edges; those of an undirected one make a symmetric graph
    a dictionary: {vertex: neighbours}, {vertex: {neighbour: weight}} or {(source, target): weight}
    an iterator of edges, or of any of the above but files and streams, a chunk at a time
"""
# Keys of a dictionary that may be titles of columns, and not vertices.
_TITLES = {"source", "src", "from", "sender", "target", "dst", "to", "receiver", "weight"}


def _leave_out(count: int) -> None:
    """Warns of vertices that have no edges, which edges do not tell of."""
    if count > 0:
        are = "1 vertex has no edge and is" if count == 1 else (
            f"{count:,} vertices have no edges and are")
        warnings.warn(f"ingest: {are} left out", Warning, stacklevel=5)  # at the caller of ingest


def _rows_of_adjacency(adjacency: Mapping) -> Iterator[Tuple[Any, ...]]:
    """Edges of {vertex: neighbours}, {vertex: {neighbour: weight}} or, as NetworkX has it,
    {vertex: {neighbour: {"weight": weight}}}, in which 1 is the weight of an edge without one."""
    has_weights = any("weight" in weight for near in adjacency.values() if isinstance(near, Mapping)
                      for weight in near.values() if isinstance(weight, Mapping))
    for source, near in adjacency.items():
        if not isinstance(near, Mapping):
            for target in near.tolist() if hasattr(near, "tolist") else near:
                yield source, target
            continue
        for target, weight in near.items():
            if isinstance(weight, Mapping):
                yield (source, target, weight.get("weight", 1))[: 3 if has_weights else 2]
            else:
                yield source, target, weight


def _of_dictionary(edges: Mapping) -> Iterator[Tuple[Any, ...]]:
    keys = list(itertools.islice(edges, 4))
    if 2 <= len(keys) <= 3 and all(key in _TITLES for key in keys if isinstance(key, str)) and any(
            isinstance(key, str) for key in keys):
        shown = ", ".join(f"d[{key!r}]" for key in keys)
        raise TypeError(f"ingest: a dictionary of columns: give a tuple of them, ({shown})")
    if keys and all(isinstance(key, tuple) for key in keys):
        return ((*edge, weight) for edge, weight in edges.items())
    for vertex, near in edges.items():
        if isinstance(near, (str, bytes)) or not hasattr(near, "__iter__"):
            raise TypeError(f"ingest: the dictionary has {near!r} for {vertex!r}: give neighbours, "
                            "{0: [1, 2]}, or weights of edges, {(0, 1): 2.5}")
    _leave_out(_isolated(edges))
    return _rows_of_adjacency(edges)


def _isolated(adjacency: Mapping) -> int:
    """How many vertices have an empty list and are in no other list."""
    empty = {vertex for vertex, near in adjacency.items()
             if hasattr(near, "__len__") and not len(near)}
    if not empty:
        return 0
    for near in adjacency.values():
        empty.difference_update(near)
    return len(empty)


def _set_undirected(values: Dict[str, Any]) -> None:
    if not any(values.get(name) for name in ("undirected", "directed", "symmetrize")):
        values["undirected"] = True


def _of_networkx(graph: Any, values: Dict[str, Any]) -> Iterator[Tuple[Any, ...]]:
    """Edges with the attribute "weight", where one has it; 1 for others, as NetworkX has it."""
    for node in graph:
        if not isinstance(node, str) and not hasattr(node, "__index__"):
            raise TypeError(f"ingest: the node {node!r} is neither a whole number nor a text: "
                            "networkx.convert_node_labels_to_integers(graph) gives numbers")
    if not graph.is_directed():
        _set_undirected(values)
    _leave_out(sum(1 for _, degree in graph.degree() if degree == 0))
    if any("weight" in attributes for _, _, attributes in graph.edges(data=True)):
        return iter(graph.edges(data="weight", default=1))
    return ((source, target) for source, target, _ in graph.edges(data=True))


def _of_view(view: Any, values: Dict[str, Any]) -> Iterator[Tuple[Any, ...]]:
    """`graph.edges` or `graph.edges(data="weight")` of NetworkX."""
    name = type(view).__name__
    if not name.startswith(("Out", "In")):
        _set_undirected(values)
    rows = iter(view(data=False) if name.endswith("EdgeView") else view)  # keys are left out
    first = list(itertools.islice(rows, 1))
    if first and isinstance(first[0][-1], Mapping):
        raise TypeError('ingest: edges with all their attributes: give graph.edges(data="weight") '
                        "or the graph")
    return itertools.chain(first, rows)


def _of_sparse(matrix: Any, values: Dict[str, Any]) -> Tuple[Any, ...]:
    """Row and column i are vertex i. Entries are weights, unless all are 1 or truth values. A
    matrix that is not square has vertices of two kinds. All this is as files of SciPy are read."""
    rows, columns = matrix.shape
    found = matrix.tocoo()
    targets = found.col
    if rows != columns:
        targets = targets.astype("u8") + rows
        warnings.warn(f"ingest: a matrix of {rows:,} rows and {columns:,} columns is taken as a "
                      f"graph with two kinds of vertices: column j is vertex {rows} + j", Warning,
                      stacklevel=4)
    if values.get("vertices") is None:
        values["vertices"] = rows if rows == columns else rows + columns
    is_plain = found.data.dtype.kind == "b" or bool((found.data == 1).all())
    return (found.row, targets) if is_plain else (found.row, targets, found.data)


def plain_edges(edges: Any, values: Dict[str, Any]) -> Any:
    """What is no file, column, frame or iterator as one of these. Sets options in `values` that the
    form implies. TypeError for what cannot have edges."""
    module = type(edges).__module__ or ""
    if isinstance(edges, (bytes, bytearray)) or edges is None or not (
            hasattr(edges, "__iter__") or hasattr(edges, "tocoo") or hasattr(edges, "shape")
            or hasattr(edges, "__arrow_c_stream__")):
        raise TypeError(f"ingest: {type(edges).__name__}: {WHAT_TO_GIVE}")
    if all(hasattr(edges, name) for name in ("is_directed", "is_multigraph", "edges", "adj")):
        return _of_networkx(edges, values)
    if module == "networkx.classes.reportviews":
        return _of_view(edges, values)
    if hasattr(edges, "tocoo") and hasattr(edges, "shape"):
        return _of_sparse(edges, values)
    if isinstance(edges, Mapping) and not isinstance(edges, Set):
        return _of_dictionary(edges)
    if getattr(edges, "ndim", None) == 2 and not hasattr(edges, "iloc"):
        rows, columns = edges.shape
        if columns not in (2, 3):
            raise TypeError(f"ingest: an array with {columns} columns: edges have two or three; of "
                            "an adjacency matrix, give scipy.sparse.coo_array(matrix)")
    return edges
