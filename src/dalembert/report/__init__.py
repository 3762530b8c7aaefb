"""Reports: a run as one HTML file that opens in any browser, without network and without this package.

``report``
    Writes the file: outcome, statistics, an animation of the sketch, plots of the coordinates.

This layer sees a ``dalembert.solution.Solution`` and nothing else, so a stored run is enough.
"""

from dalembert.report.page import report

__all__ = ["report"]
