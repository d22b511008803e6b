/** Names of ECDSA signature encodings: `der`, an ASN.1 SEQUENCE, and `raw`, r and s concatenated at full width. */
export const SIGNATURE_ENCODINGS = ['der', 'raw'] as const
export type SignatureEncoding = (typeof SIGNATURE_ENCODINGS)[number]

const SEQUENCE = 0x30
const INTEGER = 0x02

/** Converts a raw signature (r‖s) to DER; integers are minimal, with a zero octet where the top bit is set. */
export const derFromRaw = (raw: Uint8Array): Buffer => {
  const half = raw.length / 2
  const integers = Buffer.concat([derInteger(raw.subarray(0, half)), derInteger(raw.subarray(half))])
  return Buffer.concat([Buffer.from([SEQUENCE]), derLength(integers.length), integers])
}

/** Converts a DER signature to r‖s of `2 × coordinateBytes`; undefined where the bytes are not strict DER. */
export const rawFromDer = (der: Uint8Array, coordinateBytes: number): Buffer | undefined => {
  const integers = integersOf(der, coordinateBytes)
  return integers && Buffer.concat(integers.flatMap(value => [Buffer.alloc(coordinateBytes - value.length), value]))
}

/** Returns the encodings that these signature bytes can have: at most one for a real signature, none if malformed. */
export const possibleEncodings = (signature: Uint8Array, coordinateBytes: number): SignatureEncoding[] =>
  SIGNATURE_ENCODINGS.filter(encoding =>
    encoding === 'raw'
      ? signature.length === 2 * coordinateBytes
      : integersOf(signature, coordinateBytes) !== undefined,
  )

const derLength = (length: number): Buffer => Buffer.from(length < 0x80 ? [length] : [0x81, length])

const derInteger = (coordinate: Uint8Array): Buffer => {
  const start = coordinate.findIndex(octet => octet !== 0)
  const trimmed = coordinate.subarray(start === -1 ? coordinate.length - 1 : start)
  const sign = (trimmed[0] ?? 0) & 0x80 ? [0] : []
  return Buffer.from([INTEGER, trimmed.length + sign.length, ...sign, ...trimmed])
}

/** Returns the content of the outer SEQUENCE; undefined unless its length is exact and minimally encoded. */
const derBody = (der: Uint8Array): Uint8Array | undefined => {
  if (der[0] !== SEQUENCE) return undefined
  const long = der[1] === 0x81
  const length = long ? der[2] : der[1]
  const start = long ? 3 : 2
  if (length === undefined || (long ? length < 0x80 : length > 0x7f) || der.length !== start + length) return undefined
  return der.subarray(start)
}

/** Returns the two integers of a DER signature without leading zero octets; undefined if malformed. */
const integersOf = (der: Uint8Array, coordinateBytes: number): [r: Uint8Array, s: Uint8Array] | undefined => {
  const body = derBody(der)
  if (!body) return undefined
  const rLength = body[1] ?? 0
  const r = readInteger(body.subarray(0, 2 + rLength), coordinateBytes)
  const s = readInteger(body.subarray(2 + rLength), coordinateBytes)
  return r && s && [r, s]
}

const readInteger = (field: Uint8Array, coordinateBytes: number): Uint8Array | undefined => {
  if (field[0] !== INTEGER || field.length < 3 || field[1] !== field.length - 2) return undefined
  const [first = 0, second = 0] = [field[2], field[3]]
  if (first & 0x80 || (first === 0 && field.length > 3 && !(second & 0x80))) return undefined
  const value = field.subarray(first === 0 ? 3 : 2)
  return value.length > coordinateBytes ? undefined : value
}
