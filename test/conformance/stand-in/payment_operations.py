"""The operations that move a payment: initiate, finalize, charge, capture, cancel, refund."""
import time

import lifecycle_rules
import schemes
from requests_and_responses import Outcome, Refusal
from mocks import Step
from payments import ABORTED, CONSENTED, LAPSED, REFUSED, Payment
from request_bodies import need, read_action, read_payment

#: How long a payment is locked after a write.
LOCKED_SECONDS = 0.3
STAGES_OF_REASONS = {'declined': REFUSED, 'payer-cancelled': ABORTED, 'session-expired': LAPSED}


def new_payment(service, caller, facts):
    """A payment with these facts, not yet kept."""
    given = ('account', 'client_transaction_id', 'transaction_type', 'provider', 'amount', 'currency', 'country',
             'auto_capture', 'payer_id', 'description', 'metadata', 'return_url')
    return Payment(service.make_id('pay'), caller.organization, **{name: facts[name] for name in given})


def take_mock(service, payment, step):
    """The mock's word on a step of a payment, if one matches."""
    if service.configuration.environment != 'sandbox':
        return None
    return service.mocks.take(payment.organization, payment.account, payment.payer_id, payment.client_transaction_id, step)


def show_scheme(service, payment, step):
    """Put the scheme's answer, or the mock's overrides, on the payment."""
    payment.scheme = {'scheme_id': service.make_id('sch'), 'registered_at': time.time()}
    if step is None:
        return
    names = {'providerTransactionId': 'scheme_id', 'registeredAt': 'registered_at', 'expiresAt': 'expires_at'}
    payment.scheme.update({names[name]: value for name, value in step.data.items() if name in names})
    if step.status:
        payment.scheme['status'] = step.status
    if step.status_info:
        payment.scheme['statusInfo'] = step.status_info


def failure_of(service, payment, step):
    """The reasonCode and reason with which a step fails, or None."""
    if step and (payment.provider, step.provider_code) in schemes.PROVIDER_CODES:
        return schemes.map_provider_code(payment.provider, step.provider_code, service.violates)
    scenario = step.scenario if step else payment.prepared
    return (None, schemes.SCENARIO_REASONS[scenario]) if scenario in schemes.SCENARIO_REASONS else None


def perform(service, payment, operation, step, act, outcome):
    """Do what the scheme or the mock lets happen, and return the outcome."""
    failure = failure_of(service, payment, step)
    if failure is None:
        act()
        return outcome()
    code, reason = failure
    if reason == 'provider-timeout':
        act()
        raise Refusal(reason, code=code, happened=outcome())
    refusal = Refusal(reason, code=code)
    if reason in STAGES_OF_REASONS and operation in ('finalize', 'charge'):
        service.lifecycle.end(payment, STAGES_OF_REASONS[reason], refusal.code, refusal.text)
        if 'declines-in-body' in service.variants:
            return outcome()
    raise refusal


def initiate(service, caller, body):
    """POST /payments/initiate (2.1, E4)."""
    facts = read_payment(body, service, caller, 'initiate')
    if facts['provider'] == 'IRIS':
        need(service, facts['return_url'], 'iris-return-url-not-needed', 'body.returnUrl is missing')
        need(service, facts['payer_id'], 'iris-payer-id-not-needed', 'body.payerDetails.payerId is missing')
    else:
        need(service, facts['one_time_code'], 'blik-code-not-needed', 'body.payerDetails.oneTimeCode is missing')
    earlier = service.by_reference.get((caller.organization, facts['client_transaction_id']))
    if earlier:
        if service.violates('reused-reference-refused'):
            raise Refusal('duplicate-reference')
        if service.violates('reused-reference-returns-first'):
            return Outcome(201, service.shapes.started(earlier[0]))
    payment = new_payment(service, caller, facts)
    step = take_mock(service, payment, 'initiate')
    show_scheme(service, payment, step)
    code = schemes.TEST_CODES.get(facts['one_time_code']) if payment.provider == 'BLIK' and step is None else None
    if code == 'INVALID_CODE':
        reason_code, reason = schemes.map_provider_code('BLIK', '3001', service.violates)
        raise Refusal(reason, 'The code is invalid or has expired', reason_code)
    failure = failure_of(service, payment, step)
    reason = failure[1] if failure else None
    if failure and reason not in ('payer-cancelled', 'session-expired', 'provider-timeout'):
        raise Refusal(reason, code=failure[0])
    service.keep(payment)
    service.lifecycle.await_payer(payment)
    decide_consent(service, payment, step, code, failure)
    status = 200 if 'initiate-answers-200' in service.variants else 201
    outcome = Outcome(status, service.shapes.started(payment), lambda: service.shapes.started(payment))
    if reason == 'provider-timeout':
        raise Refusal(reason, happened=outcome)
    return outcome


def decide_consent(service, payment, step, code, failure):
    """Let the payer approve, refuse or miss the payment, or send the payer to the page."""
    page = f'{service.page_base}/pay/{payment.page_secret}'
    mocked = step is not None and step.type == 'MOCK'
    if payment.provider == 'IRIS' and not mocked:
        outcomes = {'payer-cancelled': 'PAYER_CANCELLED', 'session-expired': 'SESSION_EXPIRED'}
        payment.prepared = outcomes.get(failure[1], 'OK') if failure else 'OK'
        if not service.violates('iris-without-redirect'):
            payment.redirect_url = page
        if step and step.data.get('redirectUrl'):
            payment.redirect_url = step.data['redirectUrl']
        return
    if mocked:
        payment.redirect_url = step.data.get('redirectUrl')
        if payment.provider == 'IRIS' and not payment.redirect_url and service.violates('mock-redirects'):
            payment.redirect_url = page
            return
    what = failure[1] if failure else code or ('OK' if step else None)
    if what in ('payer-cancelled', 'PAYER_CANCELLED'):
        service.lifecycle.abort(payment)
    elif what in ('session-expired', 'SESSION_EXPIRED'):
        service.lifecycle.lapse(payment)
    elif what is not None:
        payment.prepared = code or 'OK'
        service.lifecycle.consent(payment)


