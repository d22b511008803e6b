import type { Algorithm } from '../algorithms.ts'
import { ALGORITHMS } from '../algorithms.ts'
import { derFromRaw, type Encoding, encodingsOf } from '../ecdsa-encoding.ts'
import type { CauseId } from './causes.ts'

/** One way of reading the bytes of a signature; one without a cause is proper. */
export type SignatureForm = { cause: CauseId | undefined; der: Buffer; encoding?: Encoding }

/** Every way in which these bytes can be r and s on a curve, the proper one first. */
export const signatureForms = (bytes: Buffer, algorithm: Algorithm): readonly SignatureForm[] => {
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
      signatureForms(inner, algorithm)
        .filter(form => form.cause === undefined)
        .map(({ der }) => ({ cause, der })),
    ),
    ...(bytes.length === 2 * coordinateBytes
      ? [
          ...raw('encoding-swapped', bytes.subarray(half), bytes.subarray(0, half)),
          ...raw('encoding-little-endian', bytes.subarray(0, half).toReversed(), bytes.subarray(half).toReversed()),
        ]
      : []),
    ...splits(bytes, coordinateBytes).flatMap(([cause, at]) => raw(cause, bytes.subarray(0, at), bytes.subarray(at))),
    ...sloppyDer(bytes, coordinateBytes).flatMap(([cause, r, s]) => raw(cause, r, s)),
  ]
  return [...proper, ...odd]
}

/** The curves on which these bytes can be a proper signature. */
export const curvesOf = (bytes: Buffer): readonly Algorithm[] =>
  ALGORITHMS.filter(algorithm => properEncodings(bytes, algorithm).length > 0)

/** Numbers shorter than their curve by eight bytes do not come by chance, nor does text where bytes should be. */
const properEncodings = (bytes: Buffer, { coordinateBytes }: Algorithm): readonly Encoding[] =>
  innerText(bytes).length > 0
    ? []
    : encodingsOf(bytes, coordinateBytes).filter(
        encoding => encoding === 'raw' || bytes.length > 2 * coordinateBytes - 8,
      )

/** Text inside the Base64: hexadecimal, or Base64 once more. */
const innerText = (bytes: Buffer): (readonly [CauseId, Buffer])[] => {
  const text = bytes.toString('latin1').trim()
  if (/^([0-9a-f]{2}){32,}$/i.test(text)) return [['encoding-hex-base64', Buffer.from(text, 'hex')]]
  if (/^[A-Za-z0-9+/_-]{60,}=*$/.test(text)) return [['encoding-twice', Buffer.from(text, 'base64')]]
  return []
}

/** Where r may end when the two numbers stand side by side without a fixed width. */
const splits = (bytes: Buffer, width: number): (readonly [CauseId, number])[] => {
  const { length } = bytes
  if (length === 2 * width || length > 2 * width + 2 || length < 2 * width - 6) return []
  const cause = length > 2 * width ? 'encoding-padded' : 'encoding-stripped'
  const widest = length > 2 * width ? width + 1 : width
  const places = Array.from({ length: widest + 1 }, (_, place) => place)
  return places.filter(at => at > 0 && length - at <= widest).map(at => [cause, at] as const)
}

/** r and s of a SEQUENCE that a strict reader refuses: integers too long or negative, something behind the end. */
const sloppyDer = (bytes: Buffer, width: number): (readonly [CauseId, Buffer, Buffer])[] => {
  if (bytes[0] !== 0x30 || encodingsOf(bytes, width).includes('der')) return []
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

/** A number at full width, or undefined where it is too large for it. */
const widened = (number: Uint8Array, width: number): Buffer | undefined => {
  const start = number.findIndex(octet => octet !== 0)
  const bare = start === -1 ? new Uint8Array() : number.subarray(start)
  return bare.length > width || bare.length === 0 ? undefined : Buffer.concat([Buffer.alloc(width - bare.length), bare])
}
