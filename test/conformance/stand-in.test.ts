import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { verifyConformanceCertificate } from '../../contracts/harness/report/conformance-certificate.ts'
import { REPORT_FILES, readReportFile, readSavedReport } from '../../contracts/harness/report/report-folder.ts'
import { summarizeRun } from '../../contracts/harness/report/run-summary.ts'
import { startTestSimulator } from '../support/caller-stopped-simulator.ts'
import { chromiumOptions } from '../support/find-chromium.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { runCertifyProcess } from './run-certify-child-process.ts'
import { runCertifyInProcess } from './run-certify-in-process.ts'
import { describeResultsExcept, idsWithVerdict } from './run-suites.ts'
import { certifyStandIn, type StandInChoice, withStandIn } from './stand-in/certify-stand-in.ts'

const LIMIT = 300_000
/** A profile of our simulator in another dialect. */
const OURS = 'dialects/snake-case.yaml'
/** Verdicts that say nothing against a service; what a busy machine leaves open is among them. */
// biome-ignore format: one line reads best
const HARMLESS = ['pass', 'untestable', 'not applicable', 'observed', 'withheld', 'differs', 'blocked', 'inconclusive'] as const

beforeAll(() => {
  process.env.CHROMIUM_PATH ??= chromiumOptions().executablePath
})

test(
  'a stranger that keeps the rules draws exit code 0 by the command itself, and its certificate says what was left out',
  async () => {
    await withStandIn({}, async file => {
      const folder = join(dirname(file), 'report')
      const { code, out, err } = await runCertifyProcess('run', '--profile', file, '--report', folder)
      const { checks, summary } = readSavedReport(folder)
      expect(describeResultsExcept(checks, 'pass', 'observed', 'not applicable', 'withheld')).toEqual([])
      expect({ code, err, byCount: summarizeRun(checks, checks.length).exitCode }).toEqual({
        code: 0,
        err: '',
        byCount: 0,
      })
      const { untestable, withheld, 'not applicable': lacking, pass } = summary.counts
      expect(untestable + withheld + lacking).toBeLessThanOrEqual(72)
      expect(pass).toBeGreaterThanOrEqual(300)
      expect(out).toContain(
        `\nLeft out: ${withheld} checks beyond the tier or the patience of this run, ${lacking} checks`,
      )
      const again = await runCertifyInProcess('regrade', folder, '--json')
      const { checks: regraded } = JSON.parse(again.out) as { checks: typeof checks }
      const verdictsOf = (results: typeof checks) => results.map(({ id, verdict }) => `${id} ${verdict}`)
      expect(verdictsOf(regraded)).toEqual(verdictsOf(checks))
      const { certificate } = await verifyConformanceCertificate(readReportFile(folder, REPORT_FILES.certificate))
      const excluded = certificate.excluded?.flatMap(({ reason, checks: ids }) => ids.map(id => `${id} ${reason}`))
      expect(excluded).toHaveLength(withheld + lacking)
      expect(excluded).toContain('LIF-25 takes P7D, and this run waits up to PT15S')
      expect(excluded).toContain(`ERR-20 ${file} says capabilities.providerFaults: false`)
      await expectNoDifference(file, folder)
    })
  },
  LIMIT,
)

/** Checks that need a line which the stand-in has nothing for: a status in events, and a mock of finalize. */
const UNSAID_BY_STRANGER = ['EVT-02', 'MCK-27', 'MCK-22']

/**
 * Expects of our simulator, when it speaks a stranger's dialect, the verdicts of its own by all its abilities, and the
 * same verdict of every check that judged both.
 */
const expectNoDifference = async (strangerFile: string, strangerReport: string): Promise<void> => {
  const folder = temporaryFolder()
  const [file, report] = [join(folder, 'ours.yaml'), join(folder, 'report')]
  const { shopper, expiredIdentity, expiredKey, revokedKey, capabilities, patience, ...lines } = parse(
    readFileSync(strangerFile, 'utf8'),
  )
  expect([shopper, expiredIdentity, expiredKey, revokedKey]).not.toContain(undefined)
  const { webhooks, limits, notApplicable } = parse(readFileSync(join(import.meta.dirname, OURS), 'utf8'))
  const more = { secondOrganization: { create: 'southsea' }, webhooks, limits, notApplicable, confirmed: 'all' }
  const profileAt = (place: object) => writeFileSync(file, stringify({ ...lines, ...more, ...place }))
  profileAt({ organization: { kit: '.' } })
  const { apiUrl, kitFolder, pagesUrl, stop } = await startTestSimulator({ dialect: file })
  try {
    profileAt({
      target: { ...lines.target, baseUrl: apiUrl },
      organization: { kit: kitFolder },
      control: { url: pagesUrl },
    })
    await runCertifyInProcess('run', '--profile', file, '--report', report)
  } finally {
    await stop()
  }
  const { checks } = readSavedReport(report)
  expect(describeResultsExcept(checks, 'pass', 'observed', 'not applicable', 'withheld')).toEqual(
    UNSAID_BY_STRANGER.map(id => expect.stringMatching(`^${id} untestable: .*the line`)),
  )
  expect(idsWithVerdict(checks, 'pass').length).toBeGreaterThan(340)
  const { code, out } = await runCertifyInProcess('diff', strangerReport, report, '--json')
  const { changes } = JSON.parse(out) as { changes: { id: string; before: string; after: string }[] }
  const leftOut = ['withheld', 'not applicable']
  const judged = changes.filter(({ before, after }) => !leftOut.includes(before) && !leftOut.includes(after))
  expect({ judged, code }).toEqual({ judged: [], code: 0 })
}

