"""Many recordings: fitted one after the other or on many machines, and each only once.

A `Job` is a recording, its body plan and where the result goes. Results that are there already are recognised by what
they were made from.
"""

from pantin.fitting.many.batch import read_batch
from pantin.fitting.many.job import Job
from pantin.fitting.many.place import Record

__all__ = ["Job", "Record", "read_batch"]
