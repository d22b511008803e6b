import { createHash } from 'node:crypto'
import type { Clock } from '../clock.ts'
import type { Ids } from '../ids.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { LIFETIMES } from '../payments/deadlines.ts'
import { ensure, Refusal, refusalBody } from '../refusal.ts'
import type { Loaded, Reply, Save, Store } from '../store/port.ts'
import { canonicalJson } from './canonical-json.ts'
import type { Context, Decision, Operation, PaymentOperation, Rules } from './operation.ts'

/** One call to an operation, after every layer has let it pass. */
export type OperationCall = {
  organizationId: string
  accountIds: readonly string[]
  operation: string
  request: { transactionId?: string; processingAccountId?: string; payerDetails?: { oneTimeCode?: string } }
  /** Idempotency-Key of a mutating call (I1). */
  key: string | undefined
  callId: string
  pagesUrl: string
}

export type Executed = Reply & { replayed: boolean; refusal?: Refusal | undefined }

/** An operation and what it works on: nothing yet, or a payment that must exist. */
export type Registered =
  | { on: 'nothing'; decide: Operation<never> }
  | { on: 'payment'; decide: PaymentOperation<never>; events?: boolean }

type Parts = { store: Store; clock: Clock; ids: Ids; jobs: Jobs; rules: Rules }

/**
 * The one write path: replay what is remembered under the key, or load, decide and save in one piece.
 * Units of work never overlap, so that thirty identical calls at once have one effect (I3).
 */
export const createExecute =
  ({ store, clock, ids, jobs, rules }: Parts) =>
  async (call: OperationCall, registered: Registered): Promise<Executed> => {
    const { organizationId, request, key } = call
    await jobs.runDue(organizationId)
    const now = clock.now(organizationId)
    const fingerprint = key === undefined ? '' : fingerprintOf(call)
    const context = (loaded: Loaded): Context => ({
      organizationId,
      now,
      ids,
      rules,
      accountIds: call.accountIds,
      pagesUrl: call.pagesUrl,
      blikCode: loaded.blikCode,
    })
    const executed = await store.perform<{ executed: Executed; save?: Save }>({
      organizationId,
      now,
      needs: {
        transactionId: request.transactionId,
        blikCode: request.payerDetails?.oneTimeCode,
        key,
        events: registered.on === 'payment' && registered.events === true,
      },
      decide: loaded => {
        if (loaded.remembered) return { result: { executed: replay(loaded.remembered, fingerprint) } }
        const { executed, save, keep } = attempt(call, registered, loaded, context(loaded))
        const remember =
          keep && key !== undefined
            ? { key, fingerprint, reply: replyOf(executed), expiresAt: now + LIFETIMES.idempotencyKey }
            : undefined
        return { result: { executed, save }, save: { ...save, remember } }
      },
    })
    for (const { dueAt } of executed.save?.change?.deadlines ?? []) jobs.scheduled(organizationId, dueAt)
    return executed.executed
  }

const replyOf = ({ http, body }: Reply): Reply => ({ http, body })

/** Same key and same payload: the original answer; another payload or operation: 409 (I3, I4). */
const replay = (remembered: NonNullable<Loaded['remembered']>, fingerprint: string): Executed => {
  if (remembered.fingerprint !== fingerprint)
    throw new Refusal(
      'KEY_REUSED',
      'operation',
      'This Idempotency-Key was used with another payload or operation: use a fresh key for every operation.',
    )
  return { ...remembered.reply, replayed: true }
}

type Attempt = { executed: Executed; save: Save; keep: boolean }

const attempt = (call: OperationCall, registered: Registered, loaded: Loaded, context: Context): Attempt => {
  try {
    const { answer, change, usedCodeId } = decideOn(call, registered, loaded, context)
    return {
      executed: { http: 200, body: JSON.stringify(answer), replayed: false },
      save: { change, usedCodeId },
      keep: true,
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const body = JSON.stringify(refusalBody(error, call.callId))
    return {
      executed: { http: error.row.http, body, replayed: false, refusal: error },
      save: {},
      keep: error.row.remembered,
    }
  }
}

const decideOn = (call: OperationCall, registered: Registered, loaded: Loaded, context: Context): Decision => {
  if (registered.on === 'nothing') return registered.decide(call.request as never, context)
  const { payment, events } = loaded
  const { processingAccountId } = call.request
  const found = payment && (processingAccountId === undefined || processingAccountId === payment.processingAccountId)
  ensure(found, 'PAYMENT_NOT_FOUND', 'There is no such payment.')
  return registered.decide(call.request as never, { ...context, payment, events })
}

/** Two payloads are the same when their JSON values are: spacing and member order do not matter (D-20). */
const fingerprintOf = ({ operation, request }: OperationCall): string =>
  createHash('sha256')
    .update(`${operation}\n${canonicalJson(request)}`)
    .digest('base64url')
