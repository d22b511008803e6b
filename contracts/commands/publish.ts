import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Certificate, signCertificate, signingKeyOf } from '../harness/certificate.ts'
import type { Result } from '../harness/check.ts'
import type { Transcript } from '../harness/recording.ts'
import { UsageError } from '../harness/registry.ts'
import { rejudge } from '../harness/rejudge.ts'
import type { Report } from '../harness/report.ts'
import { FILES, writeFile, writeFolder } from '../harness/report-folder.ts'
import { digestOf } from '../harness/suite.ts'
import { JOURNEYS } from '../suites/all.ts'
import { REGISTRY, type Target } from './target.ts'

/** The key that `--sign-key` names, read before anything is called; a fresh one where none is named. */
export const signingKeyFrom = (file: string | undefined) => signingKeyOf(file === undefined ? undefined : textOf(file))

export const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw new UsageError(`There is no readable file ${file}: name one that exists.`)
  }
}

type Measured = { report: Report; transcript: Transcript }

/** Writes a report folder, and last of all a certificate over what stands in it. */
export const publish = async (
  folder: string,
  { report, transcript }: Measured,
  target: Pick<Target, 'profile' | 'tier' | 'chosen'>,
  key: ReturnType<typeof signingKeyFrom>,
): Promise<void> => {
  const { profile } = target
  const texts = await writeFolder(folder, { report, transcript, profile, registry: REGISTRY })
  const written = [FILES.report, FILES.transcript, FILES.profile].map(name => [name, digestOf(texts[name] ?? '')])
  const certificate: Certificate = {
    format: 1,
    issuedAt: report.endedAt,
    suite: report.suite,
    profile: profile.name,
    target: { baseUrl: profile.target.baseUrl, environment: profile.target.environment },
    tier: report.tier,
    only: report.only,
    summary: report.summary,
    files: Object.fromEntries(written),
    notRejudged: otherwise(report.checks, await rejudge({ ...target, journeys: JOURNEYS, transcript })),
  }
  writeFile(join(folder, FILES.certificate), `${await signCertificate(certificate, key)}\n`)
}

/** What the transcript does not bear out, as where a secret that it hides is what was judged. */
const otherwise = (live: readonly Result[], again: readonly Result[]): Certificate['notRejudged'] => {
  const verdicts = new Map(again.map(({ id, verdict }) => [id, verdict]))
  return live.filter(({ id, verdict }) => verdicts.get(id) !== verdict).map(({ id, verdict }) => ({ id, verdict }))
}
