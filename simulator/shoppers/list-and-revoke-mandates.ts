import { type Mandate, type MandateStatus, mandateStatusAt } from '../payments/mandate.ts'
import type { Store } from '../store/store.ts'
import type { Clock } from '../support/clock.ts'
import { ControlError } from '../support/control-error.ts'

/** A mandate with its current standing, such as valid or revoked, as pages and control show it. */
export type MandateView = Mandate & { standing: MandateStatus }

/** Creates the registry of mandates that payers gave: lists them, and revokes one as in the bank app (D-62). */
export const createMandateRegistry = ({ store, clock }: { store: Store; clock: Clock }) => {
  const view = (mandate: Mandate, now: number): MandateView => ({ ...mandate, standing: mandateStatusAt(mandate, now) })
  return {
    list: async (organizationId: string, limit: number): Promise<readonly MandateView[]> => {
      const now = clock.now(organizationId)
      return (await store.mandates(organizationId, limit)).map(mandate => view(mandate, now))
    },
    /** Whether an account may charge a payer now, as a scheme tells a merchant whose customer takes a consent back. */
    isValid: (organizationId: string, { accountId, payerId }: { accountId: string; payerId: string }) => {
      const now = clock.now(organizationId)
      return store.transact({
        organizationId,
        now,
        needs: {
          mandate: { processingAccountId: accountId, providerId: 'BLIK', payerId, paymentToken: undefined },
          isReadOnly: true,
        },
        decide: ({ mandate }) => ({ result: mandate !== undefined && mandateStatusAt(mandate, now) === 'valid' }),
      })
    },
    revoke: async (organizationId: string, paymentToken: string): Promise<MandateView> => {
      const now = clock.now(organizationId)
      const mandate = await store.revokeMandate(organizationId, paymentToken, now)
      if (mandate) return view(mandate, now)
      throw new ControlError('unknown', `There is no such mandate in organization ${organizationId}.`)
    },
  }
}
