import { spawn } from 'node:child_process'
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { realTime } from '../../client/wall-clock.ts'
import { Blocked, Untestable } from '../../harness/judge/verdict-errors.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import { findField } from '../../harness/profile/response-fields.ts'
import { awaitShopperOutcome, shopperDeadlineMs } from './await-shopper-outcome.ts'
import type { ShopperDriver, ShopperDriverParts } from './shopper-driver.ts'

/** What a driver of the redirect page is told: the page, what the shopper does there, and until when (epoch ms). */
export type PageTask = { redirectUrl: string; outcome: 'approve' | 'decline'; transactionId: string; deadline: number }

/** Creates the shopper of a redirect page: a Playwright script (`shopper.browser`) or any command (`shopper.command`). */
export const createPageShopper = ({ profile, merchant }: ShopperDriverParts): ShopperDriver => ({
  offers: (provider, outcome) =>
    outcome === 'wait' ? provider === 'IRIS' : hasPage(profile, provider) && outcome !== 'lapse',
  prepare: async body => body,
  act: async ({ transactionId, initiated }, outcome) => {
    if (outcome !== 'approve' && outcome !== 'decline') return
    const redirectUrl = findField(profile, initiated, 'initiate.redirectUrl')
    if (redirectUrl === undefined && profile.shopper?.command === undefined)
      throw new Untestable(`fields.initiate.redirectUrl finds no page: correct it in ${profile.file}`, initiated)
    const deadline = realTime() + shopperDeadlineMs(profile)
    await drive(profile, { redirectUrl: String(redirectUrl ?? ''), outcome, transactionId, deadline })
    await awaitShopperOutcome(profile, merchant, transactionId)
  },
})

const hasPage = ({ shopper }: Profile, provider: string): boolean =>
  shopper?.command !== undefined || (provider === 'IRIS' && shopper?.browser !== undefined)

const drive = async (profile: Profile, task: PageTask): Promise<void> => {
  const { browser, command = '' } = profile.shopper ?? {}
  await (browser !== undefined && task.redirectUrl !== ''
    ? runScript(profile, browser, task)
    : runCommand(profile, command, task))
}

/** Runs the default export of a module with a Playwright page that is at the redirect URL. */
const runScript = async (profile: Profile, file: string, task: PageTask): Promise<void> => {
  const path = resolve(dirname(profile.file), file)
  const { chromium } = await import('playwright').catch(() => {
    throw new Untestable('shopper.browser needs Playwright: run npm install playwright')
  })
  const { default: script } = (await import(pathToFileURL(path).href)) as { default(given: object): Promise<unknown> }
  const executablePath = process.env.CHROMIUM_PATH
  const browser = await chromium.launch({ chromiumSandbox: false, ...(executablePath && { executablePath }) })
  try {
    const page = await browser.newPage({ ignoreHTTPSErrors: profile.target.environment === 'sandbox' })
    page.setDefaultTimeout(Math.max(1, task.deadline - realTime()))
    await page.goto(task.redirectUrl)
    await script({ page, ...task })
  } catch (error) {
    throw new Blocked(
      `${file} did not bring the shopper to ${task.outcome}: ${(error as Error).message.split('\n')[0]}`,
    )
  } finally {
    await browser.close()
  }
}

/** Runs a shell command with REDIRECT_URL, OUTCOME, TRANSACTION_ID and DEADLINE (ISO 8601) in its environment. */
const runCommand = (profile: Profile, command: string, task: PageTask): Promise<void> =>
  new Promise((done, fail) => {
    const env = {
      ...process.env,
      REDIRECT_URL: task.redirectUrl,
      OUTCOME: task.outcome,
      TRANSACTION_ID: task.transactionId,
      DEADLINE: new Date(task.deadline).toISOString(),
    }
    const timeout = Math.max(1, task.deadline - realTime())
    const child = spawn(command, { shell: true, cwd: dirname(resolve(profile.file)), env, stdio: 'ignore', timeout })
    child.once('error', error => fail(new Blocked(`shopper.command could not be started: ${error.message}`)))
    child.once('exit', (code, signal) =>
      code === 0 ? done() : fail(new Blocked(`shopper.command ended with ${code ?? signal}: it must exit with 0`)),
    )
  })
