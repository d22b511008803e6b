"""The service: routes, the way of a call through layers, keys and operations, signed answers."""
import base64
import itertools
import math
import re
import secrets
import threading
import time
import traceback
from dataclasses import dataclass
from email.utils import formatdate
from typing import Callable
from urllib.parse import unquote

import mocks
import payment_operations
import payments
import read_only_operations
import schemes
import tokens
from answers import make_answer
from http_signatures import RequestVerifier, Signer
from idempotency import IdempotencyKeys
from layers import Layers
from requests_and_responses import Answer, Outcome, Refusal, decode_json
from schedule import Schedule
from shapes import Shapes
from webhooks import Webhooks


@dataclass(frozen=True)
class Operation:
    """One row of section 4."""

    name: str
    method: str
    path: str
    scope: str | None
    handler: Callable | None
    key: str = 'ignored'

    @property
    def key_required(self):
        """Whether Idempotency-Key must be there (I1)."""
        return self.key == 'required'


PROCESS, READ, REPORTS = 'payments:process', 'payments:read', 'data:reports'
OPERATIONS = (
    Operation('token', 'POST', '/auth/token', None, None),
    Operation('initiate', 'POST', '/payments/initiate', PROCESS, payment_operations.initiate, 'required'),
    Operation('finalize', 'POST', '/payments/finalize', PROCESS, payment_operations.finalize, 'required'),
    Operation('charge', 'POST', '/payments/charge', PROCESS, payment_operations.charge, 'required'),
    Operation('capture', 'POST', '/payments/capture', PROCESS, payment_operations.capture, 'required'),
    Operation('cancel', 'POST', '/payments/cancel', PROCESS, payment_operations.cancel, 'required'),
    Operation('refund', 'POST', '/payments/refund', PROCESS, payment_operations.refund, 'required'),
    Operation('status', 'GET', '/payments/{id}/status', READ, read_only_operations.read_status),
    Operation('events', 'GET', '/payments/{id}/events', READ, read_only_operations.read_events),
    Operation('search', 'POST', '/payments/search', READ, read_only_operations.search),
    Operation('providers', 'POST', '/payments/providers', READ, read_only_operations.list_providers),
    Operation('reports', 'GET', '/reports', REPORTS, read_only_operations.list_reports),
    Operation('report-download', 'GET', '/reports/download', REPORTS, read_only_operations.download_report),
    Operation('mock-set', 'POST', '/mock/set', PROCESS, mocks.set_mock, 'optional'),
    Operation('key-set', 'GET', '/.well-known/service-keys', None, read_only_operations.read_key_set),
)
UNKNOWN = Operation('unknown', '', '', None, None)
#: Reasons of refusals by one of the three layers of section 5.
OF_LAYERS = ('certificate-missing', 'digest-mismatch', 'signature-invalid', 'token-missing', 'token-expired', 'forbidden')
VERSION = re.compile(r'1\.(0|[1-9]\d{0,3})')


