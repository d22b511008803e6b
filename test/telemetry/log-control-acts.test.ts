import { type Context, Hono } from 'hono'
import { expect, test } from 'vitest'
import { createControlTokenVerifier } from '../../simulator/control/control-token-verifier.ts'
import { logControlActs } from '../../simulator/telemetry/log-control-acts.ts'
import { describedCalls } from '../support/control-description.ts'

const HOLDER = { organizationId: 'shop', role: 'act', tokenId: 't1', name: 'CI of checkout' } as const

/** Makes a call of control or portal, and returns what was logged of it. */
const actsOf = async (
  method: string,
  path: string,
  token = 'hush',
  respond = (c: Context): Response => c.text('', 201),
) => {
  const acts: object[] = []
  const findHolder = async (text: string) => (text === 'theirs' ? HOLDER : undefined)
  const verifier = createControlTokenVerifier('hush', findHolder, { addressOf: () => '10.1.2.3' })
  const app = new Hono()
  app.use(logControlActs({ act: (act: object) => void acts.push(act) } as never, verifier))
  app.all('*', respond)
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
  ['GET', '/control/journal'],
  ['GET', '/control/journal.har'],
  ['GET', '/portal/journal'],
])('%s %s is an act: who did it, and how it ended', async (method, path) => {
  expect(await actsOf(method, path)).toEqual([
    { by: 'operator', role: 'operator', from: '10.1.2.3', method, path, status: 201 },
  ])
})

test.each([
  ['GET', '/control/organizations/shop/journal?limit=5'],
  ['GET', '/portal/organizations/shop/payments'],
  ['GET', '/control'],
  ['GET', '/portal/sign-in'],
  ['GET', '/metrics'],
  ['GET', '/portal/search'],
  ['POST', '/shop/shop/secret/orders'],
  ['POST', '/control/organizations/shop/lab'],
  ['POST', '/portal/organizations/shop/lab'],
  ['GET', '/control/openapi.yaml'],
  ['GET', '/control/openapi.json'],
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

test('the ids of what was created are in the line, and nothing else of the response', async () => {
  const endpoint = { endpointId: 'e1', url: 'http://shop.example', secret: 'whsec_hush' }
  const [act] = await actsOf(
    'POST',
    '/control/organizations/shop/webhooks',
    'hush',
    c => c.json(endpoint, 201) as Response,
  )
  expect(act).toMatchObject({ created: { endpointId: 'e1' } })
  expect(JSON.stringify(act)).not.toContain('whsec')
})

/** Parameters in paths of control that only identify something; a payment token or the id of a phone is a credential. */
const IDENTIFIERS =
  /^(organization|account|transaction|endpoint|attempt|delivery|key|token|report)Id$|^(name|fingerprint)$/

test.each([
  ...describedCalls.map(({ method, path }) => [method.toUpperCase(), path] as const),
  ['POST', '/portal/organizations/{organizationId}/mandates/{paymentToken}/revoke'],
  ['POST', '/control/organizations/{organizationId}/mandates//{paymentToken}'],
  ['GET', '/control/organizations/{organizationId}/blik/phones/{phoneId}'],
] as const)('8: no credential of the path is in the line of %s %s, refused or not', async (method, path) => {
  const called = path.replaceAll(/\{(\w+)\}/g, (_, name) => (IDENTIFIERS.test(name) ? name : 'hush-hush'))
  for (const status of [200, 401, 404] as const)
    expect(JSON.stringify(await actsOf(method, called, 'wrong', c => c.text('', status)))).not.toContain('hush-hush')
})

test('8: the id of a phone, which opens its page, is not among the ids of what was created', async () => {
  const [act] = await actsOf('POST', '/control/organizations/shop/blik/phones', 'hush', c =>
    c.json({ phoneId: 'CcqB', bank: 'rumianek' }, 201),
  )
  expect(act).toMatchObject({ status: 201 })
  expect(JSON.stringify(act)).not.toContain('CcqB')
})

test('a read that is refused is in the log, as that of another organization', async () => {
  const [act] = await actsOf('GET', '/control/organizations/other/payments', 'theirs', c => c.json({}, 403))
  expect(act).toMatchObject({ by: 'CI of checkout', status: 403 })
})

test.each(['/control/organizations', '/metrics'])('GET %s with a wrong token is in the log', async path => {
  const [act] = await actsOf('GET', path, 'wrong', c => c.json({ error: 'no' }, 401))
  expect(act).toMatchObject({ by: 'nobody', from: '10.1.2.3', path, status: 401 })
})

test('whoever ends the own access is named, as access is looked up before the act', async () => {
  const acts: object[] = []
  const holders = new Map([['theirs', HOLDER]])
  const verifier = createControlTokenVerifier('hush', async text => holders.get(text))
  const app = new Hono()
  app.use(logControlActs({ act: (act: object) => void acts.push(act) } as never, verifier))
  app.all('*', c => {
    holders.clear()
    return c.text('')
  })
  const headers = { authorization: 'Bearer theirs' }
  await app.request('/control/organizations/shop/control-tokens/t1', { method: 'DELETE', headers })
  expect(acts).toMatchObject([{ by: 'CI of checkout', tokenId: 't1' }])
})

test('who signed in at the proxy is named beside the token, from where the call came, though the client has gone', async () => {
  const acts: object[] = []
  const client: { address?: string; user?: string } = { address: '10.1.2.3', user: 'alice' }
  const token = { accessOf: async () => HOLDER, userOf: () => client.user, addressOf: () => client.address }
  const app = new Hono()
  app.use(logControlActs({ act: (act: object) => void acts.push(act) } as never, token))
  app.all('*', c => {
    delete client.address
    delete client.user
    return c.text('')
  })
  await app.request('/control/organizations/shop/reset', { method: 'POST' })
  expect(acts).toMatchObject([{ by: 'alice', tokenId: 't1', from: '10.1.2.3' }])
})

test('a wrong token is in the log whatever the response, as that of a program that says it is a browser', async () => {
  const [act] = await actsOf('GET', '/portal/organizations', 'wrong', c => c.redirect('/portal/sign-in', 303))
  expect(act).toMatchObject({ by: 'nobody', status: 303, isTokenWrong: true })
})

test.each([
  ['/metrics', 200],
  ['/metrics', 404],
  ['/portal/sign-in', 200],
] as const)('GET %s with a token of another purpose, answered by %i, is none', async (path, status) => {
  expect(await actsOf('GET', path, 'the-metrics-token', c => c.text('', status))).toEqual([])
})
