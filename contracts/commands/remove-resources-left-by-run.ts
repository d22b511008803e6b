import { type Exchange, isServed } from '../client/http-exchange.ts'
import type { Blocked } from '../harness/judge/verdict-errors.ts'
import type { Profile } from '../harness/profile/profile.ts'
import { isDecline } from '../harness/profile/response-fields-and-line-advice.ts'
import {
  findRemainingResources,
  isToCancel,
  type RemainingResources,
} from '../harness/safety/find-remaining-resources.ts'
import type { WriteLedger } from '../harness/safety/write-ledger.ts'
import { shellWord } from '../protocol/shell-word.ts'
import { visibleText } from '../protocol/visible-text.ts'
import type { CheckContext } from '../suites/context/check-context.ts'
import type { TestOrganization } from '../suites/context/test-organization.ts'
import { fetchToken } from '../suites/given/harmless-calls.ts'
import { cancelBody } from '../suites/given/request-bodies.ts'
import { findNamelessPayments } from './find-payments-of-nameless-charges.ts'

/** Result of a cleanup: canceled payments, removed registrations, and a sentence for each thing that remains. */
export type CleanupResult = { canceled: string[]; taken: string[]; stays: string[] }

/**
 * Removes what a run left behind, and says on the standard error what stays, with the cure: `folder` is the report folder
 * that holds the ledger.
 */
export const cleanUp = async (
  context: Pick<CheckContext, 'organizations' | 'profile'>,
  ledger: Pick<WriteLedger, 'lines' | 'recordFoundId'>,
  folder?: string,
): Promise<void> => {
  const { stays } = await removeRemainingResources(context, ledger)
  if (stays.length === 0) return
  const what = stays.map(text => `stays: ${text}\n`).join('')
  const cure =
    folder === undefined
      ? ', and no ledger of it: cancel or remove it by hand.'
      : `: run assay certify cleanup ${shellWord(folder)}.`
  process.stderr.write(visibleText(`${what}The run left what it could not remove${cure}\n`))
}

/** Cancels authorized payments and removes keys and webhooks that a run registered (7); never changes a verdict. */
export const removeRemainingResources = async (
  { organizations, profile }: Pick<CheckContext, 'organizations' | 'profile'>,
  ledger: Pick<WriteLedger, 'lines' | 'recordFoundId'>,
): Promise<CleanupResult> => {
  const left = findRemainingResources(ledger.lines)
  const result: CleanupResult = { canceled: [], taken: [], stays: [] }
  const organizationWith = (id: string): TestOrganization => {
    const organization = organizations.find(({ merchant }) => merchant.credentials.organizationId === id)
    if (organization) return organization
    throw new Error(`organization ${id} cannot be reached`)
  }
  const { found, stays, isGone } = await findNamelessPayments(left, { profile, ledger, organizationWith })
  result.stays.push(...stays)
  await cancelAll({ payments: [...left.payments, ...found], isGone }, organizationWith, profile, result)
  for (const { organization, id } of left.keys)
    await removeOrNote(`signing key ${id}`, result, async () =>
      organizationWith(organization).control.deregisterKey(id),
    )
  for (const { organization, id } of left.webhooks)
    await removeOrNote(`webhook ${id}`, result, async () => organizationWith(organization).control.unsubscribe(id))
  return result
}

const NOT_YET = ', and what authorizes it got no response and may be carried out yet'

const cancelAll = async (
  { payments, isGone: wasGone }: Pick<RemainingResources, 'payments'> & { isGone: boolean },
  organizationWith: (id: string) => TestOrganization,
  profile: Profile,
  result: CleanupResult,
): Promise<void> => {
  let isGone = wasGone
  for (const { organization, transactionId, stage } of payments.filter(isToCancel)) {
    const { exchange, why }: Tried = isGone ? {} : await cancel(() => organizationWith(organization), transactionId)
    // A service that let one call time out would take as long for each of the others.
    isGone ||= exchange?.transportError?.code === 'TIMEOUT'
    const [operation, status] = [exchange?.request.endpoint, exchange?.response?.status]
    const isDeclined = exchange !== undefined && isDecline(profile, exchange)
    const answered = isDeclined ? 'was declined' : `answered ${status ?? 'nothing'}`
    if (exchange && operation === 'cancel' && isServed(exchange) && !isDeclined) result.canceled.push(transactionId)
    else if (operation !== 'cancel' || status !== 422 || stage !== 'authorized')
      result.stays.push(
        `payment ${transactionId}: ${exchange ? `${operation} ${answered}${status === 422 ? NOT_YET : ''}` : `cancel was not tried${why === undefined ? '' : `: ${why}`}`}`,
      )
  }
}

/** The exchange of a cancel, or why none was made. */
type Tried = { exchange?: Exchange; why?: string }

/**
 * Cancels a payment with a new token, as virtual clocks may have been moved; returns the exchange of the token where none
 * was given.
 */
const cancel = async (find: () => TestOrganization, transactionId: string): Promise<Tried> => {
  const forCleanup = true
  try {
    const organization = find()
    const token = await fetchToken(organization, { forCleanup })
    const json = cancelBody(organization.account, transactionId)
    return { exchange: await organization.merchant.request('cancel', { json }, { ...token, forCleanup }) }
  } catch (error) {
    const { exchange, message } = error as Blocked
    return exchange ? { exchange } : { why: message }
  }
}

const removeOrNote = async (what: string, result: CleanupResult, act: () => Promise<unknown>): Promise<void> => {
  try {
    await act()
    result.taken.push(what)
  } catch (error) {
    result.stays.push(`${what}: ${(error as Error).message}`)
  }
}
