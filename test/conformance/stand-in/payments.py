"""The payment: its facts, its sums and what happens to it in time."""
import base64
import secrets
import time
from dataclasses import dataclass, field

#: Stages before and instead of the sums: what the payer and the scheme have done so far.
AWAITING, CONSENTED, AUTHORIZED = 'awaiting', 'consented', 'authorized'
VOIDED, ABORTED, REFUSED, LAPSED = 'voided', 'aborted', 'refused', 'lapsed'


def make_id(kind):
    """An identifier such as pay_ and 16 letters of base32."""
    return f'{kind}_{base64.b32encode(secrets.token_bytes(10)).decode().lower()}'


@dataclass
class Payment:
    """One payment from initiate or charge to its end."""

    id: str
    organization: str
    account: str
    client_transaction_id: str
    transaction_type: str
    provider: str
    amount: int
    currency: str
    country: str
    auto_capture: bool
    payer_id: str | None = None
    description: str | None = None
    metadata: dict = field(default_factory=dict)
    return_url: str | None = None
    prepared: str = 'OK'
    stage: str = AWAITING
    reason: tuple | None = None
    captured: int = 0
    settled: int = 0
    refunded: int = 0
    token: str | None = None
    redirect_url: str | None = None
    scheme: dict = field(default_factory=dict)
    events: list = field(default_factory=list)
    snapshots: list = field(default_factory=list)
    written_at: float = 0.0
    created_at: float = field(default_factory=time.time)
    page_secret: str = field(default_factory=lambda: secrets.token_urlsafe(18))

    @property
    def remaining(self):
        """What can still be captured."""
        return self.amount - self.captured

    @property
    def refundable(self):
        """What has settled and was not refunded (R1)."""
        return self.settled - self.refunded

    @property
    def state(self):
        """The payment's state in one word."""
        if self.stage != AUTHORIZED:
            return {AWAITING: 'AWAITING_PAYER', CONSENTED: 'PAYER_APPROVED'}.get(self.stage, self.stage.upper())
        if self.refunded:
            return 'REFUNDED' if self.refunded >= self.captured else 'PART_REFUNDED'
        if not self.captured:
            return 'AUTHORIZED'
        if self.captured < self.amount:
            return 'PART_CAPTURED'
        return 'SETTLED' if self.settled >= self.captured else 'CAPTURED'


class Lifecycle:
    """Moves payments, keeps their history and tells the merchant."""

    def __init__(self, service):
        self.service = service

    def record(self, payment, kind, **details):
        """Append an event to the history and push it to the merchant (section 6)."""
        violates = self.service.violates
        event = {'number': len(payment.events) + 1, 'kind': kind, 'at': time.time(), 'state': payment.state, **details}
        if kind == 'CAPTURED' and violates('capture-missing-in-events'):
            pass
        elif kind == 'REFUNDED' and violates('refund-missing-in-events'):
            pass
        elif kind == 'SETTLED' and violates('settlement-missing-in-events'):
            pass
        else:
            payment.events.append(event)
        shapes = self.service.shapes
        if shapes.lag is not None:
            payment.snapshots.append((event['at'], shapes.status(payment), shapes.history(payment)))
        self.service.webhooks.push(payment, event)

    def await_payer(self, payment):
        """Open the payer's window (R6, R7)."""
        settings = self.service.settings
        blik = payment.provider == 'BLIK'
        seconds = settings.blik_action_seconds if blik else settings.iris_request_seconds
        payment.scheme.setdefault('expires_at', payment.created_at + seconds)
        self.record(payment, 'INITIATED')
        self.service.schedule.after(seconds, self.lapse, payment)

    def consent(self, payment):
        """The payer has authenticated."""
        if payment.stage == AWAITING:
            payment.stage = CONSENTED
            self.record(payment, 'PAYER_APPROVED')

    def end(self, payment, stage, code, text):
        """The payment ends without money: aborted, refused or lapsed."""
        payment.stage, payment.reason = stage, (code, text)
        self.record(payment, stage.upper(), reason=code)

    def abort(self, payment):
        """The payer said no."""
        if payment.stage == AWAITING:
            self.end(payment, ABORTED, self.service.map_code('payer-said-no', payment.provider), 'The payer cancelled')

    def lapse(self, payment):
        """The payer did nothing in time."""
        if payment.stage == AWAITING:
            self.end(payment, LAPSED, self.service.map_code('payer-was-late', payment.provider), 'Session expired')

    def authorize(self, payment, auto_capture):
        """The scheme reserves the amount; capture follows where it is wished."""
        payment.stage, payment.reason = AUTHORIZED, None
        if payment.transaction_type != 'ONE_TIME' and not payment.token:
            self.service.mandates.grant(payment)
        self.record(payment, 'AUTHORIZED')
        self.service.schedule.after(self.service.settings.authorization_seconds, self.expire, payment)
        if auto_capture:
            self.capture(payment, payment.amount)
        elif self.service.violates('settled-without-capture'):
            payment.captured = payment.settled = payment.amount
            self.record(payment, 'SETTLED', amount=payment.amount)

    def expire(self, payment):
        """An authorization that nobody captured runs out (R3)."""
        if payment.stage == AUTHORIZED and not payment.captured:
            self.end(payment, LAPSED, '5300', 'The authorization expired')

    def capture(self, payment, amount):
        """Take an authorized amount; it settles by itself (R4)."""
        payment.stage = AUTHORIZED
        payment.captured += amount
        self.record(payment, 'CAPTURED', amount=amount)
        if self.service.violates('never-settled'):
            return
        if self.service.settings.settle_seconds <= 0:
            self.settle(payment, amount)
        else:
            self.service.schedule.after(self.service.settings.settle_seconds, self.settle, payment, amount)

    def settle(self, payment, amount):
        """The scheme pays out."""
        if payment.stage == AUTHORIZED:
            payment.settled += amount
            self.record(payment, 'SETTLED', amount=amount)

    def void(self, payment):
        """Give the authorization back (R2)."""
        if not self.service.violates('cancel-leaves-authorization'):
            payment.stage = VOIDED
        self.record(payment, 'VOIDED')

    def refund(self, payment, amount):
        """Give settled money back (R1)."""
        if not self.service.violates('refund-not-counted'):
            payment.refunded += amount
        self.record(payment, 'REFUNDED', amount=amount)


class Mandates:
    """Stored credentials for charges without a payer present; each belongs to one organization."""

    def __init__(self, organizations):
        self.by_payer, self.by_token = {}, {}
        for organization in organizations.values():
            for entry in organization.mandates:
                self.keep(organization.id, entry.get('provider', 'BLIK'), entry.get('payer_id'), entry.get('payment_token'))

    def keep(self, organization, provider, payer_id, token):
        """Remember a mandate under its payer and its token."""
        mandate = (organization, provider)
        if payer_id:
            self.by_payer.setdefault(payer_id, set()).add(mandate)
        if token:
            self.by_token.setdefault(token, set()).add(mandate)

    def grant(self, payment):
        """A recurring payment was authorized: from now on its payer can be charged."""
        payment.token = make_id('tok')
        self.keep(payment.organization, payment.provider, payment.payer_id, payment.token)

    def find(self, payer_id, token):
        """Who may charge this payer or token; both must agree when both are given."""
        found = [index.get(name, set()) for index, name in ((self.by_payer, payer_id), (self.by_token, token)) if name]
        return set.intersection(*found) if found else set()
