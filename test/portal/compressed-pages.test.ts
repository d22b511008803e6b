import { expect, test } from 'vitest'
import { readAsBrowser } from '../support/request-compressed-response.ts'
import { irisRequestOf, merchantOf, startScopedSimulator } from '../support/test-scoped-simulator.ts'

const PORTAL = '/portal/organizations/demo-merchant'
const HEAVIEST_IN_BYTES = 60_000

test('pages and their assets are compressed; what holds secrets, control and the payment API are not', async () => {
  const simulator = await startScopedSimulator()
  const control = (path: string, body: object) =>
    fetch(`${simulator.pagesUrl}/control/organizations/demo-merchant${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
    })
  const { endpointId } = await (await control('/webhooks', { url: 'http://shop.example/hooks' })).json()
  const of = async (path: string) => (await readAsBrowser(simulator.pagesUrl + path)).encoding
  const page = await readAsBrowser(`${simulator.pagesUrl}${PORTAL}/journal`)
  expect(page).toMatchObject({ encoding: 'gzip', vary: 'Accept-Encoding' })
  expect(await of('/')).toBe('gzip')
  for (const path of [
    `${PORTAL}/webhooks/${endpointId}?transactionId=guess`,
    `${PORTAL}/stream`,
    '/control/organizations/demo-merchant/kit',
  ])
    expect([path, await of(path)]).toEqual([path, undefined])
  const merchant = merchantOf(simulator)
  const { response } = await merchant.request('status', { path: { transactionId: 'x' } }, {
    headers: { 'accept-encoding': 'gzip' },
  } as never)
  expect(response?.headers['content-encoding']).toBeUndefined()
})

test('no page weighs more than 60 KB with 500 rows of everything', { timeout: 300_000 }, async () => {
  const simulator = await startScopedSimulator({ rateLimit: 0 })
  const { pagesUrl, controlPlane } = simulator
  await controlPlane.endpoints.add('demo-merchant', { url: 'http://shop.example/hooks', types: undefined } as never)
  await controlPlane.clock.freeze('demo-merchant', true)
  const merchant = merchantOf(simulator)
  for (let at = 0; at < 500; at += 20)
    await Promise.all(Array.from({ length: 20 }, () => merchant.initiate(irisRequestOf(merchant))))
  const [endpoint] = await controlPlane.endpoints.list('demo-merchant')
  const pages = [
    '',
    '/journal?limit=500',
    '/payments',
    '/webhooks',
    `/webhooks/${endpoint?.endpointId}`,
    '/inbox',
    '/scenarios',
    '/conduct',
    '/clock',
  ]
  const weights = []
  for (const page of pages)
    weights.push([page, (await readAsBrowser(`${pagesUrl}${PORTAL}${page}`)).bytes.length] as const)
  expect(weights.filter(([, bytes]) => bytes > HEAVIEST_IN_BYTES)).toEqual([])
})
