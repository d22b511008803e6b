import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { readPem } from '../../simulator/installation/read-pem.ts'
import { attackTexts, findSourceRegexes, type SourceRegex } from './source-regexes-and-attack-texts.ts'

const PRODUCT = '{bin,contracts,fixtures,hosted-pages,simulator}'
/** Text lengths: short texts are tried by the thousand; an expression that is slow on one is tried on 100 KB. */
const [SHORT, LONG] = [1_000, 100_000]
/** Time on a short text, in linear scans of it, from which an expression is tried on a long one; a quadratic one takes 500. */
const NOTABLE_SCANS = 200
/** Time on a long text that counts as hanging, in linear scans of it; a quadratic one takes 50,000. */
const HANGING_SCANS = 10_000
/** Times a long text is tried; the shortest counts, so a busy machine slows none of them into hanging. */
const TRIES = 3
/** Wall-clock limit of one script. */
const PATIENCE_MS = 20_000

/**
 * The text on which an expression takes longest, and its time in milliseconds; runs in one script with a time limit.
 * By the wall clock, as some kernels count CPU time in ticks that are longer than a short text takes.
 */
const worstOf = ({ source, flags }: SourceRegex, texts: readonly string[]): { index: number; ms: number } => {
  const find = new RegExp(source, flags.replace('g', ''))
  const script = `texts.reduce((worst, text, index) => {
    const began = now()
    find.lastIndex = 0
    find.test(text)
    const ms = now() - began
    return ms > worst.ms ? { index, ms } : worst
  }, { index: 0, ms: 0 })`
  return runInNewContext(script, { texts, find, now: () => performance.now() }, { timeout: PATIENCE_MS })
}

/** Shortest time of a linear scan of a text on this machine, in milliseconds. */
const scanMs = (text: string): number => {
  const times = Array.from({ length: 30 }, () => {
    const began = performance.now()
    LINEAR.test(text)
    return performance.now() - began
  })
  return Math.min(...times)
}
const LINEAR = /^[^¬]*/

/** Describes the text of 100 KB on which an expression exceeds its time; undefined if there is none. */
const hangsOn = (found: SourceRegex, length = LONG): string | undefined => {
  let told = `${found.where} /${found.source}/`
  try {
    const texts = attackTexts(found.source, SHORT)
    const { index, ms } = worstOf(found, texts)
    if (ms < NOTABLE_SCANS * scanMs(texts[index] ?? '')) return undefined
    const text = attackTexts(found.source, length)[index] ?? ''
    told = `${told} on ${JSON.stringify(text.slice(0, 40))}…`
    const limit = HANGING_SCANS * scanMs(text)
    for (let tried = 0; tried < TRIES; tried += 1) if (worstOf(found, [text]).ms <= limit) return undefined
    return told
  } catch {
    return told
  }
}

test('no regular expression of the product backtracks catastrophically on 100 KB', { timeout: 120_000 }, () => {
  const all = findSourceRegexes(PRODUCT)
  expect(all.length).toBeGreaterThan(250)
  expect(all.flatMap(found => hangsOn(found) ?? [])).toEqual([])
})

test('a PEM block of blank lines is read in time linear in its length', () => {
  const text = `-----BEGIN CERTIFICATE-----${'\n'.repeat(LONG / 2)}${' '.repeat(LONG / 2)}!`
  const began = performance.now()
  expect(() => readPem(text, 'certificate', 'CERTIFICATE')).toThrow(/cut short or damaged/)
  expect(performance.now() - began).toBeLessThan(HANGING_SCANS * scanMs(text))
})

test('catastrophic backtracking is detected', () => {
  expect(hangsOn({ where: 'here', source: '^\\s*x?\\s*=', flags: '' }, LONG / 3)).toMatch(/^here/)
})
