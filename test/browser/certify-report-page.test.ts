import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Locator } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Exchange } from '../../contracts/client/http-exchange.ts'
import { CHECK_REGISTRY } from '../../contracts/commands/chosen-profile-and-checks.ts'
import { type CheckResult, type GridCell, VERDICTS } from '../../contracts/harness/judge/check.ts'
import { toHtmlReport } from '../../contracts/harness/report/html-report.ts'
import { sampleReport } from '../conformance/sample-report.ts'
import { expect as expectPage, openBrowser, type TestBrowser } from './open-browser.ts'

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
const folder = mkdtempSync(join(tmpdir(), 'assay-page-'))
const url = pathToFileURL(join(folder, 'report.html')).href
const LIMIT = 90_000
/** What the margins of a browser leave of a sheet of A4, in CSS pixels. */
const A4 = { width: 718, height: 1047 }
const NASTY = '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>'
let browser: TestBrowser

const exchange = (amount: number, status: number): Exchange => ({
  request: {
    method: 'POST',
    url: 'https://localhost/payments/initiate',
    headers: { 'idempotency-key': `${amount}`, accept: 'application/json' },
    body: Buffer.from(
      JSON.stringify({ clientTransactionId: crypto.randomUUID(), paymentDetails: { amount }, note: NASTY }),
    ),
  },
  response: {
    status,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify({ status: NASTY })),
  },
  durationMs: 3,
})

/** More columns than fit a phone, with a cell of each kind. */
const CELLS: readonly GridCell[] = [
  { column: 'token', verdict: 'not applicable', reason: 'MTLS-03 judges this cell' },
  { column: 'status', verdict: 'not applicable', reason: NASTY },
  { column: 'capture', verdict: 'fail', clause: '5', expected: 'a refusal', got: 'HTTP 200' },
  { column: 'refund', verdict: 'untestable', reason: 'add a line' },
  ...Array.from(
    { length: 14 },
    (_, index): GridCell => ({ column: `operation${index}`, verdict: 'pass', clause: '5' }),
  ),
]

const results: CheckResult[] = [...CHECK_REGISTRY.values()].map(({ id, clause, title }, index) => {
  const verdict = id === 'IDM-15' ? 'fail' : (VERDICTS[index % 40] ?? 'pass')
  const broken =
    verdict === 'fail' ? { expected: `a refusal ${NASTY}`, got: 'HTTP 200', exchange: exchange(2000, 200) } : {}
  const control = verdict === 'fail' ? { control: { id: 'VAL-02', exchange: exchange(1000, 409) } } : {}
  return {
    id,
    clause,
    title,
    journey: 'made up',
    durationMs: 1,
    verdict,
    ...(verdict === 'pass' ? {} : { reason: NASTY }),
    ...broken,
    ...control,
    ...(id.startsWith('GRD-') ? { cells: id === 'GRD-12' ? CELLS.slice(2, 3) : CELLS } : {}),
  }
})

beforeAll(async () => {
  browser = await openBrowser()
  writeFileSync(join(folder, 'report.html'), await toHtmlReport(sampleReport(results), CHECK_REGISTRY))
})

afterAll(async () => {
  rmSync(folder, { recursive: true })
  await browser.close()
})

const openPage = async (options: Parameters<TestBrowser['newPage']>[0] = {}) => {
  const page = await browser.newPage(options)
  const asked: string[] = []
  page.on('request', request => void asked.push(request.url()))
  await page.goto(url)
  return { page, asked }
}

const bounds = async (locator: Locator) => (await locator.boundingBox()) ?? { x: Number.NaN, y: Number.NaN }

const expectInView = (locator: Locator) => expectPage(locator).toBeInViewport()

test('the page makes no requests, and no response of a service is executed in it', async () => {
  const { page, asked } = await openPage()
  expect(asked).toEqual([url])
  expect(await page.title()).toMatch(/^made up: \d+ of \d+ checks failed$/)
  expect(await page.locator('#IDM-15').textContent()).toContain('onerror=')
})

test('a failure is shown beside its control, with the first significant difference highlighted', async () => {
  const { page } = await openPage()
  const lit = page.locator('#IDM-15 .first')
  expect((await lit.allTextContents()).map(text => text.trim())).toEqual([
    '"amount": 1000',
    '"amount": 2000',
    'HTTP 409',
    'HTTP 200',
  ])
  const heads = (await page.locator('#IDM-15 .head').allTextContents()).slice(2)
  expect(heads).toEqual(['Its response', 'Response'])
  expect(await page.locator('#IDM-15 .inside').textContent()).toContain('--only IDM-15')
})

test('checks are filtered by verdict, clause and text', async () => {
  const { page } = await openPage()
  const shown = () => page.locator('[data-verdict]:not([hidden])').count()
  const all = await shown()
  expect(all).toBe(CHECK_REGISTRY.size)
  await page.getByRole('button', { name: /fail$/ }).first().click()
  const failed = results.filter(({ verdict }) => verdict === 'fail').length
  expect(await shown()).toBe(failed)
  expect(await page.locator('#told').textContent()).toBe(`${failed} of ${all} checks`)
  await page.getByRole('button', { name: /fail$/ }).first().click()
  await page.locator('[data-clause="I4"]').click()
  expect(await shown()).toBe(results.filter(({ clause }) => clause.split(', ').includes('I4')).length)
  await page.locator('[data-clause="I4"]').click()
  await page.getByRole('searchbox').fill('idm-15')
  expect(await shown()).toBe(1)
})

