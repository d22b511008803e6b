import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, type TestBrowser } from './open-browser.ts'
import { portalFormPageAddresses } from './portal-form-page-addresses.ts'
import { PORTAL_TEST_IDS } from './portal-form-page-test-ids.ts'
import { testPortalPageRequirements } from './portal-page-requirements.ts'
import { PORTAL, type PortalSandbox, startPortalSandbox } from './portal-sandbox.ts'

let site: PortalSandbox
let browser: TestBrowser
let receiver: Server
let pages: [name: string, path: string][]

beforeAll(async () => {
  receiver = createServer((_, answer) => void answer.end('taken'))
  await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve))
  const { port } = receiver.address() as AddressInfo
  site = await startPortalSandbox()
  pages = await portalFormPageAddresses(site, `http://127.0.0.1:${port}/hooks`)
  browser = await openBrowser()
}, 180_000)
afterAll(async () => {
  await browser?.close()
  await site?.stop()
  receiver?.close()
})

/** Test ids that are there only where the sandbox has a control token. */
const WITH_TOKEN = PORTAL_TEST_IDS.filter(([, page]) => page.includes('with a control token')).map(([id]): string => id)

const read = (path: string, headers = {}) => fetch(site.url + path, { headers })

testPortalPageRequirements(() => ({ url: site.url, browser, pages }))

test('every page is complete, and in English for any browser language', async () => {
  for (const [name, path] of pages) {
    const text = await (await read(path, { 'Accept-Language': 'pl' })).text()
    expect(text, name).toContain('<html lang="en">')
    expect(text, name).not.toMatch(/undefined|\[object|\{\w+\}(?!.*<\/code>)/)
  }
})

test('every page has a strict content security policy and is not cached', async () => {
  for (const [name, path] of pages) {
    const { headers } = await read(path)
    expect(headers.get('Content-Security-Policy'), name).toMatch(/^default-src 'none';.*form-action 'self'$/)
    expect(headers.get('Cache-Control'), name).toMatch(/^no-store(, no-transform)?$/)
  }
})

test('every path that a form is sent to leads to a page, where a browser opens it anew', async () => {
  const paths = new Set<string>()
  for (const [, path] of pages)
    for (const [, action] of (await (await read(path)).text()).matchAll(/method="post" action="([^"?#]+)/g))
      if (action?.startsWith('/portal')) paths.add(action)
  expect([...paths].map(path => path.split('/').at(-1))).toEqual(expect.arrayContaining(['change', 'trusted', 'end']))
  paths.add(`${PORTAL}/control-tokens`).add(`${PORTAL}/control-tokens/some/revoke`)
  for (const path of paths) expect([path, (await read(path)).status]).toEqual([path, 200])
})

test('shopper pages load no portal assets', async () => {
  for (const path of ['/', '/blik/demo-merchant']) expect(await (await read(path)).text()).not.toContain('portal.css')
})

test('the table of test ids and the pages agree', async () => {
  const seen = new Set<string>()
  for (const [, path] of pages)
    for (const [, id] of (await (await read(path)).text()).matchAll(/data-testid="([^"]+)"/g)) seen.add(String(id))
  const ofLab = (id: string) => id.startsWith('lab-') // visited by tests of its own
  const known = PORTAL_TEST_IDS.map(([id]): string => id).filter(id => !ofLab(id))
  const PARTS = { filter: 'filter-{state}', span: 'span-{name}', chart: 'chart-{what}', nav: 'nav-{section}' }
  const plain = [...seen].map(id =>
    id.replace(/^(nav|filter|span|chart)-.*/, (_, part) => PARTS[part as keyof typeof PARTS]),
  )
  const elsewhere = [
    'token-field',
    'portal-sign-in',
    'portal-sign-out',
    'portal-not-found',
    'deliveries-older',
    'control-token',
    'portal-forbidden',
    'portal-read-only',
    ...WITH_TOKEN,
  ]
  const other = ['sandbox-mark', 'not-live', 'appearance', 'theme-light', 'theme-dark', 'theme-system']
  expect([...new Set(plain)].filter(id => !known.includes(id) && !other.includes(id))).toEqual([])
  expect(known.filter(id => !plain.includes(id) && !elsewhere.includes(id))).toEqual([])
})

test('pages of an unknown organization or item are 404', async () => {
  const nothing = ['/portal/organizations/nobody', '/portal/organizations/nobody/webhooks', `${PORTAL}/nothing`]
  const things = ['webhooks/none', 'deliveries/none', 'certificates/AA:BB', 'capabilities?account=none']
  for (const path of [...nothing, ...things.map(thing => `${PORTAL}/${thing}`)])
    expect([path, (await read(path)).status]).toEqual([path, 404])
})
