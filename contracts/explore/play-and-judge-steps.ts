import type { Exchange } from '../client/http-exchange.ts'
import { Blocked } from '../harness/judge/verdict-errors.ts'
import { findField, readField } from '../harness/profile/response-fields-and-line-advice.ts'
import type { Rules } from '../model/decided-rules-of-deployment.ts'
import { statesAfterShopper, statesInTime } from '../model/effects-of-time-and-shopper.ts'
import { statesAfterAll } from '../model/linearize.ts'
import type { Call, JudgedResponse } from '../model/model-call-and-judged-response.ts'
import { codeMade, EMPTY_MODEL_STATE, type ModelState } from '../model/model-state.ts'
import { permitted } from '../model/permitted-outcomes-of-call.ts'
import { composeCall } from './compose/compose-call.ts'
import { invalidRequest } from './invalid-requests.ts'
import type { KnownPayment, SentCall, Stage } from './organizations-and-values-of-play.ts'
import { describeResponse } from './read-response.ts'
import { type Made, type Sending, sendAll } from './send-steps.ts'
import type { Step } from './step.ts'
import { waitForEffects } from './wait-for-effects.ts'

/** An exploration step that was played, with its call and response; a step of the shopper or of time has neither. */
export type PlayedStep = { step: Step; call?: Call; response?: JudgedResponse; exchange?: Exchange }

/**
 * A violation of the contract that exploration found: a response that is permitted in no state in which the service
 * may have been.
 */
export type Violation = { step: Step; clauses: readonly string[]; expected: readonly string[]; got: string }

/**
 * State of one play of an explored sequence: the steps that were made, the model states that explain them, and the
 * first violation. Judged in part is one that went on when too many states explained it. `unapproved` counts the times
 * that the driver of the profile failed to have a shopper approve.
 */
export type Play = {
  played: PlayedStep[]
  states: readonly ModelState[]
  violation?: Violation
  isJudgedInPart?: true
  unapproved?: number
}

export const newPlay = (): Play => ({ played: [], states: [EMPTY_MODEL_STATE] })

/** Most states that a play follows; one that needs more is not judged further. */
const MOST_STATES = 512

/** Plays the next steps of a sequence: one, or several at once; returns the play with them, judged. */
export const playOn = async (stage: Stage, play: Play, steps: readonly Step[], rules: Rules): Promise<Play> => {
  const [step] = steps
  if (play.violation || !step) return play
  if (step.do === 'pass' || step.do === 'shopper' || step.do === 'code') return playBeside(stage, play, step, rules)
  const sent: Sending[] = []
  for (const one of steps) {
    const call = await composeCall(stage, one)
    if (!call) continue
    sent.push({ step: one, sent: call })
    stage.sent.set(one.id, one.wrong && !invalidRequest(one.wrong).members ? unbroken(call) : call)
  }
  const judge = (all: readonly Made[]) => statesAfterAll(withCodes(play.states, all), all, rules)
  const made = await sendAll(stage, sent, all => judge(all).length > 0)
  const played = [...play.played, ...made]
  if (made.length === 0) return { ...play, played }
  const known = withCodes(play.states, made)
  if (known.length > MOST_STATES) return { ...play, played, isJudgedInPart: true }
  const states = judge(made)
  for (const one of made) note(stage, one, states)
  if (states.length === 0) return { ...play, played, states: known, violation: violationOf(known, made, rules) }
  if (stage.isPatient) await waitForEffects(stage, made, { before: known, after: states }, rules)
  return { ...play, played, states }
}

/** A call that only its headers made faulty can be repeated as it should have been. */
const unbroken = ({ broken: _, ...sent }: SentCall): SentCall => {
  const { broken: __, ...call } = sent.call
  return { ...sent, call }
}