def check(service, operation, payment, amount):
    """Refuse what the rules of the lifecycle forbid, and what comes too soon where a variant locks."""
    if 'locked-for-a-moment' in service.variants and payment.written_at > time.time() - LOCKED_SECONDS:
        raise Refusal('locked')
    try:
        lifecycle_rules.check(operation, payment, amount, service.violates, service.variants)
    except Refusal:
        if 'attempts-in-events' in service.variants:
            service.lifecycle.record(payment, 'ATTEMPT_REFUSED')
        raise
    payment.written_at = time.time()


def finalize(service, caller, body):
    """POST /payments/finalize: authorizes, and captures when autoCapture is true."""
    transaction_id, _ = read_action(body, service, 'finalize')
    payment = service.find_payment(transaction_id, caller, 'finalize')
    check(service, 'finalize', payment, None)
    step = take_mock(service, payment, 'finalize')
    auto_capture = payment.auto_capture
    if auto_capture and service.violates('auto-capture-ignored-on-finalize'):
        auto_capture = False
    elif not auto_capture and service.violates('auto-capture-forced-on-finalize'):
        auto_capture = True
    return perform(
        service, payment, 'finalize', step,
        lambda: service.lifecycle.authorize(payment, auto_capture),
        lambda: Outcome(200, service.shapes.authorized(payment), lambda: service.shapes.authorized(payment)),
    )


def charge(service, caller, body):
    """POST /payments/charge: authorizes with a mandate, no payer present (2.5)."""
    if 'no-charge' in service.variants:
        raise Refusal('unsupported', 'Charges are not offered')
    facts = read_payment(body, service, caller, 'charge')
    named = facts['payer_id'] or facts['payment_token']
    need(service, named, 'charge-payer-not-needed', 'body.payerDetails needs payerId or paymentToken')
    holders = service.mandates.find(facts['payer_id'], facts['payment_token'])
    if named and (caller.organization, facts['provider']) not in holders:
        violation = 'mandate-of-another-organization' if holders else 'charge-without-mandate'
        need(service, False, violation, 'There is no valid mandate', 'no-mandate')
    payment = new_payment(service, caller, facts)
    step = take_mock(service, payment, 'charge')
    show_scheme(service, payment, step)
    failure = failure_of(service, payment, step)
    if failure and failure[1] not in (*STAGES_OF_REASONS, 'provider-timeout'):
        raise Refusal(failure[1], code=failure[0])
    payment.stage = CONSENTED
    service.keep(payment)
    service.lifecycle.record(payment, 'INITIATED')
    auto_capture = payment.auto_capture
    if auto_capture and service.violates('auto-capture-ignored-on-charge'):
        auto_capture = False
    elif not auto_capture and service.violates('auto-capture-forced-on-charge'):
        auto_capture = True
    return perform(
        service, payment, 'charge', step,
        lambda: service.lifecycle.authorize(payment, auto_capture),
        lambda: Outcome(201, service.shapes.authorized(payment), lambda: service.shapes.authorized(payment)),
    )


def move(service, caller, body, operation, choose_amount, act):
    """What capture, cancel and refund have in common."""
    transaction_id, asked = read_action(body, service, operation)
    payment = service.find_payment(transaction_id, caller, operation)
    amount = choose_amount(payment) if asked is None else asked
    check(service, operation, payment, amount)
    check_capabilities(service, payment, operation, amount)
    step = take_mock(service, payment, operation)
    move_id = service.make_id(operation[:3])
    return perform(
        service, payment, operation, step or Step(),
        lambda: act(payment, amount),
        lambda: Outcome(200, service.shapes.moved(payment, operation, move_id, amount),
                        lambda: service.shapes.moved(payment, operation, move_id, amount)),
    )


def check_capabilities(service, payment, operation, amount):
    """Refuse with 501 what this deployment's schemes do not offer."""
    variants = service.variants
    partial = 0 < amount < (payment.amount if operation == 'capture' else payment.settled)
    if operation == 'capture' and partial and 'full-captures-only' in variants:
        raise Refusal('unsupported', 'Captures are of the full amount')
    if operation == 'capture' and payment.captured and 'one-capture-only' in variants:
        raise Refusal('unsupported', 'One capture is offered')
    if operation == 'refund' and partial and 'full-refunds-only' in variants:
        raise Refusal('unsupported', 'Refunds are of the full amount')


def capture(service, caller, body):
    """POST /payments/capture."""
    if 'no-manual-capture' in service.variants:
        raise Refusal('unsupported', 'Captures by hand are not offered')
    return move(service, caller, body, 'capture', lambda payment: payment.remaining or payment.amount,
                service.lifecycle.capture)


def cancel(service, caller, body):
    """POST /payments/cancel: voids an authorization that is not captured (R2)."""
    return move(service, caller, body, 'cancel', lambda payment: payment.amount,
                lambda payment, amount: service.lifecycle.void(payment))


def refund(service, caller, body):
    """POST /payments/refund: gives settled money back (R1)."""
    return move(service, caller, body, 'refund', lambda payment: payment.refundable or payment.amount,
                service.lifecycle.refund)
