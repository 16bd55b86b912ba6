"""`python -m pantin`: the same as the command `pantin`."""

import sys

from pantin.cli import main

if __name__ == "__main__":
    sys.exit(main())
