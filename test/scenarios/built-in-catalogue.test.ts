import { describe, expect, test } from 'vitest'
import { PROVIDER_OPERATIONS } from '../../contracts/operations.ts'
import { DECLINES, type DeclineName } from '../../contracts/protocol/decline-reasons.ts'
import { PROVIDER_CODES } from '../../contracts/protocol/provider-codes.ts'
import { REASON_CODE_FAMILIES, REFUSALS } from '../../contracts/protocol/reason-codes.ts'
import { DELIVERY_DEVIATIONS } from '../../simulator/payments/delivery-plan-rule.ts'
import { FAULTS, findFaultRow } from '../../simulator/providers/fault-kinds.ts'
import { checkScenarioFolder, createBuiltInCatalogue } from '../../simulator/scenarios/open-scenario-catalogue.ts'
import type { CodeByProvider, Scenario } from '../../simulator/scenarios/scenario.ts'
import { createScenarioCatalogue } from '../../simulator/scenarios/scenario-catalogue.ts'

const { all, find, byMagic } = createBuiltInCatalogue()

const codesOf = (code: CodeByProvider | undefined): string[] =>
  code === undefined ? [] : typeof code === 'string' ? [code] : Object.values(code)

/** The parts of a scenario that have an outcome: its steps and the shopper's decision. */
const endings = ({ steps, shopper }: Scenario) => [...Object.values(steps), ...(shopper ? [shopper] : [])]

const reasonCodes = (scenario: Scenario): string[] =>
  endings(scenario).flatMap(ending => {
    const { code, statusInfo } = ending
    const { kind = '', done } = 'fault' in ending ? (ending.fault ?? {}) : {}
    const told = findFaultRow(kind, done)?.told
    return [
      ...codesOf(code).flatMap(one => PROVIDER_CODES.find(row => row.code === one)?.reasonCode ?? []),
      ...(statusInfo ? [statusInfo.reasonCode] : []),
      ...(told ? [REFUSALS[told].reasonCode] : []),
    ]
  })

describe('the built-in catalogue', () => {
  test('has no errors', async () => {
    const { mistakes, scenarios } = await checkScenarioFolder()
    expect(mistakes).toEqual([])
    expect(scenarios).toEqual(all)
  })

  test('D-02: a scenario with a step capture says that its payment needs autoCapture: false', () => {
    const capturing = all.filter(({ steps }) => steps.capture)
    expect(capturing.length).toBeGreaterThan(0)
    expect(capturing.filter(({ title }) => !title.endsWith(' (autoCapture: false).'))).toEqual([])
  })

  test.each(PROVIDER_CODES)('7.5: has a scenario with the code $code of $provider', ({ provider, code }) => {
    const showing = all.filter(scenario => endings(scenario).some(ending => codesOf(ending.code).includes(code)))
    expect(showing.filter(({ providers }) => providers.includes(provider))).not.toEqual([])
  })

  test.each(Object.keys(REASON_CODE_FAMILIES))('7.2: has a reason code of the family %sxxx', digit => {
    expect(all.flatMap(reasonCodes).filter(reasonCode => reasonCode.startsWith(digit))).not.toEqual([])
  })

  test.each(Object.keys(DECLINES) as DeclineName[])('has a scenario with the decline %s', name => {
    expect(all.flatMap(reasonCodes).concat(laterCodes())).toContain(DECLINES[name].reasonCode)
  })

  test.each(PROVIDER_OPERATIONS)('7.4: has every fault of the step %s', call => {
    const faults = all.flatMap(({ steps }) => steps[call]?.fault ?? []).map(({ kind, done }) => [kind, done])
    const due = FAULTS.filter(({ kind }) => kind !== 'decline').map(({ kind, done }) => [kind, done])
    expect(faults.sort()).toEqual(due.sort())
  })

  test.each(DELIVERY_DEVIATIONS)('6: has a delivery plan with %s', deviation => {
    expect(all.flatMap(({ webhooks = [] }) => webhooks).map(rule => rule.do)).toContain(deviation)
  })

  test('has late settlements, disputes, revoked mandates, and refunds accepted first', () => {
    expect(all.filter(({ settlement }) => settlement)).not.toEqual([])
    expect(new Set(all.flatMap(({ dispute }) => (dispute ? [dispute.outcome] : [])))).toEqual(
      new Set([undefined, 'won', 'lost']),
    )
    expect(all.filter(({ mandate }) => mandate)).not.toEqual([])
    const later = all.flatMap(({ steps }) => steps.refund?.later?.outcome ?? [])
    expect(new Set(later)).toEqual(new Set(['approved', 'declined']))
  })

  test('has a unique magic number below 9000 for each scenario', () => {
    for (const scenario of all) {
      expect(Number(scenario.magic)).toBeLessThan(9000)
      expect(byMagic(scenario.magic ?? '')).toBe(scenario)
    }
    expect(byMagic('0000')).toBe(find('OK'))
  })

  test('cites a clause for each scenario', () => {
    expect(all.filter(({ clauses }) => clauses.length === 0)).toEqual([])
  })
})

const laterCodes = () => all.flatMap(({ steps }) => steps.refund?.later?.statusInfo?.reasonCode ?? [])

describe('the named declines', () => {
  test('have distinct codes of a family of 7.2 that no refusal and no provider code uses', () => {
    const codes = Object.values(DECLINES).map(({ reasonCode }) => reasonCode)
    expect(new Set(codes).size).toBe(codes.length)
    const taken: string[] = [...Object.values(REFUSALS), ...PROVIDER_CODES].map(({ reasonCode }) => reasonCode)
    expect(
      codes.filter(code => taken.includes(code) || !/^\d{4}$/.test(code) || !(code.charAt(0) in REASON_CODE_FAMILIES)),
    ).toEqual([])
  })
})

describe('an unknown scenario name', () => {
  test.each([
    ['INSUFICIENT_FUND', 'INSUFFICIENT_FUNDS'],
    ['insufficient_funds', 'INSUFFICIENT_FUNDS'],
    ['TIMEOUT_CAPTURE_DONE', 'CAPTURE_TIMEOUT_DONE'],
    ['DISPUTE', 'DISPUTE_WON'],
  ])('%s suggests %s', (typed, meant) => {
    expect(createBuiltInCatalogue().nearest(typed)).toContain(meant)
  })

  test('has no suggestion when nothing is similar', () => {
    expect(createBuiltInCatalogue().nearest('XXXXXX')).toEqual([])
    expect(createScenarioCatalogue([]).nearest('OK')).toEqual([])
  })
})
