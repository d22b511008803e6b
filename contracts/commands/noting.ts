import type { Ledger } from '../harness/ledger.ts'
import type { Operator } from '../suites/operator.ts'

/** Writes into the ledger what an operator registers, and that it was taken away again. */
export const noting =
  (ledger: Ledger) =>
  (operator: Operator, organization: string): Operator => ({
    ...operator,
    registerKey: async publicKey => {
      const keyId = await operator.registerKey(publicKey)
      if (keyId !== undefined) ledger.before(organization, { operation: 'registerKey', id: keyId })
      return keyId
    },
    deregisterKey: async keyId => {
      const answer = await operator.deregisterKey(keyId)
      ledger.undone('registerKey', keyId)
      return answer
    },
    subscribe: async (url, types) => {
      const end = await operator.subscribe(url, types)
      const { endpointId } = end
      ledger.before(organization, { operation: 'subscribe', id: endpointId })
      const noted = async () => {
        const answer = await end()
        ledger.undone('subscribe', endpointId)
        return answer
      }
      return Object.assign(noted, { endpointId })
    },
    unsubscribe: async endpointId => {
      const answer = await operator.unsubscribe(endpointId)
      ledger.undone('subscribe', endpointId)
      return answer
    },
  })
