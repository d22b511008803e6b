import { createHash } from 'node:crypto'
import { TOLERANT_DIALECT } from '../protocol/signature-vectors.ts'
import { REGISTERED_KEYS } from './diagnose-signed-requests.ts'
import { CORRECT_SIGNING, CURVE_PAIRS, NOW, type SigningChoices } from './sign-requests-with-mistakes.ts'
import type { SigningMistake } from './signed-value-mistakes.ts'

const { P256, P384, P521 } = CURVE_PAIRS
const parameters = (change: (text: string) => string): Partial<SigningChoices> => ({
  parameters: signing => change(CORRECT_SIGNING.parameters(signing)),
})
const header = (name: string, change: (value: string) => string): Partial<SigningChoices> => ({
  headers: headers => ({ ...headers, [name]: change(headers[name] ?? '') }),
})
const without = (name: string): Partial<SigningChoices> => ({
  headers: headers => Object.fromEntries(Object.entries(headers).filter(([other]) => other !== name)),
})
const components = (...names: string[]): Partial<SigningChoices> => ({ components: names })
const thumbprint = createHash('sha256')
  .update(P256.publicKey.export({ type: 'spki', format: 'der' }))
  .digest('hex')
const ended = (state: 'deregistered' | 'expired') => ({
  keys: REGISTERED_KEYS.map(key => (key.name === P256.keyId ? { ...key, state } : key)),
})
/** Of a mistake that leaves no base to find, the search would try all it may. */
const UNSEARCHED = { budget: { verifications: 500, isOver: () => false } }
const FIVE = ['@authority', '@method', '@request-target', 'content-digest', 'content-type'] as const

// biome-ignore format: a table reads by its columns
/**
 * Signing mistakes for tests, in headers, component lists, parameters, times and key ids; the signature is valid for
 * what is sent.
 */
export const HEADER_AND_PARAMETER_MISTAKES: readonly SigningMistake[] = [
  ['input-missing',        without('Signature-Input')],
  ['signature-missing',    without('Signature')],
  ['old-draft',            { headers: ({ 'Signature-Input': _, ...rest }) => ({ ...rest, Signature: 'keyId="key-1",algorithm="hs2019",headers="(request-target) host",signature="AAAA"' }) }],
  ['header-twice',         { headers: headers => ({ ...headers, 'signature-input': headers['Signature-Input'] ?? '' }) }],
  ['body-chunked',         { headers: ({ 'Content-Length': _, ...rest }) => ({ ...rest, 'Transfer-Encoding': 'chunked' }) }],
  ['smart-quotes',         parameters(text => text.replace('"@authority"', '“@authority”'))],
  ['names-bare',           parameters(text => text.replace(/\(.*\)/, list => list.replaceAll('"', '')))],
  ['names-comma',          parameters(text => text.replaceAll('" "', '", "'))],
  ['input-unreadable',     header('Signature-Input', text => `${text};;`), UNSEARCHED],
  ['signature-bare',       header('Signature', text => text.replaceAll(':', ''))],
  ['signature-bare',       header('Signature', text => text.replaceAll(':', '"'))],
  ['signature-unreadable', header('Signature', () => 'service_sig=:not*base64:')],
  ['label-other',          { label: 'sig1' }],
  ['label-differs',        header('Signature', text => text.replace('service_sig', 'sig1'))],
  ['params-in-list',       components(...CORRECT_SIGNING.components, '@signature-params'), UNSEARCHED],
  ['names-upper',          parameters(text => text.replace('content-type', 'Content-Type'))],
  ['names-parameter',      parameters(text => text.replace('"content-type"', '"content-type";sf'))],
  ['names-twice',          components(...CORRECT_SIGNING.components, '@method')],
  ['list-order',           components('@method', '@authority', '@request-target', 'content-digest', 'content-type', 'content-length')],
  ['list-missing',         components(...FIVE)],
  ['list-extra',           { ...components(...CORRECT_SIGNING.components, 'host'), lines: { host: 'Localhost:8443' } }],
  ['list-other',           { ...components('@authority', '@method', '@path', 'content-digest', 'content-type', 'content-length'), lines: { '@path': '/payments/capture' } }],
  ['keyid-missing',        parameters(text => text.replace(/;keyid="[^"]*"/, ''))],
  ['keyid-bare',           parameters(text => text.replaceAll(/keyid="([^"]*)"/g, 'keyid=$1'))],
  ['created-missing',      parameters(text => text.replace(/;created=\d+/, ''))],
  ['created-text',         parameters(text => text.replace(/created=(\d+)/, 'created="$1"'))],
  ['created-decimals',     parameters(text => text.replace(/created=(\d+)/, 'created=$1.5'))],
  ['created-milliseconds', { created: NOW * 1000 }],
  ['params-order',         {}, { dialect: { ...TOLERANT_DIALECT, order: 'created-keyid' } }],
  ['created-zone',         { created: NOW - 7200 }],
  ['created-zone',         { created: NOW + 3600 }],
  ['created-old',          { created: NOW - 400 }],
  ['created-ahead',        { created: NOW + 100 }],
  ['expired',              parameters(text => `${text};expires=${NOW - 10}`)],
  ['keyid-unknown',        { keyId: 'key-of-somebody' }],
  ['keyid-client',         { keyId: 'demo-merchant' }],
  ['keyid-thumbprint',     { keyId: thumbprint }],
  ['keyid-pem',            { keyId: P256.publicKey.export({ type: 'spki', format: 'der' }).toString('base64') }],
  ['keyid-nearly',         { keyId: P256.keyId.toUpperCase() }],
  ['key-deregistered',     {}, ended('deregistered')],
  ['key-expired',          {}, ended('expired')],
  ['alg-other',            parameters(text => `${text};alg="ecdsa-p384-sha384"`)],
  ['curve-other',          { privateKey: P521.privateKey, hash: 'sha512' }, { keys: REGISTERED_KEYS.filter(({ name }) => name !== P521.keyId) }],
  ['curve-other',          { keyId: P521.keyId, privateKey: P256.privateKey }, { keys: REGISTERED_KEYS.filter(({ name }) => name === P521.keyId) }],
  ['key-other',            { keyId: P384.keyId }],
]
