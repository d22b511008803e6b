import { randomUUID } from 'node:crypto'
import { UNSTATED } from '../protocol/reason-codes.ts'
import { captureOf } from './bodies.ts'
import { unknownId } from './given.ts'
import { probing } from './probe.ts'

/** What must not be there: a call to settle (R4), and mocks in production (1). */
export const absent = [
  probing({ name: 'calls that there must not be', tier: 2 }, [
    {
      id: 'LIF-06',
      clause: 'R4',
      title: 'no settle operation answers',
      basis: 'assumed',
      decisions: ['D-14'],
      control: 'MTLS-01',
      refused: { status: 404, or: UNSTATED.method },
      send: async ({ merchant, account, profile }) => {
        const body = Buffer.from(JSON.stringify(captureOf(account, unknownId(profile))))
        const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() }
        return merchant.send({
          method: 'POST',
          path: '/payments/settle',
          headers,
          body,
          token: await merchant.tokenFor(),
        })
      },
    },
    {
      id: 'MCK-24',
      clause: '1',
      title: 'production never sets a mock',
      control: 'TOK-01',
      exempt: ({ target }) => (target.environment === 'production' ? undefined : 'asked of production only'),
      refused: { or: UNSTATED.method },
      send: ({ merchant, account }) => {
        const key = { type: 'CLIENT_TRANSACTION_ID', value: `check-${randomUUID()}` }
        return merchant.request('mockSet', { json: { processingAccountId: account, key, type: 'MOCK', oneTime: true } })
      },
    },
  ]),
]