class Service:
    """All state of one deployment, behind one lock."""

    def __init__(self, configuration, variants, violates):
        self.configuration, self.settings = configuration, configuration.settings
        self.variants, self.violates = frozenset(variants), violates
        self.lock = threading.RLock()
        self.operations = {operation.name: operation for operation in OPERATIONS}
        self.payments, self.by_page, self.by_reference, self.tokens = {}, {}, {}, {}
        self.page_base, self.recent_calls, self.read_answers = '', {}, {}
        self.answers = itertools.count(1)
        self.shapes = Shapes(self)
        self.signer = Signer('responses-signed-like-requests' in self.variants,
                             'more-signature-params' in self.variants, 'many-keys' in self.variants)
        self.layers = Layers(self, RequestVerifier('raw-signatures' in self.variants,
                                                   'params-without-label' in self.variants, self.settings.skew_seconds,
                                                   'signature-once' in self.variants))
        self.schedule = Schedule(self.lock)
        self.mandates = payments.Mandates(configuration.organizations)
        self.lifecycle = payments.Lifecycle(self)
        self.keys = IdempotencyKeys(self)
        self.mocks = mocks.Mocks(self)
        self.webhooks = Webhooks(self)

    def planted(self, violation):
        """Whether a violation is on, without counting it."""
        return violation in self.violates.active

    def make_id(self, kind):
        """A new identifier in this deployment's form."""
        if 'ids-with-signs' in self.variants:
            return f'{kind}/{base64.b64encode(secrets.token_bytes(10)).decode()}'
        return str(10**14 + secrets.randbelow(9 * 10**14)) if 'numeric-ids' in self.variants else payments.make_id(kind)

    def map_code(self, what, provider):
        """The reasonCode of what a payer did (7.5)."""
        return schemes.map_provider_code(provider, schemes.PAYER_CODES[what, provider], self.violates)[0]

    def keep(self, payment):
        """Remember a new payment."""
        self.payments[payment.id] = payment
        self.by_page[payment.page_secret] = payment
        self.by_reference.setdefault((payment.organization, payment.client_transaction_id), []).append(payment)

    def find_payment(self, transaction_id, caller, operation):
        """The caller's payment; 404 for none and for another's."""
        payment = self.payments.get(transaction_id)
        if payment is None:
            raise Refusal('not-found')
        if payment.organization != caller.organization and not self.violates(f'isolation-broken-on-{operation}'):
            raise Refusal('not-found')
        return payment

    def route(self, request):
        """The operation of a request and the identifier in its path."""
        path = request.path.removeprefix(self.configuration.path_prefix)
        if not request.path.startswith(self.configuration.path_prefix):
            return UNKNOWN, None
        for operation in OPERATIONS:
            if operation.method == request.method and operation.path == path:
                return operation, None
        match = re.fullmatch(r'/payments/([^/]+)/(status|events)', path)
        if match and request.method == 'GET':
            return self.operations[match[2]], unquote(match[1])
        return UNKNOWN, None

    def answer(self, request):
        """The signed answer to one request."""
        operation, identifier = self.route(request)
        try:
            outcome = self.call(request, operation, identifier)
        except Refusal as refusal:
            return self.refuse(request, refusal, operation)
        except Exception:  # a fault of ours must not end the connection
            traceback.print_exc()
            return self.refuse(request, Refusal('internal'), operation)
        finally:
            if self.settings.slow_seconds and next(self.answers) % self.settings.slow_every == 0:
                time.sleep(self.settings.slow_seconds)
        return self.finish(outcome, operation, request)

    def call(self, request, operation, identifier):
        """The way of a call: layers first, then limits, then the operation."""
        now = time.time()
        if operation.name == 'token':
            self.check_version(request)
            return tokens.issue_token(self, request, now)
        if operation.name == 'key-set' and 'guarded-key-set' not in self.variants:
            return operation.handler(self, None, None)
        caller = self.layers.admit(request, operation, now)
        self.check_version(request)
        self.check_rate(caller, now)
        if operation is UNKNOWN:
            raise Refusal('no-such-resource')
        if operation.method == 'GET':
            body = identifier if identifier is not None else request.query
        else:
            body = self.read_json(request)
        if operation.key != 'ignored':
            return self.keys.run(operation, caller, request, body)
        place = (caller.organization, operation.name, request.headers.get('idempotency-key'))
        if place in self.read_answers and self.violates(f'key-honoured-on-{operation.name}'):
            return self.read_answers[place]
        with self.lock:
            self.schedule.run_due()
            outcome = operation.handler(self, caller, body)
        if place[2] and self.planted(f'key-honoured-on-{operation.name}'):
            self.read_answers[place] = outcome
        return outcome

    def read_json(self, request):
        """The JSON object of a body."""
        if request.headers.get('content-type', '').partition(';')[0].strip().lower() != 'application/json':
            raise Refusal('invalid-input', 'Content-Type must be application/json')
        return decode_json(request.body)

    def check_version(self, request):
        """Service-Version is MAJOR.MINOR, and we serve major version 1 (section 9)."""
        version = request.headers.get('service-version')
        if version is not None and not VERSION.fullmatch(version) and not self.violates('malformed-version-served'):
            raise Refusal('invalid-input', 'This Service-Version is not served')

    def check_rate(self, caller, now):
        """Refuse the eleventh call in a second with 429, where the variant limits."""
        if self.variants & {'rate-limited', 'retry-after-date'}:
            with self.lock:
                recent = [at for at in self.recent_calls.get(caller.organization, []) if at > now - 1]
                self.recent_calls[caller.organization] = recent
                if len(recent) >= 10:
                    raise Refusal('rate-limited', headers=[('Retry-After', self.retry_after(now))])
                recent.append(now)

    def retry_after(self, now):
        """A second, as a delay or as a date."""
        return formatdate(math.ceil(now + 1), usegmt=True) if 'retry-after-date' in self.variants else '1'

    def outcome_of(self, refusal):
        """The error response of a refusal (section 7)."""
        code, status, reason = refusal.code, refusal.status, refusal.reason
        if self.violates(f'wrong-family-for-{reason}'):
            code = '7' + code[1:]
        if self.violates(f'wrong-status-for-{reason}'):
            status = 409 if status == 422 else 422
        body = self.shapes.error(code, refusal.text, secrets.token_hex(8), reason in OF_LAYERS)
        return Outcome(status, body, headers=refusal.headers)

    def refuse(self, request, refusal, operation=UNKNOWN):
        """The signed error response."""
        return self.finish(self.outcome_of(refusal), operation, request)

    def finish(self, outcome, operation, request):
        """Turn an outcome into octets and sign them (5.4)."""
        answer, violates = make_answer(self, outcome, operation, request), self.violates
        status, body, headers = answer.status, answer.body, answer.headers
        if violates(f'response-unsigned-on-{operation.name}') or status >= 400 and violates('errors-unsigned'):
            return answer
        components = {'@status': str(status), **({'content-type': answer.content_type} if answer.content_type else {})}
        spoilt = violates(f'response-wrongly-signed-on-{operation.name}')
        headers += self.signer.headers('answer', components, body, time.time(), spoilt)
        if violates('response-digest-wrong'):
            headers = [pair for pair in headers if pair[0] != 'Content-Digest']
            headers.append(('Content-Digest', 'sha-512=:' + 'A' * 86 + '==:'))
        return Answer(status, body, answer.content_type, headers)
