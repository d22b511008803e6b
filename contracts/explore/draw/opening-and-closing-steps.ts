import type { Step } from '../step.ts'
import { asOwner, begun, type Draw } from './basis-of-drawn-step.ts'
import { canTake } from './payment-steps.ts'
import type { Theme } from './themes.ts'

/** Steps after an initiate, by which every stage is reached often. */
const OPENINGS: readonly (readonly Omit<Step, 'id'>[])[] = [
  [],
  [],
  [{ do: 'shopper', decision: 'decline' }],
  [{ do: 'shopper', decision: 'approve' }],
  [{ do: 'shopper', decision: 'approve' }, { do: 'finalize' }],
  [{ do: 'shopper', decision: 'approve' }, { do: 'finalize' }],
  [{ do: 'shopper', decision: 'approve' }, { do: 'finalize' }, { do: 'pass' }],
  [{ do: 'shopper', decision: 'approve' }, { do: 'finalize' }, { do: 'pass' }, { do: 'refund' }],
]

const FINALIZED: (typeof OPENINGS)[number] = [{ do: 'shopper', decision: 'approve' }, { do: 'finalize' }]

/** Draws the opening of a sequence: a payment on its way to the stage that its theme is about, if any. */
export const drawOpening = (
  { random, abilities }: Pick<Draw, 'random' | 'abilities'>,
  opening: Theme['opening'],
): Step[] => {
  if (opening === 'none' && abilities.control) return []
  const owner: Pick<Step, 'by'> = abilities.second && random.oneIn(10) ? { by: 'second' } : {}
  const isAny = opening === 'any'
  const hasBlik = abilities.methods.includes('BLIK')
  const method = (isAny || !hasBlik ? random.pick(abilities.methods) : undefined) ?? 'BLIK'
  const isBlik = method === 'BLIK'
  const isHeld = isBlik && (opening === 'held' || (isAny && random.oneIn(2)))
  const capture = isHeld ? { autoCapture: false } : random.oneIn(2) ? { autoCapture: true } : {}
  const isMandate = isBlik && abilities.recurring && (opening === 'mandate' || random.oneIn(isAny ? 2 : 6))
  const mandate = isMandate ? { type: random.pick(['RECURRING', 'RECURRING', 'TOKEN_ONLY'] as const), payer: 'u1' } : {}
  const more = (isAny ? (random.pick(OPENINGS) ?? []) : FINALIZED).filter(
    ({ do: what, decision }) => canTake(abilities, what, method) && (abilities.control || decision !== 'decline'),
  )
  const rest = more.map((step, index): Step => {
    const of =
      step.do === 'pass'
        ? { time: abilities.settling as string }
        : { on: 's1', ...(step.do === 'shopper' ? {} : owner) }
    return { ...step, id: `s${index + 2}`, ...of }
  })
  return [{ id: 's1', do: 'initiate', method, ...capture, ...mandate, ...owner }, ...rest]
}

/** Returns the reads that end an explored sequence: status and events of every payment. */
export const closingReads = (draw: Pick<Draw, 'state' | 'stage'>, from: number): Step[] =>
  begun(draw).flatMap(({ name: on, payment }, index) => [
    { id: `s${from + 2 * index}`, do: 'status' as const, on, ...asOwner(payment) },
    { id: `s${from + 2 * index + 1}`, do: 'events' as const, on, ...asOwner(payment) },
  ])
