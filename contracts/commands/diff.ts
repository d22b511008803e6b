import { statSync } from 'node:fs'
import type { Result, Verdict } from '../harness/check.ts'
import { confirmHost } from '../harness/confirm-host.ts'
import { UsageError } from '../harness/registry.ts'
import type { Report } from '../harness/report.ts'
import { readReport } from '../harness/report-folder.ts'
import { EXIT } from '../harness/summary.ts'
import { measure } from './measure.ts'
import { progress } from './progress.ts'
import { TARGET, targetOf } from './target.ts'
import { tell, type Values, type Word } from './word.ts'

/** Compares two runs check by check. */
export const word: Word = {
  usage: 'diff A B [--profile FILE]',
  teaches: `
Compares two runs check by check: A is how it was, B is how it is. Each is the folder of a run, or an https address that
is judged on the spot by --profile. What passed and does so no more is a regression and ends with exit code 8; what is
better or merely otherwise is named and no fault.

  assay certify diff reports/yesterday reports/today
  assay certify diff https://old.example https://new.example --profile ours.yaml`,
  takes: [...TARGET, 'confirm-host', 'json'],
  operands: [2, 2],
  act: async (values, [a = '', b = '']) => {
    const [before, after] = [await reportOf(a, values), await reportOf(b, values)]
    const changes = changesOf(before, after)
    tell(
      values,
      () => ({ before: headOf(before), after: headOf(after), changes }),
      () => textOf(before, after, changes),
    )
    return changes.some(({ kind }) => kind === 'regression') ? EXIT.differs : EXIT.fine
  },
}

const reportOf = async (operand: string, values: Values): Promise<Report> => {
  if (!operand.startsWith('https://')) {
    if (statSync(operand, { throwIfNoEntry: false })) return readReport(operand)
    throw new UsageError(`${operand} is neither the folder of a run nor an https address: name one of the two.`)
  }
  const target = targetOf({ ...values, 'base-url': operand })
  confirmHost(target.profile, values['confirm-host'])
  return (await measure(target, progress(target.chosen.size))).report
}

type Change = {
  id: string
  title: string
  kind: 'regression' | 'better' | 'other'
  before: Verdict | 'not judged'
  after: Verdict | 'not judged'
  why?: string
}

/** Verdicts that say that something holds, or that nothing was to be said. */
const GOOD: readonly string[] = ['pass', 'observed', 'stale']
const UNASKED: readonly string[] = ['not judged', 'withheld', 'not applicable']

const changesOf = (before: Report, after: Report): Change[] => {
  const [old, now] = [before, after].map(({ checks }) => new Map(checks.map(check => [check.id, check])))
  const ids = new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])])
  return [...ids].flatMap(id => changeOf(id, old?.get(id), now?.get(id)) ?? [])
}

const changeOf = (id: string, old: Result | undefined, now: Result | undefined): Change | undefined => {
  const [before, after] = [old?.verdict ?? 'not judged', now?.verdict ?? 'not judged'] as const
  if (before === after) return undefined
  const why = now?.reason ?? (now?.expected && `expected ${now.expected}, got ${now.got}`)
  return { id, title: (now ?? old)?.title ?? '', kind: kindOf(before, after), before, after, ...(why && { why }) }
}

const kindOf = (before: string, after: string): Change['kind'] => {
  if (after === 'fail' && before !== 'known') return 'regression'
  if (GOOD.includes(before) && !GOOD.includes(after) && !UNASKED.includes(after)) return 'regression'
  return !GOOD.includes(before) && GOOD.includes(after) ? 'better' : 'other'
}

const headOf = ({ profile, target, startedAt, summary }: Report) => ({ profile, target, startedAt, summary })

const TITLES = { other: 'otherwise', better: 'better', regression: 'regressions' } as const

const textOf = (before: Report, after: Report, changes: readonly Change[]): string => {
  const head = [before, after]
    .map(({ target, startedAt }, index) => `${'AB'[index]}  ${target.baseUrl}, ${startedAt}\n`)
    .join('')
  const parts = (['other', 'better', 'regression'] as const).flatMap(kind => {
    const members = changes.filter(change => change.kind === kind)
    return members.length === 0 ? [] : [`\n${TITLES[kind]} (${members.length})\n${members.map(lineOf).join('')}`]
  })
  return `${head}${parts.join('') || '\nEvery verdict is the same.\n'}`
}

const lineOf = ({ id, title, before, after, why }: Change): string =>
  `  ${id.padEnd(8)} ${before} → ${after}  ${title}\n${why ? `           ${why}\n` : ''}`
