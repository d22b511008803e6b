import type { Exchange } from '../../client/http-exchange.ts'
import type { FaultName } from '../../dialect/dialect-lines.ts'
import { Blocked, Untestable } from '../../harness/judge/verdict-errors.ts'
import { hasDriver } from '../../harness/profile/abilities-from-profile-lines.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import type { TestOrganization } from '../context/test-organization.ts'
import { setMockForPayment } from './set-mock-for-payment.ts'

/** HTTP status by which each fault of a capture shows (7.1). */
export const FAULT_STATUSES: Readonly<Record<FaultName, number>> = {
  internal: 500,
  error: 502,
  timeout: 504,
  locked: 423,
  limited: 429,
}

const OF_CONTROL = { timeout: { done: 'yes' }, limited: { after: 'PT1S' } } as const

/** Whether something of the profile can make a capture meet this fault: control, or a word of `mocks.faults`. */
export const canFault = (profile: Profile, fault: FaultName): boolean =>
  profile.control !== undefined || hasDriver(profile, `mocks.faults.${fault}`)

/**
 * Arms a fault for the next capture of a payment, named by its clientTransactionId: by control, else by a MOCK for a
 * single call with the word of `mocks.faults`. Throws Blocked where that is refused.
 */
export const armCaptureFault = async (
  { control, merchant, account }: Pick<TestOrganization, 'control' | 'merchant' | 'account'>,
  profile: Profile,
  fault: FaultName,
  clientTransactionId: string,
): Promise<void> => {
  if (profile.control) {
    const more = fault in OF_CONTROL ? OF_CONTROL[fault as keyof typeof OF_CONTROL] : {}
    return void (await control.arm({ operation: 'capture', kind: fault, ...more }))
  }
  const steps = { capture: { fault: profile.mocks?.faults?.[fault] } }
  const ifRefused = `a mock with a fault was refused: is mocks.faults of ${profile.file} right?`
  const payment = { processingAccountId: account, clientTransactionId }
  await setMockForPayment({ merchant }, { ...payment, oneTime: true, steps }, ifRefused)
}

/** Returns the error of a capture that did not meet its fault: of a wrong profile line, or of a service that tries again by itself. */
export const faultNotShown = (profile: Profile, fault: FaultName, exchange: Exchange, got: string): Error => {
  const status = FAULT_STATUSES[fault]
  if (profile.control) return new Blocked(`the injected fault did not show as ${status}: ${got}`, exchange)
  const line = `mocks.faults.${fault}`
  const question = `does ${line} of ${profile.file} name what makes a capture answer ${status}?`
  return new Untestable(`the capture was answered ${got}: ${question}`, exchange, line)
}
