"""What passes between the layers: requests, answers, outcomes and refusals."""
import json
from dataclasses import dataclass, field

#: Every reason for a refusal: its reasonCode (7.3, own codes where silent) and HTTP status (7.1).
REASONS = {
    'invalid-input': ('4000', 400, 'The request is not valid'),
    'not-found': ('4001', 404, 'There is no such payment'),
    'no-such-resource': ('4004', 404, 'There is no such resource'),
    'key-missing': ('4010', 400, 'The header Idempotency-Key is missing'),
    'certificate-missing': ('4100', 400, 'A client certificate is needed'),
    'too-large': ('4130', 413, 'The body is too large'),
    'digest-mismatch': ('4200', 400, 'Content-Digest does not match the body'),
    'signature-invalid': ('4300', 401, 'The request signature is not valid'),
    'token-missing': ('4970', 401, 'A bearer token is needed'),
    'token-expired': ('4061', 401, 'The token has expired'),
    'forbidden': ('4971', 403, 'Not allowed'),
    'key-conflict': ('3009', 409, 'The key was used with another payload'),
    'key-in-use': ('3008', 409, 'A call with this key is under way'),
    'duplicate-reference': ('3001', 409, 'The reference was used before'),
    'rate-limited': ('3029', 429, 'Too many calls'),
    'locked': ('5230', 423, 'The payment is locked for a moment'),
    'declined': ('1001', 422, 'The payer has not enough funds'),
    'session-expired': ('2000', 422, 'The payer did not finish in time'),
    'payer-cancelled': ('2001', 422, 'The payer cancelled'),
    'lifecycle': ('5000', 422, 'The payment is not in a state for this'),
    'no-mandate': ('5400', 422, 'There is no valid mandate'),
    'unsupported': ('8003', 501, 'This is not supported'),
    'provider-error': ('8004', 502, 'The provider failed'),
    'provider-timeout': ('8005', 504, 'The provider did not answer in time'),
    'internal': ('9000', 500, 'Something went wrong'),
}

#: Statuses after which the same key runs the operation again (7.4 rule 2) or was never used up.
FORGOTTEN_STATUSES = frozenset({400, 401, 403, 423, 429, 500, 502})


@dataclass
class Certificate:
    """The client certificate of a connection, as far as it is looked at."""

    der: bytes
    sha256: str
    common_name: str


@dataclass
class Request:
    """One HTTP request; header names are lowercase."""

    method: str
    target: str
    headers: dict
    body: bytes = b''
    certificate: Certificate | None = None
    repeated: frozenset = frozenset()

    @property
    def path(self):
        """The target without its query."""
        return self.target.partition('?')[0]

    @property
    def query(self):
        """What follows the question mark."""
        return self.target.partition('?')[2]


@dataclass
class Answer:
    """One HTTP response before it is signed."""

    status: int
    body: bytes
    content_type: str = 'application/json'
    headers: list = field(default_factory=list)


@dataclass
class Outcome:
    """What an operation did: its status and its body, and what shows it afresh."""

    status: int
    body: object
    afresh: object = None
    content_type: str = 'application/json'
    headers: list = field(default_factory=list)


class Refusal(Exception):
    """An operation or a layer says no, for one of REASONS."""

    def __init__(self, reason, text=None, code=None, headers=(), happened=None):
        code_of_reason, self.status, text_of_reason = REASONS[reason]
        self.reason = reason
        self.code = str(code or code_of_reason)
        self.text = text or text_of_reason
        self.headers = list(headers)
        self.happened = happened
        super().__init__(self.text)


def encode_json(value):
    """The octets of a JSON body."""
    return json.dumps(value, separators=(',', ':')).encode()


def decode_json(octets):
    """The object of a JSON body; Refusal when it is none."""

    def without_twins(pairs):
        if len({name for name, _ in pairs}) != len(pairs):
            raise ValueError('a member twice')
        return dict(pairs)

    try:
        value = json.loads(octets.decode(), object_pairs_hook=without_twins)
    except (ValueError, RecursionError) as error:
        raise Refusal('invalid-input', 'The body is not JSON') from error
    if not isinstance(value, dict):
        raise Refusal('invalid-input', 'The body is not a JSON object')
    return value
