import { dirname, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Browser, BrowserContext, Page } from 'playwright'
import { realTime } from '../../client/wall-clock.ts'
import { Blocked, Untestable } from '../../harness/judge/verdict-errors.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import { shopperDeadlineMs } from './await-shopper-outcome.ts'

/** Task of a driver of the redirect page: the page, and what the shopper does there. */
export type PageTask = { redirectUrl: string; outcome: 'approve' | 'decline'; transactionId: string }

/** `deadline`: until when the shopper has acted, in epoch milliseconds. */
type TimedTask = PageTask & { deadline: number }

type PageScript = (given: TimedTask & { page: Page }) => Promise<unknown>

/**
 * Runs the default export of the module `shopper.browser` with a Playwright page that is at the redirect URL. Throws
 * Untestable without Playwright, browser or script; Blocked if the script fails or takes longer than the shopper may. The
 * time that the browser takes to start is not the shopper's.
 */
export const runPageScript = async (profile: Profile, task: PageTask, ended: AbortSignal): Promise<void> => {
  const file = resolve(dirname(profile.file), profile.shopper?.browser ?? '')
  const script = await loadScript(file)
  const browser = await browserOfRun(ended)
  const shopper = await browser.newContext({ ignoreHTTPSErrors: profile.target.environment === 'sandbox' })
  const deadline = realTime() + shopperDeadlineMs(profile)
  const settled = new AbortController()
  const signal = AbortSignal.any([ended, settled.signal])
  const late = pause(Math.max(0, deadline - realTime()), undefined, { signal }).then(() => {
    throw new Error('it took longer than shopper.withinSeconds')
  })
  try {
    await Promise.race([late, visit(shopper, script, { ...task, deadline })])
  } catch (error) {
    throw new Blocked(`${file} did not ${task.outcome}: ${firstLine(error)}`)
  } finally {
    settled.abort()
    late.catch(() => undefined)
    await shopper.close().catch(() => undefined)
  }
}

const visit = async (shopper: BrowserContext, script: PageScript, task: TimedTask): Promise<void> => {
  const page = await shopper.newPage()
  page.setDefaultTimeout(Math.max(1, task.deadline - realTime()))
  await page.goto(task.redirectUrl)
  await script({ ...task, page })
}

const browsers = new WeakMap<AbortSignal, Promise<Browser>>()

/** Returns the browser that all shoppers of a run share, which is closed when the run ends. */
const browserOfRun = async (ended: AbortSignal): Promise<Browser> => {
  const shared = await browsers.get(ended)
  if (shared?.isConnected()) return shared
  const opening = openBrowser()
  browsers.set(ended, opening)
  const close = () => opening.then(browser => browser.close()).catch(() => undefined)
  if (ended.aborted) close()
  else ended.addEventListener('abort', close, { once: true })
  return opening
}

const loadScript = async (file: string): Promise<PageScript> => {
  const module = (await import(pathToFileURL(file).href).catch(error => {
    throw new Untestable(`shopper.browser cannot be loaded: ${firstLine(error)}`)
  })) as { default?: unknown }
  if (typeof module.default === 'function') return module.default as PageScript
  throw new Untestable(`${file} has no default export: export default async ({ page, outcome }) => { … }`)
}

const openBrowser = async (): Promise<Browser> => {
  const { chromium } = await import('playwright').catch(() => {
    throw new Untestable('shopper.browser needs Playwright: run npm install playwright')
  })
  const executablePath = process.env.CHROMIUM_PATH
  const ownSignals = { handleSIGINT: false, handleSIGTERM: false } // Playwright would exit before the clean-up
  const options = { ...ownSignals, chromiumSandbox: false, ...(executablePath && { executablePath }) }
  return chromium.launch(options).catch(error => {
    const cure = 'run npx playwright install chromium, or set CHROMIUM_PATH'
    throw new Untestable(`shopper.browser needs a Chromium: ${cure} (${firstLine(error)})`)
  })
}

const firstLine = (error: unknown): string => (error as Error).message.split('\n')[0] ?? ''
