import { describe, expect, test } from 'vitest'
import { DECLINES, type DeclineName } from '../../contracts/protocol/declines.ts'
import { PROVIDER_CODES } from '../../contracts/protocol/provider-codes.ts'
import { FAMILIES, REFUSALS } from '../../contracts/protocol/reason-codes.ts'
import { PLAN_DEEDS } from '../../simulator/payments/delivery-plan.ts'
import { FAULTS, faultRow, PROVIDER_CALLS } from '../../simulator/providers/faults.ts'
import { createCatalogue } from '../../simulator/scenarios/catalogue.ts'
import { builtInCatalogue, checkFolder } from '../../simulator/scenarios/load.ts'
import type { CodeByProvider, Scenario } from '../../simulator/scenarios/scenario.ts'

const { all, find, byMagic } = builtInCatalogue()

const codesOf = (code: CodeByProvider | undefined): string[] =>
  code === undefined ? [] : typeof code === 'string' ? [code] : Object.values(code)

/** Every part of a scenario that says how something ends. */
const endings = ({ steps, shopper }: Scenario) => [...Object.values(steps), ...(shopper ? [shopper] : [])]

const reasonCodes = (scenario: Scenario): string[] =>
  endings(scenario).flatMap(ending => {
    const { code, statusInfo } = ending
    const { kind = '', done } = 'fault' in ending ? (ending.fault ?? {}) : {}
    const told = faultRow(kind, done)?.told
    return [
      ...codesOf(code).flatMap(one => PROVIDER_CODES.find(row => row.code === one)?.reasonCode ?? []),
      ...(statusInfo ? [statusInfo.reasonCode] : []),
      ...(told ? [REFUSALS[told].reasonCode] : []),
    ]
  })

describe('the built-in catalogue', () => {
  test('has no mistake', async () => {
    const { mistakes, scenarios } = await checkFolder()
    expect(mistakes).toEqual([])
    expect(scenarios).toEqual(all)
  })

  test.each(PROVIDER_CODES)('7.5: has the code $code of $provider', ({ provider, code }) => {
    const showing = all.filter(scenario => endings(scenario).some(ending => codesOf(ending.code).includes(code)))
    expect(showing.filter(({ providers }) => providers.includes(provider))).not.toEqual([])
  })

  test.each(Object.keys(FAMILIES))('7.2: reaches the family %sxxx', digit => {
    expect(all.flatMap(reasonCodes).filter(reasonCode => reasonCode.startsWith(digit))).not.toEqual([])
  })

  test.each(Object.keys(DECLINES) as DeclineName[])('shows the decline %s', name => {
    expect(all.flatMap(reasonCodes).concat(laterCodes())).toContain(DECLINES[name].reasonCode)
  })

  test.each(PROVIDER_CALLS)('7.4: has every fault on the way of %s', call => {
    const faults = all.flatMap(({ steps }) => steps[call]?.fault ?? []).map(({ kind, done }) => [kind, done])
    const due = FAULTS.filter(({ kind }) => kind !== 'decline').map(({ kind, done }) => [kind, done])
    expect(faults.sort()).toEqual(due.sort())
  })

  test.each(PLAN_DEEDS)('6: has a delivery plan that does %s', deed => {
    expect(all.flatMap(({ webhooks = [] }) => webhooks).map(rule => rule.do)).toContain(deed)
  })

  test('has what is settled late, disputed, revoked, accepted and then declined', () => {
    expect(all.filter(({ settlement }) => settlement)).not.toEqual([])
    expect(new Set(all.flatMap(({ dispute }) => (dispute ? [dispute.outcome] : [])))).toEqual(
      new Set([undefined, 'won', 'lost']),
    )
    expect(all.filter(({ mandate }) => mandate)).not.toEqual([])
    const later = all.flatMap(({ steps }) => steps.refund?.later?.outcome ?? [])
    expect(new Set(later)).toEqual(new Set(['approved', 'declined']))
  })

  test('can be asked for by number, each by its own, none from 9000 on', () => {
    for (const scenario of all) {
      expect(Number(scenario.magic)).toBeLessThan(9000)
      expect(byMagic(scenario.magic ?? '')).toBe(scenario)
    }
    expect(byMagic('0000')).toBe(find('OK'))
  })

  test('says in one plain sentence what each does', () => {
    expect(all.filter(({ title }) => !/^[A-Z0-9][^.]*\.$/.test(title))).toEqual([])
    expect(all.filter(({ clauses }) => clauses.length === 0)).toEqual([])
  })
})

const laterCodes = () => all.flatMap(({ steps }) => steps.refund?.later?.statusInfo?.reasonCode ?? [])

describe('declines', () => {
  test('have a code each, of a family of 7.2, that no refusal and no provider has', () => {
    const codes = Object.values(DECLINES).map(({ reasonCode }) => reasonCode)
    expect(new Set(codes).size).toBe(codes.length)
    const taken: string[] = [...Object.values(REFUSALS), ...PROVIDER_CODES].map(({ reasonCode }) => reasonCode)
    expect(
      codes.filter(code => taken.includes(code) || !/^\d{4}$/.test(code) || !(code.charAt(0) in FAMILIES)),
    ).toEqual([])
  })
})

describe('a name that is none', () => {
  test.each([
    ['INSUFICIENT_FUND', 'INSUFFICIENT_FUNDS'],
    ['insufficient_funds', 'INSUFFICIENT_FUNDS'],
    ['TIMEOUT_CAPTURE_DONE', 'CAPTURE_TIMEOUT_DONE'],
    ['DISPUTE', 'DISPUTE_WON'],
  ])('%s is near to %s', (typed, meant) => {
    expect(builtInCatalogue().nearest(typed)).toContain(meant)
  })

  test('is near to nothing where it shares nothing', () => {
    expect(builtInCatalogue().nearest('XXXXXX')).toEqual([])
    expect(createCatalogue([]).nearest('OK')).toEqual([])
  })
})
