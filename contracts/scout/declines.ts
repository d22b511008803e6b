import { type Exchange, jsonOf, lineOf } from '../client/exchange.ts'
import { on } from '../suites/acts.ts'
import { blikPayment, chargeOf, keptPayment } from '../suites/bodies.ts'
import { consented, transactionIdOf } from '../suites/given.ts'
import { unique } from '../suites/mock.ts'
import type { World } from '../suites/world.ts'
import { idIn } from './beginning.ts'
import { finding, is, isServed, isWord, type Learned, leavesOf, merged, placeIn, valueAt } from './finding.ts'

/** Where a success tells that it is a decline, and why (S44); one code that nobody has. */
export const scoutDecline = async ({ merchant, account, operator }: World): Promise<Learned> => {
  const code = await operator.oneTimeCode()
  const usual = await merchant.request('initiate', { json: blikPayment(account, code) })
  const declined = await merchant.request('initiate', { json: blikPayment(account, code) })
  if (!isServed(usual) || !isServed(declined)) return { found: [], open: [`errors.declined: ${lineOf(declined)}`] }
  const evidence = `a code used twice: ${lineOf(declined)}`
  const word = leavesOf(jsonOf(declined)).find(({ pointer, value }) => {
    const other = valueAt(usual, pointer)
    return isWord(value) && isWord(other) && value !== other
  })
  return merged([
    finding('fields.initiate.reasonCode', placeIn([[declined, is('4000')]]), evidence, ['BLK-06']),
    finding('errors.declined', word && { at: word.pointer, words: [word.value] }, evidence),
  ])
}

/** Where finalize names a mandate, and a charge its payment (S09, S10). */
export const scoutMandate = async (world: World): Promise<Learned> => {
  const { merchant, operator, account, profile } = world
  const payerId = unique('payer')
  const plain = await on(world, await consented(profile, world, false)).finalize()
  const json = keptPayment(account, await operator.oneTimeCode(), payerId, 'RECURRING')
  const kept = transactionIdOf(profile, await merchant.request('initiate', { json }))
  await operator.shopper(kept, 'approve')
  const finalized = await on(world, kept).finalize()
  const before = new Set(leavesOf(jsonOf(plain)).map(({ pointer }) => pointer))
  const fresh = leavesOf(jsonOf(finalized)).filter(
    ({ pointer, value }) => !before.has(pointer) && isToken(value) && value !== payerId,
  )
  const charge = chargeOf(account, { payerId })
  const charged = await merchant.request('charge', { json: charge })
  const id = isServed(charged) ? await idIn(world, charged, [charge.clientTransactionId, account]) : undefined
  return merged([
    finding('fields.finalize.paymentToken', fresh[0]?.pointer, `only a mandate has it: ${lineOf(finalized)}`),
    finding(
      'fields.charge.transactionId',
      id?.pointer,
      id ? `its value opens a status: ${lineOf(id.read)}` : lineOf(charged),
    ),
  ])
}

const isToken = (value: unknown): boolean => /^[\w.~-]{8,}$/.test(String(value))

/** Where events and webhooks name the payment and tell its outcome (S15, S22). */
export const scoutWebhook = async (world: World): Promise<Learned> => {
  const { merchant, operator, profile } = world
  const transactionId = await consented(profile, world, false)
  await on(world, transactionId).finalize()
  const events = await merchant.request('events', { path: { transactionId } })
  const pushed = await operator.notification({ transactionId, type: 'PAYMENT_FINALIZE' })
  if (!isServed(pushed)) return { found: [], open: ['fields.webhook: no notification came'] }
  const { body } = jsonOf(pushed) as { body: string }
  const webhook: Exchange = { ...pushed, answer: { status: 200, headers: {}, body: Buffer.from(body) } }
  const places = Object.entries({
    transactionId: is(transactionId),
    status: placeOf(profile.fields?.initiate?.status),
    reasonCode: placeOf(profile.fields?.initiate?.reasonCode),
  })
  return merged(
    places.flatMap(([name, wanted]) => {
      const [told, seen] = [events, webhook].map(exchange =>
        typeof wanted === 'function' ? placeIn([[exchange, wanted]]) : thereIn(exchange, wanted),
      )
      return [
        finding(`fields.events.${name}`, told, lineOf(events)),
        finding(
          `fields.webhook.${name}`,
          seen,
          'a notification of the inbox',
          name === 'transactionId' ? ['EVT-01'] : ['EVT-02'],
        ),
      ]
    }),
  )
}

const placeOf = (pointer: string | undefined) => pointer ?? ''

/** The place that answers to initiate have, where it holds something here too. */
const thereIn = (exchange: Exchange, pointer: string): string | undefined =>
  pointer !== '' && valueAt(exchange, pointer) !== undefined ? pointer : undefined
