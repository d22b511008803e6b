import { randomUUID } from 'node:crypto'
import { TokenRefused } from '../client/call-errors.ts'
import { accessTokenIn, type Exchange } from '../client/http-exchange.ts'
import { RETRYABLE_STATUSES } from '../client/retry-policy.ts'
import type { Profile } from '../harness/profile/profile.ts'
import type { BrokenRule, Call, Party } from '../model/model-call-and-judged-response.ts'
import type { OperationName } from '../operations.ts'
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
  method: 'BLIK' | 'IRIS'
  owner: Party
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
export const createStage = (profile: Profile, organizations: Organizations, tokens: TokenCache) => {
  const nonce = randomUUID().replaceAll('-', '').slice(0, 12)
  return {
    profile,
    organizations,
    tokens,
    payments: new Map<string, KnownPayment>(),
    sent: new Map<string, SentCall>(),
    codes: new Map<string, string>(),
    unknownId: unknownId(profile),
    /** Whether a pause follows each call, so that what it did is seen. */
    isPatient: false,
    now: (): number => organizations.first.clock.now(),
    /** The value of a label, such as a payer's; the same in one play, and of no other. */
    valueOf: (label: string): string => `${nonce}${label}`,
  }
}

const TOKEN_MS = 60 * 60 * 1000
type Granted = { token: string; at: number }

/**
 * Cache of exploration's access tokens by organization and scope, renewed after an hour of the organization's clock
 * (5.3). Throws TokenRefused where the service issues none.
 */
export type TokenCache = ReturnType<typeof createTokenCache>

export const createTokenCache = () => {
  const known = new WeakMap<TestOrganization, Map<string, Granted>>()
  return async (organization: TestOrganization, scope = 'payments:read payments:process'): Promise<string> => {
    const tokens = known.get(organization) ?? new Map<string, Granted>()
    known.set(organization, tokens)
    const now = organization.clock.now()
    const old = tokens.get(scope)
    if (old && now - old.at < TOKEN_MS) return old.token
    const { merchant } = organization
    const exchange = await merchant.request('token', { form: merchant.tokenForm(scope) }, { retry: RETRYABLE_STATUSES })
    const token = accessTokenIn(exchange)
    if (token === undefined) throw new TokenRefused(exchange)
    tokens.set(scope, { token, at: now })
    return token
  }
}
