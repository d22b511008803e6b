import type { DialectLines } from '../../../contracts/dialect/dialect-lines.ts'
import type { CheckResult } from '../../../contracts/harness/judge/check.ts'

/** Returns the verdict of each check of a run by id, with the reason of an unusual one. */
export const verdictsOf = (results: readonly CheckResult[]): Record<string, string> =>
  Object.fromEntries(
    results.map(({ id, verdict, reason, expected, got }) => [
      id,
      USUAL.includes(verdict) ? verdict : `${verdict}: ${reason ?? `expected ${expected}, got ${got}`}`,
    ]),
  )

const USUAL: readonly CheckResult['verdict'][] = ['pass', 'observed', 'withheld', 'not applicable']

/** Checks of signatures of a read with a body. */
export const OF_READS_WITH_BODY = [52, 53, 54, 55, 56, 57, 58, 59].map(number => `SIG-${number}`)

const readsByGet = ({ paths = {} }: DialectLines) =>
  [paths.search, paths.providers].every(path => path?.startsWith('GET ') === true)

/** Checks to which a line of a dialect leaves nothing to judge, by what the line is. */
const WITHOUT_SUBJECT: readonly (readonly [id: string, is: (lines: DialectLines) => boolean])[] = [
  ['SIG-38', ({ dialect }) => dialect?.port === 'kept'],
  ...OF_READS_WITH_BODY.map(id => [id, readsByGet] as const),
  ['ERR-09', ({ decisions }) => decisions?.['D-09'] === '422'],
  ['VAL-51', ({ decisions }) => (decisions?.['D-39'] ?? 'waiting') !== 'waiting'],
  ['LIF-37', ({ decisions }) => decisions?.['D-120'] === 'settled-payment'],
]

/**
 * Returns the verdicts that certify is expected to give a simulator of a generated dialect, by check id, from those in
 * our own dialect.
 */
export const verdictsIn = (lines: DialectLines, own: Readonly<Record<string, string>>): Record<string, string> => ({
  ...own,
  ...Object.fromEntries(
    WITHOUT_SUBJECT.flatMap(([id, is]) => (id in own && is(lines) ? [[id, 'not applicable']] : [])),
  ),
})

/**
 * Lists the checks whose verdict in a generated dialect is another than it should be, a line each; a reason is compared
 * by its beginning.
 */
export const differences = (
  got: Readonly<Record<string, string>>,
  wanted: Readonly<Record<string, string>>,
): string[] =>
  [...new Set([...Object.keys(wanted), ...Object.keys(got)])].flatMap(id =>
    got[id]?.startsWith(wanted[id] ?? '?') ? [] : [`${id}: ${wanted[id]} is ${got[id]}`],
  )
