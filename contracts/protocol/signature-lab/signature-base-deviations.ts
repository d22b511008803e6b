import type { Algorithm } from '../signature-algorithms.ts'
import type { Deviation } from './base-deviation-type.ts'
import { readHeaderValue } from './lab-request.ts'
import { type BaseDraft, type BaseEdit, type BaseLine, hashBytes, withLast } from './signature-base-draft.ts'
import type { SignatureBaseInputs } from './signature-base-inputs.ts'
import type { CauseId } from './signature-error-causes.ts'

type Row = readonly [
  cause: CauseId,
  aspect: string,
  weight: number,
  edits: (facts: SignatureBaseInputs) => readonly BaseEdit[],
]

const write =
  (how: (line: BaseLine) => string): BaseEdit =>
  draft => ({ ...draft, write: how })

const set =
  (change: Partial<BaseDraft>): BaseEdit =>
  draft => ({ ...draft, ...change })

const upper = (name: string): string =>
  name.replaceAll(/(^|[-@])([a-z])/g, (_, before, letter) => before + letter.toUpperCase())

// biome-ignore format: a table reads by its columns
const LINE_ROWS: readonly Row[] = [
  ['lines-newline',         'end',     1, () => [set({ end: '\n' }), set({ end: '\r\n' }), set({ end: ' ' }), set({ end: '\n\n' })]],
  ['lines-crlf',            'join',    1, () => [set({ join: '\r\n' }), set({ join: '\r\n', end: '\r\n' })]],
  ['lines-joined',          'join',    1, () => ['', ' ', '\\n', ', ', ',', '; ', '\r', '\n\n', '|', '&'].map(join => set({ join }))],
  ['lines-names-bare',      'write',   1, () => [write(({ name, value }) => `${name}: ${value}`), write(({ name, value }) => `${name}:${value}`), write(({ name, value }) => `${name}=${value}`)]],
  ['lines-names-case',      'write',   2, () => [write(({ name, value }) => `"${upper(name)}": ${value}`), write(({ name, value }) => `"${name.toUpperCase()}": ${value}`)]],
  ['lines-no-blank',        'write',   1, () => [write(({ name, value }) => `"${name}":${value}`), write(({ name, value }) => `"${name}" : ${value}`), write(({ name, value }) => `"${name}":  ${value}`)]],
  ['lines-values-quoted',   'write',   2, () => [write(({ name, value }) => `"${name}": "${value}"`)]],
  ['lines-values-only',     'write',   2, () => [write(({ value }) => value)]],
  ['lines-bom',             'start',   2, () => ['\uFEFF', '\n', '\r\n', ' '].map(start => set({ start }))],
  ['lines-utf16',           'charset', 2, () => [set({ charset: 'utf16le' })]],
  ['lines-order',           'order',   1, usualOrders],
  ['lines-order',           'order',   3, movedLines],
  ['lines-content-missing', 'order',   1, () => [draft => ({ ...draft, lines: draft.lines.filter(({ name }) => name.startsWith('@')) })]],
  ['lines-content-added',   'order',   2, addedLines],
  ['last-missing',          'last',    1, () => [set({ last: undefined })]],
  ['last-first',            'place',   2, () => [set({ lastFirst: true })]],
  ['last-name-bare',        'name',    1, () => [
                                            set({ writeLast: ({ name, value }) => `${name}: ${value}` }), set({ writeLast: ({ name, value }) => `${name}:${value}` }),
                                            set({ writeLast: ({ value }) => value }), set({ writeLast: ({ value }) => `"signature-params": ${value}` }),
                                            set({ writeLast: ({ value }) => `"signature-input": ${value}` })]],
  ['hashed-twice',          'message', 1, () => [set({ wrap: (base, hash) => hashBytes(base, hash) }), ...['sha256', 'sha384', 'sha512'].map(name => set({ wrap: base => hashBytes(base, name) }))]],
  ['hashed-hex',            'message', 1, () => ['sha256', 'sha384', 'sha512'].flatMap(name => [
                                            set({ wrap: base => Buffer.from(hashBytes(base, name).toString('hex')) }), set({ wrap: base => Buffer.from(hashBytes(base, name).toString('hex').toUpperCase()) })])],
  ['hashed-base64',         'message', 1, () => ['sha256', 'sha384', 'sha512'].map(name => set({ wrap: base => Buffer.from(hashBytes(base, name).toString('base64')) }))],
  ['base-encoded',          'message', 2, () => [
                                            set({ wrap: base => Buffer.from(base.toString('base64')) }), set({ wrap: base => Buffer.from(base.toString('base64url')) }),
                                            set({ wrap: base => Buffer.from(JSON.stringify(base.toString('utf8'))) }), set({ wrap: base => Buffer.from(JSON.stringify(base.toString('utf8')).slice(1, -1)) })]],
]

