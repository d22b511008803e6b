import { type RawRequest, serializeRequest } from './create-signed-raw-request.ts'
import type { SeededRandom } from './seeded-random.ts'

const NASTY_VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e21,
  '',
  ' ',
  '\u0000',
  '\ud800',
  'x'.repeat(3_000),
  "' OR 1=1 --",
  '__proto__',
  'BLIK',
  '2026-13-45',
  [],
  [[]],
  {},
  { __proto__: null, toString: 1 },
]

const NASTY_TEXTS = [
  '',
  ' ',
  '\t',
  '?',
  '=',
  ';;',
  ',',
  '"',
  '\\',
  ':AAAA:',
  '%00',
  '../',
  '\xff\xfe',
  '\x7f',
  'x'.repeat(9_000),
]

type Json = Record<string, unknown>

/** Replaces, removes or adds one member somewhere in a JSON object of a test's request. */
export const mutateJson = (value: Json, chance: SeededRandom): Json => {
  const names = Object.keys(value)
  const name = chance.below(8) === 0 ? JSON.stringify(chance.pick(NASTY_VALUES)) : chance.pick([...names, 'more'])
  const inner = value[name]
  if (inner !== null && typeof inner === 'object' && !Array.isArray(inner) && chance.below(3) > 0)
    return { ...value, [name]: mutateJson(inner as Json, chance) }
  if (chance.below(4) === 0) return Object.fromEntries(Object.entries(value).filter(([known]) => known !== name))
  return { ...value, [name]: chance.pick(NASTY_VALUES) }
}

/**
 * Changes a text of a test's request at one position: a character removed, doubled or replaced, or a hostile text
 * inserted.
 */
export const mutateText = (text: string, chance: SeededRandom): string => {
  const at = chance.below(text.length + 1)
  const kept = [text.slice(0, at), text.slice(at + 1)]
  const middle = ['', text.charAt(at).repeat(2), String.fromCharCode(chance.below(256)), chance.pick(NASTY_TEXTS)]
  return kept.join(chance.pick(middle))
}

/** Mutates one header of a test's signed request. */
export const mutateHeader = (message: RawRequest, chance: SeededRandom): RawRequest => {
  const headers = [...message.headers]
  const at = chance.below(headers.length)
  const [name, value] = headers[at] ?? ['X', 'x']
  const clean = (text: string) => text.replace(/[\r\n\0]/g, '')
  const altered: RawRequest['headers'][] = [
    [],
    [
      [name, value],
      [name, value],
    ],
    [[name, '']],
    [[name, clean(mutateText(value, chance))]],
    [[name, `${value},${value}`]],
    [[name.toUpperCase(), ` ${value} `]],
    [[name, chance.pick(NASTY_TEXTS)]],
  ]
  headers.splice(at, 1, ...chance.pick(name.toLowerCase() === 'content-length' ? altered.slice(0, 3) : altered))
  return { ...message, headers }
}

/** Empty lines after a request, which fill a body whose content length was increased. */
const FILLING = Buffer.from('\r\n'.repeat(8_000))

/** Mutates one byte of the head of a test's request; returns the bytes of the request. */
export const mutateByte = (message: RawRequest, chance: SeededRandom): Buffer => {
  const bytes = serializeRequest(message)
  const at = chance.below(bytes.indexOf('\r\n\r\n') + 4)
  const middle = [Buffer.alloc(0), Buffer.from([chance.below(256)]), bytes.subarray(at, at + 2)]
  return Buffer.concat([bytes.subarray(0, at), chance.pick(middle), bytes.subarray(at + 1), FILLING])
}
