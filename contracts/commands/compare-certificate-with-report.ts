import { isDeepStrictEqual } from 'node:util'
import { type ConformanceCertificate, reportedMembers } from '../harness/report/conformance-certificate.ts'
import { withExploration } from '../harness/report/exploration.ts'
import type { RunReport } from '../harness/report/run-report.ts'
import { type RunSummary, summarizeRun } from '../harness/report/run-summary.ts'
import { ConformanceCertificateError } from '../harness/run/command-errors.ts'
import { truncate } from '../schema/describe-schema-error.ts'
import { CHECK_REGISTRY } from './chosen-profile-and-checks.ts'

/**
 * Throws a ConformanceCertificateError that names the first member in which a certificate, or the summary of its report,
 * says other than the report and its checks. Rules of another suite (`isSameSuite` false) may give another exit code.
 */
export const mustMatchReport = (certificate: ConformanceCertificate, report: RunReport, isSameSuite: boolean): void => {
  const { excluded, ...found } = reportedMembers({ ...report, summary: countedAgain(report, isSameSuite) })
  const all = { explored: undefined, ...found, ...(certificate.excluded && { excluded }) }
  const claimed = Object.fromEntries(Object.keys(all).map(name => [name, certificate[name as keyof typeof all]]))
  const { baseUrl, environment } = certificate.target // other versions may say more of it
  const inCertificate = firstDifference({ ...claimed, target: { baseUrl, environment } }, all)
  if (inCertificate)
    throw new ConformanceCertificateError(
      `${differenceText(inCertificate, 'in the certificate', 'by report.json')}: the certificate does not match the report.`,
    )
  const inReport = firstDifference({ summary: report.summary }, { summary: found.summary })
  if (inReport)
    throw new ConformanceCertificateError(
      `${differenceText(inReport, 'in report.json', 'by its checks')}: the report does not match the run.`,
    )
}

/** Counts the summary of a report again from its checks, each once. */
const countedAgain = ({ checks, summary, stopped, explored }: RunReport, isSameSuite: boolean): RunSummary => {
  const once = [...new Map(checks.map(check => [check.id, check])).values()]
  const counted = summarizeRun(once, CHECK_REGISTRY.size, stopped, summary.strict)
  if (isSameSuite) return withExploration({ summary: counted }, explored).summary
  return { ...summary, chosen: counted.chosen, counts: counted.counts }
}

type Difference = { name: string; claimed: unknown; found: unknown }

const firstDifference = (claimed: object, found: object): Difference | undefined => {
  const [ours, theirs] = [new Map(leavesOf(claimed)), new Map(leavesOf(found))]
  return [...new Set([...ours.keys(), ...theirs.keys()])]
    .map(name => ({ name, claimed: ours.get(name), found: theirs.get(name) }))
    .find(leaf => !isDeepStrictEqual(leaf.claimed ?? 0, leaf.found ?? 0)) // a count of 0 may be absent
}

/** Returns the members of an object that are no objects, lists included, by their dotted paths. */
const leavesOf = (members: object, path = ''): [path: string, value: unknown][] =>
  Object.entries(members).flatMap(([name, value]) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? leavesOf(value, `${path}${name}.`)
      : [[`${path}${name}`, value] as [string, unknown]],
  )

const differenceText = ({ name, claimed, found }: Difference, here: string, there: string): string =>
  `${name} is ${shown(claimed)} ${here} and ${shown(found)} ${there}`

const shown = (value: unknown): string => (value === undefined ? 'absent' : truncate(JSON.stringify(value)))
