import { type Exchange, jsonOf, lineOf } from '../client/exchange.ts'
import { irisPayment } from '../suites/bodies.ts'
import type { World } from '../suites/world.ts'
import { finding, is, isServed, type Learned, leavesOf, listsOf, merged } from './finding.ts'

const MOST_TRIES = 12

/** How a payment is named, where its shopper goes, and where a search shows it (S08, S16); one IRIS payment. */
export const scoutBeginning = async (world: World): Promise<Learned> => {
  const { merchant, account } = world
  const json = irisPayment(account)
  const begun = await merchant.request('initiate', { json })
  if (!isServed(begun)) return { found: [], open: [`fields.initiate: ${lineOf(begun)}`] }
  const id = await idIn(world, begun, [json.clientTransactionId, json.processingAccountId])
  const redirect = finding('fields.initiate.redirectUrl', redirectIn(begun), lineOf(begun), ['VAL-02', 'IRS-01'])
  if (!id)
    return merged([
      finding('fields.initiate.transactionId', undefined, 'nothing in the answer opens a status'),
      redirect,
    ])
  const evidence = `its value opens a status: ${lineOf(id.read)}`
  const search = await merchant.request('search', { json: { clientTransactionId: json.clientTransactionId } })
  return merged([
    finding('fields.initiate.transactionId', id.pointer, evidence, ['RDS-01', 'RDS-08']),
    typeof id.value === 'number' ? finding('ids.transactionId', 'number', evidence) : merged([]),
    redirect,
    hitIn(search, id.value),
  ])
}

/** The id is whatever makes the status call answer (rule 6). */
export const idIn = async ({ merchant }: World, exchange: Exchange, known: readonly unknown[]) => {
  const candidates = leavesOf(jsonOf(exchange)).filter(({ value }) => couldBeId(value) && !known.includes(value))
  for (const { pointer, value } of candidates.slice(0, MOST_TRIES)) {
    const read = await merchant.request('status', { path: { transactionId: String(value) } })
    if (isServed(read)) return { pointer, value, read }
  }
}

const couldBeId = (value: string | number): boolean =>
  typeof value === 'number' ? Number.isSafeInteger(value) && value > 999 : /^[\w-]{6,64}$/.test(value)

/** Of several addresses, the one whose name says what it is for. */
const redirectIn = (exchange: Exchange): string | undefined => {
  const addresses = leavesOf(jsonOf(exchange)).filter(({ value }) => /^https?:\/\/./.test(String(value)))
  return (addresses.find(({ pointer }) => /redirect/i.test(pointer)) ?? addresses[0])?.pointer
}

const hitIn = (search: Exchange, id: string | number): Learned => {
  const evidence = `it holds our payment: ${lineOf(search)}`
  for (const { pointer, items } of listsOf(jsonOf(search))) {
    const member = leavesOf(items[0]).find(({ value }) => is(id)(String(value)))
    if (member)
      return merged([
        finding('fields.search.list', pointer, evidence, ['RDS-09']),
        finding('fields.search.transactionId', member.pointer, evidence, ['RDS-09']),
      ])
  }
  return finding('fields.search', undefined, `no list holds our payment in ${lineOf(search)}`)
}
