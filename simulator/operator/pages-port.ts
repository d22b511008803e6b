import type { PagesPort } from '../../hosted-pages/port.ts'
import type { Operator } from './operator.ts'
import { isTooLate } from './shopper.ts'

/** The operator as the hosted pages see it. */
export const pagesPortOf = (operator: Operator, layersOff: readonly string[]): PagesPort => {
  const view = (organizationId: string) => ({ organizationId, now: operator.now(organizationId) })
  const { shopper } = operator
  return {
    organizations: async () => (await operator.list()).map(({ organizationId }) => view(organizationId)),
    organization: async organizationId => (await operator.find(organizationId)) && view(organizationId),
    layersOff: () => layersOff,
    seed: () => operator.seed,
    createCode: shopper.createCode,
    code: shopper.code,
    redirect: shopper.redirect,
    decide: async (organizationId, transactionId, action) => {
      try {
        return await shopper.act(organizationId, transactionId, action)
      } catch (error) {
        if (!isTooLate(error)) throw error
        return shopper.view(organizationId, transactionId)
      }
    },
  }
}
