"""A backend for NetworkX: `networkx.pagerank(G, backend="edgemill")`.

A graph of NetworkX is written to a temporary directory once, and NetworkX keeps it for later calls.
Open graphs of Edgemill need no conversion: `networkx.pagerank(edgemill.open("web.mill"))`.
"""

from . import networkx_functions, networkx_pairs, networkx_paths, networkx_structure
from .networkx_backend import backend
from .networkx_graphs import NetworkXGraph

__all__ = ["NetworkXGraph", "backend", "networkx_functions", "networkx_pairs", "networkx_paths",
           "networkx_structure"]
