import { Hono } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, type TestBrowser } from './open-browser.ts'
import { serveOnFreePort } from './serve-on-free-port.ts'

let browser: TestBrowser
let site: Awaited<ReturnType<typeof serveOnFreePort>>

const app = new Hono().get('/', c => {
  const known = getCookie(c, 'name') ?? 'nobody'
  setCookie(c, 'name', 'Maria')
  return c.html(`<!doctype html><link rel="icon" href="data:,"><p>${known}</p><script>console.warn('seen')</script>`)
})

beforeAll(async () => {
  browser = await openBrowser()
  site = await serveOnFreePort(app)
})
afterAll(async () => {
  await browser.close()
  await site.close()
})

test('a page is that of another person, at once and after the pages before it were closed', async () => {
  for (const _again of [1, 2]) {
    const both = [await browser.newPage(), await browser.newPage()]
    for (const page of both) {
      await page.goto(site.url)
      expect(await page.locator('p').innerText()).toBe('nobody')
      expect(await page.evaluate(() => history.length)).toBe(2)
      await page.goto(`${site.url}/?again`)
      expect(await page.locator('p').innerText()).toBe('Maria')
    }
    expect(browser.complaints.splice(0)).toEqual(Array(4).fill('seen'))
    await browser.closePages()
  }
})
