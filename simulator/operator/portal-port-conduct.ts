import { CHECKOUT_RULES } from '../../contracts/conduct/checkout.ts'
import type { Conduct } from '../../contracts/conduct/rule.ts'
import { operationAt } from '../../contracts/conduct/traffic.ts'
import type { ConductPort, ProofView, RuleView } from '../../hosted-pages/portal/conduct-port.ts'
import { instantOf, isoTime } from '../clock.ts'
import type { JournalEntry } from '../journal/entry.ts'
import type { DeliveryWithAttempts } from '../webhooks/notification.ts'
import type { Operator } from './operator.ts'
import { OperatorError } from './operator-error.ts'
import { found, wish } from './portal-port-wish.ts'

/** Grades and drills as the portal sees them. */
export const conductPortOf = ({ conduct, drills, calls, deliveries }: Operator): ConductPort => {
  /** Of what kind a piece of evidence is, only the places where it may be can tell. */
  const proofOf = async (organizationId: string, id: string): Promise<ProofView> => {
    const call = await found(async () => calls.find(organizationId, id))
    if (call) return { kind: 'call', id, line: callLineOf(call) }
    const delivery = await found(() => deliveries.find(organizationId, id))
    if (delivery) return { kind: 'delivery', id, line: deliveryLineOf(delivery) }
    return { kind: 'payment', id }
  }
  const viewOf = async (organizationId: string, rule: Conduct): Promise<RuleView> => {
    const proofsOf = (ids: readonly string[]) =>
      Promise.all(ids.slice(0, MOST_SHOWN).map(id => proofOf(organizationId, id)))
    const breaches = rule.breaches
      .slice(0, MOST_SHOWN)
      .map(async ({ said, evidence }) => ({ said, proofs: await proofsOf(evidence) }))
    const kept = rule.verdict === 'pass' ? await proofsOf(rule.kept) : []
    return { ...rule, breaches: await Promise.all(breaches), kept }
  }
  const views = (organizationId: string, rules: readonly Conduct[]) =>
    Promise.all(rules.map(rule => viewOf(organizationId, rule)))

  return {
    drills: () => drills.list().map(drill => ({ ...drill, handsKeys: drill.between.some(move => 'rotate' in move) })),
    checkout: () => CHECKOUT_RULES,
    judge: (organizationId, since) =>
      wish(async () =>
        views(organizationId, await conduct.judge(organizationId, since === undefined ? undefined : instantIn(since))),
      ),
    begin: (organizationId, name) => wish(async () => isoTime((await drills.begin(organizationId, name)).since)),
    between: (organizationId, name) =>
      wish(async () => {
        await drills.between(organizationId, name)
        return true as const
      }),
    end: (organizationId, name, since) =>
      wish(async () => views(organizationId, await drills.end(organizationId, name, instantIn(since)))),
  }
}

/** So many breaches of a rule, and so many proofs of each, are enough to see what is wrong. */
const MOST_SHOWN = 5

const instantIn = (text: string): number => {
  const instant = instantOf(text)
  if (Number.isFinite(instant)) return instant
  throw new OperatorError('invalid', 'The address says no instant: begin the drill again.')
}

/** A call in brief: what it asked for, under which key, and the answer. */
const callLineOf = ({ request, answer }: JournalEntry): string => {
  const key = request.headers['idempotency-key']
  const asked = operationAt(request.method, request.target) ?? request.target
  return `${asked}${key ? ` (${key.slice(0, 8)})` : ''} → ${answer.status}`
}

/** A delivery in brief: what it told of, and how each try was answered. */
const deliveryLineOf = ({ sending, attempts }: DeliveryWithAttempts): string =>
  `${sending.type} → ${attempts.map(({ answer, error }) => answer?.status ?? error).join(', ')}`
