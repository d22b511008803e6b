import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { chromium } from 'playwright'
import { chromiumOptions, findChromium } from '../../test/support/find-chromium.ts'
import { openScreenshotSandbox } from '../../test/support/screenshot-sandbox.ts'
import { median } from '../load/statistics.ts'
import { chooseByBeginnings } from '../report/read-script-arguments.ts'
import { openSamplePages, SAMPLE_PAGES } from './sample-pages.ts'

// npm run lighthouse                scores of a page of each kind, on a phone and on a desktop
// npm run lighthouse -- iris        only pages whose name begins so
//
// Lighthouse is downloaded on first use and takes minutes, so it is not part of the tests.

const LIGHTHOUSE = 'lighthouse@13.5.0'
const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const
/** Least scores, in the order of the categories. */
const LEAST_SCORES = [98, 100, 95]
const MOST_KILOBYTES = 60
const PAINTS = 5
const ROUNDS = 3
const USUAL_SLOWDOWN = 4

const HEAD = ['page', 'on', ...CATEGORIES, 'weight', 'first paint']
const WIDTHS = [18, 5, ...HEAD.slice(2).map(name => name.length)]

type Form = 'phone' | 'desk'
type Row = { page: string; form: Form; scores: number[]; kilobytes: number; paintMs: number }

const chosen = chooseByBeginnings(SAMPLE_PAGES)
process.env.CHROMIUM_PATH = findChromium(line => console.error(line))
const folder = mkdtempSync(join(tmpdir(), 'assay-lighthouse-'))
const scene = await openScreenshotSandbox()
try {
  console.log(line(HEAD))
  for (const [page, path] of await openSamplePages(scene, chosen))
    for (const form of ['phone', 'desk'] as const) {
      const row = await measure(page, scene.pagesUrl + path, form)
      console.log(line(cellsOf(row)))
      if (lostScores(row.scores).length > 0 || row.kilobytes > MOST_KILOBYTES) process.exitCode = 1
    }
} finally {
  await scene.close()
  rmSync(folder, { recursive: true })
}

/**
 * Measures a page in a few rounds and takes the best, since other load can only lower a score. From the second round
 * on, the CPU throttling is adapted to the machine, so that a slow machine simulates the same phone.
 */
async function measure(page: string, url: string, form: Form): Promise<Row> {
  let best = await ask(page, url, form, USUAL_SLOWDOWN)
  for (let round = 1; round < ROUNDS && best.lost !== ''; round += 1) {
    const again = await ask(page, url, form, slowdownFor(best.benchmarkIndex))
    if (Math.min(...again.scores) > Math.min(...best.scores)) best = again
  }
  if (best.lost !== '') console.error(`${page}, ${form}: ${best.lost}`)
  return { page, form, ...best, paintMs: await firstPaint(url, form) }
}

/** Returns the CPU slowdown factor that simulates a mid-range phone, from the machine's Lighthouse benchmark index. */
function slowdownFor(index: number): number {
  return Math.max(1, Math.min(USUAL_SLOWDOWN, 1 + (index - 150) / 500))
}

async function ask(page: string, url: string, form: Form, slowdown: number) {
  const file = join(folder, 'report.json')
  const options = [
    url,
    '--quiet',
    '--output=json',
    `--output-path=${file}`,
    `--only-categories=${CATEGORIES.join(',')}`,
    '--chrome-flags=--headless=new --no-sandbox --disable-gpu --disable-quic',
    ...(form === 'desk' ? ['--preset=desktop'] : [`--throttling.cpuSlowdownMultiplier=${slowdown}`]),
  ]
  await run(page, options)
  const { categories, audits, environment } = JSON.parse(readFileSync(file, 'utf8'))
  const scores = CATEGORIES.map(name => Math.round(categories[name].score * 100))
  const low = lostScores(scores)
  const kilobytes = weightOf(audits['network-requests'].details.items) / 1024
  const { benchmarkIndex } = environment
  return { scores, kilobytes, benchmarkIndex, lost: low.map(name => lostIn(categories[name], audits)).join(', ') }
}

/** Runs Lighthouse in a child process, since the benchmark's own process serves the page. */
async function run(page: string, options: readonly string[]): Promise<void> {
  const env = { ...process.env, CHROME_PATH: process.env.CHROMIUM_PATH }
  const child = spawn('npx', ['--yes', LIGHTHOUSE, ...options], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 120_000,
  })
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  if (code !== 0) throw new Error(`Lighthouse did not finish with ${page}: ${said.trim().split('\n').at(-1)}`)
}

/** Returns the transfer size of a page in bytes, without the requests by which the page polls. */
function weightOf(requests: readonly { transferSize: number; resourceType: string }[]): number {
  return requests.reduce(
    (sum, { transferSize, resourceType }) => sum + (resourceType === 'Fetch' ? 0 : transferSize),
    0,
  )
}

/** The categories whose score is below the least. */
function lostScores(scores: readonly number[]) {
  return CATEGORIES.filter((_, at) => (scores[at] ?? 0) < (LEAST_SCORES[at] ?? 0))
}

type Category = { auditRefs: { id: string; weight: number }[] }
type Audits = Record<string, { title: string; score: number | null; displayValue?: string }>

/** Returns the titles of the weighted Lighthouse audits that score below 0.9. */
function lostIn({ auditRefs }: Category, audits: Audits): string {
  return auditRefs
    .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 0.9)
    .map(({ id }) => [audits[id]?.title, audits[id]?.displayValue].join(' '))
    .join(', ')
}

/** Measures the median time to first paint in milliseconds, in Chromium on this machine without throttling. */
async function firstPaint(url: string, form: Form): Promise<number> {
  const browser = await chromium.launch(chromiumOptions())
  const viewport = form === 'phone' ? { width: 360, height: 740 } : { width: 1280, height: 800 }
  const found: number[] = []
  for (let round = 0; round < PAINTS; round += 1) {
    const context = await browser.newContext({ viewport })
    const page = await context.newPage()
    await page.goto(url)
    found.push(
      await page.evaluate(
        () =>
          new Promise<number>(resolve => {
            new PerformanceObserver(list => resolve(list.getEntries()[0]?.startTime ?? Number.NaN)).observe({
              type: 'paint',
              buffered: true,
            })
          }),
      ),
    )
    await context.close()
  }
  await browser.close()
  return median(found)
}

/** Formats one line of the table of scores, its cells padded to the columns. */
function line(cells: readonly string[]): string {
  return cells
    .map((cell, at) => cell.padEnd(WIDTHS[at] ?? 0))
    .join('  ')
    .trimEnd()
}

function cellsOf({ page, form, scores, kilobytes, paintMs }: Row): string[] {
  return [page, form, ...scores.map(String), `${kilobytes.toFixed(1)} KB`, `${Math.round(paintMs)} ms`]
}
