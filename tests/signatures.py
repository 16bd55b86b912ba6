"""Whether a function of ours can be called as a peer's is: its parameters, by name, order and default."""

from __future__ import annotations

import ast
import inspect
import re


def parameters(function):
    """Parameters of a peer's function, without the object it belongs to."""
    return [p for p in inspect.signature(function).parameters.values() if p.name != "self"]


def accepts(given, wanted):
    """Whether the wanted parameters are the first ones given, with their defaults, and the others have defaults."""
    if {p.name for p in wanted if p.kind is p.VAR_KEYWORD} - {name for name, _ in given}:
        return False
    wanted = [p for p in wanted if p.kind is not p.VAR_KEYWORD]
    if len(given) < len(wanted):
        return False
    for (name, default), parameter in zip(given, wanted, strict=False):
        expected = parameter.default
        if name != parameter.name:
            return False
        if expected is inspect.Parameter.empty:
            continue  # a default of ours beside none of theirs does no harm
        if default is inspect.Parameter.empty or default != expected:
            return False
    return all(default is not inspect.Parameter.empty for _, default in given[len(wanted) :])


def signatures(function):
    """Names and defaults of the parameters, for each overload."""
    texts = getattr(function, "__nb_signature__", None)
    if inspect.isclass(function) and function.__module__ == "pantin._core":
        texts = function.__init__.__nb_signature__
    if texts is None:
        return [
            [
                (p.name, Any() if p.kind in (p.VAR_KEYWORD, p.VAR_POSITIONAL) else p.default)
                for p in parameters(function)
            ]
        ]
    return [from_text(entry[0]) for entry in texts]


def from_text(text):
    """Parameters of a signature as nanobind writes it; a default it keeps aside counts as matching any."""
    text = re.sub(r"\\\d+", "kept_aside", text.splitlines()[-1])
    arguments = ast.parse(f"{text}: ...").body[0].args
    names = [a.arg for a in arguments.posonlyargs + arguments.args]
    defaults = [inspect.Parameter.empty] * (len(names) - len(arguments.defaults))
    for node in arguments.defaults:
        try:
            defaults.append(ast.literal_eval(node))
        except ValueError:
            defaults.append(Any())
    return [pair for pair in zip(names, defaults, strict=True) if pair[0] != "self"]


class Any:
    """Equal to everything."""

    def __eq__(self, other):
        return True

    __hash__ = None
