import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Store } from '../../simulator/store/store.ts'
import { openTestStore } from '../support/open-test-store.ts'
import type { RawResponse } from '../support/raw-http.ts'
import { identityOf, irisInitiateBody, openRawSandbox, type RawSandbox } from '../support/raw-request-sandbox.ts'

/** Calls of the store in order, with the type of each result. */
const asked: string[] = []
const ACCOUNT = 'demo-merchant-account-1'

type Decide = { decide(loaded: Record<string, unknown>): unknown }

/** A unit of work that records which data its decision gets. */
const watched = (work: unknown): unknown => {
  if (typeof (work as Partial<Decide> | undefined)?.decide !== 'function') return work
  const { decide } = work as Decide
  return {
    ...(work as Decide),
    decide: (loaded: Record<string, unknown>) => {
      const given = Object.keys(loaded).filter(name => loaded[name] !== undefined)
      asked.push(`decides by ${given.sort().join()}`)
      return decide(loaded)
    },
  }
}

/** A store that records its calls, without their arguments. */
const noted = (store: Store): Store =>
  new Proxy(store, {
    get: (target, name) => {
      const member = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return async (...values: unknown[]) => {
        const found = await member.apply(target, values.map(watched))
        asked.push(`${String(name)} → ${typeof found}`)
        return found
      }
    },
  })

const folder = mkdtempSync(join(tmpdir(), 'assay-foreign-'))
let sandbox: RawSandbox
let foreign: string
const missing = '01a1ff8e-f322-772a-b366-000000000000'

beforeAll(async () => {
  sandbox = await openRawSandbox({
    config: { unknownMembers: 'ignore' },
    parts: { store: noted(await openTestStore(folder)) },
  })
  const { other } = sandbox
  const body = irisInitiateBody({ processingAccountId: 'other-merchant-account-1' })
  const answer = await sandbox.send(await sandbox.sign({ merchant: other, body }), { identity: identityOf(other.kit) })
  foreign = (answer.json() as { transactionId: string }).transactionId
})

afterAll(async () => {
  await sandbox.close()
  rmSync(folder, { recursive: true })
})

/** Status, headers and body without members that differ in every response. */
const seen = ({ status, headers, json }: RawResponse) => {
  const { callId, ...body } = json() as Record<string, unknown>
  const [names, sizes] = [[...headers.keys()], Number(headers.get('content-length')?.[0])]
  return { status, names, sizes, body, callId: typeof callId }
}

const act = { processingAccountId: ACCOUNT, clientTransactionId: 'act-1', paymentDetails: { description: 'x' } }

test.each(['status', 'events', 'finalize', 'capture', 'cancel', 'refund'])(
  '8: %s of a payment of another organization gives the same response by the same store calls as of none',
  async operation => {
    const tell = async (transactionId: string) => {
      const isRead = operation === 'status' || operation === 'events'
      const parts = isRead
        ? { target: `/payments/${transactionId}/${operation}` }
        : { target: `/payments/${operation}`, body: { ...act, transactionId } }
      const message = await sandbox.sign(parts)
      asked.length = 0
      const answer = seen(await sandbox.send(message))
      return { ...answer, asked: asked.filter(line => !line.startsWith('deleteExpired')) } // retention, not part of the call
    }
    const [ofAnother, ofNobody] = [await tell(foreign), await tell(missing)]
    expect(ofAnother).toEqual(ofNobody)
    expect(ofNobody.status).toBe(404)
    expect(ofNobody.asked.length).toBeGreaterThan(0)
  },
)
