"""Write tests/special_cases.json from a checkout of the standard: its special cases, verbatim.

    python tools/read_special_cases.py CHECKOUT_OF_ARRAY_API > tests/special_cases.json

Each line "If <if>, the result is <then>" of an elementwise function becomes
[function, "real" or "complex", if, then], without the quotes around code.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from pathlib import Path

LINE = re.compile(r"- If (.*?),? the result is (.*?)\.?$")


def cases_of(function: ast.FunctionDef) -> list[tuple[str, str, str, str]]:
    """The special cases in the docstring of a stub."""
    kind, found = "real", []
    for line in (ast.get_docstring(function) or "").splitlines():
        text = line.strip()
        if "For complex floating-point operand" in text:
            kind = "complex"
        elif "For real-valued floating-point operand" in text:
            kind = "real"
        elif text.startswith("For floating-point operand"):
            kind = "real"
        match = LINE.match(text)
        if match:
            condition, result = (part.replace("``", "") for part in match.groups())
            found.append((function.name, kind, condition, result))
    return found


def main(checkout: str) -> None:
    """Print the table, a line per case."""
    stubs = Path(checkout, "src", "array_api_stubs", "_2025_12", "elementwise_functions.py")
    body = ast.parse(stubs.read_text()).body
    cases = [c for f in body if isinstance(f, ast.FunctionDef) for c in cases_of(f)]
    print("[\n" + ",\n".join(json.dumps(case, ensure_ascii=False) for case in cases) + "\n]")


if __name__ == "__main__":
    main(*sys.argv[1:])
