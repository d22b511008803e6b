"""Reading request bodies: those of section 2 and our own for what the document leaves open."""
import re
from urllib.parse import urlsplit

from requests_and_responses import Refusal
from schemes import METHODS

TEXT_OCTETS = 512


class Members:
    """An object of a request body, read member by member."""

    def __init__(self, value, place, service):
        if not isinstance(value, dict):
            raise Refusal('invalid-input', f'{place} must be an object')
        self.value, self.place, self.service, self.read = value, place, service, set()

    def get(self, name, needed=False):
        """A member, or None when it is absent or null."""
        self.read.add(name)
        value = self.value.get(name)
        if value is None and needed:
            raise Refusal('invalid-input', f'{self.place}.{name} is missing')
        return value

    def text(self, name, needed=False, pattern=None):
        """A string member that is not empty."""
        value = self.get(name, needed)
        if value is None:
            return None
        if not isinstance(value, str) or not value.strip() or len(value) > TEXT_OCTETS:
            raise Refusal('invalid-input', f'{self.place}.{name} must be a text')
        if pattern and not re.fullmatch(pattern, value, re.ASCII):
            raise Refusal('invalid-input', f'{self.place}.{name} has not the right form')
        return value

    def flag(self, name):
        """A boolean member or None."""
        value = self.get(name)
        if value is not None and not isinstance(value, bool):
            raise Refusal('invalid-input', f'{self.place}.{name} must be true or false')
        return value

    def choice(self, name, values, needed=True):
        """A string member out of some values."""
        value = self.get(name, needed)
        if value is not None and not (isinstance(value, str) and value in values):
            raise Refusal('invalid-input', f'{self.place}.{name} is unknown')
        return value

    def amount(self, name, operation, needed=False):
        """An integer of minor units above zero (2.2)."""
        value = self.get(name, needed)
        if value is None:
            return None
        if not isinstance(value, int) or isinstance(value, bool) or value > 10**12:
            raise Refusal('invalid-input', f'{self.place}.{name} must be an integer of minor units')
        violates = self.service.violates
        if value == 0 and not violates(f'zero-amount-served-on-{operation}'):
            raise Refusal('invalid-input', 'The amount must be greater than zero')
        if value < 0 and not violates(f'negative-amount-served-on-{operation}'):
            raise Refusal('invalid-input', 'The amount must be greater than zero')
        return value

    def object(self, name, needed=False):
        """A member that is an object; an absent one reads as empty."""
        value = self.get(name, needed)
        return Members({} if value is None else value, f'{self.place}.{name}', self.service)

    def texts(self, name):
        """A member that is an object of strings."""
        value = self.get(name) or {}
        if not isinstance(value, dict) or any(not isinstance(text, str) for text in value.values()):
            raise Refusal('invalid-input', f'{self.place}.{name} must be an object of strings')
        return value

    def end(self):
        """Refuse members that nobody read, where the variant wishes it."""
        unknown = set(self.value) - self.read
        if unknown and 'unknown-members-refused' in self.service.variants:
            raise Refusal('invalid-input', f'{self.place}.{sorted(unknown)[0]} is unknown')


def read_account(members, service, organization, needed):
    """The processing account, which must be the caller's."""
    account = members.text('processingAccountId', needed)
    if account is None:
        return service.configuration.organizations[organization].accounts[0]
    if account not in service.configuration.organizations[organization].accounts:
        if not service.violates('foreign-account-served'):
            raise Refusal('forbidden', 'The processing account is not yours')
    return account


def need(service, condition, violation, text, reason='invalid-input'):
    """Refuse unless the condition holds or the violation is on."""
    if not condition and not service.violates(violation):
        raise Refusal(reason, text)


