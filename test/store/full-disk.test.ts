import { describe, expect, test, vi } from 'vitest'
import { readKit } from '../../contracts/client/credentials.ts'
import type { Merchant } from '../../contracts/client/merchant-client.ts'
import { canSetLimits, simulateFullDisk } from '../support/limit-process-resources.ts'
import { pollUntil } from '../support/poll-until.ts'
import { startServe } from '../support/serve-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { irisRequestOf, merchantWith } from '../support/test-scoped-simulator.ts'

vi.setConfig({ testTimeout: 90_000 })

/** Merchant options with a long timeout, for a busy machine. */
const PATIENT = { timeoutMs: 60_000 }

const control = async (pagesUrl: string, path: string, body: object = {}) => {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const answer = await fetch(`${pagesUrl}/control/organizations/demo-merchant/${path}`, init)
  // biome-ignore lint/suspicious/noExplicitAny: read by name
  return { status: answer.status, body: (await answer.json()) as any }
}

describe.skipIf(!canSetLimits)('7.1, I3: a disk that becomes full while the sandbox runs', () => {
  test('fails writes with 500 without using up keys, serves reads, and recovers when there is space', async () => {
    const folder = temporaryFolder()
    const { child, said, ended, pagesUrl, kitFile } = await startServe(folder)
    const merchant = merchantWith(readKit(kitFile))
    const before = await merchant.initiate(irisRequestOf(merchant))
    const transactionId = before.ok ? before.body.transactionId : ''
    const wanted = { ...irisRequestOf(merchant), clientTransactionId: 'the-one' }

    simulateFullDisk(child.pid, true)
    const [refused, status, found] = await Promise.all([
      merchant.initiate(wanted, { idempotencyKey: 'the-key' }),
      merchant.status(transactionId),
      merchant.search({ clientTransactionId: 'order-1' }),
    ])
    expect([refused.status, refused.ok || refused.refusal?.statusInfo?.reasonCode]).toEqual([500, '9999'])
    expect([status.status, found.ok && found.body.payments.length]).toEqual([200, 1])
    expect((await control(pagesUrl, 'clock', { advance: 'PT1H' })).status).toBe(500) // the window ends on the way
    expect((await merchant.status(transactionId)).ok).toBe(true)
    await pollUntil(
      () => said.stderr,
      text => text.includes('\n'),
    )

    simulateFullDisk(child.pid, false)
    const done = await merchant.initiate(wanted, { idempotencyKey: 'the-key' })
    const again = await merchant.initiate(wanted, { idempotencyKey: 'the-key' })
    expect([done.status, again.exchange.response?.body]).toEqual([200, done.exchange.response?.body])
    expect(done.exchange.response?.headers['idempotency-replayed']).toBeUndefined()
    const once = await merchant.search({ clientTransactionId: 'the-one' })
    expect(once.ok && once.body.payments.length).toBe(1)
    expect((await control(pagesUrl, 'clock/drain')).body.next).toBe(null)
    const after = await merchant.status(transactionId)
    expect(after.ok && after.body.lifecycle?.state).toBe('EXPIRED')

    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    expect(said.stderr).toBe(
      `The disk that holds ${folder} is full: free some space or choose another --data-dir. ` +
        'Until then calls that would change something are answered with 500, and their keys stay unused.\n',
    )
  })

  test('loses no acknowledged payment under load, also when the process is killed, and keys replay', async () => {
    const folder = temporaryFolder()
    const first = await startServe(folder)
    const merchant = merchantWith(readKit(first.kitFile), PATIENT)
    await merchant.tokenFor()
    const buy = async (buyer: Merchant, key: string) => {
      const { response } = await buyer.request('initiate', { json: irisRequestOf(buyer), idempotencyKey: key })
      return { key, status: response?.status, body: response?.body.toString() }
    }
    const waiting = Array.from({ length: 80 }, (_, at) => `key-${at}`).values()
    const answers: Awaited<ReturnType<typeof buy>>[] = []
    const shop = async () => {
      for (const key of waiting) {
        answers.push(await buy(merchant, key))
        if (answers.length === 20) simulateFullDisk(first.child.pid, true)
      }
    }
    await Promise.all(Array.from({ length: 10 }, shop))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 500]))
    first.child.kill('SIGKILL')
    await first.ended

    const again = merchantWith(readKit((await startServe(folder)).kitFile), PATIENT)
    for (const { key, status, body } of answers) {
      const now = await buy(again, key)
      expect(now.status).toBe(200)
      if (status === 200) expect(now.body).toBe(body)
    }
    const found = await again.search({ limit: 100 })
    expect(found.ok && found.body.payments.length).toBe(answers.length)
  })
})
