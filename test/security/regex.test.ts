import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { attacksOn, type Found, regexesOf } from './regexes.ts'

const PRODUCT = '{bin,contracts,fixtures,hosted-pages,simulator}'
/** Short enough to try tens of thousands of them; an expression that takes notably longer for one is tried on 100 KB. */
const [SHORT, LONG] = [3_000, 100_000]
const [NOTABLE_MS, HANGING_MS] = [2, 1_000]
/** What the whole machine may take for it, however busy it is with other things. */
const PATIENCE_MS = 20_000

/** Milliseconds that this thread has worked: what others do meanwhile does not count. */
const worked = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** For how long an expression looks at the worst of these texts, and which that is; all in one script that can be stopped. */
const worstOf = ({ source, flags }: Found, texts: readonly string[]): { index: number; ms: number } => {
  const find = new RegExp(source, flags.replace('g', ''))
  const script = `texts.reduce((worst, text, index) => {
    const began = now()
    find.lastIndex = 0
    find.test(text)
    const ms = now() - began
    return ms > worst.ms ? { index, ms } : worst
  }, { index: 0, ms: 0 })`
  return runInNewContext(script, { texts, find, now: worked }, { timeout: PATIENCE_MS })
}

/** A text of 100 KB on which the expression hangs; time is only ever given generously, so that load finds none. */
const hangsOn = (found: Found, length = LONG): string | undefined => {
  let told = `${found.where} /${found.source}/`
  try {
    const { index, ms } = worstOf(found, attacksOn(found.source, SHORT))
    if (ms < NOTABLE_MS) return undefined
    const text = attacksOn(found.source, length)[index] ?? ''
    told = `${told} on ${JSON.stringify(text.slice(0, 40))}…`
    return worstOf(found, [text]).ms > HANGING_MS ? told : undefined
  } catch {
    return told
  }
}

test('no regular expression of the product hangs on 100 KB of what it looks for', { timeout: 120_000 }, () => {
  const all = regexesOf(PRODUCT)
  expect(all.length).toBeGreaterThan(250)
  expect(all.flatMap(found => hangsOn(found) ?? [])).toEqual([])
})

test('an expression that does is found out', () => {
  expect(hangsOn({ where: 'here', source: '^\\s*x?\\s*=', flags: '' }, LONG / 2)).toMatch(/^here/)
})
