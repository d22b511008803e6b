import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createOneAtATime } from '../../simulator/support/one-at-a-time.ts'
import { initiateIris, merchantOf, startScopedSimulator } from '../support/test-scoped-simulator.ts'

test('costly work of one organization is done one at a time and in order, also after a failure; others go on', async () => {
  const oneAtATime = createOneAtATime()
  const log: string[] = []
  const work = (name: string, turns: number) => async () => {
    log.push(`${name} begins`)
    for (let turn = 0; turn < turns; turn += 1) await setImmediate()
    log.push(`${name} ends`)
    if (name === 'a') throw new Error('a fails')
    return name
  }
  const [a, b, other] = [
    oneAtATime('shop', work('a', 5)),
    oneAtATime('shop', work('b', 0)),
    oneAtATime('other', work('c', 0)),
  ]
  await expect(a).rejects.toThrow('a fails')
  expect(await Promise.all([b, other])).toEqual(['b', 'c'])
  expect(log.filter(entry => !entry.startsWith('c'))).toEqual(['a begins', 'a ends', 'b begins', 'b ends'])
  expect(log.indexOf('c ends')).toBeLessThan(log.indexOf('a ends'))
})

test.each(['dialect', 'certificates', 'kit', 'signing-keys'])(
  'acts that parse or issue something take turns, of which an organization has a limited number: %s',
  async part => {
    const simulator = await startScopedSimulator()
    const address = `${simulator.pagesUrl}/control/organizations/demo-merchant/${part}`
    const ask = () =>
      fetch(address, { method: part === 'dialect' ? 'PUT' : 'POST', body: '{"profile":"naming: none"}' })
    const statuses = (await Promise.all(Array.from({ length: 60 }, ask))).map(({ status }) => status)
    expect(statuses).toContain(429)
    expect((await fetch(address)).status).toBe(200)
  },
)

test.each([
  ['GET', 'certificates'],
  ['GET', 'openapi.yaml'],
  ['POST', 'deliveries/resend'],
  ['POST', 'webhooks/none/replay'],
])('calls that read or write much of an organization take turns: %s %s', async (method, part) => {
  const simulator = await startScopedSimulator()
  const address = `${simulator.pagesUrl}/control/organizations/demo-merchant/${part}`
  const statuses = (await Promise.all(Array.from({ length: 60 }, () => fetch(address, { method })))).map(
    ({ status }) => status,
  )
  expect(statuses).toContain(429)
})

test('calls that ask for all of an organization at once are each served', async () => {
  const simulator = await startScopedSimulator()
  const merchant = merchantOf(simulator)
  for (let nth = 0; nth < 3; nth += 1) await initiateIris(merchant)
  const here = `${simulator.pagesUrl}/control/organizations/demo-merchant`
  const post = { method: 'POST', body: '{}' }
  const asked = [
    ...Array.from({ length: 5 }, () => fetch(`${here}/inbox?limit=99999`)),
    ...['payments', 'deliveries', 'snapshots', 'snapshots/none'].map(path => fetch(`${here}/${path}`)),
    fetch(`${here}/snapshots`, post),
    fetch(`${here}/reset`, post),
    fetch(`${simulator.pagesUrl}/control/organizations/none/inbox`),
  ]
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([
    ...Array.from({ length: 8 }, () => 200),
    404,
    201,
    200,
    404,
  ])
})
