"""Planted violations of stated rules, and how often the broken path of each that is on ran."""
import threading
from collections import Counter

from violation_tables import TABLE


class Violations:
    """Asks whether a violation is on, and counts how often its path ran."""

    def __init__(self, *active):
        for name in active:
            if name not in TABLE:
                raise ValueError(f'there is no violation {name}')
        self.active = active
        self.counter = Counter()
        self.lock = threading.Lock()

    def __call__(self, name):
        """Whether the violation is on; the caller then takes the broken path."""
        if name not in self.active:
            return False
        with self.lock:
            self.counter[name] += 1
        return True

    def counts(self):
        """How often the broken path ran."""
        with self.lock:
            return {name: self.counter[name] for name in self.active}
