import type { Payment } from '../../../simulator/payments/payment.ts'
import type { Organization } from '../../../simulator/store/organization-store.ts'
import { openTestStore } from '../../support/open-test-store.ts'
import type { Mutant, Mutation } from './mutant.ts'
import { bodyTextOf, isCallTo, withFreshState, withStatusAndCode } from './mutations-of-matching-calls.ts'
import { mutateReply, mutateWriteSet } from './simulator-mutations.ts'

/** Amount of the captures and refunds in part that checks make. */
const PART = 400

/** Says no to an act on a part of a payment of IRIS, although it was done. */
const denyingPartsAt = (path: string) =>
  withFreshState(() => {
    const ofIris = new Set<unknown>()
    return mutateReply((reply, call) => {
      const isInitiated = isCallTo('/payments/initiate')(call) && reply.http < 300
      if (isInitiated && bodyTextOf(call).includes('"IRIS"')) ofIris.add(JSON.parse(reply.body).transactionId)
      const isOfPart = isCallTo(path)(call) && reply.http < 300 && bodyTextOf(call).includes(`"amount":${PART}`)
      return isOfPart && ofIris.has(JSON.parse(bodyTextOf(call)).transactionId)
        ? withStatusAndCode(400, '4000')(reply)
        : undefined
    })
  })

/** Saves payments of IRIS of which a part was taken otherwise than the operation has decided. */
const savingParts = (sum: 'captured' | 'refunded', instead: (payment: Payment) => Partial<Payment>) =>
  mutateWriteSet(save => {
    const payment = save.change?.payment
    if (!save.change || payment?.providerId !== 'IRIS' || payment[sum] !== PART) return undefined
    return { ...save, change: { ...save.change, payment: { ...payment, ...instead(payment) } } }
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
/** Mutants of captures and refunds of a part of a payment of IRIS. */
export const IRIS_PARTS_MUTANTS: readonly Mutant[] = [
  { does: 'refuses partial captures of IRIS',      caughtBy: ['IRS-16'], through: ['LIF-01'], stopsOthers: true, mutation: byHand(denyingPartsAt('/payments/capture')) },
  { does: 'captures the whole for a part of IRIS', caughtBy: ['IRS-17'], mutation: byHand(savingParts('captured', ({ amount }) => ({ captured: amount, state: 'CAPTURED' }))) },
  { does: 'refuses partial refunds of IRIS',       caughtBy: ['IRS-18'], stopsOthers: true, mutation: denyingPartsAt('/payments/refund') },
  { does: 'refunds the whole for a part of IRIS',  caughtBy: ['IRS-19'], mutation: savingParts('refunded', ({ settled }) => ({ refunded: settled, state: 'REFUNDED' })) },
]
