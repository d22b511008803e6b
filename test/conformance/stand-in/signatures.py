"""ECDSA over the curves of 5.2: keys, signing, verifying, DER and raw forms."""
import base64
import secrets
from dataclasses import dataclass

from curves import CURVES, multiply, to_affine


def encode_base64url(octets):
    """Base64url without padding, as JWK writes it."""
    return base64.urlsafe_b64encode(octets).rstrip(b'=').decode()


def decode_base64url(text):
    """The octets of base64url without padding."""
    return base64.urlsafe_b64decode(text + '=' * (-len(text) % 4))


@dataclass(frozen=True)
class PublicKey:
    """A point on one of the curves."""

    curve: object
    x: int
    y: int

    @classmethod
    def from_jwk(cls, jwk):
        """The key of an EC JWK; ValueError when it is no point of its curve."""
        if jwk.get('kty') != 'EC' or jwk.get('crv') not in CURVES:
            raise ValueError('the key is not an EC key on P-256, P-384 or P-521')
        curve = CURVES[jwk['crv']]
        x, y = (int.from_bytes(decode_base64url(jwk[name]), 'big') for name in 'xy')
        if not curve.contains(x, y):
            raise ValueError('the key is no point of its curve')
        return cls(curve, x, y)

    def to_jwk(self, **members):
        """The key as a JWK with further members such as kid."""
        size = self.curve.size
        x, y = (encode_base64url(number.to_bytes(size, 'big')) for number in (self.x, self.y))
        return {'kty': 'EC', 'crv': self.curve.name, 'x': x, 'y': y, **members}

    def octets(self):
        """The coordinates as they stand in a certificate of the same key."""
        size = self.curve.size
        return self.x.to_bytes(size, 'big') + self.y.to_bytes(size, 'big')

    def verifies(self, message, pair):
        """Whether the pair (r, s) signs the message under this key."""
        n, (r, s) = self.curve.n, pair
        if not (0 < r < n and 0 < s < n):
            return False
        inverse = pow(s, -1, n)
        x, _, z = multiply(
            self.curve,
            (self.curve.digest(message) * inverse % n, self.curve.gx, self.curve.gy),
            (r * inverse % n, self.x, self.y),
        )
        zz = z * z % self.curve.p
        return z != 0 and any((value * zz - x) % self.curve.p == 0 for value in (r, r + n) if value < self.curve.p)


class PrivateKey:
    """A key that signs; fresh at every start of the server."""

    def __init__(self, curve):
        self.curve = curve
        self.secret = 1 + secrets.randbelow(curve.n - 1)
        point = multiply(curve, (self.secret, curve.gx, curve.gy))
        self.public = PublicKey(curve, *to_affine(curve.p, [point])[0])

    def sign(self, message):
        """The pair (r, s) over the message."""
        curve, digest = self.curve, self.curve.digest(message)
        while True:
            nonce = 1 + secrets.randbelow(curve.n - 1)
            point = multiply(curve, (nonce, curve.gx, curve.gy))
            r = to_affine(curve.p, [point])[0][0] % curve.n
            s = pow(nonce, -1, curve.n) * (digest + r * self.secret) % curve.n
            if r and s:
                return r, s


def encode_raw(pair, curve):
    """r and s one after the other, each as long as the curve's order (RFC 9421)."""
    return b''.join(number.to_bytes(curve.size, 'big') for number in pair)


def decode_raw(octets, curve):
    """The pair in raw form; ValueError for any other length."""
    if len(octets) != 2 * curve.size:
        raise ValueError('not as long as two numbers of the curve')
    return tuple(int.from_bytes(half, 'big') for half in (octets[:curve.size], octets[curve.size:]))


def encode_der(pair):
    """The pair as an ASN.1 SEQUENCE of two INTEGERs."""
    integers = b''
    for number in pair:
        octets = number.to_bytes(number.bit_length() // 8 + 1, 'big')
        integers += bytes((2, len(octets))) + octets
    length = bytes((len(integers),)) if len(integers) < 128 else bytes((0x81, len(integers)))
    return b'\x30' + length + integers


def decode_der(octets):
    """The pair of a DER signature; ValueError when the encoding is not strict."""
    try:
        start = 3 if octets[1] == 0x81 else 2
        length = octets[start - 1]
        if octets[0] != 0x30 or length != len(octets) - start or (start == 3 and length < 128):
            raise ValueError('not a DER sequence')
        pair = []
        for _ in range(2):
            tag, size = octets[start], octets[start + 1]
            value = octets[start + 2:start + 2 + size]
            if tag != 2 or not size or len(value) != size or value[0] & 0x80:
                raise ValueError('not a positive DER integer')
            if size > 1 and value[0] == 0 and not value[1] & 0x80:
                raise ValueError('a DER integer longer than it need be')
            pair.append(int.from_bytes(value, 'big'))
            start += 2 + size
    except IndexError as error:
        raise ValueError('a DER signature cut short') from error
    if start != len(octets):
        raise ValueError('octets after the DER signature')
    return tuple(pair)
