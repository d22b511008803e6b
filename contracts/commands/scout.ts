import { readFileSync } from 'node:fs'
import { isMap, parseDocument } from 'yaml'
import type { Profile } from '../harness/profile/profile.ts'
import { readProfileAsWritten } from '../harness/profile/read-profile.ts'
import { profileLine } from '../harness/profile/response-fields-and-line-advice.ts'
import { EXIT_CODES } from '../harness/report/exit-codes.ts'
import { prepareTextFile } from '../harness/report/read-and-write-text-files.ts'
import { confirmHost } from '../harness/safety/production-limits.ts'
import { type Finding, withoutUsual } from '../scout/probe-findings.ts'
import { readRunTarget, TARGET_OPTIONS } from './chosen-profile-and-checks.ts'
import { agrees } from './profile-drift.ts'
import { type Probed, probeDeployment, stoppedLine } from './run-scout-probes.ts'
import { printResult, type Subcommand } from './subcommand.ts'

/** Subcommand `assay certify scout`: fills open lines of a profile from probe calls. */
export const subcommand: Subcommand = {
  usage: 'scout --profile FILE [--write]',
  description: `
Finds out by safe calls what a profile leaves open, and shows the evidence: how requests and responses are signed, where
the key set is and whether it needs an access token, which field of a refusal has its code. With --tier 3, on a sandbox,
it makes a few payments and finds the fields of ids, states, events and search results, as far as the drivers of the
profile go, and what the service does where the document is silent; it tries each driver of shoppers, and says which abilities nothing gives and which lines would. It changes no
existing line of the profile, and says where one differs from what it saw.

--write writes the findings into the file and lists under "scouted" the checks that rest on the same observation: they
are "observed" and prove nothing until you have reviewed the line and removed it from "scouted".

Ctrl-C lets the calls in progress end, cleans up and ends with what was found so far; a second Ctrl-C stops at once.

  assay certify scout --profile ours.yaml --tier 3 --write`,
  options: [...TARGET_OPTIONS.filter(name => name !== 'only'), 'confirm-host', 'write', 'json'],
  execute: async values => {
    const target = readRunTarget({ ...values, tier: values.tier ?? '1' }, readProfileAsWritten)
    confirmHost(target.profile, values['confirm-host'])
    const writeProfile = prepareTextFile(values.write ? target.profile.file : undefined)
    const probed = await probeDeployment(target)
    const learned = { ...probed, found: withoutUsual(target.profile, probed.found) }
    const fresh = learned.found.filter(({ line }) => profileLine(target.profile, line) === undefined)
    if (fresh.length > 0) writeProfile?.(filledIn(target.profile.file, fresh))
    printResult(
      values,
      () => learned,
      () => textOf(target.profile, learned, values.write ?? false),
    )
    if (learned.stopped !== undefined) return EXIT_CODES.incomplete
    return learned.found.length > 0 ? EXIT_CODES.fine : EXIT_CODES.unmeasured
  },
}

/** Writes the findings into the text of a profile; comments stay, and the checks of each are listed under `scouted`. */
const filledIn = (file: string, fresh: readonly Finding[]): string => {
  const document = parseDocument(readFileSync(file, 'utf8'), { uniqueKeys: false }) // they are, as it was read
  const put = (path: string[], value: unknown): void => {
    const parent = path.slice(0, -1)
    if (parent.length > 0 && !isMap(document.getIn(parent, true))) document.setIn(parent, document.createNode({}))
    document.setIn(path, document.createNode(value))
  }
  for (const { line, value, sameAs } of fresh) {
    put(line.split('.'), value)
    if (sameAs.length > 0) put(['scouted', line], sameAs)
  }
  return document.toString({ lineWidth: 0 })
}

const textOf = (profile: Profile, learned: Probed, write: boolean): string => {
  const lines = learned.found.map(finding => {
    const { line, value, evidence } = finding
    const told = profileLine(profile, line)
    const differs = told !== undefined && !agrees(profile, finding)
    const mark = differs ? 'differs ' : told !== undefined ? 'was told' : write ? 'written ' : 'learned '
    const contradiction = differs ? ` (the profile says ${JSON.stringify(told)})` : ''
    return `${mark}  ${line}: ${JSON.stringify(value)}${contradiction}\n            ${evidence}\n`
  })
  return `${lines.join('')}${learned.open.map(text => `open      ${text}\n`).join('')}${stoppedLine(learned)}`
}
