"""Many recordings: fitted one after the other or on many machines, and each only once.

A `Job` is a recording, its body plan and where the result goes. `fit_many` works through jobs; results that are there
already are recognised by what they were made from, and one broken recording does not stop the others.
"""

from pantin.fitting.many.batch import read_batch
from pantin.fitting.many.job import Job
from pantin.fitting.many.outcome import Outcome, OutcomeState
from pantin.fitting.many.place import Record
from pantin.fitting.many.run import Watch, fit_many

__all__ = ["Job", "Outcome", "OutcomeState", "Record", "Watch", "fit_many", "read_batch"]
