import { createHash } from 'node:crypto'
import { HEADER_AND_PARAMETER_MISTAKES } from './header-and-parameter-mistakes.ts'
import {
  CERTIFICATE_KEY_PAIR,
  CORRECT_SIGNING,
  CURVE_PAIRS,
  GET_SIGNING,
  type SigningChoices,
  signRaw,
  toRawSignature,
} from './sign-requests-with-mistakes.ts'
import { SIGNED_VALUE_MISTAKES, type SigningMistake } from './signed-value-mistakes.ts'

type Base = SigningChoices['base']

const { P256, P384 } = CURVE_PAIRS
const base = (change: (text: string) => string | Buffer): Partial<SigningChoices> => ({
  base: (lines, last, signing) => change(String(CORRECT_SIGNING.base(lines, last, signing))),
})
const lines = (
  change: (all: readonly (readonly [string, string])[]) => readonly (readonly [string, string])[],
): Partial<SigningChoices> => ({
  base: ((all, last, signing) => CORRECT_SIGNING.base(change(all), last, signing)) satisfies Base,
})
const last = (change: (parameters: string, signing: SigningChoices) => string): Partial<SigningChoices> => ({
  last: (signing, parameters) => change(parameters, signing),
})
const hash = (name: string, text: string, encoding: 'hex' | 'base64') => createHash(name).update(text).digest(encoding)
const encoded = (change: (bytes: Buffer) => string): Partial<SigningChoices> => ({
  signatureText: bytes => `:${change(bytes)}:`,
})
const bytes = (change: (der: Buffer) => Buffer): Partial<SigningChoices> => ({
  sign: (text, signing) => change(CORRECT_SIGNING.sign(text, signing)),
})
const minimal = (half: Buffer): Buffer => half.subarray(half.findIndex(octet => octet !== 0))
const bigInteger = (half: Buffer): Buffer => ((half[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.alloc(1), half]) : half)

/** Signs repeatedly until r or s has the wanted property (about one in a few hundred). */
const signedUntil = (isWanted: (raw: Buffer) => boolean, change: (raw: Buffer) => Buffer): Partial<SigningChoices> => ({
  sign: (text, signing) => {
    for (;;) {
      const found = signRaw(text, signing)
      if (isWanted(found)) return change(found)
    }
  },
})

