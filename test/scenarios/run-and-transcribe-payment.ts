import type { ProviderId } from '../../contracts/protocol/provider-codes.ts'
import type { Scenario } from '../../simulator/scenarios/scenario.ts'
import { DAY, HOUR, SECOND } from '../../simulator/support/duration.ts'
import { actionRequest, blikRequest, irisRequest, PAYER, passthroughMock } from '../support/payment-requests.ts'
import { ACCOUNT, type CallResult, SHOP, type SimulatorCore, START } from '../support/simulator-core.ts'

export type MockedPayment = { provider: ProviderId; type: 'MOCK' | 'PASSTHROUGH' }

/** Statuses after which a merchant repeats a call with the same key (7.4). */
const AGAIN = [423, 429, 500, 502, 504]
const MOST_TRIES = 3

/**
 * Runs one payment of a test under a scenario up to its last job and returns a transcript: each response with the new
 * state, events and notifications, and their times.
 */
export const transcribePayment = async (
  core: SimulatorCore,
  scenario: Scenario,
  { provider, type }: MockedPayment,
): Promise<string[]> => {
  const lines: string[] = []
  await core.call('mockSet', passthroughMock(scenario.name, { type }))
  const say = (line: string) => void lines.push(`  ${line}`)
  const call = async (operation: string, request: object): Promise<CallResult> => {
    const key = core.ids.uuid()
    let answer = await core.call(operation, request, { key })
    say(`${operation}: ${inWords(answer)}`)
    for (let tries = 1; tries < MOST_TRIES && (AGAIN.includes(answer.http) || answer.wire); tries += 1) {
      if (answer.http === 423) core.pass(30_000)
      answer = await core.call(operation, request, { key })
      say(`${operation} again: ${inWords(answer)}`)
    }
    return answer
  }
  const first = await call('initiate', await request(core, scenario, provider))
  const id: string | undefined = first.body.transactionId
  if (id === undefined) return lines
  const look = createLook(core, id, say)
  await look()
  if ((await stateOf(core, id)) === 'AWAITING_SHOPPER') {
    if (type === 'PASSTHROUGH') {
      await core.decide(id, 'approve')
      say('the shopper approves')
    }
    await core.control.advance(SHOP, 3_000)
    await look()
    await core.control.advance(SHOP, 57_000)
    await look()
  }
  for (const operation of callsOf(scenario, provider)) {
    const body = operation === 'charge' ? chargeOf() : actionRequest(id)
    const { http, body: told } = await call(operation, body)
    await look()
    if (http === 422) break
    if (operation === 'charge' && told.transactionId) {
      await createLook(core, told.transactionId, say)()
      continue
    }
    const wait = operation === 'finalize' && scenario.mandate ? 2 * HOUR : 3 * SECOND
    await core.control.advance(SHOP, wait)
    await look()
  }
  await core.control.advance(SHOP, 40 * DAY)
  await look()
  return lines
}

/** Calls to make after initiate for a scenario; an IRIS payment is captured by finalize. */
const callsOf = ({ steps, mandate, dispute }: Scenario, provider: ProviderId): string[] => {
  if (steps.charge || mandate) return ['finalize', 'charge']
  if (steps.cancel) return ['finalize', 'cancel']
  const refund = dispute ? [] : ['refund']
  return provider === 'IRIS' ? ['finalize', ...refund] : ['finalize', 'capture', ...refund]
}

const request = async (core: SimulatorCore, { steps, mandate }: Scenario, provider: ProviderId) => {
  if (provider === 'IRIS') return irisRequest()
  const transactionType = steps.charge || mandate ? ('RECURRING' as const) : ('ONE_TIME' as const)
  const asked = blikRequest(await core.code(), { autoCapture: false, transactionType })
  return { ...asked, payerDetails: { ...asked.payerDetails, payerId: PAYER } }
}

const chargeOf = () => ({
  processingAccountId: ACCOUNT,
  clientTransactionId: 'order-1',
  transactionType: 'RECURRING',
  paymentDetails: { amount: 700, currency: 'PLN', country: 'PL', description: 'A month of tea' },
  providerDetails: { providerId: 'BLIK' },
  payerDetails: { payerId: PAYER },
})

const stateOf = async (core: SimulatorCore, id: string): Promise<string> => (await core.status(id)).body.lifecycle.state

/** Creates a function that reports events and notifications of a payment since its last call. */
const createLook = (core: SimulatorCore, id: string, say: (line: string) => void) => {
  let seen = 0
  let told = 0
  return async (): Promise<void> => {
    const { lifecycle, timeline } = (await core.events(id)).body
    const sendings = (await core.store.messages(SHOP, 0, core.clock.now(SHOP), 1000)).filter(
      ({ transactionId }) => transactionId === id,
    )
    const events = timeline.slice(seen).map((event: Event) => `${event.type} at ${since(Date.parse(event.at))}`)
    const notified = sendings.slice(told).map(({ body, dueAt }) => `${notification(body)} at ${since(dueAt)}`)
    seen = timeline.length
    told = sendings.length
    if (events.length + notified.length === 0) return
    say(`→ ${lifecycle.state}`)
    for (const event of events) say(`  ${event}`)
    for (const one of notified) say(`  ✉ ${one}`)
  }
}

type Event = { type: string; at: string }

/** Time since START in days, hours and seconds. */
const since = (instant: number): string => {
  const passed = instant - START
  const parts = [
    [Math.floor(passed / DAY), 'd'],
    [Math.floor((passed % DAY) / HOUR), 'h'],
    [(passed % HOUR) / SECOND, 's'],
  ] as const
  return parts.flatMap(([count, unit]) => (count > 0 || unit === 's' ? [`${count} ${unit}`] : [])).join(' ')
}

const notification = (body: string): string => {
  const { notificationType, status, statusInfo } = JSON.parse(body)
  return `${notificationType} ${status} ${statusInfo.reasonCode}`
}

const inWords = ({ http, body, replayed, wire }: CallResult): string => {
  const { status, statusInfo } = body
  const told = statusInfo ? ` ${status} ${statusInfo.reasonCode} ${statusInfo.message}` : ''
  return `${http}${told}${replayed ? ' (replayed)' : ''}${wire ? ` (${wire.kind})` : ''}`
}
