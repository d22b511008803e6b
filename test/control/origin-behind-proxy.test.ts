import { request } from 'node:http'
import { expect, test } from 'vitest'
import { startScopedSimulator } from '../support/test-scoped-simulator.ts'

const TOKEN = 'operator'

/** Posts what changes something, with these headers, and returns status and text. */
const post = (healthUrl: string, path: string, headers: Record<string, string>) =>
  new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const all = { 'Content-Type': 'application/x-www-form-urlencoded', ...headers }
    request(new URL(path, healthUrl), { method: 'POST', headers: all }, async answer =>
      resolve({ status: answer.statusCode, text: (await answer.toArray()).join('') }),
    )
      .on('error', reject)
      .end(path === '/portal/sign-in' ? `token=${TOKEN}` : '')
  })

/** What a shopper, a reader of the portal and a program change, and what each responds where nothing hinders it. */
const TARGETS = [
  ['/iris/nobody/decision', 404],
  ['/portal/sign-in', 303],
  ['/control/organizations/demo-merchant/clock/drain', 401],
] as const
const PAGES_URL = 'https://Pay.example:9444'
const config = { pagesUrl: PAGES_URL, controlToken: TOKEN }

test('the page of pages-url changes things behind a proxy, whatever Host that hands on', async () => {
  const { healthUrl } = await startScopedSimulator(config)
  for (const [path, expected] of TARGETS)
    for (const host of ['assay:8080', 'pay.example', 'pay.example:9444', 'PAY.example:9444']) {
      const { status } = await post(healthUrl, path, { Host: host, Origin: 'https://pay.example:9444' })
      expect([path, host, status]).toEqual([path, host, expected])
    }
})

test('a page of any other origin than that of pages-url or Host changes nothing, and the refusal names the cure', async () => {
  const { healthUrl } = await startScopedSimulator(config)
  const others = [
    ...['https://pay.example', 'http://pay.example:9444', 'https://pay.example:9445', 'https://x.pay.example:9444'],
    ...['https://pay.example:9444.evil.example', 'https://evil.example', 'null', 'https://pay.example:9444/x', ''],
  ]
  for (const [path] of TARGETS)
    for (const Origin of others) {
      const { status, text } = await post(healthUrl, path, { Host: 'assay:8080', Origin })
      expect([path, Origin, status]).toEqual([path, Origin, 403])
      expect(text).toContain('--pages-url')
    }
})

test('the origin of pages-url opens no Host of somebody else, and without pages-url only that of Host is taken', async () => {
  const origin = 'https://pay.example:9444'
  const { healthUrl } = await startScopedSimulator(config)
  const open = await startScopedSimulator({ controlToken: TOKEN })
  for (const [path] of TARGETS) {
    expect((await post(healthUrl, path, { Host: 'evil.example', Origin: origin })).status).toBe(403)
    expect((await post(open.healthUrl, path, { Host: 'assay:8080', Origin: origin })).status).toBe(403)
  }
})
