import { request } from 'node:http'
import { expect, test } from 'vitest'
import { startScopedSimulator } from '../support/test-scoped-simulator.ts'

const DEMO = '/control/organizations/demo-merchant'
const large = 'x'.repeat(70_000)

// biome-ignore format: a table reads by its columns
const ASKED: readonly (readonly [method: string, target: string, status: number, more?: { headers?: Record<string, string>; body?: string }])[] = [
  ['GET',  '/',                                200],
  ['GET',  '/health',                          200],
  ['GET',  '/ready',                           200],
  ['GET',  `${DEMO}/kit`,                      200],
  ['GET',  `${DEMO}/reports`,                  200],
  ['GET',  '/control/openapi.yaml',            200],
  ['GET',  '/control/openapi.json',            200],
  ['GET',  '/control/scenarios',               200],
  ['GET',  '/control/nowhere',                 404],
  ['GET',  `${DEMO}/payments/x/timeline.svg`,  404],
  ['GET',  '/nowhere',                         404],
  ['GET',  '/assets/nothing.css',              404],
  ['POST', '/control/organizations',           400, { body: 'no JSON' }],
  ['POST', '/control/organizations',           413, { body: large }],
  ['POST', '/blik/demo-merchant/phones',       413, { body: large }],
  ['GET',  `${DEMO}/kit`,                      403, { headers: { host: 'evil.example' } }],
  ['GET',  '/',                                403, { headers: { host: 'evil.example' } }],
  ['GET',  '/',                                400, { headers: { host: 'localhost#evil.example' } }],
  ['POST', '/portal/organizations',            403, { headers: { origin: 'https://evil.example' } }],
  ['GET',  '/portal',                          303],
]

const ask = (pagesUrl: string, [method, target, , { headers = {}, body = '' } = {}]: (typeof ASKED)[number]) =>
  new Promise<{ status: number | undefined; headers: Record<string, unknown> }>((resolve, reject) => {
    const sent = { ...headers, ...(body ? { 'content-length': String(body.length) } : {}) }
    const call = request(pagesUrl + target, { method, headers: sent }, answer => {
      resolve({ status: answer.statusCode, headers: answer.headers })
      answer.resume()
    })
    call.on('error', reject).end(body)
  })

test('every response of the pages port has nosniff, no-store, frame-ancestors and a content type', async () => {
  const { pagesUrl } = await startScopedSimulator()
  for (const asked of ASKED) {
    const { status, headers } = await ask(pagesUrl, asked)
    expect([...asked.slice(0, 2), status]).toEqual(asked.slice(0, 3))
    expect(headers, asked.slice(0, 2).join(' ')).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'content-security-policy': expect.stringMatching(/^default-src 'none'.*frame-ancestors 'none'/),
    })
    if (status !== 303) expect(headers['content-type']).toMatch(/^[a-z]+\/[a-z+]+/)
  }
})

test('no response has CORS headers', async () => {
  const { pagesUrl } = await startScopedSimulator()
  for (const asked of ASKED) {
    const [method, target, status, more] = asked
    const { headers } = await ask(pagesUrl, [
      method,
      target,
      status,
      { ...more, headers: { ...more?.headers, origin: 'https://evil.example' } },
    ])
    expect(Object.keys(headers).filter(name => name.startsWith('access-control'))).toEqual([])
  }
})
