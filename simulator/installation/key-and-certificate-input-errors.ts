import { MOST_REGISTERED, type RegistrationResult } from '../store/certificate-and-key-store.ts'
import { ControlError } from '../support/control-error.ts'

/**
 * Runs a parser of keys or certificates over untrusted input; whatever it throws becomes an `invalid` error with the
 * given sentence.
 */
export const parseOrRefuse = <Value>(sentence: string, parse: () => Value): Value => {
  try {
    return parse()
  } catch (error) {
    throw error instanceof ControlError ? error : invalidInput(sentence)
  }
}

/** Creates the `invalid` error of control for a key or certificate, in one sentence. */
export const invalidInput = (sentence: string): ControlError => new ControlError('invalid', `${sentence}.`)

/** Creates the error for a private key sent in place of a public one: private keys never leave their owner (5.2). */
export const privateKeyError = (member: string): ControlError =>
  invalidInput(
    `${member} holds a private key, which must never be sent to anybody: give the public part alone, of a new key pair`,
  )

const CURES = { 'client certificates': 'revoke', 'signing keys': 'deregister' } as const

/** Throws where a certificate or key was not registered because there are too many. */
export const refuseIfFull = (registered: RegistrationResult, what: keyof typeof CURES): void => {
  if (registered !== 'full') return
  throw new ControlError('conflict', `There are ${MOST_REGISTERED} ${what}: ${CURES[what]} one that is not used.`)
}
