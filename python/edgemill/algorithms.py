"""The library's declarations of algorithms, and the methods that are made of them."""

import difflib
import functools
import inspect
import os
from typing import Any, Callable, Dict, List, Tuple, Union

from . import library
from .answer import Answer
from .call import OptionHelp, in_python, into_python, option_help
from .library import declared, lib
from .path import ShortestPath

Path = Union[str, os.PathLike]


class AlgorithmHelp:
    """What the library declares of an algorithm."""

    def __init__(self, algorithm: library.Algorithm):
        self.name: str = algorithm.name.decode()
        self.group: str = algorithm.group.decode()
        self.text: str = algorithm.text.decode()
        self.aliases: Tuple[str, ...] = tuple(
            algorithm.aliases[i].decode() for i in range(algorithm.num_aliases)
        )
        self.options = [option_help(algorithm.options[i]) for i in range(algorithm.num_options)]
        self.summary: str = in_python(algorithm.summary.decode(), self.options)
        self.columns: Tuple[str, ...] = tuple(
            algorithm.columns[i].name.decode() for i in range(algorithm.num_columns)
        )
        self.properties: Dict[str, str] = {
            one.name.decode(): one.text.decode()
            for one in algorithm.properties[: algorithm.num_properties]
        }

    def __repr__(self) -> str:
        return f"<{self.name}: {self.summary}>"


_ALGORITHMS = [AlgorithmHelp(algorithm) for algorithm in declared(lib.algorithms)]


def algorithms() -> List[AlgorithmHelp]:
    """All algorithms, by name."""
    return list(_ALGORITHMS)


_ANNOTATIONS = {"N": int, "X": float, "P": float, "Q": float, "SIZE": Union[int, str], "ID": Union[int, str], "FILE": Path}


def _annotation(option: OptionHelp) -> Any:
    if option.is_flag:
        return bool
    if option.is_yes_or_no:
        return Union[bool, str]
    if option.takes_list:
        return Union[str, List[str]]
    kind = _ANNOTATIONS.get(option.value or "", str)
    return Union[kind, List[kind]] if option.repeatable else kind


def _default(option: OptionHelp) -> Any:
    if option.is_flag:
        return False
    if option.default is None:
        return None
    for number in (int, float):
        try:
            return number(option.default)
        except ValueError:
            pass
    return option.default


@functools.lru_cache(maxsize=None)
def _parameter_of(option: OptionHelp) -> inspect.Parameter:
    keyword, positional = inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD
    default = inspect.Parameter.empty if option.required else _default(option)
    return inspect.Parameter(option.parameter, positional if option.positional else keyword,
                             default=default, annotation=_annotation(option))


def parameters_of(options: List[OptionHelp]) -> List[inspect.Parameter]:
    """The options as parameters; those that may be positional come first."""
    positional = [_parameter_of(option) for option in options if option.positional]
    others = [_parameter_of(option) for option in options if not option.positional]
    progress = inspect.Parameter("progress", inspect.Parameter.KEYWORD_ONLY, default=None)
    return positional + others + [progress]


def bound(name: str, signature: inspect.Signature, arguments: tuple,
          keywords: Dict[str, Any]) -> Dict[str, Any]:
    """The arguments of a call by parameter. TypeError names the function, and near parameters."""
    for keyword in keywords:
        if keyword not in signature.parameters:
            near = difflib.get_close_matches(keyword, signature.parameters, n=3)
            question = f": did you mean {' or '.join(near)}?" if near else ""
            raise TypeError(f"{name}: got an unexpected keyword argument {keyword!r}{question}")
    try:
        return signature.bind(*arguments, **keywords).arguments
    except TypeError as error:
        raise TypeError(f"{name}: {error}") from None


def options_text(options: List[OptionHelp]) -> str:
    """A line for each option, in sections, for docstrings."""
    lines = []
    shown = into_python(options)
    for section in dict.fromkeys(option.section for option in options):
        lines.append(f"\n{section}:\n")
        for option in options:
            if option.section != section:
                continue
            choices = f" ({option.value})" if option.choices else ""
            text = shown(option.help) if "-" in option.help else option.help
            lines.append(f"    {option.parameter}{choices}: {text}\n")
    return "".join(lines) + (
        "    progress: True, False or a function; by default shown where standard error is a "
        "terminal\n"
    )


# What a method makes of its answer, by algorithm.
RESULTS = {"path": ShortestPath}


def _method(help: AlgorithmHelp) -> Callable[..., Answer]:
    options = help.options
    self_parameter = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    result = RESULTS.get(help.name)
    signature = inspect.Signature(
        [self_parameter] + parameters_of(options), return_annotation=result or Answer
    )

    def method(*arguments, **keywords):
        values = bound(help.name, signature, arguments, keywords)
        answer = values["self"]._run(help.name, options, values, values.get("progress"))
        return result(answer) if result else answer

    method.__name__ = help.name
    method.__qualname__ = f"Graph.{help.name}"
    method.__module__ = "edgemill.graph"
    method.__signature__ = signature
    method.__annotations__ = {
        parameter.name: parameter.annotation
        for parameter in signature.parameters.values()
        if parameter.annotation is not inspect.Parameter.empty
    }
    properties = "".join(f"    {about}: {text}\n" for about, text in help.properties.items())
    about = in_python(f"{help.text.strip()}\n\nProperties:\n{properties}", options)
    method.__doc__ = (
        f"{help.summary}\n\n{about}    answer: {' or '.join(help.columns)}\n"
        f"{options_text(options)}"
    )
    method.algorithm = help.name
    return method


def methods() -> Dict[str, Callable[..., Answer]]:
    """A method for each algorithm, by its name and its aliases."""
    found = {}
    for help in _ALGORITHMS:
        method = _method(help)
        for name in (help.name, *help.aliases):
            found[name.replace("-", "_")] = method
    return found
