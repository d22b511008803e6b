import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { createControlTokenVerifier } from '../../simulator/control/control-token-verifier.ts'
import { logControlActs } from '../../simulator/telemetry/log-control-acts.ts'

const HOLDER = { organizationId: 'shop', role: 'act', tokenId: 't1', name: 'CI of checkout' } as const

/** Makes a call of control or portal, and returns what was logged of it. */
const actsOf = async (method: string, path: string, token = 'hush') => {
  const acts: object[] = []
  const verifier = createControlTokenVerifier('hush', async text => (text === 'theirs' ? HOLDER : undefined))
  const app = new Hono()
  app.use(logControlActs({ act: (act: object) => void acts.push(act) } as never, verifier))
  app.all('*', c => c.text('', 201))
  await app.request(path, { method, headers: { authorization: `Bearer ${token}` } })
  return acts
}

test.each([
  ['POST', '/control/organizations/shop/reset'],
  ['DELETE', '/control/organizations/shop'],
  ['POST', '/portal/organizations/shop/clock'],
  ['GET', '/control/organizations/shop/kit'],
  ['GET', '/control/organizations/shop/snapshots/one'],
  ['GET', '/control/backup'],
])('%s %s is an act: who did it, and how it ended', async (method, path) => {
  expect(await actsOf(method, path)).toEqual([{ by: 'operator', role: 'operator', method, path, status: 201 }])
})

test.each([
  ['GET', '/control/organizations/shop/journal?limit=5'],
  ['GET', '/portal/organizations/shop/payments'],
  ['GET', '/control'],
  ['GET', '/portal/sign-in'],
  ['POST', '/shop/shop/secret/orders'],
])('%s %s is none', async (method, path) => {
  expect(await actsOf(method, path)).toEqual([])
})

test('the holder of a token of an organization is named, and no token is in the line', async () => {
  const [act] = await actsOf('POST', '/control/organizations/shop/reset?token=theirs', 'theirs')
  expect(act).toMatchObject({ by: 'CI of checkout', tokenId: 't1', role: 'act', organizationId: 'shop' })
  expect(JSON.stringify(act)).not.toContain('theirs')
  const [stranger] = await actsOf('POST', '/control/organizations/shop/reset', 'wrong')
  expect(stranger).toMatchObject({ by: 'nobody' })
})
