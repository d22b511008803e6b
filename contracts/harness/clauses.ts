import { type Check, type Result, VERDICTS, type Verdict } from './check.ts'

/** The clauses that a check cites, one by one. */
export const clausesOf = ({ clause }: Pick<Check, 'clause'>): string[] => clause.split(',').map(name => name.trim())

export type Coverage = { clause: string; checks: number; unchosen: number; counts: Record<Verdict, number> }

/** What became of the checks of each clause of the document; a check that cites two stands under both. */
export const coverageOf = (registry: ReadonlyMap<string, Check>, results: readonly Result[]): Coverage[] => {
  const verdicts = new Map(results.map(({ id, verdict }) => [id, verdict]))
  const rows = new Map<string, Coverage>()
  for (const check of registry.values())
    for (const clause of clausesOf(check)) {
      const row = rows.get(clause) ?? { clause, checks: 0, unchosen: 0, counts: zeros() }
      const verdict = verdicts.get(check.id)
      row.checks += 1
      if (verdict) row.counts[verdict] += 1
      else row.unchosen += 1
      rows.set(clause, row)
    }
  return [...rows.values()].sort((a, b) => a.clause.localeCompare(b.clause, 'en', { numeric: true }))
}

const zeros = () => Object.fromEntries(VERDICTS.map(verdict => [verdict, 0])) as Record<Verdict, number>

/** Coverage as CSV (RFC 4180): a row for each clause, a column for each verdict; each row adds up. */
export const coverageCsv = (registry: ReadonlyMap<string, Check>, results: readonly Result[]): string => {
  const columns = [...VERDICTS].reverse()
  const rows = coverageOf(registry, results).map(({ clause, checks, unchosen, counts }) => [
    `"${clause}"`,
    checks,
    ...columns.map(verdict => counts[verdict]),
    unchosen,
  ])
  return [['clause', 'checks', ...columns, 'not chosen'], ...rows].map(row => `${row.join(',')}\r\n`).join('')
}
