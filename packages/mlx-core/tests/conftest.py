"""Makes the modules beside the tests importable by name."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE / folder) for folder in ("", "behaviour", "derived")]
