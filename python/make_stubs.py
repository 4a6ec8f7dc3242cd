"""Prints python/edgemill/_declared.pyi: what the library declares, for type checkers and editors.

    python3 python/make_stubs.py > python/edgemill/_declared.pyi
"""

import os
import sys
from typing import List

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import edgemill
from edgemill.algorithms import RESULTS
from edgemill.answer import Answer
from edgemill.call import INGEST_OPTIONS, PAIR_OPTIONS, WALK_OPTIONS, OptionHelp

_HEAD = '''"""What the library declares, for type checkers. make_stubs.py writes this file."""

from typing import Any, Callable, List

from .algorithms import Path
from .answer import Answer
from .graph import Graph
from .path import ShortestPath
from .progress import Progress
from .walks import Walks

'''
_TYPES = {"N": "int", "X": "float", "P": "float", "Q": "float", "SIZE": "int | str", "ID": "int | str", "FILE": "Path"}


def _type_of(option: OptionHelp) -> str:
    if option.is_flag:
        return "bool"
    if option.is_yes_or_no:
        return "bool | str | None"
    if option.takes_list:
        return "str | List[str] | None"
    one = _TYPES.get(option.value or "", "str")
    several = f" | List[{one}]" if option.repeatable else ""
    return one + several + ("" if option.required else " | None")


def _function(name: str, first: List[str], options: List[OptionHelp], result: str, summary: str,
              indent: str) -> str:
    def shown(option: OptionHelp) -> str:
        text = f"{option.parameter}: {_type_of(option)}"
        return text if option.required else f"{text} = ..."

    parameters = first + [shown(one) for one in options if one.positional]
    parameters.append("*")
    parameters += [shown(one) for one in options if not one.positional]
    parameters.append("progress: bool | Callable[[Progress], Any] | None = ...")
    lines = "".join(f"{indent}    {parameter},\n" for parameter in parameters)
    return f'{indent}def {name}(\n{lines}{indent}) -> {result}:\n{indent}    """{summary}"""\n'


def stubs() -> str:
    text = _HEAD + "\nclass AlgorithmMethods:\n"
    for algorithm in edgemill.algorithms():
        name = algorithm.name.replace("-", "_")
        result = RESULTS.get(algorithm.name, Answer).__name__
        text += _function(name, ["self"], algorithm.options, result, algorithm.summary, "    ")
        text += "".join(f"    {alias.replace('-', '_')} = {name}\n" for alias in algorithm.aliases)
    text += _function("pairs", ["self", "ones: Any", "others: Any"], PAIR_OPTIONS, "Any",
                      "How similar the vertices of given pairs are, by their neighbours.", "    ")
    text += _function("walks", ["self", "starts: Any = None"], WALK_OPTIONS, "Walks",
                      "Random walks, as DeepWalk and node2vec take them.", "    ")
    return text + "\n" + _function("ingest", ["edges: Any", "out: Path"], INGEST_OPTIONS[True],
                                   "Graph", "Makes the graph directory `out`, and opens it.", "")


if __name__ == "__main__":
    sys.stdout.write(stubs())
