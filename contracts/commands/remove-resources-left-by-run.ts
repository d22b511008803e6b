import type { Exchange } from '../client/http-exchange.ts'
import { findRemainingResources, type RemainingResources } from '../harness/safety/find-remaining-resources.ts'
import type { WriteLedger } from '../harness/safety/write-ledger.ts'
import type { CheckContext } from '../suites/context/check-context.ts'
import type { TestOrganization } from '../suites/context/test-organization.ts'
import { fetchToken } from '../suites/given/harmless-calls.ts'
import { cancelBody } from '../suites/given/request-bodies.ts'

/** Result of a cleanup: canceled payments, removed registrations, and a sentence for each thing that remains. */
export type CleanupResult = { canceled: string[]; taken: string[]; stays: string[] }

/** Cancels authorized payments and removes keys and webhooks that a run registered (7); never changes a verdict. */
export const removeRemainingResources = async (
  { organizations }: Pick<CheckContext, 'organizations'>,
  ledger: Pick<WriteLedger, 'lines'>,
): Promise<CleanupResult> => {
  const left = findRemainingResources(ledger.lines)
  const result: CleanupResult = { canceled: [], taken: [], stays: [] }
  const organizationWith = (id: string): TestOrganization | undefined =>
    organizations.find(({ merchant }) => merchant.credentials.organizationId === id)
  await cancelAll(left, organizationWith, result)
  for (const { organization, id } of left.keys)
    await removeOrNote(`signing key ${id}`, result, async () =>
      organizationWith(organization)?.control.deregisterKey(id),
    )
  for (const { organization, id } of left.webhooks)
    await removeOrNote(`webhook ${id}`, result, async () => organizationWith(organization)?.control.unsubscribe(id))
  return result
}

const cancelAll = async (
  { payments }: RemainingResources,
  organizationWith: (id: string) => TestOrganization | undefined,
  result: CleanupResult,
): Promise<void> => {
  for (const { organization, transactionId, stage } of payments) {
    if (stage !== 'authorized') continue
    const used = organizationWith(organization)
    const response = used && (await cancel(used, transactionId).catch(() => undefined))?.response
    if (response && response.status < 300) result.canceled.push(transactionId)
    else result.stays.push(`payment ${transactionId}: cancel answered ${response?.status ?? 'nothing'}`)
  }
}

/** Cancels a payment with a new token, as virtual clocks may have been moved. */
const cancel = async (organization: TestOrganization, transactionId: string): Promise<Exchange> =>
  organization.merchant.request(
    'cancel',
    { json: cancelBody(organization.account, transactionId) },
    await fetchToken(organization),
  )

const removeOrNote = async (what: string, result: CleanupResult, act: () => Promise<unknown>): Promise<void> => {
  try {
    await act()
    result.taken.push(what)
  } catch (error) {
    result.stays.push(`${what}: ${(error as Error).message}`)
  }
}
