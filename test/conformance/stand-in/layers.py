"""The three layers of section 5, in front of every operation."""
from dataclasses import dataclass

from http_signatures import digest_matches
from requests_and_responses import Refusal

SIGNED_HEADERS = frozenset({'authorization', 'signature', 'signature-input', 'content-digest', 'content-type',
                            'content-length', 'host', 'idempotency-key'})


@dataclass(frozen=True)
class Caller:
    """Who calls: the organization, and the scopes of its token."""

    organization: str
    scopes: frozenset


class Layers:
    """Mutual TLS, the message signature and the access token, with the digest before the signature."""

    def __init__(self, service, verifier):
        self.service = service
        self.verifier = verifier

    def admit(self, request, operation, now, client_id=None):
        """The caller of a request, or Refusal by the first layer that fails."""
        certified = self.check_certificate(request, operation.name)
        if request.repeated & SIGNED_HEADERS:
            raise Refusal('invalid-input', 'A header that is signed or compared stands twice')
        if operation.name != 'token' and 'token-before-signature' in self.service.variants:
            self.check_token(request, operation.name, now, certified)
        self.check_digest(request, operation.name)
        key = self.check_signature(request, operation.name, now)
        if operation.name == 'token':
            caller = Caller(client_id() or certified or '', frozenset())
        else:
            caller = self.check_token(request, operation.name, now, certified)
        self.compare(caller, certified, key, operation.name)
        self.check_keys_differ(request.certificate, key)
        if operation.scope and operation.scope not in caller.scopes:
            if not self.service.violates(f'scope-unchecked-on-{operation.name}'):
                raise Refusal('forbidden', f'The token lacks the scope {operation.scope}')
        return caller

    def check_certificate(self, request, name):
        """The organization of the client certificate (5.1)."""
        if request.certificate is None:
            if not self.service.violates(f'certificate-not-needed-on-{name}'):
                raise Refusal('certificate-missing')
            return None
        organization = self.service.configuration.organization_of(request.certificate)
        if organization is None:
            raise Refusal('forbidden', 'The client certificate belongs to no organization')
        return organization

    def check_digest(self, request, name):
        """Content-Digest must be that of the body (7.1)."""
        if request.method not in ('POST', 'PUT', 'PATCH'):
            if request.body:
                raise Refusal('invalid-input', 'A body where none belongs')
            return
        if not digest_matches(request.headers.get('content-digest'), request.body):
            if not self.service.violates(f'digest-unchecked-on-{name}'):
                raise Refusal('digest-mismatch')

    def check_signature(self, request, name, now):
        """The signing key of the request (5.2); None where a violation lets it pass unverified."""
        violates = self.service.violates
        try:
            return self.verifier.verify(
                request,
                lambda keyid: self.find_key(keyid, name),
                now,
                lambda: violates(f'signature-covers-less-on-{name}'),
            )
        except Refusal:
            if violates(f'signature-unchecked-on-{name}'):
                return None
            raise

    def find_key(self, keyid, name):
        """The registered key; one that expired or was deregistered is unknown (5.2)."""
        key = self.service.configuration.keys.get(keyid)
        if key is None:
            raise Refusal('signature-invalid', 'The keyid is unknown')
        for flag in ('expired', 'revoked'):
            if getattr(key, flag) and not self.service.violates(f'{flag}-key-served-on-{name}'):
                raise Refusal('signature-invalid', f'The key is {flag}')
        return key

    def check_token(self, request, name, now, certified):
        """The caller that the access token stands for (5.3)."""
        kind, _, value = request.headers.get('authorization', '').partition(' ')
        token = self.service.tokens.get(value.strip()) if kind.lower() == 'bearer' else None
        if token is None or token.expires_at <= now:
            if self.service.violates(f'token-unchecked-on-{name}') and certified:
                return Caller(certified, frozenset({'payments:read', 'payments:process', 'data:reports'}))
            raise Refusal('token-missing' if token is None else 'token-expired')
        return Caller(token.organization, token.scopes)

    def compare(self, caller, certified, key, name):
        """Certificate, token and signing key must be one organization's."""
        violates = self.service.violates
        if certified and certified != caller.organization:
            if not violates(f'certificate-not-compared-on-{name}'):
                raise Refusal('forbidden', 'The certificate is not trusted for this organization')
        if key and key.organization != caller.organization:
            if not violates(f'foreign-key-served-on-{name}') and (not certified or key.organization != certified
                                                                 or not violates(f'certificate-not-compared-on-{name}')):
                raise Refusal('signature-invalid', 'The keyid is unknown')

    def check_keys_differ(self, certificate, key):
        """The key of the certificate must not sign messages (5.1)."""
        if certificate and key and key.public.octets() in certificate.der:
            if not self.service.violates('certificate-key-signs'):
                raise Refusal('signature-invalid', 'The signing key is that of the client certificate')
