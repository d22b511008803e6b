"""Idempotency keys: 24 hours, the original result, a conflict for another payload (I1 to I4)."""
import json
import time
from dataclasses import dataclass

from requests_and_responses import FORGOTTEN_STATUSES, Outcome, Refusal

KEY_OCTETS = 255


@dataclass
class Record:
    """The first call with a key."""

    operation: str
    payload: object
    body: dict
    outcome: Outcome
    expires_at: float


class IdempotencyKeys:
    """Runs keyed operations once; the caller holds the service's lock unless said otherwise."""

    def __init__(self, service):
        self.service = service
        self.records = {}
        self.under_way = set()

    def place(self, caller, name, key):
        """Where the record of a key is kept."""
        scope = name if 'keys-by-operation' in self.service.variants else None
        return (caller.organization, scope, key)

    def read_key(self, operation, request):
        """The header's key, or None where it may be absent (I1)."""
        key = request.headers.get('idempotency-key', '').strip()
        if key and len(key) <= KEY_OCTETS:
            return key
        if not self.is_required(operation) and not key:
            return None
        if key or not self.service.violates(f'missing-key-served-on-{operation.name}'):
            raise Refusal('key-missing')
        return None

    def is_required(self, operation):
        """Whether an operation needs a key: those of I1, and in a variant the one that is shown with a key."""
        return operation.key_required or (operation.name == 'mock-set' and 'mock-key-required' in self.service.variants)

    def run(self, operation, caller, request, body):
        """The outcome of a keyed call: run, or found again."""
        service = self.service
        key = self.read_key(operation, request)
        if key is None:
            with service.lock:
                service.schedule.run_due()
                return operation.handler(service, caller, body)
        place = self.place(caller, operation.name, key)
        payload = request.body if 'payload-compared-by-bytes' in service.variants else json.dumps(body, sort_keys=True)
        violation = f'racing-calls-run-twice-on-{operation.name}'
        racing = 'racing-replay-conflicts' in service.variants or service.planted(violation)
        with service.lock:
            service.schedule.run_due()
            found = self.find(place, operation, caller, payload, body)
            if found:
                return found
            if not racing:
                return self.execute(place, operation, caller, payload, body)
            if place in self.under_way and not service.violates(violation):
                raise Refusal('key-in-use')
            self.under_way.add(place)
        time.sleep(0.05)
        with service.lock:
            self.under_way.discard(place)
            return self.execute(place, operation, caller, payload, body)

    def find(self, place, operation, caller, payload, body):
        """The stored outcome of a replay, or None when the operation is to run (I3, I4)."""
        violates, name = self.service.violates, operation.name
        record = self.records.get(place)
        if record is None and self.service.planted('keys-shared-between-organizations'):
            others = [other for held, other in self.records.items() if held[1:] == place[1:]]
            if others and violates('keys-shared-between-organizations'):
                record = others[0]
        if record is None or record.expires_at <= time.time():
            return None
        if record.operation != name or record.payload != payload:
            if record.operation == name:
                if violates(f'changed-payload-served-on-{name}'):
                    return record.outcome
                if violates(f'changed-payload-runs-on-{name}'):
                    return None
                if core_of(record.body) == core_of(body) and violates(f'change-beside-amount-unnoticed-on-{name}'):
                    return record.outcome
            raise Refusal('key-conflict')
        if violates(f'replay-runs-again-on-{name}'):
            return None
        outcome = record.outcome
        if outcome.afresh and violates(f'replay-shows-present-state-on-{name}'):
            return Outcome(outcome.status, outcome.afresh())
        return outcome

    def execute(self, place, operation, caller, payload, body):
        """Run the operation and keep its outcome, unless a retry is to run it again (7.4)."""
        refused = None
        try:
            outcome = operation.handler(self.service, caller, body)
        except Refusal as refusal:
            refused = refusal
            outcome = refusal.happened or self.service.outcome_of(refusal)
        kept = {400} if 'refusals-kept' in self.service.variants else set()
        if outcome.status not in FORGOTTEN_STATUSES - kept:
            until = time.time() + self.service.settings.key_seconds
            self.records[place] = Record(operation.name, payload, body, outcome, until)
        if refused and refused.happened:
            raise refused
        return outcome


def core_of(value):
    """The amounts and the payment's id in a payload, wherever they stand."""
    found = {}
    if isinstance(value, dict):
        for name, part in value.items():
            if name in ('amount', 'minor_units', 'transaction_id'):
                found[name] = part
            found.update(core_of(part))
    return found
