import { stageOf } from '../../model/lifecycle.ts'
import type { ModelState } from '../../model/model-state.ts'
import { refundedOf } from '../../model/model-state.ts'
import type { Stage } from '../organizations-and-values-of-play.ts'
import type { Step } from '../step.ts'

type Seen = { state: ModelState; stage: Pick<Stage, 'sent' | 'valueOf' | 'now'> }

/** The stage of a payment as text; that of one that the state does not know is its name. */
const stageIn = ({ state }: Seen, name: string | undefined): string => {
  const payment = name === undefined ? undefined : state.payments[name]
  if (!payment) return name === 'unknown' ? name : ''
  return `${payment.method}${payment.type === 'ONE_TIME' ? '' : ' mandate'} ${stageOf(payment)}${refundedOf(payment) > 0 ? ' refunded' : ''}`
}

/** How a mock that an initiate is for stands: its form, how often it was used, how old it is. */
const mockIn = ({ state, stage }: Seen, { payer, reference }: Step): string => {
  const values = [payer, reference].flatMap(label => (label === undefined ? [] : stage.valueOf(label)))
  const mock = state.mocks.find(({ key }) => values.includes(key.value))
  if (!mock) return ''
  const hours = Math.floor((stage.now() - mock.until.from) / 3_600_000 + 24)
  return `${mock.type} ${mock.oneTime} ${mock.step} ${Object.keys(mock.details).length} ${Math.min(mock.used.length, 2)} ${hours < 1 ? 'new' : hours < 24 ? 'day' : 'over'}`
}

/**
 * Returns the text by which exploration counts in how many like situations a step was tried: coarse enough that one
 * comes again, as drawing leans to those seen least.
 */
export const situationKey = (seen: Seen, step: Step): string => {
  const {
    do: what,
    on,
    by,
    account,
    amount,
    wrong,
    fault,
    lost,
    again,
    change,
    key,
    mock,
    time,
    decision,
    method,
    type,
  } = step
  const first = again === undefined ? undefined : seen.stage.sent.get(again)
  const stages =
    what === 'pass'
      ? Object.keys(seen.state.payments)
          .slice(0, 2)
          .map(name => stageIn(seen, name))
      : []
  const repeated = first && [first.operation, stageIn(seen, first.call.payment), first.call.broken !== undefined]
  const begins =
    what === 'initiate'
      ? [mockIn(seen, step), method, type, step.code !== undefined]
      : [step.tokenOf !== undefined && seen.state.mandates.length > 0]
  return JSON.stringify([
    what,
    stageIn(seen, on),
    by,
    account,
    amount,
    wrong,
    fault,
    lost,
    repeated,
    change,
    key === 'none' || key === 'empty' || key === 'new' ? key : key !== undefined,
    mock,
    time,
    decision,
    stages,
    begins,
  ])
}
