import type { Exchange } from '../client/http-exchange.ts'
import { createStopSignal, type StopSignal, stopOnProcessSignals } from '../harness/run/stop-signal.ts'
import { createTransportGuard } from '../harness/safety/stop-budget-and-ledger-guard.ts'
import { createWriteLedger } from '../harness/safety/write-ledger.ts'
import { lastWords, refusalCode, wordsOnMissingToken } from '../scout/describe-last-refusal.ts'
import { failureAsOpenLine } from '../scout/failure-as-open-line.ts'
import { applyFindings, hideSecretsOfProbes, mergeProbeResults, type ProbeResult } from '../scout/probe-findings.ts'
import {
  scoutCallId,
  scoutErrorFields,
  scoutKeySet,
  scoutProtectedKeySet,
  scoutProviderFields,
  scoutResponseHeaders,
} from '../scout/read-only-probes.ts'
import { probeAndExplain, runPaymentProbes, type WithContext } from '../scout/run-payment-probes.ts'
import { scoutResponseSignatures } from '../scout/scout-response-signatures.ts'
import { listOpenAbilities, scoutShopperDrivers } from '../scout/scout-shopper-drivers-and-open-abilities.ts'
import { scoutSigningDialect } from '../scout/scout-signing-dialect.ts'
import { type CheckContext, createCheckContext } from '../suites/context/check-context.ts'
import type { ContextWrappers } from '../suites/context/test-organization.ts'
import type { RunTarget } from './chosen-profile-and-checks.ts'
import { limitTime } from './judge-deployment.ts'
import { cleanUp } from './remove-resources-left-by-run.ts'

/** What the probes of a deployment found, and why they ended early where they did. */
export type Probed = ProbeResult & { stopped?: string }

/**
 * Learns by the probes of a tier which lines a profile leaves open, within its `budgets.seconds` and until SIGINT,
 * SIGTERM or SIGHUP; calls that may leave something behind are guarded and undone. Adds every call of the probes to `exchanges`.
 */
export const probeDeployment = async (target: RunTarget, exchanges: Exchange[] = []): Promise<Probed> => {
  const stop = createStopSignal()
  const ends = [limitTime(stop, target.profile), stopOnProcessSignals(stop)]
  try {
    const probed = await runProbes(target, watchedContext(target, exchanges, stop))
    return { ...hideSecretsOfProbes(probed, exchanges), ...(stop.cause && { stopped: stop.cause.reason }) }
  } finally {
    for (const end of ends) end()
  }
}

/** The last line of what a command prints of probes. */
export const stoppedLine = ({ stopped }: Probed): string =>
  stopped === undefined ? '' : `\nThe probes were stopped early: ${stopped}.\n`

const runProbes = async (target: RunTarget, withContext: InContext): Promise<ProbeResult> => {
  const first = await withContext(target, async context => {
    const keySet = await probeAndExplain(context, scoutKeySet, 'paths.keySet')
    const signing = await failureAsOpenLine(signingDialect(context), 'dialect: ')
    const [dialect, isStranger] = ['dialect' in signing ? signing : undefined, 'isStranger' in signing]
    return { keySet, signing, dialect, isStranger }
  })
  if (!first.dialect) return mergeProbeResults(first.isStranger ? [first.signing] : [first.keySet, first.signing])
  const { dialect } = first.dialect
  const known = { ...target, profile: { ...target.profile, dialect: { ...target.profile.dialect, ...dialect } } }
  const reads = mergeProbeResults([first.dialect, await scoutReads(known, first.keySet, withContext)])
  const start = applyFindings(known.profile, reads)
  if (target.tier < 3) return mergeProbeResults([reads, listOpenAbilities(start)])
  const within: WithContext = (profile, act) => withContext({ ...known, profile }, act)
  const payments = await runPaymentProbes(start, within)
  const paid = applyFindings(start, payments)
  const drivers = await scoutShopperDrivers(paid, within)
  return mergeProbeResults([reads, payments, drivers, listOpenAbilities(applyFindings(paid, drivers))])
}

/** Runs the probes that only read and need an access token; the key set is looked for again where it was not found. */
const scoutReads = async (known: RunTarget, keySet: ProbeResult, withContext: InContext): Promise<ProbeResult> => {
  const more = await withContext(known, async context => [
    keySet.found.length > 0 ? keySet : await probeAndExplain(context, scoutProtectedKeySet, 'paths.keySet'),
    await failureAsOpenLine(scoutCallId(context)),
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

/**
 * Learns how requests are signed; where no token was given, the open lines end with the last words of the service. One
 * that serves the token call without a token is a stranger, of which nothing is learned.
 */
const signingDialect = async (context: CheckContext) => {
  const learned = await scoutSigningDialect(context)
  if (learned) return learned
  const tokenless = wordsOnMissingToken(context.profile, tokenCalls(context))
  if (tokenless) return { found: [], open: [`dialect: ${tokenless}`], isStranger: true as const }
  const words = lastWords(context.profile, rarestResponses(context))
  return { found: [], open: ['dialect: no token was given in any of the sixteen', words ?? []].flat() }
}

const tokenCalls = ({ transcript }: CheckContext): readonly Exchange[] =>
  transcript.filter(({ request }) => request.endpoint === 'token')

/** Returns the token calls with the rarest refusal, in a tie the first: all wrong dialects get the same one. */
const rarestResponses = (context: CheckContext): readonly Exchange[] => {
  const { profile } = context
  const groups = [
    ...Map.groupBy(
      tokenCalls(context),
      exchange => `${exchange.response?.status} ${refusalCode(profile, exchange)}`,
    ).values(),
  ]
  return groups.sort((one, other) => one.length - other.length)[0] ?? []
}

type InContext = ReturnType<typeof watchedContext>

/** Creates what opens a context for each group of probes: the budgets, and the ledger, are those of all together. */
const watchedContext = (target: RunTarget, exchanges: Exchange[], stop: StopSignal) => {
  const ledger = createWriteLedger()
  const guard = createTransportGuard(target.profile, { stop, ledger, paced: true })
  return async <Value>(
    { profile, tier }: RunTarget,
    act: (context: CheckContext) => Promise<Value>,
  ): Promise<Value> => {
    const { length } = ledger.lines
    const transport: ContextWrappers['transport'] = (network, organization) =>
      guard.wrap(network, organization, profile)
    const context = createCheckContext(profile, tier, { transport })
    try {
      return await act(context)
    } finally {
      exchanges.push(...context.transcript)
      await cleanUp(context, { ...ledger, lines: ledger.lines.slice(length) })
      context.close()
    }
  }
}
