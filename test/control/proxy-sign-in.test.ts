import { expect, test } from 'vitest'
import { createProxySignIn } from '../../simulator/control/proxy-sign-in.ts'
import { controlClient } from '../support/control-client.ts'
import { startScopedSimulator } from '../support/test-scoped-simulator.ts'

const TOKEN = 'a-token-of-the-operator'

const userOf = (headers: Record<string, string>, path = '/portal', remoteAddress = '10.0.0.5') =>
  createProxySignIn(['10.0.0.0/24']).userOf({
    req: { header: name => headers[name], path },
    env: { incoming: { socket: { remoteAddress } } },
  })
const groupsOf = (groups: string, path?: string) =>
  userOf({ 'x-forwarded-user': 'ada', 'x-forwarded-groups': groups }, path)?.access

test('the group assay is the operator, and assay:ORGANIZATION:ROLE a role there', () => {
  const shop = { organizationId: 'shop', role: 'act', name: 'ada' }
  expect(groupsOf('people, assay')).toBe('operator')
  expect(groupsOf('assay:shop:act')).toEqual(shop)
  expect(groupsOf('assay:other:read, assay:shop:act', '/portal/organizations/shop/payments')).toEqual(shop)
  expect(groupsOf('assay:shop:read,assay:shop:act', '/control/organizations/shop')).toEqual(shop)
  expect(groupsOf('assay:shop:act,assay:other:read', '/portal')).toEqual(shop)
  for (const none of ['', 'people', 'assay:shop', 'assay:shop:owner', 'assay:shop:act:more', 'Assay', 'xassay'])
    expect([none, groupsOf(none)]).toEqual([none, 'none'])
})

test('the headers of any other peer, and a proxy without a user, say nothing', () => {
  const headers = { 'x-forwarded-user': 'ada', 'x-forwarded-groups': 'assay' }
  expect(userOf(headers, '/portal', '10.0.1.5')).toBeUndefined()
  expect(userOf(headers, '/portal', '::ffff:10.0.0.5')?.access).toBe('operator')
  expect(userOf({ 'x-forwarded-groups': 'assay' })).toBeUndefined()
  expect(userOf({ ...headers, 'x-forwarded-user': ' ' })).toBeUndefined()
})

test('a name beyond ASCII is read as UTF-8, which Node shows byte by byte', () => {
  const nameOf = (name: string) => userOf({ 'x-forwarded-user': name, 'x-forwarded-groups': 'assay' })?.name
  expect(nameOf(Buffer.from('José Łuk').toString('latin1'))).toBe('José Łuk')
  expect(nameOf('José')).toBe('José')
})

test('a request comes from the last address that the proxy names, and from any other peer from that', () => {
  const addressOf = (forwarded: string | undefined, remoteAddress: string) =>
    createProxySignIn(['10.0.0.0/24']).addressOf({
      req: { header: name => (name === 'x-forwarded-for' ? forwarded : undefined) },
      env: { incoming: { socket: { remoteAddress } } },
    })
  expect(addressOf('1.1.1.1, 192.0.2.7', '10.0.0.5')).toBe('192.0.2.7')
  expect(addressOf(undefined, '10.0.0.5')).toBe('10.0.0.5')
  expect(addressOf('192.0.2.7', '198.51.100.9')).toBe('198.51.100.9')
})

test('control and portal let in who signed in at the proxy, a bearer token counts more, and nobody else is believed', async () => {
  const get = async (signInFrom: string[], path: string, headers: Record<string, string>) => {
    const { pagesUrl } = await startScopedSimulator({ controlToken: TOKEN, signInFrom })
    return (await fetch(pagesUrl + path, { headers, redirect: 'manual' })).status
  }
  const operator = { 'x-forwarded-user': 'ada', 'x-forwarded-groups': 'assay' }
  const reader = { 'x-forwarded-user': 'bo', 'x-forwarded-groups': 'assay:demo-merchant:read' }
  const here = ['127.0.0.1']
  const [kit, payments] = ['/control/organizations/demo-merchant/kit', '/portal/organizations/demo-merchant/payments']
  expect(await get(here, kit, operator)).toBe(200)
  expect(await get(here, payments, reader)).toBe(200)
  expect(await get(here, kit, reader)).toBe(403)
  expect(await get(here, kit, { ...operator, authorization: 'Bearer wrong' })).toBe(401)
  expect(await get(here, payments, { ...operator, 'x-forwarded-groups': 'people' })).toBe(303)
  expect(await get(['10.9.9.9'], kit, operator)).toBe(401)
  expect(await get([], kit, operator)).toBe(401)
})

test('the demo shop is open to who signed in at the proxy, and may act for that organization', async () => {
  const { pagesUrl } = await startScopedSimulator({ controlToken: TOKEN, signInFrom: ['127.0.0.1'] })
  const shopOf = async (groups: string) => {
    const headers = { 'x-forwarded-user': 'ada', 'x-forwarded-groups': groups }
    const response = await fetch(`${pagesUrl}/shop`, { headers, redirect: 'manual' })
    return response.headers.get('location')
  }
  expect(await shopOf('assay')).toMatch(/^\/shop\/demo-merchant\//)
  expect(await shopOf('assay:demo-merchant:act')).toMatch(/^\/shop\/demo-merchant\//)
  expect(await shopOf('people')).toMatch(/^\/portal\/sign-in/)
})

test('an import of a snapshot by a person who is the operator may be as large as with the token', async () => {
  const simulator = await startScopedSimulator({ controlToken: TOKEN, signInFrom: ['127.0.0.1'] })
  const ask = controlClient(simulator)
  const large = { padding: 'x'.repeat(100_000) }
  const operator = { 'x-forwarded-user': 'ada', 'x-forwarded-groups': 'assay' }
  const put = async (headers: Record<string, string>) =>
    (await ask('PUT', 'organizations/demo-merchant/snapshots/large', large, headers)).status
  expect(await put(operator)).toBe(400) // read, and no snapshot
  expect(await put({})).toBe(413)
})
