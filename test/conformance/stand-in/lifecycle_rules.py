"""Lifecycle rules R1, R2 and R5 as a table: which call is refused in which state."""
from dataclasses import dataclass
from typing import Callable

from requests_and_responses import Refusal
from payments import ABORTED, AUTHORIZED, AWAITING, CONSENTED, LAPSED, REFUSED, VOIDED


@dataclass(frozen=True)
class Rule:
    """A state in which an operation is refused, and the violation that would serve it.

    A rule that is our choice and not stated is no violation when it is served.
    """

    violation: str
    clause: str
    state: str
    applies: Callable
    code: str
    text: str
    stated: bool = True


def staged(*stages):
    """Applies to payments in one of the stages."""
    return lambda payment, amount: payment.stage in stages


ENDED = (
    ('cancel', 'after cancel', staged(VOIDED), 2, 'The payment was cancelled'),
    ('decline', 'after a decline', staged(ABORTED, REFUSED), 3, 'The payment was declined'),
    ('lapse', 'after a lapse', staged(LAPSED), 4, 'The payment has expired'),
)


def after_end(operation, clause, family):
    """The rules of an operation on payments that ended without money."""
    return tuple(
        Rule(f'{operation}-after-{end}', clause, state, applies, f'{family}{digit}', text)
        for end, state, applies, digit, text in ENDED
    )


NOT_YET = staged(AWAITING, CONSENTED)

RULES = {
    'finalize': (
        Rule('finalize-without-consent', '3 sequence 1', 'before consent', staged(AWAITING), '5101',
             'The payer has not approved yet'),
        *after_end('finalize', 'R5', '510'),
        Rule('finalize-twice', 'R5', 'authorized', staged(AUTHORIZED), '5105', 'The payment is authorized already'),
    ),
    'capture': (
        Rule('capture-before-authorization', '3 sequence 1', 'before authorization', NOT_YET, '5201',
             'Nothing is authorized yet'),
        *after_end('capture', 'R5', '520'),
        Rule('capture-after-refund', 'R5', 'after refund', lambda p, amount: p.refunded and p.remaining <= 0, '5205',
             'The payment was captured and refunded'),
        Rule('capture-after-settlement', 'R5', 'after settlement', lambda p, amount: p.settled and p.remaining <= 0,
             '5206', 'The payment was captured and has settled'),
        Rule('double-capture', 'R5', 'captured', lambda p, amount: p.captured and p.remaining <= 0, '5207',
             'The payment is captured already'),
        Rule('capture-above-authorization', 'R5', 'authorized', lambda p, amount: not p.captured and amount > p.amount,
             '5208', 'More than was authorized'),
        Rule('captures-summing-above', 'R5', 'partly captured', lambda p, amount: p.captured and amount > p.remaining,
             '5209', 'More than is left of the authorization'),
    ),
    'cancel': (
        Rule('cancel-before-authorization', 'R2', 'before authorization', NOT_YET, '5301',
             'There is no authorization to void', stated=False),
        *after_end('cancel', 'R5', '530'),
        Rule('cancel-after-refund', 'R2', 'after refund', lambda p, amount: p.refunded, '5305', 'The payment was refunded'),
        Rule('cancel-after-settlement', 'R2', 'after settlement', lambda p, amount: p.settled, '5306',
             'The payment has settled: refund it'),
        Rule('cancel-after-partial-capture', 'R2', 'partly captured',
             lambda p, amount: p.captured and p.remaining > 0, '5307', 'A part is captured'),
        Rule('cancel-after-capture', 'R2', 'captured', lambda p, amount: p.captured, '5308', 'The payment is captured'),
    ),
    'refund': (
        Rule('refund-before-authorization', 'R1', 'before authorization', NOT_YET, '5501', 'Nothing is authorized yet'),
        *after_end('refund', 'R1', '550'),
        Rule('refund-before-capture', 'R1', 'authorized', lambda p, amount: not p.captured, '5505',
             'Nothing is captured: cancel instead'),
        Rule('refund-before-settlement', 'R1', 'between capture and settlement', lambda p, amount: not p.settled, '5506',
             'The payment has not settled yet'),
        Rule('double-refund', 'R5', 'after refund', lambda p, amount: p.refundable <= 0, '5507',
             'All that settled is refunded'),
        Rule('refund-above-settlement', 'R1', 'after settlement', lambda p, amount: not p.refunded and amount > p.settled,
             '5508', 'More than has settled'),
        Rule('refunds-summing-above', 'R1', 'partly refunded', lambda p, amount: p.refunded and amount > p.refundable,
             '5509', 'More than is left to refund'),
    ),
}


def check(operation, payment, amount, violates, permitted=()):
    """Refuse the operation with 422 where a rule forbids it (R5)."""
    for rule in RULES[operation]:
        if rule.applies(payment, amount):
            if rule.violation in permitted or violates(rule.violation):
                return
            raise Refusal('lifecycle', rule.text, rule.code)
