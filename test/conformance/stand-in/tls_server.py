"""The HTTP/1.1 server over TLS: threads, keep-alive, one answer per request."""
import hashlib
import socket
import ssl
import sys
import traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from requests_and_responses import Answer, Certificate, Refusal, Request

DRAINED_OCTETS = 4 << 20


def make_context(certificate, key, client_ca=None, client_required=False, tls_1_2=False):
    """The TLS settings of a server; with client_ca it asks for client certificates (5.1)."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2 if tls_1_2 else ssl.TLSVersion.TLSv1_3
    context.load_cert_chain(certificate, key)
    context.num_tickets = 0
    if client_ca:
        context.load_verify_locations(client_ca)
        context.verify_mode = ssl.CERT_REQUIRED if client_required else ssl.CERT_OPTIONAL
    return context


class Handler(BaseHTTPRequestHandler):
    """One connection; the server's `answer` turns each request into an answer."""

    protocol_version = 'HTTP/1.1'
    timeout = 120
    wbufsize = -1

    def version_string(self):
        return 'Payments'

    def setup(self):
        """Shake hands in the connection's own thread."""
        self.request.settimeout(15)
        self.request.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            self.request.do_handshake()
        except ssl.SSLError:
            self.let_alert_arrive()
            raise
        super().setup()
        self.certificate = self.read_certificate()

    def let_alert_arrive(self):
        """Read what the client still sends, since closing at once would reset the connection before the alert."""
        self.request.shutdown(socket.SHUT_WR)
        self.request.settimeout(1)
        while self.request.recv(65536):
            pass

    def read_certificate(self):
        """The client's certificate, or None."""
        der = self.request.getpeercert(binary_form=True)
        if not der:
            return None
        subject = (self.request.getpeercert() or {}).get('subject', ())
        names = [value for part in subject for name, value in part if name == 'commonName']
        return Certificate(der, hashlib.sha256(der).hexdigest(), names[0] if names else '')

    def read_body(self):
        """The octets of the body; Refusal when it is too long or has no length."""
        if 'transfer-encoding' in self.headers:
            self.close_connection = True
            raise Refusal('invalid-input', 'Content-Length is needed')
        length = self.headers.get('content-length', '0')
        if not length.isascii() or not length.isdigit():
            self.close_connection = True
            raise Refusal('invalid-input', 'Content-Length is not a number')
        length = int(length)
        if length > self.server.body_octets:
            self.close_connection = True
            left = min(length, DRAINED_OCTETS)
            while left > 0 and (part := self.rfile.read(min(left, 65536))):
                left -= len(part)
            raise Refusal('too-large')
        return self.rfile.read(length)

    def serve(self):
        """Answer one request."""
        names = [name.lower() for name in self.headers.keys()]
        headers = dict(zip(names, (str(value) for value in self.headers.values())))
        repeated = frozenset(name for name in names if names.count(name) > 1)
        request = Request(self.command, self.path, headers, b'', self.certificate, repeated)
        try:
            request.body = self.read_body()
        except Refusal as refusal:
            self.write(self.server.refuse(request, refusal))
            return
        self.write(self.server.answer(request))

    def send_header(self, keyword, value):
        """A header of the answer, its name in upper case where a variant wants it."""
        super().send_header(keyword.upper() if self.server.manners else keyword, value)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = serve

    def write(self, answer: Answer):
        """Send an answer, in chunks where a variant wants it."""
        if self.server.manners:
            self.wfile.write(b'HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n')
        self.send_response(answer.status)
        if answer.status == 204:
            self.write_without_body(answer)
            return
        self.send_header('Content-Type', answer.content_type)
        for name, value in answer.headers:
            self.send_header(name, value)
        if self.server.closing:
            self.close_connection = True
        if self.close_connection:
            self.send_header('Connection', 'close')
        if self.server.chunked:
            self.send_header('Transfer-Encoding', 'chunked')
            self.end_headers()
            for start in range(0, len(answer.body), 100):
                part = answer.body[start:start + 100]
                self.wfile.write(b'%x\r\n%b\r\n' % (len(part), part))
            self.wfile.write(b'0\r\n\r\n')
        else:
            self.send_header('Content-Length', str(len(answer.body)))
            self.end_headers()
            self.wfile.write(answer.body)

    def write_without_body(self, answer: Answer):
        """The rest of an answer that has no content."""
        for name, value in answer.headers:
            self.send_header(name, value)
        if self.server.closing or self.close_connection:
            self.close_connection = True
            self.send_header('Connection', 'close')
        self.end_headers()

    def send_error(self, code, message=None, explain=None):
        """What cannot be read as HTTP gets a signed answer too."""
        self.close_connection = True
        request = Request(self.command or 'GET', getattr(self, 'path', None) or '/', {}, b'', self.certificate)
        self.write(self.server.refuse(request, Refusal('invalid-input', 'This is not HTTP as we serve it')))

    def log_message(self, *_):
        """Nothing is logged."""


class TlsServer(ThreadingHTTPServer):
    """Listens, and gives every connection a thread."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, address, context, answer, refuse, body_octets=65536, chunked=False, closing=False, manners=False):
        super().__init__(address, Handler)
        self.context = context
        self.answer = answer
        self.refuse = refuse
        self.body_octets = body_octets
        self.chunked = chunked
        self.closing = closing
        self.manners = manners

    def get_request(self):
        """A connection whose handshake is still to come."""
        plain, address = super().get_request()
        try:
            return self.context.wrap_socket(plain, server_side=True, do_handshake_on_connect=False), address
        except (ssl.SSLError, OSError):
            plain.close()
            raise

    def handle_error(self, request, client_address):
        """A connection that breaks is no news; anything else is printed."""
        if not isinstance(sys.exc_info()[1], (OSError, ssl.SSLError, ValueError)):
            traceback.print_exc()
