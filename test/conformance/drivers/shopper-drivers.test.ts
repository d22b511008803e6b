import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { shopperDecisions } from '../../../contracts/suites/shopper-decisions.ts'
import { startTestSimulator, type TestSimulator } from '../../support/caller-stopped-simulator.ts'
import { chromiumOptions } from '../../support/find-chromium.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { outcomesShownLater } from '../lawful-payment-servers.ts'
import { certifyWithoutControl, NO_MOCKS } from './certify-without-control.ts'

const LIMIT = 120_000
let simulator: TestSimulator

beforeAll(async () => {
  process.env.CHROMIUM_PATH ??= chromiumOptions().executablePath
  simulator = await startTestSimulator({ settleAfter: 200 })
})

afterAll(() => simulator.stop())

const judge = (more: Readonly<Record<string, unknown>>, only: readonly string[]) =>
  certifyWithoutControl(simulator, { settlement: { withinSeconds: 1 }, ...more }, only)

/** Codes of this simulator that decide by themselves (scenarios/README.md). */
const CODES = { approve: '990001', decline: '990200', lapse: '990202' }

/** One check that only a shopper who approves can give, whichever the method. */
const APPROVED = 'LIF-02'

test('nothing acts: the check names the lines of which each would do', async () => {
  const told = await judge(NO_MOCKS, [APPROVED])
  expect(told[APPROVED]).toMatch(
    /^untestable: nothing gives it a shopper who approves: .* the line shopper\.codes\.approve: "777001" \(or shopper\.browser, shopper\.command, .*shopper\.ask\)$/,
  )
})

test('fixed codes: the shopper approves and declines by the code', async () => {
  const told = await judge({ ...NO_MOCKS, shopper: { codes: CODES } }, [APPROVED, 'BLK-01'])
  expect(told).toMatchObject({ [APPROVED]: 'pass', 'BLK-01': 'pass' })
})

test('fixed codes: a code by which nobody acts blocks, naming its line, and fails nothing', async () => {
  const shopper = { codes: { ...CODES, approve: CODES.lapse }, withinSeconds: 1 }
  const told = await judge({ ...NO_MOCKS, shopper }, [APPROVED])
  expect(told[APPROVED]).toMatch(
    /^blocked: payment \S+ still waits for its shopper after 1 s: correct shopper\.codes\.approve or raise shopper\.withinSeconds in /,
  )
})

test('mock/set: payments are approved by the scenario that the document names', async () => {
  expect(await judge({}, [APPROVED])).toMatchObject({ [APPROVED]: 'pass' })
})

test('mock/set: a scenario that does not exist blocks', async () => {
  const told = await judge({ shopper: { mock: { approve: 'NO_SUCH' } } }, [APPROVED])
  expect(told[APPROVED]).toMatch(/^blocked: the mock that stands for the shopper was refused: /)
})

/** A scenario by which this simulator declines a mocked payment, two seconds after it began (D-95). */
const DECLINED = 'BLIK_DECLINED_IN_APP'

/** Verdicts on a lawful simulator without control whose status tells outcomes late, or never. */
const judgeLate = async (never: boolean, shopper: object, only: readonly string[]) => {
  const late = await startTestSimulator({ settleAfter: 200 }, dataDir =>
    outcomesShownLater(never)(dataDir, { count: 0 }),
  )
  try {
    return await certifyWithoutControl(late, { settlement: { withinSeconds: 1 }, shopper }, only)
  } finally {
    await late.stop()
  }
}

test('mock/set: a consent that shows a moment after initiate is awaited before finalize', async () => {
  const told = await judgeLate(false, { mock: { approve: 'OK' } }, [APPROVED, 'LIF-01', 'BLK-01'])
  expect(told).toMatchObject({ [APPROVED]: 'pass', 'LIF-01': 'pass', 'BLK-01': 'pass' })
})

test.each([
  ['approve', APPROVED, { mock: { approve: 'OK' } }],
  ['decline', 'BLK-02', { mock: { decline: DECLINED } }],
] as const)('mock/set: an outcome that never shows blocks, naming shopper.mock.%s', async (outcome, id, shopper) => {
  const told = await judgeLate(true, { ...shopper, withinSeconds: 1 }, [id])
  expect(told[id]).toMatch(
    new RegExp(
      `^blocked: payment \\S+ still waits for its shopper after 1 s: correct shopper\\.mock\\.${outcome} or raise shopper\\.withinSeconds in `,
    ),
  )
})

test('mock/set: a decline that shows a moment after initiate is awaited', async () => {
  expect(await judge({ shopper: { mock: { decline: DECLINED } } }, ['BLK-02'])).toMatchObject({ 'BLK-02': 'pass' })
})

