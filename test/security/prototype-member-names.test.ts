import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRefusal, expectServed } from '../support/api-response-checks.ts'
import { describedCalls } from '../support/control-description.ts'
import { irisInitiateBody, openRawSandbox, type RawSandbox } from '../support/raw-request-sandbox.ts'

/** Member names that every JavaScript object inherits. */
const NAMES = ['__proto__', 'constructor', 'toString'] as const
/** Calls that delete the organization's state, which other calls need. */
const ENDS = /reset$|\{organizationId\}$/
/** Calls that wait for an event. */
const LASTS = /(stream|wait)$/

let sandbox: RawSandbox

beforeAll(async () => {
  sandbox = await openRawSandbox({ config: { unknownMembers: 'ignore' } })
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

test.each(NAMES)('control finds nothing by the name %s and does not fail', async name => {
  const wrong: unknown[] = []
  for (const { method, path } of describedCalls) {
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

test.each(NAMES)('the API treats a member named %s like any other', async name => {
  const payment = JSON.stringify(irisInitiateBody({ metadata: JSON.parse(`{"${name}":"kept"}`) }))
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
