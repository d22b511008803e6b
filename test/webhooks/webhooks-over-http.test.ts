import { writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  createCertificateAuthority,
  openCertificateAuthority,
} from '../../simulator/installation/certificate-authority.ts'
import { HOUR } from '../../simulator/support/duration.ts'
import { createIds } from '../../simulator/support/ids.ts'
import { organizationControl } from '../support/control-client.ts'
import { pollUntil } from '../support/poll-until.ts'
import { openWebhookReceiver, type RecordedWebhook } from '../support/recording-webhook-receiver.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import {
  firstAccountOf,
  initiateIris,
  irisRequestOf,
  merchantOf,
  type ScopedSimulator,
  startScopedSimulator,
} from '../support/test-scoped-simulator.ts'

const DEMO = 'demo-merchant'
const received = ({ target, headers, body }: RecordedWebhook) => ({
  target,
  header: (name: string) => headers[name] as string | undefined,
  body,
})
const patch = async ({ pagesUrl }: ScopedSimulator, path: string, body: object) => {
  const address = `${pagesUrl}/control/organizations/${DEMO}/${path}`
  const answer = await fetch(address, { method: 'PATCH', body: JSON.stringify(body) })
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any member of control's response by name
  return { status: answer.status, body: (await answer.json()) as any }
}

