import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRefusal, expectServed } from './judge.ts'
import { type Parts, withHeader } from './message.ts'
import { identityOf, irisPayment, openSandbox, type Sandbox } from './sandbox.ts'

let sandbox: Sandbox
let payment: string
let foreign: string

beforeAll(async () => {
  sandbox = await openSandbox()
  payment = await initiate()
  foreign = await initiate({
    merchant: sandbox.other,
    body: irisPayment({ processingAccountId: 'other-merchant-account-1' }),
  })
})

afterAll(async () => {
  expect(sandbox.faults).toEqual([])
  await sandbox.close()
})

const initiate = async (parts: Parts = {}): Promise<string> => {
  const { merchant = sandbox.demo } = parts
  const message = await sandbox.sign({ body: irisPayment(), ...parts })
  const answer = await sandbox.send(message, { identity: identityOf(merchant.kit) })
  return String((await expectServed(answer, sandbox.keySet)).transactionId)
}

const ACCOUNT = 'demo-merchant-account-1'
const act = { processingAccountId: ACCOUNT, clientTransactionId: 'act-1', paymentDetails: { description: 'x' } }
const OPERATIONS = ['finalize', 'capture', 'cancel', 'refund']

/** What is refused about a payment by every call that names one, without what differs each time. */
const refusals = async (transactionId: string, processingAccountId = ACCOUNT): Promise<Set<string>> => {
  const acts = OPERATIONS.map(name => ({
    target: `/payments/${name}`,
    body: { ...act, processingAccountId, transactionId },
  }))
  const reads = ['status', 'events'].map(name => ({
    target: `/payments/${encodeURIComponent(transactionId)}/${name}`,
  }))
  const texts = (processingAccountId === ACCOUNT ? [...acts, ...reads] : acts).map(async parts => {
    const { callId, ...rest } = await expectRefusal(
      await sandbox.send(await sandbox.sign(parts)),
      sandbox.keySet,
      '404/4001',
    )
    return JSON.stringify(rest)
  })
  return new Set(await Promise.all(texts))
}

test('an unknown payment, a foreign one, one under another account and nonsense look all the same', async () => {
  const [unknown] = await refusals('0c9b5a34-6f0e-4c53-9a55-0d6c1f6a7b10')
  const nonsense = ['x/y', "' OR 1=1 --", '\u0000', '%', '__proto__', 'ż'.repeat(64)]
  for (const id of [foreign, ...nonsense]) expect(await refusals(id), id).toEqual(new Set([unknown]))
  for (const account of ['demo-merchant-account-2', 'other-merchant-account-1', 'nobody'])
    expect(await refusals(payment, account), account).toEqual(new Set([unknown]))
})

test('an id that is no Unicode, or would climb, is nobody too; an address that climbs is none', async () => {
  for (const transactionId of ['..', '\ud800']) {
    const message = await sandbox.sign({ target: '/payments/finalize', body: { ...act, transactionId } })
    await expectRefusal(await sandbox.send(message), sandbox.keySet, '404/4001')
  }
  const climbing = await sandbox.sign({ target: `/payments/../payments/${payment}/./status` })
  await expectRefusal(await sandbox.send(climbing), sandbox.keySet, '400/4000')
})

test("a payment on an account of another organization is forbidden, and so is one on nobody's", async () => {
  for (const processingAccountId of ['other-merchant-account-1', 'nobody']) {
    const message = await sandbox.sign({ body: irisPayment({ processingAccountId }) })
    await expectRefusal(await sandbox.send(message), sandbox.keySet, '403/4971')
  }
})

test.each([
  ['missing', []],
  ['empty', ['']],
  ['blank', ['  ']],
  ['of 256 characters', ['k'.repeat(256)]],
  ['with a space', ['a b']],
  ['with a tab', ['a\tb']],
  ['with a control character', ['a\x7fb']],
  ['in UTF-8', ['\xc5\xbc']],
  ['in Latin-1', ['\xe9']],
  ['sent twice', ['a', 'a']],
])('an idempotency key that is %s', async (_case, keys) => {
  const message = withHeader(await sandbox.sign({ body: irisPayment() }), 'Idempotency-Key', ...keys)
  await expectRefusal(await sandbox.send(message), sandbox.keySet, '400/4000')
})

test.each([
  ['one character', '~'],
  ['255 characters', 'k'.repeat(255)],
  ['SQL', "'||(SELECT/**/1)||'"],
  ['commas', 'a,b,a,b'],
  ['the name of a member of every object', '__proto__'],
])('an idempotency key of %s holds its answer', async (_case, key) => {
  const message = await sandbox.sign({ body: irisPayment(), key })
  const first = await sandbox.send(message)
  const again = await sandbox.send(message)
  expect(await expectServed(again, sandbox.keySet)).toEqual(await expectServed(first, sandbox.keySet))
  expect([first, again].map(answer => answer.header('idempotency-replayed'))).toEqual([undefined, 'true'])
  const other = await sandbox.sign({ body: irisPayment(), key })
  await expectRefusal(await sandbox.send(other), sandbox.keySet, '409/3002')
})

test('two payloads that differ in a member named __proto__ are two payloads', async () => {
  const body = JSON.stringify(irisPayment())
  const variants = ['{"a":1}', '{"a":2}'].map(value => body.replace(/\}$/, `,"__proto__":${value}}`))
  const [first, second] = await Promise.all(variants.map(variant => sandbox.sign({ body: variant, key: 'proto' })))
  if (!first || !second) throw new Error('Two messages were to be signed.')
  await expectServed(await sandbox.send(first), sandbox.keySet)
  await expectRefusal(await sandbox.send(second), sandbox.keySet, '409/3002')
})

test('twenty equal payments at once are one payment', async () => {
  const message = await sandbox.sign({ body: irisPayment(), key: 'twenty-at-once' })
  const answers = await Promise.all(Array.from({ length: 20 }, () => sandbox.send(message)))
  const bodies = await Promise.all(answers.map(answer => expectServed(answer, sandbox.keySet)))
  expect(new Set(bodies.map(({ transactionId }) => transactionId)).size).toBe(1)
})

test('a refused call leaves its key free for the mended one', async () => {
  const spoilt = await sandbox.sign({ body: { ...irisPayment(), transactionType: 'NOPE' }, key: 'mended' })
  await expectRefusal(await sandbox.send(spoilt), sandbox.keySet, '400/4000')
  await expectServed(await sandbox.send(await sandbox.sign({ body: irisPayment(), key: 'mended' })), sandbox.keySet)
})
