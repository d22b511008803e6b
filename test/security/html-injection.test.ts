import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, type TestBrowser } from '../browser/open-browser.ts'
import { merchantOf } from '../support/test-scoped-simulator.ts'
import { attributeValues, type CrawledResponse, crawlPagesPort, formsOf } from './crawl-page-responses.ts'
import { HOSTILE_TEXT, openHostileSandbox, UNESCAPED_HOSTILE_TEXT } from './hostile-text-sandbox.ts'

let browser: TestBrowser

beforeAll(async () => {
  browser = await openBrowser()
})

afterAll(() => browser.close())

/** Allowed targets of links and forms. */
const HARMLESS = /^(https?:\/\/|\/(?!\/)|#|\?|data:image\/|journal\/[\w-]+$)/
const SENT_AT_ALL = /(delete|revoke|deregister|kit|clear|finish-day|disable|reset)$/

/** Security problems of a response: missing headers, unescaped input, dangerous links. */
const faultsOf = ({ path, headers, text }: CrawledResponse): string[] => {
  const type = headers.get('content-type') ?? ''
  if (headers.get('x-content-type-options') !== 'nosniff') return [`${path} may be guessed at`]
  if (headers.get('content-security-policy') === null) return [`${path} may load what it likes`]
  if (!/html|svg/.test(type)) return []
  const raw = UNESCAPED_HOSTILE_TEXT.exec(text.replaceAll(/<script [^>]*src="\/assets[^>]*>/g, ''))
  const links = ['href', 'src', 'action', 'formaction'].flatMap(name => attributeValues(name, text))
  const wild = links.filter(link => !HARMLESS.test(link))
  return [
    ...(raw ? [`${path}: ${text.slice(raw.index - 60, raw.index + 90)}`] : []),
    ...wild.map(link => `${path} leads to ${link}`),
  ]
}

test('hostile input is shown as text on every page, also without the content security policy', {
  timeout: 120_000,
}, async () => {
  const scene = await openHostileSandbox()
  const { pagesUrl, shopperPaths } = scene
  const portal = '/portal/organizations/demo-merchant'
  const evil = encodeURIComponent(HOSTILE_TEXT)
  const asked = [
    'journal?q',
    'journal?path',
    'journal?status',
    'payments?q',
    'scenarios?q',
    'reports?from',
    'webhooks?state',
    'capabilities?account',
    'conduct?judged',
    'lab?call',
    'overview?done',
    'payments/x?',
  ].map(query => `${portal}/${query}=${evil}`)
  const elsewhere = [
    `/${evil}`,
    `/portal/sign-in?to=${evil}`,
    `/control/${evil}`,
    `/iris/${evil}`,
    `${shopperPaths[0]}/banks/elaia/accounts?user=${evil}`,
  ]
  const visited = await crawlPagesPort(pagesUrl, ['/', '/portal', ...shopperPaths, ...asked, ...elsewhere], 220)
  expect(visited.filter(({ status }) => status >= 500)).toEqual([])
  expect(visited.flatMap(faultsOf)).toEqual([])
  const marked = visited.filter(
    ({ headers, text }) => headers.get('content-type')?.includes('html') && text.includes('zq'),
  )
  expect(marked.length).toBeGreaterThan(25)

  const forms = new Map(visited.flatMap(formsOf).map(form => [form.action.replace(/[0-9a-f-]{30,}/g, '#'), form]))
  for (const { action, names } of forms.values()) {
    if (SENT_AT_ALL.test(action)) continue
    const body = new URLSearchParams([...names, 'to', 'since'].map(name => [name, HOSTILE_TEXT]))
    const answer = await fetch(pagesUrl + action, { method: 'POST', redirect: 'manual', body })
    const { status, headers } = answer
    expect(status, action).toBeLessThan(500)
    expect(faultsOf({ path: action, status, headers, text: await answer.text() })).toEqual([])
  }
  expect(forms.size).toBeGreaterThan(15)

  const page = await browser.newPage({ bypassCSP: true })
  for (const { path } of marked) {
    await page.goto(pagesUrl + path, { waitUntil: 'domcontentloaded' })
    expect([path, await page.evaluate('window.owned')]).toEqual([path, undefined])
  }
  await page.goto(`${pagesUrl}${portal}/journal`)
  const before = await page.locator('.jc').count()
  await merchantOf(scene).request('search', {
    json: { more: HOSTILE_TEXT, limit: 1 },
    headers: { 'user-agent': HOSTILE_TEXT },
  })
  await expect.poll(() => page.locator('.jc').count()).toBeGreaterThan(before)
  await page.locator('.jc').first().click()
  expect(await page.evaluate('window.owned')).toBeUndefined()
})
