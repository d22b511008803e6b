import { createRedactor } from '../client/redact.ts'
import type { Tier } from '../harness/check.ts'
import { type Profile, readProfile } from '../harness/profile.ts'
import { choose } from '../harness/registry.ts'
import { rejudge } from '../harness/rejudge.ts'
import { hideSecrets, jsonReport, layersOffIn, type Report } from '../harness/report.ts'
import { prepareFolder, readProfileOf, readReport, readTranscript, writeFile } from '../harness/report-folder.ts'
import { junitReport } from '../harness/report-junit.ts'
import { painter, textReport } from '../harness/report-text.ts'
import { summarize } from '../harness/summary.ts'
import { JOURNEYS } from '../suites/all.ts'
import { frameOf } from './measure.ts'
import { publish, signingKeyFrom } from './publish.ts'
import { namesIn, REGISTRY, type Target } from './target.ts'
import type { Word } from './word.ts'

/** Judges what an earlier run has seen again, by the profile as it is now. */
export const word: Word = {
  usage: 'regrade DIR [--profile FILE]',
  teaches: `
Judges what an earlier run has seen again and calls nobody: after a line of the profile was corrected, a decision
confirmed, or the suite brought up to date. Without --profile it is the one of that run. What the run never asked is
untestable; what hangs on a secret that the transcript hides may come out otherwise, and "verify" names it.

  assay certify regrade reports/today --profile ours.yaml --report reports/again`,
  takes: ['profile', 'only', 'report', 'junit', 'sign-key', 'json'],
  operands: [1, 1],
  act: async (values, [folder = '']) => {
    const [before, transcript] = [readReport(folder), readTranscript(folder)]
    const key = signingKeyFrom(values['sign-key'])
    const target = againOf(
      before,
      values.profile === undefined ? readProfileOf(folder) : profileAt(values.profile, before),
      values.only,
    )
    const results = await rejudge({ ...target, journeys: JOURNEYS, transcript })
    const report: Report = {
      ...frameOf(target),
      startedAt: before.startedAt,
      endedAt: before.endedAt,
      ...(before.stopped && { stopped: before.stopped }),
      ...layersOffIn(results),
      summary: summarize(results, REGISTRY.size, before.stopped),
      checks: hideSecrets(results, createRedactor()),
    }
    if (values.report !== undefined) {
      prepareFolder(values.report)
      await publish(values.report, { report, transcript }, target, key)
    }
    if (values.junit !== undefined) writeFile(values.junit, junitReport(report))
    process.stdout.write(values.json ? jsonReport(report) : textReport(report, painter(process.stdout)))
    return report.summary.exitCode
  },
}

/** A profile at hand, for the address that the run was made against. */
const profileAt = (file: string, { target }: Report): Profile => readProfile(file, { baseUrl: target.baseUrl })

/** What the run judged, narrowed to what is asked for now. */
export const againOf = (report: Report, profile: Profile, only?: readonly string[]): Target => {
  const names = only === undefined ? report.only : namesIn(only)
  return { profile, tier: report.tier as Tier, only: names, chosen: choose(REGISTRY, names) }
}
