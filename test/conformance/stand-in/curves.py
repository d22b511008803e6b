"""The three NIST curves of 5.2 and fast multiplication on them.

A fixed point (a generator or a registered public key) gets a table of all
multiples d * 2**(w*i), so that one multiplication is a chain of additions
without a single doubling. This is arithmetic for a test server: it does not
run in constant time.
"""
import hashlib
from dataclasses import dataclass
from functools import lru_cache

WINDOW = 6


@dataclass(frozen=True)
class Curve:
    """A short Weierstrass curve with a = -3, and the hash 5.2 pairs it with."""

    name: str
    p: int
    b: int
    n: int
    gx: int
    gy: int
    hash_name: str

    @property
    def size(self):
        """Octets of a coordinate, and of r and s in the raw form."""
        return (self.n.bit_length() + 7) // 8

    def digest(self, message):
        """The message's hash as a number of at most as many bits as n."""
        value = int.from_bytes(hashlib.new(self.hash_name, message).digest(), 'big')
        surplus = hashlib.new(self.hash_name).digest_size * 8 - self.n.bit_length()
        return value >> surplus if surplus > 0 else value

    def contains(self, x, y):
        """Whether (x, y) lies on the curve."""
        return (y * y - (x * x * x - 3 * x + self.b)) % self.p == 0


P256 = Curve(
    'P-256',
    0xFFFFFFFF00000001000000000000000000000000FFFFFFFFFFFFFFFFFFFFFFFF,
    0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B,
    0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551,
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
    'sha256',
)
P384 = Curve(
    'P-384',
    2**384 - 2**128 - 2**96 + 2**32 - 1,
    0xB3312FA7E23EE7E4988E056BE3F82D19181D9C6EFE8141120314088F5013875AC656398D8A2ED19D2A85C8EDD3EC2AEF,
    0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFC7634D81F4372DDF581A0DB248B0A77AECEC196ACCC52973,
    0xAA87CA22BE8B05378EB1C71EF320AD746E1D3B628BA79B9859F741E082542A385502F25DBF55296C3A545E3872760AB7,
    0x3617DE4A96262C6F5D9E98BF9292DC29F8F41DBD289A147CE9DA3113B5F0B8C00A60B1CE1D7E819D7A431D7C90EA0E5F,
    'sha384',
)
P521 = Curve(
    'P-521',
    2**521 - 1,
    0x0051953EB9618E1C9A1F929A21A0B68540EEA2DA725B99B315F3B8B489918EF109E156193951EC7E937B1652C0BD3BB1BF073573DF883D2C34F1EF451FD46B503F00,
    0x01FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFA51868783BF2F966B7FCC0148F709A5D03BB5C9B8899C47AEBB6FB71E91386409,
    0x00C6858E06B70404E9CD9E3ECB662395B4429C648139053FB521F828AF606B4D3DBAA14B5E77EFE75928FE1DC127A2FFA8DE3348B3C1856A429BF97E7E31C2E5BD66,
    0x011839296A789A3BC0045C8A5FB42C7D1BD998F54449579B446817AFBD17273E662C97EE72995EF42640C550B9013FAD0761353C7086A272C24088BE94769FD16650,
    'sha512',
)
CURVES = {curve.name: curve for curve in (P256, P384, P521)}


def double(p, x, y, z):
    """Twice a point in Jacobian coordinates, for a = -3."""
    if not z:
        return 0, 1, 0
    delta = z * z % p
    gamma = y * y % p
    beta = x * gamma % p
    alpha = 3 * (x - delta) * (x + delta) % p
    x3 = (alpha * alpha - 8 * beta) % p
    return x3, (alpha * (4 * beta - x3) - 8 * gamma * gamma) % p, 2 * y * z % p


def add_affine(p, x1, y1, z1, x2, y2):
    """A Jacobian point plus an affine one."""
    if not z1:
        return x2, y2, 1
    zz = z1 * z1 % p
    h = (x2 * zz - x1) % p
    r = (y2 * zz * z1 - y1) % p
    if not h:
        return double(p, x1, y1, z1) if not r else (0, 1, 0)
    hh = h * h % p
    hhh = h * hh % p
    v = x1 * hh % p
    x3 = (r * r - hhh - 2 * v) % p
    return x3, (r * (v - x3) - y1 * hhh) % p, z1 * h % p


def to_affine(p, points):
    """Many Jacobian points made affine at the price of one inversion."""
    products, product = [], 1
    for _, _, z in points:
        products.append(product)
        product = product * z % p
    inverse = pow(product, -1, p)
    affine = [None] * len(points)
    for index in range(len(points) - 1, -1, -1):
        x, y, z = points[index]
        z_inverse = inverse * products[index] % p
        inverse = inverse * z % p
        square = z_inverse * z_inverse % p
        affine[index] = (x * square % p, y * square * z_inverse % p)
    return affine


@lru_cache(maxsize=256)
def table_of(curve, x, y):
    """The rows of multiples of (x, y): row i holds d * 2**(WINDOW*i) times it."""
    p, rows = curve.p, curve.n.bit_length() // WINDOW + 1
    bases = [(x, y, 1)]
    for _ in range(rows - 1):
        point = bases[-1]
        for _ in range(WINDOW):
            point = double(p, *point)
        bases.append(point)
    bases = to_affine(p, bases)
    points = []
    for bx, by in bases:
        point = (bx, by, 1)
        points.append(point)
        for _ in range(2**WINDOW - 2):
            point = add_affine(p, *point, bx, by)
            points.append(point)
    affine, width = to_affine(p, points), 2**WINDOW - 1
    return [affine[start:start + width] for start in range(0, len(affine), width)]


def multiply(curve, *terms):
    """The sum of scalar * point over terms (scalar, x, y), in Jacobian form."""
    p, mask = curve.p, 2**WINDOW - 1
    x, y, z = 0, 1, 0
    for scalar, px, py in terms:
        for row in table_of(curve, px, py):
            digit = scalar & mask
            if digit:
                x, y, z = add_affine(p, x, y, z, *row[digit - 1])
            scalar >>= WINDOW
            if not scalar:
                break
    return x, y, z
