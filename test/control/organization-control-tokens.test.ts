import { once } from 'node:events'
import { get } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { isPermitted } from '../../simulator/control/permitted-calls.ts'
import { CONTROL_ROLES } from '../../simulator/organizations/control-token-registry.ts'
import { controlClient } from '../support/control-client.ts'
import { describedCalls } from '../support/control-description.ts'
import { blikRequest } from '../support/payment-requests.ts'
import { firstAccountOf, merchantOf, startScopedSimulator } from '../support/test-scoped-simulator.ts'

const TOKEN = 'a-token-of-the-operator'
const OPERATOR = { authorization: `Bearer ${TOKEN}` }
const HERE = '/control/organizations/shop'

/** Calls about no organization that a token of one may make. */
const SHARED = [
  '/control',
  '/control/organizations',
  '/control/scenarios',
  '/control/scenarios/{name}',
  '/control/drills',
]
const OPEN = ['/control/openapi.yaml', '/control/openapi.json', '/control/scenarios/scenario.schema.json']
/** Calls that hand out secrets, by their path below the organization. */
const SECRET = ['/kit', '/kit.zip', '/snapshots/{name}', '/webhooks/{endpointId}', '/webhooks/{endpointId}/listen']

/** Starts a sandbox with a control token and two organizations, and makes a token of each role for the shop. */
const open = async () => {
  const simulator = await startScopedSimulator({ controlToken: TOKEN })
  const ask = controlClient(simulator)
  for (const id of ['shop', 'other']) await ask('POST', 'organizations', { id }, OPERATOR)
  const tokenOf = async (role: string, as: Record<string, string> = OPERATOR) =>
    ask('POST', 'organizations/shop/control-tokens', { name: `a ${role}`, role }, as)
  const tokens: Record<string, string> = {}
  for (const role of CONTROL_ROLES) tokens[role] = (await tokenOf(role)).body.token
  const fetchAs = (role: string, method: string, path: string, init: RequestInit = {}) =>
    fetch(simulator.pagesUrl + path, {
      method,
      redirect: 'manual',
      ...init,
      headers: { authorization: `Bearer ${tokens[role]}`, ...init.headers },
    })
  const signIn = async (token = '') => {
    const body = new URLSearchParams({ token, to: '/portal/organizations' })
    const response = await fetch(`${simulator.pagesUrl}/portal/sign-in`, { method: 'POST', body, redirect: 'manual' })
    return response.headers.get('set-cookie')?.split(';')[0] ?? ''
  }
  return { simulator, ask, tokenOf, tokens, fetchAs, signIn }
}

test('no token of an organization reaches another one, by any call of control', async () => {
  const { fetchAs } = await open()
  for (const { call, method, path } of describedCalls) {
    const asked = path.replace('{organizationId}', 'other').replaceAll(/\{\w+\}/g, 'x')
    const { status } = await fetchAs('admin', method.toUpperCase(), asked)
    const isFree = OPEN.includes(path) || (method === 'get' && SHARED.includes(path))
    if (isFree) expect([call, status]).not.toEqual([call, 403])
    else expect([call, status]).toEqual([call, 403])
  }
})

test.each(CONTROL_ROLES)('the role %s permits what its row of the table says, on every call', role => {
  const holder = { organizationId: 'shop', role, tokenId: 't', name: 'n' }
  for (const { call, method, path } of describedCalls.filter(one => one.path.includes('{organizationId}'))) {
    const below = path.slice('/control/organizations/{organizationId}'.length)
    const needed = neededRole(method, below)
    const permitted = isPermitted(holder, method.toUpperCase(), path.replace('{organizationId}', 'shop'))
    const ranks = [...CONTROL_ROLES, 'operator']
    expect([call, permitted]).toEqual([call, ranks.indexOf(role) >= ranks.indexOf(needed)])
  }
})

/** The role that a call needs, in other words than those of the table. */
const neededRole = (method: string, below: string): (typeof CONTROL_ROLES)[number] | 'operator' => {
  if (method === 'put' && below.startsWith('/snapshots')) return 'operator'
  if (below.startsWith('/control-tokens') || (method === 'delete' && below === '')) return 'admin'
  if (below === '/lab') return 'read'
  return method !== 'get' || SECRET.includes(below) ? 'act' : 'read'
}

