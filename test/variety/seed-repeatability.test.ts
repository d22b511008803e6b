import { describe, expect, test } from 'vitest'
import { openRecordedRun, type RecordedRun } from '../support/record-seeded-responses.ts'

const NOW = Date.now()
const ACCOUNT = 'demo-merchant-account-1'

const blik = (oneTimeCode: string, order: string) => ({
  processingAccountId: ACCOUNT,
  clientTransactionId: order,
  transactionType: 'ONE_TIME',
  paymentDetails: { amount: 1000, currency: 'PLN', country: 'PL', description: 'Two jars', autoCapture: false },
  providerDetails: { providerId: 'BLIK' },
  payerDetails: { oneTimeCode },
  metadata: { b: '2', a: '1' },
})

const act = (transactionId: string, amount?: number) => ({
  processingAccountId: ACCOUNT,
  clientTransactionId: 'act',
  transactionId,
  paymentDetails: { ...(amount === undefined ? {} : { amount }) },
})

const refund = (transactionId: string, amount?: number) => {
  const { paymentDetails, ...request } = act(transactionId, amount)
  return { ...request, paymentDetails: { ...paymentDetails, description: 'As agreed' } }
}

const idIn = ({ body }: { body: string }): string => JSON.parse(body).transactionId

/** Sends a call, once more under the same key after 423 or 429 (7.1). */
const served = async (run: RecordedRun, name: string, body: object, key = `act-${run.told.length}`) => {
  const first = await run.post(name, body, key)
  return [423, 429].includes(first.status) ? run.post(name, body, key) : first
}

/** Runs a fixed script of calls of every kind. */
const script = async (run: RecordedRun) => {
  await run.call({ target: '/.well-known/jwks.json' })
  await run.token()
  const id = idIn(await served(run, 'initiate', blik(await run.code(), 'order-1')))
  await run.read(id, 'status')
  await served(run, 'finalize', { processingAccountId: ACCOUNT, transactionId: id })
  await run.approve(id)
  await served(run, 'finalize', { processingAccountId: ACCOUNT, transactionId: id })
  await served(run, 'capture', act(id, 400))
  await served(run, 'capture', act(id, 600))
  await served(run, 'capture', act(id))
  await served(run, 'cancel', { processingAccountId: ACCOUNT, clientTransactionId: 'act', transactionId: id })
  await served(run, 'refund', refund(id))
  await run.advance(10_000)
  await served(run, 'refund', refund(id, 300))
  await served(run, 'refund', refund(id))
  await run.read(id, 'events')
  const atBank = idIn(await served(run, 'initiate', run.iris('order-2')))
  await run.decline(atBank)
  await run.read(atBank, 'status')
  await served(run, 'initiate', blik('000000', 'order-3'))
  await served(run, 'initiate', { ...blik('123456', 'order-4'), transactionType: 'NEVER' })
  await run.post('search', { processingAccountId: ACCOUNT })
  await run.post('providers', {})
  await run.call({ target: '/reports?from=2026-01-01&to=2026-01-02' })
  await run.call({ target: '/payments/nobody/status' })
  await run.call({ target: '/reports/download?reportId=nonsense' })
  await run.read(id, 'status')
  await served(run, 'charge', { ...blik('', 'order-5'), transactionType: 'RECURRING', payerDetails: { payerId: 'x' } })
  await run.call({ target: '/nowhere' })
  await run.call({ target: '/payments/initiate', body: '{', key: 'broken' })
  return run
}

const played = async (seed: string | undefined) => script(await openRecordedRun(seed, NOW))

describe('9: a variety seed repeats', () => {
  test('two runs of a seed give the same bytes, except for keys, secrets and signatures', async () => {
    const [one, other] = [await played('4711'), await played('4711')]
    expect(one.told.length).toBeGreaterThan(25)
    expect(other.told).toEqual(one.told)
    const varied = (run: RecordedRun) => run.journal().map(entry => entry.varied)
    expect(varied(other)).toEqual(varied(one))
    expect(new Set(varied(one).flat()).size).toBeGreaterThanOrEqual(4)
  })

  test('another seed gives other responses, and no seed gives no variation', async () => {
    const [one, other, plain] = [await played('4711'), await played('4712'), await played(undefined)]
    expect(other.told).not.toEqual(one.told)
    const names = (run: RecordedRun) => run.told.flatMap(({ headers }) => headers.map(line => line.split(':', 1)[0]))
    expect(new Set(names(one))).toContain('CONTENT-TYPE')
    expect(names(plain).filter(name => name === 'CONTENT-TYPE' || name === 'Content-Type')).toEqual([])
    expect(plain.journal().some(entry => 'varied' in entry)).toBe(false)
    expect(plain.told.every(({ status }) => status !== 423 && status !== 429)).toBe(true)
  })

  test('I3: a replay returns the original bytes, served or refused, under every seed', async () => {
    const orders = new Set<string>()
    for (const seed of ['a', 'b', 'c', 'd', 'e']) {
      const run = await openRecordedRun(seed, NOW)
      await run.token()
      const order = run.iris('order-1')
      const first = await served(run, 'initiate', order, 'key-of-initiate')
      const refused = await served(run, 'capture', act(idIn(first)), 'key-of-capture')
      expect([first.status, refused.status]).toEqual([200, 422])
      for (let again = 0; again < 6; again += 1) {
        expect((await run.post('initiate', order, 'key-of-initiate')).body).toBe(first.body)
        expect((await run.post('capture', act(idIn(first)), 'key-of-capture')).body).toBe(refused.body)
      }
      for (const { body } of [first, refused]) orders.add(Object.keys(JSON.parse(body)).join())
    }
    expect(orders.size).toBeGreaterThan(4)
  })

  test('a restart on the same folder repeats no id', async () => {
    const first = await openRecordedRun('4711', NOW)
    await script(first)
    await first.stop()
    const second = await openRecordedRun('4711', NOW, first.simulator.kitFolder.replace(/\/kit\/.*/, ''))
    await second.token()
    const answer = await served(second, 'initiate', blik(await second.code(), 'order-1'))
    expect(answer.status).toBe(200)
    expect(first.told.map(({ body }) => body).join()).not.toContain(idIn(answer))
  })
})
