"""Edgemill: graph algorithms on graphs larger than memory.

    import edgemill
    g = edgemill.ingest("links.csv", "web.mill")
    g = edgemill.open("web.mill", memory="2GiB")
    g.pagerank(damping=0.85).top(10)

help(edgemill.Graph) lists all algorithms, and help(g.pagerank) explains one.
"""

from .answer import Answer
from .errors import (
    BadData,
    BudgetError,
    Cancelled,
    Error,
    GpuError,
    InternalError,
    IoError,
    LockedError,
    MissingError,
    OutputError,
    PermissionDenied,
    UnfinishedError,
    UsageError,
    Warning,
)
from .gpu import GpuValues
from .graph import Graph, IngestReport, algorithms, open, remove
from .ingest import ingest
from .lists import Lists
from .path import ShortestPath
from .progress import Progress
from .walks import NeighborSampler, SampledGraph, WalkChunk, Walks

__version__ = "0.1.0"
__all__ = [
    "Answer",
    "BadData",
    "BudgetError",
    "Cancelled",
    "Error",
    "GpuError",
    "GpuValues",
    "Graph",
    "IngestReport",
    "InternalError",
    "IoError",
    "Lists",
    "LockedError",
    "MissingError",
    "NeighborSampler",
    "OutputError",
    "PermissionDenied",
    "Progress",
    "SampledGraph",
    "ShortestPath",
    "UnfinishedError",
    "UsageError",
    "WalkChunk",
    "Walks",
    "Warning",
    "algorithms",
    "ingest",
    "open",
    "remove",
]