test('a reader sees no secret of a webhook in what it may read, in control and portal', async () => {
  const { fetchAs, signIn, simulator, tokens } = await open()
  const secret = /whsec_[\w+/]{20}|PRIVATE KEY/
  const inbox = '/control/organizations/shop/inbox'
  expect(await (await fetchAs('act', 'GET', inbox)).text()).toMatch(secret)
  expect((await (await fetchAs('read', 'GET', inbox)).json()).secret).toMatch(/^whsec_.{4}…$/)
  const read = describedCalls.filter(
    ({ method, path }) =>
      method === 'get' && /^[^{]*\{organizationId\}[^{]*$/.test(path) && !/stream|wait|listen/.test(path),
  )
  expect(read.length).toBeGreaterThan(10)
  for (const { path } of read)
    expect(await (await fetchAs('read', 'GET', path.replace('{organizationId}', 'shop'))).text(), path).not.toMatch(
      secret,
    )
  const page = async (token: string) => {
    const headers = { cookie: await signIn(token) }
    return (await fetch(`${simulator.pagesUrl}/portal/organizations/shop/inbox`, { headers })).text()
  }
  expect(await page(String(tokens.act))).toMatch(secret)
  expect(await page(String(tokens.read))).not.toMatch(secret)
}, 60_000)

test('5.2: the lab signs a corrected request only for who may have the key', async () => {
  const { fetchAs, signIn, simulator, tokens } = await open()
  const request = 'GET /payments/x/status HTTP/1.1\r\nHost: localhost:8443\r\n\r\n'
  const init = { body: JSON.stringify({ request }), headers: { 'content-type': 'application/json' } }
  const signatureAs = async (role: string) => {
    const { correct } = (await (await fetchAs(role, 'POST', `${HERE}/lab`, init)).json()) as { correct?: object }
    return JSON.stringify(correct).includes('service_sig=:')
  }
  expect([await signatureAs('read'), await signatureAs('act')]).toEqual([false, true])
  for (const role of ['read', 'act']) {
    const cookie = await signIn(tokens[role])
    const page = await fetch(`${simulator.pagesUrl}/portal/organizations/shop/lab`, {
      method: 'POST',
      headers: { cookie, origin: simulator.pagesUrl },
      body: new URLSearchParams({ request }),
    })
    const shown = (await page.text()).replaceAll(/<textarea.*?<\/textarea>/gs, '') // whose placeholder is an example
    expect([role, shown.includes('service_sig=:')]).toEqual([role, role === 'act'])
    expect([role, shown.includes('Sign this base with your key')]).toEqual([role, role === 'read'])
  }
})

test('a reader sees mandates without the phone whose pages act on them', async () => {
  const { ask, simulator } = await open()
  const here = 'organizations/demo-merchant'
  const asked = async (method: string, path: string, body?: object, as = OPERATOR) =>
    (await ask(method, `${here}/${path}`, body, as)).body
  const { phoneId } = await asked('POST', 'blik/phones', { bank: 'jaskolka' })
  const { code } = await asked('POST', 'blik/codes', { phone: phoneId })
  const merchant = merchantOf(simulator)
  const processingAccountId = firstAccountOf(merchant)
  const begun = await merchant.initiate({ ...blikRequest(code, { transactionType: 'RECURRING' }), processingAccountId })
  const transactionId = begun.ok ? begun.body.transactionId : ''
  await asked('POST', `payments/${transactionId}/shopper`, { action: 'approve', keep: 'yes' })
  await merchant.finalize({ transactionId, processingAccountId })
  const phonesAs = async (role: string) => {
    const { token } = await asked('POST', 'control-tokens', { name: `a ${role}`, role })
    const { mandates } = await asked('GET', 'mandates', undefined, { authorization: `Bearer ${token}` })
    return mandates.map((mandate: { phoneId?: string }) => mandate.phoneId)
  }
  expect([await phonesAs('read'), await phonesAs('act')]).toEqual([[undefined], [phoneId]])
})

test('lists show the holder its own organization, and unknown organizations look like forbidden ones', async () => {
  const { fetchAs } = await open()
  const list = await (await fetchAs('read', 'GET', '/control/organizations')).json()
  expect(list.organizations.map((one: { organizationId: string }) => one.organizationId)).toEqual(['shop'])
  expect((await fetchAs('admin', 'POST', '/control/organizations', { body: '{}' })).status).toBe(403)
  const [foreign, unknown] = [
    await fetchAs('admin', 'GET', '/control/organizations/other/clock'),
    await fetchAs('admin', 'GET', '/control/organizations/nobody/clock'),
  ]
  expect([foreign.status, await foreign.json()]).toEqual([unknown.status, await unknown.json()])
})

test.each([
  '/control/organizations/%6fther/clock',
  '/control/organizations/shop/../other/clock',
  '/control/organizations/shop%2f..%2fother/clock',
  '/control/organizations/shop%252f/clock',
  '/control//organizations/other/clock',
  '/control/organizations/OTHER/clock',
  '/control/organizations/shop/k%69t',
  '/control/organizations/shop/snapshots/%61',
])('the path %s gives a reader nothing that it may not have', async path => {
  const { simulator, tokens } = await open()
  const { port } = new URL(simulator.pagesUrl)
  const headers = { authorization: `Bearer ${tokens.read}` }
  const [response] = await once(get({ host: 'localhost', port, path, headers }), 'response')
  expect([400, 403, 404]).toContain(response.statusCode)
  expect(await text(response)).not.toMatch(/PRIVATE KEY|"now"/)
})

test('in the portal a token opens its organization alone, from the sign-in on', async () => {
  const { simulator, signIn, tokens } = await open()
  const cookie = await signIn(tokens.read)
  expect(cookie).toMatch(/^assay-control-/)
  expect(cookie).not.toContain(String(tokens.read).split('.')[3])
  const page = (path: string, init: RequestInit = {}) =>
    fetch(simulator.pagesUrl + path, { headers: { cookie }, redirect: 'manual', ...init })
  const list = await page('/portal/organizations')
  expect([list.status, list.headers.get('location')]).toEqual([303, '/portal/organizations/shop'])
  for (const [path, status] of [
    ['/portal/organizations/shop', 200],
    ['/portal/organizations/shop/journal', 200],
    ['/portal/organizations/shop/identities', 200],
    ['/portal/organizations/other', 403],
    ['/portal/organizations/other/journal', 403],
    ['/portal/organizations/nobody', 403],
    ['/portal/journal', 403],
    ['/control/journal', 403],
    ['/control/organizations/shop/kit', 403],
    ['/control/organizations/shop/payments', 200],
  ] as const)
    expect([path, (await page(path)).status]).toEqual([path, status])
  const posted = await page('/portal/organizations/shop/inbox/clear', { method: 'POST', body: new URLSearchParams() })
  expect(posted.status).toBe(403)
  expect(await (await page('/portal/organizations/other')).text()).not.toContain('organizations/other')
  expect(await signIn(`${tokens.read}x`)).toBe('')
})

test('a revoked token, its cookie, and those of a removed organization are refused at once', async () => {
  const { ask, signIn, tokens, simulator } = await open()
  const cookie = await signIn(tokens.admin)
  const statusBy = async (headers: Record<string, string>) =>
    (await fetch(`${simulator.pagesUrl}${HERE}/clock`, { headers })).status
  const bearer = { authorization: `Bearer ${tokens.admin}` }
  expect([await statusBy(bearer), await statusBy({ cookie })]).toEqual([200, 200])
  const list = (await ask('GET', 'organizations/shop/control-tokens', undefined, bearer)).body
  expect(JSON.stringify(list)).not.toContain('hash')
  const { tokenId } = list.controlTokens.find((one: { role: string }) => one.role === 'admin')
  expect((await ask('DELETE', `organizations/shop/control-tokens/${tokenId}`, undefined, bearer)).status).toBe(200)
  expect([await statusBy(bearer), await statusBy({ cookie })]).toEqual([401, 401])
  expect((await ask('DELETE', `organizations/shop/control-tokens/${tokenId}`, undefined, OPERATOR)).status).toBe(404)
  await fetch(`${simulator.pagesUrl}${HERE}`, { method: 'DELETE', headers: OPERATOR })
  await ask('POST', 'organizations', { id: 'shop' }, OPERATOR)
  expect(await statusBy({ authorization: `Bearer ${tokens.act}` })).toBe(401)
})

test('tokens made at once are all there after a restart, their texts nowhere in the data folder', async () => {
  const { ask, tokenOf, tokens, simulator } = await open()
  const made = await Promise.all(Array.from({ length: 9 }, () => tokenOf('read')))
  expect(made.map(({ status }) => status)).toEqual(made.map(() => 201))
  const list = await ask('GET', 'organizations/shop/control-tokens', undefined, OPERATOR)
  expect(list.body.controlTokens).toHaveLength(12)
  await simulator.controlPlane.reset('shop')
  expect(
    (await ask('GET', 'organizations/shop/clock', undefined, { authorization: `Bearer ${tokens.read}` })).status,
  ).toBe(200)
  const stored = (await simulator.controlPlane.organizations.require('shop')).controlTokens ?? ''
  expect(made.filter(({ body }) => stored.includes(String(String(body.token).split('.')[3])))).toEqual([])
})

test.each([
  [{ role: 'read' }, 400, /name/],
  [{ name: ' ', role: 'read' }, 400, /name/],
  [{ name: ' Operator', role: 'admin' }, 400, /choose another name/],
  [{ name: 'x', role: 'owner' }, 400, /read, act, admin/],
  [{ name: 'x', role: 'read', more: 'y' }, 400, /more/],
])('the token %j is refused with the cure', async (body, status, error) => {
  const { ask } = await open()
  const refused = await ask('POST', 'organizations/shop/control-tokens', body, OPERATOR)
  expect([refused.status, refused.body.error]).toEqual([status, expect.stringMatching(error)])
})

test('where control is open, a token would part nothing: making one is refused with the cure', async () => {
  const ask = controlClient(await startScopedSimulator())
  const refused = await ask('POST', 'organizations/demo-merchant/control-tokens', { name: 'x', role: 'read' })
  expect([refused.status, refused.body.error]).toEqual([409, expect.stringMatching(/--control-token/)])
})
