import { expect, test } from 'vitest'
import { descriptionMismatches } from '../support/control-description.ts'
import { pollUntil } from '../support/poll-until.ts'
import { openWebhookReceiver } from '../support/recording-webhook-receiver.ts'
import {
  firstAccountOf,
  initiateIris,
  irisRequestOf,
  merchantOf,
  type ScopedSimulator,
  startScopedSimulator,
} from '../support/test-scoped-simulator.ts'

type Told = { state: string; now: string; marks: { lane: string; at: string; [more: string]: unknown }[] }

const controlOf = ({ pagesUrl }: ScopedSimulator) => {
  const here = '/control/organizations/demo-merchant'
  return async (method: string, path: string, sent?: object) => {
    const body = sent === undefined ? undefined : JSON.stringify(sent)
    const answer = await fetch(`${pagesUrl}${here}/${path}`, { method, ...(body === undefined ? {} : { body }) })
    const text = await answer.text()
    const spoken = { method, target: `${here}/${path}`, sent: body ?? '', status: answer.status, body: text }
    if (answer.headers.get('content-type')?.includes('json')) expect(descriptionMismatches(spoken)).toEqual([])
    return { status: answer.status, text, headers: answer.headers, json: () => JSON.parse(text) }
  }
}

test('calls, clicks, states, webhook attempts, clock moves and planned items are listed in order', async () => {
  const simulator = await startScopedSimulator({ webhookPrivate: ['127.0.0.0/8'], settleAfter: 3_600_000 })
  const control = controlOf(simulator)
  const receiver = await openWebhookReceiver(nth => ({ status: nth === 1 ? 500 : 200 }))
  await control('POST', 'webhooks', { url: receiver.url })
  await control('POST', 'clock', { freeze: true })
  const merchant = merchantOf(simulator)
  const told = (times: number) =>
    pollUntil(
      () => receiver.received.length,
      length => length >= times,
    )
  const transactionId = await initiateIris(merchant)
  await told(1)
  await control('POST', `payments/${transactionId}/shopper`, { action: 'approve' })
  await told(2)
  await merchant.finalize({ processingAccountId: firstAccountOf(merchant), transactionId })
  await told(3)
  await control('POST', 'clock', { advance: 'PT10M' })
  const { json } = await control('GET', `payments/${transactionId}/timeline`)
  const { state, marks } = json() as Told
  expect(state).toBe('CAPTURED')
  const lanes = marks.filter(({ planned }) => !planned).map(({ lane }) => lane)
  const turns = lanes.filter((lane, at) => lane !== lanes[at - 1])
  const order = 'clock call state webhook shopper state webhook call state webhook clock webhook'
  expect(turns.join(' ')).toBe(order)
  expect(marks.filter(({ lane }) => lane === 'webhook').map(({ status, nth }) => [status, nth])).toContainEqual([
    200, 2,
  ])
  expect(marks.filter(({ lane }) => lane === 'clock').map(({ way }) => way)).toEqual(['freeze', 'advance'])
  expect(marks.at(-1)).toMatchObject({ planned: true, lane: 'state', name: 'settlement' })
  const late = await control('POST', `payments/${transactionId}/shopper`, { action: 'decline' })
  expect(late.status).toBe(409)
  const again = (await control('GET', `payments/${transactionId}/timeline`)).json() as Told
  expect(again.marks.filter(({ lane }) => lane === 'shopper')).toMatchObject([
    { action: 'approve' },
    { action: 'decline', late: true },
  ])
}, 30_000)

test('the SVG file loads nothing, and that of an unknown payment is 404', async () => {
  const simulator = await startScopedSimulator()
  const control = controlOf(simulator)
  const transactionId = await initiateIris(merchantOf(simulator))
  const { status, text, headers } = await control('GET', `payments/${transactionId}/timeline.svg`)
  expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml; charset=utf-8'])
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  )
  expect(text).toContain('AWAITING_SHOPPER')
  for (const path of ['timeline', 'timeline.svg'])
    expect((await control('GET', `payments/nothing/${path}`)).status).toBe(404)
})

