"""Numbers that formulas need, as Python floats, and ``newaxis``."""

import math

__all__ = ["e", "euler_gamma", "inf", "nan", "newaxis", "pi"]

e: float = math.e
euler_gamma: float = 0.5772156649015329
inf: float = math.inf
nan: float = math.nan
newaxis: None = None
pi: float = math.pi
