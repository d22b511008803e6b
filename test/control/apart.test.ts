import { expect, test } from 'vitest'
import { accountOf, irisOf, runningSimulator } from '../support/running.ts'
import { asking, newMerchant } from './ask.ts'

const WORKERS = 8

test('twenty organizations are made at once, each with an id and keys of its own', async () => {
  const ask = asking(await runningSimulator())
  const made = await Promise.all(Array.from({ length: 20 }, () => ask('POST', 'organizations')))
  expect(made.map(({ status }) => status)).toEqual(made.map(() => 201))
  expect(new Set(made.map(({ body }) => body.organizationId)).size).toBe(20)
  expect(
    new Set(
      made.flatMap(({ body }) => [
        body.privateKey,
        ...body.signingKeys.map((key: { privateKey: string }) => key.privateKey),
      ]),
    ).size,
  ).toBe(80)
  expect((await ask('GET', 'organizations')).body.organizations).toHaveLength(21)
})

test('eight workers at once never meet: payments, mocks, faults, clocks, inboxes, states', async () => {
  const simulator = await runningSimulator()
  const ask = asking(simulator)
  const worker = async (_: unknown, number: number) => {
    const { merchant, here } = await newMerchant(simulator, `worker-${number}`)
    const account = accountOf(merchant)
    await ask('POST', `${here}/clock`, { freeze: true })
    await ask('POST', `${here}/clock`, { advance: `P${number + 1}D` })
    await ask('POST', `${here}/snapshots`, { name: 'begin' })
    await ask('POST', `${here}/faults`, { operation: 'initiate', kind: 'error', times: number + 1 })
    await merchant.mockSet({
      processingAccountId: account,
      key: { type: 'PAYER_ID', value: 'same-payer' },
      type: 'MOCK',
      oneTime: false,
    })
    const statuses = []
    for (let call = 0; call <= number; call++) statuses.push((await merchant.initiate(irisOf(merchant))).status)
    const paid = await merchant.initiate({ ...irisOf(merchant), clientTransactionId: 'same-order' })
    const id = (paid.ok && paid.body.transactionId) || ''
    const seen = {
      statuses,
      found: (await merchant.search({ processingAccountId: account })).exchange.answer?.body.toString() ?? '',
      mocks: (await ask('GET', `${here}/mocks`)).body.mocks.length,
      faults: (await ask('GET', `${here}/faults`)).body.faults.length,
      inbox: (await ask('GET', `${here}/inbox`)).body.messages.map(
        (message: { notification: { transactionId: string } }) => message.notification.transactionId,
      ),
      now: (await ask('GET', `${here}/clock`)).body.now,
    }
    if (number % 2 === 0) await ask('POST', `${here}/snapshots/begin/restore`)
    return { number, merchant, here, id, seen }
  }
  const began = Date.now()
  const workers = await Promise.all(Array.from({ length: WORKERS }, worker))

  for (const { number, merchant, id, seen } of workers) {
    expect(seen).toMatchObject({ statuses: Array.from({ length: number + 1 }, () => 502), mocks: 1, faults: 0 })
    expect(seen.found.match(/"transactionId"/g)).toHaveLength(1)
    expect(seen.found).toContain(id)
    expect(new Set(seen.inbox)).toEqual(new Set([id]))
    expect(Math.round((Date.parse(seen.now) - began) / 86_400_000)).toBe(number + 1)
    for (const other of workers)
      expect((await merchant.status(other.id)).status).toBe(other === workers[number] && number % 2 === 1 ? 200 : 404)
  }
})
