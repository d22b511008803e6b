import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { Exchange } from '../client/http-exchange.ts'
import { withLine } from '../harness/profile/edit-profile-text.ts'
import { readProfileAsWritten } from '../harness/profile/read-profile.ts'
import { EXIT_CODES } from '../harness/report/exit-codes.ts'
import { prepareTextFile } from '../harness/report/read-and-write-text-files.ts'
import { pathInRepository, unifiedDiff } from '../harness/report/unified-diff.ts'
import { confirmHost } from '../harness/safety/production-limits.ts'
import { readRunTarget } from './chosen-profile-and-checks.ts'
import { type Drift, driftsOf, openOf, withoutLearned } from './profile-drift.ts'
import { probeDeployment, stoppedLine } from './run-scout-probes.ts'
import { type OptionValues, printResult } from './subcommand.ts'

/**
 * Learns the dialect of a deployment anew and prints where its profile does not agree, with the patch; returns the exit
 * code.
 */
export const diffProfile = async (file: string, values: OptionValues): Promise<number> => {
  const target = readRunTarget({ ...values, profile: file, tier: values.tier ?? '1' }, readProfileAsWritten)
  confirmHost(target.profile, values['confirm-host'])
  const writePatch = prepareTextFile(values.patch)
  const exchanges: Exchange[] = []
  const bare = { ...target, profile: withoutLearned(target.profile) }
  const probed = await probeDeployment(bare, exchanges)
  const { found, stopped } = probed
  const open = openOf(target, probed)
  const drifts = driftsOf(target.profile, found, exchanges, ownDocument())
  const patch = patchOf(file, drifts)
  writePatch?.(patch)
  printResult(
    values,
    () => ({ learned: found.length, drifts, open, patch, ...(stopped !== undefined && { stopped }) }),
    () => textOf(found.length, drifts, open, values.patch === undefined ? patch : '') + stoppedLine(probed),
  )
  if (stopped !== undefined) return EXIT_CODES.incomplete
  if (found.length === 0) return EXIT_CODES.unmeasured
  return drifts.length > 0 ? EXIT_CODES.regression : EXIT_CODES.fine
}

const ownDocument = () => parse(readFileSync(new URL('../openapi.yaml', import.meta.url), 'utf8'))

const patchOf = (file: string, drifts: readonly Drift[]): string => {
  const old = readFileSync(file, 'utf8')
  const patched = drifts.reduce((text, { line, now }) => withLine(text, line, now), old)
  return unifiedDiff(pathInRepository(file), old, patched)
}

const textOf = (learned: number, drifts: readonly Drift[], open: readonly string[], patch: string): string => {
  const head =
    drifts.length === 0
      ? `Of the ${learned} lines learned, none is other than the profile says.\n`
      : drifts.map(sentenceOf).join('')
  const left = open.map(text => `open  ${text}\n`).join('')
  return `${head}${left && `\n${left}`}${patch && `\n${patch}`}`
}

const sentenceOf = ({ line, was, now, evidence }: Drift): string => {
  const before = was === undefined ? 'of which the profile says nothing' : `and not ${JSON.stringify(was)}`
  return `${line} is ${JSON.stringify(now)}, ${before}: ${evidence}.\n`
}
