import type { Conduct } from '../../contracts/conduct/rule.ts'
import type { ConductPort, ProofView, RuleView } from '../../hosted-pages/portal/conduct-port.ts'
import { instantOf, isoTime } from '../clock.ts'
import type { Operator } from './operator.ts'
import { OperatorError } from './operator-error.ts'
import { found, wish } from './portal-port-wish.ts'

/** Grades and drills as the portal sees them. */
export const conductPortOf = ({ conduct, drills, calls, deliveries }: Operator): ConductPort => {
  /** Of what kind a piece of evidence is, only the places where it may be can tell. */
  const proofOf = async (organizationId: string, id: string): Promise<ProofView> => {
    if (await found(async () => calls.find(organizationId, id))) return { kind: 'call', id }
    if (await found(() => deliveries.find(organizationId, id))) return { kind: 'delivery', id }
    return { kind: 'payment', id }
  }
  const viewOf = async (organizationId: string, rule: Conduct): Promise<RuleView> => {
    const breaches = rule.breaches.slice(0, MOST_SHOWN).map(async ({ said, evidence }) => {
      const proofs = evidence.slice(0, MOST_SHOWN).map(id => proofOf(organizationId, id))
      return { said, proofs: await Promise.all(proofs) }
    })
    return { ...rule, breaches: await Promise.all(breaches) }
  }
  const views = (organizationId: string, rules: readonly Conduct[]) =>
    Promise.all(rules.map(rule => viewOf(organizationId, rule)))

  return {
    drills: drills.list,
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
