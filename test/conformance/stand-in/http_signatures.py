"""HTTP message signatures: those of requests (5.2), responses (5.4) and webhooks."""
import base64
import binascii
import hashlib
import hmac
import re
import secrets

from curves import P521
from requests_and_responses import Refusal
from signatures import PrivateKey, decode_der, decode_raw, encode_base64url, encode_der, encode_raw

WITH_BODY = ('@authority', '@method', '@request-target', 'content-digest', 'content-type', 'content-length')
WITHOUT_BODY = WITH_BODY[:3]
REQUEST_PARAMS = re.compile(r'service_sig=(\(((?:"[a-z@-]+"(?: "[a-z@-]+")*)?)\);keyid="([^"\\]+)";created=(\d{1,12}))')
REQUEST_SIGNATURE = re.compile(r'service_sig=:([A-Za-z0-9+/]+={0,2}):')
DIGEST = re.compile(r'(sha-256|sha-384|sha-512)=:([A-Za-z0-9+/]+={0,2}):')


#: Keys in the key set that sign nothing.
OTHER_KEYS = [
    {'kty': 'OKP', 'crv': 'Ed25519', 'x': '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo', 'kid': 'svc-ed', 'use': 'sig'},
    {'kty': 'RSA', 'n': 'w' + 'A' * 340 + 'Q', 'e': 'AQAB', 'kid': 'svc-rsa', 'use': 'sig', 'alg': 'PS256'},
]


def list_components(names):
    """The component list of @signature-params."""
    return '(' + ' '.join(f'"{name}"' for name in names) + ')'


def digest_matches(value, body):
    """Whether a Content-Digest value is that of the body."""
    match = DIGEST.fullmatch(value or '')
    if not match:
        return False
    expected = hashlib.new(match[1].replace('-', ''), body).digest()
    try:
        return hmac.compare_digest(base64.b64decode(match[2], validate=True), expected)
    except binascii.Error:
        return False


def component_value(request, name):
    """The value of one component of a request as 5.2 writes it."""
    if name == '@authority':
        host = request.headers.get('host', '').strip().lower()
        return host[:host.index(']') + 1] if host.startswith('[') else host.partition(':')[0]
    if name == '@method':
        return request.method.upper()
    if name == '@request-target':
        return request.target
    value = request.headers.get(name)
    if value is None:
        raise Refusal('signature-invalid', f'The header {name} is missing')
    return value.partition(';')[0].strip().lower() if name == 'content-type' else value.strip()


class RequestVerifier:
    """Verifies the signature of requests in the form that the variants choose."""

    def __init__(self, raw=False, params_without_label=False, skew_seconds=300, once=False):
        self.decode = decode_raw if raw else lambda octets, _: decode_der(octets)
        self.params_without_label = params_without_label
        self.skew_seconds = skew_seconds
        self.seen = set() if once else None

    def verify(self, request, find_key, now, covers_less=lambda: False):
        """The registered key that signed the request; Refusal when none did."""
        params = REQUEST_PARAMS.fullmatch(request.headers.get('signature-input', ''))
        signature = REQUEST_SIGNATURE.fullmatch(request.headers.get('signature', ''))
        if not params or not signature:
            raise Refusal('signature-invalid', 'Signature or Signature-Input is missing or malformed')
        names = tuple(params[2].replace('"', '').split())
        expected = WITH_BODY if request.method in ('POST', 'PUT', 'PATCH') else WITHOUT_BODY
        if names != expected and not (set(names) < set(expected) and covers_less()):
            raise Refusal('signature-invalid', f'The signature must cover {list_components(expected)}')
        if abs(now - int(params[4])) > self.skew_seconds:
            raise Refusal('signature-invalid', 'The signature was not created just now')
        key = find_key(params[3])
        lines = [f'"{name}": {component_value(request, name)}' for name in names]
        lines.append('"@signature-params": ' + (params[1] if self.params_without_label else params[0]))
        try:
            pair = self.decode(base64.b64decode(signature[1], validate=True), key.public.curve)
        except (ValueError, binascii.Error) as error:
            raise Refusal('signature-invalid', 'The signature cannot be read') from error
        if not key.public.verifies('\n'.join(lines).encode('latin-1', 'replace'), pair):
            raise Refusal('signature-invalid')
        if self.seen is not None:
            if signature[1] in self.seen:
                raise Refusal('signature-invalid', 'The signature was used before')
            self.seen.add(signature[1])
        return key


class Signer:
    """Signs what the service sends with its own key, P-521 and SHA-512 (5.4)."""

    def __init__(self, like_requests=False, more_params=False, many_keys=False):
        self.key = PrivateKey(P521)
        self.keyid = 'svc-' + encode_base64url(secrets.token_bytes(9))
        self.like_requests, self.more_params = like_requests, more_params
        self.others = OTHER_KEYS + [PrivateKey(P521).public.to_jwk(kid='svc-old', use='sig')] if many_keys else []

    def key_set(self):
        """The JWKS with which clients verify."""
        return {'keys': [*self.others, self.key.public.to_jwk(kid=self.keyid, use='sig', alg='ES512')]}

    def headers(self, label, components, body, now, spoilt=False):
        """The three headers for a message; spoilt signs something else than what is sent."""
        digest = f'sha-512=:{base64.b64encode(hashlib.sha512(body).digest()).decode()}:'
        if self.more_params:
            digest = f'sha-256=:{base64.b64encode(hashlib.sha256(body).digest()).decode()}:, {digest}'
        components = {**components, 'content-digest': digest}
        params = f'{list_components(components)};created={int(now)};keyid="{self.keyid}"'
        if self.more_params:
            more = f'expires={int(now) + 300};nonce="{secrets.token_urlsafe(9)}";tag="payments";alg="ecdsa-p521-sha512"'
            params = f'{params};{more}'
        lines = [f'"{name}": {value}' for name, value in components.items()]
        lines.append('"@signature-params": ' + (f'{label}={params}' if self.like_requests else params))
        pair = self.key.sign('\n'.join(lines).encode('latin-1', 'replace') + (b'!' if spoilt else b''))
        octets = encode_der(pair) if self.like_requests else encode_raw(pair, P521)
        return [
            ('Content-Digest', digest),
            ('Signature-Input', f'{label}={params}'),
            ('Signature', f'{label}=:{base64.b64encode(octets).decode()}:'),
        ]
