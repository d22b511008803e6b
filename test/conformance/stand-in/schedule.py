"""What is due at a time: lapses, settlements, expiries."""
import heapq
import itertools
import threading
import time


class Schedule:
    """A queue of actions ordered by time; they run under the service's lock."""

    def __init__(self, lock):
        self.lock = lock
        self.queue = []
        self.order = itertools.count()
        self.changed = threading.Condition(lock)

    def after(self, seconds, action, *arguments):
        """Have an action run after some seconds; the caller holds the lock."""
        heapq.heappush(self.queue, (time.time() + seconds, next(self.order), action, arguments))
        self.changed.notify()

    def run_due(self):
        """Run what is due by now; the caller holds the lock."""
        while self.queue and self.queue[0][0] <= time.time():
            _, _, action, arguments = heapq.heappop(self.queue)
            action(*arguments)

    def start(self):
        """Run what is due as its time comes, also while nobody calls."""
        threading.Thread(target=self.run, name='schedule', daemon=True).start()

    def run(self):
        """The loop of the schedule's thread."""
        with self.lock:
            while True:
                self.run_due()
                wait = self.queue[0][0] - time.time() if self.queue else 60
                self.changed.wait(max(wait, 0.001))
