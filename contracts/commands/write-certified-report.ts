import type { KeyObject } from 'node:crypto'
import { join } from 'node:path'
import type { CheckResult } from '../harness/judge/check.ts'
import {
  type ConformanceCertificate,
  reportedMembers,
  signConformanceCertificate,
} from '../harness/report/conformance-certificate.ts'
import { writeTextFile } from '../harness/report/read-and-write-text-files.ts'
import { REPORT_FILES, writeReportFolder } from '../harness/report/report-folder.ts'
import type { RunReport } from '../harness/report/run-report.ts'
import { sha256Digest } from '../harness/report/suite-name-and-digest.ts'
import { rejudgeRun } from '../harness/run/rejudge-run.ts'
import type { Transcript } from '../harness/run/transcript.ts'
import { CHECK_SCENARIOS } from '../suites/index.ts'
import { CHECK_REGISTRY, type RunTarget } from './chosen-profile-and-checks.ts'

type Measured = { report: RunReport; transcript: Transcript }

/** Writes the files of a report folder, and last the certificate of conformance that holds their digests. */
export const writeCertifiedReport = async (
  folder: string,
  { report, transcript }: Measured,
  target: Pick<RunTarget, 'profile' | 'tier' | 'chosen'>,
  key: KeyObject,
): Promise<void> => {
  const { profile } = target
  const texts = await writeReportFolder(folder, { report, transcript, profile, registry: CHECK_REGISTRY })
  const certificate: ConformanceCertificate = {
    ...reportedMembers(report),
    files: Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, sha256Digest(text)])),
    notRejudged: notReproduced(report.checks, await rejudgeRun({ ...target, scenarios: CHECK_SCENARIOS, transcript })),
  }
  writeTextFile(join(folder, REPORT_FILES.certificate), `${await signConformanceCertificate(certificate, key)}\n`)
}

/** Checks whose verdict the transcript does not reproduce, such as one that judged a redacted secret. */
const notReproduced = (
  live: readonly CheckResult[],
  again: readonly CheckResult[],
): ConformanceCertificate['notRejudged'] => {
  const verdicts = new Map(again.map(({ id, verdict }) => [id, verdict]))
  return live.filter(({ id, verdict }) => verdicts.get(id) !== verdict).map(({ id, verdict }) => ({ id, verdict }))
}
