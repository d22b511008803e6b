import type { Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPauseConnection } from '../../simulator/http/pause-rate-limited-connection.ts'
import { createClock } from '../../simulator/support/clock.ts'
import { expectRefusal, expectServed, statusAndCode } from '../support/api-response-checks.ts'
import { headerValue, serializeRequest, withHeader } from '../support/create-signed-raw-request.ts'
import { openConnection, readResponses } from '../support/raw-http.ts'
import {
  identityOf,
  irisInitiateBody,
  openRawSandbox,
  type RawSandbox,
  tokenForm,
} from '../support/raw-request-sandbox.ts'
import { createUntrustedCertificate } from '../support/untrusted-certificate.ts'

const LIMIT = 5

let time = Date.now()
let sandbox: RawSandbox

beforeAll(async () => {
  sandbox = await openRawSandbox({ config: { rateLimit: LIMIT }, clock: createClock(() => time) })
})

afterAll(async () => {
  expect(sandbox.faults).toEqual([])
  await sandbox.close()
})

const read = () => sandbox.sign({ target: '/payments/x/status' })
const codesOf = async (calls: number) => {
  const messages = await Promise.all(Array.from({ length: calls }, read))
  const codes: string[] = []
  for (const message of messages) codes.push(statusAndCode(await sandbox.send(message)))
  return codes
}
const rested = () => {
  time += 1_000
}

test('7.1, 8, D-66: calls above the limit get 429/3000 with Retry-After, after which they are served', async () => {
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

test('8, D-66: limits are per organization; the key set and unknown certificates do not count', async () => {
  rested()
  await codesOf(LIMIT)
  expect(await codesOf(1)).toEqual(['429/3000'])
  const theirs = await sandbox.sign({ merchant: sandbox.other, target: '/payments/x/status' })
  expect(statusAndCode(await sandbox.send(theirs, { identity: identityOf(sandbox.other.kit) }))).toBe('404/4001')
  expect(statusAndCode(await sandbox.send(await read(), { identity: null }))).toBe('400/4980')
  const keySet = { method: 'GET', target: '/.well-known/jwks.json', headers: [['Host', 'x'] as [string, string]] }
  for (let call = 0; call < 2 * LIMIT; call += 1) await expectServed(await sandbox.send(keySet), sandbox.keySet)
})

test('5, 8, D-115: calls that later layers refuse count; above the limit no later layer runs', async () => {
  rested()
  const bad = [
    await sandbox.sign({ target: '/payments/x/status', token: 'none' }),
    withHeader(await read(), 'Signature'),
  ]
  const codes: string[] = []
  for (let call = 0; call <= LIMIT; call += 1)
    codes.push(statusAndCode(await sandbox.send(bad[call % 2] as (typeof bad)[number])))
  expect(codes).toEqual(['401/4970', '401/4990', '401/4970', '401/4990', '401/4970', '429/3000'])
  expect(await codesOf(1)).toEqual(['429/3000'])
  rested()
  expect(await codesOf(1)).toEqual(['404/4001'])
})

test('8, D-115: a connection that ignores Retry-After is not read until it has passed; others are', async () => {
  rested()
  const begun = performance.now()
  const identity = identityOf(sandbox.demo.kit)
  const socket = openConnection(sandbox.apiPort, { identity })
  const first = readResponses(socket, { answers: LIMIT + 1, keep: true })
  for (let call = 0; call <= LIMIT; call += 1) socket.write(serializeRequest(await read()))
  const { answers } = await first
  expect(answers.map(statusAndCode).at(-1)).toBe('429/3000')
  rested()
  socket.write(serializeRequest(await read()))
  const heard = readResponses(socket)
  expect(await codesOf(1)).toEqual(['404/4001']) // over another connection
  const [late] = (await heard).answers
  expect(late && statusAndCode(late)).toBe('404/4001')
  expect(performance.now() - begun).toBeGreaterThan(1_000)
})

test('5.1, 8, D-115: above fifty calls a second with unknown certificates connections are paused for a second', async () => {
  rested()
  const begun = performance.now()
  const socket = openConnection(sandbox.apiPort, { identity: await createUntrustedCertificate('CN=nobody') })
  const call = serializeRequest(await read())
  for (const wanted of [51, 1]) {
    const heard = readResponses(socket, { answers: wanted, keep: true })
    socket.write(Buffer.concat(Array(wanted).fill(call)))
    const { answers } = await heard
    expect(new Set(answers.map(statusAndCode))).toEqual(new Set(['400/4980']))
  }
  socket.destroy()
  expect(performance.now() - begun).toBeGreaterThan(1_000)
})

test('D-71, D-115: the connection of a proxy is not paused', () => {
  const did: string[] = []
  const socket = { pause: () => did.push('pause'), resume: () => did.push('resume') } as unknown as Socket
  createPauseConnection({ include: () => true })(socket, 0.001)
  expect(did).toEqual([])
  createPauseConnection({ include: () => false })(socket, 0.001)
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

test('I3, D-22: a 429 is not stored under its key', async () => {
  rested()
  await codesOf(LIMIT)
  const payment = await sandbox.sign({ body: irisInitiateBody() })
  await expectRefusal(await sandbox.send(payment), sandbox.keySet, '429/3000')
  rested()
  const served = await sandbox.send(payment)
  await expectServed(served, sandbox.keySet)
  expect(served.header('idempotency-replayed')).toBeUndefined()
  expect(headerValue(payment, 'idempotency-key')).not.toBe('')
})

test('8: rate-limit 0 means no limit', async () => {
  const free = await openRawSandbox({ config: { rateLimit: 0 }, clock: createClock(() => time) })
  try {
    for (let call = 0; call < 30; call += 1)
      expect(statusAndCode(await free.send(await free.sign({ target: '/payments/x/status' })))).toBe('404/4001')
  } finally {
    await free.close()
  }
})
