import { derFromRaw, possibleEncodings, type SignatureEncoding } from '../ecdsa-encoding.ts'
import type { Algorithm } from '../signature-algorithms.ts'
import { ALGORITHMS } from '../signature-algorithms.ts'
import type { CauseId } from './signature-error-causes.ts'

/** One interpretation of signature bytes as DER; without a cause it is a valid encoding. */
export type SignatureForm = { cause: CauseId | undefined; der: Buffer; encoding?: SignatureEncoding }

/** Lists all interpretations of signature bytes as r and s on the curve of an algorithm, valid encodings first. */
export const listSignatureForms = (bytes: Buffer, algorithm: Algorithm): readonly SignatureForm[] => {
  const { coordinateBytes } = algorithm
  const proper: SignatureForm[] = properEncodings(bytes, algorithm).map(encoding => {
    return { cause: undefined, encoding, der: encoding === 'raw' ? derFromRaw(bytes) : bytes }
  })
  const raw = (cause: CauseId, r: Uint8Array, s: Uint8Array): SignatureForm[] => {
    const [wideR, wideS] = [widened(r, coordinateBytes), widened(s, coordinateBytes)]
    return wideR && wideS ? [{ cause, der: derFromRaw(Buffer.concat([wideR, wideS])) }] : []
  }
  const half = bytes.length / 2
  const odd = [
    ...innerText(bytes).flatMap(([cause, inner]) =>
      listSignatureForms(inner, algorithm)
        .filter(form => form.cause === undefined)
        .map(({ der }) => ({ cause, der })),
    ),
    ...(bytes.length === 2 * coordinateBytes
      ? [
          ...raw('encoding-swapped', bytes.subarray(half), bytes.subarray(0, half)),
          ...raw('encoding-little-endian', bytes.subarray(0, half).toReversed(), bytes.subarray(half).toReversed()),
        ]
      : []),
    ...splitPositions(bytes, coordinateBytes).flatMap(([cause, at]) =>
      raw(cause, bytes.subarray(0, at), bytes.subarray(at)),
    ),
    ...sloppyDer(bytes, coordinateBytes).flatMap(([cause, r, s]) => raw(cause, r, s)),
  ]
  return [...proper, ...odd]
}

/** Lists the algorithms of which these bytes can be a validly encoded signature. */
export const possibleAlgorithms = (bytes: Buffer): readonly Algorithm[] =>
  ALGORITHMS.filter(algorithm => properEncodings(bytes, algorithm).length > 0)

/** Returns the valid encodings of signature bytes; none for text, or for integers implausibly short for the curve. */
const properEncodings = (bytes: Buffer, { coordinateBytes }: Algorithm): readonly SignatureEncoding[] =>
  innerText(bytes).length > 0
    ? []
    : possibleEncodings(bytes, coordinateBytes).filter(
        encoding => encoding === 'raw' || bytes.length > 2 * coordinateBytes - 8,
      )

/** Decodes signature bytes that are themselves text: hexadecimal, or Base64 again. */
const innerText = (bytes: Buffer): (readonly [CauseId, Buffer])[] => {
  const text = bytes.toString('latin1').trim()
  if (/^([0-9a-f]{2}){32,}$/i.test(text)) return [['encoding-hex-base64', Buffer.from(text, 'hex')]]
  if (/^[A-Za-z0-9+/_-]{60,}=*$/.test(text)) return [['encoding-twice', Buffer.from(text, 'base64')]]
  return []
}

/** Returns the positions where r may end if r and s are concatenated without fixed width. */
const splitPositions = (bytes: Buffer, width: number): (readonly [CauseId, number])[] => {
  const { length } = bytes
  if (length === 2 * width || length > 2 * width + 2 || length < 2 * width - 6) return []
  const cause = length > 2 * width ? 'encoding-padded' : 'encoding-stripped'
  const widest = length > 2 * width ? width + 1 : width
  const places = Array.from({ length: widest + 1 }, (_, place) => place)
  return places.filter(at => at > 0 && length - at <= widest).map(at => [cause, at] as const)
}

/** Reads r and s of non-strict DER: integers not minimal or negative, or trailing bytes. */
const sloppyDer = (bytes: Buffer, width: number): (readonly [CauseId, Buffer, Buffer])[] => {
  if (bytes[0] !== 0x30 || possibleEncodings(bytes, width).includes('der')) return []
  const start = bytes[1] === 0x81 ? 3 : bytes[1] === 0x82 ? 4 : 2
  const r = integerAt(bytes, start)
  const s = r && integerAt(bytes, r.end)
  return r && s ? [['encoding-sloppy', r.value, s.value]] : []
}

const integerAt = (bytes: Buffer, start: number): { value: Buffer; end: number } | undefined => {
  const length = bytes[start + 1]
  if (bytes[start] !== 0x02 || length === undefined || length === 0 || start + 2 + length > bytes.length)
    return undefined
  return { value: bytes.subarray(start + 2, start + 2 + length), end: start + 2 + length }
}

/** Left-pads an integer to a width; undefined where it is zero or too large. */
const widened = (number: Uint8Array, width: number): Buffer | undefined => {
  const start = number.findIndex(octet => octet !== 0)
  const bare = start === -1 ? new Uint8Array() : number.subarray(start)
  return bare.length > width || bare.length === 0 ? undefined : Buffer.concat([Buffer.alloc(width - bare.length), bare])
}
