import { randomUUID } from 'node:crypto'
import { assumed } from '../harness/judge/check.ts'
import { UNSTATED_STATUSES } from '../protocol/reason-codes.ts'
import { singleCallScenario } from './check-builders/single-call-checks.ts'
import { unknownId } from './given/create-payments.ts'
import { captureBody, uniqueReference } from './given/request-bodies.ts'

/**
 * Scenario with checks that endpoints that must not exist are refused: settle (R4), and `mock/set` in production (1).
 */
export const endpointsThatMustNotExist = singleCallScenario({ name: 'calls that there must not be', tier: 2 }, [
  {
    id: 'LIF-06',
    clause: 'R4',
    title: 'no settle operation answers',
    ...assumed('D-14'),
    control: 'MTLS-01',
    refused: { status: 404, or: UNSTATED_STATUSES.method },
    send: async ({ merchant, account, profile }) => {
      const body = Buffer.from(JSON.stringify(captureBody(account, unknownId(profile))))
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
    refused: { or: UNSTATED_STATUSES.method },
    send: ({ merchant, account }) => {
      const key = { type: 'CLIENT_TRANSACTION_ID', value: uniqueReference() }
      return merchant.request('mockSet', { json: { processingAccountId: account, key, type: 'MOCK', oneTime: true } })
    },
  },
])
