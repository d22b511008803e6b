import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Journey } from './check.ts'

/** Which checks judged: two suites with the same catalogue ask the same things. */
export type Suite = { name: 'assay' | 'assay conduct'; version: string; checks: number; catalogue: string }

/** The suite as it stands here. What a check asks, not how its code is laid out, goes into the catalogue's digest. */
export const suiteOf = (journeys: readonly Journey<never>[]): Suite => {
  const rows = journeys.flatMap(({ name, tier, needs = [], checks }) =>
    checks.map(check => [
      name,
      check.tier ?? tier,
      check.id,
      check.clause,
      check.title,
      check.basis ?? 'specified',
      check.observes ?? false,
      check.decisions ?? [],
      check.control ?? '',
      [...needs, ...(check.needs ?? [])],
    ]),
  )
  return suiteNamed('assay', rows)
}

/** A suite by what it asks: a row for each of its checks. */
export const suiteNamed = (name: Suite['name'], rows: readonly unknown[]): Suite => ({
  name,
  version: versionHere(),
  checks: rows.length,
  catalogue: digestOf(JSON.stringify(rows)),
})

/** A digest as the certificate writes it. */
export const digestOf = (content: string | Uint8Array): string => `sha-256:${hash('sha256', content, 'hex')}`

const versionHere = (): string =>
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version
