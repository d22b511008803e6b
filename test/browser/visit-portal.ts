import type { BrowserContextOptions, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { openBrowser, type TestBrowser } from './open-browser.ts'
import { openPortalSite, type PortalSite } from './portal-site.ts'

export type Visit = { site: PortalSite; browser: TestBrowser; page: Page }

/** A site and a browser for the tests of a file, and a fresh page for each: no page may complain of more than a refused form. */
export const visitPortal = (arrive: (visit: Visit) => void, options: BrowserContextOptions = {}): void => {
  let site: PortalSite
  let browser: TestBrowser
  beforeAll(async () => {
    site = await openPortalSite()
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