/** Notes the ids and tokens by which later steps name what this one made. */
const note = (
  { profile, payments }: Stage,
  { step, call, response, exchange }: Made,
  states: readonly ModelState[],
): void => {
  if (response.http === 0) return
  if (call.operation === 'finalize') {
    const [known, token] = [payments.get(call.payment ?? ''), findField(profile, exchange, 'finalize.paymentToken')]
    if (known && token !== undefined) known.token = String(token)
  }
  if (call.operation !== 'initiate' && call.operation !== 'charge') return
  const isNew = states.some(state => state.payments[step.id] !== undefined)
  const name = isNew ? step.id : (step.again ?? step.id)
  const { transactionId } = response
  if (call.operation === 'initiate' && response.http < 300 && !response.declined && payments.size === 0)
    readField(profile, exchange, 'initiate.transactionId') // without one nothing can be explored
  const isReplay = !isNew && [...payments.values()].some(known => known.transactionId === transactionId)
  if (transactionId === undefined || payments.has(name) || isReplay) return
  payments.set(name, {
    transactionId,
    initiated: exchange,
    reference: call.reference ?? '',
    method: call.method ?? 'BLIK',
    owner: call.by,
    account: call.account,
  })
}

/** A one-time code that an initiate brings along is new, and lives for 120 seconds (R6). */
const withCodes = (states: readonly ModelState[], made: readonly Made[]): readonly ModelState[] => {
  const fresh = made.filter(({ call: { code } }) => code)
  const madeAt = ({ codeMadeAt, sentAt, receivedAt }: Call) => ({ sentAt: codeMadeAt ?? sentAt, receivedAt })
  return states.map(state => fresh.reduce((one, { call }) => codeMade(one, call.code ?? '', madeAt(call)), state))
}

/** Plays a step of the shopper or of time, which is no call. */
const playBeside = async (stage: Stage, play: Play, step: Step, rules: Rules): Promise<Play> => {
  const { organizations, payments } = stage
  const sentAt = stage.now()
  const played = [...play.played, { step }]
  if (step.do === 'pass') {
    await Promise.all(Object.values(organizations).map(({ clock }) => clock.pass(step.time ?? 'PT0S')))
    return { ...play, played }
  }
  if (step.do === 'code') {
    stage.codes.set(step.id, await organizations.first.control.oneTimeCode())
    const at = { sentAt, receivedAt: stage.now() }
    return { ...play, played, states: play.states.map(state => codeMade(state, step.id, at)) }
  }
  const payment = payments.get(step.on ?? '')
  if (payment?.transactionId === undefined) return play
  const decision = step.decision ?? 'approve'
  const isTold = await tellShopper(stage, payment, decision).then(
    () => true,
    () => false,
  )
  if (!isTold) return stage.profile.control ? play : { ...play, unapproved: (play.unapproved ?? 0) + 1 }
  const call: Call & { payment: string } = {
    operation: 'finalize',
    by: payment.owner,
    payload: '',
    account: '',
    payment: step.on ?? '',
    sentAt,
    receivedAt: stage.now(),
  }
  return { ...play, played, states: statesAfterShopper(play.states, call, decision, rules) }
}

/** Has the shopper of a payment decide: by control, else by the driver of the profile, which waits until it shows. */
const tellShopper = async (
  { profile, organizations }: Stage,
  { transactionId = '', initiated, method, owner }: KnownPayment,
  decision: 'approve' | 'decline',
): Promise<unknown> => {
  const { control, shopper } = organizations[owner]
  if (profile.control) return control.tryShopper(transactionId, decision)
  if (!initiated) throw new Blocked(`no response to the initiate of ${transactionId} is known`)
  return shopper.act({ transactionId, initiated, provider: method }, decision)
}

/** Tells what was permitted in place of the responses that no state explains; of several at once, of the last one. */
const violationOf = (states: readonly ModelState[], made: readonly Made[], rules: Rules): Violation => {
  const alone = made.find(({ call, response }) => statesAfterAll(states, [{ call, response }], rules).length === 0)
  const { step, call, response } = alone ?? (made.at(-1) as Made)
  const outcomes = states
    .flatMap(state => statesInTime(state, call, rules))
    .flatMap(state => permitted(state, call, rules))
  return {
    step,
    clauses: [...new Set(outcomes.flatMap(({ clause }) => clause.split(', ')))],
    expected: alone
      ? [...new Set(outcomes.map(({ expect }) => expect.text))]
      : ['the responses that some order of the calls explains'],
    got: describeResponse(response),
  }
}
