import { credentialsFromKit, type Kit } from '../../contracts/client/credentials.ts'
import { createMerchant, type Merchant } from '../../contracts/client/merchant-client.ts'
import { RETRYABLE_STATUSES } from '../../contracts/client/retry-policy.ts'

/** The merchant clients of the shops: one for each organization, of the kit that it has now. */
export type ShopMerchants = {
  /** The client of an organization; undefined where there is no such organization. */
  of(organizationId: string): Promise<Merchant | undefined>
  close(): void
}

const TIMEOUT_MS = 10_000

/** Creates the clients by which shops call the API as their organizations do: mutual TLS, tokens, signatures by the kit. */
export const createShopMerchants = (kitOf: (organizationId: string) => Promise<Kit | undefined>): ShopMerchants => {
  const clients = new Map<string, { kit: string; merchant: Merchant }>()
  const forget = (organizationId: string): undefined => {
    clients.get(organizationId)?.merchant.close()
    clients.delete(organizationId)
  }
  return {
    of: async organizationId => {
      const kit = await kitOf(organizationId)
      if (kit === undefined) return forget(organizationId)
      const text = JSON.stringify(kit)
      const known = clients.get(organizationId)
      if (known?.kit === text) return known.merchant
      forget(organizationId)
      const merchant = createMerchant(credentialsFromKit(kit), { retry: RETRYABLE_STATUSES, timeoutMs: TIMEOUT_MS })
      clients.set(organizationId, { kit: text, merchant })
      return merchant
    },
    close: () => {
      for (const organizationId of [...clients.keys()]) forget(organizationId)
    },
  }
}
