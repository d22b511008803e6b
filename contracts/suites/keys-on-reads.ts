import { randomUUID } from 'node:crypto'
import type { CallParts } from '../client/endpoint-call.ts'
import type { CheckScenario } from '../harness/judge/check.ts'
import type { CheckContext } from './context/check-context.ts'
import { expectKeyIgnored } from './evidence/expect-key-ignored.ts'
import { expectPremise } from './evidence/expect-premise.ts'
import { repeatCall } from './given/content-of-recorded-call.ts'
import { anyPayment, readTransactionId } from './given/create-payments.ts'

const READS = ['status', 'events', 'search', 'providers'] as const
const KINDS = ['long', 'empty', 'used'] as const

type Read = (typeof READS)[number]
type Step = 'initiated' | 'after a read' | Read | `${Read} ${(typeof KINDS)[number] | 'again'}`

/** Scenario with checks of reads whose Idempotency-Key is long, empty or that of an operation, and the reverse (E1). */
export const keysOnReads: CheckScenario<CheckContext, Step> = {
  name: 'reads with any key',
  tier: 3,
  needs: ['fields.initiate.transactionId'],
  play: async (context, keep, chosen) => {
    const { merchant, profile } = context
    const json = await anyPayment(profile, context)
    const initiated = await keep('initiated', merchant.request('initiate', { json }))
    const path = { transactionId: readTransactionId(profile, initiated) }
    const { clientTransactionId } = json
    const parts: Readonly<Record<Read, CallParts>> = {
      status: { path },
      events: { path },
      search: { json: { clientTransactionId } },
      providers: { json: {} },
    }
    const ofRead = randomUUID()
    const keys = { long: 'k'.repeat(100), empty: '', used: repeatCall(initiated).idempotencyKey ?? '' }
    const read = (name: Read, key?: string) =>
      merchant.request(name, { ...parts[name], ...(key !== undefined && { headers: { 'idempotency-key': key } }) })
    for (const name of READS) {
      await keep(name, read(name))
      for (const kind of KINDS) await keep(`${name} ${kind}`, read(name, keys[kind]))
      await keep(`${name} again`, read(name))
      await read(name, ofRead)
    }
    if (!chosen.has('IDM-52')) return
    const other = await anyPayment(profile, context)
    await keep('after a read', merchant.request('initiate', { json: other, idempotencyKey: ofRead }))
  },
  checks: [
    {
      id: 'IDM-51',
      clause: 'E1',
      title: 'reads take no notice of a key that is long, empty, or that of an operation',
      control: 'RDS-01',
      judge: (evidence, expect) => {
        for (const name of READS) {
          const plain = evidence.of(name)
          expectPremise(plain, `${name} without a key`, expect)
          const others = { earlier: evidence.of('initiated'), plain: [plain, evidence.of(`${name} again`)] as const }
          for (const kind of KINDS) expectKeyIgnored(evidence.of(`${name} ${kind}`), others, expect)
        }
      },
    },
    {
      id: 'IDM-52',
      clause: 'E1, I2',
      title: 'a key that reads had is a fresh one for an operation',
      control: 'VAL-02',
      judge: (evidence, expect) => {
        expectPremise(evidence.of('initiated'), 'initiate', expect)
        expect.served(evidence.of('after a read'))
        expect.field(evidence.of('after a read'), 'initiate.transactionId')
      },
    },
  ],
}