const LAWFUL: readonly (readonly string[])[] = [
  [
    'initiate-answers-200',
    'extra-members',
    'reversed-members',
    'epoch-times',
    'numeric-ids',
    'numeric-reason-codes',
    'raw-signatures',
    'certificate-required-in-tls',
    'declines-in-body',
    'auto-capture-by-default',
    'default-scope-always-granted',
    'connection-closed',
    'unknown-members-refused',
    'amounts-as-text',
    'http-manners',
    'gzip-answers',
    'short-references',
    'mock-key-required',
    'two-envelopes',
    'token-before-signature',
    'more-signature-params',
    'many-keys',
  ],
  [
    'reason-code-at-top',
    'no-reason-is-minus-one',
    'params-without-label',
    'responses-signed-like-requests',
    'guarded-key-set',
    'full-captures-only',
    'full-refunds-only',
    'no-charge',
    'auto-capture-at-top',
    'racing-replay-conflicts',
    'settled-at-once',
    'chunked-answers',
    'acts-answer-204',
    'lower-case-words',
    'bare-lists',
    'ids-with-signs',
    'attempts-in-events',
    'refusals-kept',
    'signature-once',
    'strict-clock',
  ],
]

test.concurrent.each(LAWFUL)(
  'a lawful stranger draws no fail: %s and many more',
  async (...variants) => {
    const { results } = await certifyStandIn({ variants })
    expect(describeResultsExcept(results, ...HARMLESS)).toEqual([])
    expect(idsWithVerdict(results, 'pass').length).toBeGreaterThan(150)
  },
  LIMIT,
)

/** Checks of the webhooks of one payment. */
const OF_WEBHOOKS = ['EVT-01', 'EVT-02', 'EVT-03', 'EVT-05', 'EVT-06']
/** Rows of step × webhook. */
const ROWS = ['GRD-52', 'GRD-53', 'GRD-54']

test.concurrent(
  'webhooks of a stranger, sent before the response and signed in its own way, draw no other verdict than pass',
  async () => {
    const { results } = await certifyStandIn({ variants: ['slow'], webhooks: true }, ['EVT', ...ROWS])
    const events = results.filter(({ id }) => id.startsWith('EVT') || ROWS.includes(id))
    expect(idsWithVerdict(events, 'pass')).toEqual(['EVT-01', 'EVT-02', 'EVT-03', 'EVT-05', 'EVT-06', ...ROWS])
    expect(idsWithVerdict(events, 'untestable')).toEqual(['EVT-04'])
  },
  LIMIT,
)

test.concurrent(
  'webhooks of a stranger that pushes outcomes alone, and whose events are a bare array, block nothing',
  async () => {
    const variants = ['slow', 'outcomes-pushed-alone', 'bare-lists']
    const { results } = await certifyStandIn({ variants, webhooks: true }, OF_WEBHOOKS)
    expect(idsWithVerdict(results, 'pass')).toEqual(expect.arrayContaining(OF_WEBHOOKS))
  },
  LIMIT,
)

test.concurrent(
  'a stranger whose reads lag behind its acts draws no fail, and blocks nothing',
  async () => {
    const only = ['GRD-18', 'GRD-19', 'GRD-20']
    const { results } = await certifyStandIn({ variants: ['reads-lag'] }, only)
    expect(describeResultsExcept(results, ...HARMLESS.filter(verdict => verdict !== 'blocked'))).toEqual([])
    expect(idsWithVerdict(results, 'pass')).toEqual(expect.arrayContaining(only))
  },
  LIMIT,
)

/** Leaves a payment between capture and settlement for a while, also on a busy machine. */
const UNSETTLED = { settle_seconds: 2 }

const BROKEN: readonly (readonly [violations: string[], checks: string[], more: StandInChoice])[] = [
  [['double-capture'], ['GRD-16'], { settings: UNSETTLED }],
  [['refund-before-settlement'], ['GRD-16'], { settings: UNSETTLED }],
  [
    ['token-unchecked-on-refund', 'isolation-broken-on-events', 'replay-shows-present-state-on-finalize'],
    ['GRD-04', 'GRD-23', 'GRD-25'],
    {},
  ],
  [['webhook-to-another-organization', 'no-webhook-when-captured'], ['GRD-52', 'GRD-53'], { webhooks: true }],
]

test.concurrent.each(BROKEN)(
  'a stranger with %j is failed by %j',
  async (violations, checks, more) => {
    const { results, hits } = await certifyStandIn({ violations, ...more }, checks)
    expect(idsWithVerdict(results, 'fail')).toEqual(checks)
    expect(hits).toBeGreaterThan(0)
  },
  LIMIT,
)

test('without python3 the sentence names the cure', async () => {
  const path = process.env.PATH
  process.env.PATH = '/nowhere'
  try {
    await expect(certifyStandIn({})).rejects.toThrow('The stand-in needs python3 (3.11 or later): install it')
  } finally {
    process.env.PATH = path
  }
})
