import { type Exchange, isServed } from '../../client/http-exchange.ts'
import type { CheckScenario } from '../../harness/judge/check.ts'
import type { Expect } from '../../harness/judge/check-assertions.ts'
import { jsonAgrees } from '../../harness/judge/compare-shared-json-members.ts'
import { EmptyCell } from '../../harness/judge/judge-grid-cells.ts'
import type { Evidence, KeepStep } from '../../harness/judge/scenario-evidence.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import { withoutCallId } from '../../harness/profile/response-fields-and-line-advice.ts'
import { ACTS, type Act } from '../../operations.ts'
import { type Cell, gridRowCheck } from '../check-builders/grid-row-check.ts'
import type { CheckContext } from '../context/check-context.ts'
import { isUnsupported } from '../evidence/unsupported-operation.ts'
import { operationsOn } from '../given/calls-on-payment.ts'
import { ensureServed, waitForSettlement } from '../given/create-payments.ts'
import { isMet, readStatusUntil } from '../given/read-until.ts'
import {
  ensureStage,
  ensureSupported,
  expectRefusedUnlike,
  expectUnmoved,
  GRID_CONTROL,
  readStanding,
  readSteadily,
  standingRead,
  tellsHowItStands,
} from './cell-judgments.ts'
import { FURTHER_STATES } from './further-states.ts'
import { createEventsReader, FOUND, LEFT, RECORD_ROWS } from './payment-event-rows.ts'
import { createUnspoiled } from './payment-shared-by-forbidden-calls.ts'
import {
  BEGUN,
  FOUND_IN_STATE,
  FOUND_ROW,
  isSearched,
  noteBeginnings,
  searchForBegun,
} from './searches-in-each-state.ts'
import { isByHand, mandatePayer } from './signed-operation-columns.ts'
import {
  after,
  authorized,
  basisOf,
  captured,
  decisionOf,
  isForbidden,
  lackedIn,
  REFUSALS,
  STATES,
  type StateRow,
  stagesOf,
} from './states-and-their-acts.ts'
import { STANDS, UNMOVED, UNMOVED_ROW } from './unmoved-by-refusals-row.ts'

/** The row whose payment settles by itself (R4), and the read of a payment that was captured before it and left alone. */
const SETTLING = 'GRD-16'
/** Rows of payments that the shopper ended: the refusal of a capture may say how (7.2, 7.3). */
const ENDED = ['GRD-14', 'GRD-42']
const witnessOf = (id: string): string => `${id} captured before`

/** Step before the acts of a row that shows how its payment stands. */
const standingStep = (profile: Profile, id: string): string =>
  `${id} ${standingRead(profile) === 'status' ? 'before' : 'events'}`

const cellOf = (row: StateRow, act: Act): Cell => {
  const rule = row[act]
  const column = act
  if (rule === 'allowed') return { column, empty: 'the state allows it' }
  if (rule.startsWith('open: ')) return { column, empty: rule.slice('open: '.length) }
  return {
    column,
    clause: row.clause,
    judge: (evidence, expect) => {
      if (row.stages.length === 0) expect.served(evidence.of(`${row.id} before`))
      else ensureStage(evidence, expect, `${row.id} before`, stagesOf(row, expect.profile))
      if (rule === 'without effect') return expect.specified(() => expectWithoutEffect(evidence, expect, row, act))
      if (row.settles && act === 'refund' && isServed(evidence.of(`${row.id} ${act}`)))
        ensureStage(evidence, expect, witnessOf(row.id), row.stages)
      if (!isForbidden(rule)) return
      const [forbidden, correct] = [evidence.of(`${row.id} ${act}`), () => evidence.of(`${act} in time`)]
      if (row.ofAnyMethod && isUnsupported(expect.profile, forbidden))
        throw new EmptyCell(`there is no ${act} of a payment of this method (1, 7.1)`)
      ensureSupported(forbidden, correct, expect)
      const ended = ENDED.includes(row.id) && act === 'capture' ? ['2000', '2001'] : []
      const refusal = { ...REFUSALS[rule], code: [...[REFUSALS[rule].code].flat(), ...ended] }
      const judge = () => expectRefusedUnlike(forbidden, correct, expect, refusal)
      return decisionOf(rule) === undefined ? expect.specified(judge) : judge()
    },
  }
}

