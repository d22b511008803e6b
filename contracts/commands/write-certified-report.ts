import type { KeyObject } from 'node:crypto'
import type { CheckResult } from '../harness/judge/check.ts'
import {
  type ConformanceCertificate,
  reportedMembers,
  signConformanceCertificate,
} from '../harness/report/conformance-certificate.ts'
import { REPORT_FILES, reportTexts } from '../harness/report/report-folder.ts'
import type { RunReport } from '../harness/report/run-report.ts'
import { sha256Digest } from '../harness/report/suite-name-and-digest.ts'
import { writeReportAndPendingRun } from '../harness/run/pending-run.ts'
import { rejudgeRun } from '../harness/run/rejudge-run.ts'
import type { Transcript } from '../harness/run/transcript.ts'
import { CHECK_SCENARIOS } from '../suites/index.ts'
import { CHECK_REGISTRY, type RunTarget } from './chosen-profile-and-checks.ts'
import { digestsOf, nothingWaits, type PendingRunOf } from './save-paused-scenarios.ts'

type Measured = { report: RunReport; transcript: Transcript }

/**
 * Writes the files of a report folder, the certificate of conformance that holds their digests, the run that waits, and
 * the ledger where it is that of another folder, all together.
 */
export const writeCertifiedReport = async (
  folder: string,
  { report, transcript }: Measured,
  target: Pick<RunTarget, 'profile' | 'tier' | 'chosen'>,
  key: KeyObject,
  { pendingOf = nothingWaits, ledger }: { pendingOf?: PendingRunOf; ledger?: string } = {},
): Promise<void> => {
  const { profile } = target
  const texts = await reportTexts({ report, transcript, profile, registry: CHECK_REGISTRY })
  const certificate: ConformanceCertificate = {
    ...reportedMembers(report),
    files: Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, sha256Digest(text)])),
    notRejudged: notReproduced(report.checks, await rejudgeRun({ ...target, scenarios: CHECK_SCENARIOS, transcript })),
  }
  const signed = {
    ...texts,
    ...(ledger !== undefined && { [REPORT_FILES.ledger]: ledger }),
    [REPORT_FILES.certificate]: `${await signConformanceCertificate(certificate, key)}\n`,
  }
  const digests = digestsOf(name => texts[name] ?? '', profile)
  writeReportAndPendingRun(folder, signed, pendingOf(digests))
}

/** Checks whose verdict the transcript does not reproduce, such as one that judged a redacted secret. */
const notReproduced = (
  live: readonly CheckResult[],
  again: readonly CheckResult[],
): ConformanceCertificate['notRejudged'] => {
  const verdicts = new Map(again.map(({ id, verdict }) => [id, verdict]))
  return live.filter(({ id, verdict }) => verdicts.get(id) !== verdict).map(({ id, verdict }) => ({ id, verdict }))
}
