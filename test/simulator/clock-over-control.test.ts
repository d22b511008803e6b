import { describe, expect, test } from 'vitest'
import { until } from '../support/poll.ts'
import { initiated, merchantOf, type Running, runningSimulator } from '../support/running.ts'

type Told = {
  now?: string
  mode?: string
  scale?: number
  next?: { at: string; name: string; transactionId?: string } | null
  ran?: number
  reached?: Told['next']
  error?: string
}

const clockOf =
  ({ pagesUrl }: Running, organizationId = 'demo-merchant') =>
  async (path: string, body: unknown) => {
    const address = `${pagesUrl}/control/organizations/${organizationId}/clock${path}`
    const answer = await fetch(address, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    return { status: answer.status, told: (await answer.json()) as Told }
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

  test('is looked at: how it stands and what is next', async () => {
    const simulator = await runningSimulator()
    const look = async () => {
      const answer = await fetch(`${simulator.pagesUrl}/control/organizations/demo-merchant/clock`)
      return (await answer.json()) as Told
    }
    expect(await look()).toEqual({ now: expect.any(String), mode: 'real', scale: 1, next: null })
    const { id } = await begin(simulator)
    const { next } = await look()
    expect(next).toEqual({ at: expect.any(String), name: 'shopper-window', transactionId: id })
    const { told } = await clockOf(simulator)('', { freeze: true })
    expect(told).toEqual({ now: expect.any(String), mode: 'frozen', scale: 0, next, ran: 0 })
    expect(await look()).toEqual({ now: told.now, mode: 'frozen', scale: 0, next })
  })

  test('R7: is moved to what is due next, and tells what that was', async () => {
    const simulator = await runningSimulator()
    const clock = clockOf(simulator)
    const { told: before } = await clock('', { freeze: true })
    expect((await clock('', { advance: 'next' })).told).toEqual({ ...before, reached: null })
    const { merchant, id } = await begin(simulator)
    const { told } = await clock('', { advance: 'next' })
    const reached = { at: told.now, name: 'shopper-window', transactionId: id }
    expect(told).toEqual({ now: told.now, mode: 'frozen', scale: 0, next: null, ran: 1, reached })
    expect(Date.parse(told.now ?? '') - Date.parse(before.now ?? '')).toBe(30 * 60_000)
    const seen = await merchant.status(id)
    expect(seen.ok && seen.body.status).toBe('DECLINED')
  })

  test('is moved to an instant, in whatever zone it is written, and never back', async () => {
    const clock = clockOf(await runningSimulator())
    await clock('', { freeze: true })
    const there = await clock('', { to: '2042-01-01T01:00:00+01:00' })
    expect([there.status, there.told.now]).toEqual([200, '2042-01-01T00:00:00.000Z'])
    expect((await clock('', { to: '2042-01-01T00:00:00Z' })).status).toBe(200)
    const back = await clock('', { to: '2041-12-31T23:59:59.999Z' })
    expect([back.status, back.told.error]).toEqual([
      400,
      'The clock stands at 2042-01-01T00:00:00.000Z and only moves forward: give a later time.',
    ])
  })

  test('R7: is scaled, and a payment expires in its time without another word', async () => {
    const simulator = await runningSimulator()
    const clock = clockOf(simulator)
    const { merchant, id } = await begin(simulator)
    expect((await clock('', { scale: 100_000 })).told).toMatchObject({ mode: 'scaled', scale: 100_000 })
    await until(
      () => simulator.operator.shopper.view('demo-merchant', id),
      ({ outcome }) => outcome === 'expired',
    )
    expect((await clock('', { freeze: false })).told).toMatchObject({ mode: 'real', scale: 1, next: null })
    const seen = await merchant.status(id)
    expect(seen.ok && seen.body.statusInfo.reasonCode).toBe('2000')
  })

  test('stays frozen, and as it was set, through a restart', async () => {
    const first = await runningSimulator()
    const { told } = await clockOf(first)('', { freeze: true })
    await first.stop()
    const again = clockOf(await runningSimulator({ dataDir: first.dataDir }))
    expect((await again('', { advance: 'PT0S' })).told).toMatchObject({ now: told.now, mode: 'frozen' })
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
    [{ advance: 'P9999999D' }],
    [{ advance: 'PT1S', freeze: true }],
    [{ freeze: 'true' }],
    [{ freeze: null }],
    [{ scale: 0 }],
    [{ scale: -1 }],
    [{ scale: 1_000_001 }],
    [{ scale: '60' }],
    [{ to: '2020-01-01T00:00:00Z' }],
    [{ to: '2042-01-01' }],
    [{ to: '2042-02-30T00:00:00Z' }],
    [{ to: '2042-01-01T00:00:00' }],
    [{ to: '2042-13-01T00:00:00Z' }],
    [{ to: 2_000_000_000_000 }],
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