test.each(['light', 'dark'] as const)(
  'axe finds nothing to complain of in the %s',
  async colorScheme => {
    const few = results.filter(
      ({ id, verdict }, index) =>
        ['GRD-01', 'GRD-02', 'GRD-12', 'MTLS-03'].includes(id) ||
        results.findIndex(other => other.verdict === verdict) === index,
    )
    const file = join(folder, `${colorScheme}.html`)
    writeFileSync(file, await toHtmlReport(sampleReport(few), CHECK_REGISTRY))
    // The page lets no script run but its own; one that looks at it from outside does not count.
    const page = await browser.newPage({ colorScheme, bypassCSP: true })
    await page.goto(pathToFileURL(file).href)
    await page.addScriptTag({ path: AXE })
    const found = await page.evaluate(async () => {
      for (const part of document.querySelectorAll('details')) part.open = true
      // biome-ignore lint/suspicious/noExplicitAny: axe puts itself into the window
      const { violations } = await (window as any).axe.run()
      return violations.map(({ id, nodes }: { id: string; nodes: { html: string }[] }) => `${id}: ${nodes[0]?.html}`)
    })
    expect(found).toEqual([])
  },
  LIMIT,
)

test.each([true, false])('a cell of a grid leads to what was seen, JavaScript: %s', async javaScriptEnabled => {
  const { page } = await openPage({ javaScriptEnabled })
  const seen = page.locator('#GRD-03-capture')
  expect(await seen.isVisible()).toBe(false)
  await page.locator('a[href="#GRD-03-capture"]').click()
  await expectInView(seen)
  expect(await seen.textContent()).toContain('expected a refusal, got HTTP 200')
})

test('a column that a row does not have says why, seen and read', async () => {
  const { page } = await openPage()
  const row = page.locator('table.grid tr', { has: page.locator('a[href="#GRD-12"]') })
  const absent = row.locator('td:not(:has(a))')
  expect(await absent.count()).toBe(CELLS.length - 1)
  const reason = 'not applicable it moves no payment that is there before (GRD-12 is about capture)'
  expect(await absent.first().getAttribute('title')).toBe(reason)
  expect((await absent.first().textContent())?.trim()).toBe(reason)
})

test('what a link leads to is shown even if it is filtered out', async () => {
  const { page } = await openPage()
  await page.getByRole('searchbox').fill('idm-15')
  await page.locator('a[href="#GRD-03-capture"]').click()
  await expectInView(page.locator('#GRD-03-capture'))
  expect(await page.getByRole('searchbox').inputValue()).toBe('')
})

test.each([
  ['verdict', '[data-filter=fail]'],
  ['clause', '[data-clause=I4]'],
])('a pressed %s leads to its checks, by keyboard too', async (_what, button) => {
  const { page } = await openPage()
  await page.locator(button).focus()
  await page.keyboard.press('Enter')
  await expectInView(page.locator('#checks'))
  await page.keyboard.press('Tab')
  await expectPage(page.getByRole('searchbox')).toBeFocused()
  await expectInView(page.locator('#checks'))
})

test('from what a link leads to, the keyboard goes on there, even if it was filtered out', async () => {
  const { page } = await openPage()
  await page.getByRole('searchbox').fill('idm-15')
  await page.locator('a[href="#GRD-03-capture"]').focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expectPage(
    page.locator('#GRD-03, #GRD-03 *, #GRD-03 ~ *, #GRD-03 ~ * *').and(page.locator(':focus')),
  ).toHaveCount(1)
})

test('with forced colours a pressed verdict or clause looks otherwise', async () => {
  const { page } = await openPage()
  await page.emulateMedia({ forcedColors: 'active' })
  for (const button of ['[data-filter=fail]', '[data-clause=I4]']) {
    const look = () =>
      page.locator(button).evaluate(one => `${getComputedStyle(one).border} ${getComputedStyle(one).fontWeight}`)
    const before = await look()
    await page.locator(button).click()
    expect(await look()).not.toBe(before)
  }
})

test('on paper every grid is shown whole', async () => {
  const { page } = await openPage({ viewport: A4 })
  await page.emulateMedia({ media: 'print' })
  const cut = await page
    .locator('.scroll')
    .evaluateAll(
      all => all.filter(box => box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight).length,
    )
  expect(cut).toBe(0)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(A4.width)
})

test('a wide grid scrolls in a box of its own, and its heads stay in sight', async () => {
  const { page } = await openPage({ viewport: { width: 390, height: 700 } })
  const box = page.locator('.scroll').first()
  await box.evaluate(element => element.scrollTo(element.scrollWidth, element.scrollHeight))
  await box.scrollIntoViewIfNeeded()
  const { x: left, y: top } = await bounds(box)
  const row = await bounds(box.locator('tbody th').last())
  const column = await bounds(box.locator('thead th').last())
  expect([Math.abs(row.x - left) < 5, Math.abs(column.y - top) < 5]).toEqual([true, true])
})

test('it fits a phone, a tablet and a desk, and is readable without JavaScript', async () => {
  for (const width of [360, 800, 1280]) {
    const { page } = await openPage({ viewport: { width, height: 800 } })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  }
  const plain = await openPage({ javaScriptEnabled: false })
  expect(await plain.page.locator('#search').isVisible()).toBe(false)
  expect(await plain.page.locator('#IDM-15 .first').first().isVisible()).toBe(true)
})
