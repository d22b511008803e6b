import { describeExchange, isServed, responseJson } from '../client/http-exchange.ts'
import type { CheckContext } from '../suites/context/check-context.ts'
import { blikPayment } from '../suites/given/request-bodies.ts'
import { equals, findCommonPointer, isStateWord, jsonLeaves, responseValueAt } from './find-json-pointers.ts'
import { createProbeResult, mergeProbeResults, type ProbeResult } from './probe-findings.ts'

/** Learns where and by which value a 2xx response is a decline (S44); makes two BLIK payments with one code. */
export const scoutDeclineFields = async ({ merchant, account, driver }: CheckContext): Promise<ProbeResult> => {
  const code = await driver.oneTimeCode()
  const usual = await merchant.request('initiate', { json: blikPayment(account, code) })
  const declined = await merchant.request('initiate', { json: blikPayment(account, code) })
  if (!isServed(usual) || !isServed(declined))
    return { found: [], open: [`errors.declined: ${describeExchange(declined)}`] }
  const evidence = `a code used twice: ${describeExchange(declined)}`
  const word = jsonLeaves(responseJson(declined)).find(({ pointer, value }) => {
    const other = responseValueAt(usual, pointer)
    return isStateWord(value) && isStateWord(other) && value !== other
  })
  return mergeProbeResults([
    createProbeResult('fields.initiate.reasonCode', findCommonPointer([[declined, equals('4000')]]), evidence, [
      'BLK-06',
    ]),
    createProbeResult('errors.declined', word && { at: word.pointer, words: [word.value] }, evidence),
  ])
}
