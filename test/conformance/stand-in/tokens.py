"""Access tokens: opaque, for one organization, 7200 seconds (2.8, 5.3)."""
import secrets
from dataclasses import dataclass
from urllib.parse import parse_qsl

from requests_and_responses import Outcome, Refusal

SCOPES = ('payments:read', 'payments:process', 'data:reports')
DEFAULT_SCOPE = 'payments:read'


@dataclass(frozen=True)
class Token:
    """What an issued token stands for."""

    organization: str
    scopes: frozenset
    expires_at: float


def read_form(request):
    """The fields of the form-encoded body; Refusal when it is none."""
    media_type = request.headers.get('content-type', '').partition(';')[0].strip().lower()
    if media_type != 'application/x-www-form-urlencoded':
        raise Refusal('invalid-input', 'Content-Type must be application/x-www-form-urlencoded')
    try:
        pairs = parse_qsl(request.body.decode(), keep_blank_values=True, strict_parsing=True)
    except ValueError as error:
        raise Refusal('invalid-input', 'The body is not a form') from error
    if len(dict(pairs)) != len(pairs):
        raise Refusal('invalid-input', 'A field stands twice')
    return dict(pairs)


def issue_token(service, request, now):
    """Admit a client and give it a token."""
    violates = service.violates

    def client_id():
        form = read_form(request)
        if not form.get('client_id'):
            raise Refusal('invalid-input', 'client_id is missing')
        return form['client_id']

    caller = service.layers.admit(request, service.operations['token'], now, client_id)
    form = read_form(request)
    if form.get('grant_type') != 'client_credentials':
        if not violates('grant-type-unchecked'):
            raise Refusal('invalid-input', 'grant_type must be client_credentials')
    asked = form.get('scope', '').split()
    if any(scope not in SCOPES for scope in asked):
        raise Refusal('invalid-input', 'A scope is unknown')
    granted = [scope for scope in SCOPES if scope in asked]
    if not asked:
        granted = list(SCOPES) if violates('no-scope-grants-all') else [DEFAULT_SCOPE]
    elif 'default-scope-always-granted' in service.variants and DEFAULT_SCOPE not in granted:
        granted.insert(0, DEFAULT_SCOPE)
    if 'payments:process' not in granted and asked and violates('scope-widened-to-process'):
        granted.append('payments:process')
    if 'data:reports' not in granted and asked and violates('scope-widened-to-reports'):
        granted.append('data:reports')
    lifetime = service.settings.token_seconds
    value = secrets.token_urlsafe(33)
    service.tokens[value] = Token(caller.organization, frozenset(granted), now + lifetime)
    body = {
        'access_token': value,
        'expires_in': 3600 if violates('token-says-3600') else lifetime,
        'refresh_expires_in': 1800 if violates('refresh-lifetime-not-zero') else 0,
        'token_type': 'MAC' if violates('token-type-not-bearer') else 'Bearer',
        'scope': ' '.join(granted),
    }
    if violates('granted-scope-not-told'):
        del body['scope']
    if violates('refresh-token-issued'):
        body['refresh_token'] = secrets.token_urlsafe(33)
    return Outcome(200, body)
