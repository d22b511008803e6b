import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { credentialsFromKit } from '../../contracts/client/credentials.ts'
import { createMerchant, type Merchant } from '../../contracts/client/merchant-client.ts'
import { startTestSimulator, type TestSimulator } from '../support/caller-stopped-simulator.ts'
import { createPostgresSchema } from '../support/create-postgres-schema.ts'
import { readEventStream } from '../support/event-stream.ts'
import { pollUntil } from '../support/poll-until.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { irisRequestOf } from '../support/test-scoped-simulator.ts'

const postgres = await startPostgres()
const REPLICAS = 3

describe.skipIf(postgres === undefined)('replicas over one PostgreSQL', () => {
  let replicas: TestSimulator[]
  let merchants: Merchant[]
  let store: string

  beforeAll(async () => {
    store = await createPostgresSchema(postgres?.url ?? '')
    const rateLimit = 0
    const each = () => startTestSimulator({ store, rateLimit, metrics: 'on' })
    replicas = await Promise.all(Array.from({ length: REPLICAS }, each))
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

  test('share one certificate authority and one demo organization', async () => {
    const kits = replicas.map(({ kit }) => kit)
    expect(new Set(kits.map(({ ca }) => ca)).size).toBe(1)
    expect(new Set(kits.map(({ certificate }) => certificate)).size).toBe(1)
  })

  test('each tells Prometheus its connections, and how soon it hears a notification', async () => {
    for (const { pagesUrl } of replicas) {
      const text = await (await fetch(`${pagesUrl}/metrics`)).text()
      expect(text).toMatch(/^assay_database_connections\{state="open"\} [1-9]\d*$/m)
      expect(text).toMatch(/^assay_database_connections\{state="waiting"\} \d+$/m)
      expect(text).toMatch(/^assay_notification_lag_seconds 0\.\d+$/m)
    }
  })

  test('an address that is registered at all replicas at once is one endpoint', async () => {
    const added = async (at: number, url: string) =>
      (await control(at, 'POST', 'demo-merchant/webhooks', { url })) as { endpointId?: string }
    for (let round = 0; round < 5; round += 1) {
      const url = `https://shop.example/hooks/${round}`
      const all = await Promise.all(replicas.map((_, at) => added(at, url)))
      expect(new Set(all.map(({ endpointId }) => endpointId)).size).toBe(1)
    }
    const { webhooks } = (await control(0, 'GET', 'demo-merchant/webhooks')) as unknown as {
      webhooks: { endpointId: string }[]
    }
    for (const { endpointId } of webhooks)
      await fetch(`${replicas[0]?.pagesUrl}/control/organizations/demo-merchant/webhooks/${endpointId}`, {
        method: 'DELETE',
      })
  })

  test('I3: thirty identical calls spread over three replicas have one effect and one response', async () => {
    const key = randomUUID()
    const sent = Array.from({ length: 30 }, (_, at) => {
      const merchant = merchants[at % REPLICAS] as Merchant
      return merchant.request('initiate', { json: irisRequestOf(merchant), idempotencyKey: key })
    })
    const answers = (await Promise.all(sent)).map(({ response }) => response)
    expect(answers.map(answer => answer?.status)).toEqual(Array(30).fill(200))
    expect(new Set(answers.map(answer => answer?.body.toString())).size).toBe(1)
    expect(answers.filter(answer => answer?.headers['idempotency-replayed'] === undefined)).toHaveLength(1)
  })

  test('a clock moved at one replica has moved at all of them when the call returns', async () => {
    await control(0, 'POST', 'demo-merchant/clock', { freeze: true })
    for (const at of [0, 1, 2]) {
      const { now } = await control(at, 'POST', 'demo-merchant/clock', { advance: 'PT1H' })
      expect(
        replicas.map(({ controlPlane: operator }) => new Date(operator.now('demo-merchant')).toISOString()),
      ).toEqual(Array(REPLICAS).fill(now))
    }
  })

  test('advances that come together at several all count', async () => {
    const { now: before } = await control(0, 'POST', 'demo-merchant/clock', { freeze: true })
    const advance = (at: number) => control(at, 'POST', 'demo-merchant/clock', { advance: 'PT1H' })
    await Promise.all([0, 1, 2, 0, 1, 2].map(advance))
    const { now: after } = await control(1, 'GET', 'demo-merchant/clock')
    expect(Date.parse(after ?? '') - Date.parse(before ?? '')).toBe(6 * 3_600_000)
  })

  const kitAt = async (at: number, organizationId: string) =>
    credentialsFromKit((await control(at, 'GET', `${organizationId}/kit`)) as never)

  test('5.2: an organization created at one is known at another, and a key deregistered at one is refused at all', async () => {
    await fetch(`${replicas[0]?.pagesUrl}/control/organizations`, { method: 'POST', body: '{"id":"elsewhere"}' })
    const merchant = createMerchant(await kitAt(1, 'elsewhere'))
    const [key] = merchant.credentials.signingKeys
    const status = async () => (await merchant.request('initiate', { json: irisRequestOf(merchant) })).response?.status
    expect(await status()).toBe(200)
    await control(2, 'DELETE', `elsewhere/signing-keys/${key?.keyId}`)
    expect(await status()).toBe(401)
    merchant.close()
  })

  test('waiting for a notification at one returns that of a payment made at another', async () => {
    const reference = randomUUID()
    const waiting = control(
      2,
      'GET',
      `demo-merchant/inbox/wait?type=PAYMENT_INITIATE&clientTransactionId=${reference}&atMost=PT20S`,
    )
    const merchant = merchants[0] as Merchant
    await merchant.initiate({ ...irisRequestOf(merchant), clientTransactionId: reference })
    expect(await waiting).toMatchObject({ notification: { clientTransactionId: reference } })
  })

  test('an open page of each learns what changes at another', async () => {
    const line = await readEventStream(`${replicas[2]?.pagesUrl}/portal/organizations/demo-merchant/stream`)
    const merchant = merchants[0] as Merchant
    await merchant.initiate({ ...irisRequestOf(merchant), clientTransactionId: randomUUID() })
    await pollUntil(
      () => line.told.flatMap(({ data }) => data.split(' ')),
      topics => ['calls', 'payments', 'webhooks'].every(topic => topics.includes(topic)),
    )
    line.stop()
  })

  test('the journal of each shows the calls of all', async () => {
    const reference = randomUUID()
    const merchant = merchants[1] as Merchant
    await merchant.initiate({ ...irisRequestOf(merchant), clientTransactionId: reference })
    await pollUntil(
      () =>
        replicas.map(({ controlPlane: operator }) =>
          operator.journal.latest('demo-merchant', 50).some(call => call.request.body.includes(reference)),
        ),
      seen => seen.every(isSeen => isSeen),
    )
  })

  const callsOf = (organizationId: string) =>
    replicas.map(({ controlPlane: operator }) => operator.journal.latest(organizationId, 50).length)
  /** Number of an organization's journal entries that a newly started replica shows. */
  const callsAtStart = async (organizationId: string, more: { journalSize?: number } = {}): Promise<number> => {
    const late = await startTestSimulator({ store, ...more })
    const { length } = late.controlPlane.journal.latest(organizationId, 50)
    await late.stop()
    return length
  }

  // biome-ignore format: a table reads by its columns
  test.each([
    ['reset',   (id: string) => control(2, 'POST', `${id}/reset`)],
    ['removed', (id: string) => control(2, 'DELETE', id)],
  ])('the journal of an organization %s at one is empty at all, and at replicas started later', async (what, end) => {
    const id = `to-be-${what}`
    await fetch(`${replicas[0]?.pagesUrl}/control/organizations`, { method: 'POST', body: JSON.stringify({ id }) })
    const merchant = createMerchant(await kitAt(1, id))
    await merchant.initiate(irisRequestOf(merchant))
    merchant.close()
    await pollUntil(
      () => callsOf(id),
      seen => seen.every(calls => calls === 2),
    )
    expect(await callsAtStart(id)).toBe(2)
    await end(id)
    expect(callsOf(id)).toEqual(Array(REPLICAS).fill(0))
    expect(await callsAtStart(id)).toBe(0)
  })

  test('a replica that starts has the calls of an organization that has been quiet since, and of a busy one no more than its journal takes', async () => {
    await fetch(`${replicas[0]?.pagesUrl}/control/organizations`, { method: 'POST', body: '{"id":"quiet"}' })
    const quiet = createMerchant(await kitAt(1, 'quiet'))
    await quiet.status('a call of the quiet merchant')
    quiet.close()
    const busy = merchants[1] as Merchant
    for (let round = 0; round < 5; round += 1) await busy.status(`quiet-since-${round}`)
    const newest = () =>
      replicas.map(({ controlPlane }) => controlPlane.journal.latest('demo-merchant', 1)[0]?.request.target)
    await pollUntil(newest, targets => targets.every(target => target?.includes('quiet-since-4')))
    expect(await callsAtStart('quiet', { journalSize: 3 })).toBe(2)
    expect(await callsAtStart('demo-merchant', { journalSize: 3 })).toBe(3)
  })

  test('the journal of a new organization has no calls that came after an earlier one of its id was removed', async () => {
    await merchants[1]?.status('a call of the demo merchant')
    const client = new pg.Client(store)
    await client.connect()
    onTestFinished(() => client.end())
    const takeOver = () =>
      client.query(`
        INSERT INTO shared_calls (replica, organization_id, journal_entry)
        SELECT 'gone', 'again', replace(journal_entry, '"demo-merchant"', '"again"') FROM shared_calls
        WHERE organization_id = 'demo-merchant' LIMIT 1`)
    await pollUntil(takeOver, ({ rowCount }) => rowCount === 1)
    const early = await startTestSimulator({ store })
    onTestFinished(() => early.stop())
    const seen = () => early.controlPlane.journal.latest('again', 50).length
    expect(seen()).toBe(1)
    await fetch(`${replicas[0]?.pagesUrl}/control/organizations`, { method: 'POST', body: '{"id":"again"}' })
    expect([seen(), await callsAtStart('again')]).toEqual([0, 0])
  })

  /** Lets every write of shared calls take a while, as in a busy database; returns how many are under way. */
  const slowSharing = async () => {
    const client = new pg.Client(store)
    await client.connect()
    onTestFinished(async () => {
      await client.query('DROP FUNCTION slow_sharing CASCADE')
      await client.end()
    })
    await client.query(`CREATE FUNCTION slow_sharing() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN PERFORM pg_sleep(0.5); RETURN NULL; END';
      CREATE TRIGGER slow_sharing BEFORE INSERT ON shared_calls EXECUTE FUNCTION slow_sharing()`)
    return async () =>
      (await client.query("SELECT FROM pg_stat_activity WHERE state = 'active' AND wait_event = 'PgSleep'")).rowCount
  }

  test.each([
    ['wait to be shared', 0],
    ['are being shared', 1],
  ])(
    'calls from before a reset that %s appear at none after it, those from after it at all',
    async (_, underWay) => {
      const countUnderWay = await slowSharing()
      const [merchant, other] = [merchants[1], merchants[2]] as [Merchant, Merchant]
      await merchant.status('before')
      await pollUntil(countUnderWay, count => count !== null && count >= underWay)
      await control(2, 'POST', 'demo-merchant/reset')
      await other.status('after')
      const targets = () =>
        replicas.map(({ controlPlane }) =>
          controlPlane.journal.latest('demo-merchant', 50).map(({ request }) => request.target),
        )
      const isIn = (all: readonly string[], name: string) => all.some(target => target.includes(`/${name}/`))
      await pollUntil(targets, seen => seen.every(all => isIn(all, 'after')))
      await merchant.status('at-last') // shared after all that its replica had to share
      await pollUntil(targets, seen => seen.every(all => isIn(all, 'at-last')))
      expect(targets().map(all => isIn(all, 'before'))).toEqual([false, false, false])
    },
    30_000,
  )
})
