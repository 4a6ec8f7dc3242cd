"""Similarities of given pairs of vertices."""

import ctypes
import inspect
from typing import Any, Callable

from .algorithms import bound, options_text, parameters_of
from .call import PAIR_OPTIONS, Call
from .columns import numbers
from .errors import UsageError
from .library import REAL, PairList, lib


def pair_method() -> Callable[..., Any]:
    """The method `pairs` of graphs."""
    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    given = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD)
             for name in ("ones", "others")]
    signature = inspect.Signature([own] + given + parameters_of(PAIR_OPTIONS))

    def pairs(*arguments, **keywords):
        values = bound("pairs", signature, arguments, keywords)
        graph, progress = values["self"], values.get("progress")
        ones, count = graph._ids_of(values["ones"])
        others, other_count = graph._ids_of(values["others"])
        if count != other_count:
            raise UsageError(f"pairs: {count} vertices and {other_count} others: give as many")
        similarities, address = numbers(count, REAL)
        call = Call(PAIR_OPTIONS, values, graph.progress if progress is None else progress)
        given = PairList(count, ctypes.addressof(ones), ctypes.addressof(others))
        with graph.used() as pointer:
            call.run(lib.pairs, pointer, given, call.struct, address)
        return similarities

    pairs.__qualname__ = "Graph.pairs"
    pairs.__module__ = "edgemill.graph"
    pairs.__signature__ = signature
    pairs.__doc__ = f"""How similar the vertices of given pairs are, by their neighbours: an array.

    ones: the first vertex of each pair
    others: the second vertex of each pair

Neighbours are distinct vertices: duplicates of an edge count once, loops never. A pair that shares no
neighbour has 0. Lists are read from disk as memory allows.
{options_text(PAIR_OPTIONS)}"""
    return pairs