/**
 * Expects a refusal, or a response that changes nothing, as one that only tells how the payment stands (3, D-34). What had not
 * shown before may be the cause of a change.
 */
const expectWithoutEffect = (evidence: Evidence<string>, expect: Expect, row: StateRow, act: Act): void => {
  const [{ profile }, exchange] = [expect, evidence.of(`${row.id} ${act}`)]
  const before = standingStep(profile, row.id)
  const judge = (by: Expect) => expectUnmoved(evidence, by, before, `${row.id} after ${act}`)
  if (tellsHowItStands(profile, exchange)) {
    if (row.hasShown?.(profile, evidence.of(before)) === false && isMet(profile, judge) === false)
      expect.maybeLater('no effect of what was done before', evidence.of(before))
    judge(expect)
  } else expect.refused(exchange)
}

/** Tries what a state forbids, then what may only be without effect; returns a payment that is still in that state. */
const tryRow = async (
  play: Play,
  row: StateRow,
  first: Promise<string> = createIn(play, row),
  witness?: string,
): Promise<string> => {
  const { context, keep, chosen, readEvents } = play
  if (![row, UNMOVED_ROW, ...RECORD_ROWS, FOUND_ROW].some(({ id }) => chosen.has(id))) return first
  const payment = createUnspoiled(() => createIn(play, row), first)
  const tried = ACTS.filter(act => lackedIn(row)(context.profile, act) === undefined)
  const read = (step: string, how: (id: string) => Promise<Exchange>) =>
    keep(`${row.id} ${step}`, payment.current().then(how)).catch(() => undefined)
  const shownBy = stagesOf(row, context.profile)
  const stages = shownBy.includes('captured') ? [...shownBy, 'settled'] : shownBy
  /** Reads status and events, in which the payment may settle meanwhile. */
  const readBoth = async (steps: Readonly<Record<'status' | 'events' | 'still', string>>) => {
    const status = await read(steps.status, id =>
      stages.length === 0 ? operationsOn(context, id).status() : readStatusUntil(context.profile, context, id, stages),
    )
    const events = await read(steps.events, id => readEvents(id, status))
    if (row.id === SETTLING) await read(steps.still, id => operationsOn(context, id).status())
    return { status, events }
  }
  const shown = standingRead(context.profile)
  const standing = (await readBoth(FOUND))[shown]
  await lookUp(play, row, payment.current())
  const isComparedLater = chosen.has(UNMOVED) && STATES.includes(row)
  if (isComparedLater) await read(STANDS.first, id => readSteadily(context, id))
  let isRefunded = false
  for (const act of tried.filter(name => isForbidden(row[name]))) {
    const attempt = payment.attempt(id => operationsOn(context, id)[act]())
    const made = await keep(`${row.id} ${act}`, attempt).catch(() => undefined)
    isRefunded ||= act === 'refund' && made !== undefined && isServed(made)
  }
  if (witness !== undefined)
    await keep(witnessOf(row.id), operationsOn(context, witness).status()).catch(() => undefined)
  else if (row.settles && isRefunded) await refundBeside(play, row).catch(() => undefined)
  for (const act of tried.filter(name => row[name] === 'without effect')) {
    const on = payment.current().then(id => operationsOn(context, id))
    const made = await keep(
      `${row.id} ${act}`,
      on.then(it => it[act]()),
    ).catch(() => undefined)
    if (!made || !tellsHowItStands(context.profile, made)) continue
    const since = await read(`after ${act}`, id => operationsOn(context, id)[shown]())
    if (!jsonAgrees(withoutCallId(context.profile, since ?? made), withoutCallId(context.profile, standing ?? made)))
      payment.spoil()
  }
  if (isComparedLater) await read(STANDS.last, id => readStanding(context, id))
  if ((await payment.current()) !== (await first)) await readBoth(LEFT)
  return payment.current()
}

