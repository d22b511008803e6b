import type { Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClock } from '../../simulator/clock.ts'
import { createHoldBack } from '../../simulator/http/hold-back.ts'
import { strangersCertificate } from './certificates.ts'
import { codeOf, expectRefusal, expectServed } from './judge.ts'
import { headerIn, render, withHeader } from './message.ts'
import { identityOf, irisPayment, openSandbox, type Sandbox, tokenForm } from './sandbox.ts'
import { listen, open } from './talk.ts'

const LIMIT = 5

let time = Date.now()
let sandbox: Sandbox

beforeAll(async () => {
  sandbox = await openSandbox({ config: { rateLimit: LIMIT }, clock: createClock(() => time) })
})

afterAll(async () => {
  expect(sandbox.faults).toEqual([])
  await sandbox.close()
})

const read = () => sandbox.sign({ target: '/payments/x/status' })
const codesOf = async (calls: number) => {
  const messages = await Promise.all(Array.from({ length: calls }, read))
  const codes: string[] = []
  for (const message of messages) codes.push(codeOf(await sandbox.send(message)))
  return codes
}
const rested = () => {
  time += 1_000
}

test('7.1, 8, D-66: what is beyond the limit is 429/3000 with Retry-After, and waiting that long is enough', async () => {
  rested()
  expect(await codesOf(LIMIT)).toEqual(Array(LIMIT).fill('404/4001'))
  const refused = await sandbox.send(await read())
  await expectRefusal(refused, sandbox.keySet, '429/3000')
  expect(refused.header('retry-after')).toBe('1')
  time += 199
  expect(await codesOf(1)).toEqual(['429/3000'])
  time += 1
  expect(await codesOf(2)).toEqual(['404/4001', '429/3000'])
  time += Number(refused.header('retry-after')) * 1_000
  expect(await codesOf(LIMIT + 1)).toEqual([...Array(LIMIT).fill('404/4001'), '429/3000'])
})

test('8, D-66: one organization leaves the others theirs; the key set and strangers are not counted', async () => {
  rested()
  await codesOf(LIMIT)
  expect(await codesOf(1)).toEqual(['429/3000'])
  const theirs = await sandbox.sign({ merchant: sandbox.other, target: '/payments/x/status' })
  expect(codeOf(await sandbox.send(theirs, { identity: identityOf(sandbox.other.kit) }))).toBe('404/4001')
  expect(codeOf(await sandbox.send(await read(), { identity: null }))).toBe('400/4980')
  const keySet = { method: 'GET', target: '/.well-known/jwks.json', headers: [['Host', 'x'] as [string, string]] }
  for (let call = 0; call < 2 * LIMIT; call += 1) await expectServed(await sandbox.send(keySet), sandbox.keySet)
})

test('5, 8, D-115: whatever comes with its certificate counts; beyond the quota nothing more of a call is looked at', async () => {
  rested()
  const bad = [
    await sandbox.sign({ target: '/payments/x/status', token: 'none' }),
    withHeader(await read(), 'Signature'),
  ]
  const codes: string[] = []
  for (let call = 0; call <= LIMIT; call += 1)
    codes.push(codeOf(await sandbox.send(bad[call % 2] as (typeof bad)[number])))
  expect(codes).toEqual(['401/4970', '401/4990', '401/4970', '401/4990', '401/4970', '429/3000'])
  expect(await codesOf(1)).toEqual(['429/3000'])
  rested()
  expect(await codesOf(1)).toEqual(['404/4001'])
})

test('8, D-115: who does not heed Retry-After is not read before; others are', async () => {
  rested()
  const begun = performance.now()
  const identity = identityOf(sandbox.demo.kit)
  const socket = open(sandbox.apiPort, { identity })
  const first = listen(socket, { answers: LIMIT + 1, keep: true })
  for (let call = 0; call <= LIMIT; call += 1) socket.write(render(await read()))
  const { answers } = await first
  expect(answers.map(codeOf).at(-1)).toBe('429/3000')
  rested()
  socket.write(render(await read()))
  const heard = listen(socket)
  expect(await codesOf(1)).toEqual(['404/4001']) // over another connection
  const [late] = (await heard).answers
  expect(late && codeOf(late)).toBe('404/4001')
  expect(performance.now() - begun).toBeGreaterThan(1_000)
})

test('5.1, 8, D-115: strangers are told so, and beyond fifty in a second their connections are not read for a second', async () => {
  rested()
  const begun = performance.now()
  const socket = open(sandbox.apiPort, { identity: await strangersCertificate('CN=nobody') })
  const call = render(await read())
  for (const wanted of [51, 1]) {
    const heard = listen(socket, { answers: wanted, keep: true })
    socket.write(Buffer.concat(Array(wanted).fill(call)))
    const { answers } = await heard
    expect(new Set(answers.map(codeOf))).toEqual(new Set(['400/4980']))
  }
  socket.destroy()
  expect(performance.now() - begun).toBeGreaterThan(1_000)
})

test('D-71, D-115: a connection of a proxy carries many clients and goes on', () => {
  const did: string[] = []
  const socket = { pause: () => did.push('pause'), resume: () => did.push('resume') } as unknown as Socket
  createHoldBack({ include: () => true })(socket, 0.001)
  expect(did).toEqual([])
  createHoldBack({ include: () => false })(socket, 0.001)
  expect(did).toEqual(['pause'])
})

test('4, 8: the token call counts as well', async () => {
  rested()
  const ask = () =>
    sandbox.sign({
      target: '/auth/token',
      contentType: 'application/x-www-form-urlencoded',
      body: tokenForm(sandbox.demo.kit),
    })
  for (let call = 0; call < LIMIT; call += 1) await expectServed(await sandbox.send(await ask()), sandbox.keySet)
  await expectRefusal(await sandbox.send(await ask()), sandbox.keySet, '429/3000')
})

test('I3, D-22: a 429 is not remembered under its key', async () => {
  rested()
  await codesOf(LIMIT)
  const payment = await sandbox.sign({ body: irisPayment() })
  await expectRefusal(await sandbox.send(payment), sandbox.keySet, '429/3000')
  rested()
  const served = await sandbox.send(payment)
  await expectServed(served, sandbox.keySet)
  expect(served.header('idempotency-replayed')).toBeUndefined()
  expect(headerIn(payment, 'idempotency-key')).not.toBe('')
})

test('8: 0 is no limit', async () => {
  const free = await openSandbox({ config: { rateLimit: 0 }, clock: createClock(() => time) })
  try {
    for (let call = 0; call < 30; call += 1)
      expect(codeOf(await free.send(await free.sign({ target: '/payments/x/status' })))).toBe('404/4001')
  } finally {
    await free.close()
  }
})
