"""Mocks of the sandbox: set by the merchant, matched by payments (2.7, E2, E3)."""
import time
from dataclasses import dataclass, field

from requests_and_responses import Outcome, Refusal
from payments import make_id
from request_bodies import Members, is_url, read_account
from schemes import METHODS, PROVIDER_CODES, SCENARIOS, STEPS, STEPS_OF_SCENARIO

OVERRIDES = ('providerTransactionId', 'redirectUrl', 'registeredAt', 'expiresAt')


@dataclass
class Step:
    """What a mock says about one step of a payment."""

    type: str = 'PASSTHROUGH'
    scenario: str = 'OK'
    provider_code: str | None = None
    status: str | None = None
    status_info: dict | None = None
    data: dict = field(default_factory=dict)


@dataclass
class Mock:
    """One mock configuration in force."""

    id: str
    organization: str
    account: str
    key_type: str
    key_value: str
    type: str
    scenario: str
    one_time: bool
    steps: dict
    data: dict
    expires_at: float
    used: set = field(default_factory=set)

    def step(self, name):
        """The mock's word on a step."""
        own = self.steps.get(name, {})
        whole = self.scenario if name in STEPS_OF_SCENARIO[self.scenario] else 'OK'
        data = {**(self.data if name in ('initiate', 'charge') else {}), **own.get('data', {})}
        return Step(self.type, own.get('scenario', whole), own.get('provider_code'), own.get('status'),
                    own.get('statusInfo'), data)


class Mocks:
    """The mocks of all organizations; the one set last wins."""

    def __init__(self, service):
        self.service = service
        self.mocks = []

    def add(self, mock):
        """Put a mock in force in place of one with the same key."""
        place = ('organization', 'account', 'key_type', 'key_value')
        same = [tuple(getattr(mock, name) for name in place)]
        self.mocks = [old for old in self.mocks if tuple(getattr(old, name) for name in place) not in same]
        self.mocks.insert(0, mock)

    def take(self, organization, account, payer_id, reference, step):
        """The mock's word on this step of this payment, or None (E2)."""
        violates, now = self.service.violates, time.time()
        for key_type, value in (('CLIENT_TRANSACTION_ID', reference), ('PAYER_ID', payer_id)):
            for mock in self.mocks:
                if mock.expires_at <= now or mock.key_type != key_type:
                    continue
                if mock.organization != organization and not violates('mock-of-another-organization'):
                    continue
                if mock.key_value != value and not violates('mock-matches-any-value'):
                    continue
                if mock.account != account and mock.organization == organization and not violates('mock-of-another-account'):
                    continue
                if violates(f'mock-key-{key_type}-ignored'.lower().replace('_', '-')):
                    continue
                if mock.one_time and step in mock.used and not violates('one-time-mock-lasts'):
                    continue
                if mock.used and not mock.one_time and violates('lasting-mock-used-once'):
                    continue
                if mock.one_time and mock.used and violates('one-time-mock-spent-by-first-step'):
                    continue
                mock.used.add(step)
                return mock.step(step)
        return None


def read_data(members, service, passthrough):
    """The overrides of one step."""
    data = members.object('data')
    found = {name: data.text(name) for name in OVERRIDES}
    found = {name: value for name, value in found.items() if value is not None}
    if found.get('redirectUrl') and not is_url(found['redirectUrl']):
        raise Refusal('invalid-input', 'data.redirectUrl must be a URL')
    data.end()
    if found and passthrough:
        if service.violates('passthrough-overridden'):
            return found
        if 'passthrough-data-ignored' not in service.variants:
            raise Refusal('invalid-input', 'A PASSTHROUGH mock overrides no values')
        return {}
    return found


def read_step(members, service, passthrough):
    """One member of `steps`."""
    step = {name: members.text(name) for name in ('status', 'provider_code')}
    step['scenario'] = members.choice('scenario', SCENARIOS, False)
    info = members.get('statusInfo')
    if info is not None and not isinstance(info, dict):
        raise Refusal('invalid-input', 'statusInfo must be an object')
    step['statusInfo'] = info
    if step['provider_code'] and not any((method, step['provider_code']) in PROVIDER_CODES for method in METHODS):
        raise Refusal('invalid-input', 'provider_code is unknown')
    if passthrough and (step['status'] or info):
        raise Refusal('invalid-input', 'A PASSTHROUGH mock overrides no values')
    step['data'] = read_data(members, service, passthrough)
    members.end()
    return {name: value for name, value in step.items() if value}


def set_mock(service, caller, body):
    """POST /mock/set."""
    if service.configuration.environment != 'sandbox':
        raise Refusal('no-such-resource', 'Mocks exist only in the sandbox')
    members = Members(body, 'body', service)
    account = read_account(members, service, caller.organization, True)
    key = members.object('key', True)
    key_type = key.choice('type', ('PAYER_ID', 'CLIENT_TRANSACTION_ID'))
    key_value = key.text('value', True)
    type_ = members.choice('type', ('MOCK', 'PASSTHROUGH'))
    scenario = members.choice('scenario', SCENARIOS, False) or 'OK'
    one_time = members.flag('oneTime') or False
    passthrough = type_ == 'PASSTHROUGH'
    data = read_data(members, service, passthrough)
    steps_members = members.object('steps')
    steps = {}
    for name in list(steps_members.value):
        if name not in STEPS:
            raise Refusal('invalid-input', f'The step {name} is unknown')
        steps[name] = read_step(steps_members.object(name), service, passthrough)
    for part in (members, key):
        part.end()
    until = time.time() + service.settings.mock_seconds
    mock = Mock(make_id('mock'), caller.organization, account, key_type, key_value, type_, scenario, one_time, steps,
                data, until)
    if not service.violates('mock-not-kept'):
        service.mocks.add(mock)
    return Outcome(200, {'mock': {'mock_id': mock.id, 'until': service.shapes.time(until), 'one_time': one_time,
                                  'steps': sorted(steps)}})
