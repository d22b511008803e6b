import type { Payment } from '../../../simulator/payments/payment.ts'
import type { Organization } from '../../../simulator/store/organization-store.ts'
import { openTestStore } from '../../support/open-test-store.ts'
import { isCharge } from './lifecycle-mutants.ts'
import type { Mutant, Mutation } from './mutant.ts'
import { bodyTextOf, isCallTo, withFreshState, withStatusAndCode } from './mutations-of-matching-calls.ts'
import { mutateReply, mutateWriteSet } from './simulator-mutations.ts'

/** Amount of the captures and refunds in part that checks make. */
const PART = 400

type Kind = { beginsAt: string; word: string; isMeant(payment: Payment): boolean }
const IRIS: Kind = { beginsAt: '/payments/initiate', word: '"IRIS"', isMeant: it => it.providerId === 'IRIS' }
const CHARGE: Kind = { beginsAt: '/payments/charge', word: '', isMeant: isCharge }

/** Says no to an act on a part of a payment of a kind, although it was done. */
const denyingParts = (act: 'capture' | 'refund', { beginsAt, word }: Kind) =>
  withFreshState(() => {
    const ofKind = new Set<unknown>()
    return mutateReply((reply, call) => {
      const isBegun = isCallTo(beginsAt)(call) && reply.http < 300
      if (isBegun && bodyTextOf(call).includes(word)) ofKind.add(JSON.parse(reply.body).transactionId)
      const isOfPart = isCallTo(`/payments/${act}`)(call) && bodyTextOf(call).includes(`"amount":${PART}`)
      return isOfPart && reply.http < 300 && ofKind.has(JSON.parse(bodyTextOf(call)).transactionId)
        ? withStatusAndCode(400, '4000')(reply)
        : undefined
    })
  })

/** Saves payments of a kind of which a part was taken as if the whole was. */
const takingAll = (sum: 'captured' | 'refunded', { isMeant }: Kind) =>
  mutateWriteSet(save => {
    const payment = save.change?.payment
    if (!save.change || !payment || !isMeant(payment) || payment[sum] !== PART) return undefined
    const state = sum === 'captured' ? 'CAPTURED' : 'REFUNDED'
    return { ...save, change: { ...save.change, payment: { ...payment, [sum]: payment.amount, state } } }
  })

const BY_HAND = { IRIS: { laterCapture: true, partialCapture: true } } as const

const capturingByHand = (organization: Organization | undefined): Organization | undefined =>
  organization && {
    ...organization,
    capabilities: Object.fromEntries(organization.accountIds.map(account => [account, BY_HAND])),
  }

/** A mutation on accounts whose payments of IRIS are captured by hand, also in part. */
const byHand =
  (mutation: Mutation): Mutation =>
  async (dataDir, hits) => {
    const parts = await mutation(dataDir, hits)
    const store = parts.store ?? (await openTestStore(dataDir))
    return { ...parts, store: { ...store, organization: async id => capturingByHand(await store.organization(id)) } }
  }

// biome-ignore format: a table reads by its columns
/** Mutants of captures and refunds of a part of a payment of IRIS, and of a charge. */
export const PARTS_OF_EACH_KIND_MUTANTS: readonly Mutant[] = [
  { does: 'refuses partial captures of IRIS',         caughtBy: ['GRD-94'], through: ['LIF-01'], mutation: byHand(denyingParts('capture', IRIS)) },
  { does: 'captures the whole for a part of IRIS',    caughtBy: ['GRD-94'], mutation: byHand(takingAll('captured', IRIS)) },
  { does: 'refuses partial refunds of IRIS',          caughtBy: ['GRD-95'], mutation: denyingParts('refund', IRIS) },
  { does: 'refunds the whole for a part of IRIS',     caughtBy: ['GRD-95'], mutation: takingAll('refunded', IRIS) },
  { does: 'refuses partial captures of charges',      caughtBy: ['GRD-94'], through: ['LIF-01'], mutation: denyingParts('capture', CHARGE) },
  { does: 'captures the whole for a part of a charge', caughtBy: ['GRD-94'], mutation: takingAll('captured', CHARGE) },
  { does: 'refuses partial refunds of charges',       caughtBy: ['GRD-95'], mutation: denyingParts('refund', CHARGE) },
  { does: 'refunds the whole for a part of a charge', caughtBy: ['GRD-95'], mutation: takingAll('refunded', CHARGE) },
]
