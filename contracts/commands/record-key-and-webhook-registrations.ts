import type { StopSignal } from '../harness/run/stop-signal.ts'
import type { WriteLedger } from '../harness/safety/write-ledger.ts'
import type { ControlDriver } from '../suites/context/control-driver.ts'

/**
 * Wraps a control client to record in the write ledger each signing key and webhook that it registers or removes; registers
 * none once the run is stopped.
 */
export const recordRegistrations =
  (ledger: WriteLedger, stop?: StopSignal) =>
  (control: ControlDriver, organization: string): ControlDriver => ({
    ...control,
    registerKey: async publicKey => {
      stop?.throwIfStopped()
      const keyId = await control.registerKey(publicKey)
      if (keyId !== undefined) ledger.record(organization, { operation: 'registerKey', id: keyId })
      return keyId
    },
    deregisterKey: async keyId => {
      const result = await control.deregisterKey(keyId)
      ledger.recordRemoval('registerKey', keyId)
      return result
    },
    subscribe: async (url, types) => {
      stop?.throwIfStopped()
      const unsubscribe = await control.subscribe(url, types)
      const { endpointId } = unsubscribe
      ledger.record(organization, { operation: 'subscribe', id: endpointId })
      const recorded = async () => {
        const result = await unsubscribe()
        ledger.recordRemoval('subscribe', endpointId)
        return result
      }
      return Object.assign(recorded, { endpointId })
    },
    unsubscribe: async endpointId => {
      const result = await control.unsubscribe(endpointId)
      ledger.recordRemoval('subscribe', endpointId)
      return result
    },
  })
