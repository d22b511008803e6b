import { expect, test } from 'vitest'
import { signOutgoing } from '../../contracts/client/send-signed-call.ts'
import { controlClient, createMerchantOrganization } from '../support/control-client.ts'
import { contentOf, describedCalls, schemaErrors } from '../support/control-description.ts'
import { pollUntil } from '../support/poll-until.ts'
import { merchantOf, startScopedSimulator } from '../support/test-scoped-simulator.ts'

const LAB = 'organizations/demo-merchant/lab'

test('5.2: responses to a selected and a pasted call match the OpenAPI description', async () => {
  const simulator = await startScopedSimulator()
  const ask = controlClient(simulator)
  const merchant = merchantOf(simulator)
  await merchant.request(
    'status',
    { path: { transactionId: 'x' } },
    {
      afterSigning: draft => ({
        ...draft,
        headers: { ...draft.headers, 'signature-input': `${draft.headers['signature-input']}0` },
      }),
      token: 'none',
    },
  )
  const [call] = simulator.controlPlane.journal.latest('demo-merchant', 1)
  const picked = await ask('POST', LAB, { call: call?.callId })
  expect(picked).toMatchObject({
    status: 200,
    body: { verdict: 'refused', summary: expect.stringMatching(/^created is .*\.$/) },
  })
  const pasted = await ask('POST', LAB, { request: JSON.stringify(call), base: 'x' })
  expect(pasted).toMatchObject({ status: 200, body: { verdict: 'refused' } })
  const told = describedCalls.find(({ call: name }) => name === 'POST /control/organizations/{organizationId}/lab')
  const schema = contentOf(told?.operation.responses['200'] ?? {})['application/json']?.schema
  for (const { body } of [picked, pasted]) expect(schemaErrors(schema as object, body)).toEqual([])
})

test('input that cannot be examined is refused in one sentence', async () => {
  const ask = controlClient(await startScopedSimulator())
  expect(await ask('POST', LAB, {})).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining('either request') },
  })
  expect(await ask('POST', LAB, { call: 'a', request: 'b' })).toMatchObject({ status: 400 })
  expect(await ask('POST', LAB, { call: 'none' })).toMatchObject({
    status: 404,
    body: { error: expect.stringContaining('no call of this id') },
  })
  expect(await ask('POST', LAB, { request: 'good morning' })).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining('no request line') },
  })
  expect(await ask('POST', 'organizations/nobody/lab', { request: 'x' })).toMatchObject({ status: 404 })
})

test('a journaled call with a redacted address is not verified, and its base holds no secret', async () => {
  const simulator = await startScopedSimulator()
  const merchant = merchantOf(simulator)
  const path = '/payments/x/status?access_token=se-cret'
  await merchant.send({ method: 'GET', path }, { afterSigning: draft => ({ ...draft, target: `${path}&a=b` }) })
  const [call] = simulator.controlPlane.journal.latest('demo-merchant', 1)
  expect(call?.refused).toMatchObject({
    layer: 'signature',
    expectedBase: expect.stringContaining('access_token=***&a=b'),
  })
  expect(JSON.stringify(call)).not.toContain('se-cret')
  expect(await controlClient(simulator)('POST', LAB, { call: call?.callId })).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining('paste the request') },
  })
})

test('D-30: keys and calls of another organization are not accessible', async () => {
  const simulator = await startScopedSimulator()
  const ask = controlClient(simulator)
  const other = await createMerchantOrganization(simulator, 'other-shop')
  const [stolen] = other.merchant.credentials.signingKeys
  const merchant = merchantOf(simulator)
  const [own] = merchant.credentials.signingKeys
  if (!stolen || !own) throw new Error('no keys')
  await other.merchant.status('y')
  const [theirs] = simulator.controlPlane.journal.latest('other-shop', 1)
  await merchant.request(
    'status',
    { path: { transactionId: 'x' } },
    { sign: (draft, _, options) => signOutgoing(draft, { ...stolen, keyId: own.keyId }, options), token: 'none' },
  )
  const [call] = simulator.controlPlane.journal.latest('demo-merchant', 1)
  const { body } = await ask('POST', LAB, { call: call?.callId })
  expect(body.faults).toMatchObject([{ cause: 'not-found' }])
  expect(JSON.stringify(body)).not.toContain('other-shop')
  expect(await ask('POST', LAB, { call: theirs?.callId })).toMatchObject({ status: 404 })
}, 60_000)

