"""Reads the standard's special cases: conditions become predicates, results become checks.

The phrases are few and regular; one that is not understood is an error, so that no case is left out
unseen.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable

Values = dict[str, float]  # "x_i", "x1_i", "a", ...
Predicate = Callable[[Values], bool]

SUBJECT = r"(abs\(x1_i\)|x1_i|x2_i|x_i|min_i|max_i|a|b)"
PI_PART = re.compile(r"(\d*)π(?:/(\d))?")


class NotUnderstood(ValueError):
    """A phrase that this file does not know."""


def is_negative(x: float) -> bool:
    """Is the sign bit set?"""
    return math.copysign(1, x) < 0


def number(text: str) -> float:
    """ "+infinity", "-0", "3π/4", "NaN"."""
    text = text.strip()
    sign = -1.0 if text.startswith("-") else 1.0
    body = text.lstrip("+-±")
    if body == "infinity":
        return sign * math.inf
    if body == "NaN":
        return math.nan
    match = PI_PART.fullmatch(body)
    if match:
        return sign * int(match[1] or 1) * math.pi / int(match[2] or 1)
    try:
        return sign * float(body)
    except ValueError:
        raise NotUnderstood(text) from None


def equals(x: float, y: float, *, signed: bool = True) -> bool:
    """Equal up to rounding, with the sign of zero."""
    if math.isnan(y) or math.isnan(x):
        return math.isnan(x) and math.isnan(y)
    if not signed:
        x, y = abs(x), abs(y)
    if y == 0 or math.isinf(y):
        return x == y and (not signed or is_negative(x) == is_negative(y))
    return math.isclose(x, y, rel_tol=1e-6)


def _exactly(value: float) -> Callable[[float], bool]:
    # "+0" is a sign and a number, "1" only a number.
    return lambda x: equals(x, value) and (value != 0 or is_negative(x) == is_negative(value))


def _is(text: str) -> Callable[[float], bool]:
    """What stands after "is"."""
    text = text.strip()
    simple: dict[str, Callable[[float], bool]] = {
        "a finite number": math.isfinite,
        "a nonzero finite number": lambda x: math.isfinite(x) and x != 0,
        "a nonzero number": lambda x: x != 0 and not math.isnan(x),
        "not NaN": lambda x: not math.isnan(x),
        "an odd integer value": lambda x: math.isfinite(x) and x % 2 == 1,
        "not an odd integer value": lambda x: not (math.isfinite(x) and x % 2 == 1),
        "not an integer value": lambda x: not x.is_integer(),
        "already integer-valued": lambda x: math.isfinite(x) and x.is_integer(),
    }
    if text in simple:
        return simple[text]
    if re.fullmatch(r"any value(,? ?\(?including NaN\)?)?", text):
        return lambda x: True
    for word, holds in (("positive", lambda x: x > 0), ("negative", lambda x: x < 0)):
        if re.fullmatch(rf"a {word} (\(i\.e\., .*? 0\) )?finite number", text):
            return lambda x: math.isfinite(x) and holds(x)
    for words, compare in (
        ("greater than ", lambda x, y: x > y),
        ("less than ", lambda x, y: x < y),
        ("not equal to ", lambda x, y: x != y),
    ):
        if text.startswith(words):
            bound = number(text.removeprefix(words))
            return lambda x: compare(x, bound)
    if " or " in text:
        parts = [_is(part) for part in text.removeprefix("either ").split(" or ")]
        return lambda x: any(part(x) for part in parts)
    return _exactly(number(text))


def _clause(text: str) -> Predicate:
    text = text.strip(" ,")
    match = re.fullmatch(r"the sign bit of (\w+) is ([01])", text)
    if match:
        return lambda v: is_negative(v[match[1]]) == (match[2] == "1")
    match = re.fullmatch(r"(\w+) (equals|does not equal) (\w+)", text)
    if match:
        return lambda v: (v[match[1]] == v[match[3]]) == (match[2] == "equals")
    match = re.fullmatch(rf"(?:either )?{SUBJECT} or {SUBJECT} is NaN", text)
    if match:
        return lambda v: math.isnan(v[match[1]]) or math.isnan(v[match[2]])
    match = re.fullmatch(r"(\w+) is -(x1_i)", text)
    if match:
        return lambda v: v[match[1]] == -v[match[2]]
    match = re.fullmatch(rf"{SUBJECT} (?:is )?(.*)", text)
    if not match:
        raise NotUnderstood(text)
    name, holds = match[1], _is(match[2])
    if name.startswith("abs"):
        return lambda v: holds(abs(v["x1_i"]))
    return lambda v: holds(v[name])


def condition(text: str) -> Predicate:
    """The predicate that a condition states.

    >>> condition("x_i is greater than 1")({"x_i": 2.0})
    True
    """
    if re.search(rf" is NaN or {SUBJECT} is ", text):
        either = [_clause(part) for part in text.split(" or ")]
        return lambda v: any(clause(v) for clause in either)
    split = rf",? and (?={SUBJECT} |the sign bit)|, (?={SUBJECT} is)"
    parts = [part for part in re.split(split, text) if part and not re.fullmatch(SUBJECT, part)]
    every = [_clause(part) for part in parts]
    return lambda v: all(clause(v) for clause in every)


# --- results -------------------------------------------------------------------------------------

Check = Callable[[Values, float], bool]
ComplexCheck = Callable[[Values, complex], bool]


def real_result(text: str) -> Check:
    """The check that a result states.

    >>> real_result("-0")({}, -0.0)
    True
    """
    text = re.split(r"\. \(\*\*note|\. If the|, even if", text)[0].strip()
    text = text.removeprefix("an implementation-dependent approximation to ")
    text = text.removeprefix("equivalent to ").removeprefix("equal to ")
    if text in ("True", "False"):
        return lambda v, y: bool(y) == (text == "True")
    match = re.fullmatch(r"(x1_i|x2_i|x_i)", text)
    if match:
        return lambda v, y: equals(y, v[match[1]])
    match = re.fullmatch(r"(-?)\|x1_i\||abs\((\w+)\)", text)
    if match:
        sign = -1 if match[1] else 1
        return lambda v, y: equals(y, sign * abs(v[match[2] or "x1_i"]))
    match = re.fullmatch(r"NaN with a sign bit of ([01])", text)
    if match:
        return lambda v, y: math.isnan(y) and is_negative(y) == (match[1] == "1")
    if text == "the even integer closest to x_i":
        return lambda v, y: equals(y, float(round(v["x_i"])))
    if text.startswith("a signed infinity"):
        return lambda v, y: (
            math.isinf(y) and is_negative(y) == (is_negative(v["x1_i"]) != is_negative(v["x2_i"]))
        )
    value = number(text)
    # "0" says nothing of the sign, "+0" does.
    return lambda v, y: equals(y, value, signed=text[0] in "+-" or value != 0)


def _times_cis(factor: float, offset: float) -> ComplexCheck:
    def holds(v: Values, y: complex) -> bool:
        real, imaginary = factor * math.cos(v["b"]), factor * math.sin(v["b"])
        return equals(y.real, real + offset if offset else real) and equals(y.imag, imaginary)

    return holds


def complex_result(text: str) -> ComplexCheck:
    """The check that a complex result states.

    >>> complex_result("+0 + πj/2")({}, complex(0, 1.5707963))
    True
    """
    note = re.search(r"\(signs? of (.*?) unspecified\)", text)
    free = note[1] if note else ""
    text = text.split(" (sign")[0].strip()
    match = re.fullmatch(r"(.*) \* cis\(b\)( - 1\.0)?", text)
    if match:
        return _times_cis(number(match[1]), -1.0 if match[2] else 0.0)
    if not text.endswith("j") and "j/" not in text:
        check = real_result(text)
        return lambda v, y: check(v, y.real) and not y.imag
    match = re.fullmatch(r"([±+-]?[\w/]+) ([+±-]) (.*)", text)
    if not match:
        raise NotUnderstood(text)
    real = number(match[1])
    imaginary = number(match[2].replace("±", "+") + match[3].replace("j", "").strip())
    # An unsigned 0 in the text is +0: it is written so where the other part says "+".
    real_free = "real" in free or match[1].startswith("±")
    imaginary_free = "imaginary" in free or match[2] == "±"
    return lambda v, y: (
        equals(y.real, real, signed=not real_free)
        and equals(y.imag, imaginary, signed=not imaginary_free)
    )
