import type { BrowserContextOptions, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { openBrowser, type TestBrowser } from './open-browser.ts'
import { type PortalSandbox, startPortalSandbox } from './portal-sandbox.ts'

export type Visit = { site: PortalSandbox; browser: TestBrowser; page: Page }

/** Sets up a portal, a browser and a new page for each test of a file; no page may log errors but refused forms. */
export const setUpPortalTests = (arrive: (visit: Visit) => void, options: BrowserContextOptions = {}): void => {
  let site: PortalSandbox
  let browser: TestBrowser
  beforeAll(async () => {
    site = await startPortalSandbox()
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await site?.stop()
  })
  beforeEach(async () => arrive({ site, browser, page: await browser.newPage(options) }))
  afterEach(async () => {
    await browser.closePages()
    // Chromium names an answer that refuses a form; the sentence stands in the page.
    expect(browser.complaints.splice(0).filter(complaint => !complaint.includes('status of 400'))).toEqual([])
  })
}