/** Brings a payment to the state of a row. */
const createIn = ({ context, payer }: Play, row: StateRow): Promise<string> => row.create(context, { payer })

/** Searches for the payment of a row by its reference, and keeps the call that began it. */
const lookUp = async ({ context, keep, chosen, beginningOf }: Play, row: StateRow, payment: Promise<string>) => {
  const begun = chosen.has(FOUND_IN_STATE) && isSearched(row) && (await payment.then(beginningOf, () => undefined))
  if (!begun) return
  await keep(`${row.id} ${BEGUN.call}`, Promise.resolve(begun.exchange))
  await keep(`${row.id} ${BEGUN.found}`, searchForBegun(context, begun)).catch(() => undefined)
}

/**
 * Where the refund of a row was served, its payment may have settled by then: refunds another one, beside one that was
 * captured before it and shows whether any has.
 */
const refundBeside = async (play: Play, row: StateRow): Promise<void> => {
  const { context, keep } = play
  const [witness, late] = [await createIn(play, row), await createIn(play, row)]
  await keep(`${row.id} refund`, operationsOn(context, late).refund())
  await keep(witnessOf(row.id), operationsOn(context, witness).status())
}

type Play = {
  context: CheckContext
  keep: KeepStep<string>
  chosen: ReadonlySet<string>
  /** A payer who can be charged, the same for all rows. */
  payer(): Promise<{ payerId: string }>
  beginningOf: ReturnType<typeof noteBeginnings>['beginningOf']
  readEvents: ReturnType<typeof createEventsReader>
}

/** Scenario with grid checks of state × act: what a state forbids is refused, and changes nothing (3, R1 to R5). */
export const lifecycleGrid: CheckScenario<CheckContext> = {
  name: 'every act in each state',
  tier: 3,
  play: async (given, keep, chosen) => {
    const { context, beginningOf } = noteBeginnings(given)
    let known: ReturnType<Play['payer']> | undefined
    const payer = () => {
      known ??= mandatePayer(context)
      return known
    }
    const readEvents = createEventsReader(context)
    const play: Play = { context, keep, chosen, readEvents, payer, beginningOf }
    const row = (id: string) => STATES.find(state => state.id === id) as StateRow
    const act = async (name: Act, payment: Promise<string>) => {
      const transactionId = await payment
      await ensureServed(context.profile, keep(`${name} in time`, operationsOn(context, transactionId)[name]()))
      return transactionId
    }
    await tryRow(play, row('GRD-13')).catch(() => undefined)
    await tryRow(play, row('GRD-14')).catch(() => undefined)
    await tryRow(play, row('GRD-42')).catch(() => undefined)
    if (isByHand(context)) await tryRow(play, row('GRD-18'), act('cancel', authorized(context))).catch(() => undefined)
    for (const further of FURTHER_STATES)
      if (chosen.has(further.id) || (chosen.has(FOUND_IN_STATE) && isSearched(further)))
        if (ACTS.some(it => lackedIn(further)(context.profile, it) === undefined))
          await tryRow(play, further).catch(() => undefined)
    const witness = isByHand(context) ? await after(authorized, 'capture')(context) : await captured(context)
    const unsettled = isByHand(context)
      ? act('capture', tryRow(play, row('GRD-15'), authorized(context)))
      : captured(context)
    const taken = await tryRow(play, row(SETTLING), unsettled, witness)
    await waitForSettlement(context.profile, context, taken)
    const refunded = act('refund', tryRow(play, row('GRD-17'), Promise.resolve(taken)))
    await tryRow(play, row('GRD-19'), refunded)
  },
  checks: [
    ...[...STATES, ...FURTHER_STATES].map(row =>
      gridRowCheck({
        id: row.id,
        clause: row.clause,
        title: row.title,
        otherColumns: 'no call asks for it',
        ...GRID_CONTROL,
        ...basisOf(row),
        exemptCell: lackedIn(row),
        cells: ACTS.map(act => cellOf(row, act)),
      }),
    ),
    UNMOVED_ROW,
    ...RECORD_ROWS,
    FOUND_ROW,
  ],
}
