"""From an outcome to the octets of an answer, as the variants of this deployment have them."""
import gzip

from requests_and_responses import Answer, Outcome, encode_json

#: Operations that answer 204, and where lists are, in variants.
WITHOUT_BODY = ('finalize', 'capture', 'cancel', 'refund', 'mock-set')
LISTS = {'events': 'history', 'search': 'matches', 'providers': 'providers', 'reports': 'reports'}


def make_answer(service, outcome, operation, request):
    """The unsigned answer to a request."""
    variants = service.variants
    if 'acts-answer-204' in variants:
        outcome = without_body(outcome, operation)
    body, headers = octets(service, outcome, operation), list(outcome.headers)
    if 'gzip-answers' in variants and 'gzip' in request.headers.get('accept-encoding', 'gzip'):
        body = gzip.compress(body)
        headers.append(('Content-Encoding', 'gzip'))
    return Answer(outcome.status, body, media_type(outcome, 'http-manners' in variants), headers)


def without_body(outcome, operation):
    """What is answered where the acts themselves answer nothing."""
    if outcome.status < 300 and operation.name in WITHOUT_BODY:
        return Outcome(204, b'', content_type='')
    return Outcome(202, outcome.body) if outcome.status == 201 else outcome


def media_type(outcome, manners):
    """The Content-Type of an answer."""
    if not manners or not outcome.content_type:
        return outcome.content_type
    return ('application/problem+json' if outcome.status >= 400 else outcome.content_type) + '; charset=utf-8'


def octets(service, outcome, operation):
    """The body of an answer."""
    body = outcome.body
    if isinstance(body, bytes):
        return body
    if 'bare-lists' in service.variants and outcome.status < 300 and operation.name in LISTS:
        body = body[LISTS[operation.name]]
    return encode_json(body if operation.name in ('token', 'key-set') else service.shapes.dress(body))
