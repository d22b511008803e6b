import type { Exchange } from '../../client/http-exchange.ts'
import type { Check, CheckScenario } from '../../harness/judge/check.ts'
import type { ExpectedRefusal } from '../../harness/judge/check-assertions.ts'
import type { CheckContext } from '../context/check-context.ts'
import {
  type AcceptedDecline,
  expectRefusedOrDeclined,
  findStep,
  readLaterOutcome,
} from '../evidence/expect-refused-or-declined.ts'

/** A check of a single call: the request that it sends, and whether it must be served or refused. */
export type SingleCallCheck = Omit<Check, 'judge'> & {
  send(context: CheckContext): Promise<Exchange>
  /** The expected refusal; without it the call must be served. */
  refused?: ExpectedRefusal
  /** A decline that is accepted instead of the refusal, at once or when the status is read later. */
  declined?: AcceptedDecline
  /** A judgment of its own, in place of `refused` and served. */
  judge?: Check['judge']
}

/** Creates a scenario of independent single-call checks: each chosen one sends its call, whether or not others failed. */
export const singleCallScenario = (
  frame: Omit<CheckScenario<CheckContext>, 'play' | 'checks'>,
  checks: readonly SingleCallCheck[],
): CheckScenario<CheckContext> => ({
  ...frame,
  play: async (context, keep, chosen) => {
    for (const { id, send, declined } of checks) {
      if (!chosen.has(id)) continue
      const sending = async () => send(context) // async: one that throws at once ends its own check alone
      const sent = await keep(id, sending()).catch(() => undefined)
      const later =
        declined && sent && (await readLaterOutcome(context, sent, declined.slot.replace(/\.\w+$/, '.transactionId')))
      if (later) await keep(laterStep(id), Promise.resolve(later))
    }
  },
  checks: checks.map(toCheck),
})

const laterStep = (id: string): string => `${id} later`

const toCheck = ({ send: _, refused, declined, judge, ...check }: SingleCallCheck): Check => ({
  ...check,
  judge: (evidence, expect) => {
    if (judge) return judge(evidence, expect)
    const exchange = evidence.of(check.id)
    const later = declined && findStep(evidence, laterStep(check.id))
    if (refused && declined) expectRefusedOrDeclined(exchange, expect, refused, { declined, later })
    else if (refused) expect.refused(exchange, refused)
    else expect.served(exchange)
  },
})