/** The decisions of shoppers, also judged where other suites do not run. */
const alone = { ...shopperDecisions, checks: shopperDecisions.checks.map(({ control: _, ...check }) => check) }

const PAGES = [
  ['a Playwright script', { browser: './pay-on-our-page.mjs', withinSeconds: 60 }],
  ['a command', { command: 'sh ./pay-on-our-page.sh', withinSeconds: 30 }],
] as const

test.each(PAGES)(
  'the page by %s: the shopper of IRIS pays, and cancels',
  async (_how, shopper) => {
    const lines = { ...NO_MOCKS, shopper: { ...shopper, codes: CODES } }
    const told = await certifyWithoutControl(simulator, lines, ['IRS-04', 'IRS-05'], [alone])
    expect(told).toMatchObject({ 'IRS-04': 'pass', 'IRS-05': 'pass' })
  },
  LIMIT,
)

test(
  'the page alone: payments are made by IRIS where no driver acts for BLIK',
  async () => {
    const told = await judge({ ...NO_MOCKS, shopper: PAGES[0][1] }, [APPROVED])
    expect(told[APPROVED]).toBe('pass')
  },
  LIMIT,
)

/** Checks of payments that IRIS does not make: captured by hand, or refunded in parts (1, D-37). */
const ONLY_BLIK = ['LIF-01', 'LIF-04', 'LIF-09', 'LIF-33', 'RDS-20', 'GRD-55', 'GRD-69']

test.each([
  ['alone', {}],
  ['beside a page of IRIS', { shopper: PAGES[1][1] }],
])(
  'mock/set %s: payments are captured by hand and refunded in parts',
  async (_beside, shopper) => {
    const told = await judge({ ...shopper, capabilities: { webhooks: false } }, ONLY_BLIK)
    expect(ONLY_BLIK.filter(id => told[id] !== 'pass').map(id => `${id} ${told[id]}`)).toEqual([])
  },
  LIMIT,
)

test(
  'the page alone: what only BLIK can do names the driver that BLIK lacks',
  async () => {
    const told = await judge({ ...NO_MOCKS, shopper: PAGES[1][1] }, ['LIF-01'])
    expect(told['LIF-01']).toMatch(
      /^blocked: IRIS seems to .*: nothing gives it .* BLIK: .* the line shopper\.codes\.approve/,
    )
  },
  LIMIT,
)

test('a payment that waits, is declined or lapses needs no capture by hand, by whichever method it is made', async () => {
  const rows = ['GRD-13', 'GRD-14', 'GRD-42']
  const told = await judge({ shopper: PAGES[1][1], patience: 'PT1S' }, rows)
  expect(rows.map(id => told[id]).filter(line => line?.includes('no payment could be initiated'))).toEqual([])
  expect(told).toMatchObject({ 'GRD-13': 'pass', 'GRD-14': 'pass' })
})

test('mock/set beside a page of IRIS: what BLIK must refuse is not asked of a mock', async () => {
  const told = await judge({ shopper: PAGES[1][1] }, ['VAL-11'])
  expect(told['VAL-11']).toMatch(
    /^untestable: a mock may accept what BLIK refuses: .* the line shopper\.codes\.approve$/,
  )
})

const script = (text: string): string => {
  const file = join(temporaryFolder(), 'script.mjs')
  writeFileSync(file, text)
  return file
}

const BAD_PAGES: [string, () => Record<string, unknown>, RegExp][] = [
  [
    'a script that fails',
    () => ({ browser: script('export default () => { throw new Error("no such bank\\nstack") }') }),
    /^blocked: \S+ did not approve: no such bank$/,
  ],
  [
    'a script that never ends',
    () => ({ browser: script('export default () => new Promise(() => {})'), withinSeconds: 3 }),
    /^blocked: \S+ did not approve: it took longer than shopper\.withinSeconds$/,
  ],
  [
    'a script without a default export',
    () => ({ browser: script('export const pay = 1') }),
    /^untestable: \S+ has no default export: /,
  ],
  [
    'a script that is not there',
    () => ({ browser: './nowhere.mjs' }),
    /^untestable: shopper\.browser cannot be loaded: /,
  ],
  [
    'a command that fails',
    () => ({ command: 'echo started >&2; echo the bank is closed >&2; exit 4' }),
    /^blocked: shopper\.command ended with 4 \(the bank is closed\): it must exit with 0$/,
  ],
  [
    'a command that never ends',
    () => ({ command: 'sleep 600 & wait', withinSeconds: 1 }),
    /^blocked: shopper\.command took longer than 1 s$/,
  ],
]

test.each(BAD_PAGES)(
  '%s: nothing is held against the service',
  async (_what, shopper, told) => {
    expect((await judge({ ...NO_MOCKS, shopper: shopper() }, [APPROVED]))[APPROVED]).toMatch(told)
  },
  LIMIT,
)
