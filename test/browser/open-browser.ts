import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright'
import { expect as playwrightExpect } from 'playwright/test'
import { chromiumOptions } from '../support/find-chromium.ts'

/** Playwright's `expect` for the browser tests, which waits long enough for a busy machine. */
export const expect = playwrightExpect.configure({ timeout: 30_000 })

export type TestBrowser = Awaited<ReturnType<typeof openBrowser>>

/** Chromium of this worker, which all test files in it share; it ends with the worker. */
let shared: Promise<Browser> | undefined

/** A page, the context that has its cookies, and the options of both. */
type Visit = { options: string; context: BrowserContext; page: Page }

/** Opens a browser for a test file; records the console errors of its pages and their requests to other hosts. */
export async function openBrowser() {
  shared ??= chromium.launch(chromiumOptions())
  const browser = await shared
  const complaints: string[] = []
  const visits: Visit[] = []
  /** Empty pages in contexts without cookies; their renderer processes, dear to start, serve the next pages. */
  const rested: Visit[] = []
  const closePages = async () => {
    for (const visit of await Promise.all(visits.splice(0).map(rest))) if (visit) rested.push(visit)
  }
  return {
    complaints,
    /** A page with its own cookies and storage, as another person's browser. */
    async newPage(options: BrowserContextOptions = {}): Promise<Page> {
      const key = JSON.stringify(options)
      const at = rested.findIndex(visit => visit.options === key)
      const [before] = at < 0 ? [] : rested.splice(at, 1)
      const context = before?.context ?? (await browser.newContext({ reducedMotion: 'reduce', ...options }))
      const page = await context.newPage()
      visits.push({ options: key, context, page })
      await before?.page.close()
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
    close: async () => {
      await closePages()
      await Promise.all(rested.splice(0).map(({ context }) => context.close()))
    },
  }
}

/** Empties a visited page and takes its cookies and permissions away; undefined if the test closed it or it cannot rest. */
async function rest(visit: Visit): Promise<Visit | undefined> {
  const { context, page } = visit
  if (page.isClosed()) return void (await context.close())
  page.removeAllListeners()
  try {
    await Promise.all(context.pages().map(one => one !== page && one.close()))
    await page.unrouteAll()
    await page.goto('about:blank')
    await context.clearCookies()
    await context.clearPermissions()
    return visit
  } catch {
    return void (await context.close())
  }
}