describe('6: webhooks over HTTP', () => {
  test('notifications of a payment are delivered, and both their signatures verify', async () => {
    const simulator = await startScopedSimulator()
    const control = organizationControl(simulator)
    const merchant = merchantOf(simulator)
    const receiver = await openWebhookReceiver()
    const { body: made } = await control.post('webhooks', { url: receiver.url })
    const id = await initiateIris(merchant)
    await control.post(`payments/${id}/shopper`, { action: 'approve' })
    await merchant.finalize({ processingAccountId: firstAccountOf(merchant), transactionId: id })
    await control.post('clock/drain', {})
    expect(receiver.received.map(({ json }) => [json.notificationType, json.status])).toEqual([
      ['PAYMENT_INITIATE', 'PENDING'],
      ['PAYMENT_FINALIZE', 'ACCEPTED'],
      ['PAYMENT_FINALIZE', 'APPROVED'],
      ['PAYMENT_CAPTURE', 'APPROVED'],
    ])
    for (const got of receiver.received) {
      expect(await merchant.verifyWebhook(received(got), [made.secret])).toMatchObject({ ok: true })
      const other = { ...received(got), body: Buffer.from(got.body.toString().replace('PAYMENT', 'payment')) }
      expect((await merchant.verifyWebhook(other, [made.secret])).ok).toBe(false)
      expect((await merchant.verifyWebhook(received(got), ['whsec_AAAA'])).ok).toBe(false)
      const elsewhere = { ...received(got), target: '/elsewhere' }
      expect((await merchant.verifyWebhook(elsewhere, [made.secret])).ok).toBe(false)
      const tomorrow = Math.floor(Date.now() / 1000) + 86_400
      expect((await merchant.verifyWebhook(received(got), [made.secret], tomorrow)).ok).toBe(false)
    }
    const { body } = await control.get(`deliveries?transactionId=${id}&state=delivered&limit=2`)
    expect(body.deliveries).toHaveLength(2)
    expect(body.deliveries[0]).toMatchObject({
      endpointId: made.endpointId,
      attempts: [{ request: { headers: { 'webhook-id': expect.any(String) } }, response: { status: 200 } }],
    })
    expect((await control.get('deliveries?state=lost')).status).toBe(400)
    expect((await control.get('deliveries?limit=1001')).body.error).toMatch(/from 1 to 1000\.$/)
    const [newest, older] = body.deliveries
    const rest = (await control.get(`deliveries?transactionId=${id}&state=delivered&before=${newest.deliveryId}`)).body
    expect(rest.deliveries[0].deliveryId).toBe(older.deliveryId)
    expect((await control.post(`deliveries/${newest.deliveryId}/resend`, {})).status).toBe(202)
    await pollUntil(
      () => receiver.received.length,
      count => count === 5,
    )
    expect((await control.get(`deliveries?state=failing`)).body.deliveries).toEqual([])
    expect((await control.post('deliveries/resend', { state: 'failing' })).body).toEqual({ resent: 0, skipped: 0 })
    const again = await control.post('deliveries/resend', { state: 'delivered', transactionId: id })
    expect(again).toMatchObject({ status: 202, body: { resent: 4, skipped: 0 } })
    expect((await control.post('deliveries/resend', {})).status).toBe(400)
    expect((await control.post('deliveries/resend', { state: 'lost' })).status).toBe(400)
  })

  test('secrets are returned once; during a rotation both sign, afterwards only the new one', async () => {
    const simulator = await startScopedSimulator()
    const control = organizationControl(simulator)
    const merchant = merchantOf(simulator)
    const receiver = await openWebhookReceiver()
    const first = (await control.post('webhooks', { url: receiver.url, types: ['PAYMENT_INITIATE'] })).body
    expect(first.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const path = `webhooks/${first.endpointId}`
    expect((await control.get(path)).body.secret).toBeUndefined()
    expect(JSON.stringify((await control.get('webhooks')).body)).not.toContain(first.secret)
    const second = (await control.post(`${path}/rotate`, { overlap: 'PT1H' })).body
    expect([second.secret === first.secret, second.secrets.length]).toEqual([false, 2])
    const last = async () => {
      const before = receiver.received.length
      await initiateIris(merchant)
      const all = await pollUntil(
        () => receiver.received,
        list => list.length > before,
      )
      return received(all.at(-1) as RecordedWebhook)
    }
    const overlapping = await last()
    expect(overlapping.header('webhook-signature')?.split(' ')).toHaveLength(2)
    for (const { secret } of [first, second])
      expect(await merchant.verifyWebhook(overlapping, [secret])).toMatchObject({ ok: true })
    await control.advance('PT1H')
    const after = await last()
    expect((await merchant.verifyWebhook(after, [first.secret])).ok).toBe(false)
    expect((await merchant.verifyWebhook(after, [second.secret])).ok).toBe(true)
    const third = (await control.post(`${path}/rotate`, { overlap: 'PT0S' })).body
    const atOnce = await last()
    expect(atOnce.header('webhook-signature')?.split(' ')).toHaveLength(1)
    expect((await merchant.verifyWebhook(atOnce, [third.secret])).ok).toBe(true)
  })

  test('endpoints are changed, disabled, tested, replayed and deleted', async () => {
    const simulator = await startScopedSimulator()
    const control = organizationControl(simulator)
    const receiver = await openWebhookReceiver()
    const { endpointId } = (await control.post('webhooks', { url: 'http://127.0.0.1:9/' })).body
    const path = `webhooks/${endpointId}`
    const changed = await patch(simulator, path, { url: receiver.url, types: ['PAYMENT_INITIATE'], enabled: false })
    expect(changed.body).toMatchObject({ url: receiver.url, enabled: false, disabled: { reason: 'Disabled by hand.' } })
    await initiateIris(merchantOf(simulator))
    expect((await control.post(`${path}/replay`, { since: '2020-01-01T00:00:00Z' })).status).toBe(409)
    expect((await control.post(`${path}/test`, {})).status).toBe(409)
    expect((await patch(simulator, path, { enabled: true })).body).toMatchObject({ enabled: true })
    expect((await control.post(`${path}/replay`, { since: '2020-01-01T00:00:00Z' })).body).toEqual({ replayed: 1 })
    for (const since of ['yesterday', '2020-02-30T00:00:00Z', '2020-01-01T00:00:00'])
      expect((await control.post(`${path}/replay`, { since })).status).toBe(400)
    expect((await control.post(`${path}/test`, {})).status).toBe(202)
    await pollUntil(
      () => receiver.received.map(({ json }) => json.notificationType).sort(),
      types => types.join() === 'PAYMENT_INITIATE,PING',
    )
    expect((await control.delete(path)).status).toBe(200)
    expect((await control.get(path)).status).toBe(404)
    expect((await control.delete(path)).status).toBe(404)
  })

  // biome-ignore format: a table reads by its columns
  test.each([
    [{},                                                         'url'],
    [{ url: 7 },                                                 'url'],
    [{ url: 'ftp://shop.example' },                              'url'],
    [{ url: 'http://me:pw@shop.example/' },                      'url'],
    [{ url: 'http://shop.example/', types: [] },                 'types'],
    [{ url: 'http://shop.example/', types: ['PAYMENT'] },        'types'],
    [{ url: 'http://shop.example/', types: 'PAYMENT_REFUND' },   'types'],
    [{ url: 'http://shop.example/', secret: 'mine' },            'secret'],
  ])('the endpoint %j is refused with a message about %s', async (wish, member) => {
    const { status, body } = await organizationControl(await startScopedSimulator()).post('webhooks', wish)
    expect([status, body.error]).toEqual([400, expect.stringContaining(member)])
  })

  test('neither calls nor a stop wait for a receiver that hangs', async () => {
    const simulator = await startScopedSimulator({ webhookTimeout: HOUR })
    const merchant = merchantOf(simulator)
    const hanging = await openWebhookReceiver(() => ({ silent: true }))
    await organizationControl(simulator).post('webhooks', { url: hanging.url })
    await initiateIris(merchant)
    await pollUntil(
      () => hanging.received.length,
      count => count === 1,
    )
    for (let n = 0; n < 5; n += 1) expect((await merchant.initiate(irisRequestOf(merchant))).status).toBe(200)
    await simulator.stop()
  })

  test('receivers with a certificate of another authority are trusted only with --webhook-ca', async () => {
    const first = await startScopedSimulator()
    const parts = { now: Date.now, ids: createIds() }
    const root = await createCertificateAuthority(parts)
    const { certificate, privateKey } = await (await openCertificateAuthority(root, parts)).issueServer(['localhost'])
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'ca.pem'), root.certificate)
    const seen: string[] = []
    const server = createServer({ cert: certificate, key: privateKey }, (request, response) => {
      seen.push(request.url ?? '')
      request.resume().on('end', () => response.end())
    })
    await new Promise<void>(resolve => server.listen(0, resolve))
    onTestFinished(() => void server.close())
    const url = `https://localhost:${(server.address() as AddressInfo).port}/hooks`
    const outcomeOf = async (simulator: ScopedSimulator) => {
      const control = organizationControl(simulator)
      const { endpointId } = (await control.post('webhooks', { url })).body
      const { deliveryId } = (await control.post(`webhooks/${endpointId}/test`, {})).body
      const look = async () => (await control.get(`deliveries/${deliveryId}`)).body
      const told = await pollUntil(look, ({ attempts }) => attempts.length > 0)
      return told.attempts[0].response?.status ?? told.attempts[0].error
    }
    expect(await outcomeOf(first)).toMatch(/certificate|CERT/i)
    expect(seen).toEqual([])
    expect(await outcomeOf(await startScopedSimulator({ webhookCa: join(folder, 'ca.pem') }))).toBe(200)
    const dataDir = join(folder, 'data')
    const refused = startScopedSimulator({ dataDir, webhookCa: join(folder, 'none.pem') })
    await expect(refused).rejects.toThrow(/check --webhook-ca/)
    await startScopedSimulator({ dataDir }) // the refused start holds no locks
  })
})
