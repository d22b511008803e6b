import { createServer } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Profile } from '../../contracts/harness/profile.ts'
import { summarize } from '../../contracts/harness/summary.ts'
import { startTestSimulator, type TestSimulator } from '../support/simulator.ts'
import { certify, idsOf, othersThan, profileOf } from './certify.ts'
import { refusingEverything } from './sabotage.ts'

const LIMIT = 120_000
let simulator: TestSimulator
let good: Profile

beforeAll(async () => {
  simulator = await startTestSimulator()
  good = profileOf(simulator)
})

afterAll(() => simulator.stop())

/** A profile that points nowhere, or says too little, must never turn into a failure of the service. */
// biome-ignore format: a table reads by its columns
const WRONG: [string, Partial<Profile>, string[]][] = [
  ['points at another transactionId', { fields: { initiate: { transactionId: '/nowhere' } } },                                      ['VAL-01', 'MTLS-01']],
  ['points at another state',         { fields: { initiate: { transactionId: '/transactionId' }, status: { state: '/nowhere' } } }, ['LIF-01', 'LIF-09']],
  ['points at another reasonCode',    { errors: { reasonCode: '/nowhere' } },                                                       ['BRR-01', 'SCP-01', 'TOK-18']],
  ['knows other words for states',    { states: { authorized: ['YES'] } },                                                          ['LIF-01', 'LIF-02']],
]

test.each(WRONG)(
  'a profile that %s leaves checks untestable or blocked',
  async (_what, wrong, untestable) => {
    const results = await certify({ ...good, ...wrong })
    expect(idsOf(results, 'fail', 'differs', 'harness error')).toEqual([])
    expect(idsOf(results, 'untestable')).toEqual(expect.arrayContaining(untestable))
    expect(summarize(results, results.length).exitCode).toBe(5)
  },
  LIMIT,
)

test('a refusal for want of a scope does not show that the rest was understood', async () => {
  const results = await certify({ ...good, requests: { reports: { from: '/since' } } }, ['SCP-09', 'SCP-11'])
  expect(othersThan(results, 'pass')).toEqual([
    expect.stringMatching(/^SCP-11 untestable: .*are paths.reports and requests.reports of \S+ right\?$/),
    expect.stringContaining('SCP-09 blocked'),
  ])
})

test('an untestable check names the line to add', async () => {
  const { control: _, ...without } = good
  const [result] = await certify(without, ['VAL-01'])
  expect(result).toMatchObject({
    verdict: 'untestable',
    reason: `add to ${good.file} the line control.url: "http://localhost:8080"`,
  })
})

test('a decision that the deployment has not confirmed makes a difference, never a failure', async () => {
  const oddOne = await startTestSimulator({ signatureAge: 1000 * 86_400_000 })
  try {
    const profile = profileOf(oddOne)
    const [told] = (await certify({ ...profile, confirmed: [] }, ['SIG-28'])).slice(-1)
    expect(told).toMatchObject({ id: 'SIG-28', verdict: 'differs', reason: expect.stringContaining('D-25') })
    const [confirmed] = (await certify({ ...profile, confirmed: ['D-25'] }, ['SIG-28'])).slice(-1)
    expect(confirmed).toMatchObject({ id: 'SIG-28', verdict: 'fail' })
  } finally {
    await oddOne.stop()
  }
})

test('a server that refuses everything scores nothing', async () => {
  const wall = await startTestSimulator({}, refusingEverything)
  try {
    const results = await certify(profileOf(wall))
    const aboutTls = ['MTLS-09', 'MTLS-10']
    expect(idsOf(results, 'pass').filter(id => !aboutTls.includes(id))).toEqual([])
    expect(othersThan(results, 'pass', 'not applicable').join()).toMatch(
      /no call at all was let in: is dialect of \S+ right\?/,
    )
    expect(summarize(results, results.length).exitCode).toBeGreaterThan(0)
  } finally {
    await wall.stop()
  }
})

test('a service that hangs up on every call is inconclusive, not wrong', async () => {
  const server = createServer(socket => socket.destroy()).listen(0)
  await new Promise(resolve => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  const results = await certify({ ...good, target: { ...good.target, baseUrl: `https://localhost:${port}` } }, ['TOK'])
  server.close()
  expect(othersThan(results, 'inconclusive', 'blocked')).toEqual([])
  expect(summarize(results, results.length).exitCode).toBe(3)
})