def read_payment(body, service, caller, operation):
    """The facts of a new payment from the body of initiate (2.1) or charge (2.5)."""
    members = Members(body, 'body', service)
    facts = {'account': read_account(members, service, caller.organization, operation == 'initiate')}
    form = '[A-Za-z0-9-]{1,35}' if 'short-references' in service.variants else None
    reference = members.text('clientTransactionId', pattern=form)
    need(service, reference, f'client-transaction-id-not-needed-on-{operation}', 'body.clientTransactionId is missing')
    facts['client_transaction_id'] = reference or 'none'
    types = ('ONE_TIME', 'RECURRING', 'TOKEN_ONLY') if operation == 'initiate' else ('RECURRING',)
    facts['transaction_type'] = members.choice('transactionType', types)
    provider = members.object('providerDetails', True)
    facts['provider'] = provider.choice('providerId', METHODS)
    method = METHODS[facts['provider']]
    if 'blik-only' in service.variants and facts['provider'] != 'BLIK':
        raise Refusal('unsupported', 'This method is not offered')
    need(service, facts['transaction_type'] in method['types'], f'recurring-iris-served-on-{operation}',
         f'{facts["provider"]} has no {facts["transaction_type"]} payments', 'unsupported')
    details = members.object('paymentDetails', True)
    facts['amount'] = details.amount('amount', operation, True)
    facts['currency'] = details.text('currency', True)
    facts['country'] = details.text('country', True)
    facts['description'] = details.text('description')
    need(service, facts['currency'] == method['currency'], f'currency-unchecked-on-{operation}', 'Not its currency')
    need(service, facts['country'] == method['country'], f'country-unchecked-on-{operation}', 'Not its country')
    place = members if 'auto-capture-at-top' in service.variants else details
    wished = place.flag('autoCapture')
    facts['auto_capture'] = bool({'auto-capture-by-default', 'no-manual-capture'} & service.variants) if wished is None else wished
    payer = members.object('payerDetails', True)
    facts['payer_id'] = payer.text('payerId', pattern=form)
    facts['payment_token'] = payer.text('paymentToken')
    facts['one_time_code'] = payer.text('oneTimeCode', pattern='[0-9]{6}')
    facts['metadata'] = members.texts('metadata')
    context = members.object('requestContext')
    for name in ('ipAddress', 'userAgent', 'channel', 'deviceId', 'locale'):
        context.text(name)
    facts['return_url'] = members.text('returnUrl')
    if facts['return_url'] and not is_url(facts['return_url']):
        raise Refusal('invalid-input', 'body.returnUrl must be a URL')
    for part in (members, provider, details, payer, context):
        part.end()
    return facts


def is_url(text):
    """Whether a text is an absolute http or https URL."""
    try:
        parts = urlsplit(text)
        return parts.scheme in ('http', 'https') and bool(parts.hostname) and text.isprintable() and ' ' not in text
    except ValueError:
        return False


def read_action(body, service, operation):
    """The payment's id and the amount of finalize, capture, cancel or refund, in our own shape."""
    members = Members(body, 'body', service)
    transaction_id = members.text('transaction_id', True)
    amount = None
    if operation in ('capture', 'refund'):
        part = members.object(operation)
        amount = part.amount('minor_units', operation)
        part.text('note')
        part.end()
    else:
        members.text('note')
    members.end()
    return transaction_id, amount


def read_search(body, service):
    """The filter and the page of a search, in our own shape."""
    members = Members(body, 'body', service)
    filter_ = members.object('filter')
    page = members.object('page')
    wanted = {name: filter_.text(name) for name in ('client_transaction_id', 'transaction_id', 'state', 'provider')}
    size, start = page.get('size'), page.get('start')
    for number in (size, start):
        if number is not None and (not isinstance(number, int) or isinstance(number, bool) or not 0 <= number <= 10**6):
            raise Refusal('invalid-input', 'body.page has numbers from 0')
    for part in (members, filter_, page):
        part.end()
    return {name: value for name, value in wanted.items() if value}, min(size or 50, 200), start or 0
