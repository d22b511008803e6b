import type { Exchange } from '../../client/http-exchange.ts'
import type { Check, CheckScenario } from '../../harness/judge/check.ts'
import type { Expect, ExpectedRefusal } from '../../harness/judge/check-assertions.ts'
import { isDecline } from '../../harness/profile/response-fields.ts'
import type { CheckContext } from '../context/check-context.ts'

/** A check of a single call: the request that it sends, and whether it must be served or refused. */
export type SingleCallCheck = Omit<Check, 'judge'> & {
  send(context: CheckContext): Promise<Exchange>
  /** The expected refusal; without it the call must be served. */
  refused?: ExpectedRefusal
  /** A decline that is accepted instead of the refusal. */
  declined?: AcceptedDecline
  /** A judgment of its own, in place of `refused` and served. */
  judge?: Check['judge']
}

/** The field that holds the code of a decline, and the expected code. */
type AcceptedDecline = { slot: string; code: string }

/** Expects a refusal, or a decline where the provider itself rejects the payment (7.5, S44). */
export const expectRefusedOrDeclined = (
  exchange: Exchange,
  expect: Expect,
  refused: ExpectedRefusal,
  declined?: AcceptedDecline,
): void => {
  if (!isDecline(expect.profile, exchange)) expect.refused(exchange, refused)
  else if (declined) expect.code(exchange, declined.slot, declined.code)
}

/** Creates a scenario of independent single-call checks: each chosen one sends its call, whether or not others failed. */
export const singleCallScenario = (
  frame: Omit<CheckScenario<CheckContext>, 'play' | 'checks'>,
  checks: readonly SingleCallCheck[],
): CheckScenario<CheckContext> => ({
  ...frame,
  play: async (context, keep, chosen) => {
    for (const { id, send } of checks) if (chosen.has(id)) await keep(id, send(context)).catch(() => undefined)
  },
  checks: checks.map(toCheck),
})

const toCheck = ({ send: _, refused, declined, judge, ...check }: SingleCallCheck): Check => ({
  ...check,
  judge: (evidence, expect) => {
    if (judge) return judge(evidence, expect)
    const exchange = evidence.of(check.id)
    if (refused && declined) expectRefusedOrDeclined(exchange, expect, refused, declined)
    else if (refused) expect.refused(exchange, refused)
    else expect.served(exchange)
  },
})
