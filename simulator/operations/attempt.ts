import type { Ids } from '../ids.ts'
import { supportsOn } from '../payments/capabilities.ts'
import { LIFETIMES } from '../payments/deadlines.ts'
import { type Ask, askUnder, type Met, toldBy, wireOf } from '../providers/asking.ts'
import { faultRow, type WireFault } from '../providers/faults.ts'
import { ensure, Refusal, refusalBody } from '../refusal.ts'
import type { Choice } from '../scenarios/choose.ts'
import type { LateCall, Loaded, Reply, Save } from '../store/port.ts'
import { armedFor } from './armed-for.ts'
import { fingerprintOf } from './idempotency.ts'
import type { Context, Decision, OperationCall, Registered, Rules } from './operation.ts'
import { chosenFor, noteOf, type ScriptNote, scriptedBy, spentOn, usedBy } from './script.ts'

/** The world around a call: on the organization's clock. */
export type World = { ids: Ids; rules: Rules; now: number }

export type Executed = Reply & {
  replayed: boolean
  refusal?: Refusal | undefined
  /** What is to happen to the answer on its way. */
  wire?: WireFault | undefined
  /** Who answered, and how that came about. */
  script?: ScriptNote | undefined
}

export type Attempt = { executed: Executed; save: Save }

/** Decides on a call, and on all that is left behind: the change, what the key remembers, the fault that was met. */
export const attempt = (call: OperationCall, registered: Registered, loaded: Loaded, world: World): Attempt => {
  const choice = chosenFor(call, loaded, world.rules)
  const provider = askUnder(armedFor(call, loaded), scriptedBy(choice, loaded))
  const rememberUnderKey = remembering(call, world.now)
  const script = noteOf(choice)
  const spent = (met: Met | undefined) => spentOn(met, call, loaded, world.now)
  const used = () => (provider.asked() ? usedBy(choice, call) : {})
  try {
    const context = contextOf(call, loaded, world, provider.ask, choice)
    const { answer, contentType, ...saved } = decideOn(call, registered, loaded, context)
    const body = typeof answer === 'string' ? answer : JSON.stringify(answer)
    const reply = { http: 200, body, ...(contentType === undefined ? {} : { contentType }) }
    const met = provider.met()
    const lost = met && faultRow(met.kind, met.done)?.told
    return {
      executed: { ...(lost ? refused(toldBy(met), call) : { ...reply, replayed: false }), ...onWire(met), script },
      save: { ...saved, ...spent(met), ...used(), ...rememberUnderKey(reply) },
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const met = provider.met()
    const executed = refused(error, call)
    const late = met?.after !== undefined && faultRow(met.kind, met.done)?.action === 'later'
    return {
      executed: { ...executed, ...onWire(met), script },
      save: {
        ...spent(met),
        ...(late ? {} : used()),
        ...(error.row.remembered ? rememberUnderKey(executed) : {}),
        ...(late ? { late: lateCall(call, world.now + (met.after ?? 0)) } : {}),
      },
    }
  }
}

const refused = (refusal: Refusal, { callId }: OperationCall): Executed => ({
  http: refusal.row.http,
  body: JSON.stringify(refusalBody(refusal, callId)),
  replayed: false,
  refusal,
})

const onWire = (met: Met | undefined): Pick<Executed, 'wire'> => {
  const wire = met && wireOf(met)
  return wire ? { wire } : {}
}

/** Keeps an answer under the key of its call for 24 hours (I3). */
const remembering = (call: OperationCall, now: number) => {
  const { key } = call
  return ({ http, body }: Reply): Pick<Save, 'remember'> => {
    if (key === undefined) return {}
    const expiresAt = now + LIFETIMES.idempotencyKey
    return { remember: { key, fingerprint: fingerprintOf(call), reply: { http, body }, expiresAt } }
  }
}

/** A call that the provider will only carry out at `dueAt`; until then it locks its payment and its key (7.1: 423). */
const lateCall = (call: OperationCall, dueAt: number): LateCall => ({
  key: call.key ?? call.callId,
  fingerprint: fingerprintOf(call),
  transactionId: call.request.transactionId,
  dueAt,
  call: JSON.stringify(call),
})

const contextOf = (
  call: OperationCall,
  loaded: Loaded,
  { ids, rules, now }: World,
  ask: Ask,
  { mocked, arranged, scenario, step }: Choice,
): Context => ({
  organizationId: call.organizationId,
  now,
  ids,
  rules,
  accountIds: call.accountIds,
  supports: supportsOn(call.capabilities),
  pagesUrl: call.pagesUrl,
  blikCode: loaded.blikCode,
  mandate: loaded.mandate,
  ask,
  mocked,
  scripted: step !== undefined,
  arranged,
  plan: scenario?.webhooks,
})

const decideOn = (call: OperationCall, registered: Registered, loaded: Loaded, context: Context): Decision => {
  if (registered.on === 'nothing') {
    ensureFree(loaded)
    return registered.decide(call.request as never, context)
  }
  if (registered.on === 'payments') {
    const { found, postings } = loaded
    return registered.decide(call.request as never, { ...context, found, postings })
  }
  const { payment, events } = loaded
  const { processingAccountId } = call.request
  const found = payment && (processingAccountId === undefined || processingAccountId === payment.processingAccountId)
  ensure(found, 'PAYMENT_NOT_FOUND', 'There is no such payment.')
  ensureFree(loaded)
  return registered.decide(call.request as never, { ...context, payment, events })
}

/** While the provider's answer is awaited nothing else moves the payment (7.1: 423). */
const ensureFree = ({ late }: Loaded): void =>
  ensure(!late, 'PAYMENT_LOCKED', 'The answer of the provider is still awaited: try again shortly, with the same key.')
