import { describeExchange, isServed } from '../client/http-exchange.ts'
import type { CheckContext } from '../suites/context/check-context.ts'
import { preparePayment } from '../suites/given/create-payments.ts'
import { uniqueReference } from '../suites/given/request-bodies.ts'
import { changedWord, equals, findCommonPointer } from './find-json-pointers.ts'
import { createProbeResult, mergeProbeResults, type ProbeResult } from './probe-findings.ts'

/** Learns where and by which value a 2xx response is a decline (S44); makes two BLIK payments with one code. */
export const scoutDeclineFields = async (context: CheckContext): Promise<ProbeResult> => {
  const json = await preparePayment(context, { method: 'BLIK' })
  const usual = await context.merchant.request('initiate', { json })
  const again = { ...json, clientTransactionId: uniqueReference() }
  const declined = await context.merchant.request('initiate', { json: again })
  if (!isServed(usual) || !isServed(declined))
    return { found: [], open: [`errors.declined: ${describeExchange(declined)}`] }
  const evidence = `a code used twice: ${describeExchange(declined)}`
  const code = findCommonPointer([[declined, equals('4000')]])
  const word = changedWord(declined, usual)
  return mergeProbeResults([
    createProbeResult('fields.initiate.reasonCode', code, evidence, ['BLK-06']),
    // Without its code the second payment may have been taken, and differ because a mock approved the first alone.
    createProbeResult('errors.declined', code && word && { at: word.pointer, words: word.words.slice(0, 1) }, evidence),
  ])
}