// biome-ignore format: a table reads by its columns
/** Signing mistakes in the signature base, its last line, its hash, the key, and the signature bytes. */
const SIGNATURE_BASE_AND_KEY_MISTAKES: readonly SigningMistake[] = [
  ['lines-newline',         base(text => `${text}\n`)],
  ['lines-newline',         { ...GET_SIGNING, ...base(text => `${text}\r\n`) }],
  ['lines-crlf',            base(text => text.replaceAll('\n', '\r\n'))],
  ['lines-crlf',            base(text => `${text.replaceAll('\n', '\r\n')}\r\n`)],
  ['lines-joined',          base(text => text.replaceAll('\n', ''))],
  ['lines-joined',          base(text => text.replaceAll('\n', '\\n'))],
  ['lines-names-bare',      base(text => text.replaceAll(/^"([^"]+)"/gm, '$1'))],
  ['lines-names-case',      base(text => text.replaceAll(/^"([^"]+)"/gm, name => name.toUpperCase()))],
  ['lines-no-blank',        base(text => text.replaceAll('": ', '":'))],
  ['lines-values-quoted',   base(text => text.replaceAll(/^("[^"]+"): (.*)$/gm, '$1: "$2"'))],
  ['lines-values-only',     base(text => text.replaceAll(/^"[^"]+": /gm, ''))],
  ['lines-bom',             base(text => `\uFEFF${text}`)],
  ['lines-utf16',           base(text => Buffer.from(text, 'utf16le'))],
  ['lines-order',           lines(all => all.toReversed())],
  ['lines-order',           lines(all => all.toSorted(([a], [b]) => (a < b ? -1 : 1)))],
  ['lines-order',           lines(([a, b, ...rest]) => [b, a, ...rest].flatMap(one => (one ? [one] : [])))],
  ['lines-order',           lines(all => [...all.slice(0, 4), ...all.slice(4).toReversed()])],
  ['line-missing',          lines(all => all.slice(1))],
  ['line-missing',          lines(all => all.filter(([name]) => name !== 'content-type'))],
  ['line-missing',          lines(all => all.filter(([name]) => name !== 'content-length'))],
  ['lines-content-missing', lines(all => all.slice(0, 3))],
  ['lines-content-added',   { ...GET_SIGNING, ...lines(all => [...all, ['content-digest', ''], ['content-type', ''], ['content-length', '0']]) }],
  ['last-label-other',      last(text => `sig1=${text}`)],
  ['last-order',            last(text => text.replace(/(;keyid="[^"]+")(;created=\d+)/, '$2$1'))],
  ['last-keyid-bare',       last(text => text.replaceAll(/keyid="([^"]+)"/g, 'keyid=$1'))],
  ['last-names-bare',       last(text => text.replace(/\(.*\)/, list => list.replaceAll('"', '')))],
  ['last-created-text',     last(text => text.replace(/created=(\d+)/, 'created="$1"'))],
  ['last-created-ms',       last(text => text.replace(/created=(\d+)/, 'created=$1000'))],
  ['last-created-other',    last((text, { created }) => text.replace(String(created), String(created + 1)))],
  ['last-keyid-other',      last(text => text.replace(P256.keyId, P384.keyId))],
  ['last-alg',              last(text => `${text};alg="ecdsa-p256-sha256"`)],
  ['last-spaced',           last(text => text.replaceAll(';', '; '))],
  ['last-spaced',           { parameters: signing => CORRECT_SIGNING.parameters(signing).replaceAll(';', '; ') }],
  ['last-list-only',        last(text => text.replace(/\).*/, ')'))],
  ['last-params-only',      last(text => text.replace(/.*\);/, ''))],
  ['last-missing',          base(text => text.split('\n').slice(0, -1).join('\n'))],
  ['last-name-bare',        base(text => text.replace('"@signature-params"', '@signature-params'))],
  ['last-first',            base(text => [text.split('\n').at(-1), ...text.split('\n').slice(0, -1)].join('\n'))],
  ['label-in-last',         last(text => `service_sig=${text}`), { dialect: { readings: ['rfc'], encodings: ['der', 'raw'] } }],
  ['label-not-in-last',     {}, { dialect: { readings: ['literal'], encodings: ['der', 'raw'] } }],
  ['hashed-twice',          base(text => createHash('sha256').update(text).digest())],
  ['hashed-hex',            base(text => hash('sha256', text, 'hex'))],
  ['hashed-base64',         base(text => hash('sha256', text, 'base64'))],
  ['base-encoded',          base(text => Buffer.from(text).toString('base64'))],
  ['base-encoded',          base(text => JSON.stringify(text))],
  ['hash-other',            { hash: 'sha512' }],
  ['hash-other',            { keyId: P384.keyId, privateKey: P384.privateKey, hash: 'sha256' }],
  ['hash-other',            { hash: 'sha1' }],
  ['key-other',             { privateKey: P384.privateKey, hash: 'sha384' }],
  ['key-certificate',       { privateKey: CERTIFICATE_KEY_PAIR.privateKey }],
  ['encoding-refused',      {}, { dialect: { readings: ['rfc'], encodings: ['raw'] } }],
  ['encoding-refused',      { sign: signRaw }, { dialect: { readings: ['rfc'], encodings: ['der'] } }],
  ['encoding-url',          { ...signedUntil(found => /[-_]/.test(found.toString('base64url')), found => found), ...encoded(found => found.toString('base64url')) }],
  ['encoding-padding',      { sign: signRaw, ...encoded(found => found.toString('base64').replaceAll('=', '')), ...signedUntil(found => !/[-_]/.test(found.toString('base64url')) || true, found => found) }],
  ['encoding-space',        encoded(found => `${found.toString('base64').slice(0, 40)}\n${found.toString('base64').slice(40)}`)],
  ['encoding-percent',      { sign: signRaw, ...encoded(found => encodeURIComponent(found.toString('base64'))) }],
  ['encoding-hex',          encoded(found => found.toString('hex'))],
  ['encoding-hex-base64',   encoded(found => Buffer.from(found.toString('hex')).toString('base64'))],
  ['encoding-twice',        encoded(found => Buffer.from(found.toString('base64')).toString('base64'))],
  ['encoding-stripped',     signedUntil(found => found[0] === 0, found => Buffer.concat([minimal(found.subarray(0, 32)), found.subarray(32)]))],
  ['encoding-padded',       signedUntil(found => ((found[0] ?? 0) & 0x80) !== 0, found => Buffer.concat([bigInteger(found.subarray(0, 32)), bigInteger(found.subarray(32))]))],
  ['encoding-sloppy',       bytes(der => Buffer.concat([der, Buffer.from([0])]))],
  ['encoding-swapped',      bytes(der => Buffer.concat([toRawSignature(der).subarray(32), toRawSignature(der).subarray(0, 32)]))],
  ['encoding-little-endian', bytes(der => Buffer.concat([Buffer.from(toRawSignature(der).subarray(0, 32)).reverse(), Buffer.from(toRawSignature(der).subarray(32)).reverse()]))],
  ['encoding-none',         { sign: () => Buffer.alloc(256, 7) }],
]

/** All signing mistakes of the tests, each with the cause that the signature lab must name first. */
export const SIGNING_MISTAKES: readonly SigningMistake[] = [
  ...HEADER_AND_PARAMETER_MISTAKES,
  ...SIGNED_VALUE_MISTAKES,
  ...SIGNATURE_BASE_AND_KEY_MISTAKES,
]
