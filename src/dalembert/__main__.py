"""``python -m dalembert`` is the command ``dalembert``."""

import sys

from dalembert.cli import main

sys.exit(main())
