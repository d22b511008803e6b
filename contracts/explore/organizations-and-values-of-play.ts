import { randomUUID } from 'node:crypto'
import type { Exchange } from '../client/http-exchange.ts'
import type { Profile } from '../harness/profile/profile.ts'
import type { BrokenRule, Call, Party } from '../model/model-call-and-judged-response.ts'
import type { OperationName } from '../operations.ts'
import type { ProviderId } from '../protocol/provider-codes.ts'
import type { TestOrganization } from '../suites/context/test-organization.ts'
import { unknownId } from '../suites/given/create-payments.ts'

/** A call of exploration as it was sent, so that it can be repeated, and as the model sees it. */
export type SentCall = {
  operation: OperationName
  json: unknown
  key: string | undefined
  /** The rule that its body breaks, which it also breaks when repeated. */
  broken?: BrokenRule
  call: Omit<Call, 'sentAt' | 'receivedAt'>
}

/** A payment of one play of exploration: the id once it is known, and what its calls need. */
export type KnownPayment = {
  transactionId?: string
  initiated?: Exchange
  reference: string
  method: ProviderId
  owner: Party
  account: string
  token?: string
}

export type Organizations = Readonly<Record<Party, TestOrganization>>

/**
 * What one play of an explored sequence acts with: the organizations, and the values that the labels of its steps
 * stand for.
 */
export type Stage = ReturnType<typeof createStage>

/**
 * Creates the organizations and values of one play of an explored sequence; its payers, references and keys are of no
 * other play.
 */
export const createStage = (profile: Profile, organizations: Organizations) => {
  const nonce = randomUUID().replaceAll('-', '').slice(0, 12)
  return {
    profile,
    organizations,
    payments: new Map<string, KnownPayment>(),
    sent: new Map<string, SentCall>(),
    codes: new Map<string, string>(),
    unknownId: unknownId(profile),
    /** Whether each call is waited for until what it did shows, as long as the patience of the profile allows. */
    isPatient: false,
    now: (): number => organizations.first.clock.now(),
    /** The value of a label, such as a payer's; the same in one play, and of no other. */
    valueOf: (label: string): string => `${nonce}${label}`,
  }
}
