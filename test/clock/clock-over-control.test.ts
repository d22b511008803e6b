import { describe, expect, test } from 'vitest'
import { pollUntil } from '../support/poll-until.ts'
import {
  initiateIris,
  merchantOf,
  type ScopedSimulator,
  startScopedSimulator,
} from '../support/test-scoped-simulator.ts'

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
  ({ pagesUrl }: ScopedSimulator, organizationId = 'demo-merchant') =>
  async (path: string, body: unknown) => {
    const address = `${pagesUrl}/control/organizations/${organizationId}/clock${path}`
    const answer = await fetch(address, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    return { status: answer.status, told: (await answer.json()) as Told }
  }

const begin = async (simulator: ScopedSimulator) => {
  const merchant = merchantOf(simulator)
  return { merchant, id: await initiateIris(merchant) }
}

describe('an organization’s clock over control', () => {
  test('R7: is advanced by a duration, and due jobs have run when the call returns', async () => {
    const simulator = await startScopedSimulator()
    const clock = clockOf(simulator)
    const { merchant, id } = await begin(simulator)
    const before = simulator.controlPlane.now('demo-merchant')
    const first = await clock('', { advance: 'PT29M' })
    expect([first.status, first.told.ran]).toEqual([200, 0])
    expect(Date.parse(first.told.now ?? '') - before).toBeGreaterThanOrEqual(29 * 60_000)
    expect((await clock('', { advance: 'PT1M' })).told.ran).toBe(1)
    const seen = await merchant.status(id)
    expect(seen.ok && [seen.body.status, seen.body.statusInfo.reasonCode]).toEqual(['DECLINED', '2000'])
  })

  test('R7: is drained up to its last job', async () => {
    const simulator = await startScopedSimulator()
    const clock = clockOf(simulator)
    await begin(simulator)
    const before = simulator.controlPlane.now('demo-merchant')
    const drained = await clock('/drain', '')
    expect(drained.told.ran).toBe(1)
    expect(Date.parse(drained.told.now ?? '') - before).toBeGreaterThan(29 * 60_000)
    expect((await clock('/drain', '')).told.ran).toBe(0)
  })

  test('is read with its mode and next job', async () => {
    const simulator = await startScopedSimulator()
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

  test('R7: is advanced to the next job, which is returned', async () => {
    const simulator = await startScopedSimulator()
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

  test('is moved to an instant in any time zone, and not back', async () => {
    const clock = clockOf(await startScopedSimulator())
    await clock('', { freeze: true })
    const there = await clock('', { to: '2042-01-01T01:00:00+01:00' })
    expect([there.status, there.told.now]).toEqual([200, '2042-01-01T00:00:00.000Z'])
    expect((await clock('', { to: '2042-01-01T00:00:00Z' })).status).toBe(200)
    const back = await clock('', { to: '2041-12-31T23:59:59.999Z' })
    expect([back.status, back.told.error]).toEqual([
      400,
      'The clock is at 2042-01-01T00:00:00.000Z and only moves forward: give a later time.',
    ])
  })

  test('R7: is scaled, and a payment expires without another call', async () => {
    const simulator = await startScopedSimulator()
    const clock = clockOf(simulator)
    const { merchant, id } = await begin(simulator)
    expect((await clock('', { scale: 100_000 })).told).toMatchObject({ mode: 'scaled', scale: 100_000 })
    await pollUntil(
      () => simulator.controlPlane.shopper.view('demo-merchant', id),
      ({ outcome }) => outcome === 'expired',
    )
    expect((await clock('', { freeze: false })).told).toMatchObject({ mode: 'real', scale: 1, next: null })
    const seen = await merchant.status(id)
    expect(seen.ok && seen.body.statusInfo.reasonCode).toBe('2000')
  })

  test('keeps its mode through a restart', async () => {
    const first = await startScopedSimulator()
    const { told } = await clockOf(first)('', { freeze: true })
    await first.stop()
    const again = clockOf(await startScopedSimulator({ dataDir: first.dataDir }))
    expect((await again('', { advance: 'PT0S' })).told).toMatchObject({ now: told.now, mode: 'frozen' })
  })

  test('5.2: does not affect the check of a signature’s created', async () => {
    const simulator = await startScopedSimulator()
    await clockOf(simulator)('', { advance: 'P30D' })
    const { merchant, id } = await begin(simulator)
    expect((await merchant.status(id)).status).toBe(200)
  })

  test('5.2: signing keys expire twelve months after registration on it', async () => {
    const simulator = await startScopedSimulator()
    const clock = clockOf(simulator)
    await clock('', { advance: 'P364D' })
    expect((await merchantOf(simulator).token()).status).toBe(200)
    await clock('', { advance: 'P1D' })
    const late = await merchantOf(simulator).token()
    expect([late.status, !late.ok && late.refusal?.statusInfo?.reasonCode]).toEqual([401, '4992'])
  })

  test('5.3: tokens expire after 7200 s on it', async () => {
    const simulator = await startScopedSimulator()
    const clock = clockOf(simulator)
    const { merchant, id } = await begin(simulator)
    const token = await merchant.tokenFor()
    const read = async () => {
      const { response } = await merchant.request('status', { path: { transactionId: id } }, { token })
      return [response?.status, JSON.parse(response?.body.toString() ?? '{}').statusInfo.reasonCode]
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
  ])('%j is refused with 400 and one sentence', async body => {
    const simulator = await startScopedSimulator()
    const { status, told } = await clockOf(simulator)('', body)
    expect(status).toBe(400)
    expect(told.error).toMatch(/^[^\n]+\.$/)
    expect(simulator.controlPlane.now('demo-merchant') - Date.now()).toBeLessThanOrEqual(0)
  })

  test('of an unknown organization is 404', async () => {
    const { status, told } = await clockOf(await startScopedSimulator(), 'nobody')('', { advance: 'PT1S' })
    expect([status, told.error]).toEqual([404, expect.stringContaining('There is no organization nobody')])
  })
})
