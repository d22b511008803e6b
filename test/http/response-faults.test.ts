import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectRefusal, expectServed, signatureErrorOf } from '../support/api-response-checks.ts'
import { type RawRequest, serializeRequest } from '../support/create-signed-raw-request.ts'
import { type ExchangeOptions, exchangeRaw, openConnection, readResponses } from '../support/raw-http.ts'
import { identityOf, irisInitiateBody, openRawSandbox, type RawSandbox } from '../support/raw-request-sandbox.ts'

let sandbox: RawSandbox

beforeAll(async () => {
  sandbox = await openRawSandbox({ config: { plainPort: 0 } })
})

afterAll(async () => {
  expect(sandbox.faults).toEqual([])
  await sandbox.close()
})

const arm = (wish: object) =>
  sandbox.simulator.controlPlane.faults.arm('demo-merchant', { operation: 'initiate', ...wish })
const injectedFault = () => sandbox.simulator.controlPlane.journal.latest('demo-merchant', 1)[0]?.injectedFault
const payment = () => sandbox.sign({ body: irisInitiateBody() })

/** Listeners of the API. */
const DOORS = ['TLS', 'plain'] as const
const door = (name: (typeof DOORS)[number]): [port: number, conversation: ExchangeOptions] =>
  name === 'TLS'
    ? [sandbox.apiPort, { identity: identityOf(sandbox.demo.kit) }]
    : [Number(new URL(sandbox.simulator.plainUrl ?? '').port), { plain: true }]

/** Sends a request and collects all data until the connection closes, with its error and number of chunks. */
const hear = async (name: (typeof DOORS)[number], message: RawRequest) => {
  const [port, conversation] = door(name)
  const socket = openConnection(port, conversation)
  const pieces: Buffer[] = []
  const closed = new Promise<NodeJS.ErrnoException | undefined>(resolve => {
    let failure: NodeJS.ErrnoException | undefined
    socket
      .on('data', piece => pieces.push(piece))
      .on('error', error => {
        failure = error
      })
    socket.on('close', () => resolve(failure))
  })
  socket.write(serializeRequest(message))
  return { error: await closed, text: Buffer.concat(pieces).toString(), pieces: pieces.length }
}

describe.each(DOORS)('7.4: on the %s port', name => {
  const send = (message: RawRequest) => {
    const [port, conversation] = door(name)
    return exchangeRaw(port, message, conversation)
  }
  /** Repeats a request under the same key; returns its body and whether it was a replay. */
  const retried = async (message: RawRequest) => {
    const [answer] = (await send(message)).answers
    if (!answer) throw new Error('There is no answer to the retry.')
    await expectServed(answer, sandbox.keySet)
    return { replayed: answer.header('idempotency-replayed') === 'true', body: answer.body.toString() }
  }

  test.each(['yes', 'no'])('reset, done %s: the connection is reset without a response', async done => {
    const message = await payment()
    await arm({ kind: 'reset', done })
    const { error, text } = await hear(name, message)
    expect([error?.code, text, injectedFault()]).toEqual(['ECONNRESET', '', 'reset'])
    expect((await retried(message)).replayed).toBe(done === 'yes')
    expect((await retried(message)).replayed).toBe(true)
  })

  test('truncated: half of the content length is sent', async () => {
    const message = await payment()
    await arm({ kind: 'truncated' })
    const { text } = await hear(name, message)
    const [head = '', half = ''] = text.split('\r\n\r\n')
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1])
    expect([half.length, injectedFault()]).toEqual([Math.floor(length / 2), 'truncated'])
    const { replayed, body } = await retried(message)
    expect([replayed, body.length, body.startsWith(half)]).toEqual([true, length, true])
  })

  test('missigned: the digest is right and the signature does not verify', async () => {
    const message = await payment()
    await arm({ kind: 'missigned' })
    const [answer] = (await send(message)).answers
    expect(answer?.status).toBe(200)
    expect(answer && (await signatureErrorOf(answer, sandbox.keySet))).toMatch(/does not verify/)
    expect(injectedFault()).toBe('missigned')
    expect(await retried(message)).toEqual({ replayed: true, body: answer?.body.toString() })
  })

  test('slow: a call on another connection gets its response first', async () => {
    const message = await payment()
    await arm({ kind: 'slow', after: 'PT0.3S' })
    const order: string[] = []
    const slow = send(message).then(({ answers: [answer] }) => {
      order.push('slow')
      return answer
    })
    while ((await sandbox.simulator.controlPlane.faults.list('demo-merchant')).length > 0)
      await new Promise(setImmediate)
    await send(await payment())
    order.push('other')
    const answer = await slow
    expect(order).toEqual(['other', 'slow'])
    await expectServed(answer as NonNullable<typeof answer>, sandbox.keySet)
    expect((await retried(message)).replayed).toBe(true)
  })

  test('dribble: the body comes in pieces and is complete', async () => {
    const message = await payment()
    await arm({ kind: 'dribble', after: 'PT0.2S' })
    const [port, conversation] = door(name)
    const socket = openConnection(port, conversation)
    let pieces = 0
    socket.on('data', () => {
      pieces += 1
    })
    socket.write(serializeRequest(message))
    const [answer] = (await readResponses(socket, conversation)).answers
    expect(pieces).toBeGreaterThan(3)
    await expectServed(answer as NonNullable<typeof answer>, sandbox.keySet)
    expect(injectedFault()).toBe('dribble')
  })

  test('7.1: limited: 429/3000 with Retry-After, and the retry is executed', async () => {
    const message = await payment()
    await arm({ kind: 'limited', after: 'PT3S' })
    const [answer] = (await send(message)).answers
    await expectRefusal(answer as NonNullable<typeof answer>, sandbox.keySet, '429/3000')
    expect([answer?.header('retry-after'), injectedFault()]).toEqual(['3', undefined])
    expect((await retried(message)).replayed).toBe(false)
  })
})
