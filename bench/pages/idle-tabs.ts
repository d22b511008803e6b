import { chromium, type Page } from 'playwright'
import { chromiumOptions, findChromium } from '../../test/support/find-chromium.ts'
import { openScreenshotSandbox } from '../../test/support/screenshot-sandbox.ts'
import { chooseByBeginnings } from '../report/read-script-arguments.ts'
import { openSamplePages, SAMPLE_PAGES } from './sample-pages.ts'

// npm run idle-tabs                 requests and bytes per minute of each page while nothing happens, and its weight
// npm run idle-tabs -- timeline     only pages whose name begins so

const WATCHED_MS = 15_000
const A_MINUTE_MS = 60_000
const HEAD = ['page', 'load: requests', 'bytes', 'a minute: requests', 'bytes', 'hidden: requests']

const chosen = chooseByBeginnings(SAMPLE_PAGES)
process.env.CHROMIUM_PATH = findChromium(line => console.error(line))
const scene = await openScreenshotSandbox()
const browser = await chromium.launch(chromiumOptions())
try {
  console.log(line(HEAD))
  for (const [name, path] of await openSamplePages(scene, chosen))
    console.log(line([name, ...(await measure(scene.pagesUrl + path))]))
} finally {
  await browser.close()
  await scene.close()
}

/** Opens a page in a browser that has cached nothing, and counts what it loads, then what it asks for while it idles. */
async function measure(url: string): Promise<number[]> {
  const page = await browser.newPage()
  const traffic = await count(page)
  await page.goto(url, { waitUntil: 'load' })
  await page.waitForTimeout(1_000)
  const loaded = traffic()
  await page.waitForTimeout(WATCHED_MS)
  const idle = traffic()
  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { value: true })
    Object.defineProperty(document, 'visibilityState', { value: 'hidden' })
    document.dispatchEvent(new Event('visibilitychange'))
  })
  traffic()
  await page.waitForTimeout(WATCHED_MS / 3)
  const hidden = traffic()
  await page.close()
  const perMinute = A_MINUTE_MS / WATCHED_MS
  return [...loaded, ...idle.map(value => value * perMinute), (hidden[0] ?? 0) * perMinute * 3]
}

/** Counts the requests and the received bytes of a page, headers included, since the last call. */
async function count(page: Page): Promise<() => number[]> {
  let [requests, bytes] = [0, 0]
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  session.on('Network.requestWillBeSent', () => {
    requests += 1
  })
  session.on('Network.responseReceived', ({ response }) => {
    bytes += response.encodedDataLength
  })
  session.on('Network.dataReceived', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  return () => {
    const counted = [requests, bytes]
    ;[requests, bytes] = [0, 0]
    return counted
  }
}

function line(cells: readonly (string | number)[]): string {
  return cells
    .map((cell, at) => (at === 0 ? String(cell).padEnd(20) : String(cell).padStart((HEAD[at] ?? '').length + 2)))
    .join('')
}
