"""The operations that change nothing: status, events, search, providers, reports, key set."""
import base64
import datetime
import hashlib
import time
from urllib.parse import parse_qs

from requests_and_responses import Outcome, Refusal
from request_bodies import Members, read_search
from schemes import METHODS
from shapes import LAGS


def read_status(service, caller, transaction_id):
    """GET /payments/{transactionId}/status."""
    payment = service.find_payment(transaction_id, caller, 'status')
    return Outcome(200, service.shapes.seen(payment)[0])


def read_events(service, caller, transaction_id):
    """GET /payments/{transactionId}/events."""
    payment = service.find_payment(transaction_id, caller, 'events')
    return Outcome(200, service.shapes.seen(payment)[1])


def search(service, caller, body):
    """POST /payments/search: filters and pages over the caller's payments, newest first."""
    wanted, size, start = read_search(body, service)
    found = []
    for payment in reversed(service.payments.values()):
        if payment.organization != caller.organization and not service.violates('isolation-broken-on-search'):
            continue
        if 'reads-lag' in service.variants and payment.created_at > time.time() - LAGS['reads-lag']:
            continue
        shown = service.shapes.seen(payment)[0]['payment']
        shown['provider'] = shown['method']
        if any(shown[name] != value for name, value in wanted.items()) and not service.violates('search-ignores-filter'):
            continue
        if payment.refunded and service.violates('search-misses-refunded'):
            continue
        del shown['provider']
        found.append(shown)
    rest = start + size if start + size < len(found) else None
    return Outcome(200, {'matches': found[start:start + size], 'page': {'total': len(found), 'next_start': rest}})


def list_providers(service, caller, body):
    """POST /payments/providers: what is offered, for one country if asked."""
    members = Members(body, 'body', service)
    country = members.text('country')
    members.end()
    variants, listed = service.variants, []
    for name, method in METHODS.items():
        if country not in (None, method['country']) or ('blik-only' in variants and name != 'BLIK'):
            continue
        listed.append({
            'id': name,
            'countries': [method['country']],
            'currencies': [method['currency']],
            'types': list(method['types']),
            'features': {
                'manual_capture': 'no-manual-capture' not in variants,
                'partial_capture': not variants & {'full-captures-only', 'no-manual-capture'},
                'several_captures': not variants & {'full-captures-only', 'no-manual-capture', 'one-capture-only'},
                'partial_refund': 'full-refunds-only' not in variants,
                'charge': name == 'BLIK' and 'no-charge' not in variants,
            },
        })
    return Outcome(200, {'providers': listed})


def report_id(organization):
    """The name of an organization's report of today."""
    today = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    name = hashlib.sha256(f'{organization} {today}'.encode()).digest()[:10]
    return 'rep_' + base64.b32encode(name).decode().lower(), today


def list_reports(service, caller, query):
    """GET /reports: one report of each day on which there were payments, and today's."""
    organizations = [caller.organization]
    if service.planted('isolation-broken-on-reports') and len(service.configuration.organizations) > 1:
        service.violates('isolation-broken-on-reports')
        organizations = list(service.configuration.organizations)
    reports = []
    for organization in organizations:
        name, today = report_id(organization)
        rows = sum(payment.organization == organization for payment in service.payments.values())
        reports.append({'report_id': name, 'day': today, 'format': 'csv', 'rows': rows})
    return Outcome(200, {'reports': reports})


def download_report(service, caller, query):
    """GET /reports/download?report_id=…: a CSV of the day's payments."""
    asked = parse_qs(query).get('report_id', [''])[0]
    if not asked:
        raise Refusal('invalid-input', 'report_id is missing')
    for organization in service.configuration.organizations:
        if report_id(organization)[0] == asked:
            if organization != caller.organization and not service.violates('isolation-broken-on-report-download'):
                break
            lines = ['transaction_id,client_transaction_id,method,currency,requested,captured,settled,refunded,state']
            for payment in service.payments.values():
                foreign = payment.organization != organization
                if foreign and not service.violates('report-mixes-organizations'):
                    continue
                reference = payment.client_transaction_id.replace('"', '""')
                lines.append(f'{payment.id},"{reference}",{payment.provider},{payment.currency},{payment.amount},'
                             f'{payment.captured},{payment.settled},{payment.refunded},{payment.state}')
            return Outcome(200, ('\r\n'.join(lines) + '\r\n').encode('utf-8', 'replace'), content_type='text/csv')
    raise Refusal('no-such-resource', 'There is no such report')


def read_key_set(service, caller, query):
    """GET /.well-known/service-keys: the public keys of response and webhook signatures (5.4)."""
    return Outcome(200, service.signer.key_set())
