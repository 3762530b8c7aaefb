"""Reports: a run as one HTML file that opens in any browser, without network and without this package; and figures.

``report``
    Writes the file: the mechanism in motion, curves, the model, the run.
``view``
    The same page in a notebook, ``sol.view()``.
``plot``, ``phase``, ``work_precision``, ``sparsity``, ``topology``, ``modes``
    Figures with matplotlib.

This layer sees a ``dalembert.solution.Solution`` and nothing else, so a stored run is enough.
"""

from dalembert.report.figures import modes, phase, plot, sparsity, topology, work_precision
from dalembert.report.notebook import view
from dalembert.report.page import report

__all__ = ["modes", "phase", "plot", "report", "sparsity", "topology", "view", "work_precision"]
