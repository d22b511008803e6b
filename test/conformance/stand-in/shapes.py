"""The response bodies: our own shapes for what the document leaves open (2.9, 6, 7)."""
import datetime
import time

from payments import ABORTED, AUTHORIZED, LAPSED, REFUSED, VOIDED

AMOUNTS = {'requested', 'authorized', 'captured', 'settled', 'refunded', 'minor_units'}
COARSE_STATES = {AUTHORIZED: 'OK', VOIDED: 'CANCELLED', ABORTED: 'CANCELLED', REFUSED: 'FAILED', LAPSED: 'EXPIRED'}


#: Seconds by which what is read lags behind what was done.
LAGS = {'reads-lag': 0.8, 'acts-take-time': 0.6}


class Shapes:
    """Builds bodies as the variants of this deployment have them."""

    def __init__(self, service):
        self.service = service
        self.variants = service.variants
        self.lag = max((seconds for name, seconds in LAGS.items() if name in self.variants), default=None)

    def time(self, seconds):
        """A time in ISO 8601, or in seconds since 1970."""
        if 'epoch-times' in self.variants:
            return int(seconds)
        moment = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
        return moment.isoformat(timespec='milliseconds').replace('+00:00', 'Z')

    def reason(self, payment):
        """Why the payment ended, or this deployment's word for no reason."""
        if payment.reason:
            code, text = payment.reason
            return {'code': self.code(code), 'text': text}
        if 'no-reason-is-minus-one' in self.variants:
            return {'code': '-1', 'text': ''}
        if 'no-reason-is-text' in self.variants:
            return {'code': 'NONE', 'text': 'Nothing to report'}
        return None

    def code(self, code):
        """A reasonCode as text or number."""
        return int(code) if 'numeric-reason-codes' in self.variants else code

    def state(self, payment):
        """The state in this deployment's words."""
        if 'coarse-states' in self.variants:
            return COARSE_STATES.get(payment.stage, 'PENDING')
        return payment.state

    def payment(self, payment):
        """A payment as every response shows it."""
        return {
            'transaction_id': payment.id,
            'client_transaction_id': payment.client_transaction_id,
            'account': payment.account,
            'method': payment.provider,
            'type': payment.transaction_type,
            'state': self.state(payment),
            'money': {
                'currency': payment.currency,
                'requested': payment.amount,
                'authorized': payment.amount if payment.stage == AUTHORIZED else 0,
                'captured': payment.captured,
                'settled': payment.settled,
                'refunded': payment.refunded,
            },
            'reason': self.reason(payment),
            'created_at': self.time(payment.created_at),
        }

    def started(self, payment):
        """The response of initiate: the payment, what the scheme said and the next step."""
        return {'payment': self.payment(payment), 'scheme': self.scheme(payment), 'next_step': self.next_step(payment)}

    def scheme(self, payment):
        """What the scheme, or a mock in its place, answered."""
        shown = dict(payment.scheme)
        for name in ('registered_at', 'expires_at'):
            if isinstance(shown.get(name), float):
                shown[name] = self.time(shown[name])
        return shown

    def next_step(self, payment):
        """What the merchant does next."""
        if payment.redirect_url:
            return {'kind': 'REDIRECT', 'location': payment.redirect_url}
        kinds = {'awaiting': 'WAIT_FOR_PAYER', 'consented': 'FINALIZE'}
        return {'kind': kinds.get(payment.stage, 'NONE')}

    def authorized(self, payment):
        """The response of finalize and charge."""
        body = {'payment': self.payment(payment), 'scheme': self.scheme(payment)}
        if 'acts-take-time' in self.variants and payment.transaction_type == 'ONE_TIME':
            body['payment'] = self.seen(payment)[0]['payment']
        if payment.token:
            body['stored_credential'] = {'payment_token': payment.token}
        return body

    def moved(self, payment, name, move_id, amount):
        """The response of capture, cancel and refund."""
        shown = self.seen(payment)[0]['payment'] if 'acts-take-time' in self.variants else self.payment(payment)
        return {'payment': shown, name: {f'{name}_id': move_id, 'minor_units': amount}}

    def seen(self, payment):
        """Status and history of a payment, as it was some time ago where a variant reads a copy that lags."""
        if self.lag is None:
            return self.status(payment), self.history(payment)
        old = [snapshot for at, *snapshot in payment.snapshots if at <= time.time() - self.lag]
        return old[-1] if old else payment.snapshots[0][1:]

    def status(self, payment):
        """The response of status."""
        shown = self.payment(payment)
        if payment.captured and self.service.violates('status-hides-capture'):
            shown['money']['captured'] = 0
            shown['state'] = 'AUTHORIZED'
        if payment.refunded and self.service.violates('status-hides-refund'):
            shown['money']['refunded'] = 0
            shown['state'] = 'SETTLED'
        return {'payment': shown, 'scheme': self.scheme(payment)}

    def event(self, event):
        """One entry of the history."""
        shown = {'number': event['number'], 'kind': event['kind'], 'at': self.time(event['at'])}
        if 'coarse-states' not in self.variants:
            shown['state'] = event['state']
        if 'amount' in event:
            shown['minor_units'] = event['amount']
        if 'reason' in event:
            shown['reason'] = self.code(event['reason'])
        return shown

    def history(self, payment):
        """The response of events."""
        entries = [self.event(event) for event in payment.events]
        if len(entries) > 1 and self.service.violates('events-reordered'):
            entries.reverse()
        if entries and self.service.violates('events-doubled'):
            entries.append(entries[-1])
        return {'transaction_id': payment.id, 'history': entries}

    def error(self, code, text, trace, of_layer=False):
        """The error envelope."""
        if of_layer and 'two-envelopes' in self.variants:
            return {'fault': {'reasonCode': self.code(code), 'message': text}, 'trace': trace}
        if 'reason-code-at-top' in self.variants:
            return {'reasonCode': self.code(code), 'message': text, 'trace': trace}
        return {'error': {'code': self.code(code), 'text': text, 'trace': trace}}

    def dress(self, body):
        """The last touch of variants on any body."""
        if 'amounts-as-text' in self.variants:
            body = convert(body, AMOUNTS, str)
        if 'lower-case-words' in self.variants:
            body = convert(body, {'state'}, str.lower)
        if 'extra-members' in self.variants:
            body = extend(body)
        if 'reversed-members' in self.variants:
            body = reverse(body)
        return body


def convert(value, names, to):
    """Every object with the members of these names converted."""
    if isinstance(value, dict):
        return {name: to(part) if name in names else convert(part, names, to) for name, part in value.items()}
    return [convert(part, names, to) for part in value] if isinstance(value, list) else value


def extend(value):
    """Every object with members that nobody asked for."""
    if isinstance(value, dict):
        return {'x_note': None, **{name: extend(part) for name, part in value.items()}, 'x_extra': {'since': [1, 2]}}
    return [extend(part) for part in value] if isinstance(value, list) else value


def reverse(value):
    """Every object with its members the other way round."""
    if isinstance(value, dict):
        return {name: reverse(value[name]) for name in reversed(value)}
    return [reverse(part) for part in value] if isinstance(value, list) else value
