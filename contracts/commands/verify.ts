import { join } from 'node:path'
import type { Verdict } from '../harness/judge/check.ts'
import {
  type ConformanceCertificate,
  type VerifiedConformanceCertificate,
  verifyConformanceCertificate,
} from '../harness/report/conformance-certificate.ts'
import { EXIT_CODES } from '../harness/report/exit-codes.ts'
import { explorationText } from '../harness/report/exploration.ts'
import { readTextFile } from '../harness/report/read-and-write-text-files.ts'
import {
  REPORT_FILES,
  readReportFile,
  readSavedProfile,
  readSavedReport,
  readSavedTranscript,
} from '../harness/report/report-folder.ts'
import type { RunReport } from '../harness/report/run-report.ts'
import { identifySuite, type SuiteIdentity, sha256Digest } from '../harness/report/suite-name-and-digest.ts'
import { ConformanceCertificateError } from '../harness/run/command-errors.ts'
import { rejudgeRun } from '../harness/run/rejudge-run.ts'
import { visibleLine } from '../protocol/visible-text.ts'
import { CHECK_SCENARIOS } from '../suites/index.ts'
import { mustMatchReport } from './compare-certificate-with-report.ts'
import { toRejudgeTarget } from './regrade.ts'
import { printResult, type Subcommand } from './subcommand.ts'

/**
 * Subcommand `assay certify verify`: checks the certificate of conformance of a run against its report folder, without
 * any call.
 */
export const subcommand: Subcommand = {
  usage: 'verify DIR [--key FILE]',
  description: `
Verifies the certificate of conformance of a run, without any call: its signature, that the files that it covers are the
ones that were signed, that what it says is what the report says, and that judging the transcript again yields the
verdicts of the report. It names the checks whose evidence is a secret, which the transcript masks: for them the signature
is the only proof.

  assay certify verify reports/today --key our-public-key.pem

A certificate signed with a generated key proves that nothing was changed afterwards, but not who signed it.`,
  options: ['key', 'json'],
  operands: [1, 1],
  execute: async (values, [folder = '']) => {
    const signed = await verifyConformanceCertificate(
      readReportFile(folder, REPORT_FILES.certificate),
      values.key && readTextFile(values.key),
    )
    const { certificate } = signed
    verifyDigests(certificate, folder)
    const isSameSuite = identifySuite(CHECK_SCENARIOS).catalogue === certificate.suite.catalogue
    const report = isSameSuite ? readSavedReport(folder) : reportOfOtherSuite(folder)
    const again = report && isSameSuite ? await judgedAgain(certificate, report, folder) : undefined
    if (report) mustMatchReport(certificate, report, isSameSuite)
    printResult(
      values,
      () => ({ ...certificate, keyId: signed.keyId, keyGiven: !signed.ownKey, judgedAgain: again ?? false }),
      () => verdictText(signed, again),
    )
    return again === undefined && !isConduct(certificate) ? EXIT_CODES.incomplete : EXIT_CODES.fine
  },
}

const verifyDigests = ({ files, suite }: ConformanceCertificate, folder: string): void => {
  for (const [name, digest] of Object.entries(files))
    if (!WRITTEN.includes(name) || sha256Digest(readReportFile(folder, name)) !== digest)
      throw new ConformanceCertificateError(
        `${join(folder, name)} is not the file that was signed: it was changed afterwards.`,
      )
  const missing = SIGNED[suite.name].find(name => files[name] === undefined)
  if (missing)
    throw new ConformanceCertificateError(`The certificate covers no ${missing}: it is not the certificate of a run.`)
}

/** Files that a certificate may cover; only these are read, whatever it names. */
const WRITTEN: readonly string[] = [
  REPORT_FILES.report,
  REPORT_FILES.junit,
  REPORT_FILES.page,
  REPORT_FILES.coverage,
  REPORT_FILES.transcript,
  REPORT_FILES.profile,
]

/** Files that certificates of each suite cover since the first; drills have no transcript, as the sandbox judges by more than the calls. */
const SIGNED: Readonly<Record<SuiteIdentity['name'], readonly string[]>> = {
  assay: [REPORT_FILES.report, REPORT_FILES.transcript, REPORT_FILES.profile],
  'assay conduct': [REPORT_FILES.report],
}

const isConduct = ({ suite }: ConformanceCertificate): boolean => suite.name === 'assay conduct'

/** Reads the report of a run that another suite judged; undefined where another version wrote it in another form. */
const reportOfOtherSuite = (folder: string): RunReport | undefined => {
  try {
    return readSavedReport(folder)
  } catch {
    return undefined
  }
}

/** Counts the verdicts that the transcript reproduces; throws a ConformanceCertificateError where it gives another one. */
const judgedAgain = async (certificate: ConformanceCertificate, report: RunReport, folder: string): Promise<number> => {
  const target = toRejudgeTarget(report, readSavedProfile(folder))
  const results = await rejudgeRun({ ...target, scenarios: CHECK_SCENARIOS, transcript: readSavedTranscript(folder) })
  const [reported, judged, exceptions] = [byId(report.checks), byId(results), byId(certificate.notRejudged)]
  const wrong = [...judged.keys(), ...reported.keys()].find(
    id => reported.get(id) !== (exceptions.get(id) ?? judged.get(id)),
  )
  if (wrong !== undefined)
    throw new ConformanceCertificateError(
      `${wrong} is "${reported.get(wrong) ?? 'absent'}" in the report and "${judged.get(wrong) ?? 'not judged'}" by the transcript: the report does not match the run.`,
    )
  return results.length - exceptions.size
}

const byId = (list: readonly { id: string; verdict: Verdict }[]): ReadonlyMap<string, Verdict> =>
  new Map(list.map(({ id, verdict }) => [id, verdict]))

const verdictText = (
  { certificate, keyId, ownKey }: VerifiedConformanceCertificate,
  again: number | undefined,
): string => {
  const { profile, target, issuedAt, summary, suite, notRejudged, tier, excluded = [] } = certificate
  const counts = Object.entries(summary.counts).filter(([, count]) => count > 0)
  const lines = [
    `The certificate is good: ${profile}, ${target.baseUrl}, ${target.environment}, tier ${tier}, ${issuedAt}.`,
    `${summary.chosen} of ${summary.registered} checks by suite ${suite.version}: ${counts.map(([verdict, count]) => `${count} ${verdict}`).join(', ')}.`,
    `It covers ${Object.keys(certificate.files).join(', ')}.`,
    ...(certificate.explored ? [`${explorationText(certificate.explored)}.`] : []),
    ...excluded.map(({ verdict, reason, checks }) => `${verdict}: ${reason} (${checks.join(', ')})`),
    ownKey
      ? `Signed by a key that it brought along (${keyId}): name the signer's with --key to know who signed.`
      : `Signed by the key that you named (${keyId}).`,
    again === undefined
      ? isConduct(certificate)
        ? 'The sandbox judged by all that it saw: signature and digest were checked, and no verdict was.'
        : `It was judged by another suite (${suite.version}) than this one, so that signature and digests were checked and no verdict was.`
      : `${again} verdicts were found again in the transcript.`,
    ...(notRejudged.length > 0 && again !== undefined
      ? [`Not found again, because the evidence holds a secret: ${notRejudged.map(({ id }) => id).join(', ')}.`]
      : []),
  ]
  return lines.map(line => `${visibleLine(line)}\n`).join('')
}
