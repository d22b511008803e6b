import { readFileSync } from 'node:fs'
import { isMap, parseDocument } from 'yaml'
import type { Exchange } from '../client/http-exchange.ts'
import { profileLine } from '../harness/profile/read-response-fields.ts'
import { EXIT_CODES } from '../harness/report/exit-codes.ts'
import { writeTextFile } from '../harness/report/read-and-write-text-files.ts'
import { createStopSignal } from '../harness/run/stop-signal.ts'
import { confirmHost } from '../harness/safety/production-limits.ts'
import { createTransportGuard } from '../harness/safety/transport-guard.ts'
import { createWriteLedger } from '../harness/safety/write-ledger.ts'
import { lastWords, refusalCode } from '../scout/describe-last-refusal.ts'
import { failureAsOpenLine } from '../scout/failure-as-open-line.ts'
import { applyFindings, type Finding, mergeProbeResults, type ProbeResult } from '../scout/probe-findings.ts'
import {
  scoutErrorFields,
  scoutKeySet,
  scoutProtectedKeySet,
  scoutProviderFields,
  scoutResponseHeaders,
} from '../scout/read-only-probes.ts'
import { probeAndExplain, runPaymentProbes, type WithContext } from '../scout/run-payment-probes.ts'
import { listOpenAbilities, scoutShopperDrivers } from '../scout/scout-drivers.ts'
import { scoutResponseSignatures } from '../scout/scout-response-signatures.ts'
import { scoutSigningDialect } from '../scout/scout-signing-dialect.ts'
import { type CheckContext, createCheckContext } from '../suites/context/check-context.ts'
import { type RunTarget, readRunTarget, TARGET_OPTIONS } from './chosen-profile-and-checks.ts'
import { removeRemainingResources } from './remove-resources-left-by-run.ts'
import { printResult, type Subcommand } from './run-subcommand.ts'

/** Subcommand `scout`: fills open lines of a profile from probe calls. */
export const subcommand: Subcommand = {
  usage: 'scout --profile FILE [--write]',
  description: `
Finds out by safe calls what a profile leaves open, and shows the evidence: how requests and responses are signed, where
the key set is and whether it needs an access token, which field of a refusal has its code. With --tier 3, on a sandbox,
it makes a few payments and finds the fields of ids, states, events and search results, as far as the drivers of the
profile go, and what the service does where the document is silent; it tries each driver of shoppers, and says which abilities nothing gives and which lines would. It changes no
existing line of the profile.

--write writes the findings into the file and lists under "scouted" the checks that rest on the same observation: they
are "observed" and prove nothing until you have reviewed the line and removed it from "scouted".

  assay certify scout --profile ours.yaml --tier 3 --write`,
  options: [...TARGET_OPTIONS.filter(name => name !== 'only'), 'confirm-host', 'write', 'json'],
  execute: async values => {
    const target = readRunTarget({ ...values, tier: values.tier ?? '1' })
    confirmHost(target.profile, values['confirm-host'])
    const learned = await scouted(target)
    const fresh = learned.found.filter(({ line }) => profileLine(target.profile, line) === undefined)
    if (values.write && fresh.length > 0) writeTextFile(target.profile.file, filledIn(target.profile.file, fresh))
    printResult(
      values,
      () => learned,
      () => textOf(learned, fresh, values.write ?? false),
    )
    return learned.found.length > 0 ? EXIT_CODES.fine : EXIT_CODES.unmeasured
  },
}

const scouted = async (target: RunTarget): Promise<ProbeResult> => {
  const first = await withContext(target, async context => {
    const keySet = await probeAndExplain(context, scoutKeySet, 'paths.keySet')
    const dialect = await scoutSigningDialect(context)
    return {
      keySet,
      dialect,
      words: dialect ? undefined : lastWords(context.profile, rarestResponses(context)),
    }
  })
  if (!first.dialect)
    return mergeProbeResults([
      first.keySet,
      { found: [], open: ['dialect: no token was given in any of the sixteen', first.words ?? []].flat() },
    ])
  const { dialect } = first.dialect
  const known = { ...target, profile: { ...target.profile, dialect: { ...target.profile.dialect, ...dialect } } }
  const reads = mergeProbeResults([first.dialect, await scoutReads(known, first.keySet)])
  const open = listOpenAbilities(target.profile)
  if (target.tier < 3) return mergeProbeResults([reads, open])
  const within: WithContext = (profile, act) => withContext({ ...known, profile }, act)
  const start = applyFindings(known.profile, reads)
  const payments = await runPaymentProbes(start, within)
  const drivers = await scoutShopperDrivers(applyFindings(start, payments), within)
  return mergeProbeResults([reads, payments, drivers, open])
}

/** Runs the probes that only read and need an access token; the key set is looked for again where it was not found. */
const scoutReads = async (known: RunTarget, keySet: ProbeResult): Promise<ProbeResult> => {
  const more = await withContext(known, async context => [
    keySet.found.length > 0 ? keySet : await probeAndExplain(context, scoutProtectedKeySet, 'paths.keySet'),
    await probeAndExplain(context, scoutErrorFields, 'errors.reasonCode'),
    await probeAndExplain(context, scoutResponseHeaders),
    await probeAndExplain(context, scoutProviderFields),
  ])
  const reads = mergeProbeResults(more)
  const responses = await withContext({ ...known, profile: applyFindings(known.profile, reads) }, context =>
    failureAsOpenLine(scoutResponseSignatures(context), 'responses: '),
  )
  return mergeProbeResults([reads, responses])
}

/** Returns the token calls with the rarest refusal, in a tie the first: all wrong dialects get the same one. */
const rarestResponses = ({ profile, transcript }: CheckContext): readonly Exchange[] => {
  const calls = transcript.filter(({ request }) => request.endpoint === 'token')
  const groups = [
    ...Map.groupBy(calls, exchange => `${exchange.response?.status} ${refusalCode(profile, exchange)}`).values(),
  ]
  return groups.sort((one, other) => one.length - other.length)[0] ?? []
}

const withContext = async <Value>(
  { profile, tier }: RunTarget,
  act: (context: CheckContext) => Promise<Value>,
): Promise<Value> => {
  const ledger = createWriteLedger()
  const guard = createTransportGuard(profile, { stop: createStopSignal(), ledger, paced: true })
  const context = createCheckContext(profile, tier, { transport: guard.wrap })
  try {
    return await act(context)
  } finally {
    await removeRemainingResources(context, ledger)
    context.close()
  }
}

/** Writes the findings into the text of a profile; comments stay, and the checks of each are listed under `scouted`. */
const filledIn = (file: string, fresh: readonly Finding[]): string => {
  const document = parseDocument(readFileSync(file, 'utf8'))
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

const textOf = ({ found, open }: ProbeResult, fresh: readonly Finding[], write: boolean): string => {
  const lines = found.map(finding => {
    const mark = fresh.includes(finding) ? (write ? 'written ' : 'learned ') : 'was told'
    return `${mark}  ${finding.line}: ${JSON.stringify(finding.value)}\n            ${finding.evidence}\n`
  })
  return `${lines.join('')}${open.map(text => `open      ${text}\n`).join('')}`
}
