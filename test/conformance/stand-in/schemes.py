"""The two payment methods, the test codes of BLIK and the provider codes of 7.5."""

METHODS = {
    'BLIK': {'country': 'PL', 'currency': 'PLN', 'types': ('ONE_TIME', 'RECURRING', 'TOKEN_ONLY')},
    'IRIS': {'country': 'GR', 'currency': 'EUR', 'types': ('ONE_TIME',)},
}

#: What becomes of a BLIK payment with one of these codes; any other code waits for a payer who never comes.
TEST_CODES = {
    '777001': 'OK',
    '777002': 'PAYER_CANCELLED',
    '777003': 'SESSION_EXPIRED',
    '777004': 'INVALID_CODE',
    '777005': 'INSUFFICIENT_FUNDS',
    '777006': 'PROVIDER_ERROR',
    '777007': 'PROVIDER_TIMEOUT',
}

SCENARIOS = ('OK', 'PAYER_CANCELLED', 'SESSION_EXPIRED', 'INSUFFICIENT_FUNDS', 'PROVIDER_ERROR', 'PROVIDER_TIMEOUT')

#: The steps at which a scenario for the whole payment shows.
STEPS_OF_SCENARIO = {
    'OK': (),
    'PAYER_CANCELLED': ('initiate', 'charge'),
    'SESSION_EXPIRED': ('initiate', 'charge'),
    'INSUFFICIENT_FUNDS': ('finalize', 'charge'),
    'PROVIDER_ERROR': ('initiate', 'charge'),
    'PROVIDER_TIMEOUT': ('finalize', 'charge'),
}

STEPS = ('initiate', 'finalize', 'charge', 'capture', 'cancel', 'refund')

#: 7.5: provider and its code, the reasonCode, and the reason in our table of refusals.
PROVIDER_CODES = {
    ('BLIK', '3001'): ('4000', 'invalid-input'),
    ('BLIK', '3002'): ('2001', 'payer-cancelled'),
    ('BLIK', '3003'): ('2000', 'session-expired'),
    ('BLIK', '3004'): ('8003', 'unsupported'),
    ('IRIS', 'DMSP1000'): ('8004', 'provider-error'),
    ('IRIS', 'DMSP1003'): ('4001', 'not-found'),
    ('IRIS', 'DMSP1010'): ('8004', 'provider-error'),
    ('IRIS', 'DMSP1104'): ('4000', 'invalid-input'),
    ('IRIS', 'DMSP1109'): ('4000', 'invalid-input'),
    ('IRIS', 'DMSP1112'): ('4000', 'invalid-input'),
    ('IRIS', 'DMSP1120'): ('3001', 'duplicate-reference'),
    ('IRIS', 'DMSP1140'): ('4971', 'forbidden'),
    ('IRIS', 'TIMEOUT'): ('2000', 'session-expired'),
    ('IRIS', 'AUTHORISINGPARTYABORTED'): ('2001', 'payer-cancelled'),
}

#: How each scheme says what its payer did.
PAYER_CODES = {
    ('payer-said-no', 'BLIK'): '3002',
    ('payer-was-late', 'BLIK'): '3003',
    ('payer-said-no', 'IRIS'): 'AUTHORISINGPARTYABORTED',
    ('payer-was-late', 'IRIS'): 'TIMEOUT',
}

SCENARIO_REASONS = {
    'PAYER_CANCELLED': 'payer-cancelled',
    'SESSION_EXPIRED': 'session-expired',
    'INSUFFICIENT_FUNDS': 'declined',
    'PROVIDER_ERROR': 'provider-error',
    'PROVIDER_TIMEOUT': 'provider-timeout',
}

WRONG_CODES = {'4000': '8004', '2001': '2000', '2000': '2001', '8003': '5000', '8004': '9000', '4001': '4000',
               '3001': '4000', '4971': '4000'}


def map_provider_code(provider, code, violates):
    """The reasonCode of a provider's code (7.5)."""
    reason_code, reason = PROVIDER_CODES[provider, code]
    if violates(f'wrong-mapping-of-{provider}-{code}'.lower()):
        reason_code = WRONG_CODES[reason_code]
    return reason_code, reason
