import { expect, test } from 'vitest'
import { controlClient, createMerchantOrganization } from '../support/control-client.ts'
import { firstAccountOf, irisRequestOf, startScopedSimulator } from '../support/test-scoped-simulator.ts'

const WORKERS = 8

test('twenty organizations created at once have distinct ids and keys', async () => {
  const ask = controlClient(await startScopedSimulator())
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

test('eight concurrent workers do not share payments, mocks, faults, clocks, inboxes or snapshots', async () => {
  const simulator = await startScopedSimulator()
  const ask = controlClient(simulator)
  const worker = async (_: unknown, number: number) => {
    const { merchant, here } = await createMerchantOrganization(simulator, `worker-${number}`)
    const account = firstAccountOf(merchant)
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
    for (let call = 0; call <= number; call++) statuses.push((await merchant.initiate(irisRequestOf(merchant))).status)
    const paid = await merchant.initiate({ ...irisRequestOf(merchant), clientTransactionId: 'same-order' })
    const id = (paid.ok && paid.body.transactionId) || ''
    const seen = {
      statuses,
      found: (await merchant.search({ processingAccountId: account })).exchange.response?.body.toString() ?? '',
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
