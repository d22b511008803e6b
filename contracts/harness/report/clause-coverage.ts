import { type Check, type CheckResult, VERDICTS, type Verdict } from '../judge/check.ts'

/** Lists the clauses of the document that a check cites, one per element. */
export const citedClauses = ({ clause }: Pick<Check, 'clause'>): string[] => clause.split(',').map(name => name.trim())

export type ClauseCoverage = { clause: string; checks: number; unchosen: number; counts: Record<Verdict, number> }

/** Counts the verdicts for each clause of the document, in clause order; a check of two clauses counts in both. */
export const countClauseCoverage = (
  registry: ReadonlyMap<string, Check>,
  results: readonly CheckResult[],
): ClauseCoverage[] => {
  const verdicts = new Map(results.map(({ id, verdict }) => [id, verdict]))
  const rows = new Map<string, ClauseCoverage>()
  for (const check of registry.values())
    for (const clause of citedClauses(check)) {
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

/** Formats clause coverage as CSV (RFC 4180): a row per clause, a column per verdict; a row adds up to its checks. */
export const clauseCoverageCsv = (registry: ReadonlyMap<string, Check>, results: readonly CheckResult[]): string => {
  const columns = [...VERDICTS].reverse()
  const rows = countClauseCoverage(registry, results).map(({ clause, checks, unchosen, counts }) => [
    `"${clause}"`,
    checks,
    ...columns.map(verdict => counts[verdict]),
    unchosen,
  ])
  return [['clause', 'checks', ...columns, 'not chosen'], ...rows].map(row => `${row.join(',')}\r\n`).join('')
}
