import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectRefusal, expectServed, signatureFaultOf } from './judge.ts'
import { type Message, render } from './message.ts'
import { identityOf, irisPayment, openSandbox, type Sandbox } from './sandbox.ts'
import { type Conversation, listen, open, talk } from './talk.ts'

let sandbox: Sandbox

beforeAll(async () => {
  sandbox = await openSandbox({ config: { plainPort: 0 } })
})

afterAll(async () => {
  expect(sandbox.faults).toEqual([])
  await sandbox.close()
})

const arm = (wish: object) => sandbox.simulator.operator.faults.arm('demo-merchant', { operation: 'initiate', ...wish })
const spoiled = () => sandbox.simulator.operator.journal('demo-merchant', 1)[0]?.spoiled
const payment = () => sandbox.sign({ body: irisPayment() })

/** Both doors of the API. */
const DOORS = ['TLS', 'plain'] as const
const door = (name: (typeof DOORS)[number]): [port: number, conversation: Conversation] =>
  name === 'TLS'
    ? [sandbox.apiPort, { identity: identityOf(sandbox.demo.kit) }]
    : [Number(new URL(sandbox.simulator.plainUrl ?? '').port), { plain: true }]

/** Everything that comes over a connection until the other side ends it, in the pieces in which it came. */
const hear = async (name: (typeof DOORS)[number], message: Message) => {
  const [port, conversation] = door(name)
  const socket = open(port, conversation)
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
  socket.write(render(message))
  return { error: await closed, text: Buffer.concat(pieces).toString(), pieces: pieces.length }
}

describe.each(DOORS)('7.4: on the %s port', name => {
  const send = (message: Message) => {
    const [port, conversation] = door(name)
    return talk(port, message, conversation)
  }
  /** What the key finds afterwards. */
  const retried = async (message: Message) => {
    const [answer] = (await send(message)).answers
    if (!answer) throw new Error('There is no answer to the retry.')
    await expectServed(answer, sandbox.keySet)
    return { replayed: answer.header('idempotency-replayed') === 'true', body: answer.body.toString() }
  }

  test.each(['yes', 'no'])('reset, done %s: the connection is reset and nothing is heard', async done => {
    const message = await payment()
    await arm({ kind: 'reset', done })
    const { error, text } = await hear(name, message)
    expect([error?.code, text, spoiled()]).toEqual(['ECONNRESET', '', 'reset'])
    expect((await retried(message)).replayed).toBe(done === 'yes')
    expect((await retried(message)).replayed).toBe(true)
  })

  test('truncated: all is promised, half of it comes', async () => {
    const message = await payment()
    await arm({ kind: 'truncated' })
    const { text } = await hear(name, message)
    const [head = '', half = ''] = text.split('\r\n\r\n')
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1])
    expect([half.length, spoiled()]).toEqual([Math.floor(length / 2), 'truncated'])
    const { replayed, body } = await retried(message)
    expect([replayed, body.length, body.startsWith(half)]).toEqual([true, length, true])
  })

  test('missigned: the digest is that of the body, the signature is of another', async () => {
    const message = await payment()
    await arm({ kind: 'missigned' })
    const [answer] = (await send(message)).answers
    expect(answer?.status).toBe(200)
    expect(answer && (await signatureFaultOf(answer, sandbox.keySet))).toMatch(/does not verify/)
    expect(spoiled()).toBe('missigned')
    expect(await retried(message)).toEqual({ replayed: true, body: answer?.body.toString() })
  })

  test('slow: another call over another connection is answered first', async () => {
    const message = await payment()
    await arm({ kind: 'slow', after: 'PT0.3S' })
    const order: string[] = []
    const slow = send(message).then(({ answers: [answer] }) => {
      order.push('slow')
      return answer
    })
    while ((await sandbox.simulator.operator.faults.list('demo-merchant')).length > 0) await new Promise(setImmediate)
    await send(await payment())
    order.push('other')
    const answer = await slow
    expect(order).toEqual(['other', 'slow'])
    await expectServed(answer as NonNullable<typeof answer>, sandbox.keySet)
    expect((await retried(message)).replayed).toBe(true)
  })

  test('dribble: the body comes in pieces and is whole in the end', async () => {
    const message = await payment()
    await arm({ kind: 'dribble', after: 'PT0.2S' })
    const [port, conversation] = door(name)
    const socket = open(port, conversation)
    let pieces = 0
    socket.on('data', () => {
      pieces += 1
    })
    socket.write(render(message))
    const [answer] = (await listen(socket, conversation)).answers
    expect(pieces).toBeGreaterThan(3)
    await expectServed(answer as NonNullable<typeof answer>, sandbox.keySet)
    expect(spoiled()).toBe('dribble')
  })

  test('7.1: limited: 429/3000 with Retry-After, and the retry is carried out', async () => {
    const message = await payment()
    await arm({ kind: 'limited', after: 'PT3S' })
    const [answer] = (await send(message)).answers
    await expectRefusal(answer as NonNullable<typeof answer>, sandbox.keySet, '429/3000')
    expect([answer?.header('retry-after'), spoiled()]).toEqual(['3', undefined])
    expect((await retried(message)).replayed).toBe(false)
  })
})
