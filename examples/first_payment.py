#!/usr/bin/env python3
"""A first payment from Python: mutual TLS, a token, signed requests. Needs only the package "cryptography".

usage: python3 examples/first_payment.py [KIT_FOLDER]        (default .assay/kit/demo-merchant)
"""
import base64
import hashlib
import http.client
import json
import pathlib
import ssl
import sys
import time
import urllib.parse
import urllib.request
import uuid

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".assay/kit/demo-merchant")
kit = json.loads((folder / "kit.json").read_text())
api = urllib.parse.urlsplit(kit["apiBaseUrl"])
account = kit["processingAccountIds"][0]
signing = kit["signingKeys"][0]
key = serialization.load_pem_private_key((folder / signing["privateKey"]).read_bytes(), password=None)

tls = ssl.create_default_context(cafile=str(folder / "ca.pem"))
tls.load_cert_chain(folder / "certificate.pem", folder / "private-key.pem")


def encoded(octets):
    return base64.b64encode(octets).decode()


def call(method, path, content_type=None, body=b"", headers=None):
    """Signs a request as clause 5.2 says, sends it, and gives the answer's JSON; a refusal ends the program."""
    lines = [("@authority", api.hostname), ("@method", method), ("@request-target", path)]
    headers = dict(headers or {})
    if body:
        headers["Content-Digest"] = f"sha-256=:{encoded(hashlib.sha256(body).digest())}:"
        headers["Content-Type"] = content_type
        lines += [("content-digest", headers["Content-Digest"]), ("content-type", content_type), ("content-length", len(body))]
    names = " ".join(f'"{name}"' for name, _ in lines)
    given = f'({names});keyid="{signing["keyId"]}";created={int(time.time())}'
    base = "\n".join([f'"{name}": {value}' for name, value in lines] + [f'"@signature-params": {given}'])
    headers["Signature-Input"] = f"service_sig={given}"
    headers["Signature"] = f"service_sig=:{encoded(key.sign(base.encode(), ec.ECDSA(hashes.SHA256())))}:"
    connection = http.client.HTTPSConnection(api.hostname, api.port, context=tls)
    connection.request(method, path, body or None, headers)
    answer = connection.getresponse()
    content = json.loads(answer.read())
    if answer.status >= 400:
        sys.exit(f"Refused: {content['statusInfo']['message']}")
    return content


def post(path, content):
    headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": str(uuid.uuid4())}
    return call("POST", path, "application/json", json.dumps(content).encode(), headers)


def control(path, content=None):
    url = f"{kit['pagesBaseUrl']}/control/organizations/{kit['organizationId']}{path}"
    with urllib.request.urlopen(urllib.request.Request(url, json.dumps(content or {}).encode(), method="POST")) as answer:
        return json.load(answer)


form = {"grant_type": "client_credentials", "client_id": kit["clientId"], "scope": "payments:process"}
token = call("POST", "/auth/token", "application/x-www-form-urlencoded", urllib.parse.urlencode(form).encode())["access_token"]

code = control("/blik/codes")["code"]
print(f"The shopper's phone shows the BLIK code {code}.")

payment = post("/payments/initiate", {
    "processingAccountId": account,
    "clientTransactionId": "first-payment",
    "transactionType": "ONE_TIME",
    "paymentDetails": {"amount": 1999, "currency": "PLN", "country": "PL", "description": "A first payment"},
    "providerDetails": {"providerId": "BLIK"},
    "payerDetails": {"oneTimeCode": code},
})
transaction = payment["transactionId"]
print(f"Payment {transaction} is {payment['status']}: {payment['statusInfo']['message']}.")

control(f"/payments/{transaction}/shopper", {"action": "approve"})
print("The shopper approved on the phone.")

finalized = post("/payments/finalize", {"processingAccountId": account, "transactionId": transaction})
print(f"Finalized: {finalized['status']}, {finalized['statusInfo']['message']}.")

control("/clock", {"advance": "PT2S"})
state = call("GET", f"/payments/{transaction}/status", headers={"Authorization": f"Bearer {token}"})["lifecycle"]["state"]
print(f"Now it is {state}.")
