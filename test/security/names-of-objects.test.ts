import { afterAll, beforeAll, expect, test } from 'vitest'
import { described } from '../control/description.ts'
import { byLot } from '../support/lot.ts'
import { expectRefusal, expectServed } from '../wire/judge.ts'
import { irisPayment, openSandbox, type Sandbox } from '../wire/sandbox.ts'

/** What every object of the language has, and no table of ours should be thought to hold. */
const NAMES = ['__proto__', 'constructor', 'toString'] as const
/** Calls that would end what the others look at. */
const ENDS = /reset$|\{organizationId\}$/
/** Calls that last until something happens. */
const LASTS = /(stream|wait)$/

let sandbox: Sandbox

beforeAll(async () => {
  sandbox = await openSandbox()
})

afterAll(async () => {
  expect(sandbox.faults).toEqual([])
  expect(Object.keys(Object.prototype)).toEqual([])
  await sandbox.close()
})

const bodiesWith = (name: string): string[] => {
  const members = [
    'id',
    'name',
    'kind',
    'operation',
    'cause',
    'action',
    'bank',
    'recurring',
    'types',
    'advance',
    'match',
  ]
  return [
    `{"${name}":{"polluted":1}}`,
    JSON.stringify(Object.fromEntries(members.map(member => [member, name]))),
    `["${name}"]`,
  ]
}

test.each(byLot(NAMES, 1))('control knows nothing by the name %s', async name => {
  const wrong: unknown[] = []
  for (const { method, path } of described) {
    if (LASTS.test(path) || (method !== 'get' && ENDS.test(path))) continue
    const target = path.replace('{organizationId}', 'demo-merchant').replaceAll(/\{\w+\}/g, name)
    const bodies = ['get', 'delete'].includes(method) ? [undefined] : bodiesWith(name)
    for (const body of bodies) {
      const answer = await fetch(sandbox.simulator.pagesUrl + target, {
        method: method.toUpperCase(),
        ...(body ? { body } : {}),
      })
      const found = answer.status < 300 && target.includes(name)
      if (answer.status >= 500 || found) wrong.push([method, target, body, answer.status])
    }
  }
  expect(wrong).toEqual([])
})

test.each(NAMES)('the API takes a member named %s for a member', async name => {
  const payment = JSON.stringify(irisPayment({ metadata: JSON.parse(`{"${name}":"kept"}`) }))
  const body = payment.replace('{', `{"${name}":{"polluted":1},`)
  const answer = await expectServed(await sandbox.send(await sandbox.sign({ body })), sandbox.keySet)
  expect(JSON.stringify(answer.metadata)).toBe(`{"${name}":"kept"}`)
  const wrong = payment.replace(`"${name}":"kept"`, `"${name}":1`)
  const refusal = await expectRefusal(
    await sandbox.send(await sandbox.sign({ body: wrong })),
    sandbox.keySet,
    '400/4000',
  )
  expect(JSON.stringify(refusal)).toContain(`metadata.${name}`)
})
