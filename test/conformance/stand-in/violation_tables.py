"""The table of violations: name, clause, sentence, cell of the grid, and where it is asked."""
from lifecycle_rules import RULES
from schemes import PROVIDER_CODES

MONEY = ('initiate', 'finalize', 'charge', 'capture', 'cancel', 'refund')
READS = ('status', 'events', 'search', 'providers')
BUSINESS = (*MONEY, *READS, 'reports', 'report-download', 'mock-set')
GUARDED = ('token', *BUSINESS)
WITH_BODY = ('token', *MONEY, 'search', 'providers', 'mock-set')
SIGNED = (*GUARDED, 'key-set')
#: What a payment can change after; a cancelled one stays as it is.
BEFORE_THE_END = tuple(name for name in MONEY if name != 'cancel')
PAYMENT_BOUND = ('finalize', 'capture', 'cancel', 'refund', 'status', 'events')

#: Rules broken on one operation at a time: name, clause, sentence, operations, what the cell tells, asked in.
GRID = (
    ('certificate-not-needed', '5.1', 'Serves {} without a client certificate.', GUARDED, 'layer: mTLS',
     'layers.check_certificate'),
    ('certificate-not-compared', '5.5', 'Serves {} with the certificate of one organization for another.', GUARDED,
     'layer: mTLS', 'layers.compare'),
    ('token-unchecked', '5', 'Serves {} without a valid access token.', BUSINESS, 'layer: token', 'layers.check_token'),
    ('scope-unchecked', '5.3', 'Serves {} to a token that lacks its scope.', BUSINESS, 'layer: token', 'layers.admit'),
    ('digest-unchecked', '7.1', 'Serves {} with a Content-Digest of another body.', WITH_BODY, 'layer: signature',
     'layers.check_digest'),
    ('signature-unchecked', '5.2', 'Serves {} with no or a wrong signature.', GUARDED, 'layer: signature',
     'layers.check_signature'),
    ('signature-covers-less', '5.2', 'Serves {} with a signature over fewer components.', GUARDED, 'layer: signature',
     'layers.check_signature'),
    ('foreign-key-served', '5.2', 'Serves {} signed with a key of another organization.', GUARDED, 'layer: signature',
     'layers.compare'),
    ('expired-key-served', '5.2', 'Serves {} signed with a key past its time.', GUARDED, 'layer: signature',
     'layers.find_key'),
    ('revoked-key-served', '5.2', 'Serves {} signed with a deregistered key.', GUARDED, 'layer: signature',
     'layers.find_key'),
    ('response-unsigned', '5.4', 'Does not sign the responses of {}.', SIGNED, 'layer: response', 'service.finish'),
    ('response-wrongly-signed', '5.4', 'Signs something else than the responses of {}.', SIGNED, 'layer: response',
     'service.finish'),
    ('isolation-broken', '7.1', 'Serves {} on the payment or report of another organization.',
     (*PAYMENT_BOUND, 'search', 'reports', 'report-download'), 'role: other organization', 'service.find_payment, reading'),
    ('missing-key-served', 'I1', 'Serves {} without Idempotency-Key.', MONEY, 'key: missing', 'idempotency.read_key'),
    ('replay-runs-again', 'I3', 'Runs {} again when its key is replayed.', MONEY, 'key: replay', 'idempotency.find'),
    ('replay-shows-present-state', 'I3',
     'Answers a replay of {} with the present state, not the original result.', BEFORE_THE_END,
     'key: replay', 'idempotency.find'),
    ('changed-payload-served', 'I4', 'Answers {} with the stored result although the payload changed.', MONEY,
     'key: changed payload', 'idempotency.find'),
    ('changed-payload-runs', 'I4', 'Runs {} again for a changed payload under the same key.', MONEY,
     'key: changed payload', 'idempotency.find'),
    ('change-beside-amount-unnoticed', 'I4', 'Takes a payload of {} for the same when amount and payment are.', MONEY,
     'key: changed payload', 'idempotency.find'),
    ('racing-calls-run-twice', 'I3', 'Runs {} twice when two calls with one key race.', MONEY, 'key: race',
     'idempotency.run'),
    ('key-honoured', 'E1', 'Answers a second {} from the store because it has the same Idempotency-Key.', READS,
     'key: ignored', 'service.call'),
    ('zero-amount-served', '2.2', 'Serves {} of an amount of zero.', ('initiate', 'charge', 'capture', 'refund'),
     'input: amount', 'request_bodies.amount'),
    ('negative-amount-served', '2.2', 'Serves {} of an amount below zero.', ('initiate', 'charge', 'capture', 'refund'),
     'input: amount', 'request_bodies.amount'),
    ('client-transaction-id-not-needed', '2.1', 'Serves {} without clientTransactionId.', ('initiate',),
     'input: clientTransactionId', 'request_bodies.read_payment'),
    ('currency-unchecked', '2.2', 'Serves {} in a currency that is not the method\'s.', ('initiate', 'charge'),
     'input: currency', 'request_bodies.read_payment'),
    ('country-unchecked', '2.2', 'Serves {} for a country that is not the method\'s.', ('initiate', 'charge'),
     'input: country', 'request_bodies.read_payment'),
    ('recurring-iris-served', '1', 'Serves {} of a recurring IRIS payment.', ('initiate', 'charge'),
     'input: transactionType', 'request_bodies.read_payment'),
    ('auto-capture-ignored', '2.1', '{} only authorizes although autoCapture is true.', ('finalize', 'charge'),
     'state: autoCapture true', 'operations'),
    ('auto-capture-forced', '2.1', '{} captures although autoCapture is false.', ('finalize', 'charge'),
     'state: autoCapture false', 'operations'),
)