test('5.2: a deregistered key is reported, and the corrected request uses another key', async () => {
  const simulator = await startScopedSimulator()
  const ask = controlClient(simulator)
  const merchant = merchantOf(simulator)
  const [first] = merchant.credentials.signingKeys
  await ask('DELETE', `organizations/demo-merchant/signing-keys/${first?.keyId}`)
  await merchant.request('status', { path: { transactionId: 'x' } }, { token: 'none' })
  const [call] = simulator.controlPlane.journal.latest('demo-merchant', 1)
  const { body } = await ask('POST', LAB, { call: call?.callId })
  expect(body.faults).toMatchObject([{ cause: 'key-deregistered' }])
  expect(body.correct.keyId).not.toBe(first?.keyId)
})

test('5: a call that another layer refused is told to be that', async () => {
  const simulator = await startScopedSimulator()
  await merchantOf(simulator).request('status', { path: { transactionId: 'x' } }, { token: 'none' })
  const [call] = simulator.controlPlane.journal.latest('demo-merchant', 1)
  const { body } = await controlClient(simulator)('POST', LAB, { call: call?.callId })
  expect(body).toMatchObject({
    verdict: 'verifies',
    summary: expect.stringMatching(/^The signature is right\. The layer "token" refused this call: .*\.$/),
  })
  const page = await fetch(`${simulator.pagesUrl}/portal/organizations/demo-merchant/lab?call=${call?.callId}`)
  expect(await page.text()).toContain('The signature is right. The layer &quot;token&quot; refused this call:')
})

test('a binary body is kept unchanged, in the journal as Base64', async () => {
  const simulator = await startScopedSimulator()
  const merchant = merchantOf(simulator)
  const bytes = Buffer.from([0x7b, 0xff, 0x00, 0x7d])
  await merchant.request('initiate', { bytes }, { token: 'none' })
  const [call] = simulator.controlPlane.journal.latest('demo-merchant', 1)
  expect(call?.request.bodyBase64).toBe(bytes.toString('base64'))
  const { body } = await controlClient(simulator)('POST', LAB, { request: JSON.stringify(call) })
  expect(body.verdict).toBe('verifies')
})

/** A request for which the lab searches long: its signature verifies over nothing. */
const UNFINDABLE = [
  'POST /payments/capture HTTP/1.1',
  'Host: localhost',
  'Content-Type: application/json',
  `Content-Digest: sha-256=:${Buffer.alloc(32, 7).toString('base64')}:`,
  'Authorization: Bearer x',
  'Idempotency-Key: 2b9c4f0e-1111-4222-8333-abcdefabcdef',
  'Signature-Input: sig1=("@method" "@path" "@authority" "content-digest" "content-type" "authorization" "idempotency-key");created=1795790000;keyid="nobody";alg="ecdsa-p256-sha256"',
  `Signature: sig1=:${Buffer.alloc(64, 9).toString('base64')}:`,
  '',
  '{"a":1}',
].join('\r\n')

test('searches of one organization do not delay another, are limited, and end with their client', async () => {
  const simulator = await startScopedSimulator()
  const { here } = await createMerchantOrganization(simulator)
  const leaving = new AbortController()
  const search = () =>
    fetch(`${simulator.pagesUrl}/control/${LAB}`, {
      method: 'POST',
      body: JSON.stringify({ request: UNFINDABLE }),
      signal: leaving.signal,
    })
  let isOver = false
  const searches = Array.from({ length: 9 }, search)
  const first = await Promise.race(searches)
  expect([first.status, (await first.json()) as unknown]).toEqual([
    429,
    { error: expect.stringMatching(/^8 searches .* of this organization are under way: .*\.$/) },
  ])
  const ended = Promise.allSettled(searches).then(() => {
    isOver = true
  })
  const ask = controlClient(simulator)
  expect(await ask('POST', `${here}/lab`, { request: UNFINDABLE.replace(/Signature-Input.*\r\n/, '') })).toMatchObject({
    status: 200,
  })
  expect(isOver).toBe(false)
  leaving.abort()
  await ended
  await pollUntil(
    () => ask('POST', LAB, { request: 'good morning' }),
    ({ status }) => status === 400,
  )
})

test('at the stop, searches end with a sentence and nothing is reported', async () => {
  const faults: unknown[] = []
  const simulator = await startScopedSimulator({}, { onError: error => faults.push(error) })
  const ask = controlClient(simulator)
  const searches = Array.from({ length: 3 }, () => ask('POST', LAB, { request: UNFINDABLE }))
  await Promise.all([ask('GET', 'organizations'), ask('GET', 'organizations'), ask('GET', 'organizations')])
  await simulator.stop()
  for (const search of searches)
    expect(await search).toEqual({ status: 409, body: { error: 'The sandbox stops: search again once it runs.' } })
  expect(faults).toEqual([])
}, 90_000)
