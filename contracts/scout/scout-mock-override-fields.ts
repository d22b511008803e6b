import { randomUUID } from 'node:crypto'
import { describeExchange, isServed } from '../client/http-exchange.ts'
import { realTime } from '../client/wall-clock.ts'
import { SAME_IDS } from '../dialect/numeric-ids.ts'
import { createValueForms } from '../dialect/value-forms.ts'
import type { CheckContext } from '../suites/context/check-context.ts'
import { configureMock, initiateForPayer, markerOverrides, mockBody, withOverrides } from '../suites/given/mocks.ts'
import { uniqueReference } from '../suites/given/request-bodies.ts'
import { changedWord, equals, findCommonPointer } from './find-json-pointers.ts'
import { createProbeResult, mergeProbeResults, type ProbeResult } from './probe-findings.ts'

/** Learns where initiate returns the overrides of a mock, and which status value it changes (S06, S30). */
export const scoutMockOverrideFields = async (context: CheckContext): Promise<ProbeResult> => {
  if (context.profile.mocks?.initiate === undefined)
    return { found: [], open: ['fields.initiate: mocks.initiate must say first where overrides stand'] }
  const [payer, mark] = [uniqueReference(), `mark-${randomUUID()}`]
  const expiresAt = new Date(realTime() + 20 * 60_000).toISOString()
  const overrides = { ...markerOverrides(mark), registeredAt: '2026-01-02T03:04:05Z', expiresAt }
  const taken = await configureMock(
    context,
    withOverrides(mockBody(context.account, { payer }), { initiate: overrides }),
  )
  const [mocked, usual] = [
    await initiateForPayer(context.profile, context, payer),
    await initiateForPayer(context.profile, context, uniqueReference()),
  ]
  if (!isServed(taken) || !isServed(mocked))
    return { found: [], open: [`mocks: ${describeExchange(taken)}, ${describeExchange(mocked)}`] }
  const forms = createValueForms(context.profile, SAME_IDS)
  const places = Object.entries(overrides).map(([name, value]) => {
    const spoken = equals(forms.write(name, value))
    const place = findCommonPointer([[mocked, found => spoken(found) || isSameTime(found, value)]])
    return createProbeResult(
      `fields.initiate.${name}`,
      place,
      `an override came out: ${describeExchange(mocked)}`,
      SAME_EVIDENCE[name],
    )
  })
  const { pointer: status, words: [word] = [] } = changedWord(mocked, usual) ?? {}
  const evidence = `the word that a mock with OK changed: ${describeExchange(mocked)}`
  return mergeProbeResults([
    ...places,
    createProbeResult('fields.initiate.status', status, evidence),
    word === 'ACCEPTED'
      ? mergeProbeResults([])
      : createProbeResult('enums.status', word && { ACCEPTED: word }, evidence, ['MCK-23']),
  ])
}

const SAME_EVIDENCE: Readonly<Record<string, readonly string[]>> = {
  providerTransactionId: ['MCK-13'],
  redirectUrl: ['MCK-14'],
  registeredAt: ['MCK-15'],
  expiresAt: ['MCK-15'],
}

const isSameTime = (found: string, value: string): boolean =>
  /^\d{4}-\d\d-\d\dT/.test(found) && Date.parse(found) === Date.parse(value)
