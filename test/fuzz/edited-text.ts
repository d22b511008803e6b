import fc from 'fast-check'
import { HOSTILE_TEXTS } from './hostile-values.ts'

export type TextEdit = { at: number; drop: number; put: string; times: number }

const LONGEST = 100_000

/** Creates the arbitrary (fast-check) of edits of a text at one or more places, for fuzz targets. */
export const textEdits = (words: readonly string[] = HOSTILE_TEXTS): fc.Arbitrary<TextEdit[]> =>
  fc.array(
    fc.record({
      at: fc.nat(0xffff),
      drop: fc.oneof({ weight: 4, arbitrary: fc.nat(2) }, fc.nat(60)),
      put: fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...words) }, fc.string({ unit: 'binary', maxLength: 4 })),
      times: fc.oneof({ weight: 12, arbitrary: fc.constant(1) }, fc.integer({ min: 0, max: 300 })),
    }),
    { maxLength: 4 },
  )

const edited = (text: string, { at, drop, put, times }: TextEdit): string => {
  const place = at % (text.length + 1)
  return `${text.slice(0, place)}${put.repeat(times)}${text.slice(place + drop)}`
}

export const textWith = (text: string, edits: readonly TextEdit[]): string => edits.reduce(edited, text)

/** Creates the arbitrary (fast-check) of valid texts with edits at one or more places. */
export const editedText = (
  samples: readonly string[],
  words: readonly string[] = HOSTILE_TEXTS,
): fc.Arbitrary<string> =>
  fc.tuple(fc.constantFrom(...samples), textEdits(words)).map(([text, list]) => textWith(text, list))

/** Creates an arbitrary of fuzz texts joined from a random sequence of these words. */
export const scraps = (words: readonly string[], maxLength = 16): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...words), { maxLength }).map(parts => parts.join(''))

/** Creates the arbitrary (fast-check) of long texts of repeated words, to expose superlinear time. */
export const pumped = (words: readonly string[], longest = LONGEST): fc.Arbitrary<string> => {
  const few = scraps(words, 3)
  return fc
    .tuple(few, few, few, fc.integer({ min: 1, max: longest }))
    .map(([head, unit, tail, length]) => head + (unit || ' ').repeat(Math.ceil(length / (unit.length || 1))) + tail)
}

/** Creates the arbitrary (fast-check) of near-misses of texts: edited, built from words, random, or very long. */
export const nearly = (
  samples: readonly string[],
  words: readonly string[],
  longest = LONGEST,
): fc.Arbitrary<string> => {
  const all = [...HOSTILE_TEXTS, ...words]
  return fc.oneof(
    { weight: 12, arbitrary: editedText(samples, all) },
    { weight: 4, arbitrary: scraps(all) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
    { weight: 1, arbitrary: pumped(all, longest) },
  )
}

/** Creates the arbitrary (fast-check) of edited bytes, as Latin-1 text. */
export const editedOctets = (samples: readonly Uint8Array[]): fc.Arbitrary<string> => {
  const octet = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code))
  const lengths = [
    '\x30\x80',
    '\x30\x84\xff\xff\xff\xff',
    '\x00\x00',
    '\x02\x01\x00',
    '\x06\x00',
    '\x03\x02\x07',
    '\x17\x0d',
  ]
  return editedText(
    samples.map(sample => Buffer.from(sample).toString('latin1')),
    [...octet, ...lengths],
  ).map(text => text.replaceAll(/[^\0-\xff]/g, '?'))
}
