import { type Message, render } from './message.ts'

/** Chance that can be had again: the same seed draws the same numbers. */
export type Chance = {
  /** A whole number from 0 to below the limit. */
  below(limit: number): number
  pick<Item>(items: readonly Item[]): Item
}

export const createChance = (seed: number): Chance => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return { below, pick: items => items[below(items.length)] as (typeof items)[number] }
}

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

/** Replaces, removes or adds one member somewhere in a JSON object. */
export const mutateJson = (value: Json, chance: Chance): Json => {
  const names = Object.keys(value)
  const name = chance.below(8) === 0 ? JSON.stringify(chance.pick(NASTY_VALUES)) : chance.pick([...names, 'more'])
  const inner = value[name]
  if (inner !== null && typeof inner === 'object' && !Array.isArray(inner) && chance.below(3) > 0)
    return { ...value, [name]: mutateJson(inner as Json, chance) }
  if (chance.below(4) === 0) return Object.fromEntries(Object.entries(value).filter(([known]) => known !== name))
  return { ...value, [name]: chance.pick(NASTY_VALUES) }
}

/** Changes a text at one place: a character lost, doubled, replaced, or nonsense put in. */
export const mutateText = (text: string, chance: Chance): string => {
  const at = chance.below(text.length + 1)
  const kept = [text.slice(0, at), text.slice(at + 1)]
  const middle = ['', text.charAt(at).repeat(2), String.fromCharCode(chance.below(256)), chance.pick(NASTY_TEXTS)]
  return kept.join(chance.pick(middle))
}

/** Does something to one header of a message that is signed already. */
export const mutateHeader = (message: Message, chance: Chance): Message => {
  const headers = [...message.headers]
  const at = chance.below(headers.length)
  const [name, value] = headers[at] ?? ['X', 'x']
  const clean = (text: string) => text.replace(/[\r\n\0]/g, '')
  const altered: Message['headers'][] = [
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

/** Blank lines behind a request: they fill a body that was made to seem longer, and else mean nothing. */
const FILLING = Buffer.from('\r\n'.repeat(8_000))

/** The octets of a message, one of its head changed. */
export const mutateOctet = (message: Message, chance: Chance): Buffer => {
  const bytes = render(message)
  const at = chance.below(bytes.indexOf('\r\n\r\n') + 4)
  const middle = [Buffer.alloc(0), Buffer.from([chance.below(256)]), bytes.subarray(at, at + 2)]
  return Buffer.concat([bytes.subarray(0, at), chance.pick(middle), bytes.subarray(at + 1), FILLING])
}
