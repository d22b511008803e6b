import { expect, test } from 'vitest'
import { signDraft } from '../../contracts/client/send.ts'
import { asking, newMerchant } from '../control/ask.ts'
import { contentOf, described, faultsBy } from '../control/description.ts'
import { merchantOf, runningSimulator } from '../support/running.ts'

const LAB = 'organizations/demo-merchant/lab'

test('5.2: a picked call and a pasted one are answered as described', async () => {
  const simulator = await runningSimulator()
  const ask = asking(simulator)
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
  const [call] = simulator.operator.journal('demo-merchant', 1)
  const picked = await ask('POST', LAB, { call: call?.callId })
  expect(picked).toMatchObject({
    status: 200,
    body: { verdict: 'refused', summary: expect.stringMatching(/^created is .*\.$/) },
  })
  const pasted = await ask('POST', LAB, { request: JSON.stringify(call), base: 'x' })
  expect(pasted).toMatchObject({ status: 200, body: { verdict: 'refused' } })
  const told = described.find(({ call: name }) => name === 'POST /control/organizations/{organizationId}/lab')
  const schema = contentOf(told?.operation.responses['200'] ?? {})['application/json']?.schema
  for (const { body } of [picked, pasted]) expect(faultsBy(schema as object, body)).toEqual([])
})

test('what cannot be examined is refused in one sentence', async () => {
  const ask = asking(await runningSimulator())
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

test('a call whose address held a secret is not judged by what is left of it, and its base tells none either', async () => {
  const simulator = await runningSimulator()
  const merchant = merchantOf(simulator)
  const path = '/payments/x/status?access_token=se-cret'
  await merchant.send({ method: 'GET', path }, { afterSigning: draft => ({ ...draft, target: `${path}&a=b` }) })
  const [call] = simulator.operator.journal('demo-merchant', 1)
  expect(call?.refused).toMatchObject({
    layer: 'signature',
    expectedBase: expect.stringContaining('access_token=***&a=b'),
  })
  expect(JSON.stringify(call)).not.toContain('se-cret')
  expect(await asking(simulator)('POST', LAB, { call: call?.callId })).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining('paste the request') },
  })
})

test('D-30: a key of another organization is not named, and none of its calls can be picked', async () => {
  const simulator = await runningSimulator()
  const ask = asking(simulator)
  const other = await newMerchant(simulator, 'other-shop')
  const [stolen] = other.merchant.credentials.signingKeys
  const merchant = merchantOf(simulator)
  const [own] = merchant.credentials.signingKeys
  if (!stolen || !own) throw new Error('no keys')
  await other.merchant.status('y')
  const [theirs] = simulator.operator.journal('other-shop', 1)
  await merchant.request(
    'status',
    { path: { transactionId: 'x' } },
    { sign: (draft, _, options) => signDraft(draft, { ...stolen, keyId: own.keyId }, options), token: 'none' },
  )
  const [call] = simulator.operator.journal('demo-merchant', 1)
  const { body } = await ask('POST', LAB, { call: call?.callId })
  expect(body.faults).toMatchObject([{ cause: 'not-found' }])
  expect(JSON.stringify(body)).not.toContain('other-shop')
  expect(await ask('POST', LAB, { call: theirs?.callId })).toMatchObject({ status: 404 })
}, 60_000)

test('5.2: a deregistered key is known as such, and what is right is made with another', async () => {
  const simulator = await runningSimulator()
  const ask = asking(simulator)
  const merchant = merchantOf(simulator)
  const [first] = merchant.credentials.signingKeys
  await ask('DELETE', `organizations/demo-merchant/signing-keys/${first?.keyId}`)
  await merchant.request('status', { path: { transactionId: 'x' } }, { token: 'none' })
  const [call] = simulator.operator.journal('demo-merchant', 1)
  const { body } = await ask('POST', LAB, { call: call?.callId })
  expect(body.faults).toMatchObject([{ cause: 'key-deregistered' }])
  expect(body.correct.keyId).not.toBe(first?.keyId)
})

test('a body that is no text is kept byte by byte, in the journal as Base64', async () => {
  const simulator = await runningSimulator()
  const merchant = merchantOf(simulator)
  const bytes = Buffer.from([0x7b, 0xff, 0x00, 0x7d])
  await merchant.request('initiate', { bytes }, { token: 'none' })
  const [call] = simulator.operator.journal('demo-merchant', 1)
  expect(call?.request.bodyBase64).toBe(bytes.toString('base64'))
  const { body } = await asking(simulator)('POST', LAB, { request: JSON.stringify(call) })
  expect(body.verdict).toBe('verifies')
})