test('the SVG file is XML whatever the reference of the payment', async () => {
  const simulator = await startScopedSimulator()
  const merchant = merchantOf(simulator)
  const clientTransactionId = 'a\u0001b\ud800c\uffffd'
  const answer = await merchant.initiate({ ...irisRequestOf(merchant), clientTransactionId })
  if (!answer.ok) throw new Error(answer.refusal?.statusInfo?.message)
  const { text } = await controlOf(simulator)('GET', `payments/${answer.body.transactionId}/timeline.svg`)
  expect(text).toContain('IRIS a\\x01b')
  expect(text).not.toMatch(/[^\t\n\u0020-\ud7ff\ue000-\ufffd]/)
})

test('activities are deleted by a reset and restored by a snapshot', async () => {
  const simulator = await startScopedSimulator()
  const control = controlOf(simulator)
  const transactionId = await initiateIris(merchantOf(simulator))
  await control('POST', `payments/${transactionId}/shopper`, { action: 'approve' })
  await control('POST', 'clock', { advance: 'PT1M' })
  await control('POST', 'snapshots', { name: 'then' })
  await control('POST', 'reset', {})
  expect((await control('GET', `payments/${transactionId}/timeline`)).status).toBe(404)
  await control('POST', 'snapshots/then/restore', {})
  const { marks } = (await control('GET', `payments/${transactionId}/timeline`)).json() as Told
  expect(marks.map(({ lane }) => lane)).toEqual(expect.arrayContaining(['shopper', 'state', 'clock']))
})

test('payments are listed newest first, filtered and paged', async () => {
  const simulator = await startScopedSimulator()
  const control = controlOf(simulator)
  const merchant = merchantOf(simulator)
  const ids = [await initiateIris(merchant), await initiateIris(merchant), await initiateIris(merchant)].reverse()
  const list = async (query: string) => (await control('GET', `payments?${query}`)).json()
  const idsOf = ({ payments }: { payments: { transactionId: string }[] }) => payments.map(one => one.transactionId)
  expect(idsOf(await list(''))).toEqual(ids)
  const first = await list('limit=2')
  expect([idsOf(first), first.next]).toEqual([ids.slice(0, 2), ids[1]])
  expect(idsOf(await list(`limit=2&before=${first.next}`))).toEqual(ids.slice(2))
  expect(idsOf(await list(`transactionId=${ids[1]}`))).toEqual([ids[1]])
  expect(idsOf(await list(`transactionId=${ids[1]}&status=APPROVED`))).toEqual([])
  expect(idsOf(await list('status=PENDING&clientTransactionId=order-1'))).toEqual(ids)
  expect((await control('GET', 'payments?before=nothing')).status).toBe(400)
})

test('2.7: a mock set over control applies to the next call; an invalid one is refused in one sentence', async () => {
  const simulator = await startScopedSimulator()
  const control = controlOf(simulator)
  const merchant = merchantOf(simulator)
  const mock = {
    processingAccountId: firstAccountOf(merchant),
    key: { type: 'PAYER_ID', value: 'shopper-1' },
    type: 'MOCK',
    scenario: 'IRIS_TIMEOUT',
  }
  const wrong = [
    { ...mock, scenario: 'IRIS_TIMEOUTS' },
    { ...mock, type: 'FAKE' },
    { ...mock, key: { type: 'PAYER_ID', value: '' } },
    { ...mock, key: { type: 'PAYER_ID', value: 'shopper-1', scheme: 'IRIS' } },
    { ...mock, processingAccountId: 'another' },
  ]
  for (const one of wrong) expect((await control('POST', 'mocks', one)).status).toBe(400)
  expect((await control('POST', 'mocks', wrong[0])).json().error).toContain('did you mean')
  const names = (await (await fetch(`${simulator.pagesUrl}/control/scenarios`)).json()) as {
    scenarios: { name: string; providers: string[]; steps: { initiate?: { outcome?: string } } }[]
  }
  const name = names.scenarios.find(
    ({ providers, steps }) => providers.includes('IRIS') && steps.initiate?.outcome === 'declined',
  )?.name
  expect((await control('POST', 'mocks', { ...mock, scenario: name })).status).toBe(201)
  expect((await control('GET', 'mocks')).json().mocks).toMatchObject([{ scenario: name, oneTime: false }])
  await expect(initiateIris(merchant)).resolves.toBeTypeOf('string')
  const [call] = simulator.controlPlane.journal.latest('demo-merchant', 1)
  expect(call?.script).toMatchObject({ scenario: name, by: 'mock', mocks: [{ matched: true }] })
})
