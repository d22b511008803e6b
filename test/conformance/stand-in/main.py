"""Starts the stand-in: python3 main.py --config FILE [--variant NAME]… [--violation NAME]…."""
import argparse
import json
import os
import signal
import sys
import threading
from dataclasses import replace

from configuration import read_configuration
from payment_page import PaymentPage
from service import Service
from tls_server import TlsServer, make_context
from variants import SETTINGS, VARIANTS
from violation_tables import TABLE
from violations import Violations


def read_arguments(arguments=None):
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--config', help='the organization file')
    parser.add_argument('--settle-seconds', type=float, help='from a capture to its settlement; 1 by default')
    parser.add_argument('--variant', action='append', default=[], choices=sorted(VARIANTS), metavar='NAME')
    parser.add_argument('--violation', action='append', default=[], choices=sorted(TABLE), metavar='NAME')
    parser.add_argument('--list', action='store_true', help='print variants and violations as JSON')
    options = parser.parse_args(arguments)
    if not options.list and not options.config:
        parser.error('--config is needed')
    return options


def print_tables():
    """Both tables as one JSON document."""
    variants = [{'name': name, 'clause': clause, 'sentence': text} for name, (clause, text) in VARIANTS.items()]
    violations = [{'name': name, **row} for name, row in TABLE.items()]
    print(json.dumps({'variants': variants, 'violations': violations}, indent=1))


def build(options):
    """The service and its two servers."""
    configuration = read_configuration(options.config)
    for variant in options.variant:
        configuration.settings = replace(configuration.settings, **SETTINGS.get(variant, {}))
    if options.settle_seconds is not None:
        configuration.settings = replace(configuration.settings, settle_seconds=options.settle_seconds)
    variants = set(options.variant)
    service = Service(configuration, variants, Violations(*options.violation))
    pair = configuration.certificate, configuration.certificate_key
    context = make_context(
        *pair,
        configuration.client_ca,
        'certificate-required-in-tls' in variants,
        'tls-1.2-allowed' in variants and configuration.environment == 'sandbox',
    )
    server = TlsServer(
        (configuration.host, configuration.port), context, service.answer, service.refuse,
        configuration.settings.body_octets, 'chunked-answers' in variants, 'connection-closed' in variants,
        'http-manners' in variants,
    )
    page = PaymentPage(service)
    page_server = TlsServer((configuration.host, configuration.page_port), make_context(*pair), page.answer, page.refuse)
    service.page_base = f'https://{configuration.page_host}:{page_server.server_port}'
    return service, server, page_server


def main():
    """Serve until SIGTERM, SIGINT or the end of stdin."""
    options = read_arguments()
    if options.list:
        print_tables()
        return
    service, server, page_server = build(options)
    stopped = threading.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, lambda *_: stopped.set())
    service.schedule.start()
    for each in (server, page_server):
        threading.Thread(target=each.serve_forever, kwargs={'poll_interval': 0.1}, daemon=True).start()
    print(json.dumps({'port': server.server_port, 'page_port': page_server.server_port}), flush=True)

    def watch_stdin():
        while os.read(0, 4096):
            pass
        stopped.set()

    threading.Thread(target=watch_stdin, daemon=True).start()
    stopped.wait()
    for each in (server, page_server):
        each.shutdown()
    sys.stdout.flush()
    os._exit(0)


if __name__ == '__main__':
    main()
