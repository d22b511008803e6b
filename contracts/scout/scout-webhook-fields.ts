import { describeExchange, type Exchange, isServed, responseJson } from '../client/http-exchange.ts'
import type { CheckContext } from '../suites/context/check-context.ts'
import type { WebhookSource } from '../suites/drivers/delivered-webhook.ts'
import { openWebhookSource } from '../suites/drivers/open-webhook-source.ts'
import { operationsOn } from '../suites/given/calls-on-payment.ts'
import { createApprovedPayment } from '../suites/given/create-payments.ts'
import { equals, findCommonPointer, responseValueAt } from './find-json-pointers.ts'
import { createProbeResult, mergeProbeResults, type ProbeResult } from './probe-findings.ts'

/** Learns where events and webhooks hold transaction id, status and reasonCode (S15, S22). */
export const scoutWebhookFields = async (context: CheckContext): Promise<ProbeResult> => {
  const source = await openWebhookSource(context)
  try {
    return await scoutFieldsBy(context, source)
  } finally {
    source.close()
  }
}

const scoutFieldsBy = async (context: CheckContext, source: WebhookSource): Promise<ProbeResult> => {
  const { merchant, profile } = context
  const transactionId = await createApprovedPayment(profile, context, false)
  await operationsOn(context, transactionId).finalize()
  const events = await merchant.request('events', { path: { transactionId } })
  const pushed = await source.outcomeOf(transactionId)
  if (!isServed(pushed)) return { found: [], open: ['fields.webhook: no webhook of the payment came'] }
  const { body } = responseJson(pushed) as { body: string }
  const webhook: Exchange = { ...pushed, response: { status: 200, headers: {}, body: Buffer.from(body) } }
  const places = Object.entries({
    transactionId: equals(transactionId),
    status: orNowhere(profile.fields?.initiate?.status),
    reasonCode: orNowhere(profile.fields?.initiate?.reasonCode),
  })
  return mergeProbeResults(
    places.flatMap(([name, wanted]) => {
      const [inEvents, inWebhook] = [events, webhook].map(exchange =>
        typeof wanted === 'function' ? findCommonPointer([[exchange, wanted]]) : samePlaceIn(exchange, wanted),
      )
      return [
        createProbeResult(`fields.events.${name}`, inEvents, describeExchange(events)),
        createProbeResult(
          `fields.webhook.${name}`,
          inWebhook,
          'a webhook of that payment',
          name === 'transactionId' ? ['EVT-01'] : ['EVT-02'],
        ),
      ]
    }),
  )
}

const orNowhere = (pointer: string | undefined) => pointer ?? ''

/** Returns the pointer of the initiate response, where it holds a value in this response too. */
const samePlaceIn = (exchange: Exchange, pointer: string): string | undefined =>
  pointer !== '' && responseValueAt(exchange, pointer) !== undefined ? pointer : undefined
