"""The organization file and the settings of one server."""
import json
import os
from dataclasses import dataclass, field

from signatures import PublicKey


@dataclass
class SigningKey:
    """A registered public key of an organization (5.2)."""

    keyid: str
    organization: str
    public: PublicKey
    expired: bool = False
    revoked: bool = False


@dataclass
class Organization:
    """A merchant: its accounts, certificates, webhook and standing mandates."""

    id: str
    accounts: tuple
    sha256: frozenset
    common_names: frozenset
    webhook_url: str | None
    mandates: tuple


@dataclass
class Settings:
    """Times in seconds and limits; the organization file may set each under "settings"."""

    settle_seconds: float = 1.0
    blik_action_seconds: float = 45.0
    iris_request_seconds: float = 1800.0
    authorization_seconds: float = 7 * 86400.0
    key_seconds: float = 86400.0
    mock_seconds: float = 86400.0
    token_seconds: int = 7200
    skew_seconds: float = 300.0
    slow_seconds: float = 0.0
    slow_every: int = 1
    body_octets: int = 65536
    webhook_retry_seconds: tuple = (0.5, 2, 8)


@dataclass
class Configuration:
    """Everything that the organization file says."""

    certificate: str
    certificate_key: str
    client_ca: str
    organizations: dict
    keys: dict
    settings: Settings
    host: str = '127.0.0.1'
    port: int = 0
    page_port: int = 0
    page_host: str = 'localhost'
    path_prefix: str = ''
    environment: str = 'sandbox'
    webhook_ca: str | None = None
    by_certificate: dict = field(default_factory=dict)

    def organization_of(self, certificate):
        """The organization a client certificate belongs to, or None."""
        return self.by_certificate.get(certificate.sha256) or self.by_certificate.get(f'CN={certificate.common_name}')


def read_configuration(path):
    """The configuration of a JSON file; paths in it are relative to it."""
    with open(path, encoding='utf-8') as file:
        source = json.load(file)
    folder = os.path.dirname(os.path.abspath(path))
    organizations, keys, by_certificate = {}, {}, {}
    for entry in source['organizations']:
        certificates = entry.get('certificates', {})
        organization = Organization(
            entry['id'],
            tuple(entry['accounts']),
            frozenset(print_.replace(':', '').lower() for print_ in certificates.get('sha256', ())),
            frozenset(certificates.get('common_names', ())),
            entry.get('webhook_url'),
            tuple(entry.get('mandates', ())),
        )
        organizations[organization.id] = organization
        names = organization.sha256 | {f'CN={name}' for name in organization.common_names}
        by_certificate.update(dict.fromkeys(names, organization.id))
        for key in entry.get('keys', ()):
            public = PublicKey.from_jwk(key['jwk'])
            flags = {name: bool(key.get(name)) for name in ('expired', 'revoked')}
            keys[key['keyid']] = SigningKey(key['keyid'], organization.id, public, **flags)
    files = {name: os.path.join(folder, source[name]) for name in ('certificate', 'certificate_key', 'client_ca')}
    if source.get('webhook_ca'):
        files['webhook_ca'] = os.path.join(folder, source['webhook_ca'])
    plain = ('host', 'port', 'page_port', 'page_host', 'path_prefix', 'environment')
    return Configuration(
        **files,
        **{name: source[name] for name in plain if name in source},
        organizations=organizations,
        keys=keys,
        settings=Settings(**source.get('settings', {})),
        by_certificate=by_certificate,
    )
