"""Looks at exported files: ``python -m mlx.export show FILE``, ``... verify FILE``."""

from __future__ import annotations

import argparse
import json
import sys

from . import import_function
from .dot import dot_of_events
from .file import FileContents, read_file


def events_of(contents: FileContents, function: dict) -> list[dict]:
    """The events that the function's trace once was, as far as a drawing needs them."""
    constants = [(n, _Constant(c)) for n, c in contents.constants.items()]
    events = [
        {"type": "inputs", "inputs": [(n, tuple(s), d) for n, s, d in function["inputs"]]},
        {"type": "outputs", "outputs": [(n, tuple(s), d) for n, s, d in function["outputs"]]},
        {"type": "constants", "constants": constants},
    ]
    for op, inputs, outputs, arguments in function["primitives"]:
        events.append(
            {
                "type": "primitive",
                "name": op,
                "inputs": [(name, (), "") for name in inputs],
                "outputs": [(name, (), "") for name, _, _ in outputs],
                "named_arguments": arguments,
            }
        )
    return events


class _Constant:
    def __init__(self, entry: dict) -> None:
        self.shape = tuple(entry["shape"])
        self.dtype = entry["dtype"]


def show(options: argparse.Namespace) -> None:
    contents = read_file(options.file)
    if options.json:
        json.dump(vars(contents), sys.stdout, indent=1)
        print()
    elif options.dot:
        for function in contents.functions:
            sys.stdout.write(dot_of_events(events_of(contents, function)))
    else:
        sys.stdout.write(contents.listing())


def verify(options: argparse.Namespace) -> None:
    import_function(options.file)
    print(f"{options.file}: whole and well formed")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m mlx.export", description=__doc__)
    commands = parser.add_subparsers(required=True)
    shows = commands.add_parser("show", help="print what a file holds")
    shows.add_argument("file")
    form = shows.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="as JSON")
    form.add_argument("--dot", action="store_true", help="the graphs in the DOT language")
    shows.set_defaults(run=show)
    verifies = commands.add_parser("verify", help="check everything, run nothing")
    verifies.add_argument("file")
    verifies.set_defaults(run=verify)
    options = parser.parse_args()
    try:
        options.run(options)
    except (ValueError, RuntimeError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