#: Violations with a cell of their own: name, clause, sentence, operation, what the cell tells, asked in.
SINGLE = (
    ('settled-without-capture', 'R4', 'An authorization settles although nobody captured.', 'finalize',
     'state: authorized',
     'payments.authorize'),
    ('never-settled', 'R4', 'A capture never settles.', 'capture', 'state: captured', 'payments.capture'),
    ('cancel-leaves-authorization', 'R2', 'Cancel answers success and the authorization stays.', 'cancel',
     'state: authorized', 'payments.void'),
    ('refund-not-counted', 'R1', 'A refund leaves the refunded sum as it was, so that more than settled goes back.',
     'refund', 'state: settled',
     'payments.refund'),
    ('charge-without-mandate', '1', 'Charges a payer without a mandate.', 'charge', 'state: no mandate',
     'operations.charge'),
    ('mandate-of-another-organization', '7.1', 'Charges with the mandate of another organization.', 'charge',
     'role: other organization', 'operations.charge'),
    ('charge-payer-not-needed', '2.3', 'Charges without payerId and paymentToken.', 'charge',
     'input: payerDetails', 'operations.charge'),
    ('iris-return-url-not-needed', 'E4', 'Initiates IRIS without returnUrl.', 'initiate', 'input: returnUrl',
     'operations.initiate'),
    ('iris-payer-id-not-needed', 'E4', 'Initiates IRIS without payerId.', 'initiate', 'input: payerId',
     'operations.initiate'),
    ('blik-code-not-needed', 'E4', 'Initiates BLIK without oneTimeCode.', 'initiate', 'input: oneTimeCode',
     'operations.initiate'),
    ('iris-without-redirect', 'E4', 'Initiates IRIS without a redirect URL.', 'initiate', 'response: redirect',
     'operations.decide_consent'),
    ('reused-reference-refused', '2.1', 'Refuses a reused clientTransactionId.', 'initiate',
     'input: clientTransactionId',
     'operations.initiate'),
    ('reused-reference-returns-first', '2.1', 'Answers a reused clientTransactionId with the first payment.',
     'initiate',
     'input: clientTransactionId', 'operations.initiate'),
    ('foreign-account-served', '2.7', 'Serves the processing account of another organization.', 'initiate',
     'role: other organization', 'request_bodies.read_account'),
    ('keys-shared-between-organizations', 'I3', 'One organization\'s key meets the calls of another.', 'initiate',
     'role: other organization', 'idempotency.find'),
    ('no-scope-grants-all', '5.3', 'A token asked for without scope has every scope.', 'token', 'token: default scope',
     'tokens.issue_token'),
    ('scope-widened-to-process', '5.3', 'Grants payments:process unasked.', 'token', 'token: scope',
     'tokens.issue_token'),
    ('scope-widened-to-reports', '5.3', 'Grants data:reports unasked.', 'token', 'token: scope', 'tokens.issue_token'),
    ('grant-type-unchecked', '4', 'Issues a token for another grant_type.', 'token', 'token: grant',
     'tokens.issue_token'),
    ('token-says-3600', '2.8', 'expires_in is 3600.', 'token', 'token: lifetime', 'tokens.issue_token'),
    ('refresh-lifetime-not-zero', '2.8', 'refresh_expires_in is not 0.', 'token', 'token: lifetime',
     'tokens.issue_token'),
    ('refresh-token-issued', '5.3', 'Issues a refresh token.', 'token', 'token: refresh', 'tokens.issue_token'),
    ('token-type-not-bearer', '2.8', 'token_type is not Bearer.', 'token', 'token: type', 'tokens.issue_token'),
    ('granted-scope-not-told', '2.8', 'The token response has no scope.', 'token', 'token: scope',
     'tokens.issue_token'),
    ('certificate-key-signs', '5.1', 'Serves requests signed with the key of the client certificate.', 'any',
     'layer: signature', 'layers.check_keys_differ'),
    ('errors-unsigned', '5.4', 'Does not sign error responses.', 'any', 'layer: response', 'service.finish'),
    ('response-digest-wrong', '5.4', 'Sends a Content-Digest that is not that of the response.', 'any',
     'layer: response',
     'service.finish'),
    ('malformed-version-served', '9', 'Serves a Service-Version that is not MAJOR.MINOR.', 'any',
     'input: Service-Version',
     'service.check_version'),
    ('mock-not-kept', 'E2', 'A mock that was set is never used.', 'mock-set', 'mock: match', 'mocks.set_mock'),
    ('mock-matches-any-value', 'E2', 'A mock is used for payments that do not match its value.', 'mock-set',
     'mock: no match', 'mocks.take'),
    ('mock-key-payer-id-ignored', '2.7', 'Mocks by PAYER_ID never match.', 'mock-set', 'mock: match', 'mocks.take'),
    ('mock-key-client-transaction-id-ignored', '2.7', 'Mocks by CLIENT_TRANSACTION_ID never match.', 'mock-set',
     'mock: match', 'mocks.take'),
    ('mock-of-another-account', '2.7', 'A mock is used for another processing account.', 'mock-set', 'mock: account',
     'mocks.take'),
    ('mock-of-another-organization', '7.1', 'A mock is used for another organization.', 'mock-set',
     'role: other organization', 'mocks.take'),
    ('one-time-mock-lasts', '2.7', 'A oneTime mock is used for a step again.', 'mock-set', 'mock: oneTime',
     'mocks.take'),
    ('one-time-mock-spent-by-first-step', '2.7', 'A oneTime mock is spent by its first step.', 'mock-set',
     'mock: oneTime',
     'mocks.take'),
    ('lasting-mock-used-once', '2.7', 'A mock without oneTime is used once.', 'mock-set', 'mock: lifetime',
     'mocks.take'),
    ('passthrough-overridden', 'E3', 'A PASSTHROUGH mock overrides values of the response.', 'mock-set',
     'mock: PASSTHROUGH', 'mocks.read_data'),
    ('mock-redirects', 'E3', 'A MOCK of IRIS redirects to the page.', 'initiate', 'mock: MOCK',
     'operations.decide_consent'),
    ('status-hides-capture', '4', 'Status shows a captured payment as authorized.', 'status', 'state: captured',
     'shapes.status'),
    ('status-hides-refund', '4', 'Status shows a refunded payment as settled.', 'status', 'state: refunded',
     'shapes.status'),
    ('search-ignores-filter', '4', 'Search finds payments that do not match.', 'search', 'response: matches',
     'reading.search'),
    ('search-misses-refunded', '4', 'Search does not find refunded payments.', 'search', 'state: refunded',
     'reading.search'),
    ('report-mixes-organizations', '7.1', 'A report has the payments of other organizations.', 'report-download',
     'role: other organization', 'reading.download_report'),
    ('capture-missing-in-events', '6', 'The history has no capture.', 'events', 'state: captured', 'payments.record'),
    ('settlement-missing-in-events', '6', 'The history has no settlement.', 'events', 'state: settled',
     'payments.record'),
    ('refund-missing-in-events', '6', 'The history has no refund.', 'events', 'state: refunded', 'payments.record'),
    ('events-reordered', '6', 'The history stands in the wrong order.', 'events', 'response: order', 'shapes.history'),
    ('events-doubled', '6', 'The last event stands twice in the history.', 'events', 'response: entries',
     'shapes.history'),
    ('webhooks-unsigned', '6', 'Webhooks are not signed.', 'webhook', 'layer: response', 'webhooks.headers'),
    ('webhooks-wrongly-signed', '6', 'The signature of webhooks is of something else.', 'webhook', 'layer: response',
     'webhooks.headers'),
    ('webhook-digest-wrong', '6', 'The Content-Digest of webhooks is wrong.', 'webhook', 'layer: response',
     'webhooks.headers'),
    ('webhook-kind-wrong', '6', 'Captures and refunds are told as VOIDED.', 'webhook', 'response: kind',
     'webhooks.body'),
    ('webhook-amounts-as-text', '6', 'Webhooks have amounts as text.', 'webhook', 'response: types', 'webhooks.body'),
    ('webhook-without-payment-id', '6', 'Webhooks do not name the payment.', 'webhook', 'response: members',
     'webhooks.body'),
    ('webhook-to-another-organization', '6', 'Webhooks go to another organization.', 'webhook',
     'role: other organization', 'webhooks.push'),
)

