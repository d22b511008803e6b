import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { credentialsFromKit } from '../../contracts/client/credentials.ts'
import { createMerchant, type Merchant } from '../../contracts/client/merchant.ts'
import { until } from '../support/poll.ts'
import { startPostgres } from '../support/postgres.ts'
import { irisOf } from '../support/running.ts'
import { schemaFor } from '../support/schema.ts'
import { startTestSimulator, type TestSimulator } from '../support/simulator.ts'

const postgres = await startPostgres()
const REPLICAS = 3

describe.skipIf(postgres === undefined)('replicas over one PostgreSQL', () => {
  let replicas: TestSimulator[]
  let merchants: Merchant[]
  let store: string

  beforeAll(async () => {
    store = await schemaFor(postgres?.url ?? '')
    const rateLimit = 0
    replicas = await Promise.all(Array.from({ length: REPLICAS }, () => startTestSimulator({ store, rateLimit })))
    merchants = replicas.map(({ credentials }) => createMerchant(credentials))
  }, 60_000)
  afterAll(async () => {
    for (const merchant of merchants ?? []) merchant.close()
    for (const replica of replicas ?? []) await replica.stop()
    postgres?.remove()
  }, 60_000)

  const control = async (at: number, method: string, path: string, body?: object) => {
    const url = `${replicas[at]?.pagesUrl}/control/organizations/${path}`
    const answer = await fetch(url, { method, ...(body ? { body: JSON.stringify(body) } : {}) })
    expect(answer.status, await answer.clone().text()).toBeLessThan(300)
    return answer.json() as Promise<Record<string, never>>
  }

  test('are one service: one authority, one key set, one demo organization', async () => {
    const kits = replicas.map(({ kit }) => kit)
    expect(new Set(kits.map(({ ca }) => ca)).size).toBe(1)
    expect(new Set(kits.map(({ certificate }) => certificate)).size).toBe(1)
  })

  test('I3: thirty identical calls spread over three have one effect and one answer', async () => {
    const key = randomUUID()
    const sent = Array.from({ length: 30 }, (_, at) => {
      const merchant = merchants[at % REPLICAS] as Merchant
      return merchant.request('initiate', { json: irisOf(merchant), idempotencyKey: key })
    })
    const answers = (await Promise.all(sent)).map(({ answer }) => answer)
    expect(answers.map(answer => answer?.status)).toEqual(Array(30).fill(200))
    expect(new Set(answers.map(answer => answer?.body.toString())).size).toBe(1)
    expect(answers.filter(answer => answer?.headers['idempotency-replayed'] === undefined)).toHaveLength(1)
  })

  test('a clock that was moved at one has moved at all of them when the move is over', async () => {
    await control(0, 'POST', 'demo-merchant/clock', { freeze: true })
    for (const at of [0, 1, 2]) {
      const { now } = await control(at, 'POST', 'demo-merchant/clock', { advance: 'PT1H' })
      expect(replicas.map(({ operator }) => new Date(operator.now('demo-merchant')).toISOString())).toEqual(
        Array(REPLICAS).fill(now),
      )
    }
  })

  const kitAt = async (at: number, organizationId: string) =>
    credentialsFromKit((await control(at, 'GET', `${organizationId}/kit`)) as never)

  test('5.2: who was made at one is known at another, and a key that is taken back at one signs nowhere', async () => {
    await fetch(`${replicas[0]?.pagesUrl}/control/organizations`, { method: 'POST', body: '{"id":"elsewhere"}' })
    const merchant = createMerchant(await kitAt(1, 'elsewhere'))
    const [key] = merchant.credentials.signingKeys
    const status = async () => (await merchant.request('initiate', { json: irisOf(merchant) })).answer?.status
    expect(await status()).toBe(200)
    await control(2, 'DELETE', `elsewhere/signing-keys/${key?.keyId}`)
    expect(await status()).toBe(401)
    merchant.close()
  })

  test('who waits for a notification at one hears of what happened at another', async () => {
    const reference = randomUUID()
    const waiting = control(
      2,
      'GET',
      `demo-merchant/inbox/wait?type=PAYMENT_INITIATE&clientTransactionId=${reference}&atMost=PT20S`,
    )
    const merchant = merchants[0] as Merchant
    await merchant.initiate({ ...irisOf(merchant), clientTransactionId: reference })
    expect(await waiting).toMatchObject({ notification: { clientTransactionId: reference } })
  })

  test('the journal of one shows the calls of all', async () => {
    const reference = randomUUID()
    const merchant = merchants[1] as Merchant
    await merchant.initiate({ ...irisOf(merchant), clientTransactionId: reference })
    await until(
      () =>
        replicas.map(({ operator }) =>
          operator.journal('demo-merchant', 50).some(call => call.request.body.includes(reference)),
        ),
      seen => seen.every(isSeen => isSeen),
    )
  })

  const callsOf = (organizationId: string) =>
    replicas.map(({ operator }) => operator.journal(organizationId, 50).length)
  /** How many calls of an organization are kept for replicas that start, as one of them sees it. */
  const callsAtStart = async (organizationId: string): Promise<number> => {
    const late = await startTestSimulator({ store })
    const { length } = late.operator.journal(organizationId, 50)
    await late.stop()
    return length
  }

  // biome-ignore format: a table reads by its columns
  test.each([
    ['reset',   (id: string) => control(2, 'POST', `${id}/reset`)],
    ['removed', (id: string) => control(2, 'DELETE', id)],
  ])('the calls of who was %s at one are forgotten at all, and by those that start later', async (what, end) => {
    const id = `to-be-${what}`
    await fetch(`${replicas[0]?.pagesUrl}/control/organizations`, { method: 'POST', body: JSON.stringify({ id }) })
    const merchant = createMerchant(await kitAt(1, id))
    await merchant.initiate(irisOf(merchant))
    merchant.close()
    await until(
      () => callsOf(id),
      seen => seen.every(calls => calls === 2),
    )
    expect(await callsAtStart(id)).toBe(2)
    await end(id)
    expect(callsOf(id)).toEqual(Array(REPLICAS).fill(0))
    expect(await callsAtStart(id)).toBe(0)
  })
})
