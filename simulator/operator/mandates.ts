import type { Clock } from '../clock.ts'
import { type Mandate, type Standing, standingOf } from '../payments/mandate.ts'
import type { Store } from '../store/port.ts'
import { OperatorError } from './operator-error.ts'

export type MandateView = Mandate & { standing: Standing }

/** What payers have consented to, and their way to take it back in the bank app (D-62). */
export const createMandates = ({ store, clock }: { store: Store; clock: Clock }) => {
  const view = (mandate: Mandate, now: number): MandateView => ({ ...mandate, standing: standingOf(mandate, now) })
  return {
    list: async (organizationId: string, limit: number): Promise<readonly MandateView[]> => {
      const now = clock.now(organizationId)
      return (await store.mandates(organizationId, limit)).map(mandate => view(mandate, now))
    },
    revoke: async (organizationId: string, paymentToken: string): Promise<MandateView> => {
      const now = clock.now(organizationId)
      const mandate = await store.revokeMandate(organizationId, paymentToken, now)
      if (mandate) return view(mandate, now)
      throw new OperatorError('unknown', `There is no such mandate in organization ${organizationId}.`)
    },
  }
}
