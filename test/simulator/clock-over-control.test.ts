import { describe, expect, test } from 'vitest'
import { initiated, merchantOf, type Running, runningSimulator } from '../support/running.ts'

const clockOf =
  ({ pagesUrl }: Running, organizationId = 'demo-merchant') =>
  async (path: string, body: unknown) => {
    const address = `${pagesUrl}/control/organizations/${organizationId}/clock${path}`
    const answer = await fetch(address, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    return { status: answer.status, told: (await answer.json()) as { now?: string; ran?: number; error?: string } }
  }

const begin = async (simulator: Running) => {
  const merchant = merchantOf(simulator)
  return { merchant, id: await initiated(merchant) }
}

describe('an organization’s clock over control', () => {
  test('R7: is advanced by a duration; what falls due on the way has happened', async () => {
    const simulator = await runningSimulator()
    const clock = clockOf(simulator)
    const { merchant, id } = await begin(simulator)
    const before = simulator.operator.now('demo-merchant')
    const first = await clock('', { advance: 'PT29M' })
    expect([first.status, first.told.ran]).toEqual([200, 0])
    expect(Date.parse(first.told.now ?? '') - before).toBeGreaterThanOrEqual(29 * 60_000)
    expect((await clock('', { advance: 'PT1M' })).told.ran).toBe(1)
    const seen = await merchant.status(id)
    expect(seen.ok && [seen.body.status, seen.body.statusInfo.reasonCode]).toEqual(['DECLINED', '2000'])
  })

  test('R7: is drained to the last deadline there is', async () => {
    const simulator = await runningSimulator()
    const clock = clockOf(simulator)
    await begin(simulator)
    const before = simulator.operator.now('demo-merchant')
    const drained = await clock('/drain', '')
    expect(drained.told.ran).toBe(1)
    expect(Date.parse(drained.told.now ?? '') - before).toBeGreaterThan(29 * 60_000)
    expect((await clock('/drain', '')).told.ran).toBe(0)
  })

  test('5.2: the signature’s created is judged by real time all the same', async () => {
    const simulator = await runningSimulator()
    await clockOf(simulator)('', { advance: 'P30D' })
    const { merchant, id } = await begin(simulator)
    expect((await merchant.status(id)).status).toBe(200)
  })

  test('5.2: a signing key ends twelve months on the organization’s clock after it was made', async () => {
    const simulator = await runningSimulator()
    const clock = clockOf(simulator)
    await clock('', { advance: 'P364D' })
    expect((await merchantOf(simulator).token()).status).toBe(200)
    await clock('', { advance: 'P1D' })
    const late = await merchantOf(simulator).token()
    expect([late.status, !late.ok && late.refusal?.statusInfo?.reasonCode]).toEqual([401, '4992'])
  })

  test('5.3: a token ends with its 7200 s on the organization’s clock', async () => {
    const simulator = await runningSimulator()
    const clock = clockOf(simulator)
    const { merchant, id } = await begin(simulator)
    const token = await merchant.tokenFor()
    const read = async () => {
      const { answer } = await merchant.request('status', { path: { transactionId: id } }, { token })
      return [answer?.status, JSON.parse(answer?.body.toString() ?? '{}').statusInfo.reasonCode]
    }
    await clock('', { advance: 'PT1H59M' })
    expect((await read())[0]).toBe(200)
    await clock('', { advance: 'PT1M' })
    expect(await read()).toEqual([401, '4061'])
  })

  test.each([
    [{}],
    [{ advance: '45' }],
    [{ advance: '-PT1S' }],
    [{ advance: 45 }],
    [{ forward: 'PT1S' }],
    ['{'],
    ['[]'],
  ])('%j moves nothing: 400 and one sentence', async body => {
    const simulator = await runningSimulator()
    const { status, told } = await clockOf(simulator)('', body)
    expect(status).toBe(400)
    expect(told.error).toMatch(/^[^\n]+\.$/)
    expect(simulator.operator.now('demo-merchant') - Date.now()).toBeLessThan(1_000)
  })

  test('an organization that is not there is 404', async () => {
    const { status, told } = await clockOf(await runningSimulator(), 'nobody')('', { advance: 'PT1S' })
    expect([status, told.error]).toEqual([404, expect.stringContaining('There is no organization nobody')])
  })
})
