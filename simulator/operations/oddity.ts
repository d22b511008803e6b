import type { Reply } from '../store/port.ts'
import type { Attempt } from './attempt.ts'

/** How one call is out of the ordinary, within the contract (9). Pure where it shapes: the same body gets the same shape. */
export type Oddity = {
  /** Refuses the call, or not, before anything is decided about it (7.1: 423, 429). */
  hold(key: string | undefined): void
  /** What the JSON of an answer becomes. */
  shape(body: string): string
}

/** Shapes what goes out and what the key remembers alike: a replay gives back the bytes of the original (I3). */
export const shaped = ({ executed, save }: Attempt, { shape }: Oddity): Attempt => {
  const { remember } = save
  const inShape = <Kind extends Reply>(reply: Kind): Kind =>
    reply.contentType === undefined ? { ...reply, body: shape(reply.body) } : reply
  return {
    executed: inShape(executed),
    save: remember ? { ...save, remember: { ...remember, reply: inShape(remember.reply) } } : save,
  }
}
