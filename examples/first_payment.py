#!/usr/bin/env python3
"""A first payment from Python: mutual TLS, a token, signed requests, verified answers. Needs only the package "cryptography".

usage: python3 examples/first_payment.py [KIT]        (a kit's folder or its JSON file; default .assay/kit/demo-merchant)
"""
import base64
import hashlib
import http.client
import json
import os
import pathlib
import re
import ssl
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils

CURVES = {"P-256": (ec.SECP256R1(), hashes.SHA256()), "P-384": (ec.SECP384R1(), hashes.SHA384()),
          "P-521": (ec.SECP521R1(), hashes.SHA512())}


def encoded(octets):
    return base64.b64encode(octets).decode()


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def signature_base(lines, parameters):
    """The text that is signed (5.2): each component with its value, and the parameters."""
    return "".join(f'"{name}": {value}\n' for name, value in lines) + f'"@signature-params": {parameters}'


def is_signed(values, signature_input, signature, jwk):
    """Whether a key signed these components; the parameters stand with their label, or without as in RFC 9421."""
    _, parameters = signature_input.split("=", 1)
    names = re.findall('"([^"]*)"', parameters.split(")")[0])
    octets = base64.b64decode(signature.split("=", 1)[1].strip(":"))
    curve, digest = CURVES[jwk["crv"]]
    x, y = (int.from_bytes(decoded(jwk[name]), "big") for name in "xy")
    key = ec.EllipticCurvePublicNumbers(x, y, curve).public_key()
    half = (key.key_size + 7) // 8
    if len(octets) == 2 * half:  # r and s, one after the other, as in RFC 9421; else DER
        octets = utils.encode_dss_signature(*(int.from_bytes(part, "big") for part in (octets[:half], octets[half:])))
    for last in (signature_input, parameters):
        try:
            key.verify(octets, signature_base([(name, values.get(name)) for name in names], last).encode(), ec.ECDSA(digest))
            return True
        except InvalidSignature:
            pass
    return False


def is_digest(field, body):
    known = (f"{name}=:{encoded(hashlib.new(name.replace('-', ''), body).digest())}:" for name in ("sha-256", "sha-384", "sha-512"))
    return set(re.split(", *", field)) <= set(known)


