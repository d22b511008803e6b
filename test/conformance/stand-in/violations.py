"""Planted violations of stated rules, one at a time, and how often the broken path of the one that is on ran."""
import threading
from collections import Counter

from violation_tables import TABLE


class Violations:
    """Asks whether a violation is on, and counts how often its path ran."""

    def __init__(self, active=None):
        if active is not None and active not in TABLE:
            raise ValueError(f'there is no violation {active}')
        self.active = active
        self.counter = Counter()
        self.lock = threading.Lock()

    def __call__(self, name):
        """Whether the violation is on; the caller then takes the broken path."""
        if name != self.active:
            return False
        with self.lock:
            self.counter[name] += 1
        return True

    def counts(self):
        """How often the broken path ran."""
        with self.lock:
            return {self.active: self.counter[self.active]} if self.active else {}
