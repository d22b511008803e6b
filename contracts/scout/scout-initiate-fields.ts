import { describeExchange, type Exchange, isServed, responseJson } from '../client/http-exchange.ts'
import { jsonLeaves } from '../dialect/json-pointer.ts'
import type { CheckContext } from '../suites/context/check-context.ts'
import { anyPayment } from '../suites/given/create-payments.ts'
import { equals, jsonArrays } from './find-json-pointers.ts'
import { createProbeResult, mergeProbeResults, type ProbeResult } from './probe-findings.ts'

const MAX_STATUS_CALLS = 12

/** Learns where initiate and search hold the transaction id and the redirect URL (S08, S16); makes one payment. */
export const scoutInitiateFields = async (context: CheckContext): Promise<ProbeResult> => {
  const { merchant } = context
  const json = await anyPayment(context.profile, context)
  const initiated = await merchant.request('initiate', { json })
  if (!isServed(initiated)) return { found: [], open: [`fields.initiate: ${describeExchange(initiated)}`] }
  const id = await findTransactionId(context, initiated, [json.clientTransactionId, json.processingAccountId])
  const redirect = createProbeResult(
    'fields.initiate.redirectUrl',
    redirectIn(responseJson(initiated)),
    describeExchange(initiated),
    ['VAL-02', 'IRS-01'],
  )
  if (!id)
    return mergeProbeResults([
      createProbeResult('fields.initiate.transactionId', undefined, 'the response has no status'),
      redirect,
    ])
  const evidence = `its value opens a status: ${describeExchange(id.read)}`
  const search = await merchant.request('search', { json: { clientTransactionId: json.clientTransactionId } })
  return mergeProbeResults([
    createProbeResult('fields.initiate.transactionId', id.pointer, evidence, ['RDS-01', 'RDS-08']),
    createProbeResult('ids.transactionId', isNumberIn(initiated, id.value) ? 'number' : 'text', evidence),
    redirect,
    searchHitIn(search, id.value),
  ])
}

/** Finds the transaction id in a response: the value with which a status call succeeds (rule 6). */
export const findTransactionId = async ({ merchant }: CheckContext, exchange: Exchange, known: readonly unknown[]) => {
  const leaves = jsonLeaves(responseJson(exchange)).filter(({ value }) => !known.includes(value))
  const candidates = [
    ...leaves.filter(({ value }) => isUsualId(value)),
    ...leaves.filter(({ value }) => !isUsualId(value) && isUnusualId(value)),
  ]
  for (const { pointer, value } of candidates.slice(0, MAX_STATUS_CALLS)) {
    const read = await merchant.request('status', { path: { transactionId: String(value) } })
    if (isServed(read)) return { pointer, value, read }
  }
}

const isUsualId = (value: string | number): boolean =>
  typeof value === 'number' ? Number.isSafeInteger(value) && value > 999 : /^[\w-]{6,64}$/.test(value)

/** Whether a value may be an id of another form: a text with a digit that is neither a URL nor a time. */
const isUnusualId = (value: string | number): boolean =>
  typeof value === 'string' && /^(?=.*\d)\S{1,128}$/.test(value) && !/^https?:|^\d{4}-\d\d-\d\dT/.test(value)

/** Whether a value stands as a number in a response: one beyond 2^53 is read as text. */
const isNumberIn = ({ response }: Exchange, value: string | number): boolean =>
  typeof value === 'number' || (/^\d+$/.test(value) && !response?.body.includes(`"${value}"`))

/** Returns the pointer to the redirect URL: the first URL under a name with "redirect", else the first that no QR code shows. */
export const redirectIn = (json: unknown): string | undefined => {
  const addresses = jsonLeaves(json).filter(({ value }) => /^https?:\/\/./.test(String(value)))
  const found =
    addresses.find(({ pointer }) => /redirect/i.test(pointer)) ??
    addresses.find(({ pointer }) => !/qr|image/i.test(pointer)) ??
    addresses[0]
  return found?.pointer
}

const searchHitIn = (search: Exchange, id: string | number): ProbeResult => {
  const evidence = `it holds our payment: ${describeExchange(search)}`
  for (const { pointer, items } of jsonArrays(responseJson(search))) {
    const member = jsonLeaves(items[0]).find(({ value }) => equals(id)(String(value)))
    if (member)
      return mergeProbeResults([
        createProbeResult('fields.search.list', pointer, evidence, ['RDS-09']),
        createProbeResult('fields.search.transactionId', member.pointer, evidence, ['RDS-09']),
      ])
  }
  return createProbeResult('fields.search', undefined, `no list holds our payment in ${describeExchange(search)}`)
}
