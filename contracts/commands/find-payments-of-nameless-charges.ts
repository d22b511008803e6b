import { type Exchange, isServed } from '../client/http-exchange.ts'
import { valueAtPointer } from '../dialect/json-pointer.ts'
import type { Profile } from '../harness/profile/profile.ts'
import { findField, profileLine } from '../harness/profile/response-fields-and-line-advice.ts'
import { isUnsure, type RemainingResources } from '../harness/safety/find-remaining-resources.ts'
import type { WriteLedger } from '../harness/safety/write-ledger.ts'
import type { TestOrganization } from '../suites/context/test-organization.ts'
import { fetchToken } from '../suites/given/harmless-calls.ts'

type Payment = RemainingResources['payments'][number]
type NamelessCharge = RemainingResources['nameless'][number]

type Searching = {
  profile: Profile
  ledger: Pick<WriteLedger, 'recordFoundId'>
  organizationWith: (id: string) => TestOrganization
}

const SEARCH_LINES = ['fields.search.list', 'fields.search.transactionId'] as const

/**
 * Searches for the payments of charges whose responses told no id, by their clientTransactionId, and records the ids
 * found; returns them as payments to cancel, a sentence for each charge that is not found, and whether a call timed out.
 */
export const findNamelessPayments = async (
  { nameless, payments }: RemainingResources,
  { profile, ledger, organizationWith }: Searching,
): Promise<{ found: Payment[]; stays: string[]; isGone: boolean }> => {
  const known = new Set(payments.map(({ transactionId }) => transactionId))
  const [found, stays]: [Payment[], string[]] = [[], []]
  let isGone = false
  for (const charge of nameless) {
    const { organization } = charge
    const result: SearchResult = isGone
      ? { ids: [], reason: 'search was not tried' }
      : await search(profile, charge, organizationWith)
    isGone ||= result.exchange?.transportError?.code === 'TIMEOUT'
    if (result.reason !== undefined) stays.push(`${describeNamelessCharge(charge)}; ${result.reason}`)
    const transactionId = result.ids.find(id => !known.has(id))
    if (transactionId === undefined) continue
    known.add(transactionId)
    ledger.recordFoundId(charge, transactionId)
    found.push({ organization, transactionId, stage: isUnsure(charge) ? 'perhaps authorized' : 'authorized' })
  }
  return { found, stays, isGone }
}

/** Returns the sentence that says what is known of a charge whose response told no id. */
export const describeNamelessCharge = ({ at, clientTransactionId, became }: NamelessCharge): string =>
  `charge at ${at} (${clientTransactionId === undefined ? 'no clientTransactionId' : `clientTransactionId ${clientTransactionId}`}) got ${became?.status ?? 'no response'}, its transactionId is not known: it may still be authorized`

type SearchResult = { ids: readonly string[]; reason?: string; exchange?: Exchange | undefined }

/** Searches for one charge; a payment that is shown without its reference may be another's, and is left alone. */
const search = async (
  profile: Profile,
  { clientTransactionId, organization }: NamelessCharge,
  organizationWith: (id: string) => TestOrganization,
): Promise<SearchResult> => {
  if (SEARCH_LINES.some(line => profileLine(profile, line) === undefined))
    return { ids: [], reason: `with ${SEARCH_LINES.join(' and ')} in ${profile.file}, cleanup looks for it` }
  if (!clientTransactionId) return { ids: [], reason: 'there is nothing to search for' }
  const exchange = await callSearch(() => organizationWith(organization), clientTransactionId)
  const { request, response } = exchange ?? {}
  if (!exchange || request?.endpoint !== 'search' || !isServed(exchange)) {
    const reason = exchange ? `${request?.endpoint} answered ${response?.status ?? 'nothing'}` : 'search was not tried'
    return { ids: [], reason, exchange }
  }
  const items = findField(profile, exchange, 'search.list')
  const pointer = String(profileLine(profile, SEARCH_LINES[1]))
  const ids = (Array.isArray(items) ? items : [])
    .filter(item => holds(item, clientTransactionId))
    .flatMap(item => valueAtPointer(item, pointer) ?? [])
    .map(String)
  return ids.length > 0 ? { ids, exchange } : { ids, reason: 'search does not show it', exchange }
}

const callSearch = async (find: () => TestOrganization, clientTransactionId: string): Promise<Exchange | undefined> => {
  const forCleanup = true
  try {
    const organization = find()
    const token = await fetchToken(organization, { forCleanup })
    return await organization.merchant.request('search', { json: { clientTransactionId } }, { ...token, forCleanup })
  } catch (error) {
    return (error as { exchange?: Exchange }).exchange
  }
}

/** Whether a JSON value is, or has anywhere, this text. */
const holds = (json: unknown, text: string): boolean =>
  json === text || (typeof json === 'object' && json !== null && Object.values(json).some(value => holds(value, text)))
