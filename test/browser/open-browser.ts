import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright'
import { expect as playwrightExpect } from 'playwright/test'
import { chromiumOptions } from '../support/find-chromium.ts'

/** Playwright's `expect` for the browser tests, which waits long enough for a busy machine. */
export const expect = playwrightExpect.configure({ timeout: 30_000 })

export type TestBrowser = Awaited<ReturnType<typeof openBrowser>>

/** Chromium of this worker, which all test files in it share; it ends with the worker. */
let shared: Promise<Browser> | undefined

/** Opens a browser for a test file; records the console errors of its pages and their requests to other hosts. */
export async function openBrowser() {
  shared ??= chromium.launch(chromiumOptions())
  const browser = await shared
  const complaints: string[] = []
  const contexts: BrowserContext[] = []
  const closePages = async () => void (await Promise.all(contexts.splice(0).map(context => context.close())))
  return {
    complaints,
    /** A page with its own cookies and storage, as another person's browser. */
    async newPage(options: BrowserContextOptions = {}): Promise<Page> {
      const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
      contexts.push(context)
      const page = await context.newPage()
      page.on('pageerror', error => complaints.push(String(error)))
      page.on('console', message => {
        if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
      })
      page.on('request', request => {
        if (new URL(request.url()).hostname !== 'localhost') complaints.push(`asked the outside: ${request.url()}`)
      })
      return page
    },
    closePages,
    close: closePages,
  }
}
