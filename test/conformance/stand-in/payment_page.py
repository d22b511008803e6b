"""The page at which a shopper approves an IRIS payment, served without client certificate."""
import html
from urllib.parse import parse_qs, urlencode

from requests_and_responses import Answer, encode_json
from payments import AWAITING

BANKS = {'olive': 'Olive Bank', 'harbour': 'Harbour Savings', 'meridian': 'Meridian Bank'}

PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Pay {amount}</title></head>
<body><main><h1>Pay {amount}</h1>
<form method="post">
<label for="bank">Your bank</label>
<select id="bank" name="bank" required><option value="">Please choose</option>{banks}</select>
<button name="decision" value="pay">Pay</button>
<button name="decision" value="cancel">Cancel</button>
</form></main></body></html>"""


class PaymentPage:
    """GET and POST /pay/{secret}, and the counters at /__hits."""

    def __init__(self, service):
        self.service = service

    def answer(self, request):
        """The answer to a browser."""
        if request.path == '/__hits' and request.method == 'GET':
            violates = self.service.violates
            return Answer(200, encode_json({'violations': violates.active, 'hits': violates.counts()}))
        secret = request.path.removeprefix('/pay/')
        with self.service.lock:
            self.service.schedule.run_due()
            payment = self.service.by_page.get(secret)
            if payment is None or request.method not in ('GET', 'POST'):
                return self.text(404, 'There is no such page')
            if payment.stage != AWAITING:
                return self.text(410, 'This payment is over')
            if request.method == 'GET':
                if 'attempts-in-events' in self.service.variants:
                    self.service.lifecycle.record(payment, 'PAGE_OPENED')
                return self.form(payment)
            fields = parse_qs(request.body.decode('utf-8', 'replace'))
            bank, decision = (fields.get(name, [''])[0] for name in ('bank', 'decision'))
            if bank not in BANKS or decision not in ('pay', 'cancel'):
                return self.form(payment, 400)
            return self.decide(payment, decision)

    def decide(self, payment, decision):
        """What the shopper chose, or what a PASSTHROUGH mock prepared, happens; back to the merchant."""
        lifecycle = self.service.lifecycle
        if decision == 'cancel' or payment.prepared == 'PAYER_CANCELLED':
            lifecycle.abort(payment)
        elif payment.prepared == 'SESSION_EXPIRED':
            lifecycle.lapse(payment)
        else:
            lifecycle.consent(payment)
        mark = '&' if '?' in (payment.return_url or '') else '?'
        location = f'{payment.return_url or "about:blank"}{mark}{urlencode({"payment": payment.id})}'
        return Answer(303, b'', 'text/html; charset=utf-8', [('Location', location)])

    def form(self, payment, status=200):
        """The page itself."""
        amount = f'{payment.amount / 100:.2f} {payment.currency}'
        banks = ''.join(f'<option value="{key}">{html.escape(name)}</option>' for key, name in BANKS.items())
        return self.text(status, PAGE.format(amount=html.escape(amount), banks=banks))

    def text(self, status, page):
        """A page of HTML."""
        return Answer(status, page.encode(), 'text/html; charset=utf-8', [('Cache-Control', 'no-store')])

    def refuse(self, request, refusal):
        """What is not HTTP."""
        return self.text(refusal.status, 'Bad request')