// biome-ignore format: a table reads by its columns
const LAST_ROWS: readonly Row[] = [
  ['last-spaced',       'last', 1, ({ input }) => [
                                     withLast(value => value.replace(input.parameters, input.asSent)), withLast(value => value.replaceAll(';', '; ')),
                                     withLast(value => value.replaceAll('" "', '", "')), withLast(value => value.replaceAll('" "', '","')), withLast(value => ` ${value}`)]],
  ['last-order',        'last', 1, () => [withLast(value => value.replace(/(;keyid="[^"]*")(;created=\d+)/, '$2$1')), withLast(value => value.replace(/(;created=\d+)(;keyid="[^"]*")/, '$2$1'))]],
  ['last-keyid-bare',   'last', 1, () => [withLast(value => value.replace(/keyid="([^"]*)"/, 'keyid=$1'))]],
  ['last-names-bare',   'last', 1, () => [withLast(value => value.replace(/\([^()]*\)/, list => list.replaceAll('"', ''))), withLast(value => value.replaceAll('"', ''))]],
  ['last-created-text', 'last', 1, () => [withLast(value => value.replace(/created=(\d+)/, 'created="$1"'))]],
  ['last-created-ms',   'last', 2, () => [withLast(value => value.replace(/created=(\d+)/, 'created=$1000'))]],
  ['last-alg',          'last', 2, ({ input }) => input.alg === undefined
                                     ? ALGS.flatMap(alg => [withLast(value => `${value};alg="${alg}"`), withLast(value => value.replace(/\)/, `);alg="${alg}"`))])
                                     : [withLast(value => value.replace(/;alg="[^"]*"/, ''))]],
  ['last-list-only',    'last', 1, () => [withLast(value => value.replace(/\).*$/, ')'))]],
  ['last-params-only',  'last', 1, () => [withLast(value => value.replace(/^.*?\);?/, '')), withLast(value => value.replace(/^.*?\)/, ''))]],
  ['last-label-other',  'last', 2, () => ['sig1', 'sig', 'signature', 'Signature-Input: service_sig', 'Signature-Input: '].map(label => withLast(value => `${label}${label.endsWith(' ') ? '' : '='}${value.replace(/^\w+=/, '')}`))],
]
const ALGS = [
  'ecdsa-p256-sha256',
  'ecdsa-p384-sha384',
  'ECDSA_SHA_256',
  'ECDSA_SHA_384',
  'ECDSA_SHA_512',
  'ES256',
  'ES384',
  'ES512',
]

/** Lists the known deviations of the signature base as a whole and of its last line. */
export const baseDeviations = (facts: SignatureBaseInputs): readonly Deviation[] => [
  ...[...LINE_ROWS, ...LAST_ROWS].flatMap(([cause, aspect, weight, edits]) =>
    edits(facts).map(edit => ({ cause, aspect, weight, edit, values: lastValues(facts) })),
  ),
  ...facts.components.map(name => ({
    cause: 'line-missing' as const,
    aspect: name,
    weight: 1,
    edit: without(name),
    values: { name: `"${name}"` },
  })),
  ...otherParameters(facts),
]

/** Lists the known deviations of the hash: functions that do not belong to the curve of the key. */
export const hashDeviations = ({ curve, hash }: Algorithm): readonly Deviation[] =>
  ['sha256', 'sha384', 'sha512', 'sha1', 'sha224', 'sha3-256']
    .filter(name => name !== hash)
    .map((name, index) => ({
      cause: 'hash-other',
      aspect: 'hash',
      weight: index < 2 ? 1 : 3,
      edit: set({ hash: name }),
      values: {
        hash: name.toUpperCase().replace(/^SHA(\d)/, 'SHA-$1'),
        expected: `${hash.replace('sha', 'SHA-')} (${curve})`,
      },
    }))

const lastValues = ({ input }: SignatureBaseInputs): Record<string, string> => ({
  expected: `"@signature-params": ${input.parameters}`,
})

const without =
  (name: string): BaseEdit =>
  draft => ({ ...draft, lines: draft.lines.filter(line => line.name !== name) })

/** Returns the deviations of created (read from the clock twice) and keyid (of another key) in the last line. */
const otherParameters = (facts: SignatureBaseInputs): Deviation[] => {
  const { created, keyId } = facts.input
  const times = created === undefined ? [] : [1, -1, 2, -2, 3, -3, 5, -5].map(away => String(created + away))
  const ids = facts.keyIds.filter(id => id !== keyId)
  const row = (cause: CauseId, weight: number, value: string, edit: BaseEdit): Deviation => {
    return { cause, aspect: 'last', weight, edit, values: { ...lastValues(facts), value } }
  }
  return [
    ...times.map(value =>
      row(
        'last-created-other',
        2,
        value,
        withLast(last => last.replace(/created=\d+/, `created=${value}`)),
      ),
    ),
    ...ids.map(value =>
      row(
        'last-keyid-other',
        1,
        value,
        withLast(last => last.replace(/keyid="[^"]*"/, () => `keyid="${value}"`)),
      ),
    ),
  ]
}

/** Lists the usual orders of the lines that differ from the listed one. */
function usualOrders({ components }: SignatureBaseInputs): BaseEdit[] {
  const plain = components.toSorted((a, b) => (a.replace('@', '') < b.replace('@', '') ? -1 : 1))
  const methodFirst = ['@method', '@authority', '@request-target', ...components.slice(3)]
  const targetFirst = ['@method', '@request-target', '@authority', ...components.slice(3)]
  const contentFirst = [...components.slice(3), ...components.slice(0, 3)]
  return [components.toReversed(), components.toSorted(), plain, methodFirst, targetFirst, contentFirst].map(inOrder)
}

function movedLines({ components }: SignatureBaseInputs): BaseEdit[] {
  const orders = components.flatMap(name => components.map((_, place) => moved(components, name, place)))
  const swapped = components.flatMap((a, i) => components.slice(i + 1).map(b => swap(components, a, b)))
  return [...orders, ...swapped].map(inOrder)
}

const inOrder =
  (order: readonly string[]): BaseEdit =>
  draft => ({ ...draft, lines: draft.lines.toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name)) })

const swap = (names: readonly string[], a: string, b: string): string[] =>
  names.map(name => (name === a ? b : name === b ? a : name))

const moved = (names: readonly string[], name: string, place: number): string[] =>
  names.filter(other => other !== name).toSpliced(place, 0, name)

function addedLines(facts: SignatureBaseInputs): BaseEdit[] {
  if (facts.components.includes('content-digest')) return []
  const { request } = facts
  const contents = ['', readHeaderValue(request, 'content-digest') ?? EMPTY_DIGEST].flatMap(digest =>
    ['', facts.componentOf('content-type'), 'application/json'].flatMap(type =>
      ['', '0'].map(length => [
        { name: 'content-digest', value: digest },
        { name: 'content-type', value: type },
        { name: 'content-length', value: length },
      ]),
    ),
  )
  return contents.map(lines => draft => ({ ...draft, lines: [...draft.lines, ...lines] }))
}
const EMPTY_DIGEST = 'sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:'
