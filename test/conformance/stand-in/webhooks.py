"""Webhooks: lifecycle events pushed to the merchant, signed by RFC 9421 (section 6)."""
import http.client
import queue
import ssl
import threading
import time
from urllib.parse import urlsplit

from requests_and_responses import encode_json


#: Kinds of events that are no outcome of a payment.
SILENT = ('INITIATED', 'PAYER_APPROVED', 'AUTHORIZED')


class Webhooks:
    """One queue and one thread for each organization, so that events arrive in order."""

    def __init__(self, service):
        self.service = service
        self.queues = {}
        if 'no-webhooks' in service.variants:
            return
        for organization in service.configuration.organizations.values():
            if organization.webhook_url:
                self.queues[organization.id] = queue.SimpleQueue()
                worker = threading.Thread(target=self.run, args=(organization,), daemon=True)
                worker.start()

    def push(self, payment, event):
        """Queue an event for the payment's organization; the caller holds the lock."""
        violates, target = self.service.violates, payment.organization
        if event['kind'] in SILENT and 'outcomes-pushed-alone' in self.service.variants:
            return
        if event['kind'] in ('CAPTURED', 'SETTLED', 'REFUNDED') and violates(f'no-webhook-when-{event["kind"].lower()}'):
            return
        others = [name for name in self.queues if name != target]
        if others and violates('webhook-to-another-organization'):
            target = others[0]
        if target in self.queues:
            self.queues[target].put(self.body(payment, event))

    def body(self, payment, event):
        """The notification of one event."""
        violates, shapes = self.service.violates, self.service.shapes
        shown = shapes.payment(payment)
        if violates('webhook-amounts-as-text'):
            shown['money'] = {name: str(value) for name, value in shown['money'].items()}
        if violates('webhook-without-payment-id'):
            del shown['transaction_id']
        kind = event['kind']
        if kind in ('CAPTURED', 'REFUNDED') and violates('webhook-kind-wrong'):
            kind = 'VOIDED'
        notification = {'id': self.service.make_id('ntf'), 'kind': kind, 'at': shapes.time(event['at'])}
        if 'amount' in event:
            notification['minor_units'] = event['amount']
        return encode_json(shapes.dress({'notification': notification, 'payment': shown}))

    def run(self, organization):
        """The loop of one organization's thread."""
        while True:
            body = self.queues[organization.id].get()
            for wait in (*self.service.settings.webhook_retry_seconds, None):
                if self.deliver(organization.webhook_url, body) or wait is None:
                    break
                time.sleep(wait)

    def headers(self, url, body):
        """The headers of a delivery with its signature."""
        violates, parts = self.service.violates, urlsplit(url)
        path = parts.path or '/'
        components = {
            '@method': 'POST',
            '@authority': parts.netloc.lower(),
            '@path': path,
            'content-type': 'application/json',
        }
        headers = {'Content-Type': 'application/json'}
        if not violates('webhooks-unsigned'):
            spoilt = violates('webhooks-wrongly-signed')
            headers.update(self.service.signer.headers('notify', components, body, time.time(), spoilt))
        if violates('webhook-digest-wrong'):
            headers['Content-Digest'] = 'sha-512=:' + 'A' * 86 + '==:'
        return headers

    def deliver(self, url, body):
        """One attempt; whether the merchant answered 2xx."""
        parts = urlsplit(url)
        target = (parts.path or '/') + (f'?{parts.query}' if parts.query else '')
        try:
            if parts.scheme == 'https':
                context = ssl.create_default_context(cafile=self.service.configuration.webhook_ca)
                connection = http.client.HTTPSConnection(parts.netloc, timeout=5, context=context)
            else:
                connection = http.client.HTTPConnection(parts.netloc, timeout=5)
            try:
                connection.request('POST', target, body, self.headers(url, body))
                return 200 <= connection.getresponse().status < 300
            finally:
                connection.close()
        except (OSError, http.client.HTTPException):
            return False