class Merchant:
    def __init__(self, path):
        self.file = path / "kit.json" if path.is_dir() else path
        try:
            self.kit = json.loads(self.file.read_text())
        except (OSError, ValueError):  # no error shows the text: it holds keys
            sys.exit(f"{self.file} is no kit: start the sandbox, which writes one into .assay/kit/demo-merchant, or name another.")
        self.api = urllib.parse.urlsplit(self.kit["apiBaseUrl"])
        self.key_id = self.kit["signingKeys"][0]["keyId"]
        self.key = serialization.load_pem_private_key(self.pem(self.kit["signingKeys"][0], "privateKey").encode(), password=None)
        self.tls = ssl.create_default_context(cadata=self.pem(self.kit, "ca"))
        with tempfile.TemporaryDirectory() as folder:  # the module ssl takes the key from a file only
            pair = pathlib.Path(folder, "pair.pem")
            pair.write_text(self.pem(self.kit, "certificate") + self.pem(self.kit, "privateKey"))
            self.tls.load_cert_chain(pair)
        self.token = None
        self.keys = json.loads(self.send("GET", self.kit["jwksUrl"][len(self.kit["apiBaseUrl"]):], b"", {})[1])["keys"]

    def pem(self, holder, name):
        """A PEM text of the kit, which may be in a file beside it. No error shows the value: it may be a key."""
        try:
            return holder[name] if "-----BEGIN" in holder[name] else (self.file.parent / holder[name]).read_text()
        except (OSError, ValueError):
            sys.exit(f"The {name} of the kit is neither PEM nor a file that can be read.")

    def send(self, method, path, body, headers):
        connection = http.client.HTTPSConnection(self.api.hostname, self.api.port, context=self.tls)
        connection.request(method, path, body or None, headers)
        answer = connection.getresponse()
        return answer, answer.read()

    def call(self, method, path, content_type=None, body=b""):
        """Signs a request as clause 5.2 says, sends it, and gives the answer's JSON; a refusal ends the program."""
        lines, headers = [("@authority", self.api.hostname), ("@method", method), ("@request-target", path)], {}
        if body:
            headers = {"Content-Type": content_type, "Content-Digest": f"sha-256=:{encoded(hashlib.sha256(body).digest())}:"}
            lines += [("content-digest", headers["Content-Digest"]), ("content-type", content_type), ("content-length", len(body))]
        names = " ".join(f'"{name}"' for name, _ in lines)
        given = f'service_sig=({names});keyid="{self.key_id}";created={int(time.time())}'
        signature = self.key.sign(signature_base(lines, given).encode(), ec.ECDSA(hashes.SHA256()))
        headers.update({"Signature-Input": given, "Signature": f"service_sig=:{encoded(signature)}:"})
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        if self.token and body:
            headers["Idempotency-Key"] = str(uuid.uuid4())
        answer, content = self.send(method, path, body, headers)
        if answer.status >= 400:
            sys.exit(f"Refused: {json.loads(content)['statusInfo']['message']}")
        if not self.is_verified(answer, content):
            sys.exit(f"The answer to {method} {path} is not signed by the service.")
        return json.loads(content)

    def is_verified(self, answer, body):
        """Whether the service signed the status and the body of an answer (5.4)."""
        given, values = answer.headers["Signature-Input"], {"@status": answer.status}
        values.update((name.lower(), value) for name, value in answer.headers.items())
        values["content-type"] = answer.headers.get_content_type()
        key = next((key for key in self.keys if f'keyid="{key["kid"]}"' in given), None)
        covers = '"@status"' in given and '"content-digest"' in given
        return key and covers and is_digest(values["content-digest"], body) and is_signed(values, given, values["signature"], key)

    def post(self, path, content):
        return self.call("POST", path, "application/json", json.dumps(content).encode())

    def control(self, path, content=None):
        pages = (os.environ.get("ASSAY_URL") or self.kit["pagesBaseUrl"]).rstrip("/")  # a kit may name the address for browsers
        url = f"{pages}/control/organizations/{self.kit['organizationId']}{path}"
        headers = {"Authorization": f"Bearer {os.environ.get('ASSAY_CONTROL_TOKEN', '')}"}
        request = urllib.request.Request(url, json.dumps(content or {}).encode(), headers)
        try:
            with urllib.request.urlopen(request) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as refusal:
            sys.exit(f"Control refused {path}: {json.load(refusal)['error']}")
        except OSError:
            sys.exit(f"Control does not respond at {pages}: let ASSAY_URL name the pages of the sandbox.")


def main(path):
    merchant = Merchant(pathlib.Path(path))
    account = merchant.kit["processingAccountIds"][0]
    form = {"grant_type": "client_credentials", "client_id": merchant.kit["clientId"], "scope": "payments:process"}
    form_type = "application/x-www-form-urlencoded"
    merchant.token = merchant.call("POST", "/auth/token", form_type, urllib.parse.urlencode(form).encode())["access_token"]

    code = merchant.control("/blik/codes")["code"]
    print(f"The shopper's phone shows the BLIK code {code}.")

    payment = merchant.post("/payments/initiate", {
        "processingAccountId": account,
        "clientTransactionId": "first-payment",
        "transactionType": "ONE_TIME",
        "paymentDetails": {"amount": 1999, "currency": "PLN", "country": "PL", "description": "A first payment"},
        "providerDetails": {"providerId": "BLIK"},
        "payerDetails": {"oneTimeCode": code},
    })
    transaction = payment["transactionId"]
    print(f"Payment {transaction} is {payment['status']}: {payment['statusInfo']['message']}.")

    merchant.control(f"/payments/{transaction}/shopper", {"action": "approve"})
    print("The shopper approved on the phone.")

    finalized = merchant.post("/payments/finalize", {"processingAccountId": account, "transactionId": transaction})
    print(f"Finalized: {finalized['status']}, {finalized['statusInfo']['message']}.")

    merchant.control("/clock", {"advance": "PT2S"})
    state = merchant.call("GET", f"/payments/{transaction}/status")["lifecycle"]["state"]
    print(f"Now it is {state}. The service signed every answer.")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else ".assay/kit/demo-merchant")
