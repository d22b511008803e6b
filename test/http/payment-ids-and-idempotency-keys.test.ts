import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRefusal, expectServed } from '../support/api-response-checks.ts'
import { type RawRequestParts, withHeader } from '../support/create-signed-raw-request.ts'
import { identityOf, irisInitiateBody, openRawSandbox, type RawSandbox } from '../support/raw-request-sandbox.ts'

let sandbox: RawSandbox
let payment: string
let foreign: string

beforeAll(async () => {
  sandbox = await openRawSandbox({ config: { unknownMembers: 'ignore' } })
  payment = await initiate()
  foreign = await initiate({
    merchant: sandbox.other,
    body: irisInitiateBody({ processingAccountId: 'other-merchant-account-1' }),
  })
})

afterAll(async () => {
  expect(sandbox.faults).toEqual([])
  await sandbox.close()
})

const initiate = async (parts: RawRequestParts = {}): Promise<string> => {
  const { merchant = sandbox.demo } = parts
  const message = await sandbox.sign({ body: irisInitiateBody(), ...parts })
  const answer = await sandbox.send(message, { identity: identityOf(merchant.kit) })
  return String((await expectServed(answer, sandbox.keySet)).transactionId)
}

const ACCOUNT = 'demo-merchant-account-1'
const act = { processingAccountId: ACCOUNT, clientTransactionId: 'act-1', paymentDetails: { description: 'x' } }
const OPERATIONS = ['finalize', 'capture', 'cancel', 'refund']

/** Distinct 404 bodies of all calls on a payment id, without their call ids. */
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

test('an unknown payment, one of another organization or account, and an invalid id get the same 404', async () => {
  const [unknown] = await refusals('0c9b5a34-6f0e-4c53-9a55-0d6c1f6a7b10')
  const nonsense = ['x/y', "' OR 1=1 --", '\u0000', '%', '__proto__', 'ż'.repeat(64)]
  for (const id of [foreign, ...nonsense]) expect(await refusals(id), id).toEqual(new Set([unknown]))
  for (const account of ['demo-merchant-account-2', 'other-merchant-account-1', 'nobody'])
    expect(await refusals(payment, account), account).toEqual(new Set([unknown]))
})

test('an id that is invalid Unicode or .. is 404; a path with dot segments is 400', async () => {
  for (const transactionId of ['..', '\ud800']) {
    const message = await sandbox.sign({ target: '/payments/finalize', body: { ...act, transactionId } })
    await expectRefusal(await sandbox.send(message), sandbox.keySet, '404/4001')
  }
  const climbing = await sandbox.sign({ target: `/payments/../payments/${payment}/./status` })
  await expectRefusal(await sandbox.send(climbing), sandbox.keySet, '400/4000')
})

test('a payment on an account of another organization or an unknown account is 403', async () => {
  for (const processingAccountId of ['other-merchant-account-1', 'nobody']) {
    const message = await sandbox.sign({ body: irisInitiateBody({ processingAccountId }) })
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
])('an idempotency key that is %s is refused with 400', async (_case, keys) => {
  const message = withHeader(await sandbox.sign({ body: irisInitiateBody() }), 'Idempotency-Key', ...keys)
  await expectRefusal(await sandbox.send(message), sandbox.keySet, '400/4000')
})

test.each([
  ['one character', '~'],
  ['255 characters', 'k'.repeat(255)],
  ['SQL', "'||(SELECT/**/1)||'"],
  ['commas', 'a,b,a,b'],
  ['the name of a member of every object', '__proto__'],
])('an idempotency key of %s replays its response', async (_case, key) => {
  const message = await sandbox.sign({ body: irisInitiateBody(), key })
  const first = await sandbox.send(message)
  const again = await sandbox.send(message)
  expect(await expectServed(again, sandbox.keySet)).toEqual(await expectServed(first, sandbox.keySet))
  expect([first, again].map(answer => answer.header('idempotency-replayed'))).toEqual([undefined, 'true'])
  const other = await sandbox.sign({ body: irisInitiateBody(), key })
  await expectRefusal(await sandbox.send(other), sandbox.keySet, '409/3002')
})

test('payloads that differ only in a member named __proto__ are different', async () => {
  const body = JSON.stringify(irisInitiateBody())
  const variants = ['{"a":1}', '{"a":2}'].map(value => body.replace(/\}$/, `,"__proto__":${value}}`))
  const [first, second] = await Promise.all(variants.map(variant => sandbox.sign({ body: variant, key: 'proto' })))
  if (!first || !second) throw new Error('Two messages were to be signed.')
  await expectServed(await sandbox.send(first), sandbox.keySet)
  await expectRefusal(await sandbox.send(second), sandbox.keySet, '409/3002')
})

test('twenty concurrent identical calls create one payment', async () => {
  const message = await sandbox.sign({ body: irisInitiateBody(), key: 'twenty-at-once' })
  const answers = await Promise.all(Array.from({ length: 20 }, () => sandbox.send(message)))
  const bodies = await Promise.all(answers.map(answer => expectServed(answer, sandbox.keySet)))
  expect(new Set(bodies.map(({ transactionId }) => transactionId)).size).toBe(1)
})

test('a refused call leaves its key free for the corrected one', async () => {
  const spoilt = await sandbox.sign({ body: { ...irisInitiateBody(), transactionType: 'NOPE' }, key: 'mended' })
  await expectRefusal(await sandbox.send(spoilt), sandbox.keySet, '400/4000')
  await expectServed(
    await sandbox.send(await sandbox.sign({ body: irisInitiateBody(), key: 'mended' })),
    sandbox.keySet,
  )
})
