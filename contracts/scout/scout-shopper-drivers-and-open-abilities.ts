import type { Exchange } from '../client/http-exchange.ts'
import { Untestable } from '../harness/judge/verdict-errors.ts'
import { ABILITIES, type Ability, hasDriver, patienceSeconds } from '../harness/profile/abilities-from-profile-lines.ts'
import { deniedAbility } from '../harness/profile/capabilities-that-checks-need.ts'
import { readLifecycleStages } from '../harness/profile/lifecycle-stages-of-status-response.ts'
import type { Profile } from '../harness/profile/profile.ts'
import { driverAdvice, findField, profileLine } from '../harness/profile/response-fields-and-line-advice.ts'
import type { ProviderId } from '../protocol/provider-codes.ts'
import type { CheckContext } from '../suites/context/check-context.ts'
import { initiate, letShopper } from '../suites/given/create-payments.ts'
import { failureAsOpenLine } from './failure-as-open-line.ts'
import { createProbeResult, mergeProbeResults, type ProbeResult } from './probe-findings.ts'
import type { WithContext } from './run-payment-probes.ts'

/** Categories of payments that did not come about. */
const ENDED = ['declined', 'canceled', 'expired']

/**
 * Tries each driver of shoppers that the profile names, with a payment of its own, and reports what state came of it.
 */
export const scoutShopperDrivers = async (profile: Profile, withContext: WithContext): Promise<ProbeResult> => {
  const results: ProbeResult[] = []
  for (const outcome of ['approve', 'decline'] as const)
    for (const line of ABILITIES[`shopper.${outcome}`].slice(1).filter(line => isToTry(profile, line)))
      results.push(
        await withContext(withDriverAlone(profile, line), context =>
          failureAsOpenLine(tryDriver(context, line, outcome), `${line}: `),
        ),
      )
  return mergeProbeResults(results)
}

/**
 * Lists the abilities that nothing gives and the profile does not say to lack, each with the profile lines which would
 * give it, and how long a run waits.
 */
export const listOpenAbilities = (profile: Profile): ProbeResult => {
  const missing = Object.keys(ABILITIES).flatMap(name => {
    const advice = deniedAbility(profile, name) === undefined ? driverAdvice(profile, name as Ability) : undefined
    return advice === undefined ? [] : [`${name}: ${advice.reason}`]
  })
  const seconds = patienceSeconds(profile)
  const waiting = `time: a run really waits ${seconds} s at most: more with the line patience of ${profile.file}`
  return { found: [], open: profile.control ? missing : [...missing, waiting] }
}

/** Whether to try a driver: a simulator needs no mock in place of its shoppers, unless the profile names one. */
const isToTry = (profile: Profile, line: string): boolean =>
  hasDriver(profile, line) &&
  !(profile.control && line.startsWith('shopper.mock') && profileLine(profile, line) === undefined)

const METHOD: Readonly<Record<string, ProviderId>> = { 'shopper.browser': 'IRIS', 'shopper.command': 'IRIS' }

/** Copies a profile with no driver of shoppers but the one at a line. */
const withDriverAlone = (profile: Profile, line: string): Profile => {
  const { control, shopper = {}, ...rest } = profile
  const [, name = '', outcome] = line.split('.')
  const { withinSeconds, ...drivers } = shopper
  const value = (drivers as Readonly<Record<string, unknown>>)[name]
  const part = outcome === undefined ? value : { [outcome]: (value as Record<string, unknown> | undefined)?.[outcome] }
  return {
    ...rest,
    ...(line === 'control.url' && control && { control }),
    capabilities: { ...rest.capabilities, ...(line.startsWith('shopper.mock') ? {} : { mocks: false }) },
    shopper: { ...(withinSeconds && { withinSeconds }), ...(part !== undefined && { [name]: part }) },
  }
}

const tryDriver = async (context: CheckContext, line: string, outcome: 'approve' | 'decline'): Promise<ProbeResult> => {
  const { profile, merchant, shopper } = context
  const choice = { will: outcome, method: METHOD[line] ?? shopper.methodFor(outcome) }
  const transactionId = await letShopper(profile, context, await initiate(context, choice), choice)
  const status = await merchant.request('status', { path: { transactionId } })
  const word = findField(profile, status, 'status.state')
  const evidence = `a payment of ${choice.method} that it was to ${outcome} is ${word ?? 'in no state that the profile finds'}`
  const [category, ...more] = word === undefined ? [] : stagesOf(context, status)
  const isWaiting = category === 'waiting' && more.length === 0
  const wrong = isWaiting || (category !== undefined && ENDED.includes(category) !== (outcome === 'decline'))
  if (word === undefined || wrong) return { found: [], open: [`${line}: ${evidence}`] }
  const value = profileLine(profile, line) ?? DEFAULT_SCENARIO
  return createProbeResult(line, value, evidence)
}

/** The scenario of mock/set that the document names (2.7), where the profile names none. */
const DEFAULT_SCENARIO = 'OK'

const stagesOf = ({ profile }: CheckContext, status: Exchange): readonly string[] => {
  try {
    return readLifecycleStages(profile, status).stages
  } catch (error) {
    if (error instanceof Untestable) return []
    throw error
  }
}