#: Refusals whose reasonCode family or HTTP status the document states: reason, clause, family, status.
STATED_REFUSALS = (
    ('certificate-missing', '7.3', '4xxx', 400),
    ('digest-mismatch', '7.1', None, 400),
    ('signature-invalid', '7.3', '4xxx', 401),
    ('token-missing', '7.3', '4970', 401),
    ('forbidden', '7.3', '4971', 403),
    ('invalid-input', '7.3', '4000', 400),
    ('not-found', '7.3', '4001', 404),
    ('key-conflict', 'I4', '3xxx', 409),
    ('lifecycle', 'R5', '5xxx', 422),
    ('unsupported', '7.3', '8003', 501),
    ('provider-error', '7.3', '8004', 502),
    ('provider-timeout', '7.2', '8xxx', 504),
    ('declined', '7.2', '1xxx', None),
)


def rows():
    """Every violation as (name, row)."""
    for rule, clause, sentence, operations, layer, asked in GRID:
        for operation in operations:
            yield f'{rule}-on-{operation}', row(clause, sentence.format(operation), asked, rule, operation, layer)
    for operation, table in RULES.items():
        for rule in (rule for rule in table if rule.stated):
            sentence = f'Serves {operation} of a payment {rule.state}: {rule.violation.replace("-", " ")}.'
            yield rule.violation, row(rule.clause, sentence, 'rules.check', 'lifecycle', operation, f'state: {rule.state}')
    for name, clause, sentence, operation, layer, asked in SINGLE:
        yield name, row(clause, sentence, asked, name, operation, layer)
    for reason, clause, family, status in STATED_REFUSALS:
        if family:
            yield f'wrong-family-for-{reason}', row(
                clause, f'A refusal for {reason} carries 7xxx instead of {family}.', 'service.outcome_of',
                'reasonCode', 'any', f'error: {reason}')
        if status:
            yield f'wrong-status-for-{reason}', row(
                '7.1', f'A refusal for {reason} has another HTTP status than {status}.', 'service.outcome_of',
                'HTTP status', 'any', f'error: {reason}')
    for (provider, code), (reason_code, _) in PROVIDER_CODES.items():
        yield f'wrong-mapping-of-{provider}-{code}'.lower(), row(
            '7.5', f'{provider}\'s {code} does not become {reason_code}.', 'schemes.map_provider_code',
            'provider code mapping', 'any', f'mock: provider_code {code}')
    for kind in ('captured', 'settled', 'refunded'):
        yield f'no-webhook-when-{kind}', row(
            '6', f'No webhook tells that a payment was {kind}.', 'webhooks.push', 'webhook sent', 'webhook',
            f'state: {kind}')


def row(clause, sentence, asked_in, rule, operation, layer):
    """One row; `where` is the layer, state, role or key of the cell."""
    return {'clause': clause, 'sentence': sentence[0].upper() + sentence[1:], 'asked_in': asked_in,
            'cell': {'rule': rule, 'operation': operation, 'where': layer}}


TABLE = dict(rows())
