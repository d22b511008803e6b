import { ACTS, OPERATIONS, type OperationName } from '../../operations.ts'
import type { Step } from '../step.ts'
import type { Draw, DrawKind } from './basis-of-drawn-step.ts'
import { act, advance, charge, initiate } from './payment-steps.ts'

const BASES: readonly DrawKind[] = [advance, advance, advance, act, charge, initiate]
const TRIES = 20

/** What is sent at the same time as a call: the call itself under its key, the same again under a key of its own, a rival on its payment. */
const companion = ({ random }: Draw, base: Step): Omit<Step, 'id'> => {
  const by: Pick<Step, 'by'> = base.by ? { by: base.by } : {}
  const again = { do: 'repeat' as const, again: base.id, together: true as const, ...by }
  if (base.on === undefined || random.oneIn(2)) return again
  const { id: _, ...rest } = base
  if (random.oneIn(2)) return { ...rest, together: true }
  return { do: random.pick(ACTS), on: base.on, together: true, ...by }
}

/** Draws two or three calls that exploration makes at once; none where the play gives no occasion for it. */
export const drawBurst = (draw: Draw, from: number): Step[] => {
  const { random } = draw
  for (let tried = 0; tried < TRIES; tried += 1) {
    const drawn = random.pick(BASES)?.(draw)
    if (!drawn || drawn.on === 'unknown' || !OPERATIONS[drawn.do as OperationName]?.keyed) continue
    const base: Step = { ...drawn, id: `s${from}` }
    const others = Array.from({ length: random.oneIn(3) ? 2 : 1 }, (_, index) => ({
      ...companion(draw, base),
      id: `s${from + 1 + index}`,
    }))
    return [base, ...others]
  }
  return []
}
