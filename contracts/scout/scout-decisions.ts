import { describeExchange, type Exchange, isServed } from '../client/http-exchange.ts'
import type { DecisionChoices, SwitchedDecision } from '../dialect/decision-choices.ts'
import { offersMethod } from '../harness/profile/capabilities-that-checks-need.ts'
import { findRefusalCode, isDecline } from '../harness/profile/response-fields-and-line-advice.ts'
import { PROVIDER_IDS } from '../protocol/providers-and-capabilities.ts'
import type { CheckContext } from '../suites/context/check-context.ts'
import { operationsOn } from '../suites/given/calls-on-payment.ts'
import {
  anyPayment,
  createAuthorizedPayment,
  initiate,
  preparePayment,
  readTransactionId,
} from '../suites/given/create-payments.ts'
import { readUnknownPayment } from '../suites/given/harmless-calls.ts'
import { showsCategory } from '../suites/given/read-until.ts'
import { uniqueReference } from '../suites/given/request-bodies.ts'
import { withoutHeader } from '../suites/request-mutations/tamper-with-requests.ts'
import { failureAsOpenLine } from './failure-as-open-line.ts'
import { equals, findCommonPointer } from './find-json-pointers.ts'
import { createProbeResult, mergeProbeResults, type ProbeResult } from './probe-findings.ts'

/** What an answer says of a decision: its status, with its reasonCode behind a slash where it is a refusal. */
type Reading<Number extends SwitchedDecision> = Readonly<Record<string, DecisionChoices[Number]>>

/** A call that shows what a deployment does where the document is silent, and the value of the decision by its answer. */
type DecisionProbe = {
  [Number in SwitchedDecision]: {
    number: Number
    what: string
    /** The calls, all of which must show the same value. */
    ask(context: CheckContext): Promise<Exchange | Exchange[]>
    reads: Reading<Number>
    /** Whether a response shows the decision; each one does where left out. */
    isShownBy?(context: CheckContext, exchange: Exchange): boolean
    /** Checks that make the same call, which therefore cannot confirm the value. */
    sameAs: readonly string[]
  }
}[SwitchedDecision]

/** Initiates a payment that is valid but for one header; no call of this kind may leave a payment behind unseen. */
const initiateWith = async (
  context: CheckContext,
  alter: object,
  headers?: Record<string, string>,
): Promise<Exchange> => {
  const json = await anyPayment(context.profile, context)
  return context.merchant.request('initiate', { json, ...(headers && { headers }) }, alter)
}

/** Takes an act on a payment of each offered method whose shopper has not acted, as far as a driver leaves one waiting. */
const whileWaiting =
  (act: 'finalize' | 'cancel') =>
  async (context: CheckContext): Promise<Exchange[]> => {
    const { profile, shopper } = context
    const first = shopper.methodFor('wait')
    const others = PROVIDER_IDS.filter(it => it !== first && offersMethod(profile, it) && shopper.lineFor(it, 'wait'))
    const asked: Exchange[] = []
    for (const method of [first, ...others]) {
      const payment = operationsOn(
        context,
        readTransactionId(profile, await initiate(context, { method, will: 'wait' })),
      )
      if (showsCategory(profile, await payment.status(), 'waiting') !== false) asked.push(await payment[act]())
    }
    return asked
  }

const useCodeTwice = async ({ merchant, ...context }: CheckContext): Promise<Exchange> => {
  const json = await preparePayment(context, { method: 'BLIK' })
  await merchant.request('initiate', { json })
  return merchant.request('initiate', { json: { ...json, clientTransactionId: uniqueReference() } })
}

const getInitiate = async ({ merchant }: CheckContext): Promise<Exchange> =>
  merchant.send({ method: 'GET', path: merchant.pathOf('initiate'), token: await merchant.tokenFor() })

/** Whether a response declines or refuses: a sandbox with codes for every payment serves a used one. */
const isDeclineOrRefusal = ({ profile }: CheckContext, exchange: Exchange): boolean =>
  !isServed(exchange) || isDecline(profile, exchange) || findCommonPointer([[exchange, equals('4000')]]) !== undefined

// biome-ignore format: a table reads by its columns
const PROBES: readonly DecisionProbe[] = [
  { number: 'D-07', what: 'a BLIK code used twice',                ask: useCodeTwice, reads: { 200: '200', 201: '200', 202: '200', 402: '402', 422: '422' }, isShownBy: isDeclineOrRefusal, sameAs: ['BLK-06', 'ERR-03'] },
  { number: 'D-10', what: 'the status of a payment that is not there', ask: readUnknownPayment, reads: { '404/4001': '4001', '404/5000': '5000' }, sameAs: ['RDS-03'] },
  { number: 'D-14', what: 'GET of the path of initiate',           ask: getInitiate, reads: { '404/4000': '404', '405/4000': '405', '404/4001': '404-4001' }, sameAs: ['ERR-16'] },
  { number: 'D-16', what: 'a JSON body called text/plain',         ask: context => initiateWith(context, {}, { 'content-type': 'text/plain' }), reads: { '400/4000': '400', '415/4000': '415' }, sameAs: ['VAL-34'] },
  { number: 'D-18', what: 'initiate without an Idempotency-Key',   ask: context => initiateWith(context, { afterSigning: withoutHeader('idempotency-key') }), reads: { '400/4000': '400', '428/4000': '428' }, sameAs: ['IDM-01', 'IDM-07'] },
  { number: 'D-34', what: 'finalize before the shopper has acted', ask: whileWaiting('finalize'), reads: { 200: 'pending', 201: 'pending', 202: 'pending', '422/5xxx': '422' }, sameAs: ['GRD-13'] },
  { number: 'D-39', what: 'cancel before the shopper has acted',   ask: whileWaiting('cancel'), reads: { '422/5xxx': 'authorized', 200: 'waiting', 201: 'waiting' }, sameAs: ['LIF-30', 'LIF-31', 'IRS-15', 'GRD-13'] },
  { number: 'D-35', what: 'finalize of an authorized payment',     ask: async context => operationsOn(context, await createAuthorizedPayment(context.profile, context)).finalize(), reads: { '422/5xxx': 'refused', 200: 'repeated', 201: 'repeated' }, sameAs: ['LIF-19'] },
]

/**
 * Learns what a deployment does where the document is silent, as far as one call shows a decision; makes eight payments.
 */
export const scoutDecisions = async (context: CheckContext): Promise<ProbeResult> => {
  const results: ProbeResult[] = []
  for (const { number, what, ask, reads, isShownBy = () => true, sameAs } of PROBES) {
    const line = `decisions.${number}`
    const probing = ask(context).then(asked => {
      const exchanges = [asked].flat()
      const read = (exchange: Exchange) =>
        isShownBy(context, exchange) ? readValue(context, exchange, reads) : undefined
      const [value, ...others] = new Set(exchanges.map(read))
      const evidence = `${what}: ${exchanges.map(describeExchange).join('; ')}`
      const wanted = value === undefined ? `, where ${Object.keys(reads).join(' or ')} would show it` : ''
      return createProbeResult(line, others.length > 0 ? undefined : value, `${evidence}${wanted}`, sameAs)
    })
    results.push(await failureAsOpenLine(probing, `${line}: `))
  }
  return mergeProbeResults(results)
}

const readValue = ({ profile }: CheckContext, exchange: Exchange, reads: Readonly<Record<string, string>>) => {
  const { status } = exchange.response ?? {}
  const answer = `${status}/${findRefusalCode(profile, exchange)}`
  return reads[answer] ?? reads[answer.replace(/\d{3}$/, 'xxx')] ?? reads[String(status)]
}
