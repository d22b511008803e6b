import { join } from 'node:path'
import { confirmHost } from '../harness/confirm-host.ts'
import { jsonReport } from '../harness/report.ts'
import { FILES, prepareFolder, writeFile } from '../harness/report-folder.ts'
import { junitReport } from '../harness/report-junit.ts'
import { painter, textReport } from '../harness/report-text.ts'
import { createStop, stopOnSignals } from '../harness/stop.ts'
import { type Measured, measure } from './measure.ts'
import { progress } from './progress.ts'
import { publish, signingKeyFrom } from './publish.ts'
import { TARGET, type Target, targetOf } from './target.ts'
import type { Values, Word } from './word.ts'

/** Judges a deployment and tells how it went. */
export const word: Word = {
  usage: 'run --profile FILE [options]',
  teaches: `
Judges a deployment by the checks of the contract, and cleans up behind itself. Without --report nothing is written.

  assay certify run --profile contracts/profiles/simulator.yaml
  assay certify run --profile ours.yaml --only SIG,IDM-15 --report reports/today

Ctrl-C lets the calls under way end, cleans up and reports what was judged so far; a second one ends at once.
Production is judged by calls that must be refused, and no further, and wants its host typed once more.`,
  takes: [...TARGET, 'confirm-host', 'report', 'junit', 'sign-key', 'json'],
  act: async values => {
    const target = targetOf(values)
    confirmHost(target.profile, values['confirm-host'])
    const key = signingKeyFrom(values['sign-key'])
    if (values.report !== undefined) prepareFolder(values.report)
    const measured = await measuredOf(target, values)
    if (values.report !== undefined) await publish(values.report, measured, target, key)
    if (values.junit !== undefined) writeFile(values.junit, junitReport(measured.report))
    return answer(measured, values)
  },
}

const measuredOf = async (target: Target, values: Values): Promise<Measured> => {
  const { profile, tier, chosen } = target
  const onStart = () => {
    if (values.json) return
    process.stdout.write(`${profile.name}: ${profile.target.baseUrl}, ${profile.target.environment}, tier ${tier}\n\n`)
  }
  const stop = createStop()
  const ledgerFile = values.report === undefined ? {} : { ledgerFile: join(values.report, FILES.ledger) }
  const unhand = stopOnSignals(stop)
  try {
    return await measure(target, { stop, onStart, ...progress(chosen.size), ...ledgerFile })
  } finally {
    unhand()
  }
}

const answer = ({ report, left }: Measured, { json, report: folder }: Values): number => {
  if (json) process.stdout.write(jsonReport(report))
  else {
    process.stdout.write(textReport(report, painter(process.stdout)))
    const unsure = left.unknown.length
    if (unsure > 0)
      process.stdout.write(`${unsure} writes got no answer, so that nobody knows whether they were carried out.\n`)
    if (folder !== undefined) process.stdout.write(`${join(folder, FILES.page)}\n`)
  }
  return report.summary.exitCode
}
