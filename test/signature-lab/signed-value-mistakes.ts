import type { DiagnosisInput } from '../../contracts/protocol/signature-lab/diagnose-request.ts'
import type { CauseId } from '../../contracts/protocol/signature-lab/signature-error-causes.ts'
import { TOLERANT_DIALECT } from '../protocol/signature-vectors.ts'
import { BODY, CORRECT_SIGNING, digestOf, GET_SIGNING, type SigningChoices } from './sign-requests-with-mistakes.ts'

export type SigningMistake = readonly [cause: CauseId, changes: Partial<SigningChoices>, more?: Partial<DiagnosisInput>]

const line = (name: string, value: string): Partial<SigningChoices> => ({ lines: { [name]: value } })
const authority = (value: string) => line('@authority', value)
const target = (value: string) => line('@request-target', value)
const type = (value: string) => line('content-type', value)
const length = (value: string | number) => line('content-length', String(value))
const signedDigest = (value: string) => line('content-digest', value)
const sentDigest = (value: string): Partial<SigningChoices> => ({ digest: value })
const parsed = JSON.parse(BODY)
const hex = Buffer.from(digestOf(BODY).slice(9, -1), 'base64').toString('hex')
const base64 = digestOf(BODY).slice(9, -1)
const sorted = '{"paymentDetails":{"amount":1500,"description":"Żółć / herbata"},"transactionId":"t-1"}'
const spaced = '{"transactionId": "t-1", "paymentDetails": {"amount": 1500, "description": "Żółć / herbata"}}'
const ascii = BODY.replaceAll(/[\u0080-\uffff]/g, c => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
const pretty = Buffer.from(JSON.stringify(parsed, undefined, 2))
const text = (body: string | Buffer) => Buffer.from(body as string)

/** Wrong body digests; each is tested as sent and as signed only. */
// biome-ignore format: a table reads by its columns
const DIGESTS: readonly (readonly [cause: CauseId, digest: string, body?: Buffer])[] = [
  ['digest-bare',           `sha-256=${base64}`],
  ['digest-old-header',     `SHA-256=${base64}`],
  ['digest-hex',            `sha-256=:${hex}:`],
  ['digest-hex',            `sha-256=:${Buffer.from(hex).toString('base64')}:`],
  ['digest-url',            `sha-256=:${Buffer.from(base64, 'base64').toString('base64url')}=:`, Buffer.from('{"a":11}')],
  ['digest-of-compact',     digestOf(BODY), pretty],
  ['digest-of-pretty',      digestOf(pretty)],
  ['digest-of-pretty',      digestOf(JSON.stringify(parsed, undefined, 4))],
  ['digest-of-sorted',      digestOf(sorted)],
  ['digest-of-spaced',      digestOf(spaced)],
  ['digest-of-escaped',     digestOf(ascii)],
  ['digest-of-escaped',     digestOf(BODY.replaceAll('/', '\\/'))],
  ['digest-of-newline',     digestOf(`${BODY}\n`)],
  ['digest-of-no-newline',  digestOf(BODY), text(`${BODY}\n`)],
  ['digest-of-crlf',        digestOf(pretty.toString().replaceAll('\n', '\r\n')), pretty],
  ['digest-of-empty',       digestOf('')],
  ['digest-of-charset',     digestOf(Buffer.from(BODY, 'utf16le'))],
  ['digest-of-charset',     digestOf(`\uFEFF${BODY}`)],
  ['digest-of-quoted',      digestOf(JSON.stringify(BODY))],
  ['digest-of-placeholder', digestOf('[object Object]')],
  ['digest-function',       digestOf(BODY, 'sha-512').replace('sha-512', 'sha-256')],
]

const digestWays: SigningMistake[] = DIGESTS.flatMap(([cause, digest, body]): SigningMistake[] => {
  const own = body ? { body } : {}
  const isUrl = cause === 'digest-url'
  const sent = isUrl ? urlDigest(body ?? CORRECT_SIGNING.body) : digest
  return [
    [cause, { ...own, ...sentDigest(sent) }],
    ...(cause === 'digest-function' ? [] : [[cause, { ...own, ...signedDigest(sent) }] as SigningMistake]),
  ]
})

function urlDigest(body: Buffer | undefined): string {
  const plain = digestOf(body ?? '').slice(9, -1)
  return `sha-256=:${plain.replaceAll('+', '-').replaceAll('/', '_')}:`
}

// biome-ignore format: a table reads by its columns
/** Signing mistakes for tests, in the value of one line of the signature base. */
export const SIGNED_VALUE_MISTAKES: readonly SigningMistake[] = [
  ...digestWays,
  ['digest-function',       signedDigest(digestOf(BODY, 'sha-512'))],
  ['digest-missing',        { headers: ({ 'Content-Digest': _, ...rest }) => rest }],
  ['digest-missing',        signedDigest('')],
  ['digest-unreadable',     sentDigest('md5=:1B2M2Y8AsgTpgAmY7PhCfg==:')],
  ['digest-other',          sentDigest(digestOf('something else'))],
  ['authority-port',        authority('localhost:8443')],
  ['authority-port',        { ...GET_SIGNING, ...authority('localhost:8443') }],
  ['authority-no-port',     {}, { dialect: { ...TOLERANT_DIALECT, port: 'kept' } }],
  ['authority-default-port', { host: 'api.shop.test', ...authority('api.shop.test:443') }],
  ['authority-case',        authority('Localhost')],
  ['authority-url',         authority('https://localhost')],
  ['authority-url',         authority('https://Localhost:8443')],
  ['authority-url',         authority('localhost/')],
  ['authority-empty',       authority('')],
  ['authority-other',       authority('127.0.0.1:8443')],
  ['authority-rewritten',   authority('gateway.test'), { otherHosts: ['gateway.test'] }],
  ['authority-rewritten',   { ...authority('pay.shop.test'), headers: headers => ({ ...headers, 'X-Forwarded-Host': 'pay.shop.test' }) }],
  ['authority-rewritten',   { ...authority('pay.shop.test'), headers: headers => ({ ...headers, 'X-Forwarded-Host': 'pay.shop.test:443, inner' }) }],
  ['authority-rewritten',   { ...authority('pay.shop.test'), headers: headers => ({ ...headers, Forwarded: 'for=1.2.3.4;host="pay.shop.test";proto=https' }) }],
  ['method-case',           line('@method', 'post')],
  ['method-other',          line('@method', 'GET')],
  ['target-query',          target('/payments/capture')],
  ['target-decoded',        target('/payments/capture?trace=a b&x=1')],
  ['target-encoded',        target('/payments/capture?trace=a+b&x=1')],
  ['target-encoded',        target('/payments/capture?trace=a%2520b&x=1')],
  ['target-url',            target('https://localhost:8443/payments/capture?trace=a%20b&x=1')],
  ['target-url',            { ...GET_SIGNING, ...target('https://localhost/payments/t-1/status?full=true&b=2') }],
  ['target-normalised',     { target: '/payments/./x/../capture', ...target('/payments/capture') }],
  ['target-normalised',     { target: '//payments//capture', ...target('/payments/capture') }],
  ['target-slash',          target('/payments/capture/?trace=a%20b&x=1')],
  ['target-slash',          target('payments/capture?trace=a%20b&x=1')],
  ['target-method',         target('post /payments/capture?trace=a%20b&x=1')],
  ['target-method',         target('POST /payments/capture?trace=a%20b&x=1 HTTP/1.1')],
  ['target-prefix',         target('/capture?trace=a%20b&x=1')],
  ['target-query-order',    { ...GET_SIGNING, ...target('/payments/t-1/status?b=2&full=true') }],
  ['target-query-only',     { ...GET_SIGNING, ...target('?full=true&b=2') }],
  ['target-case',           { target: '/payments/T-1/status', ...target('/payments/t-1/status') }],
  ['type-charset',          type('application/json; charset=utf-8')],
  ['type-charset',          { contentType: 'application/json', ...type('application/json;charset=UTF-8') }],
  ['type-case',             { contentType: 'Application/JSON', ...type('Application/JSON') }],
  ['type-empty',            type('')],
  ['type-other',            type('text/plain')],
  ['type-blank',            type(' application/json')],
  ['length-characters',     length(BODY.length)],
  ['length-empty',          length('')],
  ['length-of-other',       length(pretty.length)],
  ['length-of-other',       length('0')],
]
