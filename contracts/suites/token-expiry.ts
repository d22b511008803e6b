import { randomUUID } from 'node:crypto'
import type { CallParts } from '../client/endpoint-call.ts'
import { isServed } from '../client/http-exchange.ts'
import { yesterday } from '../client/wall-clock.ts'
import type { Check } from '../harness/judge/check.ts'
import type { KeepStep } from '../harness/judge/scenario-evidence.ts'
import { Blocked } from '../harness/judge/verdict-errors.ts'
import { OPERATIONS, type OperationName, REPORTS_SCOPE } from '../operations.ts'
import { gridRowCheck } from './check-builders/grid-row-check.ts'
import type { CheckContext } from './context/check-context.ts'
import type { TestOrganization } from './context/test-organization.ts'
import { anyPayment, initiate, readTransactionId } from './given/create-payments.ts'
import { fetchToken } from './given/harmless-calls.ts'
import { mockBody } from './given/mocks.ts'
import { begun, type TimedCheck } from './given/play-timed-checks.ts'
import {
  cancelBody,
  captureBody,
  chargeBody,
  finalizeBody,
  refundBody,
  uniqueReference,
} from './given/request-bodies.ts'
import { lackedOperation } from './grid/cell-judgments.ts'

const TOKEN_LIFE = 7200
const PAST_LIFE = TOKEN_LIFE + 300
const ID = 'fields.initiate.transactionId'

/** What a check of a limit in time plays with: its context, the organization whose time passes, and what it keeps. */
export type ExpiryScene = { context: CheckContext; organization: TestOrganization; keep: KeepStep<string> }

/** A check with the time between its beginning and its look; its judge reads the step of its own id first. */
export type ExpiryCheck = Check<string> & {
  seconds: number
  within?: string
  play(scene: ExpiryScene): Pick<TimedCheck, 'begin' | 'look'>
}

/** Fetches a token, and initiates a payment that nobody finishes. */
const tokenAndPayment = async ({ context, organization }: ExpiryScene) => ({
  bearer: await fetchToken(organization),
  transactionId: readTransactionId(context.profile, await initiate(organization, { will: 'wait' })),
})

/** Tokens that were fetched shortly before those of the beginning end. */
const fetchedLate = new WeakMap<ExpiryScene, { token: string }>()

/** Reads a status with a token of some age. */
const useToken = (id: string, scene: ExpiryScene, limitSeconds?: number) => {
  const { organization, keep } = scene
  return begun(
    () => tokenAndPayment(scene),
    async ({ bearer, transactionId }, ensureBefore) => {
      const exchange = await organization.merchant.request('status', { path: { transactionId } }, bearer)
      if (limitSeconds !== undefined && !isServed(exchange)) ensureBefore(limitSeconds)
      await keep(id, Promise.resolve(exchange))
      if (limitSeconds !== undefined) fetchedLate.set(scene, await fetchToken(organization))
    },
  )
}

/** Reads a status with a token that was fetched late, once those of the beginning have ended. */
const useLateToken = (id: string, scene: ExpiryScene) =>
  begun(
    () => tokenAndPayment(scene),
    async ({ transactionId }) => {
      const late = fetchedLate.get(scene)
      if (!late) throw new Blocked('no token was fetched before the first one ended')
      await scene.keep(id, scene.organization.merchant.request('status', { path: { transactionId } }, late))
    },
  )

type Prepare = (scene: ExpiryScene, transactionId: string) => CallParts | Promise<CallParts>

/** A call of each operation but status by which an expired token is tried; none gets as far as its payment. */
// biome-ignore format: a table reads by its columns
const CALLS: Readonly<Partial<Record<OperationName, Prepare>>> = {
  initiate:  async ({ context, organization }) => ({ json: await anyPayment(context.profile, organization) }),
  finalize:  ({ organization }, transactionId) => ({ json: finalizeBody(organization.account, transactionId) }),
  charge:    ({ organization }) => ({ json: chargeBody(organization.account, { payerId: uniqueReference() }) }),
  capture:   ({ organization }, transactionId) => ({ json: captureBody(organization.account, transactionId) }),
  cancel:    ({ organization }, transactionId) => ({ json: cancelBody(organization.account, transactionId) }),
  refund:    ({ organization }, transactionId) => ({ json: refundBody(organization.account, transactionId) }),
  events:    (_scene, transactionId) => ({ path: { transactionId } }),
  search:    () => ({ json: { clientTransactionId: uniqueReference() } }),
  providers: () => ({ json: { country: 'PL' } }),
  mockSet:   ({ organization }) => ({ json: mockBody(organization.account, { payer: uniqueReference(), oneTime: true }) }),
  reports:   () => ({ query: { from: yesterday(), to: yesterday() } }),
  downloadReport: () => ({ query: { reportId: randomUUID() } }),
}
const COLUMNS = Object.keys(CALLS) as OperationName[]

const useExpiredToken = (id: string, scene: ExpiryScene) => {
  const { context, organization, keep } = scene
  return begun(
    async () => ({
      ...(await tokenAndPayment(scene)),
      forReports: await fetchToken(organization, {}, REPORTS_SCOPE).catch(() => undefined),
    }),
    async ({ bearer, forReports, transactionId }) => {
      for (const column of COLUMNS) {
        if (lackedOperation(context.profile, column) !== undefined) continue
        const token = OPERATIONS[column].scope === REPORTS_SCOPE && forReports ? forReports : bearer
        const call = async () =>
          organization.merchant.request(column, await CALLS[column]?.(scene, transactionId), token)
        await keep(`${id} ${column}`, call()).catch(() => undefined)
      }
    },
  )
}

/** Checks that access tokens live for 7200 seconds, and no longer (7.3, 8). */
export const TOKEN_EXPIRY: readonly ExpiryCheck[] = [
  {
    id: 'TOK-19',
    clause: '8',
    title: 'a token just short of 7200 s still works',
    control: 'TOK-01',
    needs: ['time.PT2H', ID],
    seconds: TOKEN_LIFE - 10,
    within: 'PT9S',
    play: scene => useToken('TOK-19', scene, TOKEN_LIFE),
    judge: (evidence, expect) => expect.served(evidence.of('TOK-19')),
  },
  {
    id: 'TOK-18',
    clause: '7.3, 8',
    title: 'a token past 7200 s: 401 and 4061',
    control: 'TOK-19',
    needs: ['time.PT2H5M', ID],
    seconds: PAST_LIFE,
    play: scene => useToken('TOK-18', scene),
    judge: (evidence, expect) => expect.refused(evidence.of('TOK-18'), { status: 401, code: '4061' }),
  },
  {
    id: 'TOK-24',
    clause: '2.8, 5.3, 8',
    title: 'a token fetched just before another ends has a life of its own',
    control: 'TOK-19',
    needs: ['time.PT2H5M', ID],
    seconds: PAST_LIFE,
    play: scene => useLateToken('TOK-24', scene),
    judge: (evidence, expect) => expect.served(evidence.of('TOK-24')),
  },
  {
    ...gridRowCheck({
      id: 'TOK-22',
      clause: '5.3, 7.3, 8',
      title: 'a token past 7200 s opens no other operation: 401 and 4061',
      control: 'TOK-18',
      needs: ['time.PT2H5M', ID],
      exemptCell: lackedOperation,
      cells: COLUMNS.map(column => ({
        column,
        clause: '7.3, 8',
        judge: (evidence, expect) => expect.refused(evidence.of(`TOK-22 ${column}`), { status: 401, code: '4061' }),
      })),
    }),
    seconds: PAST_LIFE,
    play: scene => useExpiredToken('TOK-22', scene),
  },
]
