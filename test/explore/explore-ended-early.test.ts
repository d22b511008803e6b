import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { NoResponse } from '../../contracts/client/call-errors.ts'
import type { Exchange } from '../../contracts/client/http-exchange.ts'
import { abilitiesOf } from '../../contracts/explore/abilities.ts'
import { explore, type Target } from '../../contracts/explore/explore.ts'
import { rulesOfProfile } from '../../contracts/explore/model-rules-of-profile.ts'
import { Inconclusive } from '../../contracts/harness/judge/verdict-errors.ts'
import { readProfile } from '../../contracts/harness/profile/read-profile.ts'
import { REPORT_FILES } from '../../contracts/harness/report/report-folder.ts'
import type { StopCause } from '../../contracts/harness/run/stop-signal.ts'
import type { TestOrganization } from '../../contracts/suites/context/test-organization.ts'
import { outermostLayer } from '../conformance/mutants/simulator-mutations.ts'
import { runCertifyInProcess } from '../conformance/run-certify-in-process.ts'
import { SIMULATOR_PROFILE } from '../conformance/run-suites.ts'
import { startTestSimulator, type TestSimulator } from '../support/caller-stopped-simulator.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const exchangeOf = (endpoint: string, status: number, body: object = {}): Exchange => ({
  request: { method: 'POST', url: '', headers: {}, endpoint: endpoint as NonNullable<Exchange['request']['endpoint']> },
  response: { status, headers: {}, body: Buffer.from(JSON.stringify(body)) },
  durationMs: 0,
})

/** A target without control, each call of which is answered by `respond`. */
const targetOf = (respond: (operation: string) => Exchange): Target => {
  const { control: _, ...profile } = readProfile(SIMULATOR_PROFILE)
  const organization = {
    account: 'a',
    merchant: {
      credentials: { processingAccountIds: ['a'] },
      request: async (operation: string) => respond(operation),
    },
    shopper: { prepare: async (json: object) => json, act: async () => undefined },
    control: {},
    clock: { now: Date.now, pause: async () => undefined, pass: async () => undefined },
  } as unknown as TestOrganization
  return {
    profile,
    rules: rulesOfProfile(profile),
    abilities: { ...abilitiesOf(profile, 1), mocks: false, shoppers: [] },
    organizations: async () => ({ first: organization, second: organization }),
  }
}

type Stop = { cause: StopCause | undefined }

const raiseStop = (stop: Stop): never => {
  stop.cause = { reason: 'stopped by SIGINT' }
  throw new Inconclusive(stop.cause.reason)
}

const endings: [string, ended: string, raise: (stop: Stop) => never][] = [
  ['a stop', 'stopped by SIGINT', raiseStop],
  [
    'a token that is not given',
    'no response',
    () => {
      throw new NoResponse(exchangeOf('token', 503))
    },
  ],
]
test.each(endings)(
  '%s while a violation is being confirmed leaves the sequence that showed it',
  async (_, ended, raise) => {
    const stop: Stop = { cause: undefined }
    let calls = 0
    const target = targetOf(operation => {
      calls += 1
      return calls === 1 ? exchangeOf(operation, 500) : raise(stop)
    })
    const explored = await explore(target, { seed: 1, calls: 100, stop })
    expect(explored).toMatchObject({ calls: 1, sequences: 1, findings: [] })
    expect(explored.ended).toContain(ended)
    expect(explored.unconfirmed?.steps.map(({ do: what }) => what)).toEqual(['initiate'])
    expect(explored.unconfirmed?.play.violation?.got).toBe('HTTP 500')
  },
)

test('the calls of a sequence that a stop ends are counted', async () => {
  const stop: Stop = { cause: undefined }
  let calls = 0
  const target = targetOf(operation => {
    calls += 1
    if (calls > 2) raiseStop(stop)
    return operation === 'initiate' ? exchangeOf(operation, 201, { transactionId: 't1' }) : exchangeOf(operation, 503)
  })
  expect(await explore(target, { seed: 1, calls: 100, stop })).toMatchObject({ calls: 2, sequences: 1, findings: [] })
})

test('a sequence of which a stop left nothing is not counted', async () => {
  const stop: Stop = { cause: undefined }
  const target = targetOf(() => raiseStop(stop))
  expect(await explore(target, { seed: 1, calls: 100, stop })).toMatchObject({ calls: 0, sequences: 0 })
})

/** Options of a target without control, whose confirmations take their time, and whose budget is one payment. */
const withOnePayment = ({ apiUrl, kitFolder }: TestSimulator): string[] => {
  const { control: _, secondOrganization: __, ...lines } = parse(readFileSync(SIMULATOR_PROFILE, 'utf8'))
  const profile = join(temporaryFolder(), 'profile.yaml')
  writeFileSync(profile, stringify({ ...lines, budgets: { payments: 1 } }))
  return ['--profile', profile, '--base-url', apiUrl, '--kit', kitFolder]
}

test('a violation that a budget kept from being confirmed is told as a suspicion, written for --replay and certified as such', async () => {
  const failing = await startTestSimulator(
    {},
    outermostLayer(async (c, next) => {
      if (c.env.incoming.url?.endsWith('/initiate')) return c.json({}, 500)
      await next()
      return undefined
    }),
  )
  const report = join(temporaryFolder(), 'found')
  try {
    const target = withOnePayment(failing)
    await runCertifyInProcess('run', ...target, '--only', 'TOK-01', '--report', report)
    const { code, out } = await runCertifyInProcess('explore', ...target, '--report', report)
    expect([code, out]).toEqual([
      5,
      expect.stringMatching(
        /^Suspected violation of .*: an early end kept it from being confirmed\.\n.*Got: HTTP 500\.\n.*Seed 1: 1 calls in 1 sequences, .*, a suspicion that was not confirmed\. Stopped early: budgets\.payments of .* is spent: 1\.\n.*counterexample\.json\n/s,
      ),
    ])
    const { out: verified } = await runCertifyInProcess('verify', report)
    expect(verified).toContain('a suspicion that was not confirmed; stopped early: budgets.payments')
    expect(readFileSync(join(report, REPORT_FILES.page), 'utf8')).toContain('a suspicion that was not confirmed')
    expect(
      await runCertifyInProcess('explore', ...target, '--replay', join(report, 'counterexample.json')),
    ).toMatchObject({ code: 1, out: expect.stringContaining('Got: HTTP 500.') })
  } finally {
    await failing.stop()
  }
})
