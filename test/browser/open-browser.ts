import { type BrowserContextOptions, chromium, type Page } from 'playwright'
import { chromiumOptions } from '../support/browser.ts'

export type TestBrowser = Awaited<ReturnType<typeof openBrowser>>

/** One Chromium for a test file. Whatever a page complains of, or asks of the outside, is kept for the test to judge. */
export async function openBrowser() {
  const browser = await chromium.launch(chromiumOptions())
  const complaints: string[] = []
  return {
    complaints,
    /** A page with its own cookies and storage, as another person's browser. */
    async newPage(options: BrowserContextOptions = {}): Promise<Page> {
      const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
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
    closePages: () => Promise.all(browser.contexts().map(context => context.close())),
    close: () => browser.close(),
  }
}
