import type { PagesPort } from '../../hosted-pages/port.ts'
import type { Operator } from './operator.ts'
import { isTooLate } from './shopper.ts'

/** The operator as the hosted pages see it. */
export const pagesPortOf = (operator: Operator, layersOff: readonly string[], pagesUrl?: string): PagesPort => {
  const view = (organizationId: string) => ({
    organizationId,
    now: operator.now(organizationId),
    rate: operator.rate(organizationId),
  })
  const { shopper, phones, mandates } = operator
  return {
    organizations: async wanted => {
      const { found, ...counts } = await operator.some(wanted)
      return { found: found.map(({ organizationId }) => view(organizationId)), ...counts }
    },
    organization: async organizationId => (await operator.find(organizationId)) && view(organizationId),
    layersOff: () => layersOff,
    pagesUrl: () => pagesUrl,
    seed: () => operator.seed,
    blikBanks: () => phones.banks,
    createPhone: async (organizationId, bankId) =>
      phones.banks.some(({ id }) => id === bankId) ? phones.create(organizationId, bankId) : undefined,
    phone: phones.find,
    createCode: (organizationId, phoneId) => shopper.createCode(organizationId, { phoneId }),
    code: shopper.code,
    redirect: shopper.redirect,
    decide: async (organizationId, transactionId, action, how) => {
      try {
        return await shopper.act(organizationId, transactionId, action, how)
      } catch (error) {
        if (!isTooLate(error)) throw error
        return shopper.view(organizationId, transactionId)
      }
    },
    revoke: async (organizationId, paymentToken) => void (await mandates.revoke(organizationId, paymentToken)),
  }
}
